//! The rows as a search sees them: equal ones merged, weights and costs as whole numbers, and every axis.
//!
//! With two classes only the difference of the weights of equal rows matters: the lesser of both is wrong whatever
//! the tree. Costs of two answers come to the same: a row has the class of its cheaper answer, and weighs what the
//! other one costs more. What every tree loses is set aside, and added to the cost at the end.

use std::collections::HashMap;

use super::axes::{AxisOf, Coding, axes_of};
use super::bits::as_bits;
use super::front::in_effect;
use super::lanes::{Instructions, Kind, MOST_CLASSES, MOST_ROWS};
use super::params::{NominalTests, Params};
use super::part::{Axis, Part};
use super::price::{Losses, Price};
use super::rules::{ANY, Rules, Twin};
use super::unit::{MeanRow, Unit, common_divisor};
use crate::base::error::{Error, Result};
use crate::model::data::{Counted, Dataset, GivenWeights, Weights};
use crate::model::tree::CostMatrix;

/// The largest loss that all rows may have together, so that sums of costs fit.
pub(super) const MOST_LOSS: u128 = 1 << 58;

/// Equal rows stay merged where they are more than this part of the different ones: more rows cost more than weights do.
const WORTH_MERGING: usize = 12;

/// The rows as a search sees them.
pub(super) struct Space {
    pub root: Part,
    pub rules: Rules,
    pub axes: Vec<AxisOf>,
    pub unit: Unit,
    pub counted: Counted,
    pub mean: MeanRow,
    /// What no tree costs less than.
    pub floor: i64,
}

/// A row with others that have the same values.
struct Merged {
    /// The first of them.
    row: u32,
    /// Their weight by class.
    weights: Vec<u128>,
    mass: u64,
}

impl Space {
    /// Codes a data set.
    ///
    /// # Errors
    /// No classes, no rows, more rows or classes than fit, a nominal feature of too many values.
    pub fn new(data: &Dataset, params: &Params, instructions: Instructions) -> Result<Self> {
        let target = data.target()?;
        let given =
            GivenWeights { raw: data.weights(), factors: params.class_weight.as_deref(), classes: target };
        let counted = given.counted()?;
        let rows: Vec<u32> = (0..data.n_rows() as u32).filter(|&row| counted.weights.fine(row) > 0).collect();
        if rows.is_empty() {
            return Err(Error::NoRows);
        }
        let costs = params.answers.cost_matrix.as_deref().map(CostMatrix::new);
        let mass: u128 = rows.iter().map(|&row| u128::from(counted.weights.fine(row))).sum();
        let (mean, min_leaf) = (MeanRow::of(mass, rows.len()), params.least_mass(mass));
        let keeps_all = min_leaf > 0 || params.nominal_tests == NominalTests::Multiway;
        let groups = merged(data, target, &rows, &counted.weights);
        let mut sought = Sought::new(&groups, costs.as_ref(), data.n_classes(), keeps_all);
        let n_classes = sought.compact_classes()?;
        let unit = sought.unit(params, costs.as_ref(), mean)?;
        sought.lay_out();
        if sought.classes.len() >= MOST_ROWS {
            return Err(Error::Beyond {
                what: "different rows",
                found: sought.classes.len(),
                most: MOST_ROWS,
            });
        }
        let axes = listed(data, params, &groups, &sought)?;
        let (mut root, axes) = sought.root(data, &groups, axes, n_classes, min_leaf > 0);
        let min_leaf = in_least_numbers(&mut root.masses, min_leaf);
        let rules = rules(&sought, &unit, &axes, n_classes, min_leaf, instructions);
        let floor = unit.price.of(sought.unavoidable(n_classes), 1);
        let mut space = Space { root, rules, axes, unit, counted, mean, floor };
        space.rules.drop_out_twins(&mut space.root);
        let (depth, leaves) = in_effect(params.max_depth, params.max_leaf_nodes.unwrap_or(ANY).max(1));
        if depth >= 2 && leaves == ANY {
            space.rules.bits = as_bits(&space.root, &space.rules);
        }
        Ok(space)
    }
}

