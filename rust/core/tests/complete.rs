//! Complete search, and the bounds it skips by, against the tree of every subset.

mod common;

use std::collections::BTreeMap;
use std::sync::Arc;

use common::{Dice, random_table};
use treewright_core::bits::{BitSet, Mask};
use treewright_core::control::Control;
use treewright_core::data::Dataset;
use treewright_core::distinct::{
    CompleteRules, Enumerator, Evaluator, Forest, Keeping, Order, Retrain, Space, Unwatched, Window, complete,
};
use treewright_core::induce::{Criterion, GrowthParams, Problem};
use treewright_core::outcome::Status;

const ORDERS: [Order; 4] = [Order::Frontier, Order::FrontierDescending, Order::Index, Order::IndexDescending];
const N: usize = 6;
const N_ROWS: usize = 40;
const ONE: u64 = 1 << 20;

/// Errors and, as a bit mask, used features of the tree of every subset.
struct Everything(Vec<(u64, u64)>);

impl Everything {
    fn of(problem: &Arc<Problem>, data: &Dataset, search: &[u32]) -> Self {
        let mut judge = Retrain::new(problem.clone(), data, search.to_vec());
        let mut judged = |subset: u64| {
            judge.start(&subset.to_set(N), &Control::unlimited()).expect("nothing interrupts");
            (judge.errors(), u64::of_set(&judge.used()))
        };
        Everything((0..1 << N).map(&mut judged).collect())
    }

    /// Errors and used features of the distinct trees with at most so many features, best first.
    fn ranked(&self, max_features: usize) -> Vec<(u64, Vec<usize>)> {
        let list = |used: u64| used.to_set(N).iter().collect::<Vec<_>>();
        let trees: BTreeMap<_, _> = self.0.iter().map(|&(errors, used)| (list(used), errors)).collect();
        let mut ranked: Vec<_> = trees.into_iter().map(|(used, errors)| (errors, used)).collect();
        ranked.retain(|(_, used)| used.len() <= max_features);
        ranked.sort_by_key(|(errors, used)| (*errors, used.len(), used.clone()));
        ranked
    }

    /// Fewest errors of the trees of a space.
    fn least(&self, space: &Space<u64>) -> Option<u64> {
        let trees = self.0.iter().zip(0u64..);
        let inside = trees.filter(|&(&(_, used), subset)| {
            space.required.is_subset(&used)
                && subset.is_subset(&space.allowed)
                && used.len() <= space.max_used
        });
        inside.map(|(&(errors, _), _)| errors).min()
    }
}

struct Drawn {
    problem: Arc<Problem>,
    search: Vec<u32>,
    everything: Everything,
    has_missing: bool,
}

fn drawn(seed: u64) -> Drawn {
    let criteria = [Criterion::InfoGain, Criterion::GainRatio, Criterion::Gini];
    let params = GrowthParams {
        criterion: criteria[seed as usize % 3],
        mdl_correction: seed % 3 != 2 && seed % 2 == 1,
        max_depth: (seed % 5 == 0).then_some(3),
        ..GrowthParams::default()
    };
    let data = random_table(seed, N, N_ROWS);
    let (building, search) = ((0..26).collect(), (26..N_ROWS as u32).collect::<Vec<_>>());
    let problem = Arc::new(Problem::new(&data, building, &params).unwrap());
    let everything = Everything::of(&problem, &data, &search);
    let has_missing = data.columns().iter().any(|column| column.n_missing() > 0);
    Drawn { problem, search, everything, has_missing }
}

fn random_rules(dice: &mut Dice) -> CompleteRules {
    let tolerance = [0, 0, 0, ONE / 3, ONE, 3 * ONE][dice.roll(6)];
    CompleteRules {
        order: ORDERS[dice.roll(4)],
        cap: [0, 20_000, usize::MAX][dice.roll(3)],
        tolerance,
        max_features: [N, N, 0, 1, 2, 3][dice.roll(6)],
        n_best: if tolerance == 0 { [1, 1, 2, 5, 100][dice.roll(5)] } else { 1 },
        counts_ties: tolerance == 0 && dice.chance(50),
    }
}

