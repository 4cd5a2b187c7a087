//! Bottom-up pruning against every pruning there is, and what must not change it.

use crate::common::{Dice, grow_tree, random_table};
use treewright_core::bits::BitSet;
use treewright_core::control::Control;
use treewright_core::data::{Dataset, Label, RawColumn};
use treewright_core::error::Error;
use treewright_core::induce::GrowthParams;
use treewright_core::prune::{
    Action, ErrorLimit, Estimator, Judge, Limit, Pruned, Rows, Slack, refill, upper_quantile,
};
use treewright_core::tree::{Split, TextOptions, Tree};

fn prune(tree: &Tree, rates: &[f64], slack: Slack) -> Result<Pruned, Error> {
    let pruned = treewright_core::prune::prune(tree, tree, rates, slack, &Control::unlimited());
    pruned.map(|outcome| outcome.value.expect("nothing ends it"))
}

const NO_SLACK: Slack = Slack { errors: 0.0, rate: 0.0 };
const TENTH: Slack = Slack { errors: 0.1, rate: 0.0 };

fn grown(seed: u64, n_features: usize, n_rows: usize) -> (Dataset, Tree) {
    let data = random_table(seed, n_features, n_rows);
    let tree = grow_tree(&data, &GrowthParams::default(), &BitSet::full(n_features), 1);
    (data, tree)
}

fn estimators() -> Vec<Estimator> {
    let error_based = |limit| Estimator::ErrorBased(ErrorLimit::new(limit, 0.25).unwrap());
    vec![
        Estimator::Observed,
        Estimator::Score { z: upper_quantile(0.25) },
        error_based(Limit::C45),
        error_based(Limit::Weka),
        error_based(Limit::Exact),
        error_based(Limit::Wilson),
        Estimator::Pessimistic,
        Estimator::PerLeaf { alpha: 1.3 },
        Estimator::Published,
    ]
}

fn rates(tree: &Tree, rate: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    let own = |id: usize| tree.class_weights_of(id)[tree.nodes()[id].class as usize];
    (0..tree.nodes().len()).map(|id| rate(own(id), tree.nodes()[id].weight)).collect()
}

fn pruned_by(tree: &Tree, estimator: Estimator, slack: Slack) -> Pruned {
    prune(tree, &rates(tree, |c, n| estimator.rate(c, n)), slack).unwrap()
}

/// The leaves of every pruning of the subtree at a node; `None` where there are too many.
fn prunings(tree: &Tree, node: u32) -> Option<Vec<Vec<u32>>> {
    let mut below = vec![Vec::new()];
    for child in tree.nodes()[node as usize].children() {
        let own = prunings(tree, child)?;
        let join = |a: &Vec<u32>| own.iter().map(|b| [&a[..], b].concat()).collect::<Vec<_>>();
        below = below.iter().flat_map(join).collect();
        if below.len() > 3000 {
            return None;
        }
    }
    if tree.nodes()[node as usize].is_leaf() {
        below.clear();
    }
    below.push(vec![node]);
    Some(below)
}

#[test]
fn without_slack_the_estimate_is_the_least_of_all_prunings() {
    let (mut n_checked, mut n_prunings) = (0, 0);
    for seed in 0..400 {
        let (_, tree) = grown(seed, 1 + seed as usize % 4, 3 + seed as usize % 47);
        let Some(all) = prunings(&tree, 0) else { continue };
        for estimator in estimators() {
            let rates = rates(&tree, |c, n| estimator.rate(c, n));
            let total = tree.nodes()[0].weight;
            let share = |leaf: u32| match tree.nodes()[leaf as usize].weight {
                0.0 => 0.0,
                weight => weight / total * rates[leaf as usize],
            };
            let values = all.iter().map(|leaves| leaves.iter().map(|&leaf| share(leaf)).sum::<f64>());
            let least = values.fold(f64::INFINITY, f64::min);
            let pruned = prune(&tree, &rates, NO_SLACK).unwrap();
            let found = pruned.tree.estimates().unwrap()[0];
            assert!((found - least).abs() < 1e-11 * least.max(1.0), "{seed} {estimator:?}");
            n_checked += 1;
        }
        n_prunings += all.len();
    }
    assert!(n_checked > 2400 && n_prunings > 7000, "{n_checked} {n_prunings}");
}