fn rules(
    sought: &Sought,
    unit: &Unit,
    axes: &[AxisOf],
    n_classes: usize,
    min_leaf: u64,
    instructions: Instructions,
) -> Rules {
    let kinds: Vec<Kind> = axes.iter().map(|axis| axis.kind).collect();
    let has_multiway = kinds.iter().any(|kind| matches!(kind, Kind::Multiway { .. }));
    let twin = |(axis, of): (usize, &AxisOf)| of.twin_gap.map(|gap| Twin { axis, gap });
    let losses = sought.losses.clone();
    let price: Price = unit.price;
    Rules {
        instructions,
        price,
        kinds,
        most: (0..n_classes).map(|class| price.loss * losses.most(class)).collect(),
        adds_at_most: !(has_multiway && price.leaf > 0),
        min_leaf,
        table: losses.table(n_classes),
        twins: axes.iter().enumerate().filter_map(twin).collect(),
        losses,
        bits: None,
    }
}

/// Divides what rows weigh in a leaf by what divides all of it; what a leaf weighs at the least, in the same unit.
fn in_least_numbers(masses: &mut [u64], min_leaf: u64) -> u64 {
    let divisor = masses.iter().fold(0, |sum, &mass| common_divisor(sum, mass.into())).max(1) as u64;
    masses.iter_mut().for_each(|mass| *mass /= divisor);
    min_leaf.div_ceil(divisor)
}

/// Merges rows of equal values, in the order of their first.
fn merged(data: &Dataset, target: &[u16], rows: &[u32], weights: &Weights) -> Vec<Merged> {
    let n_classes = data.n_classes();
    let mut known: HashMap<u64, u32> = HashMap::with_capacity(rows.len());
    let mut groups: Vec<Merged> = Vec::with_capacity(rows.len());
    let hashes = hashes(data, rows);
    for (&row, &hash) in rows.iter().zip(&hashes) {
        let next = groups.len() as u32;
        let mut hash = hash;
        let group = loop {
            let group = *known.entry(hash).or_insert(next);
            if group == next || are_equal(data, groups[group as usize].row, row) {
                break group;
            }
            hash = hash.wrapping_add(1); // another row has the same number by chance
        };
        if group == next {
            groups.push(Merged { row, weights: vec![0; n_classes], mass: 0 });
        }
        let (group, weight) = (&mut groups[group as usize], weights.fine(row));
        group.weights[usize::from(target[row as usize])] += u128::from(weight);
        group.mass += weight;
    }
    groups
}

fn are_equal(data: &Dataset, a: u32, b: u32) -> bool {
    data.columns().iter().all(|column| column.codes.get(a as usize) == column.codes.get(b as usize))
}

/// A number for the values of every row.
fn hashes(data: &Dataset, rows: &[u32]) -> Vec<u64> {
    let mut hashes = vec![0u64; rows.len()];
    for column in data.columns() {
        for (hash, &row) in hashes.iter_mut().zip(rows) {
            let code = u64::from(column.codes.get(row as usize));
            *hash = (*hash ^ code).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        }
    }
    hashes
}

/// The axes on which the rows that count differ.
fn listed(data: &Dataset, params: &Params, groups: &[Merged], sought: &Sought) -> Result<Vec<AxisOf>> {
    let mut axes = Vec::new();
    for (feature, column) in data.columns().iter().enumerate() {
        let codes: Vec<u32> = sought
            .of_group
            .iter()
            .map(|&group| column.codes.get(groups[group as usize].row as usize))
            .collect();
        let name = &data.schema().features[feature].name;
        let is_ordered = params.ordered.get(feature).copied().unwrap_or(false);
        axes.extend(axes_of(feature, name, column, &codes, is_ordered, params.nominal_tests)?);
    }
    Ok(axes)
}

/// Rows that count, with their classes and weights.
struct Sought {
    of_group: Vec<u32>,
    classes: Vec<u16>,
    weights: Vec<u128>,
    losses: Losses,
    /// What every tree loses.
    aside: u128,
    narrow: Vec<i64>,
}

