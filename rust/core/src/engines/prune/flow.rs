//! Rows on their way down a tree.
//!
//! Whole rows stand in one list that every split puts in order: the rows of a node are a range of
//! it, those of its branches lie side by side inside. A row whose value is unknown stays at the end
//! of its node's range and goes on as partial rows, which stand in a second list that works as a
//! stack. So a node costs no more than its rows, however deep the tree.

use std::ops::Range;

use super::rows::Rows;
use crate::base::control::Control;
use crate::base::error::Result;
use crate::base::ordering::first_largest;
#[cfg(test)]
use crate::base::ordering::last_largest;
use crate::base::outcome::Status;
use crate::model::data::{FULL_SHARE, Weights};
use crate::model::tree::{Reader, Route, Routing, Step, Tree, Walk};

/// Rows moved between two checkpoints.
const BATCH: usize = 1 << 14;

/// A row of which only a share comes this way, in units of 2^-30.
#[derive(Debug, Clone, Copy)]
struct Part {
    row: u32,
    share: u32,
}

/// The rows at a node, as ranges of the two lists.
#[derive(Debug, Clone, Default)]
pub(super) struct Bunch {
    whole: Range<usize>,
    part: Range<usize>,
}

impl Bunch {
    pub(super) fn is_empty(&self) -> bool {
        self.whole.is_empty() && self.part.is_empty()
    }
}

/// What decides the branches' shares of a row whose value is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shares {
    /// The other rows at the node, as when a tree grows.
    Rows,
    /// The weights stored in the tree, as when it predicts.
    Tree,
}

/// The rows of a node, handed to its branches.
#[derive(Debug)]
pub(super) struct Fork {
    pub(super) branches: Vec<Bunch>,
    /// Rows that go no further, their value having no branch.
    pub(super) staying: Bunch,
    /// The branch with most of the rows whose value is known, the last among equals.
    #[cfg(test)]
    pub(super) largest: usize,
    /// Partial rows before the split.
    n_parts: usize,
}

/// The two lists, and the tree that orders them.
pub(super) struct Flow<'a> {
    tree: &'a Tree,
    reader: Reader<'a>,
    rows: &'a Rows,
    sharing: Sharing<'a>,
    control: &'a Control,
    whole: Vec<u32>,
    parts: Vec<Part>,
    n_moved: usize,
    places: Vec<u32>,
    sorted: Vec<u32>,
    sorted_parts: Vec<Part>,
}

impl<'a> Flow<'a> {
    pub(super) fn new(tree: &'a Tree, rows: &'a Rows, shares: Shares, control: &'a Control) -> Result<Self> {
        Ok(Flow {
            tree,
            reader: Reader::new(tree, &rows.columns)?,
            rows,
            sharing: Sharing { tree, shares },
            control,
            whole: (0..rows.len() as u32).filter(|&row| rows.weights.fine(row) > 0).collect(),
            parts: Vec::new(),
            n_moved: 0,
            places: Vec::new(),
            sorted: Vec::new(),
            sorted_parts: Vec::new(),
        })
    }

    /// The rows of the root.
    pub(super) fn all(&self) -> Bunch {
        Bunch { whole: 0..self.whole.len(), part: 0..0 }
    }

    /// Masses by class, in units of 2^-50.
    pub(super) fn count(&self, bunch: &Bunch, masses: &mut [u128]) {
        masses.fill(0);
        let class = |row: u32| self.rows.target[row as usize] as usize;
        let whole = &self.whole[bunch.whole.clone()];
        match &self.rows.weights {
            Weights::Unit => whole.iter().for_each(|&row| masses[class(row)] += 1),
            weights => whole.iter().for_each(|&row| masses[class(row)] += u128::from(weights.fine(row))),
        }
        let scale = self.rows.weights.mass_of_one();
        masses.iter_mut().for_each(|mass| *mass *= scale);
        for part in &self.parts[bunch.part.clone()] {
            masses[class(part.row)] += self.rows.weights.mass(part.row, part.share);
        }
    }

    /// Rows by class, in units of 2^-30, where they are not what the masses say: where some weigh other than 1.
    pub(super) fn shares(&self, bunch: &Bunch) -> Option<Vec<u64>> {
        if self.rows.weights == Weights::Unit {
            return None;
        }
        let mut shares = vec![0u64; self.tree.n_classes()];
        let class = |row: u32| self.rows.target[row as usize] as usize;
        self.whole[bunch.whole.clone()].iter().for_each(|&row| shares[class(row)] += u64::from(FULL_SHARE));
        self.parts[bunch.part.clone()]
            .iter()
            .for_each(|part| shares[class(part.row)] += u64::from(part.share));
        Some(shares)
    }

