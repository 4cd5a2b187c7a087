//! The programs that are kept: those that no other one beats in loss, size and run time at once.
//!
//! ```text
//! offer(program):
//!     one with the same behaviour that is no larger and no slower is there: refused
//!     one that is no worse, no larger and no slower is there: refused
//!     those that it beats so leave
//! ```
//! Sizes count in cells of four bits, run times in doublings. Every member also keeps changed copies of
//! itself that are no worse, the smallest first: neutral moves, from which later children start.
//!
//! # Source
//! The archive of the paper's system, and its cost limits: a parent is given as many children as it had
//! before, so that those with fewest go first.

use crate::model::program::Program;

use super::judge::Scored;

/// Bits of a cell.
const CELL: f64 = 4.0;

/// Neutral copies that a member keeps.
const MOST_NEUTRAL: usize = 64;

/// Children that a parent gets at a time.
pub const SLICE: u32 = 128;

/// A program that is kept.
#[derive(Debug, Clone)]
pub struct Member {
    pub program: Program,
    pub bits: f64,
    pub scored: Scored,
    /// Number of programs made before it.
    pub born: u64,
    /// Children it was given so far.
    pub n_children: u32,
    /// Other programs that are no worse, from small to large.
    neutral: Vec<(f64, Program)>,
}

/// What decides whether one program beats another: cells of loss, size, time, then the exact figures.
type Standing = (u64, u32, u32);

fn standing(bits: f64, loss: u64, steps: u64) -> Standing {
    (loss, (bits / CELL) as u32, (steps + 1).ilog2())
}

fn no_worse(a: Standing, b: Standing) -> bool {
    a.0 <= b.0 && a.1 <= b.1 && a.2 <= b.2
}

impl Member {
    pub fn new(program: Program, bits: f64, scored: Scored, born: u64) -> Member {
        Member { program, bits, scored, born, n_children: 0, neutral: Vec::new() }
    }

    fn standing(&self) -> Standing {
        standing(self.bits, self.scored.loss, self.scored.steps)
    }

    /// Whether it makes the other one needless.
    fn beats(&self, other: &Member) -> bool {
        let exact = |m: &Member| (m.scored.loss, m.bits, m.scored.steps, m.born);
        let (mine, theirs) = (self.standing(), other.standing());
        no_worse(mine, theirs) && (mine != theirs || exact(self) <= exact(other))
    }

    /// How often the number of children was doubled.
    pub fn doublings(&self) -> u32 {
        doublings(self.n_children)
    }

    /// Neutral copies.
    pub fn n_neutral(&self) -> usize {
        self.neutral.len()
    }

    pub fn neutral(&self, k: usize) -> &Program {
        &self.neutral[k].1
    }

    /// Keeps a changed copy that is no worse, if it is among the smallest.
    pub fn keep_neutral(&mut self, program: Program, bits: f64) {
        let place = self.neutral.partition_point(|(other, _)| *other <= bits);
        if place < MOST_NEUTRAL && self.neutral.iter().all(|(_, other)| *other != program) {
            self.neutral.truncate(MOST_NEUTRAL - 1);
            self.neutral.insert(place, (bits, program));
        }
    }
}

fn doublings(n_children: u32) -> u32 {
    (n_children / SLICE + 1).ilog2()
}

/// The programs that are kept, the least loss first, then the smallest.
#[derive(Debug, Clone, Default)]
pub struct Population {
    members: Vec<Member>,
}

impl Population {
    /// What was kept before.
    pub fn restored(members: Vec<Member>) -> Population {
        Population { members }
    }

    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// The member with least loss, of these the smallest.
    pub fn best(&self) -> Option<&Member> {
        self.members.first()
    }

    /// The member of this birth.
    pub fn find_mut(&mut self, born: u64) -> Option<&mut Member> {
        self.members.iter_mut().find(|member| member.born == born)
    }

    /// Whether no program of this size can be kept any more once it has lost so much in so many steps.
    pub fn is_lost(&self, bits: f64, loss: u64, steps: u64) -> bool {
        let now = standing(bits, loss, steps);
        self.members.iter().any(|member| member.scored.loss < loss && no_worse(member.standing(), now))
    }

    /// Takes a program in, or gives it back.
    pub fn offer(&mut self, new: Member) -> Option<Member> {
        let refuses = |old: &Member| {
            let twin = old.scored.behaviour == new.scored.behaviour;
            old.beats(&new) || twin && old.bits <= new.bits && old.scored.steps <= new.scored.steps
        };
        if self.members.iter().any(refuses) {
            return Some(new);
        }
        self.members.retain(|old| !new.beats(old));
        let key = |m: &Member| (m.scored.loss, m.bits, m.scored.steps);
        let place = self.members.partition_point(|old| key(old) <= key(&new));
        self.members.insert(place, new);
        None
    }

    /// Births of the parents of the next slices: the best one first, then those with fewest doublings.
    pub fn parents(&self, n_slices: usize) -> Vec<u64> {
        let mut given: Vec<u32> = self.members.iter().map(|member| member.n_children).collect();
        let turn = |slice: usize| {
            let next = (0..given.len()).min_by_key(|&k| (doublings(given[k]), k)).unwrap_or(0);
            let k = if slice == 0 { 0 } else { next };
            given[k] += SLICE;
            k
        };
        let turns: Vec<usize> = (0..n_slices).map(turn).collect();
        turns.into_iter().map(|k| self.members[k].born).collect()
    }
}
