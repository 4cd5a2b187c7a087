//! Evolutions small enough for tests, and random rules.

// Every test file takes what it needs.
#![allow(dead_code)]

use treewright_core::control::Control;
use treewright_core::data::LinearNetwork;
use treewright_core::evolve::*;
use treewright_core::program::{Program, Ty, Vocabulary};
use treewright_core::random::Random;

pub fn networks() -> Vec<LinearNetwork> {
    let each = [(8, 0), (9, 2), (8, 2), (9, 0)];
    let network = |(n_inputs, n_removed)| LinearNetwork { n_inputs, n_removed, train_share: 0.3 };
    each.map(network).to_vec()
}

pub fn source(seed: u64) -> Source {
    Source::Networks { networks: networks(), seed }
}

pub fn corpus(seed: u64, n_trees: usize) -> Corpus {
    source(seed).corpus(n_trees, &Control::unlimited()).unwrap().unwrap()
}

pub fn rule(formula: &str) -> Program {
    Program::parse(&format!("fun estimate(c: float, n: float): float = {formula}\n")).unwrap()
}

/// A random formula of c and n, with `let` or not.
pub fn random_rule(random: &mut Random, size: usize, values: bool) -> Program {
    let mut draft = Draft::open(&rule("n - c"));
    let scope = draft.arena.in_scope(&[], &draft.definition, &[]);
    let vocabulary = Vocabulary { values, ..Vocabulary::scalar() };
    let body = draft.arena.generate(Ty::FLOAT, size, &scope, &vocabulary, random).unwrap();
    draft.put(&[], body).unwrap();
    draft.close().unwrap()
}

pub fn evolution(seed: u64, budget: u64, objective: Objective) -> Evolution {
    Evolution {
        train: Trees { source: source(10), n_trees: 40 },
        most_train: 160,
        validation: Trees { source: source(11), n_trees: 60 },
        test: Trees { source: source(12), n_trees: 60 },
        objective,
        start: vec![Program::parse(NAIVE).unwrap()],
        plan: Plan { seed, budget, patience: None, most_bits: 240.0 },
    }
}

pub fn found(evolution: &Evolution, files: &Files, n_threads: usize) -> Evolved {
    let control = Control::unlimited().threads(n_threads);
    control.in_pool(|| evolution.run(files, &control)).unwrap().unwrap()
}
