//! Branch and bound below one subtable, for one cost.
//!
//! ```text
//! solve(subtable, budget, goal):                 // raises lower, drops upper of its proof
//!     for each feature, in the order of its bound:
//!         children := parts, each with the larger of its static bound and its proven one
//!         while own cost + children's bounds <= budget and some child is not proven:
//!             solve(largest such child, what the others leave of the budget)
//!         a tree found: keep it; go on with its cost - 1 as the budget, unless it meets the goal
//!     no feature is left: the least of their bounds is proven
//! ```
//! A feature whose parts are those of another feature is skipped. Only whether a part has a tree
//! within what the others leave matters, so a maximum of children is content with any tree within
//! the budget, while a sum needs the least cost of each.

use super::parts::Parts;
use super::proven::{Key, Proof, Proven};
use super::view::View;
use crate::base::control::Control;
use crate::base::outcome::Status;
use crate::model::data::DecisionTable;
use crate::model::tree::{Combine, Cost};

/// Row visits between two looks at the control.
const CHECK_EVERY: u64 = 1 << 19;

/// Why a piece of a search ended before its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// The effort allowed is spent; there may be more.
    Effort,
    /// A limit of the whole search.
    Limit(Status),
}

/// What ends a search.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub n_subtables: u64,
    pub n_bytes: usize,
}

/// A feature that may vary in a subtable, and the most values it can take there.
pub(super) type Active = (u32, u32);

/// A part of a subtable.
struct Child {
    rows: Vec<u32>,
    key: Key,
    proof: Proof,
}

/// What one feature promises.
struct Choice {
    feature: u32,
    /// Values that occur.
    n_values: u32,
    bound: u64,
    impurity: f64,
    /// Says which rows go together.
    partition: Key,
}

pub(super) struct Search<'a> {
    pub table: &'a DecisionTable,
    pub cost: Cost,
    pub view: View<'a>,
    pub proven: Proven,
    pub n_searched: u64,
    /// Rows looked at so far.
    pub visits: u64,
    /// Visits at which the effort allowed is spent.
    pub last_visit: u64,
    limits: Limits,
    control: &'a Control,
    parts: Parts,
    next_check: u64,
    /// Bytes of rows held by open calls.
    held: usize,
}

impl<'a> Search<'a> {
    pub fn new(
        table: &'a DecisionTable,
        cost: Cost,
        alpha: u64,
        limits: Limits,
        control: &'a Control,
    ) -> Self {
        Search {
            table,
            cost,
            view: View::new(table, cost, alpha),
            proven: Proven::new(),
            n_searched: 0,
            visits: 0,
            last_visit: u64::MAX,
            limits,
            control,
            parts: Parts::default(),
            next_check: 0,
            held: 0,
        }
    }

    /// The key of a subtable, and its static bound joined with what is proven of it.
    pub fn look_up(&mut self, rows: &[u32], arity: u32) -> (Key, Proof) {
        self.view.look_up(rows, arity, &self.proven)
    }

    /// All features, with the sizes of their domains.
    pub fn all_features(&self) -> Vec<Active> {
        (0..self.table.n_features()).map(|f| (f as u32, self.table.arity(f))).collect()
    }

    /// Finds the least cost of a subtable that is no leaf if it is at most `budget`, or a tree of cost
    /// at most `goal`; else proves that it is above the budget. The proof is kept.
    pub fn solve(
        &mut self,
        rows: &[u32],
        key: Key,
        mut proof: Proof,
        features: &[Active],
        mut budget: u64,
        goal: u64,
    ) -> Result<Proof, End> {
        if proof.upper <= goal.min(budget) {
            return Ok(proof);
        }
        budget = budget.min(proof.upper - 1);
        self.count(proof.lower, key)?;
        let (choices, active) = self.choices(rows, features)?;
        let (mut lower, mut all_seen) = (proof.upper, true);
        for choice in choices {
            if proof.is_exact() || proof.upper <= goal {
                all_seen = false;
                break;
            }
            if choice.bound > budget {
                lower = lower.min(choice.bound);
                continue;
            }
            let left: Vec<Active> = active.iter().copied().filter(|f| f.0 != choice.feature).collect();
            let found = self.try_feature(rows, choice.feature, &left, budget)?;
            if found.upper <= budget {
                (proof.upper, proof.feature) = (found.upper, choice.feature);
                budget = found.upper.saturating_sub(1);
                self.keep(key, proof)?;
            }
            lower = lower.min(found.lower);
        }
        if all_seen {
            proof.lower = proof.lower.max(lower.min(proof.upper));
        }
        self.keep(key, proof)?;
        Ok(proof)
    }

    /// The bound and, if within the budget, the cost of the best tree that asks for `feature` first.
    fn try_feature(
        &mut self,
        rows: &[u32],
        feature: u32,
        active: &[Active],
        budget: u64,
    ) -> Result<Proof, End> {
        let arity = active.iter().map(|f| f.1).max().unwrap_or(2);
        let mut children = self.children(rows, feature, arity)?;
        let held = size_of_val(rows);
        self.held += held;
        let found = self.solve_children(&mut children, active, rows.len() as u64, budget);
        self.held -= held;
        Ok(Proof { feature, ..found? })
    }

