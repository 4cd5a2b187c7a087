//! Searches that judge pruned trees, against growing, pruning and judging each tree from scratch.

use std::sync::Arc;

use crate::common::pruning::{black_box, pruned, rule};
use crate::common::subsets::{Drawn, Everything, drawn_to_prune, price};
use crate::common::{Dice, random_table, shallow};
use treewright_core::bits::BitSet;
use treewright_core::control::Control;
use treewright_core::data::{Dataset, MissingPolicy};
use treewright_core::distinct::{
    BestTrees, CompleteRules, Direction, Evaluator, Folds, Judging, Move, Order, Price, SelectionRules, Step,
    complete, complete_by_folds, incremental, incremental_within, select,
};
use treewright_core::induce::{GrowthParams, Problem};
use treewright_core::tree::Answers;

const ORDERS: [Order; 4] = [Order::Frontier, Order::FrontierDescending, Order::Index, Order::IndexDescending];
const ONE: u64 = 1 << 20;
const PER_FEATURE: [u64; 4] = [0, ONE / 2, ONE, 2 * ONE];

struct Drawing {
    data: Dataset,
    problem: Arc<Problem>,
    judging: Judging,
}

/// A table, how trees grow, and how they are pruned.
fn drawing(seed: u64) -> Drawing {
    let (n_features, n_rows) = (3 + seed as usize % 6, 40 + seed as usize % 50);
    let data = random_table(seed, n_features, n_rows);
    let missing = [MissingPolicy::Distribution, MissingPolicy::MostFrequent][seed as usize / 2 % 2];
    let mut params = GrowthParams { missing, ..shallow(seed) };
    if seed % 5 == 1 {
        let cost = |a: usize, b: usize| if a == b { 0.0 } else { [1.0, 4.0, 2.5][(a + 2 * b) % 3] };
        let n = data.n_classes();
        let matrix = (0..n).map(|a| (0..n).map(|b| cost(a, b)).collect()).collect();
        params.answers = Answers { cost_matrix: Some(matrix), ..params.answers };
    }
    let n_training = n_rows as u32 * 2 / 3;
    let problem = Problem::new(&data, (0..n_training).collect(), &params).unwrap();
    let judging = Judging {
        validation: (n_training..n_rows as u32).collect(),
        pruning: Some(rule(seed)),
        price: price(seed),
    };
    Drawing { data, problem: Arc::new(problem), judging }
}

#[test]
fn every_step_has_the_errors_of_the_pruned_tree() {
    let (mut n_pruned, control) = (0, Control::unlimited());
    for seed in 0..600 {
        let Drawing { data, problem, judging } = drawing(seed);
        let (n, mut dice) = (data.n_features(), Dice::new(seed + 1));
        let mut white = incremental(problem.clone(), judging.clone());
        let mut black = black_box(&problem, &data, &judging);
        let mut allowed = BitSet::full(n);
        white.start(&allowed, &control).unwrap();
        black.start(&allowed, &control).unwrap();
        for _ in 0..10 {
            assert_eq!(white.errors(), black.errors(), "seed {seed}");
            assert_eq!(white.n_leaves(), black.n_leaves(), "seed {seed}");
            assert_eq!(white.value(), black.value(), "seed {seed}");
            let tree = pruned(&white.tree(), judging.pruning.as_ref().unwrap());
            assert_eq!(tree, black.tree(), "seed {seed}");
            assert_eq!(white.used(), black.used(), "seed {seed}");
            n_pruned += usize::from(tree.nodes().len() < white.tree().nodes().len());
            let feature = dice.roll(n);
            let (mut next, adds) = (allowed.clone(), !allowed.contains(feature));
            let dropped = BitSet::of(n, if adds { None } else { Some(feature) });
            match adds {
                true => next.insert(feature),
                false => next.remove(feature),
            };
            let step = Move { allowed: next.clone(), dropped, adds };
            let bound = [u64::MAX, black.value(), black.value() + ONE, 2 * ONE][dice.roll(4)];
            let probed = |judge: &mut dyn Evaluator| judge.probe(&step, bound, &control).unwrap();
            assert_eq!(probed(&mut *white), probed(&mut black), "seed {seed}: below {bound}");
            white.accept(&step, &control).unwrap();
            black.accept(&step, &control).unwrap();
            allowed = next;
        }
    }
    assert!(n_pruned > 2000, "{n_pruned}");
}

