//! Evolutions small enough for tests.

use std::ops::Deref;
use std::path::{Path, PathBuf};

use treewright_core::control::Control;
use treewright_core::data::LinearNetwork;
use treewright_core::error::Error;
use treewright_core::evolve::{Evolution, Evolved, Files, NAIVE, Objective, Plan, Source, Trees};
use treewright_core::outcome::{Outcome, Status};
use treewright_core::program::Program;

pub fn networks() -> Vec<LinearNetwork> {
    let each = [(8, 0), (9, 2), (8, 2), (9, 0)];
    let network = |(n_inputs, n_removed)| LinearNetwork { n_inputs, n_removed, train_share: 0.3 };
    each.map(network).to_vec()
}

pub fn source(seed: u64) -> Source {
    Source::Networks { networks: networks(), seed }
}

pub fn rule(formula: &str) -> Program {
    Program::parse(&format!("fun estimate(c: float, n: float): float = {formula}\n")).unwrap()
}

pub fn evolution(seed: u64, budget: u64, objective: Objective) -> Evolution {
    Evolution {
        train: Trees { source: source(10), n_trees: 40 },
        most_train: 160,
        validation: Trees { source: source(11), n_trees: 60 },
        test: Trees { source: source(12), n_trees: 60 },
        objective,
        start: vec![Program::parse(NAIVE).unwrap()],
        plan: Plan { seed, budget, most_bits: 240.0, ..Plan::default() },
    }
}

/// What an evolution came to, seconds apart.
#[derive(Debug, PartialEq)]
pub struct Found {
    pub evolved: Evolved,
    pub status: Status,
    pub n_programs: u64,
}

impl Deref for Found {
    type Target = Evolved;

    fn deref(&self) -> &Evolved {
        &self.evolved
    }
}

pub fn found(evolution: &Evolution, files: &Files, n_threads: usize) -> Found {
    let control = Control::unlimited().threads(n_threads);
    let outcome = control.in_pool(|| evolution.run(files, &control, &mut |_| {})).unwrap();
    let Outcome { value, status, stats, .. } = outcome;
    Found { evolved: value.unwrap(), status, n_programs: stats.n_searched }
}

/// The error of an evolution that cannot begin.
pub fn refused(evolution: &Evolution, files: &Files) -> Error {
    evolution.run(files, &Control::unlimited(), &mut |_| {}).unwrap_err()
}

/// A file that is written, and gone on from.
pub fn stored(path: &Path, resume: bool) -> Files {
    Files { checkpoint: Some(path.to_owned()), resume, ..Files::default() }
}

/// A folder of its own for the files of a test.
pub fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("treewright-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}
