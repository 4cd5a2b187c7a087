//! Everything about one training set that does not change while trees are grown from it.

use std::sync::Arc;

use super::c45;
use super::cases::{Cases, Totals, majority};
use super::groups::Sets;
use super::rules::{Growth, GrowthParams, Rules};
use super::scorer::Cut;
use crate::base::bits::BitSet;
use crate::base::error::{Error, NominalOnly, Result};
use crate::base::ordering::WEIGHT_SLACK;
use crate::model::data::{
    Column, Dataset, FULL_SHARE, GivenWeights, MissingPolicy, Schema, Weights, resolve_missing,
};
use crate::model::score::{Logs, weight_of};
use crate::model::tree::{
    CostMatrix, CutValues, Decision, Probability, Routing, Split, Tie, Tree, TreeBuilder,
};

/// A training set under growing rules.
#[derive(Debug)]
pub struct Problem {
    /// The table, its missing values treated as the rules ask.
    pub(crate) data: Dataset,
    /// That of the table, with the ranges of the training rows.
    pub(crate) schema: Arc<Schema>,
    pub(crate) rules: Rules,
    /// The sets of levels that cuts name by number.
    pub(crate) sets: Sets,
    pub(crate) weights: Weights,
    pub(crate) logs: Logs,
    /// What takes the place of `logs` under C4.5.
    pub(super) single: c45::Single,
    pub(crate) target: Arc<Vec<u16>>,
    /// What wrong answers cost, if that decides.
    pub(crate) costs: Option<CostMatrix>,
    decision: Decision,
    probability: Probability,
    /// How the grown tree routes a missing value.
    pub(crate) routing: Routing,
    /// The widest counting that this training set needs.
    pub(crate) counting: Counting,
    training: Vec<u32>,
    /// For a numeric column, the codes that occur among the training rows.
    present: Vec<Option<BitSet>>,
}

/// How weights may be counted where no row is split, and where one is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {
    /// Whole weights: 32 bits for whole rows, 64 for split ones.
    Narrow,
    /// Fractional weights or a huge total: 128 bits.
    Wide,
}

impl Problem {
    /// Prepares `training` rows of `data`.
    ///
    /// # Errors
    /// No target, no rows, weights that cannot be counted, a parameter out of range, a numeric feature
    /// under ID3, a missing value under `missing="raise"`.
    pub fn new(data: &Dataset, mut training: Vec<u32>, params: &GrowthParams) -> Result<Self> {
        let target = data.target()?.clone();
        let factors = params.class_weight.as_deref();
        let given = GivenWeights { raw: data.weights(), factors, classes: &target };
        let weights = given.counted_for(&training)?.weights;
        if weights != Weights::Unit {
            training.retain(|&row| weights.fine(row) > 0);
        }
        if training.is_empty() {
            return Err(Error::NoRows);
        }
        let total: u128 = training.iter().map(|&row| weights.mass(row, FULL_SHARE)).sum();
        let mut rules = params.rules(total)?;
        refuse_numeric_id3(data, &rules)?;
        let data = resolve_missing(data, params.missing, &training, |row| weights.fine(row))?;
        let total = weight_of(total);
        let narrow = weights.are_whole() && total < f64::from(1u32 << 31);
        if narrow || rules.growth == Growth::Id3 {
            rules.where_rows_are_samples();
        }
        let single = match rules.growth {
            Growth::C45 => c45::Single::new(total),
            _ => c45::Single::default(),
        };
        let by_weight =
            || Decision::heaviest(if rules.parent_breaks_ties() { Tie::Parent } else { Tie::Lowest });
        let decision = params.answers.by_cost(data.n_classes())?.unwrap_or_else(by_weight);
        let factors = params.class_weight.as_deref();
        let probability = params.answers.probability(factors, data.n_classes())?;
        let present: Vec<Option<BitSet>> =
            data.columns().iter().map(|c| codes_present(c, &training)).collect();
        Ok(Problem {
            schema: with_ranges(&data, &present),
            costs: decision.costs(),
            decision,
            probability,
            rules,
            sets: Sets::default(),
            single,
            logs: Logs::new(total),
            target,
            routing: match params.missing {
                MissingPolicy::Distribution => Routing::Distribute,
                _ => Routing::NodeMajority,
            },
            counting: if narrow { Counting::Narrow } else { Counting::Wide },
            present,
            weights,
            data,
            training,
        })
    }

