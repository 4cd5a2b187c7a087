//! The nodes of expressions, as small as the language: constants, variables, applications, `case`,
//! `let` and local functions.

use super::prim::Prim;
use super::types::Tag;

/// An expression: its number in an [`Arena`](super::Arena). Equal expressions of one arena have
/// equal numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Expr(pub(super) u32);

/// A variable of an arena, with its one type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(pub(super) u32);

/// A local function of an arena, with its one signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fun(pub(super) u32);

/// One way a `case` goes on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Branch {
    /// The parts of the subject, in order.
    pub vars: Box<[Var]>,
    pub body: Expr,
}

/// What an expression is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Node {
    /// The bits of a float; every NaN has the same.
    Float(u64),
    /// An integer.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// A use of a variable.
    Var(Var),
    /// A primitive on its arguments.
    Prim(Prim, Box<[Expr]>),
    /// Data of a constructor.
    Construct(Tag, Box<[Expr]>),
    /// A tuple.
    Tuple(Box<[Expr]>),
    /// A call of a function.
    Call(Fun, Box<[Expr]>),
    /// Branches in the order of [`Types::branches`](super::Types::branches); `if` is a case on bool.
    Case { subject: Expr, branches: Box<[Branch]> },
    /// A value with a name.
    Let { var: Var, bound: Expr, body: Expr },
    /// A local function, known in its own body and in the rest.
    LetFun { fun: Fun, params: Box<[Var]>, body: Expr, rest: Expr },
}

impl Node {
    /// A float constant.
    pub fn float(value: f64) -> Node {
        Node::Float(if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() })
    }

    /// The subexpressions, in the order in which they are written; bodies of branches after the
    /// subject, the body of a function before the rest.
    pub fn children(&self) -> Vec<Expr> {
        match self {
            Node::Float(_) | Node::Int(_) | Node::Bool(_) | Node::Var(_) => Vec::new(),
            Node::Prim(_, args) | Node::Construct(_, args) | Node::Tuple(args) | Node::Call(_, args) => {
                args.to_vec()
            }
            Node::Case { subject, branches } => {
                std::iter::once(*subject).chain(branches.iter().map(|branch| branch.body)).collect()
            }
            Node::Let { bound, body, .. } => vec![*bound, *body],
            Node::LetFun { body, rest, .. } => vec![*body, *rest],
        }
    }

    /// The same node above other children, as many as before.
    pub(super) fn with_children(&self, children: &[Expr]) -> Node {
        let mut node = self.clone();
        match &mut node {
            Node::Float(_) | Node::Int(_) | Node::Bool(_) | Node::Var(_) => {}
            Node::Prim(_, args) | Node::Construct(_, args) | Node::Tuple(args) | Node::Call(_, args) => {
                args.copy_from_slice(children);
            }
            Node::Case { subject, branches } => {
                *subject = children[0];
                branches.iter_mut().zip(&children[1..]).for_each(|(branch, &body)| branch.body = body);
            }
            Node::Let { bound, body, .. } => (*bound, *body) = (children[0], children[1]),
            Node::LetFun { body, rest, .. } => (*body, *rest) = (children[0], children[1]),
        }
        node
    }

    /// The node as a sequence of words that tells any two nodes apart.
    pub(super) fn words(&self, out: &mut impl FnMut(u64)) {
        let mut list = |kind: u64, what: u64, items: &[Expr]| {
            out(kind << 56 | (items.len() as u64) << 40 | what);
            items.iter().for_each(|item| out(u64::from(item.0)));
        };
        match self {
            Node::Float(bits) => (out(1 << 56), out(*bits)).0,
            Node::Int(value) => (out(2 << 56), out(*value as u64)).0,
            Node::Bool(value) => out(3 << 56 | u64::from(*value)),
            Node::Var(var) => out(4 << 56 | u64::from(var.0)),
            Node::Prim(prim, args) => list(5, *prim as u64, args),
            Node::Construct(tag, args) => list(6, u64::from(tag.sum.0) << 8 | u64::from(tag.position), args),
            Node::Tuple(args) => list(7, 0, args),
            Node::Call(fun, args) => list(8, u64::from(fun.0), args),
            Node::Case { subject, branches } => {
                out(9 << 56 | (branches.len() as u64) << 40 | u64::from(subject.0));
                for branch in branches {
                    out((branch.vars.len() as u64) << 40 | u64::from(branch.body.0));
                    branch.vars.iter().for_each(|var| out(u64::from(var.0)));
                }
            }
            Node::Let { var, bound, body } => {
                out(10 << 56 | u64::from(var.0));
                out(u64::from(bound.0) << 32 | u64::from(body.0));
            }
            Node::LetFun { fun, params, body, rest } => {
                out(11 << 56 | (params.len() as u64) << 40 | u64::from(fun.0));
                params.iter().for_each(|var| out(u64::from(var.0)));
                out(u64::from(body.0) << 32 | u64::from(rest.0));
            }
        }
    }
}
