//! Wrapper selection: convert, run, wrap.

use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::PyBaseException;
use pyo3::prelude::*;
use treewright_core::bits::BitSet;
use treewright_core::control::Control;
use treewright_core::distinct::{
    self as engine, Direction, Evaluator, Folds, Price, Retrain, Selection, Step, incremental_within, select,
};
use treewright_core::error::Error;
use treewright_core::outcome::{Outcome, Status};
use treewright_core::tree;

use crate::errors::{ParameterError, to_py, unfinished};
use crate::grow::{SearchData, allowed, choice, positions};
use crate::run::{self, Ask, Limits};
use crate::tree::Tree;

#[derive(Clone, Copy)]
enum Strategy {
    Incremental,
    Retrain,
}

const STRATEGIES: [(&str, Strategy); 2] =
    [("incremental", Strategy::Incremental), ("retrain", Strategy::Retrain)];
const DIRECTIONS: [(&str, Direction); 2] =
    [("backward", Direction::Backward), ("forward", Direction::Forward)];

/// What a selection keeps to grow from, about, in all folds together.
const CACHE_BYTES: usize = 1 << 30;

/// What a selection may do; the tolerance and the penalties in samples.
#[pyclass(frozen, new = "from_fields", module = "treewright._core")]
pub struct SelectionRules {
    direction: String,
    floating: bool,
    tolerance: f64,
    leaf_penalty: f64,
    feature_penalty: f64,
    parsimonious: bool,
    min_features: usize,
    max_features: Option<usize>,
    units: Vec<Vec<usize>>,
    required: Vec<usize>,
    start: Option<Vec<usize>>,
}

impl SelectionRules {
    /// The rules for the data and a price of leaves; without a start, that which is usual for the direction.
    fn for_data(&self, data: &SearchData, price: Price) -> PyResult<engine::SelectionRules> {
        let n_features = data.dataset().n_features();
        let set = |features: Vec<usize>| allowed(Some(features), n_features);
        let direction = choice("direction", &self.direction, &DIRECTIONS)?;
        let required = set(self.required.clone())?;
        let mut start = match (&self.start, direction) {
            (Some(start), _) => set(start.clone())?,
            (None, Direction::Forward) => set(Vec::new())?,
            (None, Direction::Backward) => allowed(None, n_features)?,
        };
        start.union_with(&required);
        Ok(engine::SelectionRules {
            direction,
            floating: self.floating,
            tolerance: price.value(data.counted(self.tolerance), 0),
            parsimonious: self.parsimonious,
            min_features: self.min_features,
            max_features: self.max_features.unwrap_or(n_features),
            units: self.units.iter().cloned().map(set).collect::<PyResult<_>>()?,
            required,
            start,
            per_feature: data.per_feature(self.feature_penalty, price),
        })
    }
}

/// One step of a selection: the features that went or came, and what there was then.
#[pyclass(frozen, get_all, module = "treewright._core")]
pub struct SelectionStep {
    changed: Vec<usize>,
    is_added: bool,
    n_errors: f64,
    /// Of the trees of all folds.
    n_leaves: u64,
    /// Features that the trees test, each counted once.
    n_used: usize,
    n_selected: usize,
    n_trees_built: u64,
    seconds: f64,
}

impl SelectionStep {
    fn of(data: &SearchData, step: Step) -> Self {
        SelectionStep {
            changed: step.changed,
            is_added: step.added,
            n_errors: data.told(step.errors),
            n_leaves: step.n_leaves,
            n_used: step.n_used,
            n_selected: step.n_selected,
            n_trees_built: step.n_built,
            seconds: step.seconds,
        }
    }
}

/// The features selected by single steps, and why the search ended.
#[pyclass(frozen, get_all, module = "treewright._core")]
pub struct SelectionOutcome {
    selected: Vec<usize>,
    used_features: Vec<usize>,
    n_errors: f64,
    /// Errors, and leaves and features at their prices.
    cost: f64,
    tree: Py<Tree>,
    /// The tree of every fold.
    fold_trees: Vec<Py<Tree>>,
    history: Vec<Py<SelectionStep>>,
    n_trees_built: u64,
    status: &'static str,
    elapsed: f64,
    /// What a signal handler or the callback raised, which stopped the search.
    raised: Option<Py<PyBaseException>>,
}

