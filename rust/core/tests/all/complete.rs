//! Complete search against the tree of every subset.

use std::sync::Arc;

use crate::common::subsets::{Drawn, N, drawn};
use crate::common::{Dice, random_table};
use treewright_core::bits::BitSet;
use treewright_core::control::Control;
use treewright_core::distinct::{CompleteRules, Evaluator, Order, Retrain, complete};
use treewright_core::induce::{GrowthParams, Problem};
use treewright_core::outcome::Status;

const ORDERS: [Order; 4] = [Order::Frontier, Order::FrontierDescending, Order::Index, Order::IndexDescending];
const ONE: u64 = 1 << 20;

fn random_rules(dice: &mut Dice) -> CompleteRules {
    let tolerance = [0, 0, 0, ONE / 3, ONE, 3 * ONE][dice.roll(6)];
    CompleteRules {
        order: ORDERS[dice.roll(4)],
        cap: [0, 20_000, usize::MAX][dice.roll(3)],
        tolerance,
        max_features: [N, N, 0, 1, 2, 3][dice.roll(6)],
        n_best: if tolerance == 0 { [1, 1, 2, 5, 100][dice.roll(5)] } else { 1 },
        counts_ties: tolerance == 0 && dice.chance(50),
        per_feature: [0, ONE / 2, ONE, 2 * ONE][dice.roll(4)],
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
            let ranked = everything.ranked(rules.max_features, rules.per_feature);
            let least = ranked[0].0;
            let list: Vec<_> =
                found.trees.iter().map(|best| (best.value, best.used.iter().collect::<Vec<_>>())).collect();
            if rules.tolerance == 0 {
                assert_eq!(list, ranked[..rules.n_best.min(ranked.len())], "seed {seed}: {rules:?}");
                assert_eq!((bound, status), (least, Status::Optimal));
            } else {
                assert!(list[0].0 <= least + rules.tolerance && ranked.contains(&list[0]));
                assert!(bound <= least && list[0].0 <= bound + rules.tolerance);
                assert_eq!(status, Status::Complete);
            }
            let n_ties = ranked.iter().filter(|(value, _)| *value == least).count() as u64;
            assert_eq!(found.n_ties, rules.counts_ties.then_some(n_ties), "seed {seed}: {rules:?}");
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
    assert!(everything.ranked(N, rules.per_feature).contains(&(best.value, used)));
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
        per_feature: 0,
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
        per_feature: 0,
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
            per_feature: 0,
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
