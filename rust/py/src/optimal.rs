//! Optimal trees: convert, run, wrap.

use std::time::Duration;

use pyo3::exceptions::PyBaseException;
use pyo3::prelude::*;
use treewright_core::error::Error;
use treewright_core::optimal::{
    Found, Instructions, Journal, NominalTests, Params, optimal_tree, optimal_tree_kept,
};
use treewright_core::outcome::{Outcome, Stats};

use crate::dataset::Dataset;
use crate::errors::to_py;
use crate::grow::choice;
use crate::run::{self, Limits};
use crate::tree::Tree;
use crate::tree_facts::{Smoothed, answers};

const NOMINAL_SPLITS: [(&str, NominalTests); 3] = [
    ("one_value", NominalTests::OneValue),
    ("groups", NominalTests::Groups),
    ("multiway", NominalTests::Multiway),
];

/// What is asked for. The penalty of a leaf is a fraction of whole numbers, in mean rows; `ordered` tells of every feature
/// whether its values have an order.
#[pyclass(frozen, new = "from_fields", module = "treewright._core")]
pub struct OptimalTask {
    max_depth: u32,
    leaf_penalty: (u64, u64),
    fewest_leaves: bool,
    max_leaf_nodes: Option<u32>,
    min_samples_leaf: f64,
    nominal_splits: String,
    ordered: Vec<bool>,
    class_weight: Option<Vec<f64>>,
    cost_matrix: Option<Vec<Vec<f64>>>,
    probability: String,
    smoothing: Option<Smoothed>,
    node_limit: Option<u64>,
    memory_limit: Option<u64>,
}

impl OptimalTask {
    fn of_engine(&self) -> PyResult<Params> {
        Ok(Params {
            max_depth: self.max_depth,
            leaf_penalty: self.leaf_penalty,
            fewest_leaves: self.fewest_leaves,
            max_leaf_nodes: self.max_leaf_nodes,
            min_samples_leaf: self.min_samples_leaf,
            nominal_tests: choice("nominal_splits", &self.nominal_splits, &NOMINAL_SPLITS)?,
            ordered: self.ordered.clone(),
            class_weight: self.class_weight.clone(),
            answers: answers(self.cost_matrix.clone(), &self.probability, self.smoothing.clone())?,
            node_limit: self.node_limit,
            memory_limit: self.memory_limit,
        })
    }
}

/// The best tree that was found, and what is proven of its cost.
#[pyclass(frozen, get_all, module = "treewright._core")]
pub struct OptimalFound {
    tree: Py<Tree>,
    /// What wrong answers cost.
    loss: f64,
    /// What wrong answers and leaves cost together.
    cost: f64,
    bound: f64,
    status: &'static str,
    n_searched: u64,
    elapsed: f64,
    /// What the kernels were compiled for.
    instructions: &'static str,
    /// The mean weight of a row, as a fraction of whole numbers: the unit of the price of a leaf.
    mean_weight: (u128, u128),
    /// Where the search stood in the end, if it has a journal.
    entry: Option<String>,
    /// What a signal handler or the callback raised, which stopped the search.
    raised: Option<Py<PyBaseException>>,
}

/// The tree of least cost of all trees of at most some depth.
///
/// What a signal handler or the callback raises stops the search, and is told beside what was found. With `keep` the
/// search has a journal: it gets an entry about every so many seconds, between rounds. `last` is the entry to go on
/// from, and the name of its file.
#[pyfunction(name = "optimal_tree")]
#[pyo3(signature = (dataset, *, task, keep=None, seconds=10.0, last=None, limits=Limits::none(1)))]
pub fn find_optimal_tree(
    py: Python<'_>,
    dataset: &Dataset,
    task: &OptimalTask,
    keep: Option<Py<PyAny>>,
    seconds: f64,
    last: Option<(String, String)>,
    limits: Limits,
) -> PyResult<OptimalFound> {
    let (data, params) = (&dataset.inner, task.of_engine()?);
    let serve = |py: Python<'_>, entry: String| match &keep {
        Some(keep) => keep.call1(py, (entry,)).map(drop),
        None => Ok(()),
    };
    let (found, raised) = run::kept_and_served(py, &limits, serve, |control, ask| -> Result<_, Error> {
        let begun = control.elapsed();
        if keep.is_none() {
            return Ok((optimal_tree(data, &params, control)?, begun));
        }
        let mut hand_out = |entry| {
            ask(entry);
        };
        let journal = Journal {
            last: last.as_ref().map(|(entry, place)| (&entry[..], &place[..])),
            every: Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX),
            keep: &mut hand_out,
        };
        Ok((optimal_tree_kept(data, &params, journal, control)?, begun))
    });
    let (Outcome { value, status, bound, stats }, begun) = found.map_err(to_py)?;
    let Found { tree, loss, cost, instructions, mean_weight, entry, .. } = value;
    let Stats { n_searched, elapsed } = stats;
    Ok(OptimalFound {
        tree: Py::new(py, Tree { inner: tree })?,
        loss,
        cost,
        bound: bound.expect("a tree comes with a bound"),
        status: status.name(),
        n_searched,
        elapsed: elapsed - begun,
        instructions,
        mean_weight,
        entry,
        raised: raised.map(|raised| raised.into_value(py)),
    })
}

/// The instruction set that the search for optimal trees uses on this machine.
#[pyfunction]
pub fn instruction_set() -> &'static str {
    Instructions::best().name()
}
