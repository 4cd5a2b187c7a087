//! The parameters of growing, as the caller gives them and as integers.

use super::criterion::Criterion;
use crate::base::error::{Error, Given, Result};
use crate::base::ordering::WEIGHT_SLACK;
use crate::base::units::share_of;
use crate::model::data::{MASS_ONE, MissingPolicy};
use crate::model::tree::Answers;

/// What a node may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Growth {
    /// Splits while something is gained.
    Standard,
    /// Nominal, splits without gain too, each feature once on a path.
    Id3,
    /// C4.5 release 8.
    C45,
}

/// How a nominal feature splits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NominalSplits {
    /// A branch for every level.
    Multiway,
    /// A set of levels against the others.
    Groups,
    /// One level against the others.
    OneValue,
}

/// Growing parameters as a caller gives them.
#[derive(Debug, Clone, PartialEq)]
pub struct GrowthParams {
    /// What the best split has most of.
    pub criterion: Criterion,
    /// How the tree grows.
    pub growth: Growth,
    /// Least weight of a node that is split. Here and below, what is above 0 and below 1 is a share of the
    /// training weight.
    pub min_samples_split: f64,
    /// Least known weight of every branch that a row reaches; up to a weight of 1 any will do.
    pub min_samples_leaf: f64,
    /// Least known weight of two branches.
    pub min_samples_branch: f64,
    /// A split must gain more than this.
    pub min_gain: f64,
    /// Whether a numeric feature pays for the choice of its threshold. Here and in the next two, none is as
    /// the growth has it: C4.5 does, the others do not.
    pub mdl_correction: Option<bool>,
    /// Whether a subtree that saves no errors over a leaf becomes one.
    pub collapse: Option<bool>,
    /// Whether only features of about average gain are compared by gain ratio; C4.5 alone can.
    pub average_gain: Option<bool>,
    /// Most tests on a path.
    pub max_depth: Option<u32>,
    /// Most leaves that a row reaches; the leaf whose split gains most is then opened first.
    pub max_leaf_nodes: Option<u32>,
    /// How a nominal feature splits.
    pub nominal_splits: NominalSplits,
    /// What is done about missing values.
    pub missing: MissingPolicy,
    /// One factor for each class, or none.
    pub class_weight: Option<Vec<f64>>,
    /// How nodes answer.
    pub answers: Answers,
}

impl Default for GrowthParams {
    fn default() -> Self {
        GrowthParams {
            criterion: Criterion::InfoGain,
            growth: Growth::Standard,
            min_samples_split: 2.0,
            min_samples_leaf: 1.0,
            min_samples_branch: 1.0,
            min_gain: 0.0,
            mdl_correction: None,
            collapse: None,
            average_gain: None,
            max_depth: None,
            max_leaf_nodes: None,
            nominal_splits: NominalSplits::Multiway,
            missing: MissingPolicy::Distribution,
            class_weight: None,
            answers: Answers::default(),
        }
    }
}

/// Growing parameters checked, weights in units of 2^-50.
#[derive(Debug, Clone, PartialEq)]
pub struct Rules {
    pub criterion: Criterion,
    pub growth: Growth,
    pub min_split: u128,
    /// Of every branch that a row reaches; 0 where any weight will do.
    pub min_leaf: u128,
    /// Of two branches.
    pub min_branch: u128,
    /// Of each side of a split in two: what both minima ask.
    pub min_side: u128,
    pub min_gain: f64,
    pub mdl_correction: bool,
    pub collapse: bool,
    pub average_gain: bool,
    pub max_depth: u32,
    pub max_leaf_nodes: Option<u32>,
    pub nominal_splits: NominalSplits,
}

impl GrowthParams {
    /// Checks ranges, and that the parameters go together; `total` is the training weight.
    ///
    /// # Errors
    /// A parameter that is negative or not a number; an MDL correction where gains are not in bits
    /// or no feature is numeric; a criterion whose gains are not in bits under C4.5.
    pub fn rules(&self, total: u128) -> Result<Rules> {
        let mass = |name, value: f64| match value {
            v if v > 0.0 && v < 1.0 => Ok(share_of(total, v)),
            v if (0.0..=1e15).contains(&v) => Ok((v * MASS_ONE as f64).round_ties_even() as u128),
            _ => Err(Error::Parameter { name, found: value.into(), allowed: "a number from 0 to 1e15" }),
        };
        if !(self.min_gain >= 0.0 && self.min_gain.is_finite()) {
            let (found, allowed) = (self.min_gain.into(), "a finite number, 0 or above");
            return Err(Error::Parameter { name: "min_gain", found, allowed });
        }
        self.check_correction()?;
        self.check_c45()?;
        self.check_average()?;
        let is_c45 = self.growth == Growth::C45;
        self.check_groups()?;
        let min_leaf = mass("min_samples_leaf", self.min_samples_leaf)?;
        let min_leaf = if min_leaf <= MASS_ONE { 0 } else { min_leaf };
        let min_branch = mass("min_samples_branch", self.min_samples_branch)?;
        let min_split = mass("min_samples_split", self.min_samples_split)?;
        Ok(Rules {
            criterion: self.criterion,
            growth: self.growth,
            min_split: match self.growth {
                Growth::C45 => min_split.max(2 * min_branch),
                _ => min_split,
            },
            min_leaf,
            min_branch,
            min_side: min_leaf.max(min_branch),
            min_gain: self.min_gain,
            mdl_correction: self.mdl_correction.unwrap_or(is_c45),
            collapse: self.collapse.unwrap_or(is_c45),
            average_gain: self.average_gain.unwrap_or(is_c45 && self.criterion == Criterion::GainRatio),
            max_depth: self.max_depth.unwrap_or(u32::MAX),
            max_leaf_nodes: self.max_leaf_nodes,
            nominal_splits: self.nominal_splits,
        })
    }

