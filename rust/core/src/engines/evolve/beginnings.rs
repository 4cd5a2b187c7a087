//! Populations that begin apart, one after the other, and are joined then.
//!
//! One population alone may settle on a form that no small change leads away from. Several that know nothing
//! of each other settle on several, and go on with the best of all.

use super::population::Member;

/// Populations that begin apart.
const N_POPULATIONS: u64 = 4;

/// Programs for every training tree that each of them has.
const PROGRAMS_PER_TREE: u64 = 12;

/// How far the beginnings have come.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Beginnings {
    /// Populations that had their share.
    pub n_done: u64,
    /// Their rules, until they are joined.
    pub aside: Vec<Member>,
}

/// What follows when a population had its share.
#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    /// Another one begins.
    Begin,
    /// They are joined, these to the one that was last.
    Join(Vec<Member>),
}

impl Beginnings {
    /// Whether the populations are joined.
    pub fn are_over(&self) -> bool {
        self.n_done >= N_POPULATIONS
    }

    /// Whether the present population had its share, so many programs having been made.
    pub fn is_share_used(&self, n_programs: u64, n_train: usize) -> bool {
        !self.are_over() && n_programs >= (self.n_done + 1) * PROGRAMS_PER_TREE * n_train as u64
    }

    /// Ends the present population's share.
    pub fn next(&mut self, members: &[Member]) -> Next {
        self.n_done += 1;
        match self.are_over() {
            true => Next::Join(std::mem::take(&mut self.aside)),
            false => {
                self.aside.extend_from_slice(members);
                Next::Begin
            }
        }
    }
}
