//! Branch and bound over paths.
//!
//! ```text
//! value(path), q tests left:
//!   bound every unused feature f: sum over its values of the bound on the best q - 1 tests below
//!   try features by falling bound; put exact values in the place of the bounds of its values, one by
//!   one, and leave it once the sum is not above the best so far; end at a bound not above it
//! ```
//! What q tests can give is a convex function of the class distribution, with costs too, so its values at the points
//! of a grid bound it everywhere between. There is one such table for every q and every feature e
//! left out, and below a path the least bound over its features e counts: without that the strongest
//! feature would be counted again at every level.
//!
//! Of two classes the last two tests need no bounds: the opt-feature list gives the last one.
//!
//! # Source
//! fixed-depth-trees, section 5 for the list; the bounds are this package's own.

use super::grid::{Corner, Grid};
use super::naive_bayes::NaiveBayes;
use super::plain::Lists;
use super::space::{Joint, Path, Solver, Space, product, sort_falling};
use crate::base::control::Control;
use crate::base::outcome::Status;

/// Points of a grid over more than two classes, about.
const MOST_POINTS: usize = 160;

/// The bounds of one number of tests: a row a grid point, a column a feature left out.
struct Level(Vec<f64>);

/// The solver.
pub struct Bounded<'a, const K: usize> {
    space: &'a Space<K>,
    control: &'a Control,
    /// Of two classes.
    lists: Option<Lists>,
    grid: Grid,
    /// Index: tests left.
    levels: Vec<Level>,
    corners: Vec<Corner>,
    n_searched: u64,
}

impl<'a, const K: usize> Bounded<'a, K> {
    /// Makes the tables of bounds.
    ///
    /// # Errors
    /// The control's interrupt.
    pub fn new(model: &NaiveBayes, space: &'a Space<K>, control: &'a Control) -> Result<Self, Status> {
        let lists = (space.n_classes == 2 && space.worth.has_lists())
            .then(|| Lists::new(model, space, space.depth.max(3)));
        let parts = if space.depth >= 5 { 32 } else { 16 };
        let mut solver = Bounded {
            grid: Grid::new(space.n_classes, parts, MOST_POINTS),
            space,
            control,
            lists,
            levels: Vec::new(),
            corners: Vec::new(),
            n_searched: 0,
        };
        for n_tests in 0..space.depth {
            let level = solver.level(n_tests)?;
            solver.levels.push(level);
        }
        Ok(solver)
    }

    /// No tree is worth more.
    pub fn root_bound(&mut self) -> f64 {
        let (path, root) = (Path::start(self.space), self.space.root);
        let open = self.space.features.iter().filter(|&&feature| path.may_test(self.space, feature));
        open.fold(self.space.worth.of(&root), |most, &feature| {
            most.max(self.sum_of_bounds(&path, &root, feature))
        })
    }

    /// Whether `n_tests` tests are found without bounds.
    fn is_direct(&self, n_tests: usize) -> bool {
        n_tests <= if self.lists.is_some() { 2 } else { 1 }
    }

    /// The table of `n_tests` tests; empty where nothing asks for it.
    fn level(&mut self, n_tests: usize) -> Result<Level, Status> {
        let direct = self.is_direct(n_tests);
        if n_tests == 0 || (direct && self.is_direct(n_tests + 1)) {
            return Ok(Level(Vec::new()));
        }
        let points = self.grid.points::<K>();
        let n_features = self.space.costs.len();
        let mut table = Vec::with_capacity(points.len() * n_features);
        for point in &points {
            let mut row = vec![self.space.worth.of(point); n_features];
            match (direct, n_tests) {
                (true, 1) => self.one_test(point, &mut row),
                (true, _) => self.two_tests(point, &mut row)?,
                (false, _) => self.more_tests(point, n_tests, &mut row)?,
            }
            table.extend_from_slice(&row);
        }
        Ok(Level(table))
    }

    /// The best last test without each feature.
    fn one_test(&self, point: &Joint<K>, row: &mut [f64]) {
        let value = |&feature: &u32| (self.space.worth.after(point, self.space.values(feature)), feature);
        let mut values: Vec<(f64, u32)> = self.space.features.iter().map(value).collect();
        sort_falling(&mut values);
        let without = |left_out: usize| values.iter().find(|v| v.1 as usize != left_out);
        for (left_out, most) in row.iter_mut().enumerate() {
            *most = without(left_out).map_or(*most, |v| v.0.max(*most));
        }
    }

