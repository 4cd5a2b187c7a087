//! Between costs as whole numbers and costs as a user reads them.

use super::params::Params;
use super::price::Price;
use super::space::MOST_LOSS;
use crate::base::units::Fine;

/// What whole numbers stand for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Unit {
    pub price: Price,
    /// Weight times cost of one unit of loss.
    loss: f64,
    /// Cost of what every tree loses.
    aside: f64,
    /// What a leaf costs beside its own unit, to have fewer of them among trees of equal cost.
    tie: i64,
    /// What a leaf costs as a user reads it.
    leaf: f64,
}

/// What the rows of positive weight weigh on average, in units of 2^-20, as a fraction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct MeanRow {
    pub weight: u128,
    pub n_rows: u128,
}

impl MeanRow {
    pub fn of(weight: u128, n_rows: usize) -> Self {
        let divisor = common_divisor(weight, n_rows as u128).max(1);
        MeanRow { weight: weight / divisor, n_rows: n_rows as u128 / divisor }
    }

    /// The weight as a fraction.
    pub fn told(self) -> (u128, u128) {
        let all = self.n_rows * u128::from(Fine::ONE.0);
        let divisor = common_divisor(self.weight, all);
        (self.weight / divisor, all / divisor)
    }

    fn weight(self) -> f64 {
        self.weight as f64 / self.n_rows as f64
    }
}

impl Unit {
    /// `cost` is what one unit of cost is, `step` how many units of weight and cost one of loss is, `all` what all
    /// rows can lose at the most.
    pub fn new(params: &Params, cost: f64, step: u128, aside: u128, all: u128, mean: MeanRow) -> Self {
        let fine = Fine::ONE.0 as f64;
        let loss = step as f64 / fine * cost;
        let (price, tie) = price(params, cost, step, all.max(1), mean);
        let (numerator, denominator) = params.leaf_penalty;
        let leaf = numerator as f64 / denominator as f64 * (mean.weight() / fine);
        Unit { price, loss, aside: aside as f64 / fine * cost, tie, leaf }
    }

    /// What so many leaves cost as a user reads it.
    pub fn of_leaves(&self, n_leaves: usize) -> f64 {
        self.leaf * n_leaves as f64
    }

    /// A cost as a user reads it, leaves included.
    pub fn told(&self, cost: i64, n_leaves: i64) -> f64 {
        self.aside + (cost - self.tie * n_leaves) as f64 * (self.loss / self.price.loss as f64)
    }

    /// A bound as a user reads it: what it may owe to the number of leaves is taken off.
    pub fn told_bound(&self, bound: i64) -> f64 {
        match self.tie {
            0 => self.told(bound, 0),
            _ => self.told(bound.div_euclid(self.price_step()) * self.price_step(), 0),
        }
    }

    /// Costs without the leaves' own unit are multiples of this.
    fn price_step(&self) -> i64 {
        TIE_STEP
    }
}

/// More leaves than trees of a depth that can be searched have, where fewer are wanted.
const TIE_STEP: i64 = 1 << 12;

/// The price of a loss and of a leaf: exact where the fraction of both is small enough, else rounded.
fn price(params: &Params, cost: f64, step: u128, all: u128, mean: MeanRow) -> (Price, i64) {
    let (numerator, denominator) = params.leaf_penalty;
    let room = if params.fewest_leaves { MOST_LOSS / TIE_STEP as u128 } else { MOST_LOSS };
    let exact = units_of_one(cost, step, mean)
        .and_then(|(over, under)| {
            let over = over.checked_mul(numerator.into())?;
            let under = under.checked_mul(denominator.into())?;
            let divisor = common_divisor(over, under).max(1);
            Some((under / divisor, over / divisor))
        })
        .filter(|&(loss, leaf)| loss.checked_mul(all).is_some_and(|most| most <= room) && leaf <= room);
    let (loss, leaf) = exact.unwrap_or_else(|| {
        let mut loss = 1u128;
        while loss * 2 * all <= room && loss < 1 << 20 {
            loss *= 2;
        }
        let units = mean.weight() / step as f64 / cost;
        let leaf = numerator as f64 / denominator as f64 * units * loss as f64;
        (loss, leaf.round().min(room as f64) as u128)
    });
    let leaf = leaf.min(loss * all + 1);
    let scale = if params.fewest_leaves { TIE_STEP } else { 1 };
    let tie = i64::from(params.fewest_leaves);
    (Price { loss: loss as i64 * scale, leaf: leaf as i64 * scale + tie }, tie)
}

/// How many units of loss a row of the mean weight is at a cost of 1, as a fraction.
fn units_of_one(cost: f64, step: u128, mean: MeanRow) -> Option<(u128, u128)> {
    let parts = 1.0 / cost;
    let is_whole =
        parts.round() >= 1.0 && parts.round() < 1e6 && (parts - parts.round()).abs() < 1e-9 * parts;
    let (over, under) = (mean.weight.checked_mul(parts.round() as u128)?, mean.n_rows.checked_mul(step)?);
    let divisor = common_divisor(over, under).max(1);
    is_whole.then_some((over / divisor, under / divisor))
}

/// The greatest common divisor.
pub(super) fn common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
