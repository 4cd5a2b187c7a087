//! Syntactic complexity in bits.
//!
//! A node costs log2 of the number of symbols that could stand at its place: variables in scope of
//! its type, functions in scope and primitives of the vocabulary with that result, constructors of
//! that type (true and false for bool, one for a tuple), `case` once for every type it may be on,
//! `let val` and `let fun`. The kind of a node is its type. A number costs twice what a variable would.
//! At least two symbols are assumed, so no node is free. In its own body a function counts only if it
//! could call itself there: a float or a truth value has no parts to descend to.
//!
//! # Source
//! The measure that the paper on pruning quotes: a sum over nodes of the logarithm of the symbols in
//! scope, real constants counted twice.

use std::collections::HashMap;

use super::arena::Arena;
use super::closed::{Definition, Program};
use super::node::{Expr, Fun, Node};
use super::types::Ty;
use super::vocabulary::Vocabulary;

impl Program {
    /// Complexity of the main function; library functions only widen the choice.
    pub fn bits(&self, vocabulary: &Vocabulary) -> f64 {
        let (library, main) = self.definitions().split_at(self.definitions().len() - 1);
        let library: Vec<Fun> = library.iter().map(|definition| definition.fun).collect();
        self.arena().bits(&library, &main[0], vocabulary)
    }
}

impl Arena {
    /// Complexity of a function's body, with these other functions in scope.
    pub fn bits(&self, library: &[Fun], definition: &Definition, vocabulary: &Vocabulary) -> f64 {
        let mut count = Count { arena: self, vocabulary, in_scope: HashMap::new() };
        library.iter().for_each(|&fun| count.change(self.signature(fun).1, 1));
        count.change_by_own(definition.fun, 1);
        definition.params.iter().for_each(|&param| count.change(self.var_ty(param), 1));
        count.bits(definition.body)
    }
}

struct Count<'a> {
    arena: &'a Arena,
    vocabulary: &'a Vocabulary,
    /// Variables of each type and functions with that result.
    in_scope: HashMap<Ty, usize>,
}

impl Count<'_> {
    fn change(&mut self, ty: Ty, by: isize) {
        let n = self.in_scope.entry(ty).or_insert(0);
        *n = n.checked_add_signed(by).expect("what leaves the scope has entered it");
    }

    /// A function in scope in its own body.
    fn change_by_own(&mut self, fun: Fun, by: isize) {
        let (params, result) = self.arena.signature(fun);
        if params.iter().any(|&ty| ty != Ty::FLOAT && ty != Ty::BOOL) {
            self.change(result, by);
        }
    }

    fn symbol(&self, ty: Ty) -> f64 {
        let n = self.in_scope.get(&ty).copied().unwrap_or(0) + self.vocabulary.n_symbols(ty);
        libm::log2(n.max(2) as f64)
    }

    /// What a node brings into scope for its `k`-th child, or takes out again.
    fn enter(&mut self, node: &Node, k: usize, by: isize) {
        let arena = self.arena;
        node.binds(k).for_each(|var| self.change(arena.var_ty(var), by));
        match node {
            Node::LetFun { fun, .. } if k == 0 => self.change_by_own(*fun, by),
            Node::LetFun { fun, .. } => self.change(arena.signature(*fun).1, by),
            _ => {}
        }
    }

    fn bits(&mut self, expr: Expr) -> f64 {
        let arena = self.arena;
        let node = arena.node(expr);
        let symbol = self.symbol(arena.ty(expr));
        let mut bits = match node {
            Node::Float(_) | Node::Int(_) => 2.0 * symbol,
            _ => symbol,
        };
        for (k, child) in node.children().into_iter().enumerate() {
            self.enter(node, k, 1);
            bits += self.bits(child);
            self.enter(node, k, -1);
        }
        bits
    }
}
