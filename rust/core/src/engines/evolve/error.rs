//! What keeps an evolution from starting or from going on.

use std::fmt;

use crate::base::error::Error;
use crate::model::program::ProgramError;

/// What can go wrong.
#[derive(Debug, Clone, PartialEq)]
pub enum EvolveError {
    /// Data or parameters.
    Core(Error),
    /// Text that is no program.
    Program(ProgramError),
    /// A program that is no rule: one formula of two floats.
    NotARule { text: String },
    /// A rule to start from that is not finite for a pair up to the largest of the corpora.
    Undefined,
    /// A checkpoint that is none, or one of another evolution.
    Checkpoint { detail: String },
    /// A checkpoint that cannot be written.
    Write { path: String, detail: String },
}

impl From<Error> for EvolveError {
    fn from(error: Error) -> Self {
        EvolveError::Core(error)
    }
}

impl From<ProgramError> for EvolveError {
    fn from(error: ProgramError) -> Self {
        EvolveError::Program(error)
    }
}

impl fmt::Display for EvolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvolveError::Core(error) => error.fmt(f),
            EvolveError::Program(error) => error.fmt(f),
            EvolveError::NotARule { text } => write!(
                f,
                "'{}' is no pruning rule; a rule is one formula of two floats, \
                 fun estimate(c: float, n: float): float = ...",
                text.trim()
            ),
            EvolveError::Undefined => write!(
                f,
                "the rule to start from is not finite for some leaf up to the largest of the trees; \
                 start from one that is defined for all 1 <= c <= n, such as 'naive'"
            ),
            EvolveError::Checkpoint { detail } => {
                write!(f, "the checkpoint cannot be resumed: {detail}")
            }
            EvolveError::Write { path, detail } => {
                write!(f, "the checkpoint '{path}' cannot be written ({detail}); choose another place")
            }
        }
    }
}

impl std::error::Error for EvolveError {}
