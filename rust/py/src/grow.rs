//! Greedy growing: convert, run, wrap.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use treewright_core::bits::BitSet;
use treewright_core::data::{self, MissingPolicy, check_rows};
use treewright_core::distinct::{Judging, Leaf, LeafRates, MEstimate, Price, PruningRule};
use treewright_core::error::Error;
use treewright_core::induce::{self, Criterion, Growth, GrowthParams, NominalSplits, Problem};
use treewright_core::prune::Slack;
use treewright_core::tree::CostMatrix;
use treewright_core::units::Fine;

use crate::arrays::Vector;
use crate::dataset::Dataset;
use crate::errors::{ParameterError, to_py};
use crate::programs::Program;
use crate::prune::ErrorEstimate;
use crate::run;
use crate::tree::Tree;
use crate::tree_facts::{Smoothed, answers};

/// The growing parameters of every engine that grows trees, for one data set.
#[pyclass(frozen, get_all, new = "from_fields", module = "treewright._core")]
pub struct GrowthParameters {
    criterion: String,
    growth: String,
    min_samples_split: f64,
    min_samples_leaf: f64,
    min_samples_branch: f64,
    min_gain: f64,
    mdl_correction: Option<bool>,
    collapse: Option<bool>,
    average_gain: Option<bool>,
    max_depth: Option<u32>,
    max_leaf_nodes: Option<u32>,
    nominal_splits: String,
    missing: String,
    class_weight: Option<Vec<f64>>,
    cost_matrix: Option<Vec<Vec<f64>>>,
    probability: String,
    smoothing: Option<Smoothed>,
}

#[pymethods]
impl GrowthParameters {
    /// Every criterion by its name, and whether it goes by gains in bits.
    #[classattr]
    #[pyo3(name = "CRITERIA")]
    fn criteria() -> Vec<(&'static str, bool)> {
        Criterion::NAMED.map(|(name, criterion)| (name, criterion.is_in_bits())).to_vec()
    }

    fn __getnewargs_ex__<'py>(slf: &Bound<'py, Self>) -> PyResult<((), Bound<'py, PyDict>)> {
        let fields = PyDict::new(slf.py());
        for name in FIELDS {
            fields.set_item(name, slf.getattr(name)?)?;
        }
        Ok(((), fields))
    }
}

impl GrowthParameters {
    /// The parameters as the core has them.
    pub fn params(&self) -> PyResult<GrowthParams> {
        Ok(GrowthParams {
            criterion: choice("criterion", &self.criterion, &Criterion::NAMED)?,
            growth: choice("growth", &self.growth, &GROWTHS)?,
            missing: choice("missing", &self.missing, &MISSING)?,
            nominal_splits: choice("nominal_splits", &self.nominal_splits, &NOMINAL_SPLITS)?,
            min_samples_split: self.min_samples_split,
            min_samples_leaf: self.min_samples_leaf,
            min_samples_branch: self.min_samples_branch,
            min_gain: self.min_gain,
            mdl_correction: self.mdl_correction,
            collapse: self.collapse,
            average_gain: self.average_gain,
            max_depth: self.max_depth,
            max_leaf_nodes: self.max_leaf_nodes,
            class_weight: self.class_weight.clone(),
            answers: answers(self.cost_matrix.clone(), &self.probability, self.smoothing.clone())?,
        })
    }
}

/// Data of a search over sets of features: the rows of its two parts, and how trees grow.
#[pyclass(frozen, module = "treewright._core")]
pub struct SearchData {
    dataset: data::Dataset,
    training: Vec<i64>,
    validation: Vec<i64>,
    params: GrowthParams,
    pruning: Option<PruningRule>,
}

