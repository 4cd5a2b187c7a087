//! C4.5's pruning: besides becoming a leaf, a node may be replaced by its largest branch.
//!
//! ```text
//! prune(place, rows):                       # returns expected errors
//!     relabel the node by its rows
//!     leaf = expected errors of a leaf here
//!     if it is a leaf: return leaf
//!     tree = sum over children of prune(child, its rows)
//!     branch = expected errors of the child with most rows, led all rows, nothing in it changed
//!     if leaf <= branch + 0.1 and leaf <= tree + 0.1: make it a leaf, return leaf
//!     if branch <= tree + 0.1: put the child in its place, return prune(place, rows)
//!     return tree
//! ```
//!
//! Expected errors of a leaf are those it makes by the class that it answers with and the extra errors of
//! the limit. Rows count by the weight they bring along.

//!
//! Done so, a chain of nodes costs the cube of its length. But a subtree that was pruned with some rows is
//! as pruning it again with the same rows would leave it, and the rows of the largest branch are in it
//! already. So only the others are led through it, and only nodes that they come to are looked at again.

mod ledger;
mod loss;
#[cfg(test)]
mod plain;
mod standing;
#[cfg(test)]
mod tests;

use ledger::{Ledger, Plan, Shift};
use loss::Loss;
use standing::Standing;

use super::limits::ErrorLimit;
use super::outcome::Pruned;
use super::rows::Rows;
use crate::base::control::Control;
use crate::base::error::Result;
use crate::base::ordering::{PRUNE_SLACK, PRUNE_TIE};
use crate::base::outcome::{Halt, Outcome, Stats, Status};
use crate::model::tree::Tree;

/// Parameters of [`prune_grafting`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grafting {
    /// How many errors leaves are expected to make.
    pub limit: ErrorLimit,
    /// Whether branches may take their parent's place; without, nodes only become leaves.
    pub grafts: bool,
}

/// A split whose branches are being pruned, or only looked at.
struct Frame {
    /// The node in whose place this happens, and the one that stands there.
    place: u32,
    node: u32,
    branches: Vec<Vec<Shift>>,
    next: usize,
    leaf_errors: f64,
    /// Expected errors on rows that stay, and those of the branches looked at.
    staying: f64,
    below: f64,
}

struct Pruner<'a> {
    tree: &'a Tree,
    ledger: Ledger<'a>,
    loss: Loss,
    grafts: bool,
    standing: Standing<'a>,
}

/// Prunes as C4.5 does, led by the rows the tree was grown from; nothing where the control ends the work.
///
/// # Errors
/// Rows that do not fit the tree.
///
/// # Complexity
/// Beside the sum of the leaves' depths over all rows, a row is led once through every subtree whose place a
/// larger branch may take: a logarithm of their number many. Values that are unknown cost more.
pub fn prune_grafting(
    tree: &Tree,
    rows: &Rows,
    params: Grafting,
    control: &Control,
) -> Result<Outcome<Option<Pruned>>> {
    let mut pruner = Pruner {
        tree,
        ledger: Ledger::new(tree, rows, control)?,
        loss: Loss::new(tree, params.limit),
        grafts: params.grafts,
        standing: Standing::new(tree),
    };
    let found = pruner.run().map(|()| pruner.standing.pruned()).map_err(Halt::from);
    Outcome::all_or_none(found, Status::Complete, Stats::time(control.elapsed()))
}

