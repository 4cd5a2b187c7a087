//! Unit tests, for what judges rules is private: the quick ways of judging against the plain ones, moves that
//! keep every value, poles, the rules that are shown, populations that begin apart.

mod beginnings;
mod front;
mod judging;
mod poles;

use crate::common::evolving::{rule, source};

use crate::base::control::Control;
use crate::base::random::Random;
use crate::engines::evolve::corpus::Corpus;
use crate::engines::evolve::moves::Draft;
use crate::model::program::{Program, Ty, Vocabulary};

fn corpus(seed: u64, n_trees: usize) -> Corpus {
    let source = source(seed);
    let trees = source.trees(n_trees, &Control::unlimited()).unwrap();
    Corpus::new(&trees, n_trees.div_ceil(8)).unwrap()
}

/// A random formula of c and n, with `let` or not.
fn random_rule(random: &mut Random, size: usize, values: bool) -> Program {
    let mut draft = Draft::open(&rule("n - c"));
    let scope = draft.arena.in_scope(&[], &draft.main, &[]);
    let vocabulary = Vocabulary { values, ..Vocabulary::scalar() };
    let body = draft.arena.generate(Ty::FLOAT, size, &scope, &vocabulary, random).unwrap();
    draft.put(&[], body).unwrap();
    draft.close().unwrap()
}