    /// Whether a missing value may let a row go down several branches.
    pub(super) fn parts_rows(&self, allowed: &BitSet) -> bool {
        allowed.iter().any(|feature| self.data.column(feature).n_missing() > 0)
    }

    /// The rows of the root.
    pub fn root_cases(&self) -> Cases {
        Cases { whole: self.training.clone(), part: Vec::new() }
    }

    /// The training rows.
    pub fn training(&self) -> &[u32] {
        &self.training
    }

    /// The number of features.
    pub fn n_features(&self) -> usize {
        self.data.n_features()
    }

    /// The number of classes.
    pub fn n_classes(&self) -> usize {
        self.data.n_classes()
    }

    /// The class of a row.
    #[inline]
    pub fn class_of(&self, row: u32) -> usize {
        self.target[row as usize].into()
    }

    /// Whether a node of these totals must be a leaf whatever the features offer.
    pub fn is_closed(&self, totals: &Totals, depth: u32) -> bool {
        totals.mass == 0
            || totals.mass + WEIGHT_SLACK < self.rules.min_split
            || depth >= self.rules.max_depth
            || totals.is_pure()
    }

    /// The code of the threshold for a cut between neighbouring codes of a node: the largest value
    /// among all training rows that is not above the midpoint.
    pub fn threshold_code(&self, feature: usize, low: u32, high: u32) -> u32 {
        let values = self.data.column(feature).values().expect("a cut belongs to a numeric feature");
        let present = self.present[feature].as_ref().expect("numeric columns have their codes noted");
        if values[high as usize].is_infinite() {
            return high - 1; // every number stays apart from "missing"
        }
        let (from, to) = (values[low as usize], values[high as usize]);
        let inside = &values[low as usize..high as usize];
        let n_below = match self.rules.growth {
            Growth::C45 => inside.partition_point(|&v| v as f32 <= c45::threshold_middle(from, to)),
            _ => inside.partition_point(|&v| v <= midpoint(from, to)),
        };
        let below = low as usize + n_below;
        let last = below.max(low as usize + 1) - 1;
        present.last_up_to(last).expect("the lower code itself is present") as u32
    }

    /// Turns a leaf of a tree into the question that unseen rows are asked at a cut.
    pub fn split_node(
        &self,
        builder: &mut TreeBuilder,
        node: u32,
        feature: usize,
        cut: Cut,
        n_branches: usize,
    ) {
        let tested = feature as u32;
        match cut {
            Cut::Levels => builder.split(node, Split::ByValue { feature: tested }, n_branches),
            Cut::Group(set) => {
                let levels = self.sets.get(set).iter().map(|level| level as u32).collect();
                builder.split_group(node, tested, levels);
            }
            Cut::Between(low, high) => {
                let (threshold, beside) = self.threshold(feature, low, high);
                builder.split_cut(node, tested, threshold, beside);
            }
        }
    }

    /// The threshold that unseen rows are compared with at a cut, and the training values beside it.
    fn threshold(&self, feature: usize, low: u32, high: u32) -> (f64, CutValues) {
        let values = self.data.column(feature).values().expect("a cut belongs to a numeric feature");
        let present = self.present[feature].as_ref().expect("numeric columns have their codes noted");
        let code = self.threshold_code(feature, low, high) as usize;
        let above = (code + 1..=high as usize).find(|&code| present.contains(code));
        let above = above.map(|code| values[code]).filter(|value| value.is_finite());
        let threshold = if values[high as usize].is_infinite() { f64::MAX } else { values[code] };
        let below = present.last_up_to(code).map(|code| values[code]);
        (threshold, CutValues { below, above })
    }

    /// The set of a cut that is a group.
    pub(super) fn set_of(&self, cut: Cut) -> Option<Arc<BitSet>> {
        match cut {
            Cut::Group(number) => Some(self.sets.get(number)),
            _ => None,
        }
    }

