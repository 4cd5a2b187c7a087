//! Fixed-depth trees under naive Bayes: convert, run, wrap.

use crate::arrays::{Array, Matrix};
use pyo3::exceptions::PyBaseException;
use pyo3::prelude::*;
use treewright_core::data::{Counted, GivenWeights, RawColumn};
use treewright_core::error::Error;
use treewright_core::fixed_depth::{self, CodedRows, Found, Method, OptFeatureList, Prior, Reach, Task};
use treewright_core::outcome::{Outcome, Stats, Status};
use treewright_core::tree::{Answers, Routing};

use crate::dataset::Dataset;
use crate::errors::{to_py, unfinished};
use crate::grow::choice;
use crate::run::{self, Limits};
use crate::tree::Tree;

const SOLVERS: [(&str, Method); 5] = [
    ("auto", Method::Bounded),
    ("bounded", Method::Bounded),
    ("sets", Method::Sets),
    ("feature_list", Method::FeatureList),
    ("exhaustive", Method::Exhaustive),
];
const UNSEEN: [(&str, Routing); 2] = [("stop", Routing::Stop), ("skip", Routing::Distribute)];

/// What is asked for. Costs are one whole number a feature, `budget` what those of a path may be together.
#[pyclass(frozen, new = "from_fields", module = "treewright._core")]
pub struct FixedDepthTask {
    depth: usize,
    class_prior: f64,
    value_prior: f64,
    solver: String,
    costs: Option<Vec<u64>>,
    budget: u64,
    trims: bool,
    unseen: String,
    /// What wrong answers cost, by true and predicted class.
    cost_matrix: Option<Vec<Vec<f64>>>,
    /// The factor of every class in the weights.
    class_weight: Option<Vec<f64>>,
}

impl FixedDepthTask {
    fn of_engine(&self, n_classes: usize) -> PyResult<(Task, Prior)> {
        let answers = Answers { cost_matrix: self.cost_matrix.clone(), ..Answers::default() };
        let costs = self.costs.as_ref().map(|costs| (costs.clone(), self.budget));
        let task = Task {
            reach: Reach { depth: self.depth, costs },
            method: choice("solver", &self.solver, &SOLVERS)?,
            trims: self.trims,
            routing: choice("unseen", &self.unseen, &UNSEEN)?,
            decision: answers.by_cost(n_classes).map_err(to_py)?.unwrap_or_default(),
        };
        Ok((task, Prior { class: self.class_prior, value: self.value_prior }))
    }
}

/// The best tree that was found, and what is proven of its expected cost.
#[pyclass(frozen, get_all, module = "treewright._core")]
pub struct FixedDepthFound {
    tree: Py<Tree>,
    expected_accuracy: f64,
    expected_cost: f64,
    bound: f64,
    status: &'static str,
    n_searched: u64,
    elapsed: f64,
    /// Rows of positive weight that weigh next to nothing beside the others, and leave.
    n_lost: usize,
    /// What a signal handler or the callback raised, which stopped the search.
    raised: Option<Py<PyBaseException>>,
}

/// The opt-feature list of two classes, and the model behind it.
#[pyclass(frozen, get_all, module = "treewright._core")]
pub struct FeatureRanking {
    /// Left ends of the intervals.
    starts: Py<PyAny>,
    /// The ranked features of each interval, and their lines at x = 0 and 1.
    features: Py<PyAny>,
    at0: Py<PyAny>,
    at1: Py<PyAny>,
    /// P(class), and P(value | class) of every value of every feature.
    classes: Py<PyAny>,
    likelihoods: Py<PyAny>,
}

/// The best tree of a fixed depth.
///
/// What a signal handler or the callback raises stops the search, and is told beside what was found.
#[pyfunction]
#[pyo3(signature = (dataset, *, task, limits=Limits::none(1)))]
pub fn fixed_depth_tree(
    py: Python<'_>,
    dataset: &Dataset,
    task: &FixedDepthTask,
    limits: Limits,
) -> PyResult<FixedDepthFound> {
    let data = &dataset.inner;
    let (factors, (task, prior)) = (task.class_weight.clone(), task.of_engine(data.n_classes())?);
    let (found, raised) = run::kept(py, &limits, |control| -> Result<_, Error> {
        let rows = CodedRows::new(data)?;
        let given = counted(data.weights(), factors.as_deref(), &rows)?;
        let begun = control.elapsed();
        let model = rows.model(&given.weights, prior);
        let found = fixed_depth::solve(&model, data.schema(), &task, control)?;
        Ok((found, begun, given.n_lost))
    });
    let (Outcome { value, status, bound, stats }, begun, n_lost) = found.map_err(to_py)?;
    let Some(found) = value else {
        return Err(raised.unwrap_or_else(|| too_early(status)));
    };
    let stats = Stats { elapsed: stats.elapsed - begun, ..stats };
    answer(py, Outcome { value: found, status, bound, stats }, n_lost, raised)
}

