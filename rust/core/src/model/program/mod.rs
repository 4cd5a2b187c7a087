//! The language of evolved programs: first-order, typed, and every program ends.
//!
//! Expressions over float, int, bool, declared sum types (lists, trees) and flat tuples, with `case`,
//! `let` and local functions whose recursion is structural. An arena makes expressions and checks
//! their types, so an ill-typed one does not exist; a [`Program`] is closed and canonical, so equal
//! programs compare equal whatever their variables are called.
//!
//! ```
//! use treewright_core::program::Program;
//!
//! let text = "type list = Nil | Cons of int * list
//! fun sum(xs: list): int = case xs of Nil => 0 | Cons(x, rest) => x + sum(rest)
//! ";
//! let program = Program::parse(text).unwrap();
//! assert_eq!(program.to_text(), text);
//! assert!(Program::parse("fun f(x: float): float = x + 1").is_err());
//! ```
//!
//! # What is where
//! - a program and its parts: `types`, `prim`, `node`, `arena` (every node once), `build` (every node
//!   checked), `recursion` (every program ends), `closed` (programs), `copy` (renaming), `walk` (places,
//!   scopes, replacement)
//! - text: `lexer`, `parser`, `parse_expr`, `print`, `names`; `json`; `code` in other languages
//! - meaning: `compile`, `bytecode`, `heap`, `machine`; `value`; `limits` stops a run after a number of
//!   steps; a plain interpreter judges them in `tests`
//! - for evolution: `vocabulary`, `generate`, `complexity`, `simplify` with `identities`; `examples`
//!
//! # Source
//! The language is the small functional one of program evolution: one function to be improved, known
//! functions and types around it. The page `docs/language.md` describes it for its users.

mod arena;
mod build;
mod bytecode;
mod closed;
mod code;
mod compile;
mod complexity;
mod copy;
mod error;
pub mod examples;
mod generate;
mod heap;
mod identities;
mod json;
mod lexer;
mod limits;
mod machine;
mod names;
mod node;
mod parse_expr;
mod parser;
pub(crate) mod prim;
mod print;
mod recursion;
mod simplify;
#[cfg(test)]
pub(crate) mod tests;
mod types;
mod value;
mod vocabulary;
mod walk;

pub(crate) use arena::Arena;
pub use bytecode::Code;
pub(crate) use closed::Definition;
pub use closed::Program;
pub use code::Language;
pub use error::{ProgramError, Result};
pub(crate) use generate::random_float;
pub use heap::Heap;
pub use limits::{Limits, Run, Stop};
pub use machine::Machine;
pub(crate) use node::{Branch, Expr, Fun, Node, Var};
pub use prim::Prim;
pub use types::{Atom, Constructor, Parts, SumId, SumType, Tag, Ty, Types};
pub use value::{Cell, Store, Value};
pub use vocabulary::{UnknownWord, Vocabulary};
pub(crate) use walk::{FunInScope, InScope, Path};
