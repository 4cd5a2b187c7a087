//! A rule as it is shown: what it does not need is left out.
//!
//! ```text
//! identities, of all values
//! until nothing changes: a part in place of what it is part of, where all trees are pruned alike
//! every constant with the fewest digits that change no score
//! ```
//! That takes away ends of `min`, `max` and `if` that are never reached, and factors and summands that
//! move all estimates alike. Beyond the corpus the shorter rule may prune otherwise than the long one.

use super::columns::Columns;
use super::judge::{Buffers, Judge, is_finite_up_to};
use crate::engines::evolve::moves::{Draft, constants, few_digits, with_constant};
use crate::engines::evolve::task::{Bounds, Scored, Verdict};
use crate::model::program::{Arena, Expr, Program};

/// Digits that a number can have.
const MOST_DIGITS: usize = 17;

/// Rules that may be judged on the way.
const MOST: u32 = 2000;

/// The rule in fewer words, worth the same in training.
pub fn simpler(program: &Program, scored: Scored, judge: &Judge, bench: &mut Buffers) -> Program {
    let mut search = Search { judge, bench, program: program.clone(), scored, n_judged: 0 };
    search.takes(&program.simplify(), Worth::Alike);
    while search.hoists() {}
    let n_constants = constants(&Draft::open(&search.program)).len();
    (0..n_constants).for_each(|k| search.shorten(k));
    search.program
}

/// What a shorter rule must have in common with the longer one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Worth {
    /// Every decision.
    Alike,
    /// The sum of losses.
    Equal,
}

struct Search<'a> {
    judge: &'a Judge,
    bench: &'a mut Buffers,
    program: Program,
    scored: Scored,
    n_judged: u32,
}

impl Search<'_> {
    /// Puts a part in place of what it is part of; false if there is no place for that.
    fn hoists(&mut self) -> bool {
        let draft = Draft::open(&self.program);
        draft.places().into_iter().any(|(path, whole)| {
            parts(&draft.arena, whole).into_iter().any(|part| {
                let mut shorter = draft.clone();
                let shorter = shorter.put(&path, part).and_then(|()| shorter.close());
                shorter.is_some_and(|shorter| self.takes(&shorter.simplify(), Worth::Alike))
            })
        })
    }

    fn shorten(&mut self, k: usize) {
        for n_digits in 1..MOST_DIGITS {
            let shorter = |old| Some(few_digits(old, n_digits)).filter(|&new| new != old);
            let Some(shorter) = with_constant(&self.program, k, shorter) else { return };
            if self.takes(&shorter, Worth::Equal) {
                return;
            }
        }
    }

    /// Takes a program over if it is worth the same, and finite wherever the present one has to be.
    fn takes(&mut self, new: &Program, worth: Worth) -> bool {
        if self.n_judged >= MOST || *new == self.program {
            return false;
        }
        self.n_judged += 1;
        let Some(columns) = Columns::compile(new) else { return false };
        let Scored { loss: whole, screen, behaviour, .. } = self.scored;
        let screen = if worth == Worth::Alike { screen } else { f64::INFINITY };
        let verdict = self.judge.judge(&columns, Bounds { screen, whole }, |_| false, self.bench).0;
        let Verdict::Scored(scored) = verdict else { return false };
        let is_alike = scored.screen == self.scored.screen && scored.behaviour == behaviour;
        let fits = scored.loss == whole && (is_alike || worth == Worth::Equal);
        let largest = self.judge.corpus().largest();
        if fits && is_finite_up_to(&columns, largest, &mut self.bench.scratch) {
            (self.program, self.scored) = (new.clone(), scored);
            return true;
        }
        false
    }
}

/// Parts of an expression that are of its type.
fn parts(arena: &Arena, expr: Expr) -> Vec<Expr> {
    let mut parts = arena.node(expr).children();
    parts.retain(|&part| arena.ty(part) == arena.ty(expr));
    parts
}