impl Pruner<'_> {
    fn run(&mut self) -> std::result::Result<(), Status> {
        let mut frames = Vec::new();
        let all = self.ledger.all();
        frames.extend(self.enter(0, all)?);
        while let Some(frame) = frames.last_mut() {
            if let Some(shifts) = frame.branches.get_mut(frame.next).map(std::mem::take) {
                let place = self.tree.nodes()[frame.node as usize].first_child + frame.next as u32;
                frame.next += 1;
                frames.extend(self.enter(place, shifts)?);
                continue;
            }
            let frame = frames.pop().expect("it was the last");
            if let Some(shifts) = self.decide(&frame)? {
                frames.extend(self.enter(frame.place, shifts)?);
            }
        }
        Ok(())
    }

    /// Relabels the node at a place by its rows, some of which come or go; opens a frame where it is a split.
    fn enter(&mut self, place: u32, shifts: Vec<Shift>) -> std::result::Result<Option<Frame>, Status> {
        let node = self.standing.stand_in[place as usize];
        self.ledger.count(node, &shifts);
        if self.ledger.masses(node).iter().all(|&mass| mass == 0) {
            self.close(node);
            return Ok(None);
        }
        if shifts.is_empty() {
            return Ok(None); // all there is as it was
        }
        let leaf_errors = self.relabel(node);
        if self.standing.is_leaf[node as usize] {
            self.ledger.hold(node, &shifts);
            return Ok(None);
        }
        let plan = self.ledger.plan(node, &shifts)?;
        let staying = self.staying_errors(node, &plan, self.standing.counts.class[node as usize]);
        self.ledger.accept(node, &plan);
        let frame = Frame { place, node, branches: plan.branches, next: 0, leaf_errors, staying, below: 0.0 };
        Ok(Some(frame))
    }

    /// Gives a node the class of its rows; returns its expected errors as a leaf.
    fn relabel(&mut self, node: u32) -> f64 {
        let (at, standing) = (node as usize, &mut self.standing);
        let masses = self.ledger.masses(node);
        let class = self.loss.answer(masses, standing.counts.class[at]);
        standing.counts.set(node, masses, self.ledger.shares(node));
        standing.counts.class[at] = class;
        let (weight, errors) = self.loss.expected(masses, class);
        standing.weight[at] = weight;
        standing.leaf[at] = errors / weight;
        standing.errors[at] = errors;
        errors
    }

    /// Makes a leaf of a node that no row reaches; its class stays.
    fn close(&mut self, node: u32) {
        self.ledger.clear(node);
        let (at, standing) = (node as usize, &mut self.standing);
        standing.counts.set(node, self.ledger.masses(node), None);
        standing.is_leaf[at] = true;
        (standing.weight[at], standing.errors[at]) = (0.0, 0.0);
    }

    /// What comes to the node that takes this one's place, where one does.
    fn decide(&mut self, frame: &Frame) -> std::result::Result<Option<Vec<Shift>>, Status> {
        let (node, at) = (frame.node, frame.node as usize);
        let tree_errors = frame.staying + self.standing.errors_below(node);
        let largest = self.ledger.largest(node);
        let mut coming = Vec::new();
        let mut branch_errors = f64::INFINITY;
        if self.grafts {
            coming = self.ledger.grafted(node, largest, &self.standing.stand_in, &self.standing.is_leaf);
            branch_errors = self.errors_with(self.standing.child(node, largest), &coming)?;
        }
        let weight = self.standing.weight[at];
        self.standing.subtree[at] = tree_errors / weight;
        self.standing.branch[at] = if self.grafts { branch_errors / weight } else { f64::NAN };
        let slack = PRUNE_SLACK + PRUNE_TIE * weight;
        if frame.leaf_errors <= branch_errors + slack && frame.leaf_errors <= tree_errors + slack {
            self.ledger.gather(node, &self.standing.stand_in, &self.standing.is_leaf);
            self.standing.is_leaf[at] = true;
        } else if branch_errors <= tree_errors + slack {
            self.standing.stand_in[frame.place as usize] = self.standing.child(node, largest);
            return Ok(Some(coming));
        } else {
            self.standing.errors[at] = tree_errors;
        }
        Ok(None)
    }

    /// Expected errors of all that stands at and below a node when some rows come or go, its leaves
    /// relabelled for the occasion.
    fn errors_with(&mut self, node: u32, shifts: &[Shift]) -> std::result::Result<f64, Status> {
        let mut open: Vec<Frame> = Vec::new();
        let mut found = match shifts.is_empty() {
            true => Some(self.standing.errors[node as usize]),
            false => self.look(node, shifts, &mut open)?,
        };
        while let Some(frame) = open.last_mut() {
            if let Some(errors) = found.take() {
                frame.below += errors;
            }
            if let Some(shifts) = frame.branches.get_mut(frame.next).map(std::mem::take) {
                let child = self.standing.child(frame.node, frame.next);
                frame.next += 1;
                found = match shifts.is_empty() {
                    true => Some(self.standing.errors[child as usize]),
                    false => self.look(child, &shifts, &mut open)?,
                };
            } else {
                found = open.pop().map(|frame| frame.staying + frame.below);
            }
        }
        Ok(found.expect("the first node is the last to be done"))
    }

    /// Expected errors of a leaf after a change; of a split it opens a frame.
    fn look(
        &mut self,
        node: u32,
        shifts: &[Shift],
        open: &mut Vec<Frame>,
    ) -> std::result::Result<Option<f64>, Status> {
        let masses = self.ledger.masses_after(node, shifts);
        if masses.iter().all(|&mass| mass == 0) {
            return Ok(Some(0.0));
        }
        let class = self.loss.answer(&masses, self.standing.counts.class[node as usize]);
        if self.standing.is_leaf[node as usize] {
            return Ok(Some(self.loss.expected(&masses, class).1));
        }
        let plan = self.ledger.plan(node, shifts)?;
        let staying = self.staying_errors(node, &plan, class);
        let branches = plan.branches;
        open.push(Frame { place: node, node, branches, next: 0, leaf_errors: 0.0, staying, below: 0.0 });
        Ok(None)
    }

    /// Expected errors on rows that stay at a split of a class.
    fn staying_errors(&mut self, node: u32, plan: &Plan, class: u16) -> f64 {
        let masses = self.ledger.staying_after(node, plan);
        match masses.iter().all(|&mass| mass == 0) {
            true => 0.0,
            false => self.loss.expected(&masses, class).1,
        }
    }
}
