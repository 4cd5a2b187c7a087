//! A tree of least cost by branch and bound, at any time with the best tree so far and a bound.
//!
//! ```text
//! start: the sixteen greedy trees
//! with an effort that doubles from round to round:
//!     prove:   solve the whole table within budgets that rise from the bound
//!     improve: solve the subtables of the best tree, small ones first, for less than they cost
//! ```
//! A round that ends for want of effort leaves its proofs behind, so the next goes on where it stood.
//!
//! # Source
//! decision-tables, section 4 is the full graph; this is for tables whose graph is too large.

use super::boxes::{bytes_needed, least_effort, weigh};
use super::greedy::grown;
use super::impurity::{Heuristic, Impurity, Uncertainty};
use super::parts::Parts;
use super::plan::Plan;
use super::proven::{Key, Proof};
use super::search::{Active, End, Limits, Search};
use crate::base::control::Control;
use crate::base::error::Error;
use crate::base::outcome::{Outcome, Status};
use crate::model::data::DecisionTable;
use crate::model::tree::{Combine, Cost};

/// Row visits of the first round.
const FIRST_EFFORT: u64 = 1 << 19;

/// What is minimised, and what may be used for it.
#[derive(Debug, Clone, Copy)]
pub struct SearchRules {
    /// What is minimised.
    pub cost: Cost,
    /// Subtables of at most so many unequal pairs are leaves.
    pub alpha: u64,
    /// Most subtables searched.
    pub node_limit: Option<u64>,
    /// Most bytes kept.
    pub memory_limit: Option<usize>,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bounded {
    /// The best tree.
    pub plan: Plan,
    /// What it costs.
    pub cost: u64,
}

/// Searches for a tree of least cost. One thread: what is found does not depend on their number. There is
/// a tree unless the work is cancelled before the first; searched are subtables, and the bound is of the cost.
///
/// # Errors
/// A cost too large for the table.
pub fn minimum_bounded(
    table: &DecisionTable,
    rules: &SearchRules,
    control: &Control,
) -> Result<Outcome<Option<Bounded>, u64>, Error> {
    rules.cost.check(table.n_rows(), table.n_features())?;
    let deepest = table.n_features().min(table.n_rows());
    let found = on_stack_for(deepest, || run(table, rules, control));
    Ok(Outcome::of(found, control.stats(0)))
}

/// Runs `work` where calls can nest `depth` deep.
fn on_stack_for<T: Send>(depth: usize, work: impl FnOnce() -> T + Send) -> T {
    const SHALLOW: usize = 256;
    const LEVEL: usize = 8192;
    if depth <= SHALLOW {
        return work();
    }
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(depth * LEVEL + (1 << 20));
        let thread = builder.spawn_scoped(scope, work).expect("a thread can be started");
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn run(
    table: &DecisionTable,
    rules: &SearchRules,
    control: &Control,
) -> Result<Outcome<Bounded, u64>, Status> {
    let limits = Limits {
        n_subtables: rules.node_limit.unwrap_or(u64::MAX),
        n_bytes: rules.memory_limit.unwrap_or(usize::MAX),
    };
    let plans = first_plans(table, rules.alpha, control)?;
    let mut hunt = Hunt::new(Search::new(table, rules.cost, rules.alpha, limits, control), rules, control);
    let status = hunt.start(&plans).and_then(|()| hunt.rounds()).map_or_else(as_status, |()| Status::Optimal);
    let plan = hunt.best_plan(plans);
    let cost = plan.cost(&rules.cost);
    let bound = hunt.root.lower.min(cost);
    let status = if bound == cost { Status::Optimal } else { status };
    let stats = control.stats(hunt.search.n_searched);
    Ok(Outcome { value: Bounded { plan, cost }, status, bound: Some(bound), stats })
}

/// Greedy trees to begin with: one in any case, all sixteen if the limits allow it.
fn first_plans(table: &DecisionTable, alpha: u64, control: &Control) -> Result<Vec<Plan>, Status> {
    const BEGINNING: Heuristic =
        Heuristic { impurity: Impurity::WeightedSum, uncertainty: Uncertainty::Gini };
    let one = control.first(|| grown(table, &[BEGINNING], alpha, control))?;
    Ok(grown(table, &Heuristic::ALL, alpha, control).unwrap_or(one))
}

fn as_status(halt: End) -> Status {
    match halt {
        End::Limit(status) => status,
        End::Effort => unreachable!("rounds go on until they are done or at a limit"),
    }
}

/// The search of the whole table.
struct Hunt<'a> {
    search: Search<'a>,
    rules: &'a SearchRules,
    control: &'a Control,
    rows: Vec<u32>,
    features: Vec<Active>,
    key: Key,
    /// Of the whole table.
    root: Proof,
    parts: Parts,
    /// Effort from which on boxes are weighed again.
    next_weighing: u64,
}

impl<'a> Hunt<'a> {
    fn new(mut search: Search<'a>, rules: &'a SearchRules, control: &'a Control) -> Self {
        let rows: Vec<u32> = (0..search.table.n_rows() as u32).collect();
        let features = search.all_features();
        let arity = features.iter().map(|f| f.1).max().unwrap_or(2);
        let (key, root) = search.look_up(&rows, arity);
        Hunt { search, rules, control, rows, features, key, root, parts: Parts::default(), next_weighing: 0 }
    }

