//! Drawn sets and the study of pruning rules on them: convert, run, wrap.

use crate::arrays::{Array, Flags, Vector};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use treewright_core::data::{LinearNetwork, LinearSet};
use treewright_core::prune::{Estimator, Slack};
use treewright_core::prune_study::{self as engine, LeafEstimate, LeafRule, StudyRule, TunedRule};
use treewright_core::random::Random;

use crate::errors::{ParameterError, to_py};
use crate::programs::Program;
use crate::prune::ErrorEstimate;
use crate::run::{self, Limits};

pub fn network(n_inputs: u32, n_removed: u32, train_share: f64) -> PyResult<LinearNetwork> {
    let network = LinearNetwork { n_inputs, n_removed, train_share };
    network.check().map_err(to_py)?;
    Ok(network)
}

/// Class of each row of a drawn set, and whether the row is for training; input j is bit j of a row.
#[pyfunction]
#[allow(clippy::type_complexity)]
pub fn linear_network(
    n_inputs: u32,
    n_removed: u32,
    train_share: f64,
    seed: u64,
    number: u64,
) -> PyResult<(Array<i32>, Flags)> {
    let network = network(n_inputs, n_removed, train_share)?;
    let LinearSet { classes, is_training, .. } = network.draw(&mut Random::stream(seed, number));
    let classes = classes.into_iter().map(i32::from).collect();
    Ok((Array::new(classes), Flags(is_training)))
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

/// What rules do to trees grown on drawn sets: errors on the test rows, nodes, candidates chosen.
///
/// A rule is `("keep",)`, `("leaf", estimate, slack_errors, slack_rate)`, `("program", program)` or
/// `("tuned", estimates, slack_errors, n_folds, seed)`.
#[pyfunction]
#[pyo3(signature = (n_inputs, n_removed, train_shares, rules, *, seed, n_threads=1, callback=None))]
pub fn study_pruning<'py>(
    py: Python<'py>,
    n_inputs: Vector<i64>,
    n_removed: Vector<i64>,
    train_shares: Vector<f64>,
    rules: Vec<Bound<'py, PyAny>>,
    seed: u64,
    n_threads: usize,
    callback: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let rules = rules.iter().map(rule).collect::<PyResult<Vec<_>>>()?;
    let sizes = n_inputs.0.into_iter().zip(n_removed.0);
    let networks = sizes
        .zip(train_shares.0)
        .map(|((inputs, removed), share)| network(inputs as u32, removed as u32, share))
        .collect::<PyResult<Vec<_>>>()?;
    let limits = Limits { n_threads, time_limit: None, callback };
    let found = run::detached(py, &limits, |control| engine::study(&networks, seed, &rules, control))?;
    let width = rules.len();
    let each = |of: fn(&engine::Pruned) -> u32| found.pruned.iter().map(|p| i64::from(of(p))).collect();
    let result = PyDict::new(py);
    result.set_item("n_errors", Array::matrix(each(|pruned| pruned.n_errors), width))?;
    result.set_item("n_nodes", Array::matrix(each(|pruned| pruned.n_nodes), width))?;
    let chosen = found.chosen.iter().map(|&candidate| i64::from(candidate)).collect();
    result.set_item("chosen", Array::matrix(chosen, width))?;
    result.set_item("status", found.status.name())?;
    Ok(result)
}

fn rule(given: &Bound<'_, PyAny>) -> PyResult<StudyRule> {
    let kind: String = given.get_item(0)?.extract()?;
    match kind.as_str() {
        "keep" => Ok(StudyRule::Keep),
        "leaf" => {
            let (_, estimate, errors, rate): (String, Bound<'_, ErrorEstimate>, f64, f64) =
                given.extract()?;
            Ok(StudyRule::Leaf(leaf(estimate.get().estimator(), errors, rate)))
        }
        "program" => {
            let (_, program): (String, Bound<'_, Program>) = given.extract()?;
            let estimate = LeafEstimate::Formula(program.get().estimate()?);
            Ok(StudyRule::Leaf(LeafRule { estimate, slack: Slack::default() }))
        }
        "tuned" => {
            type Tuned<'a> = (String, Vec<Bound<'a, ErrorEstimate>>, f64, usize, u64);
            let (_, estimates, errors, n_folds, seed): Tuned = given.extract()?;
            let candidates = estimates.iter().map(|one| leaf(one.get().estimator(), errors, 0.0)).collect();
            Ok(StudyRule::Tuned(TunedRule { candidates, n_folds, seed }))
        }
        _ => Err(ParameterError::new_err(format!("rule '{kind}' is not known"))),
    }
}

fn leaf(estimator: Estimator, errors: f64, rate: f64) -> LeafRule {
    LeafRule { estimate: LeafEstimate::Known(estimator), slack: Slack { errors, rate } }
}
