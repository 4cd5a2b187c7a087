//! The trees that choose, and the scores of rules on them.
//!
//! Looked at between generations, after a fixed number of them, so that what is seen depends on nothing but
//! the state; every rule is judged once.

use std::collections::HashMap;

use super::columns::Columns;
use super::judge::{Buffers, Judge};
use crate::base::control::Control;
use crate::engines::evolve::population::Member;
use crate::model::program::Program;

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
        let scored = |bench: &mut Buffers, member: &Member| {
            let score = self.score(&member.program).unwrap_or_else(|| score(&self.judge, member, bench));
            (member.program.fingerprint(), score)
        };
        self.known = control.map(members, Buffers::default, scored).into_iter().collect();
    }
}

fn score(judge: &Judge, member: &Member, bench: &mut Buffers) -> f64 {
    let errors = Columns::compile(&member.program).and_then(|columns| judge.errors(&columns, bench));
    errors.map_or(f64::INFINITY, |errors| judge.score(judge.losses_of(&errors).iter().sum()))
}
