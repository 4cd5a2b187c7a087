//! Decision tables: convert and wrap.

use std::sync::Arc;

use crate::arrays::{Array, Vector};
use pyo3::prelude::*;
use treewright_core::data::{self, Feature, MissingMode, OnConflict, Schema};
use treewright_core::error::Error;
use treewright_core::tables::{GraphRules, planted};
use treewright_core::tree::{Combine, Cost};

use crate::convert;
use crate::errors::{ParameterError, to_py};
use crate::graph::SubtableGraph;
use crate::grow::choice;
use crate::run::Limits;
use crate::tree::Tree;

/// A decision table with the names of what its codes stand for.
#[pyclass(frozen, module = "treewright._core")]
pub struct DecisionTable {
    pub inner: Arc<data::DecisionTable>,
    pub schema: Arc<Schema>,
    first_rows: Vec<i64>,
}

#[pymethods]
impl DecisionTable {
    /// Build from codes, equal rows merged. A last level None stands for a missing value.
    #[staticmethod]
    #[pyo3(signature = (names, columns, levels, decisions, classes, on_conflict))]
    fn from_codes(
        py: Python<'_>,
        names: Vec<String>,
        columns: Vec<Vector<i32>>,
        levels: Vec<Bound<'_, PyAny>>,
        decisions: Vector<i32>,
        classes: &Bound<'_, PyAny>,
        on_conflict: &str,
    ) -> PyResult<Self> {
        const RULES: [(&str, OnConflict); 2] =
            [("raise", OnConflict::Raise), ("most_common", OnConflict::MostCommon)];
        let rule = choice("on_conflict", on_conflict, &RULES)?;
        let features = names.into_iter().zip(&levels).map(|(name, levels)| feature(name, levels));
        let schema =
            Schema { features: features.collect::<PyResult<_>>()?, classes: convert::labels(classes)? };
        let codes = |array: &Vector<i32>| -> Vec<u32> { array.0.iter().map(|&code| code as u32).collect() };
        let (columns, decisions) = (columns.iter().map(codes).collect::<Vec<_>>(), codes(&decisions));
        let arities = schema.features.iter().map(|f| f.n_branches() as u32).collect();
        let n_decisions = schema.classes.len() as u32;
        let merged =
            py.detach(|| data::DecisionTable::merged(columns, arities, decisions, n_decisions, rule));
        let (table, first) = merged.map_err(|error| to_py(named(error, &schema)))?;
        let first_rows = first.into_iter().map(i64::from).collect();
        Ok(DecisionTable { inner: Arc::new(table), schema: Arc::new(schema), first_rows })
    }

    #[getter]
    fn n_rows(&self) -> usize {
        self.inner.n_rows()
    }

    #[getter]
    fn n_features(&self) -> usize {
        self.inner.n_features()
    }

    #[getter]
    fn n_classes(&self) -> usize {
        self.schema.classes.len()
    }

    #[getter]
    fn names(&self) -> Vec<String> {
        self.schema.features.iter().map(|f| f.name.clone()).collect()
    }

    /// Values of every feature, None last where missing is one.
    #[getter]
    fn levels(&self, py: Python<'_>) -> PyResult<Vec<Vec<Py<PyAny>>>> {
        let of = |feature: &Feature| {
            let mut levels = convert::label_objects(py, feature.levels.as_deref().unwrap_or_default())?;
            if feature.missing == MissingMode::Value {
                levels.push(py.None());
            }
            Ok(levels)
        };
        self.schema.features.iter().map(of).collect()
    }

    #[getter]
    fn classes(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        convert::label_objects(py, &self.schema.classes)
    }

    /// Build the graph of all subtables.
    #[pyo3(signature = (*, alpha=0, node_limit=None, memory_limit=None, limits=Limits::none(1)))]
    fn subtable_graph(
        &self,
        py: Python<'_>,
        alpha: u64,
        node_limit: Option<u64>,
        memory_limit: Option<usize>,
        limits: Limits,
    ) -> PyResult<SubtableGraph> {
        let rules = GraphRules {
            alpha,
            node_limit: node_limit.unwrap_or(u64::MAX),
            memory_limit: memory_limit.unwrap_or(usize::MAX),
        };
        SubtableGraph::build(py, self, &rules, &limits)
    }

