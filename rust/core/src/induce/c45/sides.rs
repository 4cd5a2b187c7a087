//! Which cuts of a numeric feature C4.5 tries.

use crate::data::MASS_ONE;
use crate::induce::scorer::Node;
use crate::ordering::{C45_APART, C45_SIDE_MOST, C45_SIDE_SHARE, WEIGHT_SLACK};

/// What lies on each side of a cut must weigh enough, and the values next to it be apart.
pub(super) struct Sides<'a> {
    /// In units of 2^-50.
    least: u128,
    values: &'a [f64],
}

impl<'a> Sides<'a> {
    /// The limits at a node; `None` where its known rows cannot make two branches.
    pub(super) fn of(node: &Node<'a>, feature: usize, known: u128) -> Option<Self> {
        let min_leaf = node.problem.rules.min_leaf;
        if known + WEIGHT_SLACK < 2 * min_leaf {
            return None;
        }
        let values = node.problem.data.column(feature).values().expect("only numbers are cut");
        let share = known / (C45_SIDE_SHARE * node.problem.n_classes() as u128);
        let least = match share <= min_leaf {
            true => min_leaf.saturating_sub(WEIGHT_SLACK),
            false => share.min(C45_SIDE_MOST * MASS_ONE),
        };
        Some(Sides { least, values })
    }

    /// Whether a cut between two neighbouring codes is tried.
    #[inline]
    pub(super) fn allow(&self, (left, right): (u128, u128), (low, high): (u32, u32)) -> bool {
        left >= self.least
            && right >= self.least
            && self.values[low as usize] < self.values[high as usize] - C45_APART
    }
}
