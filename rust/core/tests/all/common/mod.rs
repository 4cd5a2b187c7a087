//! Small random tables.

pub mod drawn;
pub mod evolving;
pub mod pruning;
pub mod subsets;
pub mod tables;

use treewright_core::bits::BitSet;
use treewright_core::control::Control;
use treewright_core::data::{Dataset, Label, RawColumn};
use treewright_core::induce::{Criterion, GrowthParams, Problem, grow};
use treewright_core::tree::Tree;

/// A tiny linear generator: tests want repeatable tables, not good randomness.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number in `0..n`.
    pub fn roll(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.roll(100) < percent
    }
}

/// A table of mixed columns with missing values and, sometimes, weights.
pub fn random_table(seed: u64, n_features: usize, n_rows: usize) -> Dataset {
    let mut dice = Dice::new(seed);
    let n_classes = 1 + dice.roll(4);
    let missing = [0, 0, 15][dice.roll(3)];
    let (mut raw, mut levels) = (Vec::new(), Vec::new());
    for _ in 0..n_features {
        let n_values = 1 + dice.roll(5);
        let mut codes = Vec::new();
        for _ in 0..n_rows {
            codes.push(if dice.chance(missing) { -1 } else { dice.roll(n_values) as i32 });
        }
        if dice.chance(50) {
            let number = |code: i32| if code < 0 { f64::NAN } else { f64::from(code) * 0.5 - 1.0 };
            raw.push(RawColumn::Numeric(codes.into_iter().map(number).collect()));
            levels.push(None);
        } else {
            raw.push(RawColumn::Nominal(codes));
            levels.push(Some((0..n_values as i64 + 1).map(Label::Int).collect()));
        }
    }
    let names = (0..n_features).map(|i| format!("x{i}")).collect();
    let target = (0..n_rows).map(|_| dice.roll(n_classes) as i32).collect();
    let weights = match dice.roll(3) {
        0 => None,
        1 => Some((0..n_rows).map(|_| 1.0 + dice.roll(3) as f64).collect()),
        _ => Some((0..n_rows).map(|_| 0.25 * (1.0 + dice.roll(12) as f64)).collect()),
    };
    let classes = (0..n_classes as i64).map(Label::Int).collect();
    let data = Dataset::new(names, raw, levels, n_rows).expect("the columns fit");
    data.with_target(target, classes, weights).expect("the target fits")
}

/// DT(S) of all rows.
pub fn grow_tree(data: &Dataset, params: &GrowthParams, allowed: &BitSet, n_threads: usize) -> Tree {
    let rows = (0..data.n_rows() as u32).collect();
    let problem = Problem::new(data, rows, params).expect("the table can be grown from");
    let grown = grow(&problem, allowed, &Control::unlimited().threads(n_threads));
    grown.expect("the problem is sound").found().expect("nothing ends it")
}

/// The tree of all rows and features, grown by the usual rules.
pub fn full_tree(data: &Dataset) -> Tree {
    grow_tree(data, &GrowthParams::default(), &BitSet::full(data.n_features()), 1)
}

/// A numeric column of up to `n_values` values, and a nominal one with gaps to split rows by.
pub fn numbers_and_names(seed: u64, n_rows: usize, n_values: usize) -> Dataset {
    let mut dice = Dice::new(seed);
    let (mut numbers, mut names, mut target, mut fine) = (vec![], vec![], vec![], vec![]);
    for _ in 0..n_rows {
        let value = dice.roll(n_values);
        numbers.push(if dice.chance(5) { f64::NAN } else { value as f64 });
        names.push(if dice.chance(10) { -1 } else { dice.roll(3) as i32 });
        target.push(i32::from(2 * value + dice.roll(n_values) > n_values) + i32::from(dice.chance(20)));
        fine.push(1 + dice.roll(40));
    }
    let weights = match seed % 3 {
        0 => None,
        1 => Some(fine.iter().map(|&w| w as f64).collect()),
        _ => Some(fine.iter().map(|&w| w as f64 / 32.0).collect()),
    };
    let raw = vec![RawColumn::Numeric(numbers), RawColumn::Nominal(names)];
    let levels = vec![None, Some((0..3).map(Label::Int).collect())];
    let data = Dataset::new(vec!["number".to_owned(), "name".to_owned()], raw, levels, n_rows).unwrap();
    data.with_target(target, (0..3).map(Label::Int).collect(), weights).unwrap()
}

/// Growth of small trees, by every criterion and with every limit in turn.
pub fn shallow(seed: u64) -> GrowthParams {
    let criteria = [Criterion::InfoGain, Criterion::GainRatio, Criterion::Gini];
    GrowthParams {
        criterion: criteria[seed as usize % 3],
        mdl_correction: Some(seed % 3 != 2 && seed % 2 == 1),
        max_depth: seed.is_multiple_of(5).then_some(2),
        min_samples_branch: if seed.is_multiple_of(4) { 2.0 } else { 1.0 },
        min_samples_leaf: if seed.is_multiple_of(5) { 3.0 } else { 1.0 },
        ..GrowthParams::default()
    }
}
