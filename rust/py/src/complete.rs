//! Complete wrapper selection: convert, run, wrap.

use pyo3::exceptions::PyBaseException;
use pyo3::prelude::*;
use treewright_core::distinct::{self as engine, Price, complete_by_folds};
use treewright_core::error::Error;

use crate::enumerate::ORDERS;
use crate::errors::to_py;
use crate::grow::{SearchData, choice, positions};
use crate::run::{self, Limits};
use crate::select::{before_the_first_tree, first_of};
use crate::tree::Tree;

/// What a complete search is after; the tolerance and the penalties in samples.
#[pyclass(frozen, new = "from_fields", module = "treewright._core")]
pub struct CompleteRules {
    order: String,
    memory_limit: usize,
    tolerance: f64,
    leaf_penalty: f64,
    feature_penalty: f64,
    max_features: Option<usize>,
    n_best: usize,
    counts_ties: bool,
}

impl CompleteRules {
    fn for_data(&self, data: &SearchData, price: Price) -> PyResult<engine::CompleteRules> {
        Ok(engine::CompleteRules {
            order: choice("order", &self.order, &ORDERS)?,
            cap: self.memory_limit,
            tolerance: price.value(data.counted(self.tolerance), 0),
            max_features: self.max_features.unwrap_or_else(|| data.dataset().n_features()),
            n_best: self.n_best,
            counts_ties: self.counts_ties,
            per_feature: data.per_feature(self.feature_penalty, price),
        })
    }
}

/// One of the best distinct trees.
#[pyclass(frozen, get_all, module = "treewright._core")]
pub struct BestTree {
    used_features: Vec<usize>,
    blocked_features: Vec<usize>,
    n_errors: f64,
    /// Errors, and leaves and features at their prices.
    cost: f64,
    /// The tree of every fold.
    trees: Vec<Py<Tree>>,
}

impl BestTree {
    fn of(py: Python<'_>, data: &SearchData, price: Price, best: engine::BestTree) -> PyResult<Py<Self>> {
        let trees = best.trees.into_iter().map(|inner| Py::new(py, Tree { inner }));
        let trees = trees.collect::<PyResult<_>>()?;
        let (used_features, blocked_features) = (positions(&best.used), positions(&best.blocked));
        let (n_errors, cost) = (data.told(best.errors), data.told_value(best.value, price));
        Py::new(py, BestTree { used_features, blocked_features, n_errors, cost, trees })
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

/// Search all feature subsets for the trees with the fewest validation errors, in one split of the rows or in
/// several folds together.
///
/// What a signal handler or the callback raises stops the search, and is told beside what was found.
#[pyfunction]
#[pyo3(signature = (folds, *, rules, limits=Limits::none(1)))]
pub fn complete_search(
    py: Python<'_>,
    folds: Vec<Py<SearchData>>,
    rules: &CompleteRules,
    limits: Limits,
) -> PyResult<CompleteOutcome> {
    let data = first_of(&folds)?;
    let price = data.price(rules.leaf_penalty, folds.len());
    let rules = rules.for_data(data, price)?;
    let (found, raised) = run::kept(py, &limits, |control| {
        let folds = folds.iter().map(|fold| Ok((fold.get().problem()?, fold.get().judging(price)?)));
        complete_by_folds(folds.collect::<Result<_, Error>>()?, &rules, control)
    });
    let found = found.map_err(to_py)?;
    let (status, bound, stats) = (found.status, found.bound, found.stats);
    let best = match found.found() {
        Ok(best) => best,
        Err(status) => return Err(raised.unwrap_or_else(|| before_the_first_tree(status))),
    };
    Ok(CompleteOutcome {
        best: best
            .trees
            .into_iter()
            .map(|tree| BestTree::of(py, data, price, tree))
            .collect::<PyResult<_>>()?,
        n_ties: best.n_ties,
        bound: data.told_value(bound.expect("what is found comes with its bound"), price),
        n_trees_built: stats.n_searched,
        status: status.name(),
        elapsed: stats.elapsed,
        raised: raised.map(|raised| raised.into_value(py)),
    })
}