    /// The best two tests without each feature, the second from the list.
    fn two_tests(&self, point: &Joint<K>, row: &mut [f64]) -> Result<(), Status> {
        let mut sums = vec![0.0; row.len()];
        for &feature in &self.space.features {
            self.control.checkpoint()?;
            let mut sum = 0.0;
            sums.fill(0.0);
            for value in self.space.values(feature) {
                let below = product(point, value);
                let (best, second, of) = self.best_two(&below, feature);
                sum += best;
                if let Some(of) = of {
                    sums[of as usize] += best - second;
                }
            }
            sums.iter_mut().for_each(|loss| *loss = sum - *loss);
            raise_others(row, &sums, feature);
        }
        Ok(())
    }

    /// The last test after `feature`, the one if that is left out, and which that is.
    fn best_two(&self, joint: &Joint<K>, feature: u32) -> (f64, f64, Option<u32>) {
        let none = self.space.worth.of(joint);
        let list = self.lists.as_ref().and_then(|lists| lists.affordable(self.space.budget));
        let (Some(list), Some((x, sum))) = (list, self.space.worth.share_of_1(joint)) else {
            return (none, none, None);
        };
        let mut others = list.lookup(x).iter().filter(|entry| entry.feature != feature);
        let (first, second) = (others.next(), others.next());
        let value = |entry: &super::list::Entry| entry.value(x) * sum;
        (first.map_or(none, value), second.map_or(none, value), first.map(|entry| entry.feature))
    }

    /// Bounds on more tests from those on one fewer.
    fn more_tests(&mut self, point: &Joint<K>, n_tests: usize, row: &mut [f64]) -> Result<(), Status> {
        let n_features = row.len();
        let (mut sums, mut bounds) = (vec![0.0; n_features], vec![0.0; n_features]);
        for &feature in &self.space.features {
            self.control.checkpoint()?;
            sums.fill(0.0);
            for value in self.space.values(feature) {
                let below = product(point, value);
                let sum: f64 = below.iter().sum();
                if sum == 0.0 {
                    continue;
                }
                self.grid.cell(&below, sum, &mut self.corners);
                bounds.fill(0.0);
                for &(at, share) in &self.corners {
                    let share = share * sum;
                    let corner = &self.levels[n_tests - 1].0[at as usize * n_features..][..n_features];
                    bounds.iter_mut().zip(corner).for_each(|(bound, at_corner)| *bound += share * at_corner);
                }
                let own = bounds[feature as usize];
                sums.iter_mut().zip(&bounds).for_each(|(sum, bound)| *sum += bound.min(own));
            }
            raise_others(row, &sums, feature);
        }
        Ok(())
    }

    /// At least what `n_tests` more tests give below a path that has used `feature` besides.
    fn bound_below(&mut self, path: &Path, feature: u32, joint: &Joint<K>, n_tests: usize) -> f64 {
        let sum: f64 = joint.iter().sum();
        if n_tests == 0 || sum == 0.0 {
            return self.space.worth.of(joint);
        }
        let n_features = self.space.costs.len();
        self.grid.cell(joint, sum, &mut self.corners);
        let table = &self.levels[n_tests].0;
        let without = |left_out: u32| {
            let at = |corner: u32| table[corner as usize * n_features + left_out as usize];
            self.corners.iter().map(|&(corner, share)| share * at(corner)).sum::<f64>()
        };
        path.used.iter().fold(without(feature), |least, &used| least.min(without(used))) * sum
    }

    fn sum_of_bounds(&mut self, path: &Path, joint: &Joint<K>, feature: u32) -> f64 {
        let space = self.space;
        let n_below = path.left - 1;
        if self.is_direct(path.left) {
            return space.worth.at_most(joint);
        }
        let below = space.values(feature).iter();
        below.map(|value| self.bound_below(path, feature, &product(joint, value), n_below)).sum()
    }

