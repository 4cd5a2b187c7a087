//! Greedy trees against the least costs, over many tables.
//!
//! # Source
//! decision-tables, section 5: relative difference = (greedy cost − least cost) / least cost, for
//! tables drawn uniformly, equal rows merged with their most common decision.

use std::sync::Arc;

use super::bounded::{SearchRules, minimum_bounded};
use super::greedy::grown;
use super::impurity::Heuristic;
use super::minima::Minima;
use super::subtables::{GraphRules, SubtableGraph};
use crate::base::control::Control;
use crate::base::error::Error;
use crate::base::outcome::{Halt, Outcome, Status};
use crate::base::random::Random;
use crate::model::data::{DecisionTable, OnConflict};
use crate::model::tree::Cost;

/// Tables a thread works on between two reports.
const CHUNK: usize = 32;

/// Subtables up to which the graph of a large table is built, where the caller sets no limit.
const LARGEST_GRAPH: u64 = 1 << 20;

/// Random tables: every value and decision is one of `0..n_values`, all as likely.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drawn {
    /// Rows drawn, of which equal ones merge.
    pub n_rows: u32,
    /// The number of features.
    pub n_features: u32,
    /// Values of a feature, and decisions.
    pub n_values: u32,
    /// The random seed.
    pub seed: u64,
}

impl Drawn {
    /// Table number `index`: the same whatever else is drawn.
    ///
    /// # Errors
    /// No rows or no values to draw from.
    pub fn table(&self, index: u64) -> Result<DecisionTable, Error> {
        let mut random = Random::stream(self.seed, index);
        let mut draw = || (0..self.n_rows).map(|_| random.below(self.n_values.max(1))).collect::<Vec<u32>>();
        let columns: Vec<Vec<u32>> = (0..self.n_features).map(|_| draw()).collect();
        let (arities, decisions) = (vec![self.n_values; columns.len()], draw());
        let merged =
            DecisionTable::merged(columns, arities, decisions, self.n_values, OnConflict::MostCommon);
        merged.map(|(table, _)| table)
    }
}

/// What was found of the tables done, in their order: all, or those before the first that a limit
/// kept from being done.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Comparison {
    /// Of each table, heuristic of [`Heuristic::ALL`] and cost of [`Cost::NAMED`]; 0 for 0/0,
    /// infinite for x/0.
    pub differences: Vec<[[f64; 5]; 16]>,
    /// Least costs of each table.
    pub minima: Vec<[u64; 5]>,
}

/// What may be used for one table.
#[derive(Debug, Clone, Copy, Default)]
pub struct TableLimits {
    /// Most subtables searched.
    pub node_limit: Option<u64>,
    /// Most bytes kept.
    pub memory_limit: Option<usize>,
}

/// Compares on `n_tables` tables, each handed out by its number.
///
/// # Errors
/// What `table` fails with.
pub fn compare(
    n_tables: usize,
    table: impl Fn(usize) -> Result<Arc<DecisionTable>, Error> + Sync,
    limits: &TableLimits,
    control: &Control,
) -> Result<Outcome<Comparison>, Error> {
    let mut found = Comparison::default();
    let status = match compare_all(n_tables, table, limits, control, &mut found) {
        Ok(()) => Status::Complete,
        Err(Halt::Ended(status)) => status,
        Err(Halt::Failed(error)) => return Err(error),
    };
    let stats = control.stats(found.minima.len() as u64);
    Ok(Outcome { value: found, status, bound: None, stats })
}

/// Adds the tables to what is found, as far as the control allows.
fn compare_all(
    n_tables: usize,
    table: impl Fn(usize) -> Result<Arc<DecisionTable>, Error> + Sync,
    limits: &TableLimits,
    control: &Control,
    found: &mut Comparison,
) -> Result<(), Halt> {
    let round = CHUNK * control.n_threads();
    for first in (0..n_tables).step_by(round) {
        let numbers: Vec<usize> = (first..n_tables.min(first + round)).collect();
        let work = |minima: &mut Minima, &number: &usize| -> Result<OneTable, Halt> {
            control.checkpoint()?;
            Ok(compare_one(&table(number)?, minima, limits, control)?)
        };
        for result in control.map(&numbers, Minima::default, work) {
            let (differences, minima) = result?;
            found.differences.push(differences);
            found.minima.push(minima);
        }
        control.report(found.minima.len() as u64, n_tables as u64);
    }
    Ok(())
}

type OneTable = ([[f64; 5]; 16], [u64; 5]);

fn compare_one(
    table: &Arc<DecisionTable>,
    minima: &mut Minima,
    limits: &TableLimits,
    control: &Control,
) -> Result<OneTable, Status> {
    let plans = grown(table, &Heuristic::ALL, 0, control)?;
    let minima = match is_small(table, limits) {
        true => minima.of(table).expect("a small table has small costs"),
        false => large_minima(table, limits, control)?,
    };
    let relative = |cost: u64, least: u64| match (cost, least) {
        (0, 0) => 0.0,
        (_, 0) => f64::INFINITY,
        _ => (cost - least) as f64 / least as f64,
    };
    let differences =
        std::array::from_fn(|h| std::array::from_fn(|c| relative(plans[h].cost(&Cost::NAMED[c]), minima[c])));
    Ok((differences, minima))
}

/// Whether all subtables are few whatever the rows are, so that nothing needs to be watched.
fn is_small(table: &DecisionTable, limits: &TableLimits) -> bool {
    let unlimited = limits.node_limit.is_none() && limits.memory_limit.is_none();
    unlimited && table.n_rows() <= 64 && table.n_features() <= 12
}

/// Least costs from the graph of subtables, or where it is too large each by its own search.
fn large_minima(
    table: &Arc<DecisionTable>,
    limits: &TableLimits,
    control: &Control,
) -> Result<[u64; 5], Status> {
    let rules = GraphRules {
        alpha: 0,
        node_limit: limits.node_limit.unwrap_or(LARGEST_GRAPH),
        memory_limit: limits.memory_limit.unwrap_or(usize::MAX),
    };
    let graph = SubtableGraph::build(table, &rules, control).ok();
    match graph.map(|graph| (graph.status, graph.value.least())) {
        Some((_, Some(least))) => Ok(least),
        Some((status @ (Status::TimeLimit | Status::Stopped), _)) => Err(status),
        _ => searched_minima(table, limits, control),
    }
}

fn searched_minima(
    table: &DecisionTable,
    limits: &TableLimits,
    control: &Control,
) -> Result<[u64; 5], Status> {
    let mut minima = [0; 5];
    for (minimum, cost) in minima.iter_mut().zip(Cost::NAMED) {
        let rules =
            SearchRules { cost, alpha: 0, node_limit: limits.node_limit, memory_limit: limits.memory_limit };
        let found = minimum_bounded(table, &rules, control).expect("the named costs fit every table");
        match (found.status, found.value) {
            (Status::Optimal, Some(found)) => *minimum = found.cost,
            (status, _) => return Err(status),
        }
    }
    Ok(minima)
}
