//! Pruning: convert, run, wrap.

use crate::arrays::{Array, Vector};
use pyo3::prelude::*;
use treewright_core::control::Control;
use treewright_core::error::Error;
use treewright_core::evolve::prune_by;
use treewright_core::outcome::Outcome;
use treewright_core::prune as engine;
use treewright_core::prune::{
    ErrorLimit, Estimator, Grafting, Judge, Limit, Pruned, Rows, Slack, upper_quantile,
};

use crate::dataset::Dataset;
use crate::errors::{DataError, ParameterError, to_py, unfinished};
use crate::grow::{choice, unknown};
use crate::programs::Program;
use crate::run::{self, Limits};
use crate::tree::Tree;

const LIMITS: [(&str, Limit); 4] =
    [("c45", Limit::C45), ("weka", Limit::Weka), ("exact", Limit::Exact), ("wilson", Limit::Wilson)];

const KINDS: [&str; 6] = ["observed", "score", "error_based", "pessimistic", "per_leaf", "published"];

fn error_limit(limit: &str, confidence: f64) -> PyResult<ErrorLimit> {
    ErrorLimit::new(choice("limit", limit, &LIMITS)?, confidence).map_err(to_py)
}

/// An estimate of a leaf's error rate: its kind and the numbers that belong to it.
#[pyclass(frozen, eq, module = "treewright._core")]
#[derive(PartialEq)]
pub struct ErrorEstimate {
    kind: String,
    confidence: Option<f64>,
    z: Option<f64>,
    alpha: Option<f64>,
    limit: Option<String>,
    pub inner: Estimator,
}

#[pymethods]
impl ErrorEstimate {
    #[new]
    #[pyo3(signature = (kind, confidence=None, z=None, alpha=None, limit=None))]
    fn new(
        kind: String,
        confidence: Option<f64>,
        z: Option<f64>,
        alpha: Option<f64>,
        limit: Option<String>,
    ) -> PyResult<Self> {
        let inner = match &*kind {
            "observed" => Estimator::Observed,
            "score" => Estimator::Score { z: score_quantile(confidence, z)? },
            "error_based" => {
                let limit = limit.as_deref().unwrap_or("c45");
                Estimator::ErrorBased(error_limit(limit, given("confidence", confidence)?)?)
            }
            "pessimistic" => Estimator::Pessimistic,
            "per_leaf" => Estimator::PerLeaf { alpha: given("alpha", alpha)? },
            "published" => Estimator::Published,
            _ => return Err(unknown("kind", &kind, KINDS.into_iter())),
        };
        Ok(ErrorEstimate { kind, confidence, z, alpha, limit, inner })
    }

    /// Error rates of leaves that `n` rows reach, `c` of them of the leaf's class.
    fn rates<'py>(&self, py: Python<'py>, c: Vector<f64>, n: Vector<f64>) -> PyResult<Array<f64>> {
        elementwise(py, "n", &c, &n, |c, n| self.inner.rate(c, n))
    }

    #[allow(clippy::type_complexity)]
    fn __reduce__(
        slf: &Bound<'_, Self>,
    ) -> (Py<PyAny>, (String, Option<f64>, Option<f64>, Option<f64>, Option<String>)) {
        let this = slf.get();
        let arguments = (this.kind.clone(), this.confidence, this.z, this.alpha, this.limit.clone());
        (slf.get_type().into_any().unbind(), arguments)
    }
}

fn given(name: &str, value: Option<f64>) -> PyResult<f64> {
    let missing = (name.to_owned(), None::<f64>, "is missing", "this kind of estimate needs it");
    value.ok_or_else(|| ParameterError::new_err(missing))
}

/// The quantile itself, or that of a confidence.
fn score_quantile(confidence: Option<f64>, z: Option<f64>) -> PyResult<f64> {
    if let Some(z) = z {
        return Ok(z);
    }
    let confidence = given("confidence", confidence)?;
    error_limit("wilson", confidence)?;
    Ok(upper_quantile(confidence))
}

/// Errors expected of leaves beyond the `e` they made on `n` rows.
#[pyfunction]
pub fn extra_errors<'py>(
    py: Python<'py>,
    n: Vector<f64>,
    e: Vector<f64>,
    confidence: f64,
    limit: &str,
) -> PyResult<Array<f64>> {
    let limit = error_limit(limit, confidence)?;
    elementwise(py, "e", &n, &e, |n, e| limit.extra(n, e))
}

fn elementwise<'py>(
    py: Python<'py>,
    name: &str,
    first: &Vector<f64>,
    second: &Vector<f64>,
    of: impl Fn(f64, f64) -> f64 + Sync,
) -> PyResult<Array<f64>> {
    let (first, second) = (&first.0, &second.0);
    if first.len() != second.len() {
        let (what, expected, found) = (name.to_owned(), first.len(), second.len());
        return Err(to_py(Error::LengthMismatch { what, expected, found }));
    }
    let values = py.detach(|| first.iter().zip(second).map(|(&a, &b)| of(a, b)).collect());
    Ok(Array::new(values))
}