#[test]
fn any_rates_at_all_are_minimised() {
    for seed in 0..300 {
        let (_, tree) = grown(seed, 3, 12);
        let Some(all) = prunings(&tree, 0) else { continue };
        let mut dice = Dice::new(seed);
        let rates: Vec<f64> = tree.nodes().iter().map(|_| dice.roll(1000) as f64 / 500.0 - 0.5).collect();
        let weight = |node: u32| tree.nodes()[node as usize].weight / tree.nodes()[0].weight;
        let value = |leaves: &Vec<u32>| leaves.iter().map(|&l| weight(l) * rates[l as usize]).sum::<f64>();
        let least = all.iter().map(value).fold(f64::INFINITY, f64::min);
        let found = prune(&tree, &rates, NO_SLACK).unwrap();
        assert!((found.tree.estimates().unwrap()[0] - least).abs() < 1e-11);
    }
}

#[test]
fn a_pruned_tree_is_the_top_of_the_whole_one() {
    for seed in 0..100 {
        let (_, tree) = grown(seed, 4, 60);
        for estimator in estimators() {
            let pruned = pruned_by(&tree, estimator, TENTH);
            for (new, &old) in pruned.tree.nodes().iter().zip(&pruned.origin) {
                let before = &tree.nodes()[old as usize];
                assert_eq!((new.class, new.weight, new.depth), (before.class, before.weight, before.depth));
                assert!(new.is_leaf() || new.split == before.split);
                assert_eq!(pruned.origin[new.parent as usize], before.parent);
                let expected = match (before.is_leaf(), new.is_leaf()) {
                    (true, _) => Action::Leaf,
                    (false, true) => Action::Cut,
                    (false, false) => Action::Kept,
                };
                assert_eq!(pruned.action[old as usize], expected);
            }
            let gone = pruned.action.iter().filter(|&&action| action == Action::Gone).count();
            assert_eq!(gone + pruned.tree.nodes().len(), tree.nodes().len());
        }
    }
}

#[test]
fn pruning_again_changes_nothing() {
    for seed in 0..100 {
        let (_, tree) = grown(seed, 4, 60);
        for estimator in estimators() {
            for slack in [NO_SLACK, TENTH] {
                let once = pruned_by(&tree, estimator, slack);
                let twice = pruned_by(&once.tree, estimator, slack);
                assert_eq!(twice.tree, once.tree);
                assert!(twice.action.iter().all(|&a| matches!(a, Action::Kept | Action::Leaf)));
            }
        }
    }
}

#[test]
fn stretching_and_shifting_the_estimate_changes_no_node() {
    for seed in 0..100 {
        let (_, tree) = grown(seed, 4, 60);
        for estimator in estimators() {
            let slack = Slack { errors: 0.1, rate: 0.003 };
            let plain = pruned_by(&tree, estimator, slack);
            let stretched = Slack { errors: 0.4, rate: 0.012 };
            let rates = rates(&tree, |c, n| 4.0 * estimator.rate(c, n) + 0.5);
            assert_eq!(prune(&tree, &rates, stretched).unwrap().action, plain.action, "{seed} {estimator:?}");
        }
    }
}

#[test]
fn no_estimate_exceeds_that_of_a_lone_leaf() {
    for seed in 0..100 {
        let (_, tree) = grown(seed, 4, 60);
        for estimator in estimators() {
            let pruned = pruned_by(&tree, estimator, TENTH);
            assert!(pruned.tree.estimates().unwrap()[0] <= pruned.leaf[0] + 1e-12);
        }
    }
}

