//! What a numeric feature pays for the choice of its threshold.
//!
//! A feature of many values finds a cut that looks good by chance. The rule of minimum description
//! length takes off what it costs to say which cut it is: with T cuts to choose from, log2 T bits.
//! A node of weight |C| has the gain IG - log2(T)/|C| then; in the integers used here, W·IG, that is
//! a plain log2 T.
//!
//! T counts the cuts that leave two branches as large as they must be. Whether a cut gains anything
//! does not matter, so all of them are counted here, those too that the search for the best passed
//! by. From cut to cut rows move from right to left only: large enough on the left are the cuts from
//! some cut on, on the right those up to some cut, and both ends are found by bisection.
//!
//! # Source
//! Quinlan, "Improved Use of Continuous Attributes in C4.5", JAIR 4, 1996, section 3; C4.5 release 8,
//! which counts the cuts tried.

use super::runs::{Gather, Runs};
use super::scorer::Node;

/// A cut: the code that it lies above, and the known mass up to there.
pub(super) type Place<M> = (u32, M);

/// What is left of the gain of the feature's best cut; `None` where nothing is.
pub(super) fn charged<M: Gather>(
    node: &Node,
    feature: usize,
    runs: &Runs<M>,
    gain: i64,
    places: &mut Vec<Place<M>>,
) -> Option<i64> {
    if gain <= 0 {
        return None; // a charge is never negative
    }
    let rest = gain - node.problem.logs.of_count(n_cuts(node, feature, runs, places));
    (rest > 0).then_some(rest)
}

/// T: how many cuts leave two branches that are large enough.
fn n_cuts<M: Gather>(node: &Node, feature: usize, runs: &Runs<M>, places: &mut Vec<Place<M>>) -> usize {
    let known = find_places(runs, places);
    let is_small = |&(low, left): &Place<M>| !node.is_large_side(left.exact(), feature, |code| code <= low);
    let leaves_enough = |&(low, left): &Place<M>| {
        let mut right = known;
        right -= left;
        node.is_large_side(right.exact(), feature, |code| code > low)
    };
    let (first, end) = (places.partition_point(is_small), places.partition_point(leaves_enough));
    end.saturating_sub(first)
}

/// Notes every cut, ascending; returns the mass of all known rows.
fn find_places<M: Gather>(runs: &Runs<M>, places: &mut Vec<Place<M>>) -> M {
    let (mut so_far, mut last) = (M::default(), None);
    places.clear();
    runs.for_each(|code, _, mass| {
        if let Some(low) = last.filter(|&low| low != code) {
            places.push((low, so_far));
        }
        last = Some(code);
        so_far += mass;
    });
    so_far
}