#[pymethods]
impl SearchData {
    #[new]
    #[pyo3(signature = (dataset, training, validation, growth, pruning=None))]
    fn new(
        dataset: &Dataset,
        training: Vector<i64>,
        validation: Vector<i64>,
        growth: &GrowthParameters,
        pruning: Option<SearchPruning>,
    ) -> PyResult<Self> {
        let params = growth.params()?.checked_for_search().map_err(to_py)?;
        let (training, validation) = (training.0, validation.0);
        let pruning = pruning.map(|pruning| pruning.rule()).transpose()?;
        Ok(SearchData { dataset: dataset.inner.clone(), training, validation, params, pruning })
    }
}

impl SearchData {
    pub fn dataset(&self) -> &data::Dataset {
        &self.dataset
    }

    /// The problem of growing from the training rows.
    pub fn problem(&self) -> Result<Arc<Problem>, Error> {
        let training = check_rows("the training part", &self.training, self.dataset.n_rows())?;
        Ok(Arc::new(Problem::new(&self.dataset, training, &self.params)?))
    }

    /// What the losses are that a search counts: summed weights, times what wrong answers cost.
    pub fn told(&self, losses: u64) -> f64 {
        Fine(losses).weight() * self.cost_unit()
    }

    /// A loss as a search counts it.
    pub fn counted(&self, loss: f64) -> u64 {
        Fine::rounded(loss / self.cost_unit()).0
    }

    /// What errors and leaves count where a leaf must save so much loss in the sum of so many folds.
    pub fn price(&self, leaf_penalty: f64, n_folds: usize) -> Price {
        Price::of_leaf(self.counted(leaf_penalty), n_folds)
    }

    /// What a feature counts that must save so much loss, where errors count as they are priced.
    pub fn per_feature(&self, feature_penalty: f64, price: Price) -> u64 {
        self.counted(feature_penalty).saturating_mul(price.per_error)
    }

    /// Errors and leaves as they are priced, as the loss that they are worth.
    pub fn told_value(&self, value: u64, price: Price) -> f64 {
        self.told(value) / price.per_error as f64
    }

    /// What one unit of cost is.
    pub fn cost_unit(&self) -> f64 {
        self.params.answers.cost_matrix.as_deref().map_or(1.0, |costs| CostMatrix::new(costs).unit())
    }

    pub fn validation(&self) -> Result<Vec<u32>, Error> {
        check_rows("the validation part", &self.validation, self.dataset.n_rows())
    }

    /// How the trees of the search are judged.
    pub fn judging(&self, price: Price) -> Result<Judging, Error> {
        Ok(Judging { validation: self.validation()?, pruning: self.pruning.clone(), price })
    }
}

/// A rule that prunes the trees of a search before they are judged: `SearchPruning` of Python.
#[derive(FromPyObject)]
pub struct SearchPruning {
    rates: Rates,
    slack_errors: f64,
    slack_rate: f64,
}

/// What estimates leaves; a number is the m of the m-estimate.
#[derive(FromPyObject)]
enum Rates {
    Estimate(Py<ErrorEstimate>),
    Formula(Py<Program>),
    Prior(f64),
    /// A function of lists of c and n.
    Function(Py<PyAny>),
}

/// Estimates by a function of Python's, which is asked of every leaf by itself and does not raise.
struct Asked(Py<PyAny>);

impl Asked {
    fn told(&self, leaves: &[Leaf]) -> PyResult<Vec<f64>> {
        let (c, n): (Vec<f64>, Vec<f64>) = leaves.iter().map(|leaf| (leaf.c, leaf.n)).unzip();
        Python::attach(|py| self.0.bind(py).call1((c, n))?.extract())
    }
}

impl LeafRates for Asked {
    fn rate(&self, leaf: Leaf) -> f64 {
        self.rates(&[leaf])[0]
    }

    /// What cannot be estimated is not pruned.
    fn rates(&self, leaves: &[Leaf]) -> Vec<f64> {
        self.told(leaves).unwrap_or_else(|_| vec![f64::NAN; leaves.len()])
    }
}

