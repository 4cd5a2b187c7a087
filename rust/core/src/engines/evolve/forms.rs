//! Compound changes: short sequences of atomic ones, as data.
//!
//! # Source
//! The paper's system binds transformations into compound ones by rules. For rules without functions,
//! what is left of these is: one to three replacements, after neutral moves or not.

use super::draft::Draft;
use super::moves::{Move, apply};
use crate::base::random::Random;
use crate::model::program::Program;

/// A replacement of whatever kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Any kind of R, by [`KINDS`].
    R,
    Neutral,
    Perturb,
}

/// A sequence of steps and how often it is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form {
    pub weight: u32,
    pub steps: &'static [Step],
}

/// The compound forms.
pub const FORMS: &[Form] = &[
    Form { weight: 40, steps: &[Step::R] },
    Form { weight: 24, steps: &[Step::R, Step::R] },
    Form { weight: 10, steps: &[Step::R, Step::R, Step::R] },
    Form { weight: 10, steps: &[Step::Perturb] },
    Form { weight: 6, steps: &[Step::R, Step::Perturb] },
    Form { weight: 6, steps: &[Step::Neutral, Step::R] },
    Form { weight: 2, steps: &[Step::Neutral, Step::Neutral, Step::R] },
    Form { weight: 2, steps: &[Step::Neutral] },
];

/// Kinds of R and how often each is taken.
pub const KINDS: &[(u32, Move)] = &[
    (30, Move::Replace),
    (24, Move::Insert),
    (12, Move::Combine),
    (14, Move::Hoist),
    (10, Move::Cross),
    (10, Move::Exchange),
];

fn draw<T: Copy>(choices: impl Iterator<Item = (u32, T)> + Clone, random: &mut Random) -> T {
    let total = choices.clone().map(|(weight, _)| weight).sum();
    let mut at = random.below(total);
    for (weight, choice) in choices {
        match at.checked_sub(weight) {
            Some(rest) => at = rest,
            None => return choice,
        }
    }
    unreachable!("a number below the sum of the weights falls on one of them")
}

/// A changed copy of a parent; `None` if a step found no place or the result is no program.
pub fn vary(parent: &Program, mate: &Program, random: &mut Random) -> Option<Program> {
    let steps = draw(FORMS.iter().map(|form| (form.weight, form.steps)), random);
    let mut draft = Draft::open(parent);
    for step in steps {
        let change = match step {
            Step::R => draw(KINDS.iter().copied(), random),
            Step::Neutral => Move::Neutral,
            Step::Perturb => Move::Perturb,
        };
        apply(&mut draft, change, mate, random)?;
    }
    draft.close().filter(|child| child != parent)
}
