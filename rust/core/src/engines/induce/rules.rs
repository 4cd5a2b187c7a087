//! The parameters of growing, as the caller gives them and as integers.

use super::criterion::Criterion;
use crate::base::error::{Error, Given, Result};
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

/// Growing parameters as a caller gives them.
#[derive(Debug, Clone, PartialEq)]
pub struct GrowthParams {
    /// What the best split has most of.
    pub criterion: Criterion,
    /// How the tree grows.
    pub growth: Growth,
    /// Least weight of a node that is split.
    pub min_samples_split: f64,
    /// Least weight of a branch.
    pub min_samples_leaf: f64,
    /// A split must gain more than this.
    pub min_gain: f64,
    /// Whether a numeric feature pays for the choice of its threshold.
    pub mdl_correction: bool,
    /// Most tests on a path.
    pub max_depth: Option<u32>,
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
            min_gain: 0.0,
            mdl_correction: false,
            max_depth: None,
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
    pub min_leaf: u128,
    pub min_gain: f64,
    pub mdl_correction: bool,
    pub max_depth: u32,
}

impl GrowthParams {
    /// Checks ranges, and that the parameters go together.
    ///
    /// # Errors
    /// A parameter that is negative or not a number; an MDL correction where gains are not in bits
    /// or no feature is numeric; a criterion whose gains are not in bits under C4.5.
    pub fn rules(&self) -> Result<Rules> {
        let mass = |name, value: f64| match value {
            v if (0.0..=1e15).contains(&v) => Ok((v * MASS_ONE as f64).round_ties_even() as u128),
            _ => Err(Error::Parameter { name, found: value.into(), allowed: "a number from 0 to 1e15" }),
        };
        if !(self.min_gain >= 0.0 && self.min_gain.is_finite()) {
            let (found, allowed) = (self.min_gain.into(), "a finite number, 0 or above");
            return Err(Error::Parameter { name: "min_gain", found, allowed });
        }
        self.check_correction()?;
        self.check_c45()?;
        let min_leaf = mass("min_samples_leaf", self.min_samples_leaf)?;
        let min_split = mass("min_samples_split", self.min_samples_split)?;
        Ok(Rules {
            criterion: self.criterion,
            growth: self.growth,
            min_split: match self.growth {
                Growth::C45 => min_split.max(2 * min_leaf),
                _ => min_split,
            },
            min_leaf,
            min_gain: self.min_gain,
            mdl_correction: self.mdl_correction,
            max_depth: self.max_depth.unwrap_or(u32::MAX),
        })
    }

    fn check_correction(&self) -> Result<()> {
        let (other, word, reason) = match (self.growth, self.criterion) {
            _ if !self.mdl_correction => return Ok(()),
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

    fn check_c45(&self) -> Result<()> {
        if self.growth != Growth::C45 || self.criterion.is_in_bits() {
            return Ok(());
        }
        let (found, given) = (Given::Word(self.criterion.name()), Given::Word("c45"));
        let reason = "its charge and its average gain are in bits";
        Err(Error::Conflict { name: "criterion", found, other: "growth", given, reason })
    }

    /// Refuses growing whose split at a node depends on features that it does not test.
    ///
    /// # Errors
    /// C4.5's growing: its average-gain rule and its collapse look at all features.
    pub fn checked_for_search(self) -> Result<Self> {
        match self.growth {
            Growth::C45 => Err(Error::GrowthOfAllFeatures),
            Growth::Standard | Growth::Id3 => Ok(self),
        }
    }
}

impl Rules {
    /// Whether the minimum of a branch is one sample or less. It is then asked of the samples
    /// themselves, not of the shares in which missing values let them come: a branch that holds a
    /// whole sample in parts is not empty.
    /// C4.5 asks it of the shares.
    pub fn asks_for_one_sample(&self) -> bool {
        self.min_leaf <= MASS_ONE && self.growth != Growth::C45
    }

    /// Whether a tie between classes goes to the parent's class.
    pub fn parent_breaks_ties(&self) -> bool {
        self.growth == Growth::Id3
    }
}
