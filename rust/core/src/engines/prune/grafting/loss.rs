//! What leaves are expected to get wrong.

use std::collections::HashMap;

use crate::engines::prune::assemble::answer;
use crate::engines::prune::limits::ErrorLimit;
use crate::model::score::weight_of;
use crate::model::tree::{CostMatrix, Tree};

/// Expected errors of leaves from the masses of their classes.
pub(super) struct Loss {
    limit: ErrorLimit,
    /// What wrong answers cost, and what a row of each class then counts.
    costs: Option<(CostMatrix, Vec<f64>)>,
    /// Extra errors worked out before, by the bits of n and e.
    known: HashMap<(u64, u64), f64>,
}

impl Loss {
    pub fn new(tree: &Tree, limit: ErrorLimit) -> Self {
        let priced = |costs: CostMatrix| {
            let prices = costs.prices(tree.class_weights_of(0));
            (costs, prices)
        };
        Loss { limit, costs: tree.decision().costs().map(priced), known: HashMap::new() }
    }

    /// The class of a node with these masses, which had another before.
    pub fn answer(&self, masses: &[u128], before: u16) -> u16 {
        answer(self.costs.as_ref().map(|(costs, _)| costs), masses, before)
    }

    /// What the masses are, and what of them is not of a class; by the prices of their classes where wrong
    /// answers have costs.
    fn counted(&self, masses: &[u128], class: u16) -> (f64, f64) {
        let Some((_, prices)) = &self.costs else {
            let total: u128 = masses.iter().sum();
            return (weight_of(total), weight_of(total - masses[class as usize]));
        };
        let priced = |(&mass, price): (&u128, &f64)| weight_of(mass) * price;
        let right = priced((&masses[class as usize], &prices[class as usize]));
        let others = masses.iter().zip(prices).enumerate().filter(|&(of, _)| of != usize::from(class));
        let wrong: f64 = others.map(|(_, pair)| priced(pair)).sum();
        (wrong + right, wrong)
    }

    /// What the masses count, and the expected errors of a leaf of a class that has them.
    pub fn expected(&mut self, masses: &[u128], class: u16) -> (f64, f64) {
        let (n, e) = self.counted(masses, class);
        let limit = self.limit;
        let extra = match limit.is_costly() {
            true => *self.known.entry((n.to_bits(), e.to_bits())).or_insert_with(|| limit.extra(n, e)),
            false => limit.extra(n, e),
        };
        (n, e + extra)
    }
}
