//! Drawn sets and the study of pruning rules on them: convert, run, wrap.

use crate::arrays::{Array, Flags, Vector};
use pyo3::prelude::*;
use treewright_core::data::{LinearNetwork, LinearSet};
use treewright_core::prune::{Estimator, Slack};
use treewright_core::prune_study::{self as engine, LeafEstimate, LeafRule, StudyPlan, TunedRule};
use treewright_core::random::Random;

use crate::errors::to_py;
use crate::programs::Program;
use crate::prune::ErrorEstimate;
use crate::run::{self, Limits};

pub fn network(n_inputs: u32, n_removed: u32, train_share: f64) -> PyResult<LinearNetwork> {
    let network = LinearNetwork { n_inputs, n_removed, train_share };
    network.check().map_err(to_py)?;
    Ok(network)
}

/// A drawn set: the class of each row, and whether the row is for training; input j is bit j of a row.
#[pyclass(frozen, get_all, module = "treewright._core")]
pub struct LinearRows {
    classes: Py<PyAny>,
    is_training: Py<PyAny>,
}

/// Draws a set of a linear network.
#[pyfunction]
pub fn linear_network(
    py: Python<'_>,
    n_inputs: u32,
    n_removed: u32,
    train_share: f64,
    seed: u64,
    number: u64,
) -> PyResult<LinearRows> {
    let network = network(n_inputs, n_removed, train_share)?;
    let LinearSet { classes, is_training, .. } = network.draw(&mut Random::stream(seed, number));
    let classes = classes.into_iter().map(i32::from).collect();
    let is_training = Flags(is_training).into_pyobject(py)?.unbind();
    Ok(LinearRows { classes: Array::<i32>::new(classes).held(py)?, is_training })
}

/// The fold of each training row, in their order, by which a tuned rule chooses on a drawn set.
#[pyfunction]
pub fn study_folds(
    n_inputs: u32,
    n_removed: u32,
    train_share: f64,
    seed: u64,
    number: u64,
    n_folds: usize,
    fold_seed: u64,
) -> PyResult<Array<i64>> {
    let set = network(n_inputs, n_removed, train_share)?.draw(&mut Random::stream(seed, number));
    let folds = engine::folds_of(&engine::training_rows(&set), n_folds, fold_seed, number);
    Ok(Array::new(folds.into_iter().map(i64::from).collect()))
}

/// What a study does to every tree.
#[pyclass(frozen, module = "treewright._core")]
pub struct StudyRule {
    inner: engine::StudyRule,
}

#[pymethods]
impl StudyRule {
    /// Leaves the tree as it is.
    #[staticmethod]
    fn keep() -> Self {
        StudyRule { inner: engine::StudyRule::Keep }
    }

    /// Prunes by an estimate of the errors of a leaf.
    #[staticmethod]
    fn leaf(estimate: PyRef<'_, ErrorEstimate>, slack_errors: f64, slack_rate: f64) -> Self {
        let rule = leaf(estimate.inner, slack_errors, slack_rate);
        StudyRule { inner: engine::StudyRule::Leaf(rule) }
    }

    /// Prunes by the estimate that a program computes.
    #[staticmethod]
    fn program(program: PyRef<'_, Program>) -> PyResult<Self> {
        let estimate = LeafEstimate::Formula(program.estimate()?);
        Ok(StudyRule { inner: engine::StudyRule::Leaf(LeafRule { estimate, slack: Slack::default() }) })
    }

    /// Prunes by the estimate of fewest errors in a cross-validation; the first of equal ones.
    #[staticmethod]
    fn tuned(estimates: Vec<PyRef<'_, ErrorEstimate>>, slack_errors: f64, n_folds: usize, seed: u64) -> Self {
        let candidates = estimates.iter().map(|one| leaf(one.inner, slack_errors, 0.0)).collect();
        StudyRule { inner: engine::StudyRule::Tuned(TunedRule { candidates, n_folds, seed }) }
    }
}

/// Of each set and rule: errors on the test rows, nodes, the candidate chosen; and why the study ended.
#[pyclass(frozen, get_all, module = "treewright._core")]
pub struct PrunedSets {
    n_errors: Py<PyAny>,
    n_nodes: Py<PyAny>,
    chosen: Py<PyAny>,
    status: &'static str,
}

/// Prunes trees grown on drawn sets by every rule.
#[pyfunction]
#[pyo3(signature = (n_inputs, n_removed, train_shares, rules, *, seed, first=0, limits=Limits::none(1)))]
pub fn study_pruning(
    py: Python<'_>,
    n_inputs: Vector<i64>,
    n_removed: Vector<i64>,
    train_shares: Vector<f64>,
    rules: Vec<PyRef<'_, StudyRule>>,
    seed: u64,
    first: u64,
    limits: Limits,
) -> PyResult<PrunedSets> {
    let rules: Vec<engine::StudyRule> = rules.iter().map(|rule| rule.inner.clone()).collect();
    let (width, plan) = (rules.len(), StudyPlan { seed, first, rules });
    let sizes = n_inputs.0.into_iter().zip(n_removed.0);
    let networks = sizes
        .zip(train_shares.0)
        .map(|((inputs, removed), share)| network(inputs as u32, removed as u32, share))
        .collect::<PyResult<Vec<_>>>()?;
    let found = run::detached(py, &limits, |control| engine::study(&networks, &plan, control))?;
    let found = found.map_err(to_py)?;
    let engine::Found { pruned, chosen } = found.value;
    let each = |of: fn(&engine::Pruned) -> u32| pruned.iter().map(|p| i64::from(of(p))).collect();
    let chosen = chosen.iter().map(|&candidate| i64::from(candidate)).collect();
    Ok(PrunedSets {
        n_errors: Array::<i64>::matrix(each(|pruned| pruned.n_errors), width).held(py)?,
        n_nodes: Array::<i64>::matrix(each(|pruned| pruned.n_nodes), width).held(py)?,
        chosen: Array::<i64>::matrix(chosen, width).held(py)?,
        status: found.status.name(),
    })
}

fn leaf(estimator: Estimator, errors: f64, rate: f64) -> LeafRule {
    LeafRule { estimate: LeafEstimate::Known(estimator), slack: Slack { errors, rate } }
}
