//! Programs as code of other languages, to be read and to be used.
//!
//! The code computes what the program does wherever numbers stay finite and integers do not overflow,
//! up to the last digits of the language's own exp, log and tanh; helpers are written in front where the
//! language's own function would fail instead of giving infinity, NaN or 0.

mod latex;
mod python;
mod rust;
mod sml;

use super::closed::{Definition, Program};
use super::node::{Expr, Node};
use super::parse_expr;
use super::prim::Prim;
use super::types::Ty;

/// A language that programs can be written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// With numpy where the program is a formula.
    Python,
    /// Without dependencies.
    Rust,
    /// Standard ML.
    Sml,
    /// Equations.
    Latex,
}

impl Program {
    /// The program in another language: declarations, helpers, functions.
    pub fn code(&self, language: Language) -> String {
        match language {
            Language::Python => python::write(self),
            Language::Rust => rust::write(self),
            Language::Sml => sml::write(self),
            Language::Latex => latex::write(self),
        }
    }

    /// Whether the program is one formula over floats: no data, no recursion, no functions.
    pub fn is_scalar(&self) -> bool {
        let plain = |node: &Node| match node {
            Node::Int(_) | Node::Construct(..) | Node::Tuple(_) | Node::Call(..) | Node::LetFun { .. } => {
                false
            }
            Node::Case { branches, .. } => branches.len() == 2 && branches.iter().all(|b| b.vars.is_empty()),
            Node::Let { var, .. } => self.arena().var_ty(*var) == Ty::FLOAT,
            _ => true,
        };
        self.is_of_floats() && self.definitions().len() == 1 && self.arena().nodes().iter().all(plain)
    }

    /// Whether the program makes a float of floats.
    fn is_of_floats(&self) -> bool {
        let (params, result) = self.signature();
        params.iter().all(|&ty| ty == Ty::FLOAT) && result == Ty::FLOAT
    }

    /// Primitives that occur in any function.
    fn prims(&self) -> Vec<Prim> {
        let used = |prim: &Prim| {
            self.arena().nodes().iter().any(|node| matches!(node, Node::Prim(found, _) if found == prim))
        };
        Prim::ALL.iter().copied().filter(used).collect()
    }
}

/// How tight an infix primitive binds.
fn tightness(prim: Prim) -> u8 {
    parse_expr::tightness(prim.text()).expect("the others are not written between their arguments")
}

/// Whether one of the words, which spaces keep apart, is this name.
fn is_word(words: &str, name: &str) -> bool {
    words.split(' ').any(|word| word == name)
}

/// The text with every line but the first moved right.
fn indented(text: &str, by: usize) -> String {
    text.replace('\n', &format!("\n{}", " ".repeat(by)))
}

/// A definition for a local function.
fn local(fun: super::node::Fun, params: &[super::node::Var], body: Expr) -> Definition {
    Definition { fun, params: params.into(), body }
}
