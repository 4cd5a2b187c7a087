//! Which rows are where in the tree that stands, and what changes when some come or go.
//!
//! A leaf holds its rows, a split those whose value it asks for in vain. Nodes know what they weigh by
//! class, branches what they weigh in rows of known value. So rows that come to a node cost what their own
//! ways down cost. Only where a value is unknown they cost more: known rows decide how a row is shared out.

use crate::base::control::Control;
use crate::base::error::Result;
use crate::base::ordering::last_largest;
use crate::base::outcome::Status;
use crate::engines::prune::flow::{Shares, Sharing};
use crate::engines::prune::rows::Rows;
use crate::model::data::{FULL_SHARE, Weights};
use crate::model::tree::{Reader, Step, Tree, Walk};

/// Rows moved between two checkpoints.
const BATCH: usize = 1 << 14;

/// A row at a node.
#[derive(Debug, Clone, Copy)]
struct Part {
    row: u32,
    /// In units of 2^-30.
    share: u32,
    /// One more than the depth of the last node that shared the row out; 0 if none did.
    since: u32,
}

/// What a node has of a row, before and after; 0 for nothing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shift {
    row: u32,
    old: u32,
    new: u32,
    since: u32,
}

/// What becomes of the rows of a split.
pub(super) struct Plan {
    /// What comes to and goes from every branch.
    pub branches: Vec<Vec<Shift>>,
    /// What the branches then weigh in rows of known value.
    known: Vec<u128>,
    /// What comes and goes of rows whose value is unknown.
    unknown: Vec<Shift>,
}

/// The rows of all nodes of the tree that stands.
pub(super) struct Ledger<'a> {
    tree: &'a Tree,
    reader: Reader<'a>,
    rows: &'a Rows,
    sharing: Sharing<'a>,
    control: &'a Control,
    depth: Vec<u32>,
    /// By node and class, in units of 2^-50.
    masses: Vec<u128>,
    /// Rows by node and class, in units of 2^-30; empty where all rows weigh 1.
    shares: Vec<u64>,
    /// By place: mass of the rows whose value led them there.
    known: Vec<u128>,
    held: Vec<Vec<Part>>,
    n_moved: usize,
}

impl<'a> Ledger<'a> {
    /// No rows anywhere.
    pub fn new(tree: &'a Tree, rows: &'a Rows, control: &'a Control) -> Result<Self> {
        let (n_nodes, n_entries) = (tree.nodes().len(), tree.nodes().len() * tree.n_classes());
        let mut depth = vec![0; n_nodes];
        for (id, node) in tree.nodes().iter().enumerate().skip(1) {
            depth[id] = depth[node.parent as usize] + 1;
        }
        Ok(Ledger {
            tree,
            reader: Reader::new(tree, &rows.columns)?,
            rows,
            sharing: Sharing { tree, shares: Shares::Rows },
            control,
            depth,
            masses: vec![0; n_entries],
            shares: vec![0; if rows.weights == Weights::Unit { 0 } else { n_entries }],
            known: vec![0; n_nodes],
            held: vec![Vec::new(); n_nodes],
            n_moved: 0,
        })
    }

    /// All rows that count, about to come to the root.
    pub fn all(&self) -> Vec<Shift> {
        let rows = (0..self.rows.len() as u32).filter(|&row| self.rows.weights.fine(row) > 0);
        rows.map(|row| Shift { row, old: 0, new: FULL_SHARE, since: 0 }).collect()
    }

    fn entries(&self, node: u32) -> std::ops::Range<usize> {
        let n_classes = self.tree.n_classes();
        node as usize * n_classes..(node as usize + 1) * n_classes
    }

    /// Masses of a node by class.
    pub fn masses(&self, node: u32) -> &[u128] {
        &self.masses[self.entries(node)]
    }

    /// Rows of a node by class, in units of 2^-30, where they are not what the masses say.
    pub fn shares(&self, node: u32) -> Option<&[u64]> {
        (!self.shares.is_empty()).then(|| &self.shares[self.entries(node)])
    }

