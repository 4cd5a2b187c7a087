//! What wrong answers cost, as integers: so the answer of least expected cost depends on no rounding and on no
//! order of rows.

/// Denominators that are tried before costs are rounded.
const DENOMINATORS: u32 = 1000;

/// A whole cost above this is rounded like one that is no fraction.
const LARGEST: f64 = PARTS;

/// Parts of the largest cost to which costs are rounded that are no fractions of a small denominator.
const PARTS: f64 = (1u64 << 20) as f64;

/// By how much of itself a multiple of a cost may be off a whole number: a cost such as 0.1 is no double.
const ROUNDING: f64 = 1e-12;

/// Costs of answers by true class, in whole units.
#[derive(Debug, Clone, PartialEq)]
pub struct CostMatrix {
    /// For each class the cost of every answer.
    rows: Vec<Vec<u64>>,
    /// What one unit is.
    unit: f64,
}

impl CostMatrix {
    /// The costs of a matrix, true classes by answers: exact where they are fractions of a denominator up to
    /// 1000 (of 1, or of the least of them), else multiples of 2^-20 of the largest.
    pub fn new(matrix: &[Vec<f64>]) -> Self {
        let all = || matrix.iter().flatten().copied().filter(|&cost| cost > 0.0);
        let (least, largest) = (all().fold(f64::INFINITY, f64::min), all().fold(0.0, f64::max));
        let units = [1.0, least]
            .into_iter()
            .flat_map(|whole| (1..=DENOMINATORS).map(move |denominator| whole / f64::from(denominator)));
        let is_whole = |x: f64| x <= LARGEST && (x - x.round()).abs() <= ROUNDING * x;
        let exact = units.into_iter().find(|unit| all().all(|cost| is_whole(cost / unit)));
        let unit = exact.unwrap_or(largest / PARTS);
        let whole = |cost: &f64| if *cost > 0.0 { (cost / unit).round() as u64 } else { 0 };
        CostMatrix { rows: matrix.iter().map(|row| row.iter().map(whole).collect()).collect(), unit }
    }

    /// What one unit is.
    pub fn unit(&self) -> f64 {
        self.unit
    }

    /// The cost of an answer, in units.
    #[inline]
    pub fn of(&self, class: usize, answer: usize) -> u64 {
        self.rows[class][answer]
    }

    /// The largest cost that any answer has for a class, in units.
    pub fn most(&self, class: usize) -> u64 {
        self.rows[class].iter().copied().max().unwrap_or(0)
    }

    /// The answer of least expected cost for these weights, the lowest among equals.
    pub fn answer(&self, weights: &[u128]) -> usize {
        let largest = weights.iter().copied().max().unwrap_or(0);
        let bits = 128 - largest.leading_zeros() + 21 + usize::BITS - weights.len().leading_zeros();
        let excess = bits.saturating_sub(127);
        let expected = |answer: usize| -> u128 {
            let cost = |(&weight, row): (&u128, &Vec<u64>)| (weight >> excess) * u128::from(row[answer]);
            weights.iter().zip(&self.rows).map(cost).sum()
        };
        (0..weights.len()).min_by_key(|&answer| expected(answer)).expect("there is a class")
    }

    /// The cost of an answer for these weights.
    pub fn of_weights(&self, weights: &[f64], answer: usize) -> f64 {
        let cost = |(weight, row): (&f64, &Vec<u64>)| weight * row[answer] as f64;
        self.unit * weights.iter().zip(&self.rows).map(cost).sum::<f64>()
    }

    /// What a row of each class counts where errors are estimated: the mean of what wrong answers cost it more
    /// than the right one, scaled to a mean of 1 over these weights.
    pub fn prices(&self, weights: &[f64]) -> Vec<f64> {
        let more = |(class, row): (usize, &Vec<u64>)| -> f64 {
            let right = row[class];
            row.iter().map(|&cost| cost.saturating_sub(right) as f64).sum()
        };
        let raw: Vec<f64> = self.rows.iter().enumerate().map(more).collect();
        let (total, priced) = weights
            .iter()
            .zip(&raw)
            .fold((0.0, 0.0), |(total, priced), (weight, price)| (total + weight, priced + weight * price));
        match priced > 0.0 {
            true => raw.iter().map(|price| price * (total / priced)).collect(),
            false => vec![1.0; raw.len()],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_whole_in_some_unit() {
        let of = |costs: [f64; 2]| CostMatrix::new(&[vec![0.0, costs[0]], vec![costs[1], 0.0]]);
        for (costs, expected) in [
            ([1.0, 10.0], [1, 10]),
            ([0.1, 0.25], [2, 5]),
            ([1.0 / 3.0, 1.0], [1, 3]),
            ([1e-9, 7e-9], [1, 7]),
            ([0.0, 5.0], [0, 5]),
        ] {
            let whole = of(costs);
            assert_eq!([whole.of(0, 1), whole.of(1, 0)], expected, "{costs:?}");
        }
        let rounded = of([std::f64::consts::PI, 1.0]);
        assert_eq!([rounded.of(0, 1), rounded.of(1, 0)], [1 << 20, 333_772]);
    }

    #[test]
    fn the_lowest_of_equal_answers_is_taken() {
        let costs = CostMatrix::new(&[vec![0.0, 1.0], vec![3.0, 0.0]]);
        assert_eq!(costs.answer(&[3, 1]), 0);
        assert_eq!(costs.answer(&[3, 2]), 1);
        assert_eq!(costs.answer(&[3 << 120, 2 << 120]), 1);
    }
}
