//! The plain solvers: every order of tests, or every set of them.
//!
//! ```text
//! value(path): most that can be expected of the trees below
//!   no test is left: what the leaf is worth, the largest P(class, path) without costs
//!   else: the largest over features of the sum over their values of value(path, feature = value)
//! ```
//! `Exhaustive` does just that. `FeatureList` looks the last test up. `Sets` remembers the value of
//! every set of (feature, value), whatever the order in which its tests were made.
//!
//! # Source
//! fixed-depth-trees, section 3 (NBDT) and section 5 (OPTNBDT).

use std::collections::HashMap;

use super::list::OptFeatureList;
use super::naive_bayes::NaiveBayes;
use super::space::{Joint, Path, Solver, Space, product};
use super::worth::Worth;
use crate::base::control::Control;
use crate::base::outcome::Status;

/// One list for every amount of money that makes a difference.
pub struct Lists(Vec<(u64, OptFeatureList)>);

impl Lists {
    /// Lists of `width` entries over the features of a space.
    pub fn new<const K: usize>(model: &NaiveBayes, space: &Space<K>, width: usize) -> Self {
        let cost = |&feature: &u32| space.costs[feature as usize];
        let mut amounts: Vec<u64> = space.features.iter().map(cost).collect();
        amounts.sort_unstable();
        amounts.dedup();
        let list = |amount: u64| {
            let affordable = space.features.iter().copied().filter(|feature| cost(feature) <= amount);
            (amount, OptFeatureList::new(model, &affordable.collect::<Vec<_>>(), width))
        };
        Lists(amounts.into_iter().map(list).collect())
    }

    /// The list for `money`, if it pays for any feature.
    #[inline]
    pub fn affordable(&self, money: u64) -> Option<&OptFeatureList> {
        self.0.iter().rev().find(|&&(amount, _)| amount <= money).map(|(_, list)| list)
    }

    /// What the best unused feature is worth as the last test.
    fn last<const K: usize>(&self, worth: &Worth<K>, path: &Path, joint: &Joint<K>) -> f64 {
        let (Some((x, sum)), Some(list)) = (worth.share_of_1(joint), self.affordable(path.money)) else {
            return worth.of(joint);
        };
        let unused = list.lookup(x).iter().find(|entry| !path.has_used(entry.feature));
        unused.map_or_else(|| worth.of(joint), |entry| entry.value(x) * sum)
    }
}

/// Sets remembered at the most; more are searched again.
const MOST_SETS: usize = 1 << 22;

/// The recursion with the choice of what is looked up.
pub struct Plain<'a, const K: usize> {
    space: &'a Space<K>,
    lists: Option<Lists>,
    /// Values of sets of (feature, value), if they are remembered.
    sets: Option<HashMap<Box<[u32]>, f64>>,
    values_on_path: Vec<u32>,
    control: &'a Control,
    n_searched: u64,
}

impl<'a, const K: usize> Plain<'a, K> {
    /// `lists` finds the last test of two classes; elsewhere every feature is tried.
    pub fn new(
        space: &'a Space<K>,
        lists: Option<Lists>,
        remembers_sets: bool,
        control: &'a Control,
    ) -> Self {
        let sets = remembers_sets.then(HashMap::new);
        Plain { space, lists, sets, values_on_path: Vec::new(), control, n_searched: 0 }
    }

    fn best(&mut self, path: &mut Path, joint: &Joint<K>) -> Result<f64, Status> {
        self.n_searched += 1;
        if self.n_searched.is_multiple_of(1024) {
            self.control.checkpoint()?;
        }
        if path.left == 1 {
            return Ok(self.last_test(path, joint));
        }
        let space = self.space;
        let mut best = space.worth.of(joint);
        for &feature in &space.features {
            if path.may_test(space, feature) {
                best = best.max(self.sum_below(path, joint, feature)?);
            }
        }
        Ok(best)
    }

    fn last_test(&self, path: &Path, joint: &Joint<K>) -> f64 {
        match &self.lists {
            Some(lists) => lists.last(&self.space.worth, path, joint),
            None => {
                let (space, worth) = (self.space, &self.space.worth);
                let open = space.features.iter().filter(|&&feature| path.may_test(space, feature));
                let values = open.map(|&feature| worth.after(joint, space.values(feature)));
                values.fold(worth.of(joint), f64::max)
            }
        }
    }

    /// What a test is worth with the best below each of its values.
    fn sum_below(&mut self, path: &mut Path, joint: &Joint<K>, feature: u32) -> Result<f64, Status> {
        let space = self.space;
        path.push(space, feature);
        let mut sum = 0.0;
        for (value, likelihood) in space.values(feature).iter().enumerate() {
            self.values_on_path.push(space.first_value(feature) + value as u32);
            sum += self.remembered(path, &product(joint, likelihood))?;
            self.values_on_path.pop();
        }
        path.pop(space);
        Ok(sum)
    }

    fn remembered(&mut self, path: &mut Path, joint: &Joint<K>) -> Result<f64, Status> {
        if path.left == 0 {
            return Ok(self.space.worth.of(joint));
        }
        let Some(sets) = &self.sets else {
            return self.best(path, joint);
        };
        let mut key = self.values_on_path.clone();
        key.sort_unstable();
        let key = key.into_boxed_slice();
        if let Some(&value) = sets.get(&key) {
            return Ok(value);
        }
        let value = self.best(path, joint)?;
        match &mut self.sets {
            Some(sets) if sets.len() < MOST_SETS => drop(sets.insert(key, value)),
            _ => {}
        }
        Ok(value)
    }
}

impl<const K: usize> Solver<K> for Plain<'_, K> {
    fn value(&mut self, path: &mut Path, joint: &Joint<K>, _: f64) -> Result<f64, Status> {
        self.forget();
        if path.left == 0 { Ok(self.space.worth.of(joint)) } else { self.best(path, joint) }
    }

    fn test(&mut self, path: &mut Path, joint: &Joint<K>, feature: u32, _: f64) -> Result<f64, Status> {
        self.forget();
        self.sum_below(path, joint, feature)
    }

    fn space(&self) -> &Space<K> {
        self.space
    }

    fn n_searched(&self) -> u64 {
        self.n_searched
    }
}

impl<const K: usize> Plain<'_, K> {
    /// Sets are named from the path that a search began at, so another search begins without any.
    fn forget(&mut self) {
        self.values_on_path.clear();
        if let Some(sets) = &mut self.sets {
            sets.clear();
        }
    }
}