impl SearchPruning {
    fn rule(&self) -> PyResult<PruningRule> {
        let rates: Arc<dyn LeafRates> = match &self.rates {
            Rates::Estimate(estimate) => Arc::new(estimate.get().inner),
            Rates::Formula(program) => Arc::new(program.get().leaf_rates().map_err(to_py)?),
            Rates::Prior(m) => Arc::new(MEstimate { m: *m }),
            Rates::Function(function) => Arc::new(Asked(Python::attach(|py| function.clone_ref(py)))),
        };
        Ok(PruningRule { rates, slack: Slack { errors: self.slack_errors, rate: self.slack_rate } })
    }
}

/// The fields of [`GrowthParameters`].
const FIELDS: [&str; 17] = [
    "criterion",
    "growth",
    "min_samples_split",
    "min_samples_leaf",
    "min_samples_branch",
    "min_gain",
    "mdl_correction",
    "collapse",
    "average_gain",
    "max_depth",
    "max_leaf_nodes",
    "nominal_splits",
    "missing",
    "class_weight",
    "cost_matrix",
    "probability",
    "smoothing",
];

const GROWTHS: [(&str, Growth); 3] =
    [("standard", Growth::Standard), ("id3", Growth::Id3), ("c45", Growth::C45)];
const NOMINAL_SPLITS: [(&str, NominalSplits); 3] = [
    ("multiway", NominalSplits::Multiway),
    ("groups", NominalSplits::Groups),
    ("one_value", NominalSplits::OneValue),
];
const MISSING: [(&str, MissingPolicy); 4] = [
    ("distribution", MissingPolicy::Distribution),
    ("most_frequent", MissingPolicy::MostFrequent),
    ("value", MissingPolicy::Value),
    ("raise", MissingPolicy::Raise),
];

/// The value that a word stands for.
pub fn choice<T: Copy>(name: &str, word: &str, choices: &[(&str, T)]) -> PyResult<T> {
    if let Some((_, value)) = choices.iter().find(|(known, _)| *known == word) {
        return Ok(*value);
    }
    Err(unknown(name, word, choices.iter().map(|(word, _)| *word)))
}

/// The exception for a word that is none of those known.
pub fn unknown<'a>(name: &str, word: &str, known: impl Iterator<Item = &'a str>) -> PyErr {
    let known: Vec<String> = known.map(|word| format!("'{word}'")).collect();
    let remedy = format!("use one of {}", known.join(", "));
    ParameterError::new_err((name.to_owned(), word.to_owned(), "is not known", remedy))
}

/// The features that may be used: those listed, or all.
pub fn allowed(features: Option<Vec<usize>>, n_features: usize) -> PyResult<BitSet> {
    let Some(features) = features else {
        return Ok(BitSet::full(n_features));
    };
    match features.iter().find(|&&feature| feature >= n_features) {
        None => Ok(BitSet::of(n_features, features)),
        Some(&outside) => {
            let remedy = format!("positions go from 0 to {}", n_features as i64 - 1);
            Err(ParameterError::new_err(("features", outside, "is no feature", remedy)))
        }
    }
}

/// Positions of the features in a set.
pub fn positions(set: &BitSet) -> Vec<usize> {
    set.iter().collect()
}

/// Grow one tree.
#[pyfunction]
#[pyo3(signature = (dataset, *, growth, features=None, n_threads=1))]
pub fn grow(
    py: Python<'_>,
    dataset: &Dataset,
    growth: &GrowthParameters,
    features: Option<Vec<usize>>,
    n_threads: usize,
) -> PyResult<Tree> {
    let (data, params) = (&dataset.inner, growth.params()?);
    let allowed = allowed(features, data.n_features())?;
    // Every level has a row less at the least, as where a tree takes one row after the other off.
    let n_values = data.n_rows().saturating_pow(2).saturating_mul(data.n_features()) / 2;
    let inner = run::whole_of(py, n_values, n_threads, |control| {
        let problem = Problem::new(data, (0..data.n_rows() as u32).collect(), &params)?;
        induce::grow(&problem, &allowed, control)
    })?;
    Ok(Tree { inner })
}
