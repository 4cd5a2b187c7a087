//! The rules that are kept: the best of every size, and near rivals of these.
//!
//! ```text
//! offer(rule):
//!     a rule that prunes alike is there: the smaller one stays
//!     worse by more than 1 % than the best one that is no larger: refused
//!     its size is full and it is no better than the worst there: refused, else that one leaves
//!     rules no smaller than it and worse by more than 1 % leave
//! ```
//! Sizes are in bits, counted in cells of four: what a symbol costs in a rule of two numbers.
//!
//! # Source
//! The archive of the paper's system: a rule stays unless one that is no larger is better. Parents are
//! drawn so that every class of sizes gets as much work, in it the one that had fewest children, counted
//! in doublings, then the smallest.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::judge::{Bounds, SCREEN_SLACK, Scored};
use crate::model::program::{Program, Vocabulary};

/// Bits of a cell.
const CELL: f64 = 4.0;

/// Cells of a class of sizes that gets its share of the work.
const CLASS: u32 = 4;

/// Rules of one cell.
const MOST_EQUALS: usize = 6;

/// How much worse than the best one that is no larger a rule may be.
const NEAR: f64 = 1.01;

/// Children that a parent gets at a time.
pub const SLICE: u32 = 32;

/// A rule that is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    pub program: Program,
    pub bits: f64,
    /// Work for a pair.
    pub cost: u32,
    pub scored: Scored,
    /// Number of programs made before it.
    pub born: u64,
    /// Children it was given so far.
    pub n_children: u32,
    /// Whether its constants were searched.
    pub is_tuned: bool,
}

impl Member {
    pub fn new(program: Program, cost: u32, scored: Scored, born: u64) -> Member {
        let bits = program.bits(&Vocabulary::scalar());
        Member { program, bits, cost, scored, born, n_children: 0, is_tuned: false }
    }

    /// Cell of its size.
    pub fn cell(&self) -> u32 {
        cell(self.bits)
    }
}

/// Cell of a size in bits.
pub fn cell(bits: f64) -> u32 {
    (bits / CELL) as u32
}

/// Which member gets children next, and who had how many: kept apart so that a generation that does
/// not come to its end leaves no trace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Effort {
    /// Children of every class of sizes.
    pub classes: BTreeMap<u32, u64>,
}

/// The rules that are kept, by size, then from good to bad.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Population {
    members: Vec<Member>,
    pub effort: Effort,
}

impl Population {
    /// A population of rules that are offered in this order.
    pub fn of(members: impl IntoIterator<Item = Member>) -> Population {
        let mut population = Population::default();
        for member in members {
            population.offer(member);
        }
        population
    }

    pub fn into_members(self) -> Vec<Member> {
        self.members
    }

    /// A population as it was stored.
    pub fn restored(mut members: Vec<Member>, effort: Effort) -> Population {
        members.sort_by(order);
        Population { members, effort }
    }

    pub fn members(&self) -> &[Member] {
        &self.members
    }

    pub fn member_mut(&mut self, k: usize) -> &mut Member {
        &mut self.members[k]
    }

    /// The best one that is no larger than a cell.
    pub fn best_up_to(&self, cell: u32) -> Option<&Member> {
        let small = self.members.iter().filter(|member| member.cell() <= cell);
        small.min_by(|a, b| a.scored.whole.total_cmp(&b.scored.whole))
    }

    /// What a rule of that size must reach to be kept.
    pub fn bounds(&self, cell: u32) -> Bounds {
        self.best_up_to(cell).map_or(Bounds::NONE, |best| Bounds {
            screen: best.scored.screen * SCREEN_SLACK,
            whole: best.scored.whole * NEAR,
        })
    }

    /// Whether a rule is better than all that are no larger.
    pub fn is_best_of_its_size(&self, k: usize) -> bool {
        let member = &self.members[k];
        let others = self.members.iter().filter(|other| other.cell() <= member.cell());
        others.into_iter().all(|other| std::ptr::eq(other, member) || rank(member, other).is_lt())
    }

    /// The best of every size, if better than all smaller ones.
    pub fn front(&self) -> Vec<usize> {
        (0..self.members.len()).filter(|&k| self.is_best_of_its_size(k)).collect()
    }

    /// Takes a rule in, or not; true if it is there now.
    pub fn offer(&mut self, new: Member) -> bool {
        let cell = new.cell();
        if let Some(k) = self.members.iter().position(|old| old.scored.behaviour == new.scored.behaviour) {
            let old = &self.members[k];
            if (old.bits, old.cost, old.born) <= (new.bits, new.cost, new.born) {
                return false;
            }
            self.members.remove(k);
        }
        if new.scored.whole > self.bounds(cell).whole {
            return false;
        }
        let equals: Vec<usize> =
            (0..self.members.len()).filter(|&k| self.members[k].cell() == cell).collect();
        if equals.len() >= MOST_EQUALS {
            let worst = equals[equals.len() - 1];
            if self.members[worst].scored.whole <= new.scored.whole {
                return false;
            }
            self.members.remove(worst);
        }
        let limit = new.scored.whole * NEAR;
        self.members.retain(|old| old.cell() < cell || old.scored.whole <= limit);
        let place = self.members.partition_point(|old| order(old, &new).is_lt());
        self.members.insert(place, new);
        self.open_class(cell / CLASS);
        true
    }

    /// A class of sizes that is new starts with as much work as the one that had least.
    fn open_class(&mut self, class: u32) {
        let least = self.effort.classes.values().copied().min().unwrap_or(0);
        self.effort.classes.entry(class).or_insert(least);
    }

    /// Parents of the next slices of children, in order, and the effort after that.
    pub fn parents(&self, n_slices: usize) -> (Vec<usize>, Effort) {
        let mut effort = self.effort.clone();
        let mut given: Vec<u32> = self.members.iter().map(|member| member.n_children).collect();
        let classes: Vec<u32> = self.members.iter().map(|member| member.cell() / CLASS).collect();
        let mut parents = Vec::with_capacity(n_slices);
        for _ in 0..n_slices {
            let used = |class: &u32| effort.classes.get(class).copied().unwrap_or(0);
            let Some(&class) = classes.iter().min_by_key(|class| (used(class), **class)) else { break };
            let inside = (0..classes.len()).filter(|&k| classes[k] == class);
            let parent = inside.min_by_key(|&k| (doublings(given[k]), k)).expect("the class has a member");
            given[parent] += SLICE;
            *effort.classes.entry(class).or_insert(0) += u64::from(SLICE);
            parents.push(parent);
        }
        (parents, effort)
    }
}

/// How often the number of children was doubled.
fn doublings(n_children: u32) -> u32 {
    (n_children / SLICE + 1).ilog2()
}

/// Fewer losses; of equal ones the smaller, quicker, older rule.
fn rank(a: &Member, b: &Member) -> Ordering {
    let by_score = a.scored.whole.total_cmp(&b.scored.whole);
    by_score.then(a.bits.total_cmp(&b.bits)).then(a.cost.cmp(&b.cost)).then(a.born.cmp(&b.born))
}

/// By size, then from good to bad.
fn order(a: &Member, b: &Member) -> Ordering {
    a.cell().cmp(&b.cell()).then(rank(a, b))
}
