//! A whole set as bits: its tests, and the order in which they are looked at.

use std::collections::HashMap;
use std::sync::Mutex;

use super::super::cuts::Cuts;
use super::super::lanes::{Cond, Instructions, Kind, Lane};
use super::super::part::Part;
use super::super::price::Price;
use super::super::rules::Rules;
use super::node::Node;
use super::rows::Rows;
use crate::base::lock::locked;

/// Tests that are taken as bits at the most.
const MOST_TESTS: usize = 1 << 10;
/// Pairs of tests, by class, that are counted at the most.
const MOST_PAIRS: usize = 1 << 23;
/// Words of 64 rows that are looked at for all pairs at the most: a second or two, in which nothing stops a search.
const MOST_WORDS: usize = 1 << 31;
/// Sets of which the least cost at depth 2 is kept at the most.
pub(super) const MOST_KEPT: usize = 1 << 20;

/// A test of the whole set.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Test {
    pub axis: usize,
    /// Which test of its axis it is.
    pub index: usize,
    pub cond: Cond,
}

/// A set as bits.
#[derive(Debug)]
pub(super) struct Root<T> {
    pub instructions: Instructions,
    pub price: Price,
    /// All tests, by axis and in the order of their codes.
    pub tests: Vec<Test>,
    /// By axis, the number of its first test.
    first: Vec<usize>,
    /// Of every test, that of the node which parts the rows alike, and whether its sides are the other way round.
    pub place: Vec<(usize, bool)>,
    pub node: Node<T>,
    pub n_rows: usize,
    kept: Mutex<HashMap<u64, i64>>,
}

/// Whether a set is better taken as bits.
pub(super) fn fits(part: &Part, rules: &Rules) -> bool {
    let n_present = part.totals.iter().filter(|&&total| total > 0).count();
    let axes = rules.live_axes(part);
    let n_tests: usize = axes.iter().map(|&axis| number_of_tests(part, axis, rules)).sum();
    let is_short = n_tests * n_tests <= 6000 * axes.len();
    let n_pairs = n_tests * n_tests / 2 * n_present;
    rules.is_plain()
        && rules.min_leaf == 0
        && !rules.kinds.iter().any(|kind| matches!(kind, Kind::Multiway { .. }))
        && (2..=MOST_TESTS).contains(&n_tests)
        && n_pairs <= MOST_PAIRS
        && n_tests * n_tests / 2 * part.n.div_ceil(64) <= MOST_WORDS
        && is_short
}

fn number_of_tests(part: &Part, axis: usize, rules: &Rules) -> usize {
    let n_groups = part.axes[axis].n_groups() as usize;
    if rules.kinds[axis] == Kind::Each { n_groups } else { n_groups - 1 }
}

impl<T: Lane> Root<T> {
    pub fn new(part: &Part, rules: &Rules) -> Self {
        let (mut tests, mut first) = (Vec::new(), vec![0; part.axes.len()]);
        for axis in rules.live_axes(part) {
            let mut cuts = Cuts::default();
            cuts.list(part, axis, rules, false);
            first[axis] = tests.len();
            tests.extend((0..cuts.len()).map(|index| Test { axis, index, cond: cuts.cond(index) }));
        }
        let n_present = part.totals.iter().filter(|&&total| total > 0).count();
        let mut node = Node::of(rows_of(part, &tests), n_present);
        let place = node.settle(rules.instructions);
        let (instructions, price) = (rules.instructions, rules.price);
        Root { instructions, price, tests, first, place, node, n_rows: part.n, kept: Mutex::default() }
    }

    /// The number of a test.
    pub fn number(&self, axis: usize, cond: Cond) -> usize {
        let is_it = |test: &&Test| test.axis == axis && test.cond == cond;
        let own = &self.tests[self.first[axis]..];
        self.first[axis] + own.iter().position(|test| is_it(&test)).expect("it is one of its axis")
    }

    /// What is known of a set at depth 2.
    pub fn known(&self, key: Option<u64>) -> Option<i64> {
        let kept = locked(&self.kept);
        key.and_then(|key| kept.get(&key).copied())
    }

    pub fn keep(&self, key: Option<u64>, cost: i64) {
        let mut kept = locked(&self.kept);
        if let Some(key) = key.filter(|_| kept.len() < MOST_KEPT) {
            kept.insert(key, cost);
        }
    }
}

/// The rows of a set, by class and by what they count.
fn rows_of(part: &Part, tests: &[Test]) -> Rows {
    let mut rows = Rows::new(tests.len());
    let present = (0..part.totals.len()).filter(|&class| part.totals[class] > 0);
    for (place, class) in present.enumerate() {
        let ids: Vec<usize> = (0..part.n).filter(|&id| usize::from(part.classes[id]) == class).collect();
        for (weight, ids) in digits(part, &ids) {
            let n_words = ids.len().div_ceil(64);
            let words = rows.open(place, weight, ids.len());
            for (test, words) in tests.iter().zip(words.chunks_exact_mut(n_words)) {
                let codes = part.codes(test.axis);
                for (i, &id) in ids.iter().enumerate() {
                    words[i / 64] |= u64::from(test.cond.holds(codes[id])) << (i % 64);
                }
            }
        }
    }
    rows
}

/// Rows as rows of weights that are powers of two; or each as often as it counts, where that is shorter.
fn digits(part: &Part, ids: &[usize]) -> Vec<(i64, Vec<usize>)> {
    let most = ids.iter().map(|&id| part.weight(id)).max().unwrap_or(0);
    let by_digit: Vec<(i64, Vec<usize>)> = (0..i64::BITS - most.leading_zeros())
        .map(|bit| {
            let has = |&id: &usize| part.weight(id) >> bit & 1 == 1;
            (1 << bit, ids.iter().copied().filter(has).collect())
        })
        .filter(|(_, ids): &(i64, Vec<usize>)| !ids.is_empty())
        .collect();
    let n_words: usize = by_digit.iter().map(|(_, ids)| ids.len().div_ceil(64)).sum();
    let all = ids.iter().map(|&id| part.weight(id)).fold(0, i64::saturating_add);
    match all <= 64 * n_words as i64 {
        true => {
            let repeated = ids.iter().flat_map(|&id| std::iter::repeat_n(id, part.weight(id) as usize));
            vec![(1, repeated.collect())]
        }
        false => by_digit,
    }
}
