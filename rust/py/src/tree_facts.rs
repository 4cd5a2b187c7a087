//! What a tree keeps beside its nodes, as Python sees it.

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use treewright_core::tree::{
    self as core, Answers, CostMatrix, Route, Routing, Shares, Smoothing, SmoothingRule, Source, Tie,
};

use crate::grow::choice;

/// How rows are spread over the values of the feature that a node tests.
#[pyclass(frozen, get_all, module = "treewright._core")]
pub struct Histogram {
    edges: Vec<f64>,
    levels: Vec<u32>,
    counts: Vec<Vec<f64>>,
}

impl Histogram {
    pub fn of(histogram: &core::Histogram) -> Self {
        let core::Histogram { edges, levels, counts } = histogram.clone();
        Histogram { edges, levels, counts }
    }
}

/// How classes are chosen and probabilities are told.
#[pyclass(frozen, get_all, module = "treewright._core")]
pub struct Decision {
    classes: &'static str,
    tie: &'static str,
    cost_matrix: Option<Vec<Vec<f64>>>,
    threshold: Option<f64>,
    probability: &'static str,
    class_factors: Option<Vec<f64>>,
    smoothing: Option<Py<PyAny>>,
}

impl Decision {
    pub fn of(py: Python<'_>, tree: &core::Tree) -> PyResult<Self> {
        let (decision, probability) = (tree.decision(), tree.probability());
        let smoothing = match probability.smoothing {
            None => None,
            Some(Smoothing::Named(SmoothingRule::Laplace)) => Some("laplace".into_py_any(py)?),
            Some(Smoothing::Rows(rows)) => Some(rows.into_py_any(py)?),
        };
        Ok(Decision {
            classes: match decision.source {
                Source::Weights => "weights",
                Source::Given => "given",
            },
            tie: match decision.tie {
                Tie::Lowest => "lowest",
                Tie::Parent => "parent",
                Tie::Kept => "kept",
            },
            cost_matrix: decision.cost_matrix.clone(),
            threshold: decision.threshold,
            probability: match probability.shares {
                Shares::Weighted => "weighted",
                Shares::Raw => "raw",
            },
            class_factors: probability.class_factors.clone(),
            smoothing,
        })
    }
}

/// How probabilities are smoothed: by a rule of a name, or by so many rows.
#[derive(Clone, FromPyObject, IntoPyObject)]
pub enum Smoothed {
    Rows(f64),
    Named(String),
}

/// How nodes answer, from what Python says.
pub fn answers(
    cost_matrix: Option<Vec<Vec<f64>>>,
    probability: &str,
    smoothing: Option<Smoothed>,
) -> PyResult<Answers> {
    let smoothing = match smoothing {
        None => None,
        Some(Smoothed::Rows(rows)) => Some(Smoothing::Rows(rows)),
        Some(Smoothed::Named(name)) => Some(Smoothing::Named(choice("smoothing", &name, &RULES)?)),
    };
    Ok(Answers { cost_matrix, shares: choice("probability", probability, &SHARES)?, smoothing })
}

/// Costs by true class and answer in whole units, and what one unit is.
#[pyfunction]
pub fn whole_costs(cost_matrix: Vec<Vec<f64>>) -> (Vec<Vec<u64>>, f64) {
    let (costs, n) = (CostMatrix::new(&cost_matrix), cost_matrix.len());
    let row = |class: usize| (0..n).map(|answer| costs.of(class, answer)).collect();
    ((0..n).map(row).collect(), costs.unit())
}

const RULES: [(&str, SmoothingRule); 1] = [("laplace", SmoothingRule::Laplace)];
const SHARES: [(&str, Shares); 2] = [("weighted", Shares::Weighted), ("raw", Shares::Raw)];

/// The name of a routing.
pub fn routing_name(routing: Routing) -> &'static str {
    match routing {
        Routing::Distribute => "distribute",
        Routing::Stop => "stop",
        Routing::NodeMajority => "node_majority",
        Routing::Mean => "mean",
    }
}

/// A route as Python has it: the name of a routing, or the number of a branch.
pub fn route(py: Python<'_>, route: Route) -> PyResult<Py<PyAny>> {
    match route {
        Route::By(routing) => routing_name(routing).into_py_any(py),
        Route::Branch(branch) => branch.into_py_any(py),
    }
}
