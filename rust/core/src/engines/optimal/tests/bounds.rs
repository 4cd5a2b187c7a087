//! Bounds and cut-offs against the cost of every test.

use super::{Kind, NUMERIC, least, random_params, space, table, tests_of};
use crate::base::control::Control;
use crate::common::Dice;
use crate::engines::optimal::bounds::{End, Interval};
use crate::engines::optimal::lanes::Instructions;
use crate::engines::optimal::params::{NominalTests, Params};
use crate::engines::optimal::part::Part;
use crate::engines::optimal::rules::{ANY, Rules};
use crate::engines::optimal::solve::{Ask, Solver};
use crate::engines::optimal::worth::worth;

/// What both sides of all tests of an axis cost, those at which one side is empty at either end.
fn profile(part: &Part, rules: &Rules, axis: usize, depth: u32) -> Vec<End> {
    let whole = least(part, rules, depth - 1);
    let of = |(pos, [left, right]): (i64, [Part; 2])| {
        let (left, right) = (least(&left, rules, depth - 1), least(&right, rules, depth - 1));
        End { pos, left, right }
    };
    let mut ends = vec![End { pos: 0, left: rules.price.leaf, right: whole }];
    ends.extend(tests_of(part, rules, axis).into_iter().map(of));
    ends.push(End { pos: rules.reach_of_all(part), left: whole, right: rules.price.leaf });
    ends
}

/// Checks what is said of the tests between any two of an axis.
fn check_profile(ends: &[End], is_ordered: bool, adds_at_most: bool) {
    let n = ends.len();
    let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
    for (a, b) in pairs.filter(|&(a, b)| is_ordered || (a, b) == (0, n - 1)) {
        let (low, high) = (a, b.saturating_sub(2));
        let of = Interval { axis: 0, a: ends[a], b: ends[b], low, high, level: 0, family: 0 };
        for k in a + 1..b {
            let (value, pos) = (ends[k].left + ends[k].right, ends[k].pos);
            assert!(of.bound(adds_at_most) <= value, "A and D: {ends:?} at {k} of ({a}, {b})");
            let (left, right) = of.least(pos, adds_at_most);
            assert!(
                left <= ends[k].left && right <= ends[k].right,
                "one side: {ends:?} at {k} of ({a}, {b})"
            );
            if adds_at_most {
                assert!(value >= ends[a].left + ends[a].right - (pos - ends[a].pos), "B");
                assert!(value >= ends[b].left + ends[b].right - (ends[b].pos - pos), "C");
            }
        }
    }
}

#[test]
fn no_test_costs_less_than_its_bounds() {
    let mut dice = Dice::new(31);
    for i in 0..120 {
        let kind = Kind { nominal: i % 2 > 0, gaps: i % 3 > 1, weights: &[1, 4], ..NUMERIC };
        let n = 2 + dice.roll(14);
        let data = table(&mut dice, n, kind);
        let params = random_params(&mut dice, data.n_classes());
        let space = space(&data, &params, Instructions::Plain);
        let (root, rules) = (&space.root, &space.rules);
        for axis in rules.live_axes(root) {
            let is_ordered = rules.kinds[axis] == crate::engines::optimal::lanes::Kind::Between;
            check_profile(&profile(root, rules, axis, 2), is_ordered, rules.adds_at_most);
            if i % 4 == 0 {
                check_profile(&profile(root, rules, axis, 3), is_ordered, rules.adds_at_most);
            }
        }
    }
}

#[test]
fn what_is_dropped_at_an_end_costs_no_less_than_the_best() {
    let mut dice = Dice::new(32);
    for _ in 0..60 {
        let n = 2 + dice.roll(16);
        let data = table(&mut dice, n, NUMERIC);
        let space = space(&data, &Params::default(), Instructions::Plain);
        for axis in space.rules.live_axes(&space.root) {
            let ends = profile(&space.root, &space.rules, axis, 2);
            let pos: Vec<i64> = ends[1..ends.len() - 1].iter().map(|end| end.pos).collect();
            let values: Vec<i64> = ends[1..ends.len() - 1].iter().map(|end| end.left + end.right).collect();
            let (a, b) = (ends[0], ends[ends.len() - 1]);
            let whole = Interval { axis, a, b, low: 0, high: pos.len() - 1, level: 0, family: 0 };
            for best in 0..=*values.iter().max().expect("a live axis has a test") + 1 {
                let mut kept = whole;
                let is_kept = kept.trim(&pos, best, true);
                let is_in = |i: usize| is_kept && (kept.low..=kept.high).contains(&i);
                assert!(values.iter().enumerate().all(|(i, &value)| is_in(i) || value >= best));
            }
        }
    }
}

#[test]
fn there_is_a_tree_exactly_where_one_is_below_the_cut_off() {
    let mut dice = Dice::new(33);
    let control = Control::unlimited();
    for i in 0..60 {
        let kind = Kind { nominal: i % 2 > 0, gaps: i % 3 > 1, weights: &[1, 3], ..NUMERIC };
        let n = 1 + dice.roll(12);
        let data = table(&mut dice, n, kind);
        let mut params = random_params(&mut dice, data.n_classes());
        if i % 3 == 0 && params.nominal_tests != NominalTests::Multiway {
            params.min_samples_leaf = 2.0;
        }
        let space = space(&data, &params, Instructions::best());
        let mut solver = Solver::new(&space.rules, &control);
        for depth in 0..4 {
            let ask = |cutoff| Ask { depth, leaves: ANY, cutoff, known: 0 };
            let free = space.rules.min_leaf == 0;
            let judge = if free { Some(least(&space.root, &space.rules, depth)) } else { None };
            let whole = solver.solve_strictly(&space.root, ask(i64::MAX / 4)).expect("nothing ends it").0;
            assert!(judge.is_none_or(|judge| judge == whole) || has_multiway(&space.rules));
            let step = space.rules.price.loss.max(1);
            for cutoff in (0..=whole + 2 * step).step_by(step as usize / 4 + 1) {
                let (value, plan) = solver.solve_strictly(&space.root, ask(cutoff)).expect("nothing ends it");
                assert_eq!(plan.is_none(), whole >= cutoff, "depth {depth}, cut-off {cutoff} of {whole}");
                match plan {
                    None => assert_eq!(value, cutoff),
                    Some(plan) => {
                        assert_eq!(value, whole);
                        assert_eq!(worth(&plan, &space.root, &space.rules, depth), Some(whole));
                    }
                }
            }
        }
    }
}

fn has_multiway(rules: &Rules) -> bool {
    use crate::engines::optimal::lanes::Kind;
    rules.kinds.iter().any(|kind| matches!(kind, Kind::Multiway { .. }))
}
