//! Fixed-depth trees under naive Bayes: convert, run, wrap.

use crate::arrays::{Array, Matrix};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use treewright_core::data::Weights;
use treewright_core::error::Error;
use treewright_core::fixed_depth::{self, CodedRows, Found, Method, OptFeatureList, Prior, Reach, Task};
use treewright_core::tree::Routing;

use crate::dataset::Dataset;
use crate::errors::{UnfinishedError, to_py};
use crate::grow::choice;
use crate::run::{self, Limits};
use crate::tree::Tree;

/// What is asked for, as keyword arguments.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct PyTask {
    depth: usize,
    class_prior: f64,
    value_prior: f64,
    solver: String,
    costs: Option<Vec<u64>>,
    budget: u64,
    trims: bool,
    unseen: String,
}

const SOLVERS: [(&str, Method); 5] = [
    ("auto", Method::Bounded),
    ("bounded", Method::Bounded),
    ("sets", Method::Sets),
    ("feature_list", Method::FeatureList),
    ("exhaustive", Method::Exhaustive),
];
const UNSEEN: [(&str, Routing); 2] = [("stop", Routing::Stop), ("skip", Routing::Distribute)];

impl PyTask {
    fn task(self) -> PyResult<(Task, Prior)> {
        let prior = Prior { class: self.class_prior, value: self.value_prior };
        let task = Task {
            reach: Reach { depth: self.depth, costs: self.costs.map(|costs| (costs, self.budget)) },
            method: choice("solver", &self.solver, &SOLVERS)?,
            trims: self.trims,
            routing: choice("unseen", &self.unseen, &UNSEEN)?,
        };
        Ok((task, prior))
    }
}

/// The best tree of a fixed depth.
#[pyfunction]
#[pyo3(signature = (dataset, *, task, n_threads=1, time_limit=None, callback=None))]
pub fn fixed_depth_tree<'py>(
    py: Python<'py>,
    dataset: &Dataset,
    task: &Bound<'_, PyDict>,
    n_threads: usize,
    time_limit: Option<f64>,
    callback: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let (task, prior) = task.extract::<PyTask>()?.task()?;
    let limits = Limits { n_threads, time_limit, callback };
    let data = &dataset.inner;
    let found = run::detached(py, &limits, |control| -> Result<_, Error> {
        let rows = CodedRows::new(data)?;
        let weights = Weights::round(data.weights(), None, rows.classes())?;
        let counted = control.elapsed();
        let found = fixed_depth::solve(&rows.model(&weights, prior), data.schema(), &task, control)?;
        Ok(found.map(|found| (found, control.elapsed() - counted)))
    })?;
    let (found, elapsed) = found.map_err(to_py)?.map_err(too_early)?;
    let result = as_dict(py, found)?;
    result.set_item("elapsed", elapsed)?;
    Ok(result)
}

/// The best trees for many weightings, one row of `weights` each; `n_rows` of weight each.
#[pyfunction]
#[pyo3(signature = (dataset, weights, *, task, n_threads=1, time_limit=None, callback=None))]
pub fn fixed_depth_trees<'py>(
    py: Python<'py>,
    dataset: &Dataset,
    weights: Matrix<f64>,
    task: &Bound<'_, PyDict>,
    n_threads: usize,
    time_limit: Option<f64>,
    callback: Option<Py<PyAny>>,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let (task, prior) = task.extract::<PyTask>()?.task()?;
    let limits = Limits { n_threads, time_limit, callback };
    let data = &dataset.inner;
    let weightings = weights.rows().map(|row| row.to_vec()).collect::<Vec<_>>();
    let found = run::detached(py, &limits, |control| -> Result<_, Error> {
        let rows = CodedRows::new(data)?;
        let round = |weights: &Vec<f64>| Weights::round_with_zeros(weights);
        let weightings = weightings.iter().map(round).collect::<Result<Vec<_>, _>>()?;
        fixed_depth::fit_many(&rows, data.schema(), &weightings, prior, &task, control)
    })?;
    let found = found.map_err(to_py)?.map_err(too_early)?;
    found.into_iter().map(|found| as_dict(py, found)).collect()
}

/// The opt-feature list of two classes, and the model behind it: left ends of the intervals; per interval
/// the ranked features and their lines at x = 0 and 1; P(value | class) of every value of every feature.
#[pyfunction]
#[pyo3(signature = (dataset, *, width, class_prior, value_prior))]
pub fn opt_feature_list<'py>(
    py: Python<'py>,
    dataset: &Dataset,
    width: usize,
    class_prior: f64,
    value_prior: f64,
) -> PyResult<Bound<'py, PyDict>> {
    let data = &dataset.inner;
    let limits = Limits { n_threads: 1, time_limit: None, callback: None };
    let found = run::detached(py, &limits, |_| -> Result<_, Error> {
        let rows = CodedRows::new(data)?;
        let weights = Weights::round(data.weights(), None, rows.classes())?;
        let model = rows.model(&weights, Prior { class: class_prior, value: value_prior });
        Ok((OptFeatureList::of_model(&model, width)?, model))
    })?;
    let (list, model) = found.map_err(to_py)?;
    let entries = || (0..list.starts().len()).flat_map(|interval| list.ranked(interval));
    let width = list.width();
    let likelihoods = (0..model.n_values()).flat_map(|value| model.likelihood(value).to_vec()).collect();
    let result = PyDict::new(py);
    result.set_item("starts", Array::new(list.starts().to_vec()))?;
    result.set_item("features", Array::matrix(entries().map(|entry| entry.feature).collect(), width))?;
    result.set_item("at0", Array::matrix(entries().map(|entry| entry.at0).collect(), width))?;
    result.set_item("at1", Array::matrix(entries().map(|entry| entry.at1).collect(), width))?;
    result.set_item("classes", Array::new(model.classes().to_vec()))?;
    result.set_item("likelihoods", Array::matrix(likelihoods, model.n_classes()))?;
    Ok(result)
}

fn as_dict(py: Python<'_>, found: Found) -> PyResult<Bound<'_, PyDict>> {
    let result = PyDict::new(py);
    result.set_item("tree", Tree { inner: found.tree })?;
    result.set_item("expected_accuracy", found.expected_accuracy)?;
    result.set_item("bound", found.bound)?;
    result.set_item("status", found.status.name())?;
    result.set_item("n_searched", found.n_searched)?;
    Ok(result)
}

fn too_early(interrupt: treewright_core::outcome::Status) -> PyErr {
    UnfinishedError::new_err(format!(
        "the search ended ({}) before its first tree; allow more time",
        interrupt.name()
    ))
}
