//! Greedy trees of tables, branch and bound, the study of many tables: convert, run, wrap.

use std::sync::Arc;

use crate::arrays::Array;
use pyo3::prelude::*;
use treewright_core::data;
use treewright_core::error::Error;
use treewright_core::outcome::Outcome;
use treewright_core::tables::{
    Comparison, Drawn, GreedyRules, Heuristic, Impurity, Plan, SearchRules, TableLimits, Uncertainty,
    compare, greedy, minimum_bounded,
};

use crate::errors::{to_py, unfinished};
use crate::grow::choice;
use crate::run::{self, Limits};
use crate::tables::{DecisionTable, TableCost};
use crate::tree::Tree;

const IMPURITIES: [(&str, Impurity); 4] = [
    ("max", Impurity::Max),
    ("sum", Impurity::Sum),
    ("weighted_max", Impurity::WeightedMax),
    ("weighted_sum", Impurity::WeightedSum),
];
const UNCERTAINTIES: [(&str, Uncertainty); 4] = [
    ("entropy", Uncertainty::Entropy),
    ("gini", Uncertainty::Gini),
    ("misclassification", Uncertainty::Misclassification),
    ("rt", Uncertainty::Rt),
];

/// Where each column of a study stands among the core's costs: total path length comes first, as in
/// the paper.
const PAPER_ORDER: [usize; 5] = [1, 0, 2, 3, 4];

/// Grow the greedy trees of some heuristics in one pass.
#[pyfunction]
#[pyo3(signature = (table, *, heuristics, alpha=0))]
pub fn greedy_trees(
    py: Python<'_>,
    table: &DecisionTable,
    heuristics: Vec<(String, String)>,
    alpha: u64,
) -> PyResult<Vec<Tree>> {
    let named = |(impurity, uncertainty): &(String, String)| -> PyResult<Heuristic> {
        Ok(Heuristic {
            impurity: choice("impurity", impurity, &IMPURITIES)?,
            uncertainty: choice("uncertainty", uncertainty, &UNCERTAINTIES)?,
        })
    };
    let heuristics = heuristics.iter().map(named).collect::<PyResult<Vec<_>>>()?;
    run::whole(py, 1, |control| {
        let plans = greedy(&table.inner, &GreedyRules { heuristics: &heuristics, alpha }, control)?;
        Ok(plans.map(|plans| plans.map(|plans| plans.iter().map(|plan| planted(plan, table)).collect())))
    })
}

/// The tree of least cost that was found, and what is proven of it.
#[pyclass(frozen, get_all, module = "treewright._core")]
pub struct TableMinimum {
    tree: Py<Tree>,
    cost: u64,
    bound: u64,
    status: &'static str,
    n_searched: u64,
    elapsed: f64,
}

/// Search for a tree of least cost by branch and bound.
#[pyfunction]
#[pyo3(signature = (table, *, cost, alpha=0, node_limit=None, memory_limit=None, limits=Limits::none(1)))]
pub fn minimum_tree_bounded(
    py: Python<'_>,
    table: &DecisionTable,
    cost: PyRef<'_, TableCost>,
    alpha: u64,
    node_limit: Option<u64>,
    memory_limit: Option<usize>,
    limits: Limits,
) -> PyResult<TableMinimum> {
    let rules = SearchRules { cost: cost.inner, alpha, node_limit, memory_limit };
    let found = run::detached(py, &limits, |control| -> Result<_, Error> {
        let found = minimum_bounded(&table.inner, &rules, control)?;
        Ok(found.map(|found| found.map(|found| (planted(&found.plan, table), found.cost))))
    })?;
    let Outcome { value, status, bound, stats } = found.map_err(to_py)?;
    let (tree, cost) = value.ok_or_else(|| {
        unfinished("the search ended early", status, " before there was a whole tree; allow more time")
    })?;
    Ok(TableMinimum {
        tree: Py::new(py, tree)?,
        cost,
        bound: bound.expect("a tree comes with a bound"),
        status: status.name(),
        n_searched: stats.n_searched,
        elapsed: stats.elapsed,
    })
}

/// How greedy trees compare with the least costs: one entry a table, heuristic and cost.
#[pyclass(frozen, get_all, module = "treewright._core")]
pub struct GreedyComparison {
    differences: Py<PyAny>,
    minima: Py<PyAny>,
    status: &'static str,
    n_done: usize,
    elapsed: f64,
}

/// Compare greedy trees with the least costs, over given tables or random ones.
#[pyfunction]
#[pyo3(signature = (tables=None, *, n_tables=0, n_rows=50, n_features=10, n_values=3, seed=0, first_table=0, node_limit=None, memory_limit=None, limits=Limits::none(1)))]
pub fn compare_greedy(
    py: Python<'_>,
    tables: Option<Vec<PyRef<'_, DecisionTable>>>,
    n_tables: usize,
    n_rows: u32,
    n_features: u32,
    n_values: u32,
    seed: u64,
    first_table: u64,
    node_limit: Option<u64>,
    memory_limit: Option<usize>,
    limits: Limits,
) -> PyResult<GreedyComparison> {
    let given: Option<Vec<Arc<data::DecisionTable>>> =
        tables.map(|tables| tables.iter().map(|table| table.inner.clone()).collect());
    let drawn = Drawn { n_rows, n_features, n_values, seed };
    let allowed = TableLimits { node_limit, memory_limit };
    let found = run::detached(py, &limits, |control| match &given {
        Some(given) => compare(given.len(), |i| Ok(given[i].clone()), &allowed, control),
        None => {
            let table = |i: usize| drawn.table(first_table.wrapping_add(i as u64)).map(Arc::new);
            compare(n_tables, table, &allowed, control)
        }
    })?;
    study(py, &found.map_err(to_py)?)
}

fn study(py: Python<'_>, found: &Outcome<Comparison>) -> PyResult<GreedyComparison> {
    let Comparison { differences, minima } = &found.value;
    let n_done = minima.len();
    let each = differences.iter().flatten();
    let differences = each.flat_map(|costs| PAPER_ORDER.map(|cost| costs[cost])).collect();
    let minima: Vec<i64> =
        minima.iter().flat_map(|costs| PAPER_ORDER.map(|cost| costs[cost] as i64)).collect();
    Ok(GreedyComparison {
        differences: Array::cube(differences, [n_done, Heuristic::ALL.len(), 5]).held(py)?,
        minima: Array::matrix(minima, 5).held(py)?,
        status: found.status.name(),
        n_done,
        elapsed: found.stats.elapsed,
    })
}

fn planted(plan: &Plan, table: &DecisionTable) -> Tree {
    Tree { inner: plan.tree(&table.inner, &table.schema) }
}
