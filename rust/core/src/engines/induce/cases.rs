//! The rows of a node, and how a split hands them to the branches.

use super::problem::Problem;
use super::scorer::Cut;
use crate::base::ordering::first_largest;
use crate::model::data::{Code, Column, FULL_SHARE};
use crate::with_codes;

/// A row of which a missing value above let only a share come here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    pub row: u32,
    /// In units of 2^-30, above 0 and below one.
    pub share: u32,
}

/// The rows of a node, whole ones apart from partial ones, each in ascending order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cases {
    pub whole: Vec<u32>,
    pub part: Vec<Part>,
}

/// Counted masses of a node in units of 2^-50, and its class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Totals {
    pub mass: u128,
    pub classes: Box<[u128]>,
    pub class: u16,
}

impl Totals {
    /// The totals of a node with these masses. `parent_class` is the class of an empty node, and
    /// wins a tie where the growth rule says so.
    pub fn new(problem: &Problem, classes: Box<[u128]>, parent_class: u16) -> Self {
        let class = majority(&classes, parent_class, problem.rules.parent_breaks_ties());
        Totals { mass: classes.iter().sum(), classes, class }
    }

    /// Whether one class holds all the weight.
    pub fn is_pure(&self) -> bool {
        self.classes[self.class as usize] == self.mass
    }
}

impl Cases {
    pub fn len(&self) -> usize {
        self.whole.len() + self.part.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Counts the node; for `parent_class` see [`Totals::new`].
    pub fn totals(&self, problem: &Problem, parent_class: u16) -> Totals {
        let mut classes = vec![0u128; problem.n_classes()].into_boxed_slice();
        for &row in &self.whole {
            classes[problem.class_of(row)] += problem.weights.mass(row, FULL_SHARE);
        }
        for part in &self.part {
            classes[problem.class_of(part.row)] += problem.weights.mass(part.row, part.share);
        }
        Totals::new(problem, classes, parent_class)
    }

    /// Hands the rows to the branches of a split, splitting those whose value is missing.
    pub fn split(&self, problem: &Problem, feature: usize, cut: Cut) -> Vec<Cases> {
        let column = problem.data.column(feature);
        let mut branches = vec![Cases::default(); cut.n_branches(column.domain())];
        let mut unknown = Cases::default();
        match cut {
            Cut::Group(number) => {
                let set = problem.sets.get(number);
                let branch = |code: u32| usize::from(!set.contains(code as usize));
                self.hand_out_by(column, branch, &mut branches, &mut unknown);
            }
            cut => self.hand_out_by(column, |code| cut.branch(code), &mut branches, &mut unknown),
        }
        if !unknown.is_empty() {
            share_out(problem, &unknown, &mut branches);
        }
        branches
    }

    /// Hands the rows to the branches that `branch` tells for their codes.
    #[inline]
    fn hand_out_by(
        &self,
        column: &Column,
        branch: impl Fn(u32) -> usize,
        branches: &mut [Cases],
        unknown: &mut Cases,
    ) {
        let (missing, n_branches) = (column.domain() as u32, branches.len());
        with_codes!(&column.codes, codes => {
            let place = |row: u32| {
                let code = codes[row as usize].wide();
                if code == missing { n_branches } else { branch(code) }
            };
            hand_out(&self.whole, |&row| place(row), branches, unknown, |cases| &mut cases.whole);
            hand_out(&self.part, |part| place(part.row), branches, unknown, |cases| &mut cases.part);
        });
    }

    /// The mass of all rows.
    pub fn mass(&self, problem: &Problem) -> u128 {
        let whole = self.whole.iter().map(|&row| problem.weights.mass(row, FULL_SHARE)).sum::<u128>();
        let part = self.part.iter().map(|p| problem.weights.mass(p.row, p.share)).sum::<u128>();
        whole + part
    }
}

/// Branches counted without an allocation.
const FEW: usize = 32;

/// Gives every item to the branch at its place, beyond the last one to the unknown ones. Counts
/// first, so that no list is larger than it must be.
fn hand_out<T: Copy>(
    items: &[T],
    place: impl Fn(&T) -> usize,
    branches: &mut [Cases],
    unknown: &mut Cases,
    list: impl Fn(&mut Cases) -> &mut Vec<T>,
) {
    if items.is_empty() {
        return;
    }
    let (mut few, mut many) = ([0usize; FEW + 1], Vec::new());
    let counts = match branches.len() {
        n if n <= FEW => &mut few[..=n],
        n => {
            many.resize(n + 1, 0);
            &mut many[..]
        }
    };
    items.iter().for_each(|item| counts[place(item)] += 1);
    let all = branches.iter_mut().chain([&mut *unknown]);
    all.zip(counts.iter()).for_each(|(cases, &n)| list(cases).reserve_exact(n));
    for item in items {
        let cases = branches.get_mut(place(item)).unwrap_or(unknown);
        list(cases).push(*item);
    }
}

/// Gives every branch its share of the rows whose value is missing; the largest branch takes the rest.
fn share_out(problem: &Problem, unknown: &Cases, branches: &mut [Cases]) {
    let masses: Vec<u128> = branches.iter().map(|branch| branch.mass(problem)).collect();
    let known = masses.iter().sum::<u128>() as f64;
    let largest = first_largest(masses.iter().copied()).expect("a split has branches");
    let whole = unknown.whole.iter().map(|&row| Part { row, share: FULL_SHARE });
    for Part { row, share } in whole.chain(unknown.part.iter().copied()) {
        let mut rest = share;
        for (b, &mass) in masses.iter().enumerate() {
            if b == largest || mass == 0 {
                continue;
            }
            let given = (f64::from(share) * mass as f64 / known) as u32;
            rest -= given;
            branches[b].receive(row, given);
        }
        branches[largest].receive(row, rest);
    }
    for branch in branches {
        branch.part.sort_unstable_by_key(|part| part.row);
    }
}

impl Cases {
    fn receive(&mut self, row: u32, share: u32) {
        match share {
            0 => {}
            FULL_SHARE => {
                let at = self.whole.partition_point(|&r| r < row);
                self.whole.insert(at, row);
            }
            _ => self.part.push(Part { row, share }),
        }
    }
}

fn majority(classes: &[u128], parent_class: u16, parent_breaks_ties: bool) -> u16 {
    let first = first_largest(classes.iter().copied()).expect("there is a class");
    let largest = classes[first];
    let parents = classes[parent_class as usize];
    if largest == 0 || (parent_breaks_ties && parents == largest) { parent_class } else { first as u16 }
}
