//! The kernels against one test after the other, lane by lane.

use super::{Kind, NUMERIC, random_params, space, table};
use crate::common::Dice;
use crate::engines::optimal::cuts::Cuts;
use crate::engines::optimal::desk::{Asked, Desk, Values, View};
use crate::engines::optimal::lanes::{Instructions, LANES};
use crate::engines::optimal::params::{NominalTests, Params};
use crate::engines::optimal::part::Part;
use crate::engines::optimal::rules::Rules;
use crate::engines::optimal::space::Space;
use crate::engines::optimal::stump::best_stump;

/// Up to 32 tests of a set, and what the kernels say of them.
fn lanes(part: &Part, rules: &Rules, dice: &mut Dice) -> (Vec<Asked>, Values) {
    let mut mass_left = [0; LANES];
    let axes = rules.live_axes(part);
    let mut desk = Desk::default();
    desk.left = vec![[0; LANES]; part.totals.len()];
    let mut asked = Vec::new();
    let n_lanes = 1 + dice.roll(LANES);
    for lane in 0..n_lanes {
        let axis = axes[dice.roll(axes.len())];
        let mut cuts = Cuts::default();
        cuts.list(part, axis, rules, true);
        if cuts.len() == 0 {
            continue;
        }
        let (test, mut left) = (dice.roll(cuts.len()), vec![0; part.totals.len()]);
        cuts.left_weights(part, axis, test, &mut left);
        let lane = lane.min(asked.len());
        desk.left.iter_mut().zip(left).for_each(|(lanes, weight)| lanes[lane] = weight);
        let is_left = |&id: &usize| cuts.cond(test).holds(part.codes(axis)[id]);
        mass_left[lane] =
            (0..part.n).filter(is_left).flat_map(|id| part.masses.get(id)).map(|&mass| mass as i64).sum();
        asked.push(Asked { axis, cond: cuts.cond(test) });
    }
    let view = View::new(part, &axes, rules, &mut desk);
    let values = match rules.min_leaf {
        0 => view.values(&mut desk, &asked),
        _ => view.values_limited(&mut desk, &asked, &mass_left),
    };
    (asked, values)
}

fn check(part: &Part, rules: &Rules, dice: &mut Dice) {
    if rules.live_axes(part).is_empty() {
        return;
    }
    let (asked, values) = lanes(part, rules, dice);
    for (lane, test) in asked.iter().enumerate() {
        let mut sides = [Part::room(part), Part::room(part)];
        part.split(test.axis, test.cond, &mut sides, &mut Vec::new());
        for (i, side) in sides.iter_mut().enumerate() {
            rules.drop_out_twins(side);
            assert_eq!(values.leaf[i][lane], rules.leaf(&side.totals), "{} rows, side {i}", part.n);
            assert_eq!(values.stump[i][lane], best_stump(side, rules).cost, "{} rows, side {i}", part.n);
        }
    }
}

/// The set, and parts of it.
fn check_parts(space: &Space, dice: &mut Dice) {
    check(&space.root, &space.rules, dice);
    for axis in space.rules.live_axes(&space.root).into_iter().take(2) {
        for (_, sides) in super::tests_of(&space.root, &space.rules, axis).into_iter().step_by(5).take(3) {
            sides.iter().filter(|side| side.n > 0).for_each(|side| check(side, &space.rules, dice));
        }
    }
}

fn check_all(data: &crate::model::data::Dataset, params: &Params, dice: &mut Dice) {
    for isa in Instructions::available() {
        check_parts(&space(data, params, isa), dice);
    }
}

#[test]
fn every_lane_is_what_one_test_after_the_other_says() {
    let mut dice = Dice::new(51);
    for n in [1, 2, 3, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 300] {
        for classes in [1, 2, 3, 6] {
            let (nominal, gaps) = (dice.chance(50), dice.chance(50));
            let kind = Kind { classes, nominal, gaps, weights: &[1, 1, 7, 600, 70_000], ..NUMERIC };
            let data = table(&mut dice, n, kind);
            let params = random_params(&mut dice, data.n_classes());
            check_all(&data, &params, &mut dice);
        }
    }
}

const HEAVIEST: [&[usize]; 3] = [&[], &[7], &[70_000]];

#[test]
fn lanes_keep_a_least_weight_of_leaves() {
    let mut dice = Dice::new(53);
    for n in [4, 5, 31, 64, 65, 128, 300] {
        for (classes, weights) in [2, 3, 6].into_iter().flat_map(|k| HEAVIEST.map(|weights| (k, weights))) {
            let (nominal, gaps) = (dice.chance(50), dice.chance(50));
            let kind = Kind { classes, nominal, gaps, weights, ..NUMERIC };
            let data = table(&mut dice, n, kind);
            let mut params = random_params(&mut dice, data.n_classes());
            params.nominal_tests = [NominalTests::OneValue, NominalTests::Groups][dice.roll(2)];
            params.answers.cost_matrix = None;
            params.min_samples_leaf = [2.0, 3.0, 0.1, 0.3, 9.0, 100_000.0][dice.roll(6)];
            check_all(&data, &params, &mut dice);
        }
    }
}

#[test]
fn totals_at_the_borders_of_the_numbers_are_counted_right() {
    let mut dice = Dice::new(52);
    let borders = [32_767.0, 32_768.0, 32_769.0, 2_147_483_647.0, 2_147_483_648.0, 9e9];
    for (total, classes) in borders.into_iter().flat_map(|total| [2, 3].map(|classes| (total, classes))) {
        for n in [2, 9, 70] {
            let data = table(&mut dice, n, Kind { classes, ..NUMERIC });
            let target = data.target().expect("it has classes").iter().map(|&class| class.into()).collect();
            let labels = (0..classes as i64).map(crate::model::data::Label::Int).collect();
            let mut weights: Vec<f64> = (0..n).map(|_| (1 + dice.roll(3)) as f64).collect();
            weights[0] = total - weights[1..].iter().sum::<f64>();
            let data = data.with_target(target, labels, Some(weights)).expect("the target fits");
            check_all(&data, &Params::default(), &mut dice);
        }
    }
}

#[test]
fn runs_of_a_class_that_a_byte_cannot_count_are_counted_in_parts() {
    let mut dice = Dice::new(54);
    for heaviest in [1, 7, 1, 7] {
        let n = 1200;
        let data = table(&mut dice, n, NUMERIC);
        let target = (0..n).map(|_| if dice.chance(80) { 1 } else { dice.roll(3) as i32 }).collect();
        let labels = (0..3).map(crate::model::data::Label::Int).collect();
        let weights = (0..n).map(|_| (1 + dice.roll(heaviest)) as f64).collect();
        let data = data.with_target(target, labels, Some(weights)).expect("the target fits");
        check_all(&data, &Params::default(), &mut dice);
    }
}
