//! Pruning with grafting the plain way, every branch led all its rows: what the fast way is held against.

use super::Grafting;
use super::loss::Loss;
use super::standing::Standing;
use crate::base::control::Control;
use crate::base::ordering::{PRUNE_SLACK, PRUNE_TIE};
use crate::base::outcome::Status;
use crate::engines::prune::flow::{Bunch, Flow, Fork, Shares};
use crate::engines::prune::outcome::Pruned;
use crate::engines::prune::rows::Rows;
use crate::model::tree::Tree;

/// A split whose branches are being pruned, or only led through.
struct Frame {
    /// The node in whose place this happens, and the one that stands there.
    place: u32,
    node: u32,
    rows: Bunch,
    fork: Fork,
    next: usize,
    leaf_errors: f64,
    errors: f64,
}

struct Pruner<'a> {
    tree: &'a Tree,
    flow: Flow<'a>,
    loss: Loss,
    grafts: bool,
    masses: Vec<u128>,
    standing: Standing<'a>,
}

/// What the fast way gives.
pub(super) fn prune_plainly(tree: &Tree, rows: &Rows, params: Grafting, control: &Control) -> Pruned {
    let mut pruner = Pruner {
        tree,
        flow: Flow::new(tree, rows, Shares::Rows, control).expect("the rows fit the tree"),
        loss: Loss::new(tree, params.limit),
        grafts: params.grafts,
        masses: vec![0; tree.n_classes()],
        standing: Standing::new(tree),
    };
    pruner.run().expect("nothing ends it");
    pruner.standing.pruned()
}

impl Pruner<'_> {
    fn run(&mut self) -> std::result::Result<(), Status> {
        let mut frames = Vec::new();
        let all = self.flow.all();
        frames.extend(self.enter(0, all)?);
        while let Some(frame) = frames.last_mut() {
            if let Some(bunch) = frame.fork.branches.get(frame.next).cloned() {
                let place = self.tree.nodes()[frame.node as usize].first_child + frame.next as u32;
                frame.next += 1;
                match bunch.is_empty() {
                    true => self.close(place),
                    false => frames.extend(self.enter(place, bunch)?),
                }
                continue;
            }
            let frame = frames.pop().expect("it was the last");
            if self.decide(&frame)? {
                frames.extend(self.enter(frame.place, frame.rows)?);
            }
        }
        Ok(())
    }

    /// Relabels the node at a place by its rows; opens a frame where it is a split.
    fn enter(&mut self, place: u32, rows: Bunch) -> std::result::Result<Option<Frame>, Status> {
        let node = self.standing.stand_in[place as usize];
        let standing = &mut self.standing;
        let at = node as usize;
        self.flow.count(&rows, &mut self.masses);
        standing.counts.set(node, &self.masses, self.flow.shares(&rows).as_deref());
        let class = self.loss.answer(&self.masses, standing.counts.class[at]);
        standing.counts.class[at] = class;
        let (weight, leaf_errors) = self.loss.expected(&self.masses, class);
        (standing.weight[at], standing.errors[at]) = (weight, leaf_errors);
        standing.leaf[at] = leaf_errors / weight;
        if standing.is_leaf[at] {
            return Ok(None);
        }
        let fork = self.flow.split(node, &rows)?;
        let errors = self.staying_errors(&fork, class);
        Ok(Some(Frame { place, node, rows, fork, next: 0, leaf_errors, errors }))
    }

    /// Makes a leaf of a place that no row reaches; its class stays.
    fn close(&mut self, place: u32) {
        let node = self.standing.stand_in[place as usize];
        self.masses.fill(0);
        self.standing.counts.set(node, &self.masses, None);
        self.standing.is_leaf[node as usize] = true;
        (self.standing.weight[node as usize], self.standing.errors[node as usize]) = (0.0, 0.0);
    }

    /// Whether another node has taken the place, and all is to be done again there.
    fn decide(&mut self, frame: &Frame) -> std::result::Result<bool, Status> {
        let node = frame.node as usize;
        let tree_errors = frame.errors + self.standing.errors_below(frame.node);
        self.flow.leave(&frame.fork);
        let largest = self.standing.child(frame.node, frame.fork.largest);
        let branch_errors = match self.grafts {
            true => self.errors_of_branch(largest, &frame.rows)?,
            false => f64::INFINITY,
        };
        let weight = self.standing.weight[node];
        self.standing.subtree[node] = tree_errors / weight;
        self.standing.branch[node] = if self.grafts { branch_errors / weight } else { f64::NAN };
        let slack = PRUNE_SLACK + PRUNE_TIE * weight;
        if frame.leaf_errors <= branch_errors + slack && frame.leaf_errors <= tree_errors + slack {
            self.standing.is_leaf[node] = true;
        } else if branch_errors <= tree_errors + slack {
            self.standing.stand_in[frame.place as usize] = largest;
            return Ok(true);
        } else {
            self.standing.errors[node] = tree_errors;
        }
        Ok(false)
    }

    /// Expected errors of all that stands at and below a node when it is led some rows, its leaves
    /// relabelled by them for the occasion.
    fn errors_of_branch(&mut self, node: u32, rows: &Bunch) -> std::result::Result<f64, Status> {
        if rows.is_empty() {
            return Ok(0.0);
        }
        self.flow.count(rows, &mut self.masses);
        let class = self.loss.answer(&self.masses, self.standing.counts.class[node as usize]);
        if self.standing.is_leaf[node as usize] {
            return Ok(self.loss.expected(&self.masses, class).1);
        }
        let fork = self.flow.split(node, rows)?;
        let (staying, mut below) = (self.staying_errors(&fork, class), 0.0);
        for (branch, rows) in fork.branches.iter().enumerate() {
            below += self.errors_of_branch(self.standing.child(node, branch), rows)?;
        }
        self.flow.leave(&fork);
        Ok(staying + below)
    }

    /// Expected errors on rows that stay at a split of a class.
    fn staying_errors(&mut self, fork: &Fork, class: u16) -> f64 {
        if fork.staying.is_empty() {
            return 0.0;
        }
        self.flow.count(&fork.staying, &mut self.masses);
        self.loss.expected(&self.masses, class).1
    }
}
