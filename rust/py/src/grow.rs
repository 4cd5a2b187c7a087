//! Greedy growing: convert, run, wrap.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use treewright_core::bits::BitSet;
use treewright_core::data::MissingPolicy;
use treewright_core::error::Error;
use treewright_core::induce::{self, Criterion, Growth, GrowthParams, Problem};

use crate::dataset::Dataset;
use crate::errors::{ParameterError, UnfinishedError, to_py};
use crate::run::{self, Limits};
use crate::tree::Tree;

/// The growing parameters of every engine that grows trees.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct PyGrowth {
    criterion: String,
    growth: String,
    min_samples_split: f64,
    min_samples_leaf: f64,
    min_gain: f64,
    mdl_correction: bool,
    max_depth: Option<u32>,
    missing: String,
    class_weight: Option<Vec<f64>>,
}

impl PyGrowth {
    /// The core's parameters.
    pub fn params(self) -> PyResult<GrowthParams> {
        Ok(GrowthParams {
            criterion: choice("criterion", &self.criterion, &CRITERIA)?,
            growth: choice("growth", &self.growth, &GROWTHS)?,
            missing: choice("missing", &self.missing, &MISSING)?,
            min_samples_split: self.min_samples_split,
            min_samples_leaf: self.min_samples_leaf,
            min_gain: self.min_gain,
            mdl_correction: self.mdl_correction,
            max_depth: self.max_depth,
            class_weight: self.class_weight,
        })
    }
}

const CRITERIA: [(&str, Criterion); 3] =
    [("info_gain", Criterion::InfoGain), ("gain_ratio", Criterion::GainRatio), ("gini", Criterion::Gini)];
const GROWTHS: [(&str, Growth); 3] =
    [("standard", Growth::Standard), ("id3", Growth::Id3), ("c45", Growth::C45)];
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
    let known: Vec<String> = choices.iter().map(|(word, _)| format!("'{word}'")).collect();
    Err(ParameterError::new_err(format!("{name}='{word}' is not known; use one of {}", known.join(", "))))
}

/// The features that may be used: those listed, or all.
pub fn allowed(features: Option<Vec<usize>>, n_features: usize) -> PyResult<BitSet> {
    let Some(features) = features else {
        return Ok(BitSet::full(n_features));
    };
    match features.iter().find(|&&feature| feature >= n_features) {
        None => Ok(BitSet::of(n_features, features)),
        Some(outside) => Err(ParameterError::new_err(format!(
            "feature {outside} does not exist; positions go from 0 to {}",
            n_features as i64 - 1
        ))),
    }
}

/// Reads the growing parameters from keyword arguments.
pub fn growing(keywords: Option<&Bound<'_, PyDict>>) -> PyResult<GrowthParams> {
    let Some(keywords) = keywords else {
        return Err(ParameterError::new_err(
            "the growing parameters are missing; pass criterion, growth, ...",
        ));
    };
    keywords.extract::<PyGrowth>()?.params()
}

/// Reads the growing parameters of a search over sets of features.
pub fn search_growing(keywords: Option<&Bound<'_, PyDict>>) -> PyResult<GrowthParams> {
    growing(keywords)?.checked_for_search().map_err(to_py)
}

/// Grow one tree.
#[pyfunction]
#[pyo3(signature = (dataset, *, features=None, n_threads=1, time_limit=None, callback=None, **growth))]
pub fn grow(
    py: Python<'_>,
    dataset: &Dataset,
    features: Option<Vec<usize>>,
    n_threads: usize,
    time_limit: Option<f64>,
    callback: Option<Py<PyAny>>,
    growth: Option<&Bound<'_, PyDict>>,
) -> PyResult<Tree> {
    let params = growing(growth)?;
    let data = &dataset.inner;
    let allowed = allowed(features, data.n_features())?;
    let limits = Limits { n_threads, time_limit, callback };
    let grown = run::detached(py, &limits, |control| -> Result<_, Error> {
        let problem = Problem::new(data, (0..data.n_rows() as u32).collect(), &params)?;
        Ok(induce::grow(&problem, &allowed, control))
    })?;
    match grown.map_err(to_py)? {
        Ok(inner) => Ok(Tree { inner }),
        Err(interrupt) => Err(UnfinishedError::new_err(format!(
            "growing ended early ({}), and half a tree is of no use; allow more time",
            interrupt.name()
        ))),
    }
}
