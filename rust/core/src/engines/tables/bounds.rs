//! What the class counts and the boxes of a subtable say of every tree for it.
//!
//! With r = the most values that a feature can take in it, a tree with t leaves has at least
//! ⌈(t − 1) / (r − 1)⌉ internal nodes and depth ⌈log_r t⌉. So everything starts from the number of
//! leaves, and the total path length from sizes of leaves.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::model::tree::{Combine, Cost};

/// Leaf weights are whole multiples of 1 / this.
pub(super) const LEAF: u64 = 1 << 32;

/// What the bounds need to know of a subtable.
#[derive(Debug, Clone, Default)]
pub(super) struct Census {
    pub n_rows: u64,
    /// Rows of every decision that occurs.
    pub counts: Vec<u32>,
    /// Sum of leaf weights, see `boxes`.
    pub weight: u64,
    /// Sum of −log₂ of the largest possible leaf around each row, see `boxes`.
    pub logs: f64,
    /// The most values that a feature can take.
    pub arity: u64,
}

/// Most rows that a leaf of at most `alpha` unequal pairs can have beside its most common decision.
///
/// A leaf with M rows of that decision and s others has at least s(s+1)/2 unequal pairs. If M ≥ s
/// these are the M·s ≥ s² pairs across. If M < s, no decision among the others has more than M rows,
/// so at least (s² − M·s)/2 pairs lie among them, and M·s + (s² − M·s)/2 = (s² + M·s)/2.
pub(super) fn most_others(alpha: u64) -> u64 {
    let mut s = ((2.0 * alpha as f64).sqrt() as u64).saturating_add(2);
    while u128::from(s) * u128::from(s + 1) / 2 > u128::from(alpha) {
        s -= 1;
    }
    s
}

impl Census {
    /// Fewest leaves.
    ///
    /// By decisions: with t leaves at most t decisions are the most common one of some leaf; all rows
    /// of the others are among the at most t · `others` that are not of their leaf's. By boxes: the
    /// weights in a leaf sum to at most 1.
    pub fn n_leaves(&mut self, others: u64) -> u64 {
        let by_weight = self.weight.div_ceil(LEAF);
        if others == 0 {
            return by_weight.max(self.counts.len() as u64);
        }
        self.counts.sort_unstable();
        let mut spare: u64 = self.counts.iter().map(|&count| u64::from(count)).sum();
        for (t, &count) in (0..).zip(self.counts.iter().rev()) {
            if spare <= t * others {
                return t.max(1);
            }
            spare -= u64::from(count);
        }
        (self.counts.len() as u64).max(1)
    }

    /// Least total path length of trees with pure leaves.
    ///
    /// By decisions: send all rows of a decision to its shallowest leaf; what is left is a code for the
    /// decisions with r letters, and Huffman's is the shortest. By boxes: Kraft's inequality, with each
    /// leaf's term shared by its rows, reads Σ r^(−depth) / (rows of the leaf) ≤ 1 over the n rows, so
    /// the mean of −log_r of these n terms is at least log_r n (Gibbs).
    pub fn path_length(&self) -> u64 {
        let log_n = self.n_rows as f64 * libm::log2(self.n_rows as f64);
        let by_boxes = (log_n + self.logs) / libm::log2(self.arity as f64);
        let by_boxes = (by_boxes * (1.0 - 1e-9) - 1e-6).ceil().max(0.0) as u64;
        huffman(&self.counts, self.arity).max(by_boxes)
    }

    /// Least cost of a tree that has a test at its root. `others`: see [`most_others`].
    pub fn least(&mut self, cost: &Cost, others: u64) -> u64 {
        let n_leaves = self.n_leaves(others).max(2);
        match cost.combine {
            Combine::Max => {
                let depth = ceil_log(n_leaves, self.arity);
                cost.leaf + cost.per_node * depth + cost.per_row * (self.n_rows + 2 * (depth - 1))
            }
            Combine::Sum => {
                let n_internal = (n_leaves - 1).div_ceil(self.arity - 1);
                let path_length = match (cost.per_row, others) {
                    (0, _) => 0,
                    (_, 0) => self.path_length(),
                    _ => self.n_rows + 2 * (n_internal - 1),
                };
                cost.leaf * n_leaves + cost.per_node * n_internal + cost.per_row * path_length
            }
        }
    }
}

/// Least d with r^d ≥ n.
fn ceil_log(n: u64, r: u64) -> u64 {
    let (mut depth, mut reach) = (0, 1u64);
    while reach < n {
        depth += 1;
        reach = reach.saturating_mul(r);
    }
    depth
}

/// Cost of the best code with `r` letters for symbols of these frequencies.
fn huffman(counts: &[u32], r: u64) -> u64 {
    let (n_symbols, r) = (counts.len(), r as usize);
    if n_symbols <= r {
        let total: u64 = counts.iter().map(|&count| u64::from(count)).sum();
        return if n_symbols < 2 { 0 } else { total };
    }
    let mut heap: BinaryHeap<Reverse<u64>> = counts.iter().map(|&count| Reverse(count.into())).collect();
    let mut take = (n_symbols - 2) % (r - 1) + 2;
    let mut cost = 0;
    while heap.len() > 1 {
        let merged: u64 = (0..take).filter_map(|_| heap.pop()).map(|Reverse(count)| count).sum();
        cost += merged;
        heap.push(Reverse(merged));
        take = r;
    }
    cost
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_shortest() {
        assert_eq!(huffman(&[1, 1, 2, 4], 2), 14);
        assert_eq!(huffman(&[1, 1, 2, 4], 3), 8 + 2);
        assert_eq!(huffman(&[5, 5, 5], 3), 15);
        assert_eq!(huffman(&[7], 2), 0);
        assert_eq!(huffman(&[1; 6], 4), 6 + 3);
    }

    #[test]
    fn logarithms_round_up() {
        assert_eq!([1, 2, 3, 9, 10].map(|n| ceil_log(n, 3)), [0, 1, 1, 2, 3]);
        assert_eq!([0, 1, 2, 3, 5, 6].map(most_others), [0, 1, 1, 2, 2, 3]);
        assert!(most_others(u64::MAX) > 6_000_000_000);
    }

    #[test]
    fn impure_leaves_take_small_decisions_in() {
        let leaves =
            |counts: &[u32], others| Census { counts: counts.to_vec(), ..Census::default() }.n_leaves(others);
        assert_eq!(leaves(&[3, 1, 1, 1], 0), 4);
        assert_eq!(leaves(&[3, 1, 1, 1], 1), 2);
        assert_eq!(leaves(&[3, 1, 1, 1], 3), 1);
        assert_eq!(leaves(&[9, 8], 8), 1);
        assert_eq!(leaves(&[9, 8], 7), 2);
    }
}
