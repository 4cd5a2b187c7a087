//! Unit tests, for forests and enumerators are private: trees adapted from one another against trees from
//! scratch, bounds and the enumeration against the tree of every subset.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::adapt::{Change, Unwatched};
use super::bound::{Query, Space};
use super::case_store::Keeping;
use super::enumerate::{Enumerator, Order};
use super::forest::Forest;
use super::judging::{Judging, Price};
use crate::base::bits::{BitSet, Mask};
use crate::base::control::Control;
use crate::base::outcome::Status;
use crate::common::subsets::{Drawn, Everything, N, drawn, drawn_to_prune};
use crate::common::{Dice, grow_tree, random_table, shallow};
use crate::engines::induce::{Criterion, Growth, GrowthParams, Problem};
use crate::model::data::Dataset;
use crate::model::tree::Tree;

const ORDERS: [Order; 4] = [Order::Frontier, Order::FrontierDescending, Order::Index, Order::IndexDescending];
const ONE: u64 = 1 << 20;
const CRITERIA: [Criterion; 3] = [Criterion::InfoGain, Criterion::GainRatio, Criterion::Gini];

fn params(seed: u64) -> GrowthParams {
    let criterion = CRITERIA[seed as usize % 3];
    let mdl_correction = Some(criterion != Criterion::Gini && seed % 2 == 1);
    GrowthParams { criterion, mdl_correction, ..GrowthParams::default() }
}

#[test]
fn an_adapted_tree_equals_the_tree_from_scratch() {
    let control = Control::unlimited();
    for seed in 0..300 {
        let n = 5;
        let (data, params) = (random_table(seed, n, 30), params(seed));
        let problem = Arc::new(Problem::new(&data, (0..30).collect(), &params).unwrap());
        let mut forest = Forest::<BitSet>::new(problem, Vec::new(), Keeping::Best);
        let mut dice = Dice::new(seed + 1);
        let mut allowed = BitSet::full(n);
        let mut tree = forest.grow(&allowed, &mut Unwatched, &control).unwrap();
        for _ in 0..12 {
            let feature = dice.roll(n);
            let (mut next, adds) = (allowed.clone(), !allowed.contains(feature));
            let dropped = if adds { BitSet::empty(n) } else { BitSet::of(n, [feature]) };
            if adds {
                next.insert(feature);
            } else {
                next.remove(feature);
            }
            let change = Change { allowed: &next, dropped: &dropped, adds };
            let adapted = forest.adapt(tree, &change, u64::MAX, &mut Unwatched, &control);
            tree = adapted.expect("nothing stops it").expect("no tree reaches the largest bound");
            allowed = next;
            let (adapted, fresh) = (forest.to_tree(tree), grow_tree(&data, &params, &allowed, 1));
            assert_eq!(adapted, fresh, "seed {seed}");
            assert_eq!(*forest.used(tree), fresh.used_features());
        }
    }
}

/// The least value of the trees of a space.
fn least(everything: &Everything, space: &Space<u64>) -> Option<u64> {
    let trees = everything.0.iter().zip(0u64..);
    let inside = trees.filter(|&(&(_, used), subset)| {
        space.required.is_subset(&used) && subset.is_subset(&space.allowed) && used.len() <= space.max_used
    });
    inside.map(|(&(value, _), _)| value).min()
}

#[test]
fn no_tree_of_a_space_is_below_its_bound() {
    let (mut n_above_nothing, mut n_exact) = (0, 0);
    for number in 0..700 {
        let (seed, prunes) = (number % 400, number >= 400);
        let drawn = if prunes { drawn_to_prune(seed, N) } else { drawn(seed) };
        let Drawn { problem, search, everything, has_missing } = drawn;
        let mut dice = Dice::new(seed + 1);
        for _ in 0..12 {
            let given = dice.roll(1 << N) as u64 | dice.roll(1 << N) as u64;
            let allowed = given & (dice.roll(1 << N) as u64 | dice.roll(1 << N) as u64);
            let required = allowed & dice.roll(1 << N) as u64;
            let max_used = [N, N, required.len(), required.len() + 1][dice.roll(4)];
            let space = Space { required, allowed, max_used };
            let least = least(&everything, &space).unwrap_or(u64::MAX);
            let bounds = bounds_of(&problem, &search, given, &space, (0, u64::MAX));
            assert!(bounds.iter().all(|&bound| bound <= least), "seed {seed}: {bounds:?} above {least}");
            assert!(bounds.is_sorted(), "seed {seed}: looking ahead loosened a bound: {bounds:?}");
            let enough = least.min(3 * ONE);
            for floor in [0, ONE, enough] {
                let roughly = bounds_of(&problem, &search, given, &space, (floor, enough));
                for (rough, full) in roughly.into_iter().zip(&bounds) {
                    let clipped = |bound: u64| if bound < floor { 0 } else { enough.min(bound) };
                    assert_eq!(clipped(rough), clipped(*full), "seed {seed}: from {floor} to {enough}");
                }
            }
            n_above_nothing += usize::from(bounds[2] > bounds[0]);
            let is_priced = search.price != Price::default();
            let is_one_tree = required == allowed && everything.0[allowed as usize].1 == allowed;
            if !prunes && !is_priced && is_one_tree && !has_missing {
                assert_eq!(bounds.last(), Some(&least), "seed {seed}: one tree, looked at to its end");
                n_exact += 1;
            }
        }
    }
    assert!(n_above_nothing > 100 && n_exact > 20, "{n_above_nothing} {n_exact}");
}