/// The best trees for many weightings, one row of `weights` each, and one of the factors of classes.
#[pyfunction]
#[pyo3(signature = (dataset, weights, class_weights=None, *, task, limits=Limits::none(1)))]
pub fn fixed_depth_trees(
    py: Python<'_>,
    dataset: &Dataset,
    weights: Matrix<f64>,
    class_weights: Option<Matrix<f64>>,
    task: &FixedDepthTask,
    limits: Limits,
) -> PyResult<Vec<FixedDepthFound>> {
    let data = &dataset.inner;
    let (task, prior) = task.of_engine(data.n_classes())?;
    let mut factors = class_weights.iter().flat_map(|all| all.rows().map(|row| row.to_vec()));
    let given: Vec<_> = weights.rows().map(|row| (row.to_vec(), factors.next())).collect();
    let found = run::detached(py, &limits, |control| -> Result<_, Error> {
        let rows = CodedRows::new(data)?;
        let (mut weightings, mut n_lost) = (Vec::new(), Vec::new());
        for (raw, factors) in &given {
            let Counted { weights, n_lost: lost, .. } = counted(Some(raw), factors.as_deref(), &rows)?;
            weightings.push(weights);
            n_lost.push(lost);
        }
        let columns: Vec<RawColumn> = data.columns().iter().map(|column| column.to_raw()).collect();
        let found =
            fixed_depth::fit_many(&rows, &columns, data.schema(), &weightings, prior, &task, control)?;
        Ok((found, n_lost))
    })?;
    let (found, n_lost) = found.map_err(to_py)?;
    let found = found.found().map_err(too_early)?;
    found.into_iter().zip(n_lost).map(|(found, n_lost)| answer(py, found, n_lost, None)).collect()
}

/// The opt-feature list of two classes, and the model behind it: left ends of the intervals; per interval
/// the ranked features and their lines at x = 0 and 1; P(value | class) of every value of every feature.
#[pyfunction]
#[pyo3(signature = (dataset, *, width, class_prior, value_prior, class_weight=None))]
pub fn opt_feature_list(
    py: Python<'_>,
    dataset: &Dataset,
    width: usize,
    class_prior: f64,
    value_prior: f64,
    class_weight: Option<Vec<f64>>,
) -> PyResult<FeatureRanking> {
    let data = &dataset.inner;
    let found = run::detached(py, &Limits::none(1), |_| -> Result<_, Error> {
        let rows = CodedRows::new(data)?;
        let weights = counted(data.weights(), class_weight.as_deref(), &rows)?.weights;
        let model = rows.model(&weights, Prior { class: class_prior, value: value_prior });
        Ok((OptFeatureList::of_model(&model, width)?, model))
    })?;
    let (list, model) = found.map_err(to_py)?;
    let entries = || (0..list.starts().len()).flat_map(|interval| list.ranked(interval));
    let width = list.width();
    let likelihoods = (0..model.n_values()).flat_map(|value| model.likelihood(value).to_vec()).collect();
    Ok(FeatureRanking {
        starts: Array::new(list.starts().to_vec()).held(py)?,
        features: Array::matrix(entries().map(|entry| entry.feature).collect(), width).held(py)?,
        at0: Array::matrix(entries().map(|entry| entry.at0).collect(), width).held(py)?,
        at1: Array::matrix(entries().map(|entry| entry.at1).collect(), width).held(py)?,
        classes: Array::new(model.classes().to_vec()).held(py)?,
        likelihoods: Array::matrix(likelihoods, model.n_classes()).held(py)?,
    })
}

fn answer(
    py: Python<'_>,
    outcome: Outcome<Found, f64>,
    n_lost: usize,
    raised: Option<PyErr>,
) -> PyResult<FixedDepthFound> {
    let Outcome { value: Found { tree, expected_accuracy, expected_cost }, status, bound, stats } = outcome;
    Ok(FixedDepthFound {
        tree: Py::new(py, Tree { inner: tree })?,
        expected_accuracy,
        expected_cost,
        bound: bound.expect("a tree comes with a bound"),
        status: status.name(),
        n_searched: stats.n_searched,
        elapsed: stats.elapsed,
        n_lost,
        raised: raised.map(|raised| raised.into_value(py)),
    })
}

/// What the rows count.
fn counted(raw: Option<&[f64]>, factors: Option<&[f64]>, rows: &CodedRows) -> Result<Counted, Error> {
    GivenWeights { raw, factors, classes: rows.classes() }.counted()
}

fn too_early(status: Status) -> PyErr {
    unfinished("the search ended", status, " before its first tree; allow more time")
}
