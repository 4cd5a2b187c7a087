//! The programs that are kept, and which of them get children.
//!
//! ```text
//! offer(program), best of every size:
//!     one that behaves alike is there: the smaller one stays
//!     worse by more than 1 % than the best one that is no larger: refused
//!     its size is full and it is no better than the worst there: refused, else that one leaves
//!     programs no smaller than it and worse by more than 1 % leave
//! offer(program), front:
//!     one that is no worse, no larger and no slower is there, or one that behaves alike and is no larger
//!     and no slower: refused
//!     those that it beats so leave
//! ```
//! Sizes are in bits, counted in cells of four: what a symbol costs in a formula. Members of a coarse front
//! also keep changed copies of themselves that are no worse, the smallest first: neutral changes, from which
//! later children start.
//!
//! # Source
//! The archive of the paper's system, and its cost limits: a parent is given as many children as it had
//! before, so that those with fewest go first. Among sizes, every class gets as much work.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::task::{Bounds, SCREEN_SLACK, Scored};
use crate::model::program::Program;

/// Bits of a cell.
const CELL: f64 = 4.0;

/// Cells of a class of sizes that gets its share of the work.
const CLASS: u32 = 4;

/// Programs of one cell.
const MOST_EQUALS: usize = 6;

/// How much worse than the best one that is no larger a program may be.
const NEAR: f64 = 1.01;

/// Neutral copies that a member keeps.
const MOST_NEUTRAL: usize = 64;

/// A program that is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// The program itself.
    pub program: Program,
    /// Its size.
    pub bits: f64,
    /// What it is worth.
    pub scored: Scored,
    /// Number of programs made before it.
    pub born: u64,
    /// Children it was given so far.
    pub(super) n_children: u32,
    /// Whether its constants were searched.
    pub(super) is_tuned: bool,
    /// Other programs that are no worse, from small to large.
    pub(super) neutral: Vec<(f64, Program)>,
}

impl Member {
    pub(super) fn new(program: Program, bits: f64, scored: Scored, born: u64) -> Member {
        Member { program, bits, scored, born, n_children: 0, is_tuned: false, neutral: Vec::new() }
    }

    /// Cell of its size.
    pub(super) fn cell(&self) -> u32 {
        cell(self.bits)
    }

    /// Keeps a changed copy that is no worse, if it is among the smallest.
    pub(super) fn keep_neutral(&mut self, program: Program, bits: f64) {
        let place = self.neutral.partition_point(|(other, _)| *other <= bits);
        if place < MOST_NEUTRAL && self.neutral.iter().all(|(_, other)| *other != program) {
            self.neutral.truncate(MOST_NEUTRAL - 1);
            self.neutral.insert(place, (bits, program));
        }
    }
}

/// Cell of a size in bits.
pub fn cell(bits: f64) -> u32 {
    (bits / CELL) as u32
}

/// Which programs are kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Keep {
    /// The best of every size, and near rivals of these.
    Sizes,
    /// Those that no other one beats in loss, size and run time at once, sizes counted in cells and run times
    /// in doublings.
    CoarseFront,
    /// The same by the exact figures.
    #[default]
    Front,
}

/// Loss, size and run time, as far as they count.
type Standing = (f64, f64, u64);

impl Keep {
    /// Children that a parent gets at a time.
    pub(super) fn slice(self) -> u32 {
        match self {
            Keep::Sizes => 32,
            Keep::CoarseFront | Keep::Front => 128,
        }
    }

    /// How often a number of children was doubled.
    pub(super) fn doublings(self, n_children: u32) -> u32 {
        (n_children / self.slice() + 1).ilog2()
    }

    fn standing(self, loss: f64, bits: f64, cost: u64) -> Standing {
        match self {
            Keep::CoarseFront => (loss, f64::from(cell(bits)), u64::from((cost + 1).ilog2())),
            Keep::Sizes | Keep::Front => (loss, bits, cost),
        }
    }

    fn of(self, member: &Member) -> Standing {
        self.standing(member.scored.loss, member.bits, member.scored.cost)
    }

    /// Whether one program makes another needless.
    fn beats(self, one: &Member, other: &Member) -> bool {
        let (mine, theirs) = (self.of(one), self.of(other));
        no_worse(mine, theirs) && (mine != theirs || by_loss(one, other).is_le())
    }
}