impl Sought {
    fn new(groups: &[Merged], costs: Option<&CostMatrix>, n_classes: usize, keeps_all: bool) -> Self {
        let mut sought = Sought {
            of_group: Vec::new(),
            classes: Vec::new(),
            weights: Vec::new(),
            losses: Losses::Wrong,
            aside: 0,
            narrow: Vec::new(),
        };
        let n_present =
            (0..n_classes).filter(|&class| groups.iter().any(|group| group.weights[class] > 0)).count();
        match costs {
            Some(costs) if n_classes > 2 => sought.by_matrix(groups, costs, n_classes),
            _ if n_classes <= 2 => sought.by_difference(groups, costs, [0, 1], keeps_all),
            _ if n_present == 2 => {
                let is_present = |&class: &usize| groups.iter().any(|group| group.weights[class] > 0);
                let mut present = (0..n_classes).filter(is_present);
                let pair = [present.next().unwrap_or(0), present.next().unwrap_or(1)];
                sought.by_difference(groups, None, pair, keeps_all);
            }
            _ => sought.by_class(groups),
        }
        sought
    }

    fn push(&mut self, group: usize, class: usize, weight: u128) {
        self.of_group.push(group as u32);
        self.classes.push(class as u16);
        self.weights.push(weight);
    }

    fn by_class(&mut self, groups: &[Merged]) {
        for (i, group) in groups.iter().enumerate() {
            for (class, &weight) in group.weights.iter().enumerate().filter(|(_, weight)| **weight > 0) {
                self.push(i, class, weight);
            }
        }
    }

    fn by_matrix(&mut self, groups: &[Merged], costs: &CostMatrix, n_classes: usize) {
        let least: Vec<u64> = (0..n_classes)
            .map(|class| (0..n_classes).map(|answer| costs.of(class, answer)).min().unwrap_or(0))
            .collect();
        let row = |class: usize| {
            (0..n_classes).map(|answer| (costs.of(class, answer) - least[class]) as i64).collect()
        };
        self.losses = Losses::Matrix((0..n_classes).map(row).collect());
        for group in groups {
            let of = |(weight, &least): (&u128, &u64)| weight * u128::from(least);
            self.aside += group.weights.iter().zip(&least).map(of).sum::<u128>();
        }
        self.by_class(groups);
    }

    /// Of two classes, the one whose right answer saves more, with what it saves.
    fn by_difference(
        &mut self,
        groups: &[Merged],
        costs: Option<&CostMatrix>,
        pair: [usize; 2],
        keeps_all: bool,
    ) {
        for (i, group) in groups.iter().enumerate() {
            let is_class = |&class: &usize| class < group.weights.len();
            let cost = |answer: usize| -> u128 {
                let of = |class: usize| {
                    let cost = costs.map_or(u64::from(class != answer), |costs| costs.of(class, answer));
                    group.weights[class] * u128::from(cost)
                };
                pair.into_iter().filter(is_class).map(of).sum()
            };
            let first = cost(pair[0]);
            let second = if is_class(&pair[1]) { cost(pair[1]) } else { first };
            self.aside += first.min(second);
            if first != second || keeps_all {
                self.push(i, if first <= second { pair[0] } else { pair[1] }, first.abs_diff(second));
            }
        }
        if self.classes.is_empty() {
            self.push(0, pair[0], 0);
        }
    }

    /// Numbers the classes that occur anew, where wrong answers have no costs; how many there are.
    fn compact_classes(&mut self) -> Result<usize> {
        let n_classes = match &self.losses {
            Losses::Matrix(costs) => costs.len(),
            Losses::Wrong => {
                let mut present = self.classes.clone();
                present.sort_unstable();
                present.dedup();
                let place = |class: &u16| present.binary_search(class).expect("it is one of them") as u16;
                self.classes = self.classes.iter().map(place).collect();
                present.len()
            }
        };
        if n_classes > MOST_CLASSES {
            return Err(Error::Beyond { what: "classes", found: n_classes, most: MOST_CLASSES });
        }
        Ok(n_classes)
    }

