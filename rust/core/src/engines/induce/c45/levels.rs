//! The split of a nominal feature by all its levels.

use super::single::{Single, gain};
use crate::base::ordering::{C45_SLACK, Score};
use crate::engines::induce::scorer::{Candidate, Cut};

/// Class weights by level, `classes` cells each; the unknown level comes first.
pub(super) struct LevelTable<'a> {
    pub cells: &'a [f32],
    pub n_classes: usize,
    /// Weight of the node.
    pub all: f32,
    /// What two branches must weigh.
    pub min_branch: f32,
    /// What every branch must weigh that a row reaches.
    pub min_leaf: f32,
    pub min_gain: f64,
}

impl LevelTable<'_> {
    fn rows(&self) -> impl Iterator<Item = &[f32]> {
        self.cells.chunks_exact(self.n_classes)
    }

    fn level_weights(&self) -> impl Iterator<Item = f32> + '_ {
        self.rows().map(|classes| classes.iter().fold(0.0f32, |sum, &weight| sum + weight))
    }

    /// Gain and split information; `None` where fewer than two branches are large enough, or one is no leaf.
    pub(super) fn judge(&self, single: &Single) -> Option<Candidate> {
        let unknown = self.level_weights().next()?;
        let known = self.all - unknown;
        let is_large = |&weight: &f32| weight >= self.min_branch && weight > 0.0;
        if self.all <= unknown || self.level_weights().skip(1).filter(is_large).count() < 2 {
            return None;
        }
        if self.level_weights().skip(1).any(|weight| weight > 0.0 && weight < self.min_leaf) {
            return None;
        }
        let within = self
            .rows()
            .skip(1)
            .fold(0.0f32, |sum, classes| sum + single.information(classes.iter().copied()));
        let gain = gain(self.base(single, known), within, known, unknown / self.all);
        if f64::from(gain) <= -C45_SLACK || (self.min_gain > 0.0 && f64::from(gain) < self.min_gain) {
            return None;
        }
        let information = single.information(self.level_weights()) / self.all;
        Some(Candidate { score: Score::Gain { gain, information }, cut: Cut::Levels })
    }

    /// Entropy of the rows whose value is known.
    fn base(&self, single: &Single, known: f32) -> f32 {
        let mut sum = 0.0f64;
        for class in 0..self.n_classes {
            let weight = self.rows().skip(1).fold(0.0f32, |sum, classes| sum + classes[class]);
            sum += single.n_log_n(weight);
        }
        ((single.n_log_n(known) - sum) / f64::from(known)) as f32
    }
}