fn selection_rules(n: usize, dice: &mut Dice) -> SelectionRules {
    let direction = [Direction::Backward, Direction::Backward, Direction::Forward][dice.roll(3)];
    let backward = direction == Direction::Backward;
    let floating = dice.chance(30);
    let tolerance = if backward && !floating { [0, 0, ONE, 3 * ONE][dice.roll(4)] } else { 0 };
    SelectionRules {
        direction,
        floating,
        tolerance,
        parsimonious: backward && dice.chance(30),
        min_features: dice.roll(2),
        max_features: n,
        units: (0..n).map(|feature| BitSet::of(n, [feature])).collect(),
        required: BitSet::empty(n),
        start: if backward { BitSet::full(n) } else { BitSet::empty(n) },
        per_feature: PER_FEATURE[dice.roll(4)],
    }
}

#[test]
fn selection_is_that_of_the_black_box() {
    let control = Control::unlimited();
    for seed in 0..600 {
        let Drawing { data, problem, judging } = drawing(seed);
        let rules = selection_rules(data.n_features(), &mut Dice::new(seed + 1));
        let cap = [usize::MAX, 0, 10_000][seed as usize % 3];
        let mut white = incremental_within(cap, problem.clone(), judging.clone());
        let mut black = black_box(&problem, &data, &judging);
        let fast = select(&mut *white, &rules, &control).unwrap().value.unwrap();
        let slow = select(&mut black, &rules, &control).unwrap().value.unwrap();
        assert_eq!((&fast.selected, fast.value), (&slow.selected, slow.value), "seed {seed}");
        let steps = |history: &[Step]| {
            history
                .iter()
                .map(|step| (step.changed.clone(), step.added, step.errors, step.n_leaves))
                .collect::<Vec<_>>()
        };
        assert_eq!(steps(&fast.history), steps(&slow.history), "seed {seed}");
    }
}

fn complete_rules(n: usize, dice: &mut Dice) -> CompleteRules {
    let tolerance = [0, 0, 0, ONE][dice.roll(4)];
    CompleteRules {
        order: ORDERS[dice.roll(4)],
        cap: [0, 20_000, usize::MAX][dice.roll(3)],
        tolerance,
        max_features: [n, n, 1, 3][dice.roll(4)],
        n_best: if tolerance == 0 { [1, 1, 3, 100][dice.roll(4)] } else { 1 },
        counts_ties: tolerance == 0 && dice.chance(50),
        per_feature: PER_FEATURE[dice.roll(4)],
    }
}

#[test]
fn complete_search_finds_the_best_of_all_pruned_trees() {
    for seed in 0..700 {
        let n = if seed % 10 == 0 { 8 } else { 3 + seed as usize % 4 };
        let Drawn { problem, search, everything, .. } = drawn_to_prune(seed, n);
        let rules = complete_rules(n, &mut Dice::new(seed + 1));
        let found = complete(problem, search, &rules, &Control::unlimited()).unwrap();
        let bound = found.bound.unwrap();
        assert_found(&found.found().unwrap(), bound, &everything, &rules, seed);
    }
}

/// Whether that is what a search of everything must find.
fn assert_found(found: &BestTrees, bound: u64, everything: &Everything, rules: &CompleteRules, seed: u64) {
    let ranked = everything.ranked(rules.max_features, rules.per_feature);
    let least = ranked[0].0;
    let list: Vec<_> =
        found.trees.iter().map(|best| (best.value, best.used.iter().collect::<Vec<_>>())).collect();
    if rules.tolerance == 0 {
        assert_eq!(list, ranked[..rules.n_best.min(ranked.len())], "seed {seed}: {rules:?}");
        assert_eq!(bound, least, "seed {seed}");
    } else {
        assert!(list[0].0 <= least + rules.tolerance && ranked.contains(&list[0]), "seed {seed}");
        assert!(bound <= least && list[0].0 <= bound + rules.tolerance, "seed {seed}");
    }
    let n_ties = ranked.iter().filter(|(value, _)| *value == least).count() as u64;
    assert_eq!(found.n_ties, rules.counts_ties.then_some(n_ties), "seed {seed}: {rules:?}");
}