    /// Notes every subtable of some trees with what it costs there.
    fn start(&mut self, plans: &[Plan]) -> Result<(), End> {
        for plan in plans {
            self.note(plan)?;
        }
        self.refresh();
        Ok(())
    }

    fn note(&mut self, plan: &Plan) -> Result<(), End> {
        let costs = plan.costs(&self.rules.cost);
        let mut open = vec![self.rows.clone()];
        for (step, value) in plan.steps().iter().zip(costs) {
            let rows = open.pop().expect("every step has its rows");
            let Some(feature) = step.feature else { continue };
            let key = self.search.view.key(&rows);
            let known = self.search.proven.get(key).unwrap_or(Proof::NOTHING);
            if value < known.upper {
                self.search.keep(key, Proof { upper: value, feature, ..known })?;
            }
            self.parts.divide(self.search.table, feature as usize, &rows);
            open.extend(self.parts.iter().rev().map(|(_, part)| part.to_vec()));
        }
        Ok(())
    }

    /// Takes over what the memo knows of the whole table.
    fn refresh(&mut self) {
        if self.root.is_exact() {
            return;
        }
        if let Some(known) = self.search.proven.get(self.key) {
            self.root = Proof { lower: self.root.lower.max(known.lower), ..known };
        }
        self.control.report_best(self.root.upper as f64);
        self.control.report_bound(self.root.lower as f64);
    }

    fn rounds(&mut self) -> Result<(), End> {
        let n_cells = (self.rows.len() * self.features.len()) as u64;
        let mut effort = FIRST_EFFORT.max(32 * n_cells);
        while !self.root.is_exact() {
            self.within(effort, Self::prove)?;
            if !self.root.is_exact() {
                self.weigh_boxes(effort)?;
            }
            let (rows, features) = (self.rows.clone(), self.features.clone());
            self.within(effort, |hunt| hunt.improve(&rows, &features, effort / 16).map(|_| ()))?;
            effort *= 2;
        }
        Ok(())
    }

    /// Does some work until it is done or the effort is spent.
    fn within(&mut self, effort: u64, work: impl FnOnce(&mut Self) -> Result<(), End>) -> Result<(), End> {
        self.search.last_visit = self.search.visits + effort;
        let done = work(self);
        self.search.last_visit = u64::MAX;
        self.refresh();
        match done {
            Err(End::Effort) => Ok(()),
            done => done,
        }
    }

