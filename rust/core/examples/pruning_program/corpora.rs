//! Three lots of trees from disjoint seeds: to search with, to choose by, to report.

use crate::options::Options;
use treewright_core::control::Control;
use treewright_core::data::LinearNetwork;
use treewright_core::evolve::{Bench, Corpus, GrownTree, Judge, Objective, Source, TreePruning, rivals};
use treewright_core::program::Program;

/// Trees to choose by, and to report.
const N_VALIDATION: usize = 240;
const N_TEST: usize = 960;

/// Trees as a problem for programs, and in columns for the rules of the books.
pub struct Lot {
    pub problem: TreePruning,
    pub judge: Judge,
    pub n_nodes: usize,
    pub largest: usize,
    n_test: f64,
}

impl Lot {
    fn new(trees: &[GrownTree]) -> Result<Lot, String> {
        let corpus = Corpus::new(trees, trees.len()).map_err(|error| error.to_string())?;
        Ok(Lot {
            problem: TreePruning::new(trees).map_err(|error| error.to_string())?,
            n_nodes: corpus.n_nodes(),
            largest: trees.iter().map(|tree| tree.nodes.len()).max().unwrap_or(0),
            n_test: corpus.n_test().iter().sum(),
            judge: Judge::new(corpus, Objective::Errors, &rivals()),
        })
    }

    /// Test errors of a program on all trees; `None` if it does not prune every one.
    pub fn errors(&self, program: &Program) -> Option<f64> {
        let (code, mut bench) = (program.compile(), Bench::new(&self.problem));
        let n_words = bench.heap.n_words();
        (0..self.problem.inputs.words.len()).try_fold(0.0, |sum, k| {
            let Bench { machine, heap } = &mut bench;
            let run =
                machine.run(&code, heap, &self.problem.inputs.words[k], &self.problem.inputs.limits).ok()?;
            let errors = self.problem.errors(k, heap, run.value)?;
            heap.truncate(n_words);
            Some(sum + errors)
        })
    }

    /// Test errors of a rule of the books.
    pub fn rival(&self, k: usize) -> f64 {
        self.judge.rivals()[k].iter().sum()
    }

    /// Errors in percent of the test rows.
    pub fn text(&self, errors: Option<f64>) -> String {
        match errors {
            Some(errors) => format!("{:7.3}", 100.0 * errors / self.n_test),
            None => "   none".to_owned(),
        }
    }
}

/// The three lots.
///
/// # Errors
/// No trees.
pub fn drawn(options: &Options) -> Result<[Lot; 3], String> {
    let lot = |number: u64, n_trees: usize| {
        let source = Source::Networks { networks: networks(options), seed: 3 * options.seed + number };
        let trees = source.trees(n_trees, &Control::unlimited()).expect("nothing interrupts it");
        Lot::new(&trees)
    };
    Ok([lot(0, options.n_trees)?, lot(1, N_VALIDATION)?, lot(2, N_TEST)?])
}

/// The sixty networks of a preset.
fn networks(options: &Options) -> Vec<LinearNetwork> {
    let sizes = [10, 11, 12].into_iter().flat_map(|n_inputs| (0..5).map(move |removed| (n_inputs, removed)));
    let each = sizes.flat_map(|(n_inputs, n_removed)| {
        options.shares.iter().map(move |&train_share| LinearNetwork { n_inputs, n_removed, train_share })
    });
    each.collect()
}
