//! One tree under many rules at once: the bottom-up pass of [`crate::engines::prune`], a lane for each rule.
//!
//! ```text
//! value(node) = estimate if a leaf, else sum of n_child / n * value(child), and the estimate if that
//!               is no more (with the rule's slack)
//! ```
//! Estimates depend on two whole numbers, so they are kept from tree to tree.

use std::fmt;
use std::sync::Arc;

use super::grow::Node;
use crate::base::ordering::PRUNE_TIE;
use crate::engines::prune::{Estimator, Mean, Slack};

/// Weight up to which estimates are kept: few nodes are heavier, and the table grows with its square.
const KEPT: u32 = 512;

/// How often a leaf errs on new rows, in (c, n).
#[derive(Clone)]
pub enum LeafEstimate {
    /// One of the estimates of the books.
    Known(Estimator),
    /// A formula from elsewhere, which need not be finite.
    Formula(Arc<dyn Fn(f64, f64) -> f64 + Send + Sync>),
}

impl LeafEstimate {
    /// The estimated rate of a leaf that `n` rows reached, `c` of them of its class.
    pub fn rate(&self, c: f64, n: f64) -> f64 {
        match self {
            LeafEstimate::Known(estimator) => estimator.rate(c, n),
            LeafEstimate::Formula(formula) => formula(c, n),
        }
    }
}

impl fmt::Debug for LeafEstimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LeafEstimate::Known(estimator) => estimator.fmt(f),
            LeafEstimate::Formula(_) => f.write_str("Formula"),
        }
    }
}

/// A rule that judges leaves by an estimate.
#[derive(Debug, Clone)]
pub struct LeafRule {
    /// How often a leaf errs.
    pub estimate: LeafEstimate,
    /// By how much it may be worse than the subtree.
    pub slack: Slack,
}

/// A tree under one rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pruned {
    /// Nodes that are left.
    pub n_nodes: u32,
    /// Errors on rows that were not there to grow the tree.
    pub n_errors: u32,
}

/// Prunes by several rules, with buffers of its own.
pub struct Lanes {
    rules: Vec<LeafRule>,
    /// For e errors among n rows, 2e <= n, at [`place`]: how many such pairs were met before, plus 1.
    met: Vec<u32>,
    /// Estimates of every rule for each pair that was met, in the order of meeting.
    kept: Vec<f64>,
    estimates: Vec<f64>,
    values: Vec<f64>,
    found: Vec<Pruned>,
}

impl Lanes {
    pub fn new(rules: Vec<LeafRule>) -> Self {
        Lanes {
            met: vec![0; place(0, KEPT + 1)],
            kept: Vec::new(),
            estimates: vec![0.0; rules.len()],
            values: Vec::new(),
            found: Vec::new(),
            rules,
        }
    }

    pub fn rules(&self) -> &[LeafRule] {
        &self.rules
    }

    /// What is left of the tree under every rule; `judged` has the rows of each class that judge,
    /// by node.
    pub fn prune(&mut self, nodes: &[Node], judged: &[[u32; 2]]) -> &[Pruned] {
        let width = self.rules.len();
        self.values.resize(nodes.len() * width, 0.0);
        self.found.resize(nodes.len() * width, Pruned::default());
        for (id, node) in nodes.iter().enumerate().rev() {
            let as_leaf = Pruned { n_nodes: 1, n_errors: judged[id][1 - node.class as usize] };
            self.estimate(node);
            let (before, after) = (id * width, (id + 1) * width);
            self.values[before..after].copy_from_slice(&self.estimates);
            self.found[before..after].fill(as_leaf);
            if !node.is_leaf() {
                self.join(id, node, nodes);
            }
        }
        &self.found[..width]
    }

    /// Decides between a leaf, which stands there already, and the two branches.
    fn join(&mut self, id: usize, node: &Node, nodes: &[Node]) {
        let width = self.rules.len();
        let n = f64::from(node.n());
        let first = node.first_child as usize;
        let share = [f64::from(nodes[first].n()) / n, f64::from(nodes[first + 1].n()) / n];
        let (here, below) = self.values.split_at_mut((id + 1) * width);
        let (kept, branches) = self.found.split_at_mut((id + 1) * width);
        let below = &below[first * width - (id + 1) * width..][..2 * width];
        let branches = &branches[first * width - (id + 1) * width..][..2 * width];
        let (here, kept) = (&mut here[id * width..][..width], &mut kept[id * width..][..width]);
        for (lane, rule) in self.rules.iter().enumerate() {
            let (leaf, found) = (&mut here[lane], &mut kept[lane]);
            let mut subtree = share[0] * below[lane] + share[1] * below[width + lane];
            if !subtree.is_finite() {
                subtree = Mean::of([0, 1].map(|branch| (share[branch], below[branch * width + lane])));
            }
            let allowed = subtree + rule.slack.errors / n + rule.slack.rate + PRUNE_TIE;
            let stays = !(*leaf < f64::INFINITY && *leaf <= allowed);
            if stays {
                let (left, right) = (branches[lane], branches[width + lane]);
                *leaf = subtree;
                found.n_nodes = 1 + left.n_nodes + right.n_nodes;
                found.n_errors = left.n_errors + right.n_errors;
            }
        }
    }

    /// Writes the estimates of a node as a leaf; without rows they are 0.
    fn estimate(&mut self, node: &Node) {
        let (n, errors) = (node.n(), node.errors());
        if n == 0 {
            return self.estimates.fill(0.0);
        }
        if n > KEPT {
            return rates(&self.rules, n, errors, &mut self.estimates);
        }
        let width = self.rules.len();
        let met = &mut self.met[place(errors, n)];
        if *met == 0 {
            *met = self.kept.len().checked_div(width).unwrap_or(0) as u32 + 1;
            self.kept.resize(self.kept.len() + width, 0.0);
            let new = self.kept.len() - width;
            rates(&self.rules, n, errors, &mut self.kept[new..]);
        }
        let kept = &self.kept[(*met as usize - 1) * width..][..width];
        self.estimates.copy_from_slice(kept);
    }
}

/// Where `errors` of `n` rows, at most half of them, stand in a table: after all smaller n.
fn place(errors: u32, n: u32) -> usize {
    let before = n.saturating_sub(1) as usize;
    before * before / 4 + (n + errors) as usize
}

fn rates(rules: &[LeafRule], n: u32, errors: u32, rates: &mut [f64]) {
    let (n, c) = (f64::from(n), f64::from(n - errors));
    rates.iter_mut().zip(rules).for_each(|(rate, rule)| *rate = rule.estimate.rate(c, n));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_has_a_place_of_its_own() {
        let pairs = (0..40).flat_map(|n| (0..=n / 2).map(move |errors| (errors, n)));
        for (expected, (errors, n)) in pairs.enumerate() {
            assert_eq!(place(errors, n), expected, "{errors} of {n}");
        }
    }
}