    /// Codes of one feature.
    fn column<'py>(&self, _py: Python<'py>, i: usize) -> PyResult<Array<i32>> {
        let n_features = self.inner.n_features();
        let out_of_range = || ParameterError::new_err(("i", i, format!("is no feature of {n_features}")));
        (i < n_features).then(|| codes_array(self.inner.column(i))).ok_or_else(out_of_range)
    }

    /// The tree whose nodes have these features, in preorder; None is a leaf.
    fn plant(&self, py: Python<'_>, features: Vec<Option<usize>>) -> PyResult<Tree> {
        let planted = py.detach(|| planted(&self.inner, &self.schema, &features));
        Ok(Tree { inner: planted.map_err(to_py)? })
    }

    /// Class code of every row.
    #[getter]
    fn decisions<'py>(&self, _py: Python<'py>) -> Array<i32> {
        codes_array(self.inner.decisions())
    }

    /// The row handed over that each row came from, the first of its equals.
    #[getter]
    fn first_rows(&self) -> Array<i64> {
        Array::new(self.first_rows.clone())
    }
}

fn codes_array(codes: &[u32]) -> Array<i32> {
    Array::new(codes.iter().map(|&code| code as i32).collect())
}

fn feature(name: String, levels: &Bound<'_, PyAny>) -> PyResult<Feature> {
    let mut values: Vec<Bound<'_, PyAny>> = levels.try_iter()?.collect::<PyResult<_>>()?;
    let has_missing = values.last().is_some_and(|last| last.is_none());
    if has_missing {
        values.pop();
    }
    let levels = values.iter().map(convert::label).collect::<PyResult<_>>()?;
    let missing = if has_missing { MissingMode::Value } else { MissingMode::Unknown };
    Ok(Feature { name, levels: Some(levels), missing, range: None })
}

/// The error with names in the place of codes.
fn named(error: Error, schema: &Schema) -> Error {
    match error {
        Error::CodeOutOfRange { column, row, code, n_levels, .. } => {
            let feature = schema.features[column].name.clone();
            Error::CodeOutOfRange { feature, column, row, code: (code as i32).into(), n_levels }
        }
        Error::ClassOutOfRange { row, code, n_classes } => {
            Error::ClassOutOfRange { row, code: (code as i32).into(), n_classes }
        }
        Error::ConflictingRows { first, second, first_decision, second_decision } => {
            let label = |code: String| match code.parse::<usize>() {
                Ok(code) => schema.classes[code].to_string(),
                Err(_) => code,
            };
            let (first_decision, second_decision) = (label(first_decision), label(second_decision));
            Error::ConflictingRows { first, second, first_decision, second_decision }
        }
        other => other,
    }
}

/// What a tree costs: added up, or the largest, over its branches.
#[pyclass(frozen, eq, hash, module = "treewright._core")]
#[derive(PartialEq, Eq, Hash)]
pub struct TableCost {
    pub inner: Cost,
}

#[pymethods]
impl TableCost {
    #[new]
    fn new(leaf: u64, per_row: u64, per_node: u64, combine: &str) -> PyResult<Self> {
        let combine = choice("combine", combine, &[("sum", Combine::Sum), ("max", Combine::Max)])?;
        Ok(TableCost { inner: Cost { leaf, per_row, per_node, combine } })
    }

    /// One of the costs that have a name.
    #[staticmethod]
    fn named(name: &str) -> PyResult<Self> {
        let known: Vec<(&str, Cost)> = Cost::NAMES.into_iter().zip(Cost::NAMED).collect();
        Ok(TableCost { inner: choice("cost", name, &known)? })
    }
}

/// The costs of a list, for an engine.
pub fn costs_of(costs: &[PyRef<'_, TableCost>]) -> Vec<Cost> {
    costs.iter().map(|cost| cost.inner).collect()
}

/// The rows of a table that reach each node of a tree; features match by position, values by label.
#[pyfunction]
pub fn rows_reaching(py: Python<'_>, tree: &Tree, table: &DecisionTable) -> PyResult<Array<i64>> {
    let reaching = py.detach(|| tree.inner.rows_reaching(&table.inner, &table.schema)).map_err(to_py)?;
    Ok(Array::new(reaching.into_iter().map(|n_rows| n_rows as i64).collect()))
}

/// Costs of a tree for a table, in their order; features match by position, values by label.
#[pyfunction]
pub fn tree_costs(
    py: Python<'_>,
    tree: &Tree,
    table: &DecisionTable,
    costs: Vec<PyRef<'_, TableCost>>,
) -> PyResult<Vec<u128>> {
    let reaching = py.detach(|| tree.inner.rows_reaching(&table.inner, &table.schema)).map_err(to_py)?;
    Ok(costs_of(&costs).iter().map(|cost| tree.inner.cost(cost, &reaching)).collect())
}