    /// Hands the rows at `node` to its branches.
    pub(super) fn split(&mut self, node: u32, bunch: &Bunch) -> std::result::Result<Fork, Status> {
        self.watch(bunch)?;
        let n_parts = self.parts.len();
        let n_branches = self.tree.nodes()[node as usize].n_children as usize;
        let whole = self.sort_whole(node, bunch, n_branches);
        let part = self.sort_parts(node, bunch, n_branches);
        let masses: Vec<u128> = (0..n_branches).map(|b| self.mass(&whole[b], &part[b])).collect();
        let unknown = self.unknown(&whole[n_branches], &part[n_branches]);
        let mut fork = Fork {
            branches: Vec::new(),
            staying: Bunch::default(),
            #[cfg(test)]
            largest: last_largest(masses.iter().copied()).expect("a split has branches"),
            n_parts,
        };
        let given = self.given(node, &masses, &unknown);
        for (b, whole) in whole.iter().take(n_branches).enumerate() {
            let first = self.parts.len();
            self.parts.extend_from_slice(&self.sorted_parts[part[b].clone()]);
            if let Some(given) = &given {
                let shares = unknown.iter().zip(given.iter().skip(b).step_by(n_branches));
                let taken = shares.filter(|&(_, &share)| share > 0);
                self.parts.extend(taken.map(|(part, &share)| Part { row: part.row, share }));
            }
            fork.branches.push(Bunch { whole: whole.clone(), part: first..self.parts.len() });
        }
        if given.is_none() {
            let first = self.parts.len();
            self.parts.extend(unknown);
            fork.staying.part = first..self.parts.len();
        }
        Ok(fork)
    }

    /// Forgets the partial rows that a split made.
    pub(super) fn leave(&mut self, fork: &Fork) {
        self.parts.truncate(fork.n_parts);
    }

    fn watch(&mut self, bunch: &Bunch) -> std::result::Result<(), Status> {
        self.n_moved += 1 + bunch.whole.len() + bunch.part.len();
        if self.n_moved >= BATCH {
            self.n_moved = 0;
            self.control.checkpoint()?;
        }
        Ok(())
    }

    /// The branch a row takes; beyond the last where it is unknown.
    fn place(&self, node: u32, row: u32, n_branches: usize) -> u32 {
        match self.reader.step(node, row as usize) {
            Step::Child(child) => child - self.tree.nodes()[node as usize].first_child,
            Step::Unknown => n_branches as u32,
            Step::Leaf => unreachable!("only splits hand rows on"),
        }
    }

    /// Orders the whole rows by their branches; gives the branches' ranges, that of unknown rows last.
    fn sort_whole(&mut self, node: u32, bunch: &Bunch, n_branches: usize) -> Vec<Range<usize>> {
        let range = bunch.whole.clone();
        let places = std::mem::take(&mut self.places);
        let rows = self.whole[range.clone()].iter();
        self.places = refilled(places, rows.map(|&row| self.place(node, row, n_branches)));
        let (ranges, mut next) = ranges(&self.places, n_branches + 1, range.start);
        self.sorted.resize(range.len(), 0);
        for (&row, &place) in self.whole[range.clone()].iter().zip(&self.places) {
            self.sorted[next[place as usize] - range.start] = row;
            next[place as usize] += 1;
        }
        self.whole[range].copy_from_slice(&self.sorted);
        ranges
    }

    /// Orders a copy of the partial rows; gives ranges of `sorted_parts`.
    fn sort_parts(&mut self, node: u32, bunch: &Bunch, n_branches: usize) -> Vec<Range<usize>> {
        let parts = &self.parts[bunch.part.clone()];
        let places = std::mem::take(&mut self.places);
        self.places = refilled(places, parts.iter().map(|part| self.place(node, part.row, n_branches)));
        let (ranges, mut next) = ranges(&self.places, n_branches + 1, 0);
        self.sorted_parts.resize(parts.len(), Part { row: 0, share: 0 });
        for (&part, &place) in parts.iter().zip(&self.places) {
            self.sorted_parts[next[place as usize]] = part;
            next[place as usize] += 1;
        }
        ranges
    }

