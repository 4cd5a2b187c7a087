//! What keeps a program from being built, read or stored. A variant carries facts; `Display` says
//! what, where and the remedy.

use std::fmt;

use crate::base::error::Error;

/// Why a program, a type or a value cannot be built.
#[allow(missing_docs)] // the names of the fields say what they hold
#[derive(Debug, Clone, PartialEq)]
pub enum ProgramError {
    /// A name that is taken, reserved or no name.
    Name { what: &'static str, name: String, detail: &'static str },
    /// A sum type without a finite value.
    Uninhabited { name: String },
    /// A tuple of tuples, or one with too few or too many parts.
    Tuple { n_parts: usize, nested: bool },
    /// More parts than the representation holds.
    TooMany { what: &'static str, limit: usize },
    /// A number of arguments, fields, binders or branches that does not fit.
    Arity { what: String, expected: usize, found: usize },
    /// A part of another type than its place asks for.
    Mismatch { what: String, expected: String, found: String },
    /// Recursion on something else than a strict part of a parameter.
    NotStructural { function: String },
    /// A variable, function, type or constructor that is not in scope.
    Unbound { what: &'static str, name: String },
    /// A program past the size or depth that every walk over it allows for.
    TooLarge { what: &'static str, limit: usize },
    /// Text that breaks the grammar.
    Syntax { line: usize, column: usize, expected: String, found: String },
    /// Another error, with the place in the text.
    At { line: usize, column: usize, error: Box<ProgramError> },
    /// JSON that is not a stored program.
    Format { detail: String },
}

impl ProgramError {
    /// The same error with its place in the text; a place already known stays.
    pub(super) fn at(self, line: usize, column: usize) -> Self {
        match self {
            ProgramError::At { .. } | ProgramError::Syntax { .. } => self,
            error => ProgramError::At { line, column, error: Box::new(error) },
        }
    }

    /// The message without the place in the text.
    pub fn reason(&self) -> String {
        match self {
            ProgramError::At { error, .. } => error.reason(),
            ProgramError::Syntax { expected, found, .. } => format!("expected {expected}, found {found}"),
            error => error.to_string(),
        }
    }
}

impl fmt::Display for ProgramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProgramError::Name { what, name, detail } => write!(f, "the {what} '{name}' {detail}"),
            ProgramError::Uninhabited { name } => write!(
                f,
                "type '{name}' has no finite value; give it a constructor that does not need '{name}' itself"
            ),
            ProgramError::Tuple { nested: true, .. } => {
                write!(f, "a part of a tuple is a tuple; list its parts in the outer one")
            }
            ProgramError::Tuple { n_parts, .. } => {
                write!(
                    f,
                    "a tuple has {n_parts} parts; it must have between 2 and {}",
                    super::types::MAX_PARTS
                )
            }
            ProgramError::TooMany { what, limit } => write!(f, "more than {limit} {what}; use fewer"),
            ProgramError::Arity { what, expected, found } => {
                write!(f, "{what}: {expected} needed, {found} given")
            }
            ProgramError::Mismatch { what, expected, found } => {
                write!(f, "{what} must be of type {expected}, and is of type {found}")
            }
            ProgramError::NotStructural { function } => write!(
                f,
                "function '{function}' must call itself with a strict part of one and the same parameter, \
                 a variable that a case on it binds"
            ),
            ProgramError::Unbound { what, name } => write!(f, "no {what} '{name}' is in scope here"),
            ProgramError::TooLarge { what, limit } => {
                write!(f, "the program's {what} is above {limit}; split or simplify it")
            }
            ProgramError::Syntax { line, column, .. } | ProgramError::At { line, column, .. } => {
                write!(f, "line {line}, column {column}: {}", self.reason())
            }
            ProgramError::Format { detail } => {
                write!(f, "this is not a program in treewright's format: {detail}")
            }
        }
    }
}

impl std::error::Error for ProgramError {}

impl From<ProgramError> for Error {
    fn from(error: ProgramError) -> Self {
        Error::Program { detail: error.to_string() }
    }
}

/// Shorthand for results of this module.
pub type Result<T> = std::result::Result<T, ProgramError>;
