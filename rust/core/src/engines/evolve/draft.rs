//! A rule taken apart, to be changed at places.

use crate::base::random::Random;
use crate::model::program::{
    Arena, Branch, Definition, Expr, Node, Path, Prim, Program, Ty, Var, Vocabulary,
};

/// Symbols of generated parts: those of scalar rules without `let`, which only moves that share a
/// subexpression bring in.
pub fn vocabulary() -> Vocabulary {
    Vocabulary { values: false, ..Vocabulary::scalar() }
}

/// A program of one function, open.
#[derive(Debug, Clone)]
pub struct Draft {
    pub arena: Arena,
    pub definition: Definition,
}

impl Draft {
    pub fn open(program: &Program) -> Draft {
        let (arena, mut definitions) = program.open();
        Draft { arena, definition: definitions.pop().expect("a program has a main function") }
    }

    /// The program; `None` where a part ended up outside the scope of a variable or it grew too large.
    pub fn close(&self) -> Option<Program> {
        Program::new(&self.arena, std::slice::from_ref(&self.definition)).ok()
    }

    pub fn root(&self) -> Expr {
        self.definition.body
    }

    /// All places, parents first.
    pub fn places(&self) -> Vec<(Path, Expr)> {
        self.arena.places(self.definition.body)
    }

    /// A place of those that fit, each as likely.
    pub fn pick(&self, random: &mut Random, fits: impl Fn(&Arena, Expr) -> bool) -> Option<(Path, Expr)> {
        let mut places = self.places();
        places.retain(|(_, expr)| fits(&self.arena, *expr));
        match places.len() {
            0 => None,
            n => Some(places.swap_remove(random.below(n as u32) as usize)),
        }
    }

    /// Puts an expression at a place.
    pub fn put(&mut self, path: &[u32], new: Expr) -> Option<()> {
        self.definition.body = self.arena.replace(self.definition.body, path, new).ok()?;
        Some(())
    }

    /// A random expression of at most this size for a place.
    pub fn generate(&mut self, ty: Ty, size: usize, path: &[u32], random: &mut Random) -> Option<Expr> {
        let scope = self.arena.in_scope(&[], &self.definition, path);
        self.arena.generate(ty, size, &scope, &vocabulary(), random)
    }

    /// Whether all free variables of an expression are parameters, so that it means the same anywhere.
    pub fn is_global(&self, expr: Expr) -> bool {
        self.arena.free_vars(expr).iter().all(|var| self.definition.params.contains(var))
    }

    /// The part of another draft, over these parameters; `None` if it is not over parameters alone.
    pub fn transplant(&mut self, from: &Draft, expr: Expr) -> Option<Expr> {
        let params = from.definition.params.iter().copied().zip(self.definition.params.iter().copied());
        let mut vars: Vec<(Var, Var)> = params.collect();
        transplant(&mut self.arena, &from.arena, expr, &mut vars)
    }

    /// Places and values of the float constants.
    pub fn constants(&self) -> Vec<(Path, f64)> {
        let constant = |(path, expr): (Path, Expr)| match self.arena.node(expr) {
            Node::Float(bits) => Some((path, f64::from_bits(*bits))),
            _ => None,
        };
        self.places().into_iter().filter_map(constant).collect()
    }
}

fn transplant(to: &mut Arena, from: &Arena, expr: Expr, vars: &mut Vec<(Var, Var)>) -> Option<Expr> {
    match from.node(expr) {
        Node::Float(bits) => Some(to.float(f64::from_bits(*bits))),
        Node::Bool(value) => Some(to.bool(*value)),
        Node::Var(var) => {
            let (_, new) = *vars.iter().rev().find(|(old, _)| old == var)?;
            Some(to.var(new))
        }
        Node::Prim(prim, args) => {
            let args: Option<Vec<Expr>> = args.iter().map(|&arg| transplant(to, from, arg, vars)).collect();
            to.prim(*prim, &args?).ok()
        }
        Node::Case { subject, branches } if from.ty(*subject) == Ty::BOOL => {
            let subject = transplant(to, from, *subject, vars)?;
            let bodies = branches.iter().map(|branch| transplant(to, from, branch.body, vars));
            let bodies: Vec<Expr> = bodies.collect::<Option<_>>()?;
            to.choose(subject, bodies[0], bodies[1]).ok()
        }
        Node::Let { var, bound, body } => {
            let bound = transplant(to, from, *bound, vars)?;
            let new = to.declare_var("v", from.var_ty(*var));
            vars.push((*var, new));
            let body = transplant(to, from, *body, vars);
            vars.pop();
            to.bind(new, bound, body?).ok()
        }
        _ => None,
    }
}

/// Condition and both ways of an `if`.
pub fn choice(arena: &Arena, expr: Expr) -> Option<(Expr, Expr, Expr)> {
    match arena.node(expr) {
        Node::Case { subject, branches } if arena.ty(*subject) == Ty::BOOL => {
            let body = |branch: &Branch| branch.body;
            Some((*subject, body(&branches[0]), body(&branches[1])))
        }
        _ => None,
    }
}

/// A primitive and its arguments.
pub fn application(arena: &Arena, expr: Expr) -> Option<(Prim, Vec<Expr>)> {
    match arena.node(expr) {
        Node::Prim(prim, args) => Some((*prim, args.to_vec())),
        _ => None,
    }
}