    /// Raises the bound of the whole table until it meets the best tree.
    fn prove(&mut self) -> Result<(), End> {
        let mut step = 0;
        while !self.root.is_exact() {
            let budget = (self.root.lower + step).min(self.root.upper - 1);
            let goal = if self.rules.cost.combine == Combine::Max { budget } else { 0 };
            let (rows, features) = (std::mem::take(&mut self.rows), std::mem::take(&mut self.features));
            let found = self.search.solve(&rows, self.key, self.root, &features, budget, goal);
            (self.rows, self.features) = (rows, features);
            self.root = found?;
            step = 2 * step + 1;
        }
        Ok(())
    }

    /// Weighs the rows by their boxes, or does it again with four times the effort.
    fn weigh_boxes(&mut self, effort: u64) -> Result<(), End> {
        let (table, limit) = (self.search.table, self.rules.memory_limit.unwrap_or(usize::MAX));
        let worth_it = self.rules.alpha == 0 && effort >= self.next_weighing.max(least_effort(table) / 4);
        if !worth_it || self.search.proven.bytes() + bytes_needed(table) > limit {
            return Ok(());
        }
        let boxes = weigh(table, effort, self.control);
        let boxes = boxes.map_err(End::Limit)?;
        self.next_weighing = if boxes.cut_short { 4 * effort } else { u64::MAX };
        self.search.view.boxes = Some(boxes);
        let arity = self.features.iter().map(|f| f.1).max().unwrap_or(2);
        let (_, proof) = self.search.look_up(&self.rows, arity);
        self.root.lower = self.root.lower.max(proof.lower);
        Ok(())
    }

    /// Solves the subtables of the best tree, children before their parents; returns what it costs then.
    fn improve(&mut self, rows: &[u32], features: &[Active], effort: u64) -> Result<u64, End> {
        let arity = features.iter().map(|f| f.1).max().unwrap_or(2);
        let (key, proof) = self.search.look_up(rows, arity);
        if proof.is_exact() {
            return Ok(proof.upper);
        }
        self.parts.divide(self.search.table, proof.feature as usize, rows);
        let parts: Vec<Vec<u32>> = self.parts.iter().map(|(_, part)| part.to_vec()).collect();
        let left: Vec<Active> = features.iter().copied().filter(|f| f.0 != proof.feature).collect();
        let mut below = None;
        for part in parts {
            let cost = self.improve(&part, &left, effort)?;
            below = Some(below.map_or(cost, |below| self.rules.cost.join(below, cost)));
        }
        let upper = self.rules.cost.own(rows.len() as u64) + below.unwrap_or(0);
        let proof = Proof { upper, ..proof };
        self.search.keep(key, proof)?;
        let end = std::mem::replace(&mut self.search.last_visit, 0);
        self.search.last_visit = end.min(self.search.visits + effort);
        let goal = if self.rules.cost.combine == Combine::Max { upper - 1 } else { 0 };
        let solved = self.search.solve(rows, key, proof, features, upper - 1, goal);
        self.search.last_visit = end;
        match solved {
            Err(End::Effort) if self.search.visits < end => {
                Ok(self.search.proven.get(key).map_or(upper, |known| known.upper.min(upper)))
            }
            solved => Ok(solved?.upper),
        }
    }

    /// The best tree that the memo and the greedy trees know.
    fn best_plan(&mut self, plans: Vec<Plan>) -> Plan {
        let cost = self.rules.cost;
        let best = plans.into_iter().min_by_key(|plan| plan.cost(&cost)).expect("there are sixteen");
        if self.root.upper >= best.cost(&cost) {
            return best;
        }
        let mut plan = Plan::default();
        let mut open = vec![self.rows.clone()];
        while let Some(rows) = open.pop() {
            let n_rows = rows.len() as u32;
            if self.search.view.is_leaf(&rows) {
                plan.leaf(n_rows);
                continue;
            }
            let known = self.search.proven.get(self.search.view.key(&rows));
            let feature = known.expect("a subtable of the best tree is kept").feature;
            self.parts.divide(self.search.table, feature as usize, &rows);
            plan.test(feature, n_rows, self.parts.len() as u32);
            open.extend(self.parts.iter().rev().map(|(_, part)| part.to_vec()));
        }
        plan
    }
}
