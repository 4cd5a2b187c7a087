//! Three lots of trees from disjoint seeds: to search with, to choose by, to report.

use crate::options::Options;
use treewright_core::control::Control;
use treewright_core::data::LinearNetwork;
use treewright_core::evolve::{
    Evolution, Evolved, Files, NAIVE, Objective, Plan, Problem, Source, TreePruning, Trees, score,
};
use treewright_core::program::Program;

/// Trees to choose by, and to report.
const N_VALIDATION: usize = 240;
const N_TEST: usize = 960;

/// Trees as a problem for programs.
pub struct Lot {
    pub problem: TreePruning,
    pub trees: Trees,
    pub largest: usize,
    n_test: f64,
}

impl Lot {
    fn new(trees: Trees) -> Result<Lot, String> {
        let grown = trees.source.trees(trees.n_trees, &Control::unlimited()).expect("nothing interrupts it");
        let problem = TreePruning::new(&grown).map_err(|error| error.to_string())?;
        let largest = grown.iter().map(|tree| tree.nodes.len()).max().unwrap_or(0);
        let n_test = grown.iter().map(|tree| tree.n_test).sum();
        Ok(Lot { problem, trees: trees.clone(), largest, n_test })
    }

    /// Test errors of a program on all trees; a tree that it does not prune costs more than all its rows.
    pub fn errors(&self, program: &Program) -> f64 {
        self.problem.shown(score(&self.problem, program).loss)
    }

    /// Errors in percent of the test rows.
    pub fn text(&self, errors: f64) -> String {
        format!("{:7.3}", 100.0 * errors / self.n_test)
    }
}

/// The three lots.
///
/// # Errors
/// No trees.
pub fn drawn(options: &Options) -> Result<[Lot; 3], String> {
    let lot = |number: u64, n_trees: usize| {
        let source = Source::Networks { networks: networks(options), seed: 3 * options.seed + number };
        Lot::new(Trees { source, n_trees })
    };
    Ok([lot(0, options.n_trees)?, lot(1, N_VALIDATION)?, lot(2, N_TEST)?])
}

/// What the rules of the books reach on the three lots: the report of an evolution that makes no program.
///
/// # Errors
/// Trees that cannot be stored.
pub fn books(lots: &[Lot; 3]) -> Result<Evolved, String> {
    let [train, validation, test] = lots.each_ref().map(|lot| lot.trees.clone());
    let evolution = Evolution {
        most_train: train.n_trees,
        train,
        validation,
        test,
        objective: Objective::Errors,
        start: vec![Program::parse(NAIVE).expect("the naive rule reads")],
        plan: Plan { budget: 0, ..Plan::default() },
    };
    let ended = evolution.run(&Files::default(), &Control::unlimited(), &mut |_| {});
    Ok(ended.map_err(|error| error.to_string())?.value.expect("nothing interrupts it"))
}

/// The sixty networks of a preset.
fn networks(options: &Options) -> Vec<LinearNetwork> {
    let sizes = [10, 11, 12].into_iter().flat_map(|n_inputs| (0..5).map(move |removed| (n_inputs, removed)));
    let each = sizes.flat_map(|(n_inputs, n_removed)| {
        options.shares.iter().map(move |&train_share| LinearNetwork { n_inputs, n_removed, train_share })
    });
    each.collect()
}
