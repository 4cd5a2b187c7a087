//! The tie rule and every tolerance, each once, with its reason.
//!
//! Between candidates the larger score wins and equal scores go to the lower feature index, with
//! no tolerance: scores are integers. The exceptions are the constants below.

/// Slack, in units of 2^-50 weight, when a weight is compared with a minimum: a sum of rounded
/// shares may fall just below the whole number it should equal.
pub const WEIGHT_SLACK: u128 = 1 << 40;

/// ID3 gains, n·nats in doubles, that differ by no more than this are equal: mathematically equal
/// gains come out of different sums.
pub const ID3_TIE: f64 = 1e-12;

/// An ID3 gain below this is zero.
pub const ID3_ZERO: f64 = 1e-9;

/// C4.5's tolerance: a gain this much below the average still counts as average (bits), a split
/// information up to it counts as none (bits), and a subtree must save more errors than this over a
/// leaf (weight). Release 8 calls it Epsilon.
pub const C45_SLACK: f64 = 1e-3;

/// C4.5 does not cut between neighbouring numbers that are no further apart than this.
pub const C45_APART: f64 = 1e-5;

/// C4.5's limits on what lies on each side of a cut: a tenth of the known weight for each class, but
/// no more than 25.
pub const C45_SIDE_SHARE: f64 = 0.1;
pub const C45_SIDE_MOST: f32 = 25.0;

/// Under C4.5 a nominal feature with at least this share of the training weight as levels does not
/// count in the average gain: it gains much on every node by having many branches.
pub const C45_MANY_LEVELS: f64 = 0.3;

/// Expected accuracies under naive Bayes that differ by no more than this are equal: a test that
/// changes no class is worth nothing, but its sums round.
pub const FIXED_DEPTH_TIE: f64 = 1e-12;

/// Pruning takes estimated error rates that differ by no more than this as equal, and prefers the
/// leaf: a sum over children rounds.
pub const PRUNE_TIE: f64 = 1e-12;

/// Error-based pruning prefers a leaf, or a branch, that is worse by no more than this many rows:
/// C4.5's constant.
pub const PRUNE_SLACK: f64 = 0.1;

/// Impurities of tables that use entropy, in bits, are equal when they differ by no more than this:
/// the entropy of the same counts in another order differs in the last bit, and the greedy tree
/// would depend on the platform.
pub const ENTROPY_TIE: f64 = 1e-9;

/// How a feature's split ranks at a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Score {
    /// Exact: information gain, gain ratio or Gini decrease.
    Exact(i64),
    /// ID3's gain in n·nats.
    Nats(f64),
    /// C4.5's gain and split information, which rank only beside those of the node's other features.
    Gain { gain: f32, information: f32 },
}

impl Score {
    /// Whether this score, met after `best` in feature order, takes its place.
    #[inline]
    pub fn beats(self, best: Score) -> bool {
        match (self, best) {
            (Score::Exact(a), Score::Exact(b)) => a > b,
            (Score::Nats(a), Score::Nats(b)) => a > b + ID3_TIE,
            _ => unreachable!("one growth rule gives one kind of score"),
        }
    }
}

/// The index of the largest item, the highest among equals: the branch that C4.5 grafts.
pub fn last_largest<T: PartialOrd>(items: impl IntoIterator<Item = T>) -> Option<usize> {
    let mut best: Option<(usize, T)> = None;
    for (index, item) in items.into_iter().enumerate() {
        if best.as_ref().is_none_or(|(_, largest)| item >= *largest) {
            best = Some((index, item));
        }
    }
    best.map(|(index, _)| index)
}

/// The index of the largest item, the lowest among equals.
pub fn first_largest<T: PartialOrd>(items: impl IntoIterator<Item = T>) -> Option<usize> {
    let mut best: Option<(usize, T)> = None;
    for (index, item) in items.into_iter().enumerate() {
        if best.as_ref().is_none_or(|(_, largest)| item > *largest) {
            best = Some((index, item));
        }
    }
    best.map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_scores_stay_with_the_first() {
        assert!(!Score::Exact(3).beats(Score::Exact(3)));
        assert!(Score::Exact(4).beats(Score::Exact(3)));
        assert!(!Score::Nats(1.0 + 1e-13).beats(Score::Nats(1.0)));
        assert_eq!(first_largest([1, 3, 3, 2]), Some(1));
        assert_eq!(first_largest::<i32>([]), None);
        assert_eq!(last_largest([1, 3, 3, 2]), Some(2));
    }
}
