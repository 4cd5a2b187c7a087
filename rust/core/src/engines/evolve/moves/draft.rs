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

    /// A place at or below the focus, each as likely.
    pub fn pick_any(&self, random: &mut Random) -> Option<(Path, Expr)> {
        self.pick(random, |_, _| true)
    }

    /// Puts an expression at a place.
    pub fn put(&mut self, path: &[u32], new: Expr) -> Option<()> {
        self.main.body = self.arena.replace(self.main.body, path, new).ok()?;
        Some(())
    }

    /// The same, and the focus goes there, or further down.
    pub fn put_focused(&mut self, mut path: Path, new: Expr, down: &[u32]) -> Option<()> {
        self.put(&path, new)?;
        path.extend_from_slice(down);
        self.focus = path;
        Some(())
    }

    /// The same for an expression with holes, which are filled; `None` where it is the old one then.
    pub fn put_filled(&mut self, path: Path, old: Expr, new: Expr, holes: &[(Var, Expr)]) -> Option<()> {
        let new = self.arena.put(new, holes).ok()?;
        if new == old { None } else { self.put_focused(path, new, &[]) }
    }

    /// Parts of an expression that make sense outside of it, itself the first, with the ways to them.
    pub fn closed_parts(&self, expr: Expr) -> Vec<(Path, Expr)> {
        let (free, funs) = (self.arena.free_vars(expr), self.arena.free_funs(expr));
        let mut parts = self.arena.places(expr);
        parts.retain(|&(_, part)| {
            self.arena.free_vars(part).is_subset(&free) && self.arena.free_funs(part).is_subset(&funs)
        });
        parts
    }

    /// A part of an expression in place of the whole, which is at this place.
    pub fn hoist(&mut self, path: &[u32], whole: Expr, random: &mut Random) -> Option<()> {
        let ty = self.arena.ty(whole);
        let mut below = self.arena.places(whole);
        below.retain(|(down, part)| !down.is_empty() && self.arena.ty(*part) == ty);
        let (_, part) = *any(&below, random)?;
        self.put(path, part)
    }

    /// A random expression of at most this size for a place.
    pub fn generate(
        &mut self,
        ty: Ty,
        size: usize,
        path: &[u32],
        vocabulary: &Vocabulary,
        random: &mut Random,
    ) -> Option<Expr> {
        let scope = self.scope_at(path);
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
