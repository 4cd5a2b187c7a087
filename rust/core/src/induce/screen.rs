//! Which cuts of a numeric feature are worth an exact look, where exact logarithms are dear.
//!
//! Every cut is scored with quick logarithms of known error. The best cut of all is among those
//! within twice the error of the best quick score, so only these are scored exactly; the answer is
//! the one that scoring all of them would give.

use super::runs::{Gather, Runs};
use super::scorer::Node;
use crate::ordering::WEIGHT_SLACK;
use crate::score::{QuickLog, weight_of};

/// Below this many known rows everything is scored exactly.
pub(super) const SCREEN_FROM: usize = 24;

/// One branch in doubles.
struct QuickSide {
    classes: Vec<f64>,
    logs: Vec<f64>,
    sum: f64,
    total: f64,
}

impl QuickSide {
    fn new(classes: Vec<f64>, quick: &QuickLog) -> Self {
        let logs: Vec<f64> = classes.iter().map(|&x| quick.x_log2_x(x)).collect();
        QuickSide { sum: logs.iter().sum(), total: classes.iter().sum(), classes, logs }
    }

    #[inline]
    fn add(&mut self, quick: &QuickLog, class: usize, weight: f64) {
        self.classes[class] += weight;
        self.total += weight;
        let fresh = quick.x_log2_x(self.classes[class]);
        self.sum += fresh - self.logs[class];
        self.logs[class] = fresh;
    }

    #[inline]
    fn purity(&self, quick: &QuickLog) -> f64 {
        self.sum - quick.x_log2_x(self.total)
    }
}

/// The lower codes of the cuts worth an exact look, ascending, and `spare` as a buffer.
pub(super) fn likely_cuts<M: Gather>(
    node: &Node,
    runs: &Runs<M>,
    known: &[M],
    spare: &mut Vec<(u32, f64)>,
) -> Vec<u32> {
    let quick = QuickLog::shared();
    let min_leaf = match node.counts_samples() {
        true => 0, // the exact look counts them
        false => node.problem.rules.min_leaf.saturating_sub(WEIGHT_SLACK),
    };
    let weights: Vec<f64> = known.iter().map(|mass| weight_of(mass.exact())).collect();
    let total: u128 = known.iter().map(|mass| mass.exact()).sum();
    let mut left = QuickSide::new(vec![0.0; weights.len()], quick);
    let mut right = QuickSide::new(weights, quick);
    let (mut so_far, mut last, mut best) = (0u128, None, f64::NEG_INFINITY);
    spare.clear();
    runs.for_each(|code, class, mass| {
        if let Some(low) = last.filter(|&low| low != code) {
            if so_far >= min_leaf && total - so_far >= min_leaf {
                let score = left.purity(quick) + right.purity(quick);
                best = best.max(score);
                spare.push((low, score));
            }
        }
        last = Some(code);
        let weight = weight_of(mass.exact());
        so_far += mass.exact();
        left.add(quick, class, weight);
        right.add(quick, class, -weight);
    });
    let least = best - 2.0 * QuickLog::gain_error(weight_of(total));
    spare.iter().filter(|&&(_, score)| score >= least).map(|&(low, _)| low).collect()
}
