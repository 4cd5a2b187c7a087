//! ID3 on binary features and two classes, many small trees in a row.
//!
//! ```text
//! grow(rows):    count, for every unused feature and each class, the rows where it is 1;
//!                split by the feature of highest gain; part the rows in place; go on below.
//! ```
//! What is different from `induce`: a row is the bits of its features, kept apart by class,
//! and the counts of eight features are summed at once, one byte each. Gains come from the same
//! operations on the same numbers, and nodes in the same order, so the trees are the same.

use crate::base::ordering::{ID3_ZERO, Score};

/// The feature of a leaf.
pub const LEAF: u8 = u8::MAX;

/// Most rows that a byte can count.
const BYTE: usize = u8::MAX as usize;

/// Bit i of a byte, spread to byte i.
const SPREAD: [u64; 256] = {
    let mut table = [0u64; 256];
    let mut code = 0;
    while code < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[code] |= ((code as u64 >> bit) & 1) << (8 * bit);
            bit += 1;
        }
        code += 1;
    }
    table
};

/// A node; its children stand side by side, that of value 0 first, after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    /// [`LEAF`] or the feature asked.
    pub feature: u8,
    /// Majority; a tie goes to the parent's class.
    pub class: u8,
    pub first_child: u32,
    /// Rows of each class.
    pub rows: [u32; 2],
}

impl Node {
    fn leaf(rows: [u32; 2], parent_class: u8) -> Self {
        let class = match rows[0].cmp(&rows[1]) {
            std::cmp::Ordering::Equal => parent_class,
            order => u8::from(order.is_lt()),
        };
        Node { feature: LEAF, class, first_child: 0, rows }
    }

    pub fn is_leaf(&self) -> bool {
        self.feature == LEAF
    }

    /// Weight of the node.
    pub fn n(&self) -> u32 {
        self.rows[0] + self.rows[1]
    }

    /// Rows of another class than the node's.
    pub fn errors(&self) -> u32 {
        self.rows[1 - self.class as usize]
    }
}

/// The leaf of a row.
pub fn leaf_of(nodes: &[Node], row: u16) -> usize {
    let mut at = 0;
    while nodes[at].feature != LEAF {
        at = nodes[at].first_child as usize + usize::from(row >> nodes[at].feature & 1);
    }
    at
}

/// A node whose rows are still to be parted.
struct Open {
    node: u32,
    /// Its rows of each class, as ranges of the lists.
    ranges: [(u32, u32); 2],
    /// Features not asked above.
    unused: u16,
}

/// Grows trees, with buffers of its own.
#[derive(Default)]
pub struct Grower {
    /// n · ln n.
    n_log_n: Vec<f64>,
    nodes: Vec<Node>,
    stack: Vec<Open>,
    lists: [Vec<u16>; 2],
    set_aside: Vec<u16>,
}

impl Grower {
    /// Grows the tree of these rows, bit j of which is feature j, each with its class.
    pub fn grow(&mut self, n_features: u32, rows: impl Iterator<Item = (u16, bool)>) -> &[Node] {
        self.lists.iter_mut().for_each(Vec::clear);
        for (row, class) in rows {
            self.lists[usize::from(class)].push(row);
        }
        let counts = [self.lists[0].len() as u32, self.lists[1].len() as u32];
        self.know_logs_up_to((counts[0] + counts[1]) as usize);
        self.set_aside.resize(counts[0].max(counts[1]) as usize, 0);
        self.nodes.clear();
        self.nodes.push(Node::leaf(counts, 0));
        let unused = (1u32 << n_features).wrapping_sub(1) as u16;
        self.stack.push(Open { node: 0, ranges: [(0, counts[0]), (0, counts[1])], unused });
        while let Some(open) = self.stack.pop() {
            let counts = self.nodes[open.node as usize].rows;
            if open.unused != 0 && counts[0] != 0 && counts[1] != 0 {
                self.expand(open, counts);
            }
        }
        &self.nodes
    }