#[test]
fn the_best_trees_are_those_of_all_subsets() {
    for seed in 0..1500 {
        let Drawn { problem, search, everything, .. } = drawn(seed);
        let mut dice = Dice::new(seed + 1);
        for _ in 0..3 {
            let rules = random_rules(&mut dice);
            let found = complete(problem.clone(), search.clone(), &rules, &Control::unlimited()).unwrap();
            let (status, bound) = (found.status, found.bound.unwrap());
            let found = found.found().unwrap();
            let ranked = everything.ranked(rules.max_features);
            let least = ranked[0].0;
            let list: Vec<_> =
                found.trees.iter().map(|best| (best.errors, best.used.iter().collect::<Vec<_>>())).collect();
            if rules.tolerance == 0 {
                assert_eq!(list, ranked[..rules.n_best.min(ranked.len())], "seed {seed}: {rules:?}");
                assert_eq!((bound, status), (least, Status::Optimal));
            } else {
                assert!(list[0].0 <= least + rules.tolerance && ranked.contains(&list[0]));
                assert!(bound <= least && list[0].0 <= bound + rules.tolerance);
                assert_eq!(status, Status::Complete);
            }
            let n_ties = ranked.iter().filter(|(errors, _)| *errors == least).count() as u64;
            assert_eq!(found.n_ties, rules.counts_ties.then_some(n_ties), "seed {seed}: {rules:?}");
        }
    }
}