    /// Brings the weights to the least whole numbers, or to fewer bits where their sum is too large.
    fn unit(&mut self, params: &Params, costs: Option<&CostMatrix>, mean: MeanRow) -> Result<Unit> {
        let divisor = self.weights.iter().fold(0, |sum, &weight| common_divisor(sum, weight)).max(1);
        let most = match &self.losses {
            Losses::Wrong => 1,
            Losses::Matrix(costs) => costs.iter().flatten().copied().max().unwrap_or(1).max(1) as u128,
        };
        let all: u128 = self.weights.iter().sum::<u128>() / divisor * most;
        let mut step = divisor;
        while all / (step / divisor) > MOST_LOSS {
            step *= 2;
        }
        self.narrow = self.weights.iter().map(|&weight| ((weight + step / 2) / step) as i64).collect();
        let cost = costs.map_or(1.0, CostMatrix::unit);
        Ok(Unit::new(params, cost, step, self.aside, all / (step / divisor), mean))
    }

    /// Parts merged rows again where nearly all have weight 1: the kernels count such rows fastest.
    fn lay_out(&mut self) {
        let n = self.narrow.len();
        let n_more = self.narrow.iter().map(|&weight| weight - 1).sum::<i64>();
        if self.narrow.contains(&0) || n_more > (n / WORTH_MERGING) as i64 {
            return;
        }
        let places = || self.narrow.iter().enumerate().flat_map(|(i, &w)| std::iter::repeat_n(i, w as usize));
        self.of_group = places().map(|i| self.of_group[i]).collect();
        self.classes = places().map(|i| self.classes[i]).collect();
        self.narrow = vec![1; n + n_more as usize];
    }

    /// What equal rows of several classes lose whatever the tree.
    fn unavoidable(&self, n_classes: usize) -> i64 {
        let (mut lost, mut totals) = (0, vec![0; n_classes]);
        for (i, &group) in self.of_group.iter().enumerate() {
            totals[usize::from(self.classes[i])] += self.narrow[i];
            if self.of_group.get(i + 1) != Some(&group) {
                lost += self.losses.of_leaf(&totals);
                totals.fill(0);
            }
        }
        lost
    }

    fn root(
        &self,
        data: &Dataset,
        groups: &[Merged],
        mut listed: Vec<AxisOf>,
        n_classes: usize,
        has_masses: bool,
    ) -> (Part, Vec<AxisOf>) {
        let classes: Vec<u8> = self.classes.iter().map(|&class| class as u8).collect();
        let mut axes = Vec::with_capacity(listed.len());
        for of in &mut listed {
            let column = data.column(of.feature);
            let raw = |&group: &u32| column.codes.get(groups[group as usize].row as usize);
            let code = |group: &u32| of.coding.code(raw(group), column.domain() as u32);
            let codes: Vec<u32> = self.of_group.iter().map(code).collect();
            let axis = Axis::new(codes, &classes, of.coding.n_codes(column.domain()));
            let may_turn = of.kind == Kind::Between && of.twin_gap.is_none();
            axes.push(match axis.small_side_first().filter(|_| may_turn) {
                None => axis,
                Some(from) => {
                    let inner = std::mem::replace(&mut of.coding, Coding::Same);
                    of.coding = Coding::Turned(Box::new(inner), from);
                    axis.turned(from, &classes)
                }
            });
        }
        let mut totals = vec![0; n_classes];
        self.classes.iter().zip(&self.narrow).for_each(|(&class, w)| totals[usize::from(class)] += w);
        let are_one = self.narrow.iter().all(|&weight| weight == 1);
        let weights = if are_one { Vec::new() } else { self.narrow.clone() };
        let masses = if has_masses { self.masses(groups) } else { Vec::new() };
        (Part { n: classes.len(), classes, weights, masses, axes, totals }, listed)
    }

    /// What every row weighs in a leaf: its own part of the group's weight.
    fn masses(&self, groups: &[Merged]) -> Vec<u64> {
        let first = |i: usize| i == 0 || self.of_group[i - 1] != self.of_group[i];
        let of = |i: usize| if first(i) { groups[self.of_group[i] as usize].mass } else { 0 };
        (0..self.of_group.len()).map(of).collect()
    }
}
