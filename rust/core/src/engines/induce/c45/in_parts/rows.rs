//! The array of rows with their weights.

use std::ops::Range;

use super::sort::Item;
use crate::engines::induce::problem::Problem;
use crate::engines::induce::scorer::Cut;
use crate::model::data::{Code, Column};
use crate::with_codes;

/// What stands for an unknown value among codes.
const UNKNOWN: u32 = u32::MAX;

/// All training rows in their present order.
pub(super) struct Rows<'a> {
    problem: &'a Problem,
    pub rows: Vec<u32>,
    pub weights: Vec<f32>,
    /// For a numeric column its codes by the order of values in single precision: values that agree
    /// there have one key.
    keys: Vec<Option<Vec<u32>>>,
    /// Whether every row counts whole here, so that counting them is enough.
    pub are_whole: bool,
}

impl<'a> Rows<'a> {
    pub(super) fn new(problem: &'a Problem) -> Self {
        let rows = problem.training().to_vec();
        let keys = problem.data.columns().iter().map(|column| keys_of(column)).collect();
        Rows { problem, weights: vec![1.0; rows.len()], rows, keys, are_whole: true }
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Weight of a stretch, in the order of its rows.
    pub(super) fn weight(&self, stretch: Range<usize>) -> f32 {
        match self.are_whole {
            true => stretch.len() as f32,
            false => self.weights[stretch].iter().fold(0.0f32, |sum, &weight| sum + weight),
        }
    }

    pub(super) fn scale(&mut self, stretch: Range<usize>, change: impl Fn(f32) -> f32) {
        self.weights[stretch].iter_mut().for_each(|weight| *weight = change(*weight));
    }

    /// Calls `visit` with level, class and weight of every row of a stretch under a nominal feature: 0 is
    /// an unknown value, other levels are a code and one.
    pub(super) fn for_each_level(
        &self,
        feature: usize,
        stretch: Range<usize>,
        mut visit: impl FnMut(usize, usize, f32),
    ) {
        let column = self.problem.data.column(feature);
        let (domain, target) = (column.domain() as u32, &self.problem.target[..]);
        with_codes!(&column.codes, codes => {
            for (&row, &weight) in self.rows[stretch.clone()].iter().zip(&self.weights[stretch]) {
                let code = codes[row as usize].wide();
                let level = if code == domain { 0 } else { code as usize + 1 };
                visit(level, target[row as usize].into(), weight);
            }
        });
    }

    /// Appends the rows of a stretch, whose values are known, for sorting by a numeric feature.
    pub(super) fn take_items(&self, feature: usize, stretch: Range<usize>, items: &mut Vec<Item>) {
        let keys = self.keys[feature].as_deref();
        with_codes!(&self.problem.data.column(feature).codes, codes => {
            items.extend(self.rows[stretch.clone()].iter().zip(&self.weights[stretch]).map(|(&row, &weight)| {
                let code = codes[row as usize].wide();
                Item { key: keys.map_or(code, |keys| keys[code as usize]), row, weight }
            }));
        });
    }

    #[inline]
    pub(super) fn class(&self, at: usize) -> usize {
        self.problem.class_of(self.rows[at])
    }

    /// Brings rows whose value is unknown to the front; returns where the known ones start.
    pub(super) fn bring_unknown_forward(&mut self, feature: usize, stretch: Range<usize>) -> usize {
        match self.problem.data.column(feature).n_missing() {
            0 => stretch.start,
            _ => self.bring_forward(feature, stretch, |code| code == UNKNOWN),
        }
    }

    /// Brings the known rows of a branch to the front; returns where they end.
    pub(super) fn bring_branch_forward(
        &mut self,
        feature: usize,
        cut: Cut,
        branch: usize,
        stretch: Range<usize>,
    ) -> usize {
        self.bring_forward(feature, stretch, |code| cut.branch(code) == branch)
    }

    fn bring_forward(&mut self, feature: usize, stretch: Range<usize>, goes: impl Fn(u32) -> bool) -> usize {
        let column = self.problem.data.column(feature);
        let domain = column.domain() as u32;
        let mut front = stretch.start;
        with_codes!(&column.codes, codes => {
            for at in stretch {
                let code = codes[self.rows[at] as usize].wide();
                if goes(if code == domain { UNKNOWN } else { code }) {
                    self.rows.swap(front, at);
                    self.weights.swap(front, at);
                    front += 1;
                }
            }
        });
        front
    }
}

fn keys_of(column: &Column) -> Option<Vec<u32>> {
    let values = column.values()?;
    let mut keys = Vec::with_capacity(values.len());
    let mut key = 0;
    for (code, &value) in values.iter().enumerate() {
        if code > 0 && value as f32 != values[code - 1] as f32 {
            key += 1;
        }
        keys.push(key);
    }
    let all_apart = keys.last().is_none_or(|&key| key as usize + 1 == keys.len());
    (!all_apart).then_some(keys)
}