#[test]
fn errors_charged_for_every_leaf_nest_the_trees() {
    for seed in 0..60 {
        let (_, tree) = grown(seed, 4, 60);
        let mut before: Option<Pruned> = None;
        for alpha in [0.0, 0.1, 0.3, 0.5, 1.0, 1.7, 3.0, 10.0] {
            let pruned = pruned_by(&tree, Estimator::PerLeaf { alpha }, NO_SLACK);
            if let Some(before) = before {
                let nested = pruned.origin.iter().all(|old| before.origin.contains(old));
                assert!(nested, "{seed} {alpha}");
            }
            before = Some(pruned);
        }
    }
}

fn leaf_errors(tree: &Tree) -> f64 {
    let leaves = (0..tree.nodes().len()).filter(|&id| tree.nodes()[id].is_leaf());
    leaves.map(|id| tree.errors_of(id)).sum()
}

#[test]
fn observed_errors_never_rise() {
    for seed in 0..200 {
        let (_, tree) = grown(seed, 4, 60);
        let pruned = pruned_by(&tree, Estimator::Observed, NO_SLACK);
        assert!(leaf_errors(&pruned.tree) <= leaf_errors(&tree) + 1e-9);
    }
}

/// Nominal columns without missing values, with `unused` more levels declared than there are.
fn nominal(seed: u64, unused: i64) -> Dataset {
    let mut dice = Dice::new(seed);
    let (n_rows, n_values) = (50, 3);
    let columns =
        (0..4).map(|_| RawColumn::Nominal((0..n_rows).map(|_| dice.roll(n_values) as i32).collect()));
    let columns = columns.collect();
    let levels = vec![Some((0..n_values as i64 + unused).map(Label::Int).collect()); 4];
    let names = (0..4).map(|i| format!("x{i}")).collect();
    let target = (0..n_rows).map(|_| dice.roll(3) as i32).collect();
    let data = Dataset::new(names, columns, levels, n_rows).unwrap();
    data.with_target(target, (0..3).map(Label::Int).collect(), None).unwrap()
}

#[test]
fn a_level_without_rows_changes_no_estimate_and_no_prediction() {
    for seed in 0..60 {
        let (few, more) = (nominal(seed, 0), nominal(seed, 1));
        let grow = |data| grow_tree(data, &GrowthParams::default(), &BitSet::full(4), 1);
        let (small, large) = (grow(&few), grow(&more));
        for estimator in estimators() {
            let (a, b) = (pruned_by(&small, estimator, TENTH), pruned_by(&large, estimator, TENTH));
            let n_splits = a.tree.nodes().len() - a.tree.n_leaves();
            assert_eq!(a.tree.nodes().len() + n_splits, b.tree.nodes().len());
            let (own, other) = (a.tree.estimates().unwrap()[0], b.tree.estimates().unwrap()[0]);
            assert!((own - other).abs() < 1e-12);
            let columns: Vec<RawColumn> = few.columns().iter().map(|column| column.to_raw()).collect();
            let control = Control::unlimited();
            let classes = |tree: &Tree| tree.predict(&columns, &control).unwrap().value;
            assert_eq!(classes(&a.tree), classes(&b.tree));
        }
    }
}

fn refilled(tree: &Tree, data: &Dataset, judge: Judge) -> Tree {
    let rows = Rows::new(tree, data, None).unwrap();
    refill(tree, &rows, judge, &Control::unlimited()).unwrap().value.unwrap()
}

#[test]
fn a_tree_refilled_with_its_own_rows_is_itself() {
    for seed in 0..200 {
        let (data, tree) = grown(seed, 4, 60);
        assert_eq!(refilled(&tree, &data, Judge::Relabel), tree, "{seed}");
    }
}

