//! Complete wrapper selection: convert, run, wrap.

use crate::arrays::Vector;
use pyo3::exceptions::PyBaseException;
use pyo3::prelude::*;
use treewright_core::distinct::{self as engine, Order, complete};
use treewright_core::error::Error;
use treewright_core::units::Fine;

use crate::dataset::Dataset;
use crate::enumerate::{DEFAULT_CAP, ORDERS};
use crate::errors::to_py;
use crate::grow::{GrowthParameters, choice, positions, searched};
use crate::run::{self, Limits};
use crate::select::before_the_first_tree;
use crate::tree::Tree;

/// What a complete search is after; the tolerance in samples.
#[pyclass(frozen, module = "treewright._core")]
pub struct CompleteRules {
    order: Order,
    memory_limit: Option<usize>,
    tolerance: f64,
    max_features: Option<usize>,
    n_best: usize,
    counts_ties: bool,
}

#[pymethods]
impl CompleteRules {
    #[new]
    #[pyo3(signature = (*, order="frontier", memory_limit=None, tolerance=0.0, max_features=None, n_best=1,
                        counts_ties=false))]
    fn new(
        order: &str,
        memory_limit: Option<usize>,
        tolerance: f64,
        max_features: Option<usize>,
        n_best: usize,
        counts_ties: bool,
    ) -> PyResult<Self> {
        let order = choice("order", order, &ORDERS)?;
        Ok(CompleteRules { order, memory_limit, tolerance, max_features, n_best, counts_ties })
    }
}

impl CompleteRules {
    fn for_features(&self, n_features: usize) -> engine::CompleteRules {
        engine::CompleteRules {
            order: self.order,
            cap: self.memory_limit.unwrap_or(DEFAULT_CAP),
            tolerance: Fine::rounded(self.tolerance).0,
            max_features: self.max_features.unwrap_or(n_features),
            n_best: self.n_best,
            counts_ties: self.counts_ties,
        }
    }
}

/// One of the best distinct trees.
#[pyclass(frozen, get_all, module = "treewright._core")]
pub struct BestTree {
    used_features: Vec<usize>,
    blocked_features: Vec<usize>,
    n_errors: f64,
    tree: Py<Tree>,
}

impl BestTree {
    fn of(py: Python<'_>, best: engine::BestTree) -> PyResult<Py<Self>> {
        let tree = Py::new(py, Tree { inner: best.tree })?;
        let (used_features, blocked_features) = (positions(&best.used), positions(&best.blocked));
        let n_errors = Fine(best.errors).weight();
        Py::new(py, BestTree { used_features, blocked_features, n_errors, tree })
    }
}

/// The best distinct trees, what is proven of them, and why the search ended.
#[pyclass(frozen, get_all, module = "treewright._core")]
pub struct CompleteOutcome {
    best: Vec<Py<BestTree>>,
    n_ties: Option<u64>,
    bound: f64,
    n_trees_built: u64,
    status: &'static str,
    elapsed: f64,
    /// What a signal handler or the callback raised, which stopped the search.
    raised: Option<Py<PyBaseException>>,
}

/// Search all feature subsets for the trees with the fewest validation errors.
///
/// What a signal handler or the callback raises stops the search, and is told beside what was found.
#[pyfunction]
#[pyo3(signature = (dataset, training, validation, *, growth, rules, n_threads=1, time_limit=None,
                    callback=None))]
pub fn complete_search(
    py: Python<'_>,
    dataset: &Dataset,
    training: Vector<i64>,
    validation: Vector<i64>,
    growth: &GrowthParameters,
    rules: &CompleteRules,
    n_threads: usize,
    time_limit: Option<f64>,
    callback: Option<Py<PyAny>>,
) -> PyResult<CompleteOutcome> {
    let (params, data) = (growth.for_search()?, &dataset.inner);
    let rules = rules.for_features(data.n_features());
    let limits = Limits { n_threads, time_limit, callback };
    let (found, raised) = run::kept(py, &limits, |control| -> Result<_, Error> {
        let (problem, validation) = searched(data, &training.0, &validation.0, &params)?;
        complete(problem, validation, &rules, control)
    });
    let found = found.map_err(to_py)?;
    let (status, bound, stats) = (found.status, found.bound, found.stats);
    let best = match found.found() {
        Ok(best) => best,
        Err(status) => return Err(raised.unwrap_or_else(|| before_the_first_tree(status))),
    };
    Ok(CompleteOutcome {
        best: best.trees.into_iter().map(|tree| BestTree::of(py, tree)).collect::<PyResult<_>>()?,
        n_ties: best.n_ties,
        bound: Fine(bound.expect("what is found comes with its bound")).weight(),
        n_trees_built: stats.n_searched,
        status: status.name(),
        elapsed: stats.elapsed,
        raised: raised.map(|raised| raised.into_value(py)),
    })
}