    /// Masses of a node by class after a change.
    pub fn masses_after(&self, node: u32, shifts: &[Shift]) -> Vec<u128> {
        let mut masses = self.masses(node).to_vec();
        self.shift(&mut masses, shifts);
        masses
    }

    fn shift(&self, masses: &mut [u128], shifts: &[Shift]) {
        for &Shift { row, old, new, .. } in shifts {
            let mass = &mut masses[self.rows.target[row as usize] as usize];
            *mass = *mass + self.rows.weights.mass(row, new) - self.rows.weights.mass(row, old);
        }
    }

    /// Counts a change at a node.
    pub fn count(&mut self, node: u32, shifts: &[Shift]) {
        let (entries, mut masses) = (self.entries(node), std::mem::take(&mut self.masses));
        self.shift(&mut masses[entries.clone()], shifts);
        self.masses = masses;
        if !self.shares.is_empty() {
            for &Shift { row, old, new, .. } in shifts {
                let share = &mut self.shares[entries.start + self.rows.target[row as usize] as usize];
                *share = *share + u64::from(new) - u64::from(old);
            }
        }
    }

    /// Keeps a change of what a leaf has, or of what a split has of unknown value.
    pub fn hold(&mut self, node: u32, shifts: &[Shift]) {
        let held = &mut self.held[node as usize];
        drop_old(held, shifts);
        let coming = shifts.iter().filter(|shift| shift.new > 0);
        held.extend(coming.map(|&Shift { row, new, since, .. }| Part { row, share: new, since }));
    }

    /// What a change at a split does to its branches.
    pub fn plan(&mut self, node: u32, shifts: &[Shift]) -> std::result::Result<Plan, Status> {
        self.watch(shifts.len())?;
        let children = self.tree.nodes()[node as usize].children();
        let (first, before) = (children.start, &self.known[children.start as usize..children.end as usize]);
        let branches = vec![Vec::new(); before.len()];
        let mut plan = Plan { branches, known: before.to_vec(), unknown: Vec::new() };
        for &shift in shifts {
            match self.reader.step(node, shift.row as usize) {
                Step::Child(child) => {
                    let (branch, weights) = ((child - first) as usize, &self.rows.weights);
                    plan.branches[branch].push(shift);
                    let known = &mut plan.known[branch];
                    *known = *known + weights.mass(shift.row, shift.new) - weights.mass(shift.row, shift.old);
                }
                Step::Unknown => plan.unknown.push(shift),
                Step::Leaf => unreachable!("only splits hand rows on"),
            }
        }
        if self.sharing.shares_out(node) {
            self.share_out(node, &mut plan);
        }
        Ok(plan)
    }

    /// Shares rows of unknown value out anew: all where the known ones have changed.
    fn share_out(&self, node: u32, plan: &mut Plan) {
        let children = self.tree.nodes()[node as usize].children();
        let before = &self.known[children.start as usize..children.end as usize];
        let mut unknown = plan.unknown.clone();
        if before != &plan.known[..] {
            let mut others = self.held[node as usize].clone();
            drop_old(&mut others, &unknown);
            unknown.extend(others.iter().map(|part| Shift { old: part.share, ..part.coming() }));
        }
        if unknown.is_empty() {
            return;
        }
        let (old, new) = (self.sharing.portions(node, before), self.sharing.portions(node, &plan.known));
        let (mut given, mut had) = (vec![0; before.len()], vec![0; before.len()]);
        for shift in unknown {
            old.give(shift.old, &mut had);
            new.give(shift.new, &mut given);
            for (branch, (&old, &new)) in
                had.iter().zip(&given).enumerate().filter(|(_, (old, new))| old != new)
            {
                let since = self.depth[node as usize] + 1;
                plan.branches[branch].push(Shift { row: shift.row, old, new, since });
            }
        }
    }

    /// Masses of the rows that go no further than a split, after a change.
    pub fn staying_after(&self, node: u32, plan: &Plan) -> Vec<u128> {
        let mut masses = vec![0; self.tree.n_classes()];
        if !self.sharing.shares_out(node) {
            let held = self.held[node as usize].iter().map(Part::coming);
            self.shift(&mut masses, &held.collect::<Vec<Shift>>());
            self.shift(&mut masses, &plan.unknown);
        }
        masses
    }

