//! The tree of a plan: its tests in the words of features, and the rows of the data set counted into its nodes.

use std::collections::BTreeMap;

use super::axes::AxisOf;
use super::lanes::{Cond, Kind};
use super::params::Params;
use super::plan::Plan;
use super::space::Space;
use crate::base::error::Result;
use crate::base::ordering::first_largest;
use crate::base::units::Fine;
use crate::model::data::Dataset;
use crate::model::tree::{CostMatrix, CutValues, Decision, Route, Routing, Split, Tree, TreeBuilder};

/// A node in the making.
struct Grown {
    /// Weight by class, in units of 2^-20.
    weights: Vec<u128>,
    /// Rows by class.
    counts: Vec<f64>,
    class: u16,
    test: Option<Test>,
    children: Vec<Grown>,
}

/// A test in the words of its feature.
struct Test {
    feature: u32,
    asks: Asks,
    /// The branch of rows without a value, where there are any.
    gaps: Option<u32>,
}

enum Asks {
    Missing,
    Threshold(f64, CutValues),
    Group(Vec<u32>),
    Listed(Vec<u32>),
}

/// Plants a plan whose last level is filled in.
pub(super) struct Planter<'a> {
    data: &'a Dataset,
    space: &'a Space,
    target: &'a [u16],
    costs: Option<CostMatrix>,
    /// For numeric features, the codes that rows in use have.
    present: Vec<Option<Vec<bool>>>,
}

impl<'a> Planter<'a> {
    pub fn new(data: &'a Dataset, space: &'a Space, params: &Params) -> Result<Self> {
        let costs = params.answers.cost_matrix.as_deref().map(CostMatrix::new);
        let planter = Planter { data, space, target: data.target()?, costs, present: Vec::new() };
        let rows = planter.rows();
        let present = data.columns().iter().map(|column| {
            column.values().map(|values| {
                let mut present = vec![false; values.len() + 1];
                rows.iter().for_each(|&row| present[column.codes.get(row as usize) as usize] = true);
                present
            })
        });
        Ok(Planter { present: present.collect(), ..planter })
    }

    fn rows(&self) -> Vec<u32> {
        let weights = &self.space.counted.weights;
        (0..self.data.n_rows() as u32).filter(|&row| weights.fine(row) > 0).collect()
    }

    /// The tree, without tests whose leaves all answer the same.
    pub fn tree(&self, plan: &Plan, params: &Params) -> Result<Tree> {
        let root = self.grown(plan, self.rows());
        let weights = told(&root.weights);
        let routing = Routing::NodeMajority;
        let total = weights.iter().sum();
        let mut builder = TreeBuilder::new(self.data.schema().clone(), routing, root.class, total, &weights);
        let mut counts = Vec::new();
        let mut pending = std::collections::VecDeque::from([(0, root)]);
        let mut by_node: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        while let Some((id, node)) = pending.pop_front() {
            by_node.insert(id, node.counts);
            let Some(test) = node.test else { continue };
            put_test(&mut builder, id, test, node.children.len());
            for child in node.children {
                let weights = told(&child.weights);
                let child_id = builder.child(id, child.class, weights.iter().sum(), weights);
                pending.push_back((child_id, child));
            }
        }
        by_node.into_values().for_each(|own| counts.extend(own));
        let n_classes = self.data.n_classes();
        let decision = params.answers.by_cost(n_classes)?.unwrap_or_else(Decision::default);
        let probability = params.answers.probability(params.class_weight.as_deref(), n_classes)?;
        builder.finish().with_counts(counts).with_decision(decision).with_probability(probability)
    }

    fn grown(&self, plan: &Plan, rows: Vec<u32>) -> Grown {
        let mut node = self.leaf(&rows);
        let (axis, parts, gaps) = match plan {
            Plan::Leaf | Plan::Stump => return node,
            Plan::Split { axis, cond, sides } => {
                let parts = self.parted(&rows, *axis, |code| usize::from(!cond.holds(code)), 2);
                let plans = vec![&sides[0], &sides[1]];
                (*axis, parts.into_iter().zip(plans).collect::<Vec<_>>(), None)
            }
            Plan::Multi { axis, gaps, branches } => {
                let of_gaps = branches.iter().position(|&(code, _)| Some(code) == *gaps);
                let branch = |code: u32| match branches.iter().position(|&(own, _)| own == code) {
                    Some(branch) => branch,
                    None => of_gaps.expect("rows without a value have a branch"),
                };
                let parts = self.parted(&rows, *axis, branch, branches.len());
                (*axis, parts.into_iter().zip(branches.iter().map(|(_, plan)| plan)).collect(), of_gaps)
            }
        };
        let of = &self.space.axes[axis];
        let (test, is_turned) = match plan {
            Plan::Split { cond, .. } => self.test(of, *cond, &rows),
            _ => (self.listed(of, plan, gaps), false),
        };
        node.children = parts.into_iter().map(|(rows, plan)| self.grown(plan, rows)).collect();
        if is_turned {
            node.children.reverse();
        }
        let is_idle =
            node.children.iter().all(|child| child.test.is_none() && child.class == node.children[0].class);
        match is_idle {
            true => node.children.clear(),
            false => node.test = Some(test),
        }
        node
    }

