//! The class probabilities that the nodes of a tree tell.

use super::decision::{Probability, Shares, Smoothing};
use super::node::Tree;

impl Tree {
    /// Class probabilities of every node, a row a node; none where they are shares of the weights as they
    /// stand.
    pub(super) fn probabilities(&self) -> Option<Vec<f64>> {
        if self.probability == self.probability.plain() {
            return None;
        }
        let mut told = Vec::with_capacity(self.class_weights.len());
        let root = shares(&self.shared_weights(0), self.nodes[0].class.into());
        for (id, node) in self.nodes.iter().enumerate() {
            let counts = self.smoothed(self.shared_weights(id), &root);
            told.extend(shares(&counts, node.class.into()));
        }
        Some(told)
    }

    /// The weights of a node that probabilities are shares of.
    fn shared_weights(&self, id: usize) -> Vec<f64> {
        let weights = self.class_weights_of(id);
        match (&self.probability.class_factors, self.probability.shares) {
            (Some(factors), Shares::Raw) => {
                let raw = |(&weight, &factor): (&f64, &f64)| if factor > 0.0 { weight / factor } else { 0.0 };
                weights.iter().zip(factors).map(raw).collect()
            }
            _ => weights.to_vec(),
        }
    }

    /// Counts with what smoothing adds to them; `root` has the shares of the whole.
    fn smoothed(&self, mut counts: Vec<f64>, root: &[f64]) -> Vec<f64> {
        let row = self.probability.row_weight.unwrap_or(1.0);
        match self.probability.smoothing {
            None => {}
            Some(Smoothing::Named(_)) => counts.iter_mut().for_each(|count| *count += row),
            Some(Smoothing::Rows(rows)) => {
                counts.iter_mut().zip(root).for_each(|(count, share)| *count += row * rows * share);
            }
        }
        counts
    }
}

impl Probability {
    /// The same where shares of the weights are told as they stand.
    fn plain(&self) -> Probability {
        let factors = self.class_factors.clone().filter(|_| self.shares == Shares::Weighted);
        Probability { class_factors: factors, smoothing: None, row_weight: None, shares: self.shares }
    }
}

/// Each count as a share of their sum; of nothing, all of it is the given class.
fn shares(counts: &[f64], class: usize) -> Vec<f64> {
    let total: f64 = counts.iter().sum();
    match total > 0.0 {
        true => counts.iter().map(|count| count / total).collect(),
        false => (0..counts.len()).map(|of| f64::from(of == class)).collect(),
    }
}