/// Select features by single steps, judged by one split of the rows or by several folds together.
///
/// What a signal handler or the callback raises stops the search, and is told beside what was found. `trees`
/// grows and prunes the tree of some features in a fold when every tree is grown from scratch: both trees.
#[pyfunction]
#[pyo3(signature = (folds, *, rules, strategy="incremental", trees=None, limits=Limits::none(1)))]
pub fn select_features(
    py: Python<'_>,
    folds: Vec<Py<SearchData>>,
    rules: &SelectionRules,
    strategy: &str,
    trees: Option<Py<PyAny>>,
    limits: Limits,
) -> PyResult<SelectionOutcome> {
    let data = first_of(&folds)?;
    let price = data.price(rules.leaf_penalty, folds.len());
    let rules = rules.for_data(data, price)?;
    let strategy = choice("strategy", strategy, &STRATEGIES)?;
    let grown = |py: Python<'_>, (fold, features): Wanted| -> PyResult<TwoTrees> {
        let trees = trees.as_ref().expect("nothing else asks").bind(py);
        let (grown, pruned): (Py<Tree>, Py<Tree>) = trees.call1((fold, features))?.extract()?;
        Ok((grown.get().inner.clone(), pruned.get().inner.clone()))
    };
    let (selected, raised) = run::kept_and_served(py, &limits, grown, |control, ask| {
        let ask = Mutex::new(ask);
        let evaluator = |(fold, data): (usize, &Py<SearchData>)| -> Result<Box<dyn Evaluator + '_>, Error> {
            let data = data.get();
            let problem = data.problem()?;
            Ok(match strategy {
                Strategy::Incremental => {
                    incremental_within(CACHE_BYTES / folds.len(), problem, data.judging(price)?)
                }
                Strategy::Retrain if trees.is_some() => Box::new(elsewhere(fold, data, &ask)?.priced(price)),
                Strategy::Retrain => {
                    Box::new(Retrain::new(problem, data.dataset(), data.validation()?).priced(price))
                }
            })
        };
        let evaluators = folds.iter().enumerate().map(evaluator).collect::<Result<Vec<_>, Error>>()?;
        select(&mut Folds::new(evaluators), &rules, control)
    });
    outcome(py, data, price, selected.map_err(to_py)?, raised)
}

/// The first fold, which knows what all have in common.
pub fn first_of(folds: &[Py<SearchData>]) -> PyResult<&SearchData> {
    let missing = || ParameterError::new_err(("folds", 0usize, "is no fold", "give one or more"));
    folds.first().map(Py::get).ok_or_else(missing)
}

/// The features of a tree that is wanted, and its fold.
type Wanted = (usize, Vec<usize>);

/// A tree as it is grown, and pruned.
type TwoTrees = (tree::Tree, tree::Tree);

/// The black box whose trees come from Python.
fn elsewhere<'a>(
    fold: usize,
    data: &SearchData,
    ask: &'a Mutex<&mut Ask<'_, Wanted, TwoTrees>>,
) -> Result<Retrain<'a>, Error> {
    let growing = move |allowed: &BitSet, control: &Control| {
        control.checkpoint()?;
        let mut ask = ask.lock().unwrap_or_else(PoisonError::into_inner);
        ask((fold, positions(allowed))).ok_or(Status::Stopped)
    };
    Ok(Retrain::with(data.problem()?, data.dataset(), data.validation()?, Box::new(growing)))
}

fn outcome(
    py: Python<'_>,
    data: &SearchData,
    price: Price,
    found: Outcome<Option<Selection>>,
    raised: Option<PyErr>,
) -> PyResult<SelectionOutcome> {
    let (status, stats) = (found.status, found.stats);
    let selection = match found.found() {
        Ok(selection) => selection,
        Err(status) => return Err(raised.unwrap_or_else(|| before_the_first_tree(status))),
    };
    let history = selection.history.into_iter().map(|step| Py::new(py, SelectionStep::of(data, step)));
    let fold_trees = selection.trees.into_iter().map(|inner| Py::new(py, Tree { inner }));
    Ok(SelectionOutcome {
        selected: positions(&selection.selected),
        used_features: positions(&selection.used),
        n_errors: data.told(selection.errors),
        cost: data.told_value(selection.value, price),
        tree: Py::new(py, Tree { inner: selection.tree })?,
        fold_trees: fold_trees.collect::<PyResult<_>>()?,
        history: history.collect::<PyResult<_>>()?,
        n_trees_built: stats.n_searched,
        status: status.name(),
        elapsed: stats.elapsed,
        raised: raised.map(|raised| raised.into_value(py)),
    })
}

/// The exception for a search that has nothing to show.
pub fn before_the_first_tree(status: Status) -> PyErr {
    unfinished("the search ended", status, " before its first tree was grown; allow more time")
}
