//! What trees cost, in whole units.

/// What wrong answers cost, in units of weight.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Losses {
    /// One wherever the answer is wrong.
    Wrong,
    /// By class and answer; the least of every class is 0.
    Matrix(Vec<Vec<i64>>),
}

impl Losses {
    /// The least that one answer to rows of these weights costs.
    pub fn of_leaf(&self, weights: &[i64]) -> i64 {
        match self {
            Losses::Wrong => weights.iter().sum::<i64>() - weights.iter().max().copied().unwrap_or(0),
            Losses::Matrix(costs) => {
                let of = |answer: usize| weights.iter().zip(costs).map(|(w, row)| w * row[answer]).sum();
                (0..costs.len()).map(of).min().unwrap_or(0)
            }
        }
    }

    /// What no answer to a row of the class costs more than, for each unit of weight.
    #[inline]
    pub fn most(&self, class: usize) -> i64 {
        match self {
            Losses::Wrong => 1,
            Losses::Matrix(costs) => costs[class].iter().max().copied().unwrap_or(0),
        }
    }

    /// By class and answer.
    pub fn table(&self, n_classes: usize) -> Vec<Vec<i64>> {
        match self {
            Losses::Matrix(costs) => costs.clone(),
            Losses::Wrong => {
                let row = |class| (0..n_classes).map(|answer| i64::from(answer != class)).collect();
                (0..n_classes).map(row).collect()
            }
        }
    }
}

/// What the cost of a tree is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Price {
    /// Of a unit of loss.
    pub loss: i64,
    /// Of a leaf.
    pub leaf: i64,
}

impl Price {
    /// The cost of so many leaves that lose so much together.
    #[inline(always)]
    pub fn of(self, loss: i64, n_leaves: i64) -> i64 {
        self.loss * loss + self.leaf * n_leaves
    }
}
