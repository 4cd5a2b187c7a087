//! What is kept of the training rows at the nodes, beside their weights: for people who read or draw a tree,
//! and for the words of its thresholds. Predictions need only the routes.

use serde::{Deserialize, Serialize};

use super::node::{Node, Tree};
use super::split::{Route, Split};

/// The training values beside a cut.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CutValues {
    /// The largest that is not above the cut.
    pub below: Option<f64>,
    /// The smallest above it; none where only missing values are.
    pub above: Option<f64>,
}

/// How the rows at a node are spread over the values of the feature that it tests, in raw counts; rows
/// without a value are left out.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Histogram {
    /// Of a numeric feature the ends of the bins, one more than there are bins; a bin holds its upper end, the
    /// first its lower end too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edges: Vec<f64>,
    /// Of a nominal feature the levels that occur.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<u32>,
    /// For each bin or level the rows by class.
    pub counts: Vec<Vec<f64>>,
}

/// What is kept beside classes and weights. Every list is one a node, or empty where nothing is known.
///
/// Facts are equal that say the same of the values: a row of weight 2 is two rows, so how many rows there were
/// is no part of what a tree is.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// Raw counts of the training rows by class, a row a node; shares are summed.
    pub counts: Vec<f64>,
    /// The training values beside a threshold.
    pub cuts: Vec<Option<CutValues>>,
    /// Where a node sends a row whose value is unknown, if not where the tree does.
    pub routes: Vec<Option<Route>>,
    /// How rows are spread over the values of the feature tested.
    pub histograms: Vec<Option<Histogram>>,
}

impl PartialEq for Facts {
    fn eq(&self, other: &Self) -> bool {
        self.cuts == other.cuts && self.routes == other.routes
    }
}

impl Facts {
    /// The facts of some nodes, given those that stand now: a leaf has a count only.
    pub(super) fn of_nodes(&self, origin: &[u32], nodes: &[Node], n_classes: usize) -> Facts {
        let counts = match self.counts.is_empty() {
            true => Vec::new(),
            false => {
                let counts_of =
                    |&id: &u32| &self.counts[id as usize * n_classes..(id as usize + 1) * n_classes];
                origin.iter().flat_map(counts_of).copied().collect()
            }
        };
        Facts {
            counts,
            cuts: picked(&self.cuts, origin, nodes),
            routes: picked(&self.routes, origin, nodes),
            histograms: picked(&self.histograms, origin, nodes),
        }
    }
}

/// The entries of some nodes, nothing at those that are leaves now.
fn picked<T: Clone>(entries: &[Option<T>], origin: &[u32], nodes: &[Node]) -> Vec<Option<T>> {
    if entries.is_empty() {
        return Vec::new();
    }
    let of = |(&id, node): (&u32, &Node)| if node.is_leaf() { None } else { entries[id as usize].clone() };
    let picked: Vec<Option<T>> = origin.iter().zip(nodes).map(of).collect();
    if picked.iter().all(Option::is_none) { Vec::new() } else { picked }
}

impl Tree {
    /// The same tree with other raw counts, a row a node; none where they are empty.
    pub(crate) fn with_counts(mut self, counts: Vec<f64>) -> Self {
        debug_assert!(counts.is_empty() || counts.len() == self.class_weights.len());
        self.facts.counts = counts;
        self
    }

    /// The same tree with the raw counts of nodes where rows end; what is above has their sums.
    pub(crate) fn with_counts_below(self, mut counts: Vec<f64>) -> Self {
        let n_classes = self.n_classes();
        for (id, node) in self.nodes.iter().enumerate().skip(1).rev() {
            for class in 0..n_classes {
                counts[node.parent as usize * n_classes + class] += counts[id * n_classes + class];
            }
        }
        self.with_counts(counts)
    }

    /// The same tree with what its nodes have of those of another, from which it was made: `origin` tells
    /// them.
    pub(crate) fn standing_for(mut self, other: &Tree, origin: &[u32]) -> Self {
        self.facts = other.facts.of_nodes(origin, &self.nodes, self.n_classes());
        for (node, &id) in self.nodes.iter_mut().zip(origin) {
            node.is_reached = other.nodes[id as usize].is_reached;
        }
        self.decision = other.decision.clone();
        self.probability = other.probability.clone();
        self.origin = other.origin.clone();
        self
    }

    /// The same tree in which those nodes are reached that have weight.
    pub(crate) fn reached_by_weight(mut self) -> Self {
        self.nodes.iter_mut().skip(1).for_each(|node| node.is_reached = node.weight > 0.0);
        self
    }

    /// Raw counts of the rows at a node by class, where they are known.
    pub(super) fn counts_of(&self, node: usize) -> Option<&[f64]> {
        self.facts.counts.chunks_exact(self.n_classes()).nth(node)
    }

    /// The training values beside the cut of a node.
    pub fn cut_values(&self, node: usize) -> Option<CutValues> {
        self.facts.cuts.get(node).copied().flatten()
    }

    /// Whether a fact at a node is about a question that the node asks.
    pub(super) fn histogram_fits(&self, node: usize, histogram: &Histogram) -> bool {
        let Histogram { edges, levels, counts } = histogram;
        let at = &self.nodes[node];
        let is_numeric = match at.split.feature() {
            Some(feature) => self.schema.features[feature as usize].levels.is_none(),
            None => return false,
        };
        let n_rows = if is_numeric { edges.len().saturating_sub(1) } else { levels.len() };
        let fits = if is_numeric { levels.is_empty() && edges.len() > 1 } else { edges.is_empty() };
        let n_branches = at.split.feature().map_or(0, |f| self.schema.features[f as usize].n_branches());
        fits && at.split != Split::Leaf
            && counts.len() == n_rows
            && edges.windows(2).all(|pair| pair[0] <= pair[1])
            && levels.windows(2).all(|pair| pair[0] < pair[1])
            && levels.last().is_none_or(|&level| (level as usize) < n_branches)
            && counts.iter().all(|row| row.len() == self.n_classes() && row.iter().all(|&count| count >= 0.0))
    }
}
