//! What the answers of a tree are worth.
//!
//! Without costs a leaf is worth the probability that its class is right: the largest P(class, path). With
//! costs, an answer is worth what it saves against the dearest one: the largest over answers of the sum
//! over classes of P(class, path) times (the largest cost of the class less the cost of the answer). Both are
//! convex functions of the joint probabilities that grow in proportion to them, which is all that the solvers
//! ask for, and the tree of the largest worth is the one of least expected cost.
//!
//! The opt-feature list needs one number a class more: what the right answer of two is worth. It exists unless
//! a right answer costs more than a wrong one.

use super::space::{Joint, product};
use crate::base::ordering::first_largest;
use crate::model::tree::CostMatrix;

/// What answers are worth, as shares of the largest cost.
pub struct Worth<const K: usize> {
    /// For every answer what it saves, by class; empty where the right one alone is worth anything, the same
    /// for all classes.
    savings: Vec<Joint<K>>,
    /// The most that any answer saves, by class.
    most: Joint<K>,
    /// What each of two classes is worth, if only answered by itself.
    prices: Option<[f64; 2]>,
    /// The largest cost; 1 without costs.
    unit: f64,
    /// What the dearest answers cost, by class, as shares of the largest cost.
    dearest: Joint<K>,
}

impl<const K: usize> Worth<K> {
    /// Of answers with these costs, or that are either right or wrong.
    pub fn new(costs: Option<&CostMatrix>, n_classes: usize) -> Self {
        let ones: Joint<K> = std::array::from_fn(|class| if class < n_classes { 1.0 } else { 0.0 });
        let plain = Worth { savings: vec![], most: ones, prices: Some([1.0, 1.0]), unit: 1.0, dearest: ones };
        let Some(costs) = costs else { return plain };
        let largest = (0..n_classes).map(|class| costs.most(class)).max().unwrap_or(0).max(1) as f64;
        let by_class = |of: &dyn Fn(usize) -> u64| -> Joint<K> {
            std::array::from_fn(|class| if class < n_classes { of(class) as f64 / largest } else { 0.0 })
        };
        let saving = |class: usize, answer: usize| costs.most(class) - costs.of(class, answer);
        let savings = (0..n_classes).map(|answer| by_class(&|class| saving(class, answer))).collect();
        let most = |class: usize| (0..n_classes).map(|answer| saving(class, answer)).max().unwrap_or(0);
        let prices = [(0, 1), (1, 0)].map(|(class, other)| {
            (n_classes == 2 && saving(class, other) == 0).then(|| saving(class, class) as f64 / largest)
        });
        Worth {
            savings,
            most: by_class(&most),
            prices: prices[0].zip(prices[1]).map(|(first, second)| [first, second]),
            unit: largest * costs.unit(),
            dearest: by_class(&|class| costs.most(class)),
        }
    }

    /// What a leaf is worth.
    #[inline]
    pub fn of(&self, path: &Joint<K>) -> f64 {
        if self.savings.is_empty() {
            return path.iter().fold(0.0, |most, &p| if p > most { p } else { most });
        }
        self.savings.iter().map(|by_class| product(path, by_class).iter().sum()).fold(0.0, f64::max)
    }

    /// The answer of a leaf: the lowest of those that are worth most.
    pub fn answer(&self, path: &Joint<K>) -> usize {
        let saved = |by_class: &Joint<K>| -> f64 { product(path, by_class).iter().sum() };
        match self.savings.is_empty() {
            true => first_largest(*path),
            false => first_largest(self.savings.iter().map(saved)),
        }
        .expect("there is a class")
    }

    /// What a feature is worth as the last test.
    #[inline]
    pub fn after(&self, path: &Joint<K>, values: &[Joint<K>]) -> f64 {
        values.iter().map(|value| self.of(&product(path, value))).sum()
    }

    /// No tree is worth more below a path.
    #[inline]
    pub fn at_most(&self, path: &Joint<K>) -> f64 {
        match self.savings.is_empty() {
            true => path.iter().sum(),
            false => product(path, &self.most).iter().sum(),
        }
    }

    /// Whether the last of the tests of two classes can be looked up.
    pub fn has_lists(&self) -> bool {
        self.prices.is_some()
    }

    /// Of two classes what class 1 is worth, as a share of what both are, and that; `None` where neither is
    /// worth anything. The share is at most 1: a rounded sum is no less than what is added to.
    #[inline]
    pub fn share_of_1(&self, path: &Joint<K>) -> Option<(f64, f64)> {
        let [price_of_0, price_of_1] = self.prices?;
        let (of_0, of_1) = (path[0] * price_of_0, path[1] * price_of_1);
        let sum = of_0 + of_1;
        (sum > 0.0).then(|| (of_1 / sum, sum))
    }

    /// What a tree of this worth is expected to cost where classes have these probabilities.
    pub fn cost(&self, worth: f64, classes: &Joint<K>) -> f64 {
        match self.savings.is_empty() {
            true => 1.0 - worth,
            false => (product(classes, &self.dearest).iter().sum::<f64>() - worth).max(0.0) * self.unit,
        }
    }
}
