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

/// The growing parameters of every engine that grows trees, for one data set.
#[pyclass(frozen, module = "treewright._core")]
pub struct GrowthParameters {
    pub inner: GrowthParams,
}

#[pymethods]
impl GrowthParameters {
    #[new]
    #[pyo3(signature = (*, criterion, growth, min_samples_split, min_samples_leaf, min_gain, mdl_correction,
                        max_depth, missing, class_weight))]
    fn new(
        criterion: &str,
        growth: &str,
        min_samples_split: f64,
        min_samples_leaf: f64,
        min_gain: f64,
        mdl_correction: bool,
        max_depth: Option<u32>,
        missing: &str,
        class_weight: Option<Vec<f64>>,
    ) -> PyResult<Self> {
        let inner = GrowthParams {
            criterion: choice("criterion", criterion, &Criterion::NAMED)?,
            growth: choice("growth", growth, &GROWTHS)?,
            missing: choice("missing", missing, &MISSING)?,
            min_samples_split,
            min_samples_leaf,
            min_gain,
            mdl_correction,
            max_depth,
            class_weight,
        };
        Ok(GrowthParameters { inner })
    }

    /// Every criterion by its name, and whether it goes by gains in bits.
    #[classattr]
    #[pyo3(name = "CRITERIA")]
    fn criteria() -> Vec<(&'static str, bool)> {
        Criterion::NAMED.map(|(name, criterion)| (name, criterion.is_in_bits())).to_vec()
    }

    #[getter]
    fn criterion(&self) -> &'static str {
        self.inner.criterion.name()
    }

    #[getter]
    fn growth(&self) -> &'static str {
        word(self.inner.growth, &GROWTHS)
    }

    #[getter]
    fn min_samples_split(&self) -> f64 {
        self.inner.min_samples_split
    }

    #[getter]
    fn min_samples_leaf(&self) -> f64 {
        self.inner.min_samples_leaf
    }

    #[getter]
    fn min_gain(&self) -> f64 {
        self.inner.min_gain
    }

    #[getter]
    fn mdl_correction(&self) -> bool {
        self.inner.mdl_correction
    }

    #[getter]
    fn max_depth(&self) -> Option<u32> {
        self.inner.max_depth
    }

    #[getter]
    fn missing(&self) -> &'static str {
        word(self.inner.missing, &MISSING)
    }

    #[getter]
    fn class_weight(&self) -> Option<Vec<f64>> {
        self.inner.class_weight.clone()
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((), Bound<'py, PyDict>)> {
        let fields = PyDict::new(py);
        fields.set_item("criterion", self.criterion())?;
        fields.set_item("growth", self.growth())?;
        fields.set_item("min_samples_split", self.min_samples_split())?;
        fields.set_item("min_samples_leaf", self.min_samples_leaf())?;
        fields.set_item("min_gain", self.min_gain())?;
        fields.set_item("mdl_correction", self.mdl_correction())?;
        fields.set_item("max_depth", self.max_depth())?;
        fields.set_item("missing", self.missing())?;
        fields.set_item("class_weight", self.class_weight())?;
        Ok(((), fields))
    }
}

impl GrowthParameters {
    /// The parameters of a search over sets of features.
    pub fn for_search(&self) -> PyResult<GrowthParams> {
        self.inner.clone().checked_for_search().map_err(to_py)
    }
}

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
    let remedy = format!("use one of {}", known.join(", "));
    Err(ParameterError::new_err((name.to_owned(), word.to_owned(), "is not known", remedy)))
}

/// The word for a value.
fn word<T: PartialEq>(value: T, choices: &[(&'static str, T)]) -> &'static str {
    let found = choices.iter().find(|(_, known)| *known == value);
    found.map(|(word, _)| *word).expect("every value has its word")
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
    let (data, params) = (&dataset.inner, &growth.inner);
    let allowed = allowed(features, data.n_features())?;
    let limits = Limits { n_threads, time_limit, callback };
    let grown = run::detached(py, &limits, |control| -> Result<_, Error> {
        let problem = Problem::new(data, (0..data.n_rows() as u32).collect(), params)?;
        induce::grow(&problem, &allowed, control)
    })?;
    let inner = grown.map_err(to_py)?.found().map_err(|status| {
        UnfinishedError::new_err(format!(
            "growing ended early ({}), and half a tree is of no use; allow more time",
            status.name()
        ))
    })?;
    Ok(Tree { inner })
}
