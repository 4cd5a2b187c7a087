//! One pass from the leaves to the root: a node becomes a leaf where that is estimated to err no
//! more often than the pruned subtree below it.

use super::cut::with_leaves;
use super::outcome::Pruned;
use crate::base::control::Control;
use crate::base::error::{Error, Result};
use crate::base::ordering::PRUNE_TIE;
use crate::base::outcome::{Halt, Outcome, Stats, Status};
use crate::model::tree::{Route, Routing, Tree};

/// Nodes between two checkpoints.
const BATCH: usize = 1 << 16;

/// By how much a leaf may be worse and still be preferred.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Slack {
    /// In rows.
    pub errors: f64,
    /// In error rate.
    pub rate: f64,
}

/// Prunes by the error rate estimated for every node as a leaf.
///
/// A rate of infinity never makes a leaf, and a leaf that has it counts as infinitely bad. One of NaN
/// never makes a leaf either, and a leaf that has it is unknown: so is every subtree that holds it, and
/// no node above it becomes a leaf.
/// Rates of nodes that nothing reaches are not looked at: such a node becomes a leaf, its value 0.
/// Where the routing lets rows stay at a node, they count as a leaf of that node.
/// The weights are those of `judged`, the same tree with these or other rows in it; nodes keep the classes
/// and the weights that they have in `tree`. Nothing where the control ends the work.
///
/// # Errors
/// Rates that are not one a node, a slack that is not a number, two trees of different numbers of nodes.
///
/// # Complexity
/// Linear in the nodes, whatever the depth.
pub fn prune(
    tree: &Tree,
    judged: &Tree,
    leaf_rates: &[f64],
    slack: Slack,
    control: &Control,
) -> Result<Outcome<Option<Pruned>>> {
    check(tree, judged, leaf_rates, slack)?;
    let pruned = pruned(tree, judged, leaf_rates, slack, control).map_err(Halt::from);
    Outcome::all_or_none(pruned, Status::Complete, Stats::time(control.elapsed()))
}

fn check(tree: &Tree, judged: &Tree, leaf_rates: &[f64], slack: Slack) -> Result<()> {
    let nodes = judged.nodes();
    if nodes.len() != tree.nodes().len() {
        let what = "the judged tree".to_owned();
        return Err(Error::LengthMismatch { what, expected: tree.nodes().len(), found: nodes.len() });
    }
    if leaf_rates.len() != nodes.len() {
        let what = "the list of leaf rates".to_owned();
        return Err(Error::LengthMismatch { what, expected: nodes.len(), found: leaf_rates.len() });
    }
    for (name, found) in [("slack_errors", slack.errors), ("slack_rate", slack.rate)] {
        if !found.is_finite() {
            return Err(Error::Parameter { name, found: found.into(), allowed: "a finite number" });
        }
    }
    Ok(())
}

fn pruned(
    tree: &Tree,
    judged: &Tree,
    leaf_rates: &[f64],
    slack: Slack,
    control: &Control,
) -> std::result::Result<Pruned, Status> {
    let nodes = judged.nodes();
    let mut value = vec![0.0; nodes.len()];
    let mut subtree = vec![f64::NAN; nodes.len()];
    let mut is_leaf = vec![true; nodes.len()];
    for (id, node) in nodes.iter().enumerate().rev() {
        if id % BATCH == 0 {
            control.checkpoint()?;
        }
        let reached = node.weight > 0.0;
        let leaf = if reached { leaf_rates[id] } else { 0.0 };
        if node.is_leaf() {
            value[id] = leaf;
            continue;
        }
        if !reached {
            subtree[id] = 0.0;
            continue;
        }
        let stays = matches!(tree.route(id), Route::By(Routing::Stop | Routing::Mean));
        let branch = |child: u32| (nodes[child as usize].weight, value[child as usize]);
        let (below, is_cut) = verdict(node.weight, leaf, node.children().map(branch), stays, slack);
        (subtree[id], is_leaf[id]) = (below, is_cut);
        value[id] = if is_leaf[id] { leaf } else { below };
    }
    Ok(with_leaves(tree, &is_leaf, &value, leaf_rates.to_vec(), subtree))
}

/// The rate of the subtree below a node that rows reach, and whether the node becomes a leaf.
///
/// `branches` are weights and rates; where rows `stay` at the node, they count as a leaf of it.
pub(crate) fn verdict(
    weight: f64,
    leaf: f64,
    branches: impl Iterator<Item = (f64, f64)>,
    stay: bool,
    slack: Slack,
) -> (f64, bool) {
    let (mut mean, mut rest) = (Mean::default(), weight);
    for (own, rate) in branches.filter(|&(own, _)| own > 0.0) {
        mean.add(own / weight, rate);
        rest -= own;
    }
    if stay && rest > 0.0 {
        mean.add(rest / weight, leaf);
    }
    let below = mean.rate();
    let allowed = below + slack.errors / weight + slack.rate + PRUNE_TIE;
    (below, leaf < f64::INFINITY && leaf <= allowed)
}

/// A weighted mean in which NaN wins over infinity, infinity over its negative, and finite rates have a
/// finite sum.
#[derive(Default)]
pub(crate) struct Mean {
    sum: f64,
    is_unknown: bool,
    is_worst: bool,
    is_best: bool,
}

impl Mean {
    /// The mean of branches that have rows, each a share and a rate.
    pub(crate) fn of(branches: [(f64, f64); 2]) -> f64 {
        let mut mean = Mean::default();
        branches
            .into_iter()
            .filter(|&(share, _)| share > 0.0)
            .for_each(|(share, rate)| mean.add(share, rate));
        mean.rate()
    }

    fn add(&mut self, share: f64, rate: f64) {
        match rate {
            rate if rate.is_nan() => self.is_unknown = true,
            f64::INFINITY => self.is_worst = true,
            f64::NEG_INFINITY => self.is_best = true,
            rate => self.sum = (self.sum + share * rate).clamp(f64::MIN, f64::MAX),
        }
    }

    fn rate(&self) -> f64 {
        match self {
            Mean { is_unknown: true, .. } => f64::NAN,
            Mean { is_worst: true, .. } => f64::INFINITY,
            Mean { is_best: true, .. } => f64::NEG_INFINITY,
            Mean { sum, .. } => *sum,
        }
    }
}