#[test]
fn refilled_errors_are_those_of_classifying() {
    let mut n_rows = 0;
    for seed in 0..200 {
        let all = random_table(seed, 4, 130);
        if all.columns().iter().any(|column| column.n_missing() > 0) {
            continue;
        }
        let [data, other] = [0..40, 40..130].map(|rows| all.take(&rows.collect::<Vec<i64>>()).unwrap());
        let tree = grow_tree(&data, &GrowthParams::default(), &BitSet::full(4), 1);
        let columns: Vec<RawColumn> = other.columns().iter().map(|column| column.to_raw()).collect();
        let filled = refilled(&tree, &other, Judge::Test);
        let predicted = filled.predict(&columns, &Control::unlimited()).unwrap().value.unwrap();
        let wrong = |row: &usize| predicted[*row] != i32::from(other.target().unwrap()[*row]);
        let weight = |row: usize| other.weights().map_or(1.0, |weights| weights[row]);
        let expected: f64 = (0..other.n_rows()).filter(wrong).map(weight).sum();
        assert!((leaf_errors(&filled) - expected).abs() < 1e-9);
        n_rows += other.n_rows();
    }
    assert!(n_rows > 5000, "{n_rows}");
}

#[test]
fn repeated_rows_leave_observed_errors_alone() {
    for seed in 0..60 {
        let (data, tree) = grown(seed, 4, 40);
        let rows: Vec<i64> = (0..data.n_rows() as i64).flat_map(|row| [row; 3]).collect();
        let tripled = refilled(&tree, &data.take(&rows).unwrap(), Judge::Relabel);
        let (once, thrice) = (
            pruned_by(&tree, Estimator::Observed, NO_SLACK),
            pruned_by(&tripled, Estimator::Observed, NO_SLACK),
        );
        assert_eq!(once.action, thrice.action, "{seed}");
    }
}

#[test]
fn an_infinite_rate_keeps_the_split_and_condemns_the_leaf() {
    let (_, tree) = grown(3, 4, 60);
    let n_nodes = tree.nodes().len();
    let mut rates = vec![0.5; n_nodes];
    rates[0] = f64::INFINITY;
    let pruned = prune(&tree, &rates, NO_SLACK).unwrap();
    assert_eq!(pruned.action[0], Action::Kept);
    assert!((pruned.tree.estimates().unwrap()[0] - 0.5).abs() < 1e-12);
    let leaves_only = |id: usize| if tree.nodes()[id].is_leaf() { f64::INFINITY } else { 0.9 };
    let pruned = prune(&tree, &(0..n_nodes).map(leaves_only).collect::<Vec<_>>(), NO_SLACK).unwrap();
    assert_eq!(pruned.tree.nodes().len(), 1);
    let pruned = prune(&tree, &vec![f64::INFINITY; n_nodes], NO_SLACK).unwrap();
    assert_eq!(pruned.tree.nodes().len(), n_nodes);
    let pruned = prune(&tree, &vec![f64::NEG_INFINITY; n_nodes], NO_SLACK).unwrap();
    assert_eq!(pruned.tree.nodes().len(), 1);
}

#[test]
fn an_unknown_rate_prunes_nothing_there_nor_above() {
    let (_, tree) = grown(3, 4, 60);
    let nodes = tree.nodes();
    let mut rates = vec![0.5; nodes.len()];
    rates[0] = f64::NAN;
    let pruned = prune(&tree, &rates, NO_SLACK).unwrap();
    assert_eq!(pruned.action[0], Action::Kept);
    assert!((pruned.tree.estimates().unwrap()[0] - 0.5).abs() < 1e-12);
    let unknown = (0..nodes.len()).rev().find(|&id| nodes[id].is_leaf() && nodes[id].weight > 0.0).unwrap();
    let rates: Vec<f64> = (0..nodes.len()).map(|id| if id == unknown { f64::NAN } else { 0.0 }).collect();
    let pruned = prune(&tree, &rates, NO_SLACK).unwrap();
    let (mut above, mut id) = (vec![], unknown);
    while id > 0 {
        id = nodes[id].parent as usize;
        above.push(id);
    }
    for (id, node) in nodes.iter().enumerate().filter(|(_, node)| !node.is_leaf()) {
        match pruned.action[id] {
            Action::Kept => assert!(above.contains(&id) && pruned.subtree[id].is_nan(), "{id}"),
            Action::Cut => assert!(above.contains(&(node.parent as usize)) && !above.contains(&id), "{id}"),
            _ => assert!(!above.contains(&id), "{id}"),
        }
    }
    assert!(pruned.tree.estimates().unwrap()[0].is_nan());
}