/// Bounds with a look ahead of 0, 1, 2, 3 and very many splits, given the tree of `given`.
fn bounds_of(
    problem: &Arc<Problem>,
    search: &Judging,
    given: u64,
    space: &Space<u64>,
    (floor, enough): (u64, u64),
) -> Vec<u64> {
    let control = Control::unlimited();
    let mut forest = Forest::<u64>::new(problem.clone(), search.clone(), Keeping::All);
    let tree = forest.grow(&given, &mut Unwatched, &control).unwrap();
    let query = |depth| Query { floor, enough, depth, control: &control };
    [0, 1, 2, 3, 50].map(|depth| forest.bound(tree, space, query(depth)).unwrap()).to_vec()
}

#[test]
fn a_pause_knows_a_bound_of_what_is_to_come() {
    for seed in 0..300 {
        let Drawn { problem, search, .. } = drawn(seed);
        let control = Control::unlimited();
        let mut enumerator = Enumerator::<u64>::new(problem, search, ORDERS[seed as usize % 4], usize::MAX);
        let per_feature = [0, ONE / 2, 2 * ONE][seed as usize % 3];
        let (mut errors, mut bounds) =
            (Vec::new(), vec![enumerator.bound_to_come(per_feature, &control).unwrap()]);
        let pause = |enumerator: &mut Enumerator<u64>, errors: &mut Vec<u64>| {
            enumerator.run(&control, |found| {
                errors.push(found.value + per_feature * found.used.len() as u64);
                false
            })
        };
        while pause(&mut enumerator, &mut errors).is_none() {
            bounds.push(enumerator.bound_to_come(per_feature, &control).unwrap());
        }
        for (n_seen, bound) in bounds.into_iter().enumerate() {
            assert!(errors[n_seen..].iter().all(|&to_come| bound <= to_come), "seed {seed}");
        }
    }
}

/// Every distinct tree with the number of subsets that give it.
fn brute_force(data: &Dataset, params: &GrowthParams) -> BTreeMap<Vec<usize>, (Tree, u64)> {
    let mut found: BTreeMap<Vec<usize>, (Tree, u64)> = BTreeMap::new();
    for subset in 0..1u64 << N {
        let tree = grow_tree(data, params, &subset.to_set(N), 1);
        let used = tree.used_features().iter().collect();
        let entry = found.entry(used).or_insert_with(|| (tree.clone(), 0));
        assert_eq!(entry.0, tree, "trees with equal used sets are equal");
        entry.1 += 1;
    }
    found
}

fn check_enumeration<M: Mask>(data: &Dataset, params: &GrowthParams, order: Order, cap: usize) {
    let expected = brute_force(data, params);
    let rows = (0..data.n_rows() as u32).collect();
    let problem = Arc::new(Problem::new(data, rows, params).unwrap());
    let mut enumerator = Enumerator::<M>::new(problem, Vec::new(), order, cap);
    let mut seen = BTreeMap::new();
    let ended = enumerator.run(&Control::unlimited(), |found| {
        let used: Vec<usize> = found.used.to_set(N).iter().collect();
        let n_subsets = 1u64 << (N - used.len() - found.blocked.len());
        let earlier = seen.insert(used, (found.forest.to_tree(found.tree), n_subsets));
        assert!(earlier.is_none(), "no tree comes twice");
        true
    });
    assert_eq!(ended, Some(Status::Complete));
    assert_eq!(seen, expected);
    assert_eq!(enumerator.n_distinct as usize, expected.len());
    assert!(enumerator.n_built >= enumerator.n_distinct);
}

#[test]
fn every_distinct_tree_once_with_its_number_of_subsets() {
    for seed in 0..120 {
        let data = random_table(seed, N, 24);
        let order = ORDERS[(seed / 3) as usize % 4];
        check_enumeration::<u64>(&data, &shallow(seed), order, usize::MAX);
        check_enumeration::<BitSet>(&data, &shallow(seed), order, 0);
    }
}

#[test]
fn id3_growth_enumerates_too() {
    let mut n_nominal = 0;
    for seed in 0..600 {
        let data = random_table(seed, N, 12);
        if data.columns().iter().any(|column| column.is_numeric()) {
            continue;
        }
        n_nominal += 1;
        let params = GrowthParams { growth: Growth::Id3, min_samples_branch: 0.0, ..GrowthParams::default() };
        check_enumeration::<u64>(&data, &params, Order::Frontier, usize::MAX);
    }
    assert!(n_nominal > 3);
}

#[test]
fn a_pause_loses_nothing() {
    let data = random_table(11, N, 24);
    let problem = Problem::new(&data, (0..24).collect(), &shallow(11)).unwrap();
    let mut enumerator = Enumerator::<u64>::new(Arc::new(problem), Vec::new(), Order::Frontier, usize::MAX);
    let mut n_seen = 0;
    loop {
        let ended = enumerator.run(&Control::unlimited(), |_| {
            n_seen += 1;
            n_seen % 3 != 0
        });
        if ended == Some(Status::Complete) {
            break;
        }
        assert_eq!(ended, None);
        let stopped = Control::unlimited();
        stopped.stop();
        enumerator.run(&stopped, |_| unreachable!("a stopped run visits nothing"));
    }
    assert_eq!(n_seen, enumerator.n_distinct);
    assert_eq!(n_seen as usize, brute_force(&data, &shallow(11)).len());
}