    fn check_correction(&self) -> Result<()> {
        let (other, word, reason) = match (self.growth, self.criterion) {
            _ if self.mdl_correction != Some(true) => return Ok(()),
            (Growth::Id3, _) => {
                ("growth", "id3", "it charges the cuts of numeric features, and ID3 takes none")
            }
            (_, criterion) if !criterion.is_in_bits() => (
                "criterion",
                criterion.name(),
                "it charges bits, and gains by this criterion are not in bits",
            ),
            _ => return Ok(()),
        };
        let (found, given) = (Given::Flag(true), Given::Word(word));
        Err(Error::Conflict { name: "mdl_correction", found, other, given, reason })
    }

    fn check_average(&self) -> Result<()> {
        let (other, word, reason) = match (self.growth, self.criterion) {
            _ if self.average_gain != Some(true) => return Ok(()),
            (Growth::C45, Criterion::GainRatio) => return Ok(()),
            (Growth::C45, criterion) => ("criterion", criterion.name(), "it is a rule of the gain ratio"),
            (Growth::Standard, _) => ("growth", "standard", "it is a rule of C4.5's growing"),
            (Growth::Id3, _) => ("growth", "id3", "it is a rule of C4.5's growing"),
        };
        let (found, given) = (Given::Flag(true), Given::Word(word));
        Err(Error::Conflict { name: "average_gain", found, other, given, reason })
    }

    fn check_c45(&self) -> Result<()> {
        if self.growth != Growth::C45 || self.criterion.is_in_bits() {
            return Ok(());
        }
        let (found, given) = (Given::Word(self.criterion.name()), Given::Word("c45"));
        let reason = "its charge and its average gain are in bits";
        Err(Error::Conflict { name: "criterion", found, other: "growth", given, reason })
    }

    fn check_groups(&self) -> Result<()> {
        let (word, reason) = match (self.nominal_splits, self.growth) {
            (NominalSplits::Multiway, _) | (_, Growth::Standard) => return Ok(()),
            (_, Growth::Id3) => ("id3", "it asks a feature once on a path, for every value"),
            (_, Growth::C45) => ("c45", "its release 8 splits by every value unless told otherwise"),
        };
        let found = match self.nominal_splits {
            NominalSplits::OneValue => Given::Word("one_value"),
            _ => Given::Word("groups"),
        };
        Err(Error::Conflict {
            name: "nominal_splits",
            found,
            other: "growth",
            given: Given::Word(word),
            reason,
        })
    }

    /// Refuses growing whose split at a node depends on features that it does not test, or on other nodes.
    ///
    /// # Errors
    /// C4.5's growing: its average-gain rule and its collapse look at all features; a collapse; a limit on
    /// leaves.
    pub fn checked_for_search(self) -> Result<Self> {
        let allowed = "none in a search over features, whose nodes grow by themselves";
        let refused = |name, found| Err(Error::Parameter { name, found, allowed });
        match (self.growth, self.max_leaf_nodes) {
            (Growth::C45, _) => Err(Error::GrowthOfAllFeatures),
            (_, Some(most)) => refused("max_leaf_nodes", Given::Whole(most.into())),
            _ if self.collapse == Some(true) => refused("collapse", Given::Flag(true)),
            _ => Ok(self),
        }
    }
}

impl Rules {
    /// Whether the minimum of a branch is one sample or less. It is then asked of the samples
    /// themselves, not of the shares in which missing values let them come: a branch that holds a
    /// whole sample in parts is not empty.
    /// C4.5 asks it of the shares.
    pub fn asks_for_one_sample(&self) -> bool {
        self.min_side <= MASS_ONE && self.growth != Growth::C45
    }

    /// Takes back what no branch can fall short of: where every row is a sample or more.
    pub fn where_rows_are_samples(&mut self) {
        if self.min_branch <= MASS_ONE && self.growth != Growth::C45 {
            (self.min_branch, self.min_side) = (0, self.min_leaf);
        }
    }

    /// Whether every branch of these masses that a row reaches is as large as a leaf must be.
    pub fn are_leaves(&self, mut branches: impl Iterator<Item = u128>) -> bool {
        branches.all(|mass| mass == 0 || mass + WEIGHT_SLACK >= self.min_leaf)
    }

    /// Whether a tie between classes goes to the parent's class.
    pub fn parent_breaks_ties(&self) -> bool {
        self.growth == Growth::Id3
    }
}
