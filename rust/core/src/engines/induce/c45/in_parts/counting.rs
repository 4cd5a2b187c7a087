//! Sums over a stretch of rows, in the order in which they stand.

use std::ops::Range;

use super::rows::Rows;
use super::sort::{Item, sort};
use crate::base::control::Control;
use crate::base::outcome::Status;
use crate::engines::induce::c45::cuts::{CutSearch, Place, Tried, Weights, are_apart};
use crate::engines::induce::c45::levels::LevelTable;
use crate::engines::induce::problem::Problem;
use crate::engines::induce::scorer::{Candidate, Cut};

/// Buffers for one feature at one node.
pub(super) struct Counting {
    n_classes: usize,
    cells: Vec<f32>,
    left: Vec<f32>,
    right: Vec<f32>,
    items: Vec<Item>,
    parts: Vec<(usize, usize)>,
    tried: Vec<Tried>,
}

impl Counting {
    pub(super) fn new(problem: &Problem) -> Self {
        Counting {
            n_classes: problem.n_classes(),
            cells: vec![],
            left: vec![],
            right: vec![],
            items: vec![],
            parts: vec![],
            tried: vec![],
        }
    }

    /// Weight of the largest class.
    pub(super) fn largest_class(&mut self, rows: &Rows, stretch: Range<usize>) -> f32 {
        zeros(&mut self.cells, self.n_classes);
        for at in stretch {
            self.cells[rows.class(at)] += rows.weights[at];
        }
        self.cells.iter().fold(0.0f32, |largest, &weight| largest.max(weight))
    }

    /// A nominal feature.
    pub(super) fn levels(
        &mut self,
        problem: &Problem,
        rows: &Rows,
        feature: usize,
        all: f32,
        stretch: Range<usize>,
    ) -> Option<Candidate> {
        let n_classes = self.n_classes;
        zeros(&mut self.cells, (problem.data.column(feature).domain() + 1) * n_classes);
        let cells = &mut self.cells;
        rows.for_each_level(feature, stretch, |level, class, weight| {
            cells[level * n_classes + class] += weight
        });
        let rules = &problem.rules;
        let table = LevelTable {
            cells: &self.cells,
            n_classes,
            all,
            min_branch: Problem::weight(rules.min_branch) as f32,
            min_leaf: Problem::weight(rules.min_leaf) as f32,
            min_gain: rules.min_gain,
        };
        table.judge(&problem.single)
    }

    /// A numeric feature; leaves the rows sorted by it, the unknown ones in front.
    ///
    /// # Errors
    /// The control's status.
    pub(super) fn best_cut(
        &mut self,
        problem: &Problem,
        rows: &mut Rows,
        feature: usize,
        stretch: Range<usize>,
        control: &Control,
    ) -> Result<Option<Candidate>, Status> {
        let all = rows.weight(stretch.clone());
        let known = rows.bring_unknown_forward(feature, stretch.clone());
        zeros(&mut self.cells, self.n_classes);
        for at in stretch.start..known {
            self.cells[rows.class(at)] += rows.weights[at];
        }
        let unknown = self.cells.iter().fold(0.0f32, |sum, &weight| sum + weight);
        let min_branch = Problem::weight(problem.rules.min_side) as f32;
        let weights = Weights {
            all,
            known: all - unknown,
            unknown,
            min_branch,
            min_gain: problem.rules.min_gain,
            are_charged: problem.rules.mdl_correction,
        };
        if weights.known < 2.0 * min_branch {
            return Ok(None);
        }
        self.sort(rows, feature, known..stretch.end, control)?;
        Ok(self.search(problem, feature, weights))
    }

    fn sort(
        &mut self,
        rows: &mut Rows,
        feature: usize,
        stretch: Range<usize>,
        control: &Control,
    ) -> Result<(), Status> {
        self.items.clear();
        rows.take_items(feature, stretch.clone(), &mut self.items);
        sort(&mut self.items, &mut self.parts, control)?;
        for (at, item) in stretch.zip(&self.items) {
            (rows.rows[at], rows.weights[at]) = (item.row, item.weight);
        }
        Ok(())
    }

    /// Goes through the cuts between the sorted rows.
    fn search(&mut self, problem: &Problem, feature: usize, weights: Weights) -> Option<Candidate> {
        let Counting { left, right, items, tried, .. } = self;
        let column = problem.data.column(feature);
        let values = column.values().expect("a numeric column has values");
        let code_of = |item: &Item| column.codes.get(item.row as usize);
        zeros(left, self.n_classes);
        zeros(right, self.n_classes);
        items.iter().for_each(|item| right[problem.class_of(item.row)] += item.weight);
        let mut search = CutSearch::new(&problem.single, weights, right, tried)?;
        let mut low = 0.0f32;
        for pair in items.windows(2) {
            let (item, next) = (&pair[0], &pair[1]);
            let class = problem.class_of(item.row);
            low += item.weight;
            left[class] += item.weight;
            right[class] -= item.weight;
            match search.place(low) {
                Place::TooLow => continue,
                Place::TooHigh => break,
                Place::Fits => {}
            }
            if item.key != next.key {
                let codes = (code_of(item), code_of(next));
                if are_apart(values[codes.0 as usize], values[codes.1 as usize]) {
                    let cut = Cut::Between(last_alike(values, codes.0), first_alike(values, codes.1));
                    search.attempt(low, left.iter().copied(), right.iter().copied(), cut);
                }
            }
        }
        search.best()
    }
}

fn zeros(buffer: &mut Vec<f32>, len: usize) {
    buffer.clear();
    buffer.resize(len, 0.0);
}

/// The highest code whose value agrees with that of `code` in single precision.
fn last_alike(values: &[f64], code: u32) -> u32 {
    let value = values[code as usize] as f32;
    let alike = values[code as usize..].iter().take_while(|&&other| other as f32 == value).count();
    code + alike as u32 - 1
}

/// The lowest such code.
fn first_alike(values: &[f64], code: u32) -> u32 {
    let value = values[code as usize] as f32;
    let alike = values[..=code as usize].iter().rev().take_while(|&&other| other as f32 == value).count();
    code - (alike as u32 - 1)
}