/// Prune by the error rate estimated for every node as a leaf; `judged` is the tree with the weights
/// to go by, where those are not its own.
#[pyfunction]
#[pyo3(signature = (tree, leaf_rates, *, slack_errors=0.0, slack_rate=0.0, judged=None))]
pub fn prune(
    py: Python<'_>,
    tree: &Tree,
    leaf_rates: Vector<f64>,
    slack_errors: f64,
    slack_rate: f64,
    judged: Option<&Tree>,
) -> PyResult<PrunedTree> {
    let rates = leaf_rates.0;
    let judged = judged.unwrap_or(tree);
    let slack = Slack { errors: slack_errors, rate: slack_rate };
    let control = Control::unlimited();
    let pruned = py.detach(|| engine::prune(&tree.inner, &judged.inner, &rates, slack, &control));
    outcome(py, pruned.map_err(to_py)?.value.expect("an unlimited control ends nothing"))
}

/// Prune by a program from a tree to the pruned tree and its estimate; `c` and `n` are the weights of the class
/// of every node, and its whole weight.
#[pyfunction]
#[pyo3(signature = (tree, program, c, n, *, max_steps=None, max_memory=None))]
pub fn prune_by_program(
    py: Python<'_>,
    tree: &Tree,
    program: &Program,
    c: Vector<f64>,
    n: Vector<f64>,
    max_steps: Option<u64>,
    max_memory: Option<usize>,
) -> PyResult<PrunedTree> {
    let (c, n) = (c.0, n.0);
    let pruned = py.detach(|| prune_by(&program.inner, &tree.inner, &c, &n, (max_steps, max_memory)));
    outcome(py, pruned.map_err(to_py)?)
}

/// Prune as C4.5 does, with the rows the tree was grown from.
#[pyfunction]
#[pyo3(signature = (tree, dataset, *, confidence, limit, grafting=true, class_weight=None, limits=Limits::none(1)))]
pub fn prune_grafting(
    py: Python<'_>,
    tree: &Tree,
    dataset: &Dataset,
    confidence: f64,
    limit: &str,
    grafting: bool,
    class_weight: Option<Vec<f64>>,
    limits: Limits,
) -> PyResult<PrunedTree> {
    let limit = error_limit(limit, confidence)?;
    let params = Grafting { limit, grafts: grafting };
    let pruned = with_rows(py, tree, dataset, class_weight, &limits, |tree, rows, control| {
        engine::prune_grafting(tree, rows, params, control)
    })?;
    outcome(py, pruned)
}

/// The same tree with weights, and unless told otherwise classes, counted from other rows.
#[pyfunction]
#[pyo3(signature = (tree, dataset, *, class_weight=None, keep_classes=false))]
pub fn refill(
    py: Python<'_>,
    tree: &Tree,
    dataset: &Dataset,
    class_weight: Option<Vec<f64>>,
    keep_classes: bool,
) -> PyResult<Tree> {
    let judge = if keep_classes { Judge::Test } else { Judge::Relabel };
    let inner = with_rows(py, tree, dataset, class_weight, &Limits::none(1), |tree, rows, control| {
        engine::refill(tree, rows, judge, control)
    })?;
    Ok(Tree { inner })
}

/// Leads the rows of a data set into a tree, in the gateway.
fn with_rows<T: Send>(
    py: Python<'_>,
    tree: &Tree,
    dataset: &Dataset,
    class_weight: Option<Vec<f64>>,
    limits: &Limits,
    work: impl FnOnce(&treewright_core::tree::Tree, &Rows, &Control) -> Result<Outcome<Option<T>>, Error> + Send,
) -> PyResult<T> {
    let (tree, data) = (&tree.inner, &dataset.inner);
    if let Some(factors) = class_weight.as_ref().filter(|factors| factors.len() != tree.n_classes()) {
        let (expected, found) = (tree.n_classes(), factors.len());
        return Err(DataError::new_err(
            Error::LengthMismatch { what: "class_weight".to_owned(), expected, found }.to_string(),
        ));
    }
    let done = run::detached(py, limits, |control| {
        let rows = Rows::new(tree, data, class_weight.as_deref())?;
        work(tree, &rows, control)
    })?;
    let meaning = ", and a tree that is pruned in part is of no use; allow more time";
    done.map_err(to_py)?.found().map_err(|status| unfinished("pruning ended early", status, meaning))
}

/// What became of a tree: the new tree, the old node of each of its nodes; and of every old node its
/// estimates as a leaf, with what is below it, with its largest branch in its place, and what became of it.
#[pyclass(frozen, get_all, module = "treewright._core")]
pub struct PrunedTree {
    tree: Py<Tree>,
    origin: Py<PyAny>,
    leaf: Py<PyAny>,
    subtree: Py<PyAny>,
    branch: Py<PyAny>,
    action: Py<PyAny>,
}

fn outcome(py: Python<'_>, pruned: Pruned) -> PyResult<PrunedTree> {
    let origin = pruned.origin.iter().map(|&node| i64::from(node)).collect();
    let action = pruned.action.iter().map(|&action| action as u8).collect();
    Ok(PrunedTree {
        tree: Py::new(py, Tree { inner: pruned.tree })?,
        origin: Array::<i64>::new(origin).held(py)?,
        leaf: Array::new(pruned.leaf).held(py)?,
        subtree: Array::new(pruned.subtree).held(py)?,
        branch: Array::new(pruned.branch).held(py)?,
        action: Array::<u8>::new(action).held(py)?,
    })
}
