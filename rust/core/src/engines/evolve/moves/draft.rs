//! A program taken apart, to be changed at places.

use crate::base::random::Random;
use crate::model::program::{
    Arena, Branch, Definition, Expr, Fun, InScope, Node, Path, Prim, Program, Ty, Var, Vocabulary,
};

/// A program, open. Every binder in it is different from every other.
#[derive(Debug, Clone)]
pub struct Draft {
    pub arena: Arena,
    /// Functions that may be called and stay as they are.
    pub library: Vec<Definition>,
    pub main: Definition,
    /// The place at or below which coupled steps act.
    pub focus: Path,
}

impl Draft {
    pub fn open(program: &Program) -> Draft {
        let (arena, mut library) = program.open();
        let main = library.pop().expect("a program has a main function");
        Draft { arena, library, main, focus: Path::new() }
    }

    /// The program; `None` where a part ended up outside the scope of a variable, recursion would not
    /// come to an end, or it grew too large.
    pub fn close(&self) -> Option<Program> {
        let mut definitions = self.library.clone();
        definitions.push(self.main.clone());
        Program::new(&self.arena, &definitions).ok()
    }

    /// The same program and focus, all binders made anew: what a step may rely on.
    pub fn renewed(&self) -> Option<Draft> {
        let draft = Draft::open(&self.close()?);
        Some(Draft { focus: self.focus.clone(), ..draft })
    }

    /// Places at or below the focus, parents first.
    pub fn places(&self) -> Vec<(Path, Expr)> {
        let Some(root) = self.arena.at(self.main.body, &self.focus) else { return Vec::new() };
        let mut places = self.arena.places(root);
        for (path, _) in &mut places {
            path.splice(0..0, self.focus.iter().copied());
        }
        places
    }

    /// A place of those that fit, at or below the focus, each as likely.
    pub fn pick(&self, random: &mut Random, fits: impl Fn(&Arena, Expr) -> bool) -> Option<(Path, Expr)> {
        let root = self.arena.at(self.main.body, &self.focus)?;
        let mut fitting = Vec::new();
        walk(&self.arena, root, &mut |expr| fitting.push(fits(&self.arena, expr)));
        let numbers: Vec<usize> = (0..fitting.len()).filter(|&k| fitting[k]).collect();
        let mut path = self.focus.clone();
        let found = nth(&self.arena, root, *any(&numbers, random)?, &mut path);
        Some((path, found))
    }

    /// Puts an expression at a place.
    pub fn put(&mut self, path: &[u32], new: Expr) -> Option<()> {
        self.main.body = self.arena.replace(self.main.body, path, new).ok()?;
        Some(())
    }

    /// A random expression of at most this size for a place, with more variables that may stand in it.
    pub fn generate(
        &mut self,
        ty: Ty,
        size: usize,
        path: &[u32],
        more: &[Var],
        vocabulary: &Vocabulary,
        random: &mut Random,
    ) -> Option<Expr> {
        let scope = self.scope_at(path);
        self.generate_in(ty, size, &scope, more, vocabulary, random)
    }

    /// The same in a known scope.
    pub fn generate_in(
        &mut self,
        ty: Ty,
        size: usize,
        scope: &InScope,
        more: &[Var],
        vocabulary: &Vocabulary,
        random: &mut Random,
    ) -> Option<Expr> {
        let mut scope = scope.clone();
        scope.vars.extend_from_slice(more);
        self.arena.generate(ty, size, &scope, vocabulary, random)
    }

    /// What may be used at a place.
    pub fn scope_at(&self, path: &[u32]) -> InScope {
        let library: Vec<Fun> = self.library.iter().map(|definition| definition.fun).collect();
        self.arena.in_scope(&library, &self.main, path)
    }

    /// Whether all free variables of an expression are parameters, so that it means the same anywhere.
    pub fn is_global(&self, expr: Expr) -> bool {
        self.arena.free_vars(expr).iter().all(|var| self.main.params.contains(var))
    }

    /// The part of another draft, over these parameters; `None` if it is no formula over parameters alone.
    pub fn transplant(&mut self, from: &Draft, expr: Expr) -> Option<Expr> {
        let mut vars = from.main.params.iter().copied().zip(self.main.params.iter().copied()).collect();
        transplant(&mut self.arena, &from.arena, expr, &mut vars)
    }

    /// Variables in scope at a place.
    pub fn vars_at(&self, path: &[u32]) -> Vec<Var> {
        self.arena.in_scope(&[], &self.main, path).vars
    }
}

/// One of these, each as likely.
pub fn any<'a, T>(items: &'a [T], random: &mut Random) -> Option<&'a T> {
    match items.len() {
        0 => None,
        n => items.get(random.below(n as u32) as usize),
    }
}

/// Visits an expression and all below, parents first, from left to right.
fn walk(arena: &Arena, expr: Expr, visit: &mut impl FnMut(Expr)) {
    visit(expr);
    arena.node(expr).children().into_iter().for_each(|child| walk(arena, child, visit));
}

/// The expression with this number in the order of [`walk`], and the way to it.
fn nth(arena: &Arena, expr: Expr, number: usize, path: &mut Path) -> Expr {
    let Some(mut left) = number.checked_sub(1) else { return expr };
    for (k, child) in (0..).zip(arena.node(expr).children()) {
        if left < arena.size(child) {
            path.push(k);
            return nth(arena, child, left, path);
        }
        left -= arena.size(child);
    }
    unreachable!("an expression has as many places as its size")
}

/// The expression with others for variables that it does not bind.
pub fn fill(arena: &mut Arena, expr: Expr, values: &[(Var, Expr)]) -> Option<Expr> {
    if let Node::Var(var) = arena.node(expr) {
        return Some(values.iter().find(|(hole, _)| hole == var).map_or(expr, |(_, value)| *value));
    }
    let children = arena.node(expr).children();
    let new: Option<Vec<Expr>> = children.iter().map(|&child| fill(arena, child, values)).collect();
    let new = new?;
    if new == children { Some(expr) } else { arena.with_children(expr, &new).ok() }
}

/// The expression with every call of a function made anew from its arguments.
pub fn map_calls(
    arena: &mut Arena,
    expr: Expr,
    fun: Fun,
    make: &mut impl FnMut(&mut Arena, Vec<Expr>) -> Option<Expr>,
) -> Option<Expr> {
    let children = arena.node(expr).children();
    let new: Option<Vec<Expr>> = children.iter().map(|&child| map_calls(arena, child, fun, make)).collect();
    let new = new?;
    match arena.node(expr) {
        Node::Call(called, _) if *called == fun => make(arena, new),
        _ if new == children => Some(expr),
        _ => arena.with_children(expr, &new).ok(),
    }
}

/// A formula in another arena, with these variables for its own; `None` if it is none, or too deep there.
pub fn transplant(to: &mut Arena, from: &Arena, expr: Expr, vars: &mut Vec<(Var, Var)>) -> Option<Expr> {
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
            let new = to.declare_var(from.var_name(*var), from.var_ty(*var));
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