    fn know_logs_up_to(&mut self, n: usize) {
        if self.n_log_n.is_empty() {
            self.n_log_n.push(0.0);
        }
        let known = self.n_log_n.len();
        self.n_log_n.extend((known..=n).map(|k| k as f64 * libm::log(k as f64)));
    }

    fn expand(&mut self, open: Open, counts: [u32; 2]) {
        let mut ones = [[0; 16]; 2];
        for (class, ones) in ones.iter_mut().enumerate() {
            let (start, end) = open.ranges[class];
            count_ones(&self.lists[class][start as usize..end as usize], ones);
        }
        let feature = best_feature(&self.n_log_n, open.unused, counts, &ones);
        let first_child = self.nodes.len() as u32;
        let node = &mut self.nodes[open.node as usize];
        (node.feature, node.first_child) = (feature as u8, first_child);
        let class = node.class;
        let right = [ones[0][feature], ones[1][feature]];
        let left = [counts[0] - right[0], counts[1] - right[1]];
        self.nodes.push(Node::leaf(left, class));
        self.nodes.push(Node::leaf(right, class));
        let mut middle = left;
        for (class, middle) in middle.iter_mut().enumerate() {
            let (start, end) = open.ranges[class];
            part(&mut self.lists[class][start as usize..end as usize], feature, &mut self.set_aside);
            *middle += start;
        }
        let unused = open.unused & !(1 << feature);
        let below = |place: u32| {
            let range = |class: usize| match place {
                0 => (open.ranges[class].0, middle[class]),
                _ => (middle[class], open.ranges[class].1),
            };
            Open { node: first_child + place, ranges: [range(0), range(1)], unused }
        };
        self.stack.push(below(1));
        self.stack.push(below(0));
    }
}

/// Adds to the count of each feature the rows where it is 1.
fn count_ones(rows: &[u16], counts: &mut [u32; 16]) {
    for some in rows.chunks(BYTE) {
        let (mut low, mut high) = (0u64, 0u64);
        for &row in some {
            low += SPREAD[(row & 0xFF) as usize];
            high += SPREAD[(row >> 8) as usize];
        }
        let bytes = low.to_le_bytes().into_iter().chain(high.to_le_bytes());
        counts.iter_mut().zip(bytes).for_each(|(count, byte)| *count += u32::from(byte));
    }
}

/// Puts the rows where the feature is 0 before the others, either in the order in which they came.
fn part(rows: &mut [u16], feature: usize, set_aside: &mut [u16]) {
    let (mut n_zeros, mut n_ones) = (0, 0);
    for i in 0..rows.len() {
        let row = rows[i];
        rows[n_zeros] = row;
        set_aside[n_ones] = row;
        let bit = usize::from(row >> feature & 1);
        n_ones += bit;
        n_zeros += 1 - bit;
    }
    rows[n_zeros..].copy_from_slice(&set_aside[..n_ones]);
}

/// The feature of highest gain in n·nats, the lowest among equals.
fn best_feature(n_log_n: &[f64], unused: u16, counts: [u32; 2], ones: &[[u32; 16]; 2]) -> usize {
    let x = |n: u32| n_log_n[n as usize];
    let uncertainty = |a: u32, b: u32| x(a + b) - (x(a) + x(b));
    let whole = uncertainty(counts[0], counts[1]);
    let mut best: Option<(usize, Score)> = None;
    let mut rest = unused;
    while rest != 0 {
        let feature = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let (a, b) = (ones[0][feature], ones[1][feature]);
        let gain = whole - (uncertainty(counts[0] - a, counts[1] - b) + uncertainty(a, b));
        let score = Score::Nats(if gain < ID3_ZERO { 0.0 } else { gain });
        if best.is_none_or(|(_, top)| score.beats(top)) {
            best = Some((feature, score));
        }
    }
    best.expect("a node that is split has an unused feature").0
}
