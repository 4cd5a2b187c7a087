//! Runs brought together: a stretch of values that only one class has is one segment.
//!
//! The gain of a cut is convex while rows of one class pass from side to side, so a cut inside such
//! a stretch gains less than one of the cuts at its ends (Fayyad and Irani 1992). With whole weights
//! up to `MAX_WEIGHT` it is less by 0.7 / MAX_WEIGHT^2 bits at least, far above what rounding to
//! 2^-32 bits can hide; beyond, and where a branch must have a minimum weight, every cut is scored.

use super::runs::{Gather, Runs};
use super::scorer::Node;

/// Most known weight for which cuts inside a segment may be left out.
const MAX_WEIGHT: u128 = 1 << 13;

/// With more classes than this, few values belong to one class alone.
const MAX_CLASSES: usize = 8;

/// Rows of one class that have consecutive values, all rows of these values unless `shares_value`.
pub(super) struct Segment<M> {
    pub low: u32,
    pub high: u32,
    pub class: usize,
    pub mass: M,
    /// Whether its one value is also that of the segment before.
    pub shares_value: bool,
}

/// Whether the best cut is sure to lie between two segments, and they are worth making.
pub(super) fn suffice<M: Gather>(node: &Node, known: M) -> bool {
    let full_scale = node.problem.logs.scale() == (1u64 << 32) as f64;
    let few_classes = node.problem.n_classes() <= MAX_CLASSES;
    !M::DEAR_LOGS
        && few_classes
        && node.problem.rules.min_side == 0
        && full_scale
        && known.exact() >> 50 <= MAX_WEIGHT
}

/// Fills `segments` with those of the runs, ascending.
pub(super) fn gather<M: Gather>(runs: &Runs<M>, segments: &mut Vec<Segment<M>>) {
    segments.clear();
    // Of the segment at the end: whether its last value is shared, and what it was without it.
    let (mut is_shared, mut before) = (false, (0, M::default()));
    runs.for_each(|code, class, mass| {
        let fresh = |shares_value| Segment { low: code, high: code, class, mass, shares_value };
        match segments.last_mut() {
            Some(last) if last.high == code => {
                if last.low < code {
                    let (class, part) = (last.class, value_taken_off(last, before));
                    segments.push(Segment { low: code, high: code, class, mass: part, shares_value: false });
                }
                segments.push(fresh(true));
                is_shared = true;
            }
            Some(last) if last.class == class && !is_shared => {
                before = (last.high, last.mass);
                last.high = code;
                last.mass += mass;
            }
            _ => {
                segments.push(fresh(false));
                is_shared = false;
            }
        }
    });
}

/// Takes a segment back to what it was without its last value; returns the mass of that.
fn value_taken_off<M: Gather>(segment: &mut Segment<M>, (high, mass): (u32, M)) -> M {
    let mut part = segment.mass;
    part -= mass;
    (segment.high, segment.mass) = (high, mass);
    part
}
