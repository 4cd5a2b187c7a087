//! Searches that are ended anywhere, and gone on with.

use std::time::Duration;

use super::{Kind, NUMERIC, random_params, table};
use crate::base::control::Control;
use crate::base::outcome::{Outcome, Status};
use crate::common::Dice;
use crate::engines::optimal::params::Params;
use crate::engines::optimal::saved::Journal;
use crate::engines::optimal::search::{Found, optimal_tree, optimal_tree_kept};
use crate::model::data::Dataset;

fn asked(dice: &mut Dice, i: usize) -> (Dataset, Params) {
    let kind =
        Kind { features: 2, nominal: !i.is_multiple_of(2), gaps: i % 4 > 2, weights: &[1, 3], ..NUMERIC };
    let n = 10 + dice.roll(20);
    let data = table(dice, n, kind);
    let mut params = Params { max_depth: 2 + dice.roll(3) as u32, ..random_params(dice, data.n_classes()) };
    params.min_samples_leaf = [1.0, 3.0][dice.roll(2)];
    (data, params)
}

/// A search up to its k-th look at the clock, perhaps from where another one stood.
fn ended(data: &Dataset, params: &Params, k: u64, last: Option<&str>, threads: usize) -> Outcome<Found, f64> {
    let control = Control::unlimited().threads(threads).ending_after(k);
    let mut keep = |_: String| {};
    let last = last.map(|text| (text, "a file"));
    let journal = Journal { last, every: Duration::MAX, keep: &mut keep };
    control.in_pool(|| optimal_tree_kept(data, params, journal, &control).expect("it can be searched"))
}

#[test]
fn bounds_hold_and_close_in_wherever_it_is_ended() {
    let mut dice = Dice::new(41);
    for i in 0..16 {
        let (data, params) = asked(&mut dice, i);
        let least =
            optimal_tree(&data, &params, &Control::unlimited()).expect("it can be searched").value.cost;
        let (mut bound, mut cost) = (0.0, f64::INFINITY);
        // Every look of the first ones, fewer of those that follow.
        for k in std::iter::successors(Some(0), |k| Some(k + 1 + k / 12)) {
            let found = ended(&data, &params, k, None, 1);
            let now = found.bound.expect("a tree comes with a bound");
            assert!(now <= least + 1e-9 && least <= found.value.cost + 1e-9, "look {k} of table {i}");
            assert!(now + 1e-9 >= bound && found.value.cost <= cost + 1e-9, "look {k} of table {i}");
            (bound, cost) = (now, found.value.cost);
            // Two threads look in any order: what was known at a look may be more or less, and holds.
            let found_by_two = ended(&data, &params, k, None, 2);
            let now = found_by_two.bound.expect("a tree comes with a bound");
            assert!(now <= least + 1e-9 && least <= found_by_two.value.cost + 1e-9, "look {k} of table {i}");
            if found.status == Status::Optimal {
                break;
            }
            assert_eq!(found.status, Status::Stopped);
        }
        assert!((bound - cost).abs() < 1e-9);
    }
}

#[test]
fn bounds_hold_whenever_the_time_is_up() {
    let mut dice = Dice::new(45);
    let mut n_ended = 0;
    for i in 0..12 {
        let (_, params) = asked(&mut dice, i);
        let data = table(&mut dice, 120, Kind { features: 3, classes: 3, ..NUMERIC });
        let params = Params { max_depth: 3, ..params };
        let done = optimal_tree(&data, &params, &Control::unlimited()).expect("it can be searched");
        for part in 1..8 {
            let control = Control::with_time_limit(Some(done.stats.elapsed * f64::from(part) / 8.0));
            let found = optimal_tree(&data, &params, &control).expect("it can be searched");
            let bound = found.bound.expect("a tree comes with a bound");
            assert!(bound <= done.value.cost + 1e-9 && done.value.cost <= found.value.cost + 1e-9);
            assert!(found.status == Status::TimeLimit || bound == found.value.cost);
            n_ended += usize::from(found.status == Status::TimeLimit);
        }
    }
    assert!(n_ended > 10, "most of them end before their end");
}

#[test]
fn a_search_that_is_gone_on_with_ends_in_the_same_tree() {
    let mut dice = Dice::new(42);
    for i in 0..40 {
        let (data, params) = asked(&mut dice, i);
        let straight = optimal_tree(&data, &params, &Control::unlimited()).expect("it can be searched");
        let (mut entry, mut gap, mut n_runs): (Option<String>, f64, u32) = (None, f64::INFINITY, 0);
        let found = loop {
            n_runs += 1;
            let k = if n_runs > 40 { u64::MAX } else { 3 + dice.roll(60) as u64 };
            let found = ended(&data, &params, k, entry.as_deref(), 1 + dice.roll(2));
            let now = found.value.cost - found.bound.expect("a tree comes with a bound");
            assert!(now <= gap + 1e-9, "table {i}: the gap grows from {gap} to {now}");
            if found.status == Status::Optimal {
                break found;
            }
            (entry, gap) = (found.value.entry, now);
        };
        assert_eq!((found.value.tree, found.value.cost), (straight.value.tree, straight.value.cost));
        assert_eq!(found.stats.n_searched, straight.stats.n_searched);
    }
}

#[test]
fn a_limit_on_sets_ends_it_at_the_same_place_for_every_number_of_threads() {
    let mut dice = Dice::new(43);
    for i in 0..120 {
        let (data, params) = asked(&mut dice, i);
        let params = Params { node_limit: Some(dice.roll(60) as u64), ..params };
        let [one, two] = [1, 2].map(|threads| ended(&data, &params, u64::MAX, None, threads));
        assert_eq!((one.value.tree, one.bound, one.status), (two.value.tree, two.bound, two.status));
        assert_eq!(one.value.entry, two.value.entry);
    }
}

#[test]
fn what_no_search_writes_is_refused() {
    let mut dice = Dice::new(44);
    let (data, params) = asked(&mut dice, 0);
    let found = ended(&data, &params, 40, None, 1);
    let entry = found.value.entry.expect("it has a journal");
    let of = |text: &str, params: &Params| {
        let mut keep = |_: String| {};
        let journal = Journal { last: Some((text, "a file")), every: Duration::MAX, keep: &mut keep };
        optimal_tree_kept(&data, params, journal, &Control::unlimited()).err().map(|error| error.to_string())
    };
    assert_eq!(of(&entry, &params), None);
    let deeper = Params { max_depth: params.max_depth + 1, ..params.clone() };
    assert!(of(&entry, &deeper).is_some_and(|text| text.contains("other data or parameters")));
    let best =
        serde_json::from_str::<serde_json::Value>(&entry).expect("it is JSON")["state"]["best"].clone();
    let cheaper = entry.replacen(&format!("\"best\":{best}"), "\"best\":0", 1);
    assert!(of(&cheaper, &params).is_some_and(|text| text.contains("other losses")));
    for (from, to) in [("\"version\":1", "\"version\":9"), ("treewright-optimal", "another"), ("{", "[")] {
        assert!(of(&entry.replacen(from, to, 1), &params).is_some(), "{from} as {to}");
    }
    let far = entry.replace("\"axis\":0", "\"axis\":77");
    assert!(far == entry || of(&far, &params).is_some());
}
