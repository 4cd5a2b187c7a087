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

use std::collections::HashMap;

use super::assemble::{Blueprint, Counts, answer};
use super::flow::{Bunch, Flow, Fork, Shares};
use super::limits::ErrorLimit;
use super::outcome::{Action, Pruned};
use super::rows::Rows;
use crate::base::control::Control;
use crate::base::error::Result;
use crate::base::ordering::{PRUNE_SLACK, PRUNE_TIE};
use crate::base::outcome::{Halt, Outcome, Stats, Status};
use crate::model::score::weight_of;
use crate::model::tree::{CostMatrix, Tree};

/// Parameters of [`prune_grafting`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grafting {
    /// How many errors leaves are expected to make.
    pub limit: ErrorLimit,
    /// Whether branches may take their parent's place; without, nodes only become leaves.
    pub grafts: bool,
}

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
    params: Grafting,
    /// What wrong answers cost, and what a row of each class then counts.
    costs: Option<(CostMatrix, Vec<f64>)>,
    /// Extra errors worked out before, by the bits of n and e.
    known: HashMap<(u64, u64), f64>,
    masses: Vec<u128>,
    counts: Counts,
    /// For every place the node that stands there.
    stand_in: Vec<u32>,
    is_leaf: Vec<bool>,
    /// What the rows of the nodes count, and their expected errors, each in its place.
    weight: Vec<f64>,
    errors: Vec<f64>,
    leaf: Vec<f64>,
    subtree: Vec<f64>,
    branch: Vec<f64>,
}

