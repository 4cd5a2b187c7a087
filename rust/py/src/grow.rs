//! Greedy growing: convert, run, wrap.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use treewright_core::bits::BitSet;
use treewright_core::data::{self, MissingPolicy, check_rows};
use treewright_core::error::Error;
use treewright_core::induce::{self, Criterion, Growth, GrowthParams, NominalSplits, Problem};

use crate::dataset::Dataset;
use crate::errors::{ParameterError, to_py, unfinished};
use crate::run::{self, Limits};
use crate::tree::Tree;

/// The growing parameters of every engine that grows trees, for one data set.
#[pyclass(frozen, get_all, module = "treewright._core")]
pub struct GrowthParameters {
    criterion: String,
    growth: String,
    min_samples_split: f64,
    min_samples_leaf: f64,
    min_gain: f64,
    mdl_correction: bool,
    max_depth: Option<u32>,
    nominal_splits: String,
    missing: String,
    class_weight: Option<Vec<f64>>,
}

#[pymethods]
impl GrowthParameters {
    #[new]
    #[pyo3(signature = (*, criterion, growth, min_samples_split, min_samples_leaf, min_gain, mdl_correction,
                        max_depth, missing, class_weight, nominal_splits="multiway".to_owned()))]
    fn new(
        criterion: String,
        growth: String,
        min_samples_split: f64,
        min_samples_leaf: f64,
        min_gain: f64,
        mdl_correction: bool,
        max_depth: Option<u32>,
        missing: String,
        class_weight: Option<Vec<f64>>,
        nominal_splits: String,
    ) -> PyResult<Self> {
        let made = GrowthParameters {
            criterion,
            growth,
            min_samples_split,
            min_samples_leaf,
            min_gain,
            mdl_correction,
            max_depth,
            nominal_splits,
            missing,
            class_weight,
        };
        made.params().map(|_| made)
    }

    /// Every criterion by its name, and whether it goes by gains in bits.
    #[classattr]
    #[pyo3(name = "CRITERIA")]
    fn criteria() -> Vec<(&'static str, bool)> {
        Criterion::NAMED.map(|(name, criterion)| (name, criterion.is_in_bits())).to_vec()
    }

    fn __getnewargs_ex__<'py>(slf: &Bound<'py, Self>) -> PyResult<((), Bound<'py, PyDict>)> {
        let fields = PyDict::new(slf.py());
        for name in ["criterion", "growth", "min_samples_split", "min_samples_leaf", "min_gain"] {
            fields.set_item(name, slf.getattr(name)?)?;
        }
        for name in ["mdl_correction", "max_depth", "nominal_splits", "missing", "class_weight"] {
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
            min_gain: self.min_gain,
            mdl_correction: self.mdl_correction,
            max_depth: self.max_depth,
            class_weight: self.class_weight.clone(),
        })
    }

    /// The parameters of a search over sets of features.
    pub fn for_search(&self) -> PyResult<GrowthParams> {
        self.params()?.checked_for_search().map_err(to_py)
    }
}

/// The problem of growing from the training rows, and the validation rows; `params` are for a search.
pub fn searched(
    data: &data::Dataset,
    training: &[i64],
    validation: &[i64],
    params: &GrowthParams,
) -> Result<(Arc<Problem>, Vec<u32>), Error> {
    let training = check_rows("the training part", training, data.n_rows())?;
    let validation = check_rows("the validation part", validation, data.n_rows())?;
    Ok((Arc::new(Problem::new(data, training, params)?), validation))
}

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
#[pyo3(signature = (dataset, *, growth, features=None, n_threads=1, time_limit=None, callback=None))]
pub fn grow(
    py: Python<'_>,
    dataset: &Dataset,
    growth: &GrowthParameters,
    features: Option<Vec<usize>>,
    n_threads: usize,
    time_limit: Option<f64>,
    callback: Option<Py<PyAny>>,
) -> PyResult<Tree> {
    let (data, params) = (&dataset.inner, growth.params()?);
    let allowed = allowed(features, data.n_features())?;
    let limits = Limits { n_threads, time_limit, callback };
    let grown = run::detached(py, &limits, |control| -> Result<_, Error> {
        let problem = Problem::new(data, (0..data.n_rows() as u32).collect(), &params)?;
        induce::grow(&problem, &allowed, control)
    })?;
    let meaning = ", and half a tree is of no use; allow more time";
    let found = grown.map_err(to_py)?.found();
    Ok(Tree { inner: found.map_err(|status| unfinished("growing ended early", status, meaning))? })
}
