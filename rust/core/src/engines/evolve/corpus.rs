//! Trees stored so that a rule is judged by two passes over columns.
//!
//! ```text
//! estimate every distinct pair (c, n)
//! for every distinct subtree, children first:       # all decisions
//!     below = sum of share * value(child)
//!     cut   = estimate <= below
//!     value = estimate if cut else below
//! for every tree, from the root:                    # all errors
//!     at a node that is cut or a leaf: count its errors, pass over what is below it
//! ```
//! What a leaf errs on the test rows does not depend on the rule, so it is stored at every node and
//! nothing is classified. Subtrees with equal pairs and equal structure are one; which of their nodes are
//! cut does not depend on where they stand.

use std::collections::HashMap;
use std::ops::Range;

use crate::base::error::{Error, Result};
use crate::base::ordering::PRUNE_TIE;

/// A node of a tree to be pruned; parents come before their children.
#[derive(Debug, Clone, PartialEq)]
pub struct GrownNode {
    /// Training rows of the node's class.
    pub c: f64,
    /// All training rows.
    pub n: f64,
    /// Test rows that it would get wrong as a leaf.
    pub errors: f64,
    /// The first child; the others follow.
    pub first_child: u32,
    /// How many there are.
    pub n_children: u32,
}

impl GrownNode {
    /// Numbers of the children.
    pub(super) fn children(&self) -> Range<usize> {
        self.first_child as usize..(self.first_child + self.n_children) as usize
    }
}

/// A tree grown from some rows and judged by others.
#[derive(Debug, Clone, PartialEq)]
pub struct GrownTree {
    /// The root first.
    pub nodes: Vec<GrownNode>,
    /// Rows that judge it.
    pub n_test: f64,
}

/// Place of a value: nothing, a pair, or a subtree.
type Place = u32;

/// The value where no row comes: 0, always a leaf.
const NOTHING: Place = 0;

/// The pair of a record that only adds up values.
const NO_PAIR: Place = Place::MAX;

/// A distinct subtree, or a partial sum over children where there are more than two.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Record {
    pair: Place,
    children: [Place; 2],
    shares: [f64; 2],
}

/// A node in the order of the walk from the root.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Stop {
    place: Place,
    /// To the next node outside the subtree.
    skip: u32,
    errors: f64,
}

/// How far a part of the trees reaches into the columns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Part {
    pub n_trees: usize,
    pub n_pairs: usize,
    n_records: usize,
}

/// Trees in columns.
///
/// # Invariants
/// Trees, pairs and records stand in the order of first use, so a first part of the trees needs a first
/// part of each. The value of pair i has place i + 1, that of record i stands after all pairs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Corpus {
    c: Vec<f64>,
    n: Vec<f64>,
    records: Vec<Record>,
    stops: Vec<Stop>,
    /// Ends of the trees in the stops.
    ends: Vec<usize>,
    n_test: Vec<f64>,
    screen: Part,
}

/// Values and decisions of a rule; reused from rule to rule.
#[derive(Debug, Default)]
pub struct Decisions {
    values: Vec<f64>,
    cut: Vec<u8>,
}

impl Corpus {
    /// Stores trees; the first `n_screen` of them are the part that screens.
    ///
    /// # Errors
    /// A node whose training rows are none of its class, or whose numbers are not finite.
    pub fn new(trees: &[GrownTree], n_screen: usize) -> Result<Corpus> {
        let mut builder = Builder::default();
        for (k, tree) in trees.iter().enumerate() {
            builder.add(tree)?;
            if k + 1 == n_screen.clamp(1, trees.len()) {
                builder.corpus.screen = builder.corpus.whole();
            }
        }
        Ok(builder.finish())
    }

    pub fn n_trees(&self) -> usize {
        self.ends.len()
    }

    /// Nodes of all trees.
    pub fn n_nodes(&self) -> usize {
        self.stops.len()
    }

    pub fn n_subtrees(&self) -> usize {
        self.records.iter().filter(|record| record.pair != NO_PAIR).count()
    }

    /// Test rows of every tree.
    pub fn n_test(&self) -> &[f64] {
        &self.n_test
    }

    /// The distinct pairs, as columns.
    pub fn pairs(&self) -> (&[f64], &[f64]) {
        (&self.c, &self.n)
    }

    pub fn whole(&self) -> Part {
        Part { n_trees: self.ends.len(), n_pairs: self.c.len(), n_records: self.records.len() }
    }