/// Backward elimination by the summed values of several black boxes, the plainest way: what stays, and the value
/// of every step.
fn eliminated(folds: &mut [impl Evaluator], n: usize, per_feature: u64) -> (BitSet, Vec<u64>) {
    let control = Control::unlimited();
    let mut judged = |allowed: &BitSet| -> u64 {
        let mut used = BitSet::empty(n);
        let errors = folds.iter_mut().map(|fold| {
            fold.start(allowed, &control).unwrap();
            used.union_with(&fold.used());
            fold.value()
        });
        errors.sum::<u64>() + per_feature * used.len() as u64
    };
    let mut selected = BitSet::full(n);
    let mut history = vec![judged(&selected)];
    loop {
        let without = |gone: usize| BitSet::of(n, selected.iter().filter(|&feature| feature != gone));
        let steps: Vec<_> = selected.iter().map(|gone| (judged(&without(gone)), gone)).collect();
        match steps.into_iter().min() {
            Some((errors, gone)) if errors < history[history.len() - 1] => {
                history.push(errors);
                selected.remove(gone);
            }
            _ => return (selected, history),
        }
    }
}

/// Every so many rows judge the trees of the others.
fn folds_of(
    data: &Dataset,
    n_folds: u32,
    judging: &Judging,
    params: &GrowthParams,
) -> Vec<(Arc<Problem>, Judging)> {
    let fold = |fold: u32| {
        let rows = 0..data.n_rows() as u32;
        let (validation, training) = rows.partition::<Vec<u32>, _>(|row| row % n_folds == fold);
        let problem = Problem::new(data, training, params).unwrap();
        (Arc::new(problem), Judging { validation, ..judging.clone() })
    };
    (0..n_folds).map(fold).collect()
}

#[test]
fn folds_are_judged_by_the_sum_of_their_values() {
    let control = Control::unlimited();
    for seed in 0..200 {
        let (n, n_rows, n_folds) = (3 + seed as usize % 4, 45, 2 + seed as u32 % 2);
        let data = random_table(seed, n, n_rows);
        let pruning = (seed % 3 > 0).then(|| rule(seed));
        let price = Price::of_leaf([0, ONE][seed as usize / 2 % 2], n_folds as usize);
        let judging = Judging { validation: Vec::new(), pruning, price };
        let folds = folds_of(&data, n_folds, &judging, &shallow(seed));
        let white = folds.iter().map(|(problem, judging)| incremental(problem.clone(), judging.clone()));
        let mut black: Vec<_> =
            folds.iter().map(|(problem, judging)| black_box(problem, &data, judging)).collect();
        let rules = SelectionRules {
            floating: false,
            tolerance: 0,
            parsimonious: false,
            min_features: 0,
            direction: Direction::Backward,
            start: BitSet::full(n),
            ..selection_rules(n, &mut Dice::new(seed))
        };
        let found = select(&mut Folds::new(white.collect()), &rules, &control).unwrap().value.unwrap();
        let value =
            |step: &Step| price.value(step.errors, step.n_leaves) + rules.per_feature * step.n_used as u64;
        let history: Vec<u64> = found.history.iter().map(value).collect();
        assert_eq!(Some(&found.value), history.last(), "seed {seed}");
        assert_eq!((found.selected, history), eliminated(&mut black, n, rules.per_feature), "seed {seed}");
        assert_eq!(found.trees.len(), n_folds as usize);
    }
}

#[test]
fn complete_search_finds_the_best_of_all_trees_of_several_folds() {
    for seed in 0..300 {
        let n = if seed % 20 == 0 { 8 } else { 3 + seed as usize % 4 };
        let n_folds = 2 + seed as u32 % 2;
        let data = random_table(seed, n, 40);
        let pruning = (seed % 3 > 0).then(|| rule(seed));
        let price = Price::of_leaf([0, 0, ONE, ONE / 2][seed as usize / 2 % 4], n_folds as usize);
        let folds =
            folds_of(&data, n_folds, &Judging { validation: Vec::new(), pruning, price }, &shallow(seed));
        let judged = folds.iter().map(|(problem, judging)| Everything::of(problem, &data, judging));
        let all = judged.reduce(Everything::together).unwrap();
        let rules = complete_rules(n, &mut Dice::new(seed + 1));
        let found = complete_by_folds(folds, &rules, &Control::unlimited()).unwrap();
        let bound = found.bound.unwrap();
        let found = found.found().unwrap();
        assert!(found.trees.iter().all(|best| best.trees.len() == n_folds as usize));
        assert_found(&found, bound, &all, &rules, seed);
    }
}