    /// The value of a path that has one test left.
    fn last(&self, path: &Path, joint: &Joint<K>, money: u64, besides: Option<u32>) -> f64 {
        let is_used = |feature: u32| path.has_used(feature) || besides == Some(feature);
        let (space, worth) = (self.space, &self.space.worth);
        if let Some(lists) = &self.lists {
            let (Some((x, sum)), Some(list)) = (worth.share_of_1(joint), lists.affordable(money)) else {
                return worth.of(joint);
            };
            let unused = list.lookup(x).iter().find(|entry| !is_used(entry.feature));
            return unused.map_or_else(|| worth.of(joint), |entry| entry.value(x) * sum);
        }
        let open = |&&feature: &&u32| !is_used(feature) && space.costs[feature as usize] <= money;
        let values = space.features.iter().filter(open);
        values.map(|&feature| worth.after(joint, space.values(feature))).fold(worth.of(joint), f64::max)
    }

    /// What a test gives where the rest is found without bounds.
    fn direct_test(&self, path: &Path, joint: &Joint<K>, feature: u32) -> f64 {
        let space = self.space;
        if path.left == 1 {
            return space.worth.after(joint, space.values(feature));
        }
        let money = path.money - space.costs[feature as usize];
        let below = space.values(feature).iter().map(|value| product(joint, value));
        below.map(|below| self.last(path, &below, money, Some(feature))).sum()
    }

    fn direct(&self, path: &Path, joint: &Joint<K>) -> f64 {
        if path.left == 1 {
            return self.last(path, joint, path.money, None);
        }
        let open = self.space.features.iter().filter(|&&feature| path.may_test(self.space, feature));
        open.map(|&feature| self.direct_test(path, joint, feature)).fold(self.space.worth.of(joint), f64::max)
    }

    /// Features by falling bound.
    fn by_bound(&mut self, path: &Path, joint: &Joint<K>, best: f64) -> Vec<(f64, u32)> {
        let space = self.space;
        let open = space.features.iter().filter(|&&feature| path.may_test(space, feature));
        let bounded = open.map(|&feature| (self.sum_of_bounds(path, joint, feature), feature));
        let mut order: Vec<(f64, u32)> = bounded.filter(|&(bound, _)| bound > best).collect();
        sort_falling(&mut order);
        order
    }

    /// Puts values in the place of bounds until the sum cannot be above `floor`.
    fn narrow(
        &mut self,
        path: &mut Path,
        joint: &Joint<K>,
        feature: u32,
        sum_of_bounds: f64,
        floor: f64,
    ) -> Result<f64, Status> {
        let space = self.space;
        let n_below = path.left - 1;
        let (mut most, mut sum) = (sum_of_bounds, 0.0);
        for value in space.values(feature) {
            let below = product(joint, value);
            let bound = self.bound_below(path, feature, &below, n_below);
            path.push(space, feature);
            let found = self.value(path, &below, floor - (most - bound))?;
            path.pop(space);
            sum += found;
            most += found - bound;
            if most <= floor {
                return Ok(floor);
            }
        }
        Ok(sum)
    }
}

/// Raises what is known without every feature but one to what a first test of that one gives.
fn raise_others(row: &mut [f64], sums: &[f64], feature: u32) {
    let own = row[feature as usize];
    row.iter_mut().zip(sums).for_each(|(most, &sum)| *most = most.max(sum));
    row[feature as usize] = own;
}

impl<const K: usize> Solver<K> for Bounded<'_, K> {
    fn value(&mut self, path: &mut Path, joint: &Joint<K>, floor: f64) -> Result<f64, Status> {
        let mut best = self.space.worth.of(joint);
        if path.left == 0 || joint.iter().all(|&p| p == 0.0) {
            return Ok(best);
        }
        self.n_searched += 1;
        if self.n_searched.is_multiple_of(64) {
            self.control.checkpoint()?;
        }
        if self.is_direct(path.left) {
            return Ok(self.direct(path, joint));
        }
        best = best.max(floor);
        for (bound, feature) in self.by_bound(path, joint, best) {
            if bound <= best {
                break;
            }
            best = best.max(self.narrow(path, joint, feature, bound, best)?);
        }
        Ok(best)
    }

    fn test(&mut self, path: &mut Path, joint: &Joint<K>, feature: u32, floor: f64) -> Result<f64, Status> {
        if self.is_direct(path.left) {
            return Ok(self.direct_test(path, joint, feature));
        }
        let bound = self.sum_of_bounds(path, joint, feature);
        if bound <= floor { Ok(bound) } else { self.narrow(path, joint, feature, bound, floor) }
    }

    fn space(&self) -> &Space<K> {
        self.space
    }

    fn n_searched(&self) -> u64 {
        self.n_searched
    }
}