    fn mass(&self, whole: &Range<usize>, part: &Range<usize>) -> u128 {
        let weights = &self.rows.weights;
        let parts = self.sorted_parts[part.clone()].iter();
        let whole = match weights {
            Weights::Unit => whole.len() as u128 * weights.mass_of_one(),
            _ => self.whole[whole.clone()].iter().map(|&row| weights.mass(row, FULL_SHARE)).sum(),
        };
        whole + parts.map(|part| weights.mass(part.row, part.share)).sum::<u128>()
    }

    fn unknown(&self, whole: &Range<usize>, part: &Range<usize>) -> Vec<Part> {
        let whole = self.whole[whole.clone()].iter().map(|&row| Part { row, share: FULL_SHARE });
        whole.chain(self.sorted_parts[part.clone()].iter().copied()).collect()
    }

    /// The share of every unknown row that every branch is given, row by row; `None` where such rows
    /// stay at the node.
    fn given(&self, node: u32, masses: &[u128], unknown: &[Part]) -> Option<Vec<u32>> {
        if !self.sharing.shares_out(node) {
            return None;
        }
        if unknown.is_empty() {
            return Some(Vec::new());
        }
        let portions = self.sharing.portions(node, masses);
        let mut given = vec![0; unknown.len() * masses.len()];
        for (part, given) in unknown.iter().zip(given.chunks_exact_mut(masses.len())) {
            portions.give(part.share, given);
        }
        Some(given)
    }
}

/// How rows of unknown value are shared out.
pub(super) struct Sharing<'a> {
    pub(super) tree: &'a Tree,
    pub(super) shares: Shares,
}

/// What the branches of a node get of a row of unknown value.
pub(super) struct Portions {
    weights: Vec<f64>,
    total: f64,
    /// The branch that has what is left.
    largest: usize,
    /// Whether other branches have anything.
    distributes: bool,
}

impl Sharing<'_> {
    /// Whether rows of unknown value go on from a node.
    pub(super) fn shares_out(&self, node: u32) -> bool {
        !matches!(self.tree.route(node as usize), Route::By(Routing::Stop | Routing::Mean))
    }

    /// What the branches of a node get that have these masses of rows of known value.
    pub(super) fn portions(&self, node: u32, masses: &[u128]) -> Portions {
        let weights = self.branch_weights(node, masses);
        let total = weights.iter().sum();
        let route = self.tree.route(node as usize);
        let largest = match route {
            Route::Branch(branch) => branch as usize,
            Route::By(_) => first_largest(weights.iter().copied()).expect("a split has branches"),
        };
        let distributes = route == Route::By(Routing::Distribute) && total > 0.0;
        Portions { weights, total, largest, distributes }
    }

    /// What the branches weigh when a row is shared out: by one of two measures, and by the other
    /// where that one says nothing.
    fn branch_weights(&self, node: u32, masses: &[u128]) -> Vec<f64> {
        let of_rows = || masses.iter().map(|&mass| mass as f64).collect::<Vec<f64>>();
        let stored = || {
            let nodes = self.tree.nodes();
            nodes[node as usize].children().map(|child| nodes[child as usize].weight).collect::<Vec<f64>>()
        };
        let says_nothing = |weights: &[f64]| weights.iter().all(|&weight| weight == 0.0);
        let (first, second) = match self.shares {
            Shares::Rows => (of_rows(), stored()),
            Shares::Tree => (stored(), of_rows()),
        };
        if says_nothing(&first) { second } else { first }
    }
}

impl Portions {
    /// Hands a share to the branches.
    pub(super) fn give(&self, share: u32, given: &mut [u32]) {
        given.fill(0);
        let mut rest = share;
        if self.distributes {
            for (b, &weight) in self.weights.iter().enumerate().filter(|&(b, _)| b != self.largest) {
                given[b] = (f64::from(share) * weight / self.total) as u32;
                rest -= given[b];
            }
        }
        given[self.largest] = rest;
    }
}

/// The buffer with other items in it.
fn refilled(mut buffer: Vec<u32>, items: impl Iterator<Item = u32>) -> Vec<u32> {
    buffer.clear();
    buffer.extend(items);
    buffer
}

/// The range of every place when items are ordered by place, and where each starts.
fn ranges(places: &[u32], n_places: usize, start: usize) -> (Vec<Range<usize>>, Vec<usize>) {
    let mut counts = vec![0usize; n_places];
    places.iter().for_each(|&place| counts[place as usize] += 1);
    let mut ranges = Vec::with_capacity(n_places);
    let mut at = start;
    for count in counts {
        ranges.push(at..at + count);
        at += count;
    }
    let starts = ranges.iter().map(|range| range.start).collect();
    (ranges, starts)
}