    /// Keeps what a plan says of the split itself.
    pub fn accept(&mut self, node: u32, plan: &Plan) {
        let first = self.tree.nodes()[node as usize].first_child as usize;
        self.known[first..first + plan.known.len()].copy_from_slice(&plan.known);
        self.hold(node, &plan.unknown);
    }

    /// The branch with most of the rows whose value is known, the last among equals.
    pub fn largest(&self, node: u32) -> usize {
        let places = self.tree.nodes()[node as usize].children();
        last_largest(places.map(|place| self.known[place as usize])).expect("a split has branches")
    }

    /// What comes to a branch of a split when it takes all its rows.
    pub fn grafted(&self, node: u32, branch: usize, stand_in: &[u32], is_leaf: &[bool]) -> Vec<Shift> {
        let places = self.tree.nodes()[node as usize].children();
        let limit = self.depth[node as usize];
        let mut coming = Vec::new();
        for place in places.clone().filter(|place| (place - places.start) as usize != branch) {
            self.each_below(stand_in[place as usize], stand_in, is_leaf, |held| {
                coming.extend(held.iter().filter(|part| part.since <= limit).map(Part::coming));
            });
        }
        let unknown = &self.held[node as usize];
        if self.sharing.shares_out(node) && !unknown.is_empty() {
            let known = &self.known[places.start as usize..places.end as usize];
            let (portions, mut had) = (self.sharing.portions(node, known), vec![0; known.len()]);
            coming.extend(unknown.iter().map(|part| {
                portions.give(part.share, &mut had);
                Shift { old: had[branch], ..part.coming() }
            }));
        } else {
            coming.extend(unknown.iter().map(Part::coming));
        }
        coming
    }

    /// Makes a node hold all its rows, as a leaf does.
    pub fn gather(&mut self, node: u32, stand_in: &[u32], is_leaf: &[bool]) {
        let (limit, mut below) = (self.depth[node as usize], Vec::new());
        self.each_place_below(node, stand_in, is_leaf, |node| below.push(node));
        let mut all: Vec<Part> = Vec::new();
        for node in below {
            let held = std::mem::take(&mut self.held[node as usize]);
            all.extend(held.into_iter().filter(|part| part.since <= limit));
        }
        self.held[node as usize] = all;
    }

    /// Forgets all rows of a node.
    pub fn clear(&mut self, node: u32) {
        self.held[node as usize].clear();
        let entries = self.entries(node);
        self.masses[entries.clone()].fill(0);
        if !self.shares.is_empty() {
            self.shares[entries].fill(0);
        }
    }

    fn each_below(&self, root: u32, stand_in: &[u32], is_leaf: &[bool], mut visit: impl FnMut(&[Part])) {
        self.each_place_below(root, stand_in, is_leaf, |node| visit(&self.held[node as usize]));
    }

    /// Sees a node and all that stands below it.
    fn each_place_below(&self, root: u32, stand_in: &[u32], is_leaf: &[bool], mut visit: impl FnMut(u32)) {
        let mut pending = vec![root];
        while let Some(node) = pending.pop() {
            visit(node);
            if !is_leaf[node as usize] {
                let places = self.tree.nodes()[node as usize].children();
                pending.extend(places.map(|place| stand_in[place as usize]));
            }
        }
    }

    fn watch(&mut self, n_rows: usize) -> std::result::Result<(), Status> {
        self.n_moved += 1 + n_rows;
        if self.n_moved >= BATCH {
            self.n_moved = 0;
            self.control.checkpoint()?;
        }
        Ok(())
    }
}

impl Part {
    fn coming(&self) -> Shift {
        Shift { row: self.row, old: 0, new: self.share, since: self.since }
    }
}

/// Takes out what a change finds there.
fn drop_old(held: &mut Vec<Part>, shifts: &[Shift]) {
    let mut old: Vec<u32> = shifts.iter().filter(|shift| shift.old > 0).map(|shift| shift.row).collect();
    if !old.is_empty() {
        old.sort_unstable();
        held.retain(|part| old.binary_search(&part.row).is_err());
    }
}
