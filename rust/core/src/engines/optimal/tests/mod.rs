//! The parts of the engine against plain ways to the same numbers.

mod bounds;
mod ended;
mod kernels;

use super::lanes::Instructions;
use super::params::{NominalTests, Params};
use super::part::Part;
use super::rules::Rules;
use super::space::Space;
use super::stump::best_stump;
use crate::common::Dice;
use crate::model::data::{Dataset, Label, RawColumn};
use crate::model::tree::Answers;

/// What a random table may have.
#[derive(Clone, Copy)]
struct Kind {
    features: usize,
    classes: usize,
    nominal: bool,
    gaps: bool,
    weights: &'static [usize],
}

const NUMERIC: Kind = Kind { features: 3, classes: 3, nominal: false, gaps: false, weights: &[] };

fn column(dice: &mut Dice, n: usize, kind: Kind) -> (RawColumn, Option<Vec<Label>>) {
    let most = if dice.chance(50) { 4 } else { n };
    let n_values = 2 + dice.roll(most);
    let is_gap = |dice: &mut Dice| kind.gaps && dice.chance(15);
    if kind.nominal && dice.chance(60) {
        let n_values = n_values.min(5);
        let code = |dice: &mut Dice| if is_gap(dice) { -1 } else { dice.roll(n_values) as i32 };
        let codes = (0..n).map(|_| code(dice)).collect();
        return (RawColumn::Nominal(codes), Some((0..n_values).map(|i| Label::Int(i as i64)).collect()));
    }
    let value = |dice: &mut Dice| if is_gap(dice) { f64::NAN } else { dice.roll(n_values) as f64 / 2.0 };
    (RawColumn::Numeric((0..n).map(|_| value(dice)).collect()), None)
}

fn table(dice: &mut Dice, n: usize, kind: Kind) -> Dataset {
    let columns = (0..kind.features).map(|_| column(dice, n, kind));
    let (raw, levels): (Vec<_>, Vec<_>) = columns.unzip();
    let names = (0..kind.features).map(|i| format!("x{i}")).collect();
    let data = Dataset::new(names, raw, levels, n).expect("the columns fit");
    let target = (0..n).map(|_| dice.roll(kind.classes) as i32).collect();
    let weights = (!kind.weights.is_empty()).then(|| {
        let most = kind.weights[dice.roll(kind.weights.len())];
        (0..n).map(|_| (1 + dice.roll(most)) as f64).collect()
    });
    let classes = (0..kind.classes as i64).map(Label::Int).collect();
    data.with_target(target, classes, weights).expect("the target fits")
}

fn random_params(dice: &mut Dice, n_classes: usize) -> Params {
    let leaf_penalty = [(0, 1), (0, 1), (1, 2), (1, 1)][dice.roll(4)];
    let row = |dice: &mut Dice, class: usize| -> Vec<f64> {
        (0..n_classes).map(|answer| if answer == class { 0.0 } else { dice.roll(4) as f64 }).collect()
    };
    let costs = dice.chance(30).then(|| (0..n_classes).map(|class| row(dice, class)).collect());
    let nominal_tests = [NominalTests::OneValue, NominalTests::Groups, NominalTests::Multiway][dice.roll(3)];
    let answers = Answers { cost_matrix: costs, ..Answers::default() };
    Params { leaf_penalty, nominal_tests, answers, ..Params::default() }
}

fn space(data: &Dataset, params: &Params, isa: Instructions) -> Space {
    Space::new(data, params, isa).expect("the table can be searched")
}

/// The least cost by trying every test, one after the other.
fn least(part: &Part, rules: &Rules, depth: u32) -> i64 {
    match depth {
        0 => rules.leaf(&part.totals),
        1 => best_stump(part, rules).cost,
        _ => {
            let whole = least(part, rules, depth - 1);
            let tests = rules.live_axes(part).into_iter().flat_map(|axis| tests_of(part, rules, axis));
            let cost =
                |[left, right]: [Part; 2]| least(&left, rules, depth - 1) + least(&right, rules, depth - 1);
            tests.map(|(_, sides)| cost(sides)).fold(whole, i64::min)
        }
    }
}

/// Position and sides of every test of an axis.
fn tests_of(part: &Part, rules: &Rules, axis: usize) -> Vec<(i64, [Part; 2])> {
    let mut cuts = super::cuts::Cuts::default();
    cuts.list(part, axis, rules, false);
    let sides = |i: usize| {
        let mut sides = [Part::room(part), Part::room(part)];
        part.split(axis, cuts.cond(i), &mut sides, &mut Vec::new());
        sides.iter_mut().for_each(|side| rules.drop_out_twins(side));
        (cuts.pos[i], sides)
    };
    (0..cuts.len()).map(sides).collect()
}
