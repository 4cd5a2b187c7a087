//! The same program in fewer words.
//!
//! Values stay the same for all inputs from which only finite numbers arise, up to the sign of zeros:
//! identities that rounding breaks, such as (a + b) + c = a + (b + c), are not used. What is not needed
//! for the value is not evaluated any more, so steps only get fewer.
//!
//! ```text
//! bottom-up, until nothing changes:
//!     primitives: identities.rs
//!     if c then a else a          => a
//!     if not c then a else b      => if c then b else a
//!     case of a known constructor => its branch, the parts bound by let
//!     let of a name, of something unused or used once => put in its place
//!     a local function that is not called => dropped
//! ```

use super::arena::Arena;
use super::closed::Program;
use super::identities;
use super::node::{Branch, Expr, Node, Var};
use super::prim::Prim;

/// Rounds over the whole program; each either shortens it or is the last.
const MAX_ROUNDS: usize = 100;

impl Program {
    /// The program with every function simplified.
    pub fn simplify(&self) -> Program {
        let (mut arena, mut definitions) = self.open();
        for definition in &mut definitions {
            definition.body = arena.simplify(definition.body);
        }
        Program::new(&arena, &definitions).unwrap_or_else(|_| self.clone())
    }
}

impl Arena {
    /// The expression simplified; every variable in it must be bound at one place only, as in
    /// [`Program::open`].
    pub fn simplify(&mut self, expr: Expr) -> Expr {
        let mut expr = expr;
        for _ in 0..MAX_ROUNDS {
            let simpler = self.simplify_once(expr);
            if simpler == expr {
                break;
            }
            expr = simpler;
        }
        expr
    }

    fn simplify_once(&mut self, expr: Expr) -> Expr {
        let children = self.node(expr).children();
        let simpler: Vec<Expr> = children.iter().map(|&child| self.simplify_once(child)).collect();
        // A part may lose its place in a recursion, then the node stays as it was.
        let expr = match simpler == children {
            true => expr,
            false => self.with_children(expr, &simpler).unwrap_or(expr),
        };
        match self.node(expr).clone() {
            Node::Prim(prim, args) => identities::rewrite(self, prim, &args).unwrap_or(expr),
            Node::Case { subject, branches } => self.simpler_case(subject, &branches).unwrap_or(expr),
            Node::Let { var, bound, body } => self.simpler_let(var, bound, body).unwrap_or(expr),
            Node::LetFun { fun, rest, .. } if !self.free_funs(rest).contains(&fun) => rest,
            _ => expr,
        }
    }

    fn simpler_case(&mut self, subject: Expr, branches: &[Branch]) -> Option<Expr> {
        let same = branches.iter().all(|branch| branch.body == branches[0].body);
        let unused = |branch: &Branch| branch.vars.iter().all(|&var| !self.mentions(branch.body, var));
        if same && branches.iter().all(unused) {
            return Some(branches[0].body);
        }
        match self.node(subject).clone() {
            Node::Bool(value) => Some(branches[usize::from(!value)].body),
            Node::Prim(Prim::Not, args) => self.choose(args[0], branches[1].body, branches[0].body).ok(),
            Node::Int(value) if value <= 0 => Some(branches[0].body),
            Node::Int(value) => {
                let predecessor = self.int(value - 1);
                self.bind(branches[1].vars[0], predecessor, branches[1].body).ok()
            }
            Node::Construct(tag, args) => self.bind_parts(&branches[tag.position as usize], &args),
            Node::Tuple(args) => self.bind_parts(&branches[0], &args),
            _ => None,
        }
    }

    fn bind_parts(&mut self, branch: &Branch, parts: &[Expr]) -> Option<Expr> {
        let both = branch.vars.iter().zip(parts).rev();
        both.into_iter().try_fold(branch.body, |body, (&var, &part)| self.bind(var, part, body).ok())
    }

    fn simpler_let(&mut self, var: Var, bound: Expr, body: Expr) -> Option<Expr> {
        let is_name = matches!(self.node(bound), Node::Var(_));
        match self.uses(body, var) {
            0 => Some(body),
            1 => self.put(body, &[(var, bound)]).ok(),
            _ if is_name => self.put(body, &[(var, bound)]).ok(),
            _ => None,
        }
    }

    /// How often a variable is used; a use in a local function, which may be called often, counts
    /// twice.
    fn uses(&self, expr: Expr, var: Var) -> usize {
        match self.node(expr) {
            Node::Var(used) => usize::from(*used == var),
            Node::LetFun { body, rest, .. } => 2 * self.uses(*body, var) + self.uses(*rest, var),
            node => node.children().into_iter().map(|child| self.uses(child, var)).sum(),
        }
    }
}