/// Prunes as C4.5 does, led by the rows the tree was grown from; nothing where the control ends the work.
///
/// # Errors
/// Rows that do not fit the tree.
pub fn prune_grafting(
    tree: &Tree,
    rows: &Rows,
    params: Grafting,
    control: &Control,
) -> Result<Outcome<Option<Pruned>>> {
    let n_nodes = tree.nodes().len();
    let mut pruner = Pruner {
        tree,
        flow: Flow::new(tree, rows, Shares::Rows, control)?,
        params,
        costs: tree.decision().costs().map(|costs| {
            let prices = costs.prices(tree.class_weights_of(0));
            (costs, prices)
        }),
        known: HashMap::new(),
        masses: vec![0; tree.n_classes()],
        counts: Counts::new(tree),
        stand_in: (0..n_nodes as u32).collect(),
        is_leaf: tree.nodes().iter().map(|node| node.is_leaf()).collect(),
        weight: vec![0.0; n_nodes],
        errors: vec![0.0; n_nodes],
        leaf: vec![f64::NAN; n_nodes],
        subtree: vec![f64::NAN; n_nodes],
        branch: vec![f64::NAN; n_nodes],
    };
    let found = pruner.run().map(|()| pruner.outcome()).map_err(Halt::from);
    Outcome::all_or_none(found, Status::Complete, Stats::time(control.elapsed()))
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
        let node = self.stand_in[place as usize];
        let at = node as usize;
        self.flow.count(&rows, &mut self.masses);
        self.counts.set(node, &self.masses, self.flow.shares(&rows));
        self.counts.class[at] = self.answer(self.counts.class[at]);
        self.weight[at] = self.counted(self.counts.class[at]).0;
        let leaf_errors = self.expected_errors(self.counts.class[at]);
        self.leaf[at] = leaf_errors / self.weight[at];
        self.errors[at] = leaf_errors;
        if self.is_leaf[at] {
            return Ok(None);
        }
        let fork = self.flow.split(node, &rows)?;
        let errors = self.staying_errors(&fork, self.counts.class[at]);
        Ok(Some(Frame { place, node, rows, fork, next: 0, leaf_errors, errors }))
    }

    /// Makes a leaf of a place that no row reaches; its class stays.
    fn close(&mut self, place: u32) {
        let node = self.stand_in[place as usize];
        self.masses.fill(0);
        self.counts.set(node, &self.masses, None);
        self.is_leaf[node as usize] = true;
        (self.weight[node as usize], self.errors[node as usize]) = (0.0, 0.0);
    }

    /// Whether another node has taken the place, and all is to be done again there.
    fn decide(&mut self, frame: &Frame) -> std::result::Result<bool, Status> {
        let node = frame.node as usize;
        let n_children = frame.fork.branches.len();
        let below = (0..n_children).map(|b| self.errors[self.child(frame.node, b) as usize]);
        let tree_errors = frame.errors + below.sum::<f64>();
        self.flow.leave(&frame.fork);
        let largest = self.child(frame.node, frame.fork.largest);
        let branch_errors = match self.params.grafts {
            true => self.errors_of_branch(largest, &frame.rows)?,
            false => f64::INFINITY,
        };
        let weight = self.weight[node];
        self.subtree[node] = tree_errors / weight;
        self.branch[node] = if self.params.grafts { branch_errors / weight } else { f64::NAN };
        let slack = PRUNE_SLACK + PRUNE_TIE * weight;
        if frame.leaf_errors <= branch_errors + slack && frame.leaf_errors <= tree_errors + slack {
            self.is_leaf[node] = true;
        } else if branch_errors <= tree_errors + slack {
            self.stand_in[frame.place as usize] = largest;
            return Ok(true);
        } else {
            self.errors[node] = tree_errors;
        }
        Ok(false)
    }

    /// The node that stands at a branch.
    fn child(&self, node: u32, branch: usize) -> u32 {
        self.stand_in[self.tree.nodes()[node as usize].first_child as usize + branch]
    }

    /// Expected errors of all that stands at and below a node when it is led some rows, its leaves
    /// relabelled by them for the occasion.
    fn errors_of_branch(&mut self, node: u32, rows: &Bunch) -> std::result::Result<f64, Status> {
        let mut sum = 0.0;
        let mut open: Vec<(u32, Fork, usize)> = Vec::new();
        let mut entering = Some((node, rows.clone()));
        loop {
            if let Some((node, rows)) = entering.take() {
                self.flow.count(&rows, &mut self.masses);
                let class = self.answer(self.counts.class[node as usize]);
                if self.is_leaf[node as usize] {
                    sum += self.expected_errors(class);
                } else {
                    let fork = self.flow.split(node, &rows)?;
                    sum += self.staying_errors(&fork, class);
                    open.push((node, fork, 0));
                }
            }
            let Some((node, fork, next)) = open.last_mut() else { return Ok(sum) };
            match fork.branches.get(*next) {
                Some(bunch) => {
                    let child = self.stand_in[self.tree.nodes()[*node as usize].first_child as usize + *next];
                    entering = (!bunch.is_empty()).then(|| (child, bunch.clone()));
                    *next += 1;
                }
                None => {
                    let (_, fork, _) = open.pop().expect("it was the last");
                    self.flow.leave(&fork);
                }
            }
        }
    }

    /// The class of the masses just counted.
    fn answer(&self, before: u16) -> u16 {
        answer(self.costs.as_ref().map(|(costs, _)| costs), &self.masses, before)
    }

    /// What the masses just counted are, and what of them is not of a class; by the prices of their classes
    /// where wrong answers have costs.
    fn counted(&self, class: u16) -> (f64, f64) {
        let Some((_, prices)) = &self.costs else {
            let total: u128 = self.masses.iter().sum();
            return (weight_of(total), weight_of(total - self.masses[class as usize]));
        };
        let priced = |(&mass, price): (&u128, &f64)| weight_of(mass) * price;
        let right = priced((&self.masses[class as usize], &prices[class as usize]));
        let others = self.masses.iter().zip(prices).enumerate().filter(|&(of, _)| of != usize::from(class));
        let wrong: f64 = others.map(|(_, pair)| priced(pair)).sum();
        (wrong + right, wrong)
    }

    /// Expected errors of a leaf of a class that has the masses just counted.
    fn expected_errors(&mut self, class: u16) -> f64 {
        let (n, e) = self.counted(class);
        let limit = self.params.limit;
        match limit.is_costly() {
            true => e + *self.known.entry((n.to_bits(), e.to_bits())).or_insert_with(|| limit.extra(n, e)),
            false => e + limit.extra(n, e),
        }
    }

    /// Expected errors on rows that stay at a split of a class.
    fn staying_errors(&mut self, fork: &Fork, class: u16) -> f64 {
        if fork.staying.is_empty() {
            return 0.0;
        }
        self.flow.count(&fork.staying, &mut self.masses);
        self.expected_errors(class)
    }

    fn outcome(self) -> Pruned {
        let rates = self.errors.iter().zip(&self.weight);
        let rates: Vec<f64> =
            rates.map(|(&errors, &weight)| if weight > 0.0 { errors / weight } else { 0.0 }).collect();
        let (counts, estimates) = (Some(&self.counts), Some(&rates[..]));
        let (stand_in, is_leaf) = (&self.stand_in, &self.is_leaf);
        let (tree, origin) = Blueprint { tree: self.tree, stand_in, is_leaf, counts, estimates }.build();
        let action = self.actions(&origin);
        let Pruner { leaf, subtree, branch, .. } = self;
        Pruned { tree, origin, leaf, subtree, branch, action }
    }

    /// What became of every old node, given those that still stand.
    fn actions(&self, standing: &[u32]) -> Vec<Action> {
        let nodes = self.tree.nodes();
        let mut actions = vec![Action::Gone; nodes.len()];
        for &node in standing {
            let at = &nodes[node as usize];
            actions[node as usize] = match (at.is_leaf(), self.is_leaf[node as usize]) {
                (true, _) => Action::Leaf,
                (false, true) => Action::Cut,
                (false, false) => Action::Kept,
            };
        }
        for &node in standing.iter().filter(|&&node| node != 0) {
            let mut above = nodes[node as usize].parent as usize;
            while matches!(actions[above], Action::Gone) {
                actions[above] = Action::Grafted;
                above = nodes[above].parent as usize;
            }
        }
        actions
    }
}
