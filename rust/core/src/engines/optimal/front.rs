//! The intervals that are still open at a node, and the best tree met so far.

use std::collections::{HashMap, VecDeque};

use serde::{Deserialize, Serialize};

use super::bits::{Bits, Test};
use super::bounds::{End, Interval};
use super::cuts::Cuts;
use super::part::Part;
use super::rules::{ANY, Rules};

/// Intervals halved no more often than this wait in a queue, so that all axes have their turn.
const QUEUED_LEVELS: u32 = 4;

/// Leaves of the two sides.
pub(super) type Family = (u32, u32);

/// How so many leaves can be shared out to two sides of depth `depth - 1`.
pub(super) fn families(depth: u32, leaves: u32) -> Vec<Family> {
    if leaves == ANY {
        return vec![(ANY, ANY)];
    }
    let most = 1u32 << (depth - 1);
    (1.max(leaves.saturating_sub(most))..=most.min(leaves - 1)).map(|left| (left, leaves - left)).collect()
}

/// The depth and the leaves that matter where both are limited.
pub(super) fn in_effect(depth: u32, leaves: u32) -> (u32, u32) {
    let depth = depth.min(leaves - 1);
    let is_free = depth < u32::BITS - 1 && leaves >= 1 << depth;
    (depth, if is_free { ANY } else { leaves })
}

/// The best tree so far, and what is open.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Front {
    pub queue: VecDeque<Interval>,
    pub stack: Vec<Interval>,
    #[serde(skip)]
    pub cuts: Vec<Cuts>,
}

impl Front {
    /// All tests of a set, between ends at which one side is empty: there the other side is the whole set,
    /// which costs `whole` with the leaves of the family's left and right side.
    pub fn open(
        part: &Part,
        rules: &Rules,
        whole: &[(i64, i64)],
        with_notes: bool,
        mut cuts: Vec<Cuts>,
    ) -> Self {
        cuts.resize_with(part.axes.len(), Cuts::default);
        if let Some(bits) = rules.bits_of(part) {
            return Front::of_bits(part, rules, bits, whole[0], cuts);
        }
        let (mut queue, all) = (VecDeque::new(), rules.reach_of_all(part));
        for axis in rules.live_axes(part) {
            cuts[axis].list(part, axis, rules, with_notes);
            for (family, &(left, right)) in whole.iter().enumerate() {
                let a = End { pos: 0, left: rules.price.leaf, right };
                let b = End { pos: all, left, right: rules.price.leaf };
                let whole =
                    Interval { axis, a, b, low: 0, high: cuts[axis].len().wrapping_sub(1), level: 0, family };
                match cuts[axis].is_ordered() {
                    true => queue.push_back(whole),
                    false => {
                        queue.extend((0..cuts[axis].len()).map(|test| Interval {
                            low: test,
                            high: test,
                            ..whole
                        }));
                    }
                }
            }
        }
        Front { queue, stack: Vec::new(), cuts }
    }

    /// All tests of a set one by one, in the order in which they promise most.
    fn of_bits(
        part: &Part,
        rules: &Rules,
        bits: &dyn Bits,
        (left, right): (i64, i64),
        mut cuts: Vec<Cuts>,
    ) -> Self {
        for axis in rules.live_axes(part) {
            cuts[axis].list(part, axis, rules, false);
        }
        let a = End { pos: 0, left: rules.price.leaf, right };
        let b = End { pos: rules.reach_of_all(part), left, right: rules.price.leaf };
        let alone = |Test { axis, index, .. }: Test| Interval {
            axis,
            a,
            b,
            low: index,
            high: index,
            level: 0,
            family: 0,
        };
        let queue = bits.in_order().into_iter().map(alone).collect();
        Front { queue, stack: Vec::new(), cuts }
    }

    /// Raises what the sides of open tests cost at least by what those of a test are known to cost.
    pub fn raise(&mut self, part: &Part, rules: &Rules, interval: Interval, end: End) {
        let Some(bits) = rules.bits_of(part) else { return };
        let cond = self.cuts[interval.axis].cond(interval.low);
        let raised = bits.raised(interval.axis, cond, [end.left, end.right]);
        let raised: HashMap<(usize, usize), [i64; 2]> =
            raised.into_iter().map(|(test, least)| ((test.axis, test.index), least)).collect();
        for open in &mut self.queue {
            if let Some([left, right]) = raised.get(&(open.axis, open.low)) {
                open.a.left = open.a.left.max(*left);
                open.b.right = open.b.right.max(*right);
            }
        }
    }

    /// The next interval in which a test may cost less than `best`, trimmed.
    pub fn next(&mut self, best: i64, rules: &Rules) -> Option<Interval> {
        while let Some(mut interval) = self.stack.pop().or_else(|| self.queue.pop_front()) {
            if interval.trim(&self.cuts[interval.axis].pos, best, rules.adds_at_most) {
                return Some(interval);
            }
        }
        None
    }

    /// Opens what is left and right of a test that is now known.
    pub fn halve(&mut self, interval: Interval, test: usize, mid: End) {
        for half in interval.halves(test, mid) {
            match half.level < QUEUED_LEVELS {
                true => self.queue.push_back(half),
                false => self.stack.push(half),
            }
        }
    }

    /// Lists the tests of a set anew, where only the intervals were kept.
    pub fn list(&mut self, part: &Part, rules: &Rules) {
        self.cuts.resize_with(part.axes.len(), Cuts::default);
        for axis in rules.live_axes(part) {
            self.cuts[axis].list(part, axis, rules, false);
        }
    }

    /// Bytes held on the heap.
    pub fn bytes(&self) -> usize {
        let n_intervals = self.queue.capacity() + self.stack.capacity();
        n_intervals * size_of::<Interval>() + self.cuts.iter().map(Cuts::bytes).sum::<usize>()
    }

    /// What no open test costs less than.
    pub fn bound(&self, rules: &Rules) -> i64 {
        let open = self.queue.iter().chain(&self.stack);
        open.map(|interval| interval.bound(rules.adds_at_most)).min().unwrap_or(i64::MAX)
    }
}
