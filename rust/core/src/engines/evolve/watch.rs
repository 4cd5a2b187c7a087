//! What validation says of the front while a run goes on.
//!
//! Looked at between generations, after a fixed number of them, so that what is seen depends on nothing but
//! the state; every rule is judged once.

use std::collections::HashMap;

use rayon::prelude::*;

use super::columns::Columns;
use super::judge::{Bench, Judge};
use super::population::Member;
use crate::base::control::Control;
use crate::model::program::Program;

/// The last look at validation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Watch {
    /// The generation before which it was.
    pub generation: u64,
    /// Programs made by then.
    pub n_programs: u64,
    /// The best score in validation since the training trees became what they are.
    pub best: f64,
    /// Programs made when that was seen first.
    pub improved: u64,
}

impl Watch {
    /// Before the first look, or after the last training trees.
    pub fn none(generation: u64, n_programs: u64) -> Watch {
        Watch { generation, n_programs, best: f64::INFINITY, improved: n_programs }
    }

    /// After another look, at these scores.
    pub fn look(&mut self, generation: u64, n_programs: u64, scores: impl Iterator<Item = f64>) {
        (self.generation, self.n_programs) = (generation, n_programs);
        let best = scores.fold(f64::INFINITY, f64::min);
        if best < self.best {
            (self.best, self.improved) = (best, n_programs);
        }
    }

    /// Whether so many programs have not made validation better.
    pub fn is_stalled(&self, patience: u64) -> bool {
        self.n_programs - self.improved >= patience
    }
}

/// The trees that choose, and the scores of rules on them.
#[derive(Debug)]
pub struct Validation {
    pub judge: Judge,
    /// By the rule's fingerprint; infinite where it is not finite on some tree.
    known: HashMap<u128, f64>,
}

impl Validation {
    pub fn new(judge: Judge) -> Validation {
        Validation { judge, known: HashMap::new() }
    }

    /// The score of a rule, if it was judged.
    pub fn score(&self, program: &Program) -> Option<f64> {
        self.known.get(&program.fingerprint()).copied()
    }

    /// Judges those of the rules that are new, and forgets all others.
    pub fn judge_all(&mut self, members: &[Member], control: &Control) {
        let scored = |bench: &mut Bench, member: &Member| {
            let score = self.score(&member.program).unwrap_or_else(|| score(&self.judge, member, bench));
            (member.program.fingerprint(), score)
        };
        self.known = match control.is_parallel() {
            true => members.par_iter().map_init(Bench::default, scored).collect(),
            false => {
                let mut bench = Bench::default();
                members.iter().map(|member| scored(&mut bench, member)).collect()
            }
        };
    }
}

fn score(judge: &Judge, member: &Member, bench: &mut Bench) -> f64 {
    let errors = Columns::compile(&member.program).and_then(|columns| judge.errors(&columns, bench));
    errors.map_or(f64::INFINITY, |errors| judge.score(judge.losses_of(&errors).iter().sum()))
}
