//! A feature at a node whose weights are counted as integers.

use super::cuts::{CutSearch, Place, Tried, Weights, are_apart};
use super::levels::LevelTable;
use crate::base::ordering::WEIGHT_SLACK;
use crate::engines::induce::runs::{Gather, Runs};
use crate::engines::induce::scorer::{Candidate, Cut, Node, Verdict};
use crate::model::score::weight_of;

/// Buffers for one feature at one node.
pub(in crate::engines::induce) struct Bench<M> {
    cells: Vec<f32>,
    left: Vec<M>,
    right: Vec<M>,
    tried: Vec<Tried>,
}

impl<M> Default for Bench<M> {
    fn default() -> Self {
        Bench { cells: vec![], left: vec![], right: vec![], tried: vec![] }
    }
}

/// A sum of masses in single precision.
#[inline]
fn single<M: Gather>(mass: M) -> f32 {
    mass.weight() as f32
}

/// A minimum; a little less is enough, as sums of rounded shares are a little less.
fn least(minimum: u128) -> f32 {
    weight_of(minimum.saturating_sub(WEIGHT_SLACK)) as f32
}

impl<M: Gather> Bench<M> {
    /// Gain and split information of a feature, if it may split.
    pub(in crate::engines::induce) fn verdict(
        &mut self,
        node: &Node,
        feature: usize,
        runs: &Runs<M>,
    ) -> Verdict {
        let candidate = match node.problem.data.column(feature).is_numeric() {
            true => self.best_cut(node, feature, runs),
            false => self.levels(node, runs),
        };
        match candidate {
            Some(candidate) => Verdict::Candidate(candidate),
            None if runs.is_constant() => Verdict::Constant,
            None => Verdict::Rejected,
        }
    }

    fn best_cut(&mut self, node: &Node, feature: usize, runs: &Runs<M>) -> Option<Candidate> {
        let problem = node.problem;
        let values = problem.data.column(feature).values().expect("a numeric column has values");
        let weights = self.count(node, runs);
        let Bench { cells, left, right, tried, .. } = self;
        let mut search = CutSearch::new(&problem.single, weights, cells, tried)?;
        let (mut low, mut last) = (M::default(), None);
        runs.for_each(|code, class, mass| {
            if let Some(before) = last.filter(|&before| before != code) {
                let weight = single(low);
                if search.place(weight) == Place::Fits
                    && are_apart(values[before as usize], values[code as usize])
                {
                    let (left, right) = (left.iter(), right.iter());
                    let sides = (left.map(|&mass| single(mass)), right.map(|&mass| single(mass)));
                    search.attempt(weight, sides.0, sides.1, Cut::Between(before, code));
                }
            }
            last = Some(code);
            left[class] += mass;
            right[class] -= mass;
            low += mass;
        });
        search.best()
    }

    /// Counts the known rows: all of them right of a cut, none of them left.
    fn count(&mut self, node: &Node, runs: &Runs<M>) -> Weights {
        let Bench { cells, left, right, .. } = self;
        let (all, mut unknown) = (M::from_exact(node.totals.mass), M::default());
        right.clear();
        for (class, &mass) in node.totals.classes.iter().enumerate() {
            let mut known = M::from_exact(mass);
            known -= runs.missing(class);
            unknown += runs.missing(class);
            right.push(known);
        }
        let mut known = all;
        known -= unknown;
        left.clear();
        left.resize(right.len(), M::default());
        cells.clear();
        cells.extend(right.iter().copied().map(single));
        Weights {
            all: single(all),
            known: single(known),
            unknown: single(unknown),
            min_branch: least(node.problem.rules.min_side),
            min_gain: node.problem.rules.min_gain,
            are_charged: node.problem.rules.mdl_correction,
        }
    }

    /// The levels that occur; those that do not would add nothing to any sum.
    fn levels(&mut self, node: &Node, runs: &Runs<M>) -> Option<Candidate> {
        let n_classes = node.problem.n_classes();
        let Bench { cells, left, .. } = self;
        left.clear();
        left.extend((0..n_classes).map(|class| runs.missing(class)));
        let mut last = None;
        runs.for_each(|code, class, mass| {
            if last != Some(code) {
                left.resize(left.len() + n_classes, M::default());
                last = Some(code);
            }
            let at = left.len() - n_classes + class;
            left[at] += mass;
        });
        cells.clear();
        cells.extend(left.iter().copied().map(single));
        let table = LevelTable {
            cells,
            n_classes,
            all: single(M::from_exact(node.totals.mass)),
            min_branch: least(node.problem.rules.min_branch),
            min_leaf: least(node.problem.rules.min_leaf),
            min_gain: node.problem.rules.min_gain,
        };
        table.judge(&node.problem.single)
    }
}
