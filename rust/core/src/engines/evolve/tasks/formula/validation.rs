//! The trees that choose, and the scores of rules on them, with standard errors by drawing the data sets anew.
//!
//! Looked at between generations, after a fixed number of them, so that what is seen depends on nothing but
//! the state; every rule is judged once.

use std::collections::HashMap;

use super::columns::Columns;
use super::judge::{Buffers, Judge};
use crate::base::control::Control;
use crate::base::random::Random;
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

/// Samples drawn.
const N_SAMPLES: usize = 200;

/// A score and its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The score.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
}

/// The score of losses, one a tree: their sum by that of the weights.
pub fn estimate(judge: &Judge, losses: &[f64], seed: u64) -> Estimate {
    let weights: Vec<f64> = (0..losses.len()).map(|tree| judge.weight(tree)).collect();
    let value = losses.iter().sum::<f64>() / weights.iter().sum::<f64>();
    let mut random = Random::stream(seed, losses.len() as u64);
    let n = losses.len() as u32;
    let mut sample = || {
        let (mut loss, mut weight) = (0.0, 0.0);
        for _ in 0..n {
            let tree = random.below(n) as usize;
            loss += losses[tree];
            weight += weights[tree];
        }
        loss / weight
    };
    let samples: Vec<f64> = (0..N_SAMPLES).map(|_| sample()).collect();
    let mean = samples.iter().sum::<f64>() / N_SAMPLES as f64;
    let squares: f64 = samples.iter().map(|sample| (sample - mean) * (sample - mean)).sum();
    Estimate { value, error: libm::sqrt(squares / (N_SAMPLES as f64 - 1.0)) }
}

/// By how much one rule is better than another on a corpus, with the standard error of that; `None` if one
/// is not finite there.
pub fn gained(of: &Program, over: &Program, judge: &Judge, seed: u64) -> Option<Estimate> {
    let mut bench = Buffers::default();
    let mut losses = |program: &Program| {
        let errors = judge.errors(&Columns::compile(program)?, &mut bench)?;
        Some(judge.losses_of(&errors))
    };
    let (of, over) = (losses(of)?, losses(over)?);
    let differences: Vec<f64> = of.iter().zip(&over).map(|(of, over)| over - of).collect();
    Some(estimate(judge, &differences, seed))
}
