//! What a search moves in: the model with a fixed number of classes, the features that a path may still
//! test, and what a solver answers.

use super::naive_bayes::NaiveBayes;
use super::worth::Worth;
use crate::base::outcome::Status;
use crate::model::tree::CostMatrix;

/// How far a path may go.
#[derive(Debug, Clone, PartialEq)]
pub struct Reach {
    /// Tests on a path at the most.
    pub depth: usize,
    /// What each feature costs, and what a path may cost altogether.
    pub costs: Option<(Vec<u64>, u64)>,
}

/// P(class, path) of every class: never divided, so products of zeros are no special case.
pub type Joint<const K: usize> = [f64; K];

/// A model of at most `K` classes; classes that do not exist have probability 0.
pub struct Space<const K: usize> {
    pub n_classes: usize,
    pub root: Joint<K>,
    /// First value of every feature, and at the end the number of values.
    starts: Vec<u32>,
    likelihoods: Vec<Joint<K>>,
    /// Features that may be tested at all, ascending.
    pub features: Vec<u32>,
    pub costs: Vec<u64>,
    pub depth: usize,
    pub budget: u64,
    pub worth: Worth<K>,
}

impl<const K: usize> Space<K> {
    pub fn new(model: &NaiveBayes, reach: &Reach, wrong: Option<&CostMatrix>) -> Self {
        let n_features = model.n_features();
        let (costs, budget) = reach.costs.clone().unwrap_or_else(|| (vec![0; n_features], 0));
        // A feature of one value, or of none, tells nothing.
        let testable =
            |&feature: &u32| costs[feature as usize] <= budget && model.values(feature as usize).len() > 1;
        let features: Vec<u32> = (0..n_features as u32).filter(testable).collect();
        Space {
            n_classes: model.n_classes(),
            root: widened(model.classes()),
            starts: model.starts().to_vec(),
            likelihoods: (0..model.n_values()).map(|value| widened(model.likelihood(value))).collect(),
            depth: reach.depth.min(features.len()),
            features,
            costs,
            budget,
            worth: Worth::new(wrong, model.n_classes()),
        }
    }

    /// P(value | class) of the values of a feature.
    #[inline]
    pub fn values(&self, feature: u32) -> &[Joint<K>] {
        let feature = feature as usize;
        &self.likelihoods[self.starts[feature] as usize..self.starts[feature + 1] as usize]
    }

    /// The number of a feature's first value among all values.
    pub fn first_value(&self, feature: u32) -> u32 {
        self.starts[feature as usize]
    }
}

/// The joint probabilities of a path that goes on with a value.
#[inline]
pub fn product<const K: usize>(path: &Joint<K>, value: &Joint<K>) -> Joint<K> {
    std::array::from_fn(|class| path[class] * value[class])
}

/// Whether any class can get to the end of a path.
pub fn is_reachable<const K: usize>(path: &Joint<K>) -> bool {
    path.iter().any(|&p| p > 0.0)
}

fn widened<const K: usize>(classes: &[f64]) -> Joint<K> {
    std::array::from_fn(|class| classes.get(class).copied().unwrap_or(0.0))
}

/// Largest first; of equal ones the first goes first. Apart from the code that is made for every number of
/// classes.
pub fn sort_falling<T>(items: &mut [(f64, T)]) {
    items.sort_by(|a, b| b.0.total_cmp(&a.0));
}

/// The tests of the path at hand and what it may still do.
pub struct Path {
    pub used: Vec<u32>,
    is_used: Vec<bool>,
    pub left: usize,
    pub money: u64,
}

impl Path {
    pub fn start<const K: usize>(space: &Space<K>) -> Self {
        let is_used = vec![false; space.costs.len()];
        Path { used: Vec::new(), is_used, left: space.depth, money: space.budget }
    }

    #[inline]
    pub fn may_test<const K: usize>(&self, space: &Space<K>, feature: u32) -> bool {
        self.left > 0 && !self.is_used[feature as usize] && space.costs[feature as usize] <= self.money
    }

    #[inline]
    pub fn has_used(&self, feature: u32) -> bool {
        self.is_used[feature as usize]
    }

    pub fn push<const K: usize>(&mut self, space: &Space<K>, feature: u32) {
        self.used.push(feature);
        self.is_used[feature as usize] = true;
        self.left -= 1;
        self.money -= space.costs[feature as usize];
    }

    pub fn pop<const K: usize>(&mut self, space: &Space<K>) {
        let feature = self.used.pop().expect("a feature was pushed");
        self.is_used[feature as usize] = false;
        self.left += 1;
        self.money += space.costs[feature as usize];
    }
}

/// Something that knows what the best tree below a path is worth.
pub trait Solver<const K: usize> {
    /// The value, where it is above `floor`; else any number from the value up to `floor`.
    ///
    /// # Errors
    /// The control's interrupt; the path is then no longer what it was.
    fn value(&mut self, path: &mut Path, joint: &Joint<K>, floor: f64) -> Result<f64, Status>;

    /// The same of the best tree that tests `feature` first.
    ///
    /// # Errors
    /// As above.
    fn test(&mut self, path: &mut Path, joint: &Joint<K>, feature: u32, floor: f64) -> Result<f64, Status>;

    fn space(&self) -> &Space<K>;

    /// Paths looked at so far.
    fn n_searched(&self) -> u64;
}
