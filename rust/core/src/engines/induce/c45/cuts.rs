//! The cut of a numeric feature.

use super::single::{Single, gain, log2};
use crate::base::ordering::{C45_APART, C45_SIDE_MOST, C45_SIDE_SHARE, C45_SLACK, Score};
use crate::engines::induce::scorer::{Candidate, Cut};

/// The weights of a node as one numeric feature sees them.
#[derive(Clone, Copy)]
pub(super) struct Weights {
    pub all: f32,
    pub known: f32,
    pub unknown: f32,
    /// What a branch must weigh.
    pub min_branch: f32,
    pub min_gain: f64,
    /// Whether the choice of a cut costs something.
    pub are_charged: bool,
}

/// A cut that was tried.
pub(super) struct Tried {
    gain: f32,
    /// Weight below it.
    low: f32,
    cut: Cut,
}

/// Tries cuts from the lowest on.
pub(super) struct CutSearch<'a> {
    single: &'a Single,
    weights: Weights,
    unknown_rate: f32,
    /// Entropy of the known rows.
    base: f32,
    /// What must lie on each side of a cut.
    least: f32,
    tried: &'a mut Vec<Tried>,
}

/// Where a cut of some weight below it stands.
#[derive(PartialEq, Eq)]
pub(super) enum Place {
    TooLow,
    Fits,
    TooHigh,
}

impl<'a> CutSearch<'a> {
    /// `None` where the known rows cannot make two branches.
    pub(super) fn new(
        single: &'a Single,
        weights: Weights,
        known_classes: &[f32],
        tried: &'a mut Vec<Tried>,
    ) -> Option<Self> {
        if weights.known <= 0.0 || weights.known < 2.0 * weights.min_branch {
            return None;
        }
        tried.clear();
        let base = single.information(known_classes.iter().copied()) / weights.known;
        let unknown_rate = (1.0 - f64::from(weights.known / weights.all)) as f32;
        let least = least_on_a_side(weights, known_classes.len());
        Some(CutSearch { single, weights, unknown_rate, base, least, tried })
    }

    #[inline]
    pub(super) fn place(&self, low: f32) -> Place {
        if low < self.least {
            Place::TooLow
        } else if low > self.weights.known - self.least {
            Place::TooHigh
        } else {
            Place::Fits
        }
    }

    /// Tries a cut that fits, from the class weights on its sides.
    #[inline]
    pub(super) fn attempt(
        &mut self,
        low: f32,
        left: impl Iterator<Item = f32>,
        right: impl Iterator<Item = f32>,
        cut: Cut,
    ) {
        let (Weights { known, min_branch, .. }, single) = (self.weights, self.single);
        let gain = match low >= min_branch && known - low >= min_branch {
            true => gain(
                self.base,
                single.information(left) + single.information(right),
                known,
                self.unknown_rate,
            ),
            false => -C45_SLACK as f32,
        };
        self.tried.push(Tried { gain, low, cut });
    }

    /// The tried cut of largest gain, the lowest among equals, if it gains more than its choice costs.
    pub(super) fn best(self) -> Option<Candidate> {
        let Weights { all, known, unknown, min_gain, are_charged, .. } = self.weights;
        let cost = match are_charged {
            true => (log2(self.tried.len() as f32) / f64::from(all)) as f32,
            false => 0.0,
        };
        let (mut best, mut largest) = (None, 0.0f32);
        for tried in self.tried.iter() {
            if tried.gain - cost > largest {
                (best, largest) = (Some(tried), tried.gain - cost);
            }
        }
        let best = best.filter(|best| f64::from(best.gain) >= min_gain)?;
        let parts = [unknown, best.low, known - best.low];
        let information = self.single.information(parts.into_iter()) / all;
        Some(Candidate { score: Score::Gain { gain: largest, information }, cut: best.cut })
    }
}

/// A tenth of the known weight for each class, at least what a branch must weigh, and no more than 25
/// where that is more.
fn least_on_a_side(weights: Weights, n_classes: usize) -> f32 {
    let share = (C45_SIDE_SHARE * f64::from(weights.known) / n_classes as f64) as f32;
    if share <= weights.min_branch { weights.min_branch } else { share.min(C45_SIDE_MOST) }
}

/// Whether there may be a cut between two neighbouring values.
#[inline]
pub(super) fn are_apart(low: f64, high: f64) -> bool {
    f64::from(low as f32) < f64::from(high as f32) - C45_APART
}

/// The middle between two values, up to which the threshold may lie.
pub(in crate::engines::induce) fn threshold_middle(low: f64, high: f64) -> f32 {
    let (low, high) = (low as f32, high as f32);
    let sum = low + high;
    if sum.is_finite() { sum / 2.0 } else { low / 2.0 + high / 2.0 }
}
