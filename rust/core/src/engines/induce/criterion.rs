//! The criteria: what each is called, and what scores a feature by it.

use super::runs::Gather;
use super::scorer::{Bench, Scores};
use crate::model::score::{Entropy, Gini};

/// Split quality.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Criterion {
    /// Information gain.
    InfoGain,
    /// Gain ratio: information gain over the entropy of the branches.
    GainRatio,
    /// Decrease of the Gini impurity.
    Gini,
}

impl Criterion {
    /// Every criterion by its name.
    pub const NAMED: [(&str, Criterion); 3] =
        [("info_gain", Criterion::InfoGain), ("gain_ratio", Criterion::GainRatio), ("gini", Criterion::Gini)];

    /// What it is called.
    pub fn name(self) -> &'static str {
        let named = Self::NAMED.iter().find(|(_, criterion)| *criterion == self);
        named.expect("every criterion has a name").0
    }

    /// Whether it goes by gains in bits.
    pub fn is_in_bits(self) -> bool {
        matches!(self, Criterion::InfoGain | Criterion::GainRatio)
    }

    /// What scores features by the uncertainty that the criterion goes by.
    pub(super) fn bench<M: Gather>(self, n_classes: usize) -> Box<dyn Scores<M>> {
        match self {
            Criterion::InfoGain | Criterion::GainRatio => Box::new(Bench::<M, Entropy<M>>::new(n_classes)),
            Criterion::Gini => Box::new(Bench::<M, Gini<M>>::new(n_classes)),
        }
    }
}