    /// The part that screens.
    pub fn screen(&self) -> Part {
        self.screen
    }

    /// Largest number of training rows at a node.
    pub fn largest(&self) -> f64 {
        self.n.iter().copied().fold(0.0, f64::max)
    }

    /// Where the estimates of the pairs of a part go before [`Corpus::decide`].
    pub fn estimates<'a>(&self, decisions: &'a mut Decisions) -> &'a mut [f64] {
        let n_places = 1 + self.c.len() + self.records.len();
        decisions.values.resize(n_places, 0.0);
        decisions.cut.resize(n_places, 1);
        decisions.values[NOTHING as usize] = 0.0;
        decisions.cut[..=self.c.len()].fill(1);
        &mut decisions.values[1..=self.c.len()]
    }

    /// Decides every subtree of a part; a leaf may be worse by `slack` rows.
    pub fn decide(&self, decisions: &mut Decisions, part: Part, slack: f64) {
        match slack == 0.0 {
            true => self.decide_by(decisions, part, |below, _| below + PRUNE_TIE),
            false => self.decide_by(decisions, part, |below, pair| {
                below + slack / self.n[pair as usize - 1] + PRUNE_TIE
            }),
        }
    }

    /// The same; `allowed` says what a leaf may come to, of what is below it and its pair.
    #[inline]
    fn decide_by(&self, decisions: &mut Decisions, part: Part, allowed: impl Fn(f64, Place) -> f64) {
        let first = 1 + self.c.len();
        let values = &mut decisions.values[..];
        let cut = &mut decisions.cut[first..];
        for (k, (record, cut)) in self.records[..part.n_records].iter().zip(cut).enumerate() {
            let ([a, b], [share_a, share_b]) = (record.children, record.shares);
            let below = share_a * values[a as usize] + share_b * values[b as usize];
            let leaf = match record.pair {
                NO_PAIR => f64::INFINITY,
                pair => values[pair as usize],
            };
            let is_cut = record.pair != NO_PAIR && leaf <= allowed(below, record.pair);
            // A choice of two numbers and no branch, which the processor could not foretell.
            values[first + k] = if is_cut { leaf } else { below };
            *cut = u8::from(is_cut);
        }
    }

    fn stops(&self, tree: usize) -> &[Stop] {
        let start = if tree == 0 { 0 } else { self.ends[tree - 1] };
        &self.stops[start..self.ends[tree]]
    }

    /// Test errors of a tree under what was decided.
    pub fn errors(&self, decisions: &Decisions, tree: usize) -> f64 {
        let stops = self.stops(tree);
        let (mut at, mut errors) = (0, 0.0);
        while let Some(stop) = stops.get(at) {
            let is_cut = decisions.cut[stop.place as usize] != 0;
            errors += if is_cut { stop.errors } else { 0.0 };
            at += if is_cut { stop.skip as usize } else { 1 };
        }
        errors
    }

    /// Test errors of a tree that stays whole.
    pub fn errors_unpruned(&self, tree: usize) -> f64 {
        self.stops(tree).iter().filter(|stop| stop.skip == 1).map(|stop| stop.errors).sum()
    }

    /// The decisions about a part as a number: equal for rules that prune alike.
    pub fn fingerprint(&self, decisions: &Decisions, part: Part) -> u64 {
        let first = 1 + self.c.len();
        let mut hash = 0u64;
        for bytes in decisions.cut[first..first + part.n_records].chunks(8) {
            let mut bits = 0;
            for &byte in bytes {
                bits = bits << 8 | u64::from(byte);
            }
            hash = (hash.rotate_left(5) ^ bits).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            hash ^= hash >> 29;
        }
        hash
    }
}

#[derive(Default)]
struct Builder {
    corpus: Corpus,
    pairs: HashMap<(u64, u64), u32>,
    records: HashMap<(u32, [u32; 2], [u64; 2]), u32>,
    /// Subtrees so far, as in the records, but with pairs and records counted apart: the number of
    /// pairs is not known before the end.
    found: Vec<Place>,
}

/// Marks a place as that of a record while pairs are still coming.
const RECORD: Place = 1 << 31;

impl Builder {
    fn pair(&mut self, node: &GrownNode) -> Place {
        let next = self.pairs.len() as u32;
        let pair = *self.pairs.entry((node.c.to_bits(), node.n.to_bits())).or_insert(next);
        if pair == next {
            self.corpus.c.push(node.c);
            self.corpus.n.push(node.n);
        }
        pair + 1
    }