#[test]
fn no_tree_of_a_space_is_below_its_bound() {
    let (mut n_above_nothing, mut n_exact) = (0, 0);
    for seed in 0..400 {
        let Drawn { problem, search, everything, has_missing } = drawn(seed);
        let mut dice = Dice::new(seed + 1);
        for _ in 0..12 {
            let given = dice.roll(1 << N) as u64 | dice.roll(1 << N) as u64;
            let allowed = given & (dice.roll(1 << N) as u64 | dice.roll(1 << N) as u64);
            let required = allowed & dice.roll(1 << N) as u64;
            let max_used = [N, N, required.len(), required.len() + 1][dice.roll(4)];
            let space = Space { required, allowed, max_used };
            let least = everything.least(&space).unwrap_or(u64::MAX);
            let bounds = bounds_of(&problem, &search, given, &space, Window::EXACT);
            assert!(bounds.iter().all(|&bound| bound <= least), "seed {seed}: {bounds:?} above {least}");
            assert!(bounds.is_sorted(), "seed {seed}: looking ahead loosened a bound: {bounds:?}");
            let enough = least.min(3 * ONE);
            let windows =
                [Window { floor: 0, enough }, Window { floor: ONE, enough }, Window::whether(enough)];
            for window in windows {
                let roughly = bounds_of(&problem, &search, given, &space, window);
                for (rough, full) in roughly.into_iter().zip(&bounds) {
                    let clipped = |bound: u64| if bound < window.floor { 0 } else { enough.min(bound) };
                    assert_eq!(clipped(rough), clipped(*full), "seed {seed}: {window:?}");
                }
            }
            n_above_nothing += usize::from(bounds[2] > bounds[0]);
            if required == allowed && everything.0[allowed as usize].1 == allowed && !has_missing {
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
    search: &[u32],
    given: u64,
    space: &Space<u64>,
    window: Window,
) -> Vec<u64> {
    let control = Control::unlimited();
    let mut forest = Forest::<u64>::new(problem.clone(), search.to_vec(), Keeping::All);
    let tree = forest.grow(&given, &mut Unwatched, &control).unwrap();
    [0, 1, 2, 3, 50].map(|depth| forest.bound(tree, space, window, depth, &control).unwrap()).to_vec()
}

#[test]
fn a_pause_knows_a_bound_of_what_is_to_come() {
    for seed in 0..300 {
        let Drawn { problem, search, .. } = drawn(seed);
        let control = Control::unlimited();
        let mut enumerator = Enumerator::<u64>::new(problem, search, ORDERS[seed as usize % 4], usize::MAX);
        let (mut errors, mut bounds) = (Vec::new(), vec![enumerator.bound_to_come(&control).unwrap()]);
        let pause = |enumerator: &mut Enumerator<u64>, errors: &mut Vec<u64>| {
            enumerator.run(&control, |found| {
                errors.push(found.errors);
                false
            })
        };
        while pause(&mut enumerator, &mut errors).is_none() {
            bounds.push(enumerator.bound_to_come(&control).unwrap());
        }
        for (n_seen, bound) in bounds.into_iter().enumerate() {
            assert!(errors[n_seen..].iter().all(|&to_come| bound <= to_come), "seed {seed}");
        }
    }
}

#[test]
fn without_time_there_is_a_tree_and_nothing_proven() {
    let Drawn { problem, search, everything, .. } = drawn(3);
    let rules = CompleteRules { max_features: N, n_best: 1, ..random_rules(&mut Dice::new(3)) };
    let found = complete(problem, search, &rules, &Control::with_time_limit(Some(0.0))).unwrap();
    assert_eq!((found.status, found.bound), (Status::TimeLimit, Some(0)));
    let best = &found.found().unwrap().trees[0];
    let used: Vec<usize> = best.used.iter().collect();
    assert!(everything.ranked(N).contains(&(best.errors, used)));
}

#[test]
fn rules_that_do_not_go_together_are_refused() {
    let exact = CompleteRules {
        order: Order::Frontier,
        cap: 0,
        tolerance: 0,
        max_features: N,
        n_best: 2,
        counts_ties: true,
    };
    assert!(exact.check().is_ok());
    assert!(CompleteRules { n_best: 0, ..exact.clone() }.check().is_err());
    assert!(CompleteRules { tolerance: 1, n_best: 1, ..exact.clone() }.check().is_err());
    assert!(CompleteRules { tolerance: 1, counts_ties: false, ..exact.clone() }.check().is_err());
    let near = CompleteRules { tolerance: 1, n_best: 1, counts_ties: false, ..exact };
    assert!(near.check().is_ok());
}

#[test]
fn more_features_than_a_word_has_bits() {
    let data = random_table(17, 70, 24);
    let params = GrowthParams { min_samples_split: 12.0, ..GrowthParams::default() };
    let problem = Arc::new(Problem::new(&data, (0..16).collect(), &params).unwrap());
    let rules = CompleteRules {
        order: Order::Frontier,
        cap: usize::MAX,
        tolerance: 0,
        max_features: 2,
        n_best: 3,
        counts_ties: true,
    };
    let search: Vec<u32> = (16..24).collect();
    let found = complete(problem.clone(), search.clone(), &rules, &Control::unlimited()).unwrap();
    let mut judge = Retrain::new(problem, &data, search);
    let mut least = u64::MAX;
    for a in 0..70 {
        for b in a..70 {
            judge.start(&BitSet::of(70, [a, b]), &Control::unlimited()).unwrap();
            least = least.min(judge.errors());
        }
    }
    assert_eq!((found.status, found.found().unwrap().trees[0].errors), (Status::Optimal, least));
}

#[test]
fn a_search_cut_short_counts_the_errors_that_no_tree_avoids() {
    let mut n_proven = 0;
    for seed in 0..200 {
        let data = random_table(seed, 3, 40);
        let problem = Arc::new(Problem::new(&data, (0..20).collect(), &GrowthParams::default()).unwrap());
        let search: Vec<u32> = (20..40).collect();
        let rules = CompleteRules {
            order: Order::Frontier,
            cap: usize::MAX,
            tolerance: 0,
            max_features: 3,
            n_best: 1,
            counts_ties: false,
        };
        let whole = complete(problem.clone(), search.clone(), &rules, &Control::unlimited()).unwrap();
        let stopped = Control::with_time_limit(Some(0.0));
        let cut_short = complete(problem, search, &rules, &stopped).unwrap();
        assert!(matches!(cut_short.status, Status::TimeLimit | Status::Optimal), "seed {seed}");
        let bound = cut_short.bound.unwrap();
        assert!(bound <= whole.found().unwrap().trees[0].errors, "seed {seed}");
        assert!(bound <= cut_short.found().unwrap().trees[0].errors, "seed {seed}");
        n_proven += u32::from(bound > 0);
    }
    assert!(n_proven > 20, "{n_proven}");
}