    /// A grown tree with the rule by which its nodes have their classes and tell their probabilities.
    pub(crate) fn answering(&self, tree: Tree) -> Tree {
        let told = tree.with_decision(self.decision.clone()).with_probability(self.probability.clone());
        told.expect("it was checked when the problem was made")
    }

    /// What an answer to a row of a class costs: 1 where it is wrong, unless there are costs.
    #[inline]
    pub(crate) fn cost(&self, class: usize, answer: usize) -> u64 {
        match &self.costs {
            None => u64::from(class != answer),
            Some(costs) => costs.of(class, answer),
        }
    }

    /// What it costs to give a row this answer, as often as it weighs in units of 2^-20.
    #[inline(always)]
    pub(crate) fn loss(&self, row: u32, answer: u16) -> u64 {
        match self.cost(self.class_of(row), answer.into()) {
            0 => 0,
            cost => self.weights.fine(row) * cost,
        }
    }

    /// What one unit of cost is; 1 where wrong answers have none.
    pub fn cost_unit(&self) -> f64 {
        self.costs.as_ref().map_or(1.0, CostMatrix::unit)
    }

    /// What no answer to a row costs more than.
    #[inline]
    pub(crate) fn largest_loss(&self, row: u32) -> u64 {
        self.weights.fine(row) * self.costs.as_ref().map_or(1, |costs| costs.most(self.class_of(row)))
    }

    /// The class of a node that has rows of one class alone.
    pub(crate) fn pure_answer(&self, class: u16) -> u16 {
        let Some(costs) = &self.costs else { return class };
        let masses: Vec<u128> =
            (0..self.n_classes()).map(|of| u128::from(of == usize::from(class))).collect();
        costs.answer(&masses) as u16
    }

    /// The class of a node with these masses; see [`Totals::new`].
    #[inline]
    pub(crate) fn answer(&self, classes: &[u128], parent_class: u16) -> u16 {
        match &self.costs {
            None => majority(classes, parent_class, self.rules.parent_breaks_ties()),
            Some(_) if classes.iter().all(|&mass| mass == 0) => parent_class,
            Some(costs) => costs.answer(classes) as u16,
        }
    }

    /// Weight of a mass.
    pub fn weight(mass: u128) -> f64 {
        weight_of(mass)
    }
}

/// The schema with the range of every numeric column that has a number among the rows.
fn with_ranges(data: &Dataset, present: &[Option<BitSet>]) -> Arc<Schema> {
    if present.iter().all(Option::is_none) {
        return data.schema().clone();
    }
    let mut schema = (**data.schema()).clone();
    for ((feature, column), present) in schema.features.iter_mut().zip(data.columns()).zip(present) {
        let (Some(values), Some(present)) = (column.values(), present) else { continue };
        let n_finite = values.partition_point(|value| value.is_finite());
        let first = present.iter().next().filter(|&code| code < n_finite);
        let last = n_finite.checked_sub(1).and_then(|last| present.last_up_to(last));
        feature.range = first.zip(last).map(|(first, last)| [values[first], values[last]]);
    }
    Arc::new(schema)
}

fn midpoint(low: f64, high: f64) -> f64 {
    let sum = low + high;
    if sum.is_finite() { sum / 2.0 } else { low / 2.0 + high / 2.0 }
}

fn codes_present(column: &Column, training: &[u32]) -> Option<BitSet> {
    column.is_numeric().then(|| {
        let codes = training.iter().map(|&row| column.codes.get(row as usize) as usize);
        BitSet::of(column.domain() + 1, codes)
    })
}

fn refuse_numeric_id3(data: &Dataset, rules: &Rules) -> Result<()> {
    if rules.growth != Growth::Id3 {
        return Ok(());
    }
    match data.columns().iter().position(|c| c.is_numeric()) {
        None => Ok(()),
        Some(column) => {
            let feature = data.schema().features[column].name.clone();
            Err(Error::NumericFeature { taker: NominalOnly::Id3, feature, column })
        }
    }
}
