//! The array of rows with their weights.

use std::ops::Range;

use crate::data::{Codes, Column};
use crate::induce::problem::Problem;
use crate::induce::scorer::Cut;

/// What stands for an unknown value among the keys of a feature.
pub(super) const UNKNOWN: u32 = u32::MAX;

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

    fn swap(&mut self, a: usize, b: usize) {
        self.rows.swap(a, b);
        self.weights.swap(a, b);
    }

    /// The code of a row, or `UNKNOWN`.
    #[inline]
    fn code(&self, codes: &Codes, domain: u32, at: usize) -> u32 {
        let code = codes.get(self.rows[at] as usize);
        if code == domain { UNKNOWN } else { code }
    }

    /// The key of a row under a numeric feature, or `UNKNOWN`.
    #[inline]
    pub(super) fn key(&self, feature: usize, at: usize) -> u32 {
        let column = self.problem.data.column(feature);
        match (self.code(&column.codes, column.domain() as u32, at), &self.keys[feature]) {
            (UNKNOWN, _) => UNKNOWN,
            (code, Some(keys)) => keys[code as usize],
            (code, None) => code,
        }
    }

    /// The level of a row under a nominal feature: 0 unknown, else the code and one.
    #[inline]
    pub(super) fn level(&self, feature: usize, at: usize) -> usize {
        let column = self.problem.data.column(feature);
        self.code(&column.codes, column.domain() as u32, at).wrapping_add(1) as usize
    }

    #[inline]
    pub(super) fn class(&self, at: usize) -> usize {
        self.problem.class_of(self.rows[at])
    }

    /// Brings rows whose value is unknown to the front; returns where the known ones start.
    pub(super) fn bring_unknown_forward(&mut self, feature: usize, stretch: Range<usize>) -> usize {
        self.bring_forward(feature, stretch, |code| code == UNKNOWN)
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
        for at in stretch {
            if goes(self.code(&column.codes, domain, at)) {
                self.swap(front, at);
                front += 1;
            }
        }
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