    fn record(&mut self, record: Record) -> Place {
        let key = (record.pair, record.children, record.shares.map(f64::to_bits));
        let next = self.records.len() as u32;
        let found = *self.records.entry(key).or_insert(next);
        if found == next {
            self.corpus.records.push(record);
        }
        found | RECORD
    }

    fn add(&mut self, tree: &GrownTree) -> Result<()> {
        check(tree)?;
        self.found.clear();
        self.found.resize(tree.nodes.len(), NOTHING);
        for (id, node) in tree.nodes.iter().enumerate().rev() {
            self.found[id] = self.subtree(tree, node);
        }
        let sizes = sizes(tree);
        let start = self.corpus.stops.len();
        let mut todo = vec![0u32];
        while let Some(id) = todo.pop() {
            let node = &tree.nodes[id as usize];
            let stop = Stop { place: self.found[id as usize], skip: sizes[id as usize], errors: node.errors };
            self.corpus.stops.push(stop);
            todo.extend((node.first_child..node.first_child + node.n_children).rev());
        }
        let corpus = &mut self.corpus;
        if corpus.stops.len() != start + tree.nodes.len() {
            return Err(not_a_tree(tree.nodes.len()));
        }
        corpus.ends.push(corpus.stops.len());
        corpus.n_test.push(tree.n_test);
        Ok(())
    }

    fn subtree(&mut self, tree: &GrownTree, node: &GrownNode) -> Place {
        if node.n == 0.0 {
            return NOTHING;
        }
        let pair = self.pair(node);
        if node.n_children == 0 {
            return pair;
        }
        let reached = node.children().filter(|&child| tree.nodes[child].n > 0.0);
        let mut parts: Vec<(Place, f64)> =
            reached.map(|child| (self.found[child], tree.nodes[child].n / node.n)).collect();
        while parts.len() > 2 {
            let (first, second) = (parts[0], parts[1]);
            let children = [first.0, second.0];
            let sum = self.record(Record { pair: NO_PAIR, children, shares: [first.1, second.1] });
            parts.splice(..2, [(sum, 1.0)]);
        }
        parts.resize(2, (NOTHING, 0.0));
        let (children, shares) = ([parts[0].0, parts[1].0], [parts[0].1, parts[1].1]);
        self.record(Record { pair, children, shares })
    }

    fn finish(self) -> Corpus {
        let mut corpus = self.corpus;
        let first = 1 + corpus.c.len() as u32;
        let settle = |place: &mut Place| {
            if *place != NO_PAIR && *place & RECORD != 0 {
                *place = first + (*place & !RECORD);
            }
        };
        corpus.records.iter_mut().flat_map(|record| &mut record.children).for_each(settle);
        corpus.stops.iter_mut().map(|stop| &mut stop.place).for_each(settle);
        corpus
    }
}

/// Nodes of every subtree.
fn sizes(tree: &GrownTree) -> Vec<u32> {
    let mut sizes = vec![1u32; tree.nodes.len()];
    for (id, node) in tree.nodes.iter().enumerate().rev() {
        sizes[id] += sizes[node.children()].iter().sum::<u32>();
    }
    sizes
}

fn check(tree: &GrownTree) -> Result<()> {
    let n_nodes = tree.nodes.len();
    let fault = |name, found: String, allowed| Err(Error::Parameter { name, found: found.into(), allowed });
    if n_nodes == 0 {
        return Err(not_a_tree(0));
    }
    for (id, node) in tree.nodes.iter().enumerate() {
        let last = node.first_child as usize + node.n_children as usize;
        if node.n_children > 0 && (node.first_child as usize <= id || last > n_nodes) {
            return Err(not_a_tree(n_nodes));
        }
        let finite = [node.c, node.n, node.errors].iter().all(|x| x.is_finite() && *x >= 0.0);
        if !finite || node.n > 0.0 && (node.c == 0.0 || node.c > node.n) {
            let found = format!("({}, {})", node.c, node.n);
            let allowed = "rows of the node's class, more than none, and all rows, no fewer";
            return fault("(c, n)", found, allowed);
        }
    }
    if !tree.n_test.is_finite() || tree.n_test <= 0.0 {
        return fault("n_test", tree.n_test.to_string(), "more than 0 rows that judge");
    }
    Ok(())
}

fn not_a_tree(n_nodes: usize) -> Error {
    let allowed = "nodes that form one tree, each before its children";
    Error::Parameter { name: "nodes", found: n_nodes.into(), allowed }
}
