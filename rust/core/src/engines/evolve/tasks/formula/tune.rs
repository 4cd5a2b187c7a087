//! Local search for better constants of a rule.
//!
//! ```text
//! for each step, from large to small, for each constant: a little more or less of it, as long as that
//! helps; at last each constant with as few digits as make it no worse
//! ```

use super::columns::Columns;
use super::judge::{Buffers, Judge};
use crate::engines::evolve::moves::{Draft, constants, few_digits, with_constant};
use crate::engines::evolve::state::Tally;
use crate::engines::evolve::task::{Bounds, Scored, Tuned, Verdict};
use crate::model::program::Program;

/// Steps, relative to the constant.
const STEPS: [f64; 4] = [0.3, 0.1, 0.03, 0.01];

/// Rules that one search may make.
const MOST: u32 = 64;

/// Most constants that are searched.
const MOST_CONSTANTS: usize = 6;

/// Searches the constants of a rule that was scored.
pub fn tune(program: &Program, scored: Scored, judge: &Judge, bench: &mut Buffers) -> Tuned {
    let n_constants = constants(&Draft::open(program)).len();
    let tally = Tally::default();
    let program = program.clone();
    let mut search = Search { judge, bench, program, scored, n_programs: 0, tally, better: false };
    if n_constants <= MOST_CONSTANTS {
        for step in STEPS {
            (0..n_constants).for_each(|k| search.walk(k, step));
        }
        (0..n_constants).for_each(|k| search.shorten(k));
    }
    let found = search.better.then_some((search.program, search.scored));
    Tuned { found, n_programs: search.n_programs, tally: search.tally }
}

struct Search<'a> {
    judge: &'a Judge,
    bench: &'a mut Buffers,
    program: Program,
    scored: Scored,
    n_programs: u32,
    tally: Tally,
    better: bool,
}

impl Search<'_> {
    fn walk(&mut self, k: usize, step: f64) {
        for direction in [1.0, -1.0] {
            let mut helped = false;
            while let Some(old) = self.constant(k) {
                let new = if old == 0.0 { direction * step } else { old * (1.0 + direction * step) };
                if !self.try_value(k, few_digits(new, 4), f64::lt) {
                    break;
                }
                helped = true;
            }
            if helped {
                break;
            }
        }
    }

    fn shorten(&mut self, k: usize) {
        let Some(old) = self.constant(k) else { return };
        for n_digits in 1..4 {
            let new = few_digits(old, n_digits);
            if new == old || self.try_value(k, new, f64::le) {
                break;
            }
        }
    }

    fn constant(&self, k: usize) -> Option<f64> {
        constants(&Draft::open(&self.program)).get(k).map(|(_, value)| *value)
    }

    /// Takes a value over if the rule is better, or no worse, with it.
    fn try_value(&mut self, k: usize, value: f64, fits: fn(&f64, &f64) -> bool) -> bool {
        if self.n_programs >= MOST {
            return false;
        }
        self.n_programs += 1;
        let Some(program) = with_constant(&self.program, k, |_| Some(value)) else { return false };
        let Some(columns) = Columns::compile(&program) else { return false };
        let bounds = Bounds { screen: f64::INFINITY, whole: self.scored.loss };
        let verdict = self.judge.judge(&columns, bounds, |_| false, self.bench).0;
        self.tally.count(&verdict);
        match verdict {
            Verdict::Scored(scored) if fits(&scored.loss, &self.scored.loss) => {
                (self.program, self.scored, self.better) = (program, scored, true);
                true
            }
            _ => false,
        }
    }
}