    fn solve_children(
        &mut self,
        children: &mut [Child],
        active: &[Active],
        n_rows: u64,
        budget: u64,
    ) -> Result<Proof, End> {
        let own = self.cost.own(n_rows);
        for i in 0..children.len() {
            let lower = self.joined(own, children, |child| child.proof.lower);
            if lower > budget {
                return Ok(Proof { lower, ..Proof::NOTHING });
            }
            let (allowed, goal) = match self.cost.combine {
                Combine::Max => (budget - own, budget - own),
                Combine::Sum => (budget - (lower - children[i].proof.lower), 0),
            };
            let Child { rows, key, proof } = &children[i];
            if !proof.is_exact() {
                children[i].proof = self.solve(rows, *key, *proof, active, allowed, goal)?;
            }
        }
        let lower = self.joined(own, children, |child| child.proof.lower);
        let upper = self.joined(own, children, |child| child.proof.upper);
        Ok(Proof { lower, upper, feature: 0 })
    }

    fn joined(&self, own: u64, children: &[Child], value: impl Fn(&Child) -> u64) -> u64 {
        let values = children.iter().map(value);
        let below = values.reduce(|a, b| match self.cost.combine {
            Combine::Sum => a.saturating_add(b),
            Combine::Max => a.max(b),
        });
        below.map_or(own, |below| own.saturating_add(below))
    }

    /// Parts of a subtable, the largest first.
    fn children(&mut self, rows: &[u32], feature: u32, arity: u32) -> Result<Vec<Child>, End> {
        self.visit(rows.len())?;
        let mut parts = std::mem::take(&mut self.parts);
        parts.divide(self.table, feature as usize, rows);
        let child = |(_, rows): (u32, &[u32])| {
            let (key, proof) = self.look_up(rows, arity);
            Child { rows: rows.to_vec(), key, proof }
        };
        let mut children: Vec<Child> = parts.iter().map(child).collect();
        self.parts = parts;
        children.sort_by_key(|child| std::cmp::Reverse(child.rows.len()));
        Ok(children)
    }

    /// Features that vary, each with the bound of its trees, the most promising first; and all that
    /// vary.
    fn choices(&mut self, rows: &[u32], features: &[Active]) -> Result<(Vec<Choice>, Vec<Active>), End> {
        let mut active = Vec::with_capacity(features.len());
        let mut choices: Vec<Choice> = Vec::with_capacity(features.len());
        let mut two_largest = [2, 2];
        for &(_, arity) in features {
            two_largest = [two_largest[0].max(arity), two_largest[1].max(arity.min(two_largest[0]))];
        }
        for &(feature, arity) in features {
            self.visit(rows.len())?;
            let others = if arity == two_largest[0] { two_largest[1] } else { two_largest[0] };
            if let Some(choice) = self.choice(rows, feature, others) {
                active.push((feature, choice.n_values));
                choices.push(choice);
            }
        }
        choices.sort_by(|a, b| a.partition.cmp(&b.partition).then(a.feature.cmp(&b.feature)));
        choices.dedup_by_key(|choice| choice.partition);
        choices.sort_by(|a, b| {
            a.bound.cmp(&b.bound).then(a.impurity.total_cmp(&b.impurity)).then(a.feature.cmp(&b.feature))
        });
        Ok((choices, active))
    }

    /// `None` where the feature is constant.
    fn choice(&mut self, rows: &[u32], feature: u32, arity: u32) -> Option<Choice> {
        let mut parts = std::mem::take(&mut self.parts);
        parts.divide(self.table, feature as usize, rows);
        let choice = (parts.len() > 1).then(|| {
            let own = self.cost.own(rows.len() as u64);
            let (mut bound, mut impurity, mut partition) = (0u64, 0.0, 0);
            for (_, part) in parts.iter() {
                let (key, proof) = self.look_up(part, arity);
                bound = match self.cost.combine {
                    Combine::Sum => bound + proof.lower,
                    Combine::Max => bound.max(proof.lower),
                };
                impurity += self.view.gini_of_last();
                partition ^= mixed(key);
            }
            Choice { feature, n_values: parts.len() as u32, bound: bound + own, impurity, partition }
        });
        self.parts = parts;
        choice
    }

    /// Keeps a proof.
    pub fn keep(&mut self, key: Key, proof: Proof) -> Result<(), End> {
        if self.proven.bytes_to_grow() + self.held > self.limits.n_bytes {
            return Err(End::Limit(Status::MemoryLimit));
        }
        self.proven.set(key, proof);
        Ok(())
    }

    /// Counts a subtable when it is searched for the first time.
    fn count(&mut self, lower: u64, key: Key) -> Result<(), End> {
        if self.proven.get(key).is_some_and(|proof| proof.lower > 0) {
            return Ok(());
        }
        if self.n_searched >= self.limits.n_subtables {
            return Err(End::Limit(Status::NodeLimit));
        }
        self.n_searched += 1;
        let known = self.proven.get(key).unwrap_or(Proof::NOTHING);
        self.keep(key, Proof { lower, ..known })
    }

    /// Counts work, and looks at the limits now and then.
    fn visit(&mut self, n_rows: usize) -> Result<(), End> {
        self.visits += n_rows as u64 + 8;
        if self.visits >= self.last_visit {
            return Err(End::Effort);
        }
        if self.visits >= self.next_check {
            self.next_check = self.visits + CHECK_EVERY;
            self.control.report(self.n_searched, 0);
            self.control.checkpoint().map_err(End::Limit)?;
        }
        Ok(())
    }
}

/// Spreads a key, so that the exclusive or of spread keys stands for a set of keys.
fn mixed(key: Key) -> Key {
    let key = (key ^ (key >> 67)).wrapping_mul(0xDA94_2042_E4DD_58B5_9E37_79B9_7F4A_7C15);
    key ^ (key >> 59)
}