    fn leaf(&self, rows: &[u32]) -> Grown {
        let n_classes = self.data.n_classes();
        let (mut weights, mut counts) = (vec![0u128; n_classes], vec![0.0; n_classes]);
        for &row in rows {
            let class = usize::from(self.target[row as usize]);
            weights[class] += u128::from(self.space.counted.weights.fine(row));
            counts[class] += 1.0;
        }
        let class = match &self.costs {
            Some(costs) => costs.answer(&weights),
            None => first_largest(weights.iter().copied()).expect("there is a class"),
        };
        Grown { weights, counts, class: class as u16, test: None, children: Vec::new() }
    }

    fn parted(&self, rows: &[u32], axis: usize, branch: impl Fn(u32) -> usize, n: usize) -> Vec<Vec<u32>> {
        let mut parts = vec![Vec::new(); n];
        for &row in rows {
            parts[branch(self.code(axis, row))].push(row);
        }
        parts
    }

    fn code(&self, axis: usize, row: u32) -> u32 {
        let of = &self.space.axes[axis];
        let column = self.data.column(of.feature);
        of.coding.code(column.codes.get(row as usize), column.domain() as u32)
    }

    /// The test of a condition, and whether its left side is branch 1.
    fn test(&self, of: &AxisOf, cond: Cond, rows: &[u32]) -> (Test, bool) {
        let column = self.data.column(of.feature);
        let domain = column.domain() as u32;
        let is_left = |raw: u32| cond.holds(of.coding.code(raw, domain));
        let mut raw: Vec<u32> = rows.iter().map(|&row| column.codes.get(row as usize)).collect();
        raw.sort_unstable();
        raw.dedup();
        let has_gaps = raw.last() == Some(&domain);
        raw.truncate(raw.len() - usize::from(has_gaps));
        let (left, right): (Vec<u32>, Vec<u32>) = raw.iter().partition(|&&raw| is_left(raw));
        let has = |side: &[u32], has_domain: bool| !side.is_empty() || has_gaps && has_domain;
        assert!(
            has(&left, is_left(domain)) && has(&right, !is_left(domain)),
            "a test of feature {} has rows on both sides",
            of.feature
        );
        let feature = of.feature as u32;
        if left.is_empty() || right.is_empty() {
            return (Test { feature, asks: Asks::Missing, gaps: None }, right.is_empty());
        }
        let gap_side = u32::from(!is_left(domain));
        let (asks, is_turned) = match column.values() {
            Some(values) => {
                let is_turned = left[0] > right[0];
                let (low, high) = if is_turned { (&right, &left) } else { (&left, &right) };
                let (low, high) = (low[low.len() - 1], high[0]);
                (self.threshold(of.feature, values, low, high), is_turned)
            }
            None => {
                let (inside, outside): (Vec<u32>, Vec<u32>) = (0..domain).partition(|&raw| is_left(raw));
                let is_turned = inside.len() > outside.len();
                (Asks::Group(if is_turned { outside } else { inside }), is_turned)
            }
        };
        let gaps = has_gaps.then(|| if is_turned { 1 - gap_side } else { gap_side });
        (Test { feature, asks, gaps }, is_turned)
    }

    /// The largest value of any row that is not above the middle of two.
    fn threshold(&self, feature: usize, values: &[f64], low: u32, high: u32) -> Asks {
        let present = self.present[feature].as_ref().expect("it is numeric");
        let (from, to) = (values[low as usize], values[high as usize]);
        let middle = from / 2.0 + to / 2.0;
        let codes = (low..high).filter(|&code| present[code as usize]);
        let code = codes.rev().find(|&code| values[code as usize] <= middle).unwrap_or(low);
        let above = (code + 1..=high).find(|&code| present[code as usize]);
        let value = |code: u32| values[code as usize];
        Asks::Threshold(value(code), CutValues { below: Some(value(code)), above: above.map(value) })
    }

    fn listed(&self, of: &AxisOf, plan: &Plan, gaps: Option<usize>) -> Test {
        let Plan::Multi { branches, .. } = plan else { unreachable!("only these have a list") };
        let shift = u32::from(of.kind == Kind::Multiway { has_gaps: true });
        let levels = branches.iter().map(|&(code, _)| code - shift).collect();
        Test {
            feature: of.feature as u32,
            asks: Asks::Listed(levels),
            gaps: gaps.map(|branch| branch as u32),
        }
    }
}

fn put_test(builder: &mut TreeBuilder, node: u32, test: Test, n_children: usize) {
    let Test { feature, asks, gaps } = test;
    match asks {
        Asks::Missing => builder.split(node, Split::Missing { feature }, n_children),
        Asks::Threshold(threshold, beside) => builder.split_cut(node, feature, threshold, beside),
        Asks::Group(levels) => builder.split_group(node, feature, levels),
        Asks::Listed(levels) => builder.split_listed(node, feature, levels),
    }
    if let Some(branch) = gaps {
        builder.route(node, Route::Branch(branch));
    }
}

fn told(weights: &[u128]) -> Vec<f64> {
    weights.iter().map(|&weight| Fine(weight as u64).weight()).collect()
}