fn no_worse(a: Standing, b: Standing) -> bool {
    a.0 <= b.0 && a.1 <= b.1 && a.2 <= b.2
}

/// Less loss; of equal losses the smaller, then the quicker program.
fn by_loss(a: &Member, b: &Member) -> Ordering {
    let by_score = a.scored.loss.total_cmp(&b.scored.loss);
    by_score.then(a.bits.total_cmp(&b.bits)).then(a.scored.cost.cmp(&b.scored.cost))
}

/// The same, of equal ones the older.
fn rank(a: &Member, b: &Member) -> Ordering {
    by_loss(a, b).then(a.born.cmp(&b.born))
}

/// Children of every class of sizes: kept apart so that a generation that does not come to its end leaves no
/// trace.
pub type Effort = BTreeMap<u32, u64>;

/// The programs that are kept: of every size from good to bad, or in a front from good to bad.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Population {
    keep: Keep,
    members: Vec<Member>,
    pub(super) effort: Effort,
}

impl Population {
    pub(super) fn new(keep: Keep) -> Population {
        Population { keep, ..Population::default() }
    }

    /// A population of programs that are offered in this order.
    pub(super) fn of(keep: Keep, members: impl IntoIterator<Item = Member>) -> Population {
        let mut population = Population::new(keep);
        for member in members {
            population.offer(member);
        }
        population
    }

    /// A population as it was stored.
    pub(super) fn restored(keep: Keep, mut members: Vec<Member>, effort: Effort) -> Population {
        members.sort_by(|a, b| order(keep, a, b));
        Population { keep, members, effort }
    }

    pub(super) fn into_members(self) -> Vec<Member> {
        self.members
    }