#[test]
fn infinite_and_unknown_estimates_are_kept_in_text_and_json() {
    let (_, tree) = grown(3, 4, 60);
    let n_nodes = tree.nodes().len();
    for (rate, words) in [
        (f64::NAN, "{unknown}"),
        (f64::INFINITY, "{inf}"),
        (f64::NEG_INFINITY, "{-inf}"),
        (-1e300, "{-1.0000e300}"),
        (0.25, "{0.2500}"),
    ] {
        let judged = tree.clone().with_estimates(vec![rate; n_nodes]);
        let read = Tree::from_json(&judged.to_json()).unwrap();
        assert_eq!(read, judged);
        assert_eq!(read.estimates().unwrap()[0].to_bits(), rate.to_bits());
        let text = judged.export_text(&TextOptions { show_estimates: true, ..TextOptions::default() });
        assert!(text.contains(words), "{words} {text}");
    }
}

#[test]
fn a_split_that_nothing_reaches_becomes_a_leaf() {
    let (data, tree) = grown(11, 4, 60);
    let lone = refilled(&tree, &data.take(&[0]).unwrap(), Judge::Test);
    let pruned = prune(&lone, &rates(&lone, |c, n| (n - c) / n), NO_SLACK).unwrap();
    for (node, &old) in pruned.tree.nodes().iter().zip(&pruned.origin) {
        assert!(node.weight > 0.0 || node.is_leaf(), "node {old}");
    }
}

#[test]
fn rows_that_stay_at_a_node_count_as_its_leaf() {
    let any = grow_tree(&nominal(0, 0), &GrowthParams::default(), &BitSet::empty(2), 1);
    let mut document: serde_json::Value = serde_json::from_str(&any.to_json()).unwrap();
    document["routing"] = "stop".into();
    document["nodes"] = serde_json::json!({
        "kind": ["listed", "leaf", "leaf"],
        "test": [1, null, null],
        "threshold": [null, null, null],
        "first_child": [1, null, null],
        "n_children": [2, 0, 0],
        "class": [0, 0, 1],
        "weight": [10.0, 4.0, 2.0],
        "class_weights": [[6.0, 4.0, 0.0], [4.0, 0.0, 0.0], [0.0, 2.0, 0.0]],
    });
    document["lists"] = serde_json::json!([[0, 2]]);
    let tree = Tree::from_json(&document.to_string()).unwrap();
    let pruned = prune(&tree, &[0.4, 0.0, 0.0], NO_SLACK).unwrap();
    assert!((pruned.subtree[0] - 0.4 * 0.4).abs() < 1e-15);
    assert!(matches!(pruned.tree.nodes()[0].split, Split::Listed { feature: 1, .. }));
    assert_eq!(pruned.tree.lists(), tree.lists());
}

#[test]
fn numbers_that_do_not_fit_are_told() {
    let (data, tree) = grown(3, 4, 60);
    assert!(matches!(prune(&tree, &[0.5], NO_SLACK), Err(Error::LengthMismatch { .. })));
    let rates = vec![0.5; tree.nodes().len()];
    let slack = Slack { errors: f64::NAN, rate: 0.0 };
    assert!(matches!(prune(&tree, &rates, slack), Err(Error::Parameter { name: "slack_errors", .. })));
    let more_classes = (0..data.n_classes() as i64 + 1).map(Label::Int).collect();
    let target = vec![0; data.n_rows()];
    let other = data.with_target(target, more_classes, None).unwrap();
    assert!(matches!(Rows::new(&tree, &other, None), Err(Error::OtherDomain { .. })));
}
