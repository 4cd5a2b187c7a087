//! Estimated error rates of the nodes: any double, infinite and unknown ones among them.

use serde::{Deserialize, Serialize};

/// Estimates that compare by what they say: one that is no number is the same as another.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(from = "Vec<Written>", into = "Vec<Written>")]
pub(super) struct Estimates(Vec<f64>);

impl Estimates {
    pub(super) fn new(rates: Vec<f64>) -> Self {
        Estimates(rates)
    }

    pub(super) fn rates(&self) -> &[f64] {
        &self.0
    }

    /// One estimate in words, to so many decimals unless it is too large for them.
    pub(super) fn words(&self, node: usize, decimals: usize) -> String {
        match self.0[node] {
            rate if rate.is_nan() => "unknown".to_owned(),
            rate if rate.is_finite() && rate.abs() >= LARGE => format!("{rate:.decimals$e}"),
            rate => format!("{rate:.decimals$}"),
        }
    }
}

impl PartialEq for Estimates {
    fn eq(&self, other: &Self) -> bool {
        let is_same = |(a, b): (&f64, &f64)| a == b || (a.is_nan() && b.is_nan());
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(is_same)
    }
}

/// From here on an estimate is written with an exponent.
const LARGE: f64 = 1e9;

/// An estimate as JSON has it: a number, null for infinity, a word for what else JSON has no number.
#[derive(Clone, Serialize, Deserialize)]
#[serde(untagged)]
enum Written {
    Rate(Option<f64>),
    Word(Word),
}

#[derive(Clone, Copy, Serialize, Deserialize)]
enum Word {
    #[serde(rename = "unknown")]
    Unknown,
    #[serde(rename = "-infinity")]
    NegativeInfinity,
}

impl From<Estimates> for Vec<Written> {
    fn from(estimates: Estimates) -> Self {
        estimates.0.into_iter().map(written).collect()
    }
}

fn written(rate: f64) -> Written {
    match rate {
        rate if rate.is_nan() => Written::Word(Word::Unknown),
        f64::NEG_INFINITY => Written::Word(Word::NegativeInfinity),
        rate => Written::Rate(rate.is_finite().then_some(rate)),
    }
}

impl From<Vec<Written>> for Estimates {
    fn from(written: Vec<Written>) -> Self {
        let rate = |written| match written {
            Written::Rate(rate) => rate.unwrap_or(f64::INFINITY),
            Written::Word(Word::Unknown) => f64::NAN,
            Written::Word(Word::NegativeInfinity) => f64::NEG_INFINITY,
        };
        Estimates(written.into_iter().map(rate).collect())
    }
}