    /// The programs, from good to bad.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    pub(super) fn member_mut(&mut self, k: usize) -> &mut Member {
        &mut self.members[k]
    }

    /// The member of this birth.
    pub(super) fn find_mut(&mut self, born: u64) -> Option<&mut Member> {
        self.members.iter_mut().find(|member| member.born == born)
    }

    /// The member with least loss, of these the smallest.
    pub(super) fn best(&self) -> Option<&Member> {
        self.members.iter().min_by(|a, b| rank(a, b))
    }

    /// The best one that is no larger than a cell.
    pub(super) fn best_up_to(&self, cell: u32) -> Option<&Member> {
        least(self.members.iter().filter(|member| member.cell() <= cell))
    }

    /// What a program of that size must reach to be kept among sizes.
    pub(super) fn bounds(&self, cell: u32) -> Bounds {
        self.best_up_to(cell).map_or(Bounds::NONE, |best| Bounds {
            screen: best.scored.screen * SCREEN_SLACK,
            whole: best.scored.loss * NEAR,
        })
    }

    /// What a program must reach to be kept in a front: that of the best one that is no larger and no slower.
    pub(super) fn front_bounds(&self, bits: f64, cost: u64) -> Bounds {
        let small = self.members.iter().filter(|member| member.bits <= bits && member.scored.cost <= cost);
        least(small).map_or(Bounds::NONE, |best| Bounds {
            screen: best.scored.screen * SCREEN_SLACK,
            whole: best.scored.loss,
        })
    }

    /// Whether no program of this size can be kept in a front any more once it has lost so much in so much
    /// time.
    pub(super) fn is_lost(&self, bits: f64, loss: f64, cost: u64) -> bool {
        let now = self.keep.standing(loss, bits, cost);
        self.members.iter().any(|member| member.scored.loss < loss && no_worse(self.keep.of(member), now))
    }

    /// The best of every size, if better than all smaller ones.
    pub(super) fn best_of_sizes(&self) -> Vec<usize> {
        let is_best = |k: usize| {
            let member = &self.members[k];
            let others = self.members.iter().filter(|other| other.cell() <= member.cell());
            others.into_iter().all(|other| std::ptr::eq(other, member) || rank(member, other).is_lt())
        };
        (0..self.members.len()).filter(|&k| is_best(k)).collect()
    }

    /// Takes a program in, or gives it back.
    pub(super) fn offer(&mut self, new: Member) -> Option<Member> {
        match self.keep {
            Keep::Sizes => self.offer_among_sizes(new),
            Keep::CoarseFront | Keep::Front => self.offer_to_front(new),
        }
    }

    fn offer_among_sizes(&mut self, new: Member) -> Option<Member> {
        let cell = new.cell();
        if let Some(k) = self.members.iter().position(|old| old.scored.behaviour == new.scored.behaviour) {
            let size = |m: &Member| (m.bits, m.scored.cost, m.born);
            if size(&self.members[k]) <= size(&new) {
                return Some(new);
            }
            self.members.remove(k);
        }
        if new.scored.loss > self.bounds(cell).whole {
            return Some(new);
        }
        let equals = (0..self.members.len()).filter(|&k| self.members[k].cell() == cell);
        let worst = equals.skip(MOST_EQUALS - 1).last();
        if let Some(worst) = worst {
            if self.members[worst].scored.loss <= new.scored.loss {
                return Some(new);
            }
            self.members.remove(worst);
        }
        let limit = new.scored.loss * NEAR;
        self.members.retain(|old| old.cell() < cell || old.scored.loss <= limit);
        self.insert(new);
        // A class of sizes that is new starts with as much work as the one that had least.
        let least = self.effort.values().copied().min().unwrap_or(0);
        self.effort.entry(cell / CLASS).or_insert(least);
        None
    }

    fn offer_to_front(&mut self, new: Member) -> Option<Member> {
        let keep = self.keep;
        let refuses = |old: &Member| {
            let is_twin = old.scored.behaviour == new.scored.behaviour;
            keep.beats(old, &new) || is_twin && old.bits <= new.bits && old.scored.cost <= new.scored.cost
        };
        if self.members.iter().any(refuses) {
            return Some(new);
        }
        self.members.retain(|old| !keep.beats(&new, old));
        self.insert(new);
        None
    }

    fn insert(&mut self, new: Member) {
        let place = self.members.partition_point(|old| order(self.keep, old, &new).is_lt());
        self.members.insert(place, new);
    }

    /// Parents of the next slices of children, in order, and the effort after that.
    ///
    /// Among sizes the class that had least work comes first, in it the member whose children were doubled
    /// least, then the smallest. In a front the best member comes first, then those with fewest doublings.
    pub(super) fn parents(&self, n_slices: usize) -> (Vec<usize>, Effort) {
        let mut effort = self.effort.clone();
        let mut given: Vec<u32> = self.members.iter().map(|member| member.n_children).collect();
        let classes: Vec<u32> = self.members.iter().map(|member| member.cell() / CLASS).collect();
        let mut parents = Vec::with_capacity(n_slices);
        for slice in 0..n_slices {
            let fewest = |k: &usize| (self.keep.doublings(given[*k]), *k);
            let parent = match self.keep {
                Keep::Sizes => {
                    let used = |class: &u32| effort.get(class).copied().unwrap_or(0);
                    let class = classes.iter().copied().min_by_key(|class| (used(class), *class));
                    let inside = (0..classes.len()).filter(|&k| Some(classes[k]) == class);
                    inside.min_by_key(fewest)
                }
                Keep::CoarseFront | Keep::Front if slice == 0 => (!given.is_empty()).then_some(0),
                Keep::CoarseFront | Keep::Front => (0..given.len()).min_by_key(fewest),
            };
            let Some(parent) = parent else { break };
            given[parent] += self.keep.slice();
            if self.keep == Keep::Sizes {
                *effort.entry(classes[parent]).or_insert(0) += u64::from(self.keep.slice());
            }
            parents.push(parent);
        }
        (parents, effort)
    }
}

/// The first one with least loss.
fn least<'a>(members: impl Iterator<Item = &'a Member>) -> Option<&'a Member> {
    members.min_by(|a, b| a.scored.loss.total_cmp(&b.scored.loss))
}

/// Where members stand: by size, then from good to bad, or from good to bad alone.
fn order(keep: Keep, a: &Member, b: &Member) -> Ordering {
    match keep {
        Keep::Sizes => a.cell().cmp(&b.cell()).then(rank(a, b)),
        Keep::CoarseFront | Keep::Front => by_loss(a, b),
    }
}
