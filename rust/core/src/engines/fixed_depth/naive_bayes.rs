//! The model that trees are judged by: P(class) and P(value | class), smoothed counts.
//!
//! # Source
//! fixed-depth-trees, section 2.

use crate::base::error::{Error, NominalOnly, Result};
use crate::base::units::Fine;
use crate::model::data::{Dataset, Weights};

/// Pseudo-counts added to every class and to every value of a feature.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prior {
    /// Added to the weight of every class.
    pub class: f64,
    /// Added to the weight of every value in a class.
    pub value: f64,
}

/// P(class) and, for every value of every feature, P(value | class).
#[derive(Debug, Clone, PartialEq)]
pub struct NaiveBayes {
    classes: Vec<f64>,
    /// The first value of every feature, and at the end the number of values.
    starts: Vec<u32>,
    /// P(value | class), one row a value.
    likelihoods: Vec<f64>,
}

impl NaiveBayes {
    /// A model from its probabilities: `features[j][v][c]` is P(value v of feature j | class c).
    pub fn of(classes: Vec<f64>, features: &[Vec<Vec<f64>>]) -> Self {
        let mut model = NaiveBayes { classes, starts: vec![0], likelihoods: Vec::new() };
        for values in features {
            model.likelihoods.extend(values.iter().flatten());
            model.starts.push(model.starts[model.starts.len() - 1] + values.len() as u32);
        }
        model
    }

    /// The number of classes.
    pub fn n_classes(&self) -> usize {
        self.classes.len()
    }

    /// The number of features.
    pub fn n_features(&self) -> usize {
        self.starts.len() - 1
    }

    /// Values of all features together.
    pub fn n_values(&self) -> usize {
        self.starts[self.n_features()] as usize
    }

    /// The first value of every feature, and at the end the number of values.
    pub(super) fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// P(class).
    pub fn classes(&self) -> &[f64] {
        &self.classes
    }

    /// Numbers of the values of a feature among all values.
    #[inline]
    pub fn values(&self, feature: usize) -> std::ops::Range<usize> {
        self.starts[feature] as usize..self.starts[feature + 1] as usize
    }

    /// P(value | class) of every class.
    #[inline]
    pub fn likelihood(&self, value: usize) -> &[f64] {
        let n = self.n_classes();
        &self.likelihoods[value * n..(value + 1) * n]
    }
}

/// Rows with value and class of every cell in one number, to be counted again and again.
pub struct CodedRows {
    n_classes: usize,
    classes: Vec<u16>,
    /// Per feature, code · classes + class of every row; the code after the last means missing.
    cells: Vec<Vec<u32>>,
    arities: Vec<usize>,
}

impl CodedRows {
    /// The rows of a table of nominal features.
    ///
    /// # Errors
    /// No target, no rows, a numeric feature.
    pub fn new(data: &Dataset) -> Result<Self> {
        let (classes, n_classes) = (data.target()?.to_vec(), data.n_classes());
        if classes.is_empty() {
            return Err(Error::NoRows);
        }
        let mut rows = CodedRows { n_classes, classes, cells: Vec::new(), arities: Vec::new() };
        for (column, feature) in data.schema().features.iter().enumerate() {
            let Some(levels) = &feature.levels else {
                let (taker, feature) = (NominalOnly::NaiveBayes, feature.name.clone());
                return Err(Error::NumericFeature { taker, feature, column });
            };
            let codes = &data.column(column).codes;
            let cell = |(row, &class): (usize, &u16)| codes.get(row) * n_classes as u32 + u32::from(class);
            rows.cells.push(rows.classes.iter().enumerate().map(cell).collect());
            rows.arities.push(levels.len());
        }
        Ok(rows)
    }

    /// Rows that can be weighted.
    pub fn n_rows(&self) -> usize {
        self.classes.len()
    }

    /// The class of every row.
    pub fn classes(&self) -> &[u16] {
        &self.classes
    }

    /// The model of weighted rows. Counts are whole numbers of 2^-20, so no order of rows shows.
    pub fn model(&self, weights: &Weights, prior: Prior) -> NaiveBayes {
        let n_classes = self.n_classes;
        let counts = self.count(&self.class_cells(), n_classes, weights);
        let mut model =
            NaiveBayes { classes: smoothed(&counts, prior.class), starts: vec![0], likelihoods: Vec::new() };
        for (cells, &arity) in self.cells.iter().zip(&self.arities) {
            let counts = self.count(cells, (arity + 1) * n_classes, weights);
            let by_class = (0..n_classes).map(|class| {
                let of_class: Vec<u64> = (0..arity).map(|code| counts[code * n_classes + class]).collect();
                smoothed(&of_class, prior.value)
            });
            let by_class: Vec<Vec<f64>> = by_class.collect();
            for code in 0..arity {
                model.likelihoods.extend(by_class.iter().map(|likelihoods| likelihoods[code]));
            }
            model.starts.push(model.starts[model.starts.len() - 1] + arity as u32);
        }
        model
    }

    fn class_cells(&self) -> Vec<u32> {
        self.classes.iter().map(|&class| class.into()).collect()
    }

    /// Weight in every cell, in units of 2^-20.
    fn count(&self, cells: &[u32], n_cells: usize, weights: &Weights) -> Vec<u64> {
        if *weights == Weights::Unit {
            return count_rows(cells, n_cells);
        }
        let mut counts = vec![0; n_cells];
        for (row, &cell) in cells.iter().enumerate() {
            counts[cell as usize] += weights.fine(row as u32);
        }
        counts
    }
}

/// Rows in every cell, in units of 2^-20. Two tables take turns, so that a run of equal cells does
/// not wait for itself.
fn count_rows(cells: &[u32], n_cells: usize) -> Vec<u64> {
    let (mut even, mut odd) = (vec![0u32; n_cells], vec![0u32; n_cells]);
    let mut pairs = cells.chunks_exact(2);
    for pair in &mut pairs {
        even[pair[0] as usize] += 1;
        odd[pair[1] as usize] += 1;
    }
    pairs.remainder().iter().for_each(|&cell| even[cell as usize] += 1);
    even.iter().zip(&odd).map(|(&a, &b)| Fine::whole(a).0 + Fine::whole(b).0).collect()
}

/// Shares of counts with a pseudo-count added to each; all alike where there is nothing at all.
fn smoothed(counts: &[u64], pseudo: f64) -> Vec<f64> {
    let weight = |count: u64| Fine(count).weight();
    let total = weight(counts.iter().sum()) + counts.len() as f64 * pseudo;
    if total == 0.0 {
        return vec![1.0 / counts.len() as f64; counts.len()];
    }
    counts.iter().map(|&count| (weight(count) + pseudo) / total).collect()
}
