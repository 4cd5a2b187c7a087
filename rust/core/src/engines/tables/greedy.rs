//! The sixteen greedy trees of a table, grown in one pass.
//!
//! ```text
//! grow(rows, heuristics):
//!     count the classes in every part of every feature          // once for all heuristics
//!     choose the best feature for each heuristic
//!     for each feature chosen: grow(its parts, the heuristics that chose it)
//! ```
//! Where heuristics agree from the root on they share subtables and counts.
//!
//! # Source
//! decision-tables, section 3: V_I = one heuristic's tree, Θ = `rows`; I(T, f) there means I(Θ, f).

use std::rc::Rc;

use super::impurity::{Heuristic, Impurities, Logs, Part};
use super::parts::{Classes, Parts};
use super::plan::Plan;
use crate::base::control::Control;
use crate::base::error::Error;
use crate::base::outcome::{Halt, Outcome, Status};
use crate::model::data::DecisionTable;

/// Row visits between two looks at the control.
const CHECK_EVERY: usize = 1 << 20;

/// Which greedy trees are grown.
#[derive(Debug, Clone, Copy)]
pub struct GreedyRules<'a> {
    /// Each of them grows a tree.
    pub heuristics: &'a [Heuristic],
    /// A subtable with at most so many pairs of rows with different decisions is a leaf.
    pub alpha: u64,
}

/// The trees of some heuristics, in their order; none where the control ends the work, for half a tree is
/// of no use. Columns constant in a subtable are no tests; ties go to the lowest column.
///
/// # Errors
/// None at present: every table has greedy trees.
///
/// # Complexity
/// Rows × columns a level of the tree and group of heuristics that agree so far.
pub fn greedy(
    table: &DecisionTable,
    rules: &GreedyRules,
    control: &Control,
) -> Result<Outcome<Option<Vec<Plan>>>, Error> {
    let found = grown(table, rules.heuristics, rules.alpha, control).map_err(Halt::from);
    Outcome::all_or_none(found, Status::Complete, control.stats(0))
}

/// The trees of [`greedy`], or what ended the work.
pub(super) fn grown(
    table: &DecisionTable,
    heuristics: &[Heuristic],
    alpha: u64,
    control: &Control,
) -> Result<Vec<Plan>, Status> {
    let set = heuristics.iter().fold(0, |set, heuristic| set | 1 << heuristic.number());
    let mut grower = Grower::new(table, alpha);
    grower.grow(set, control)?;
    Ok(heuristics.iter().map(|heuristic| grower.plans[heuristic.number()].clone()).collect())
}

/// A subtable that some heuristics reach at the same place of their trees.
struct Place {
    rows: Vec<u32>,
    /// Columns that may not be constant in it.
    features: Rc<[u32]>,
    /// Bit h: heuristic h of [`Heuristic::ALL`].
    heuristics: u16,
}

struct Grower<'a> {
    table: &'a DecisionTable,
    alpha: u64,
    plans: [Plan; 16],
    logs: Logs,
    parts: Parts,
    classes: Classes,
    /// Parts of all candidates of the subtable at hand.
    part_list: Vec<Part>,
    visits: usize,
}

/// The numbers of some heuristics.
fn members(heuristics: u16) -> impl Iterator<Item = usize> {
    (0..16).filter(move |h| heuristics >> h & 1 == 1)
}

/// A column that is not constant, with its impurities.
struct Candidate {
    feature: u32,
    impurities: Impurities,
}

impl<'a> Grower<'a> {
    fn new(table: &'a DecisionTable, alpha: u64) -> Self {
        Grower {
            table,
            alpha,
            plans: Default::default(),
            logs: Logs::new(table.n_rows()),
            parts: Parts::default(),
            classes: Classes::new(table.n_decisions()),
            part_list: Vec::new(),
            visits: 0,
        }
    }

    /// Grows depth first, so that every plan comes in preorder.
    fn grow(&mut self, heuristics: u16, control: &Control) -> Result<(), Status> {
        let rows = (0..self.table.n_rows() as u32).collect();
        let features = (0..self.table.n_features() as u32).collect();
        let mut open = vec![Place { rows, features, heuristics }];
        while let Some(place) = open.pop() {
            match self.part(&place.rows).rt <= self.alpha {
                true => self.each_plan(place.heuristics, |plan| plan.leaf(place.rows.len() as u32)),
                false => self.divide(&place, &mut open, control)?,
            }
        }
        Ok(())
    }

    fn divide(&mut self, place: &Place, open: &mut Vec<Place>, control: &Control) -> Result<(), Status> {
        let candidates = self.candidates(place, control)?;
        let features: Rc<[u32]> = candidates.iter().map(|candidate| candidate.feature).collect();
        let mut chosen: Vec<(u32, usize)> = Vec::with_capacity(16);
        for h in members(place.heuristics) {
            chosen.push((self.choose(&candidates, h), h));
        }
        chosen.sort_unstable();
        for group in chosen.chunk_by(|a, b| a.0 == b.0) {
            let chosen = group[0].0;
            let heuristics = group.iter().fold(0, |set, &(_, h)| set | 1 << h);
            self.parts.divide(self.table, chosen as usize, &place.rows);
            for (_, rows) in self.parts.iter().rev() {
                open.push(Place { rows: rows.to_vec(), features: features.clone(), heuristics });
            }
            let (n_rows, n_branches) = (place.rows.len() as u32, self.parts.len() as u32);
            self.each_plan(heuristics, |plan| plan.test(chosen, n_rows, n_branches));
        }
        Ok(())
    }

    fn each_plan(&mut self, heuristics: u16, add: impl Fn(&mut Plan)) {
        members(heuristics).for_each(|h| add(&mut self.plans[h]));
    }

    fn part(&mut self, rows: &[u32]) -> Part {
        Part::new(&mut self.classes, self.table.decisions(), rows, &self.logs)
    }

    /// The columns that are not constant, ascending.
    fn candidates(&mut self, place: &Place, control: &Control) -> Result<Vec<Candidate>, Status> {
        let mut candidates = Vec::with_capacity(place.features.len());
        self.part_list.clear();
        for &feature in place.features.iter() {
            self.visits += place.rows.len();
            if self.visits >= CHECK_EVERY {
                self.visits = 0;
                control.checkpoint()?;
            }
            self.parts.divide(self.table, feature as usize, &place.rows);
            if self.parts.len() < 2 {
                continue;
            }
            let first = self.part_list.len();
            for (_, rows) in self.parts.iter() {
                let part = Part::new(&mut self.classes, self.table.decisions(), rows, &self.logs);
                self.part_list.push(part);
            }
            candidates.push(Candidate { feature, impurities: Impurities::new(&self.part_list, first) });
        }
        Ok(candidates)
    }

    /// The feature that a heuristic takes.
    fn choose(&self, candidates: &[Candidate], heuristic: usize) -> u32 {
        let heuristic = Heuristic::ALL[heuristic];
        let mut best = candidates.first().expect("rows that differ in their decision differ in a column");
        for candidate in &candidates[1..] {
            if candidate.impurities.beats(&best.impurities, heuristic, &self.part_list) {
                best = candidate;
            }
        }
        best.feature
    }
}
