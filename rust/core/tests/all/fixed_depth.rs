//! The best tree of a fixed depth: every solver against every other, and the opt-feature list against
//! trying each feature.

use std::sync::Arc;
use treewright_core::error::Error;

use treewright_core::control::Control;
use treewright_core::data::{Feature, Label, MissingMode, Schema};
use treewright_core::fixed_depth::{Found, Method, NaiveBayes, OptFeatureList, Reach, Task, solve};
use treewright_core::tree::{Decision, Routing, Split};

/// A small generator of random numbers.
struct Random(u64);

impl Random {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % below
    }

    /// Shares of whole numbers; some are zero.
    fn shares(&mut self, n: usize) -> Vec<f64> {
        let counts: Vec<f64> = (0..n).map(|_| self.next(6) as f64).collect();
        let total: f64 = counts.iter().sum();
        match total == 0.0 {
            true => vec![1.0 / n as f64; n],
            false => counts.iter().map(|count| count / total).collect(),
        }
    }

    fn model(&mut self, n_classes: usize, n_features: usize) -> NaiveBayes {
        let features: Vec<Vec<Vec<f64>>> = (0..n_features)
            .map(|_| {
                let n_values = 1 + self.next(4) as usize;
                let by_class: Vec<Vec<f64>> = (0..n_classes).map(|_| self.shares(n_values)).collect();
                (0..n_values).map(|value| by_class.iter().map(|shares| shares[value]).collect()).collect()
            })
            .collect();
        NaiveBayes::of(self.shares(n_classes), &features)
    }
}

fn schema(model: &NaiveBayes) -> Arc<Schema> {
    let levels = |feature| model.values(feature).map(|value| Label::Int(value as i64)).collect();
    let features = (0..model.n_features()).map(|feature| Feature {
        name: format!("f{feature}"),
        levels: Some(levels(feature)),
        missing: MissingMode::Unknown,
        range: None,
    });
    let classes = (0..model.n_classes()).map(|class| Label::Int(class as i64)).collect();
    Arc::new(Schema { features: features.collect(), classes })
}

fn best(model: &NaiveBayes, reach: &Reach, method: Method, trims: bool) -> Found {
    let task =
        Task { reach: reach.clone(), method, trims, routing: Routing::Stop, decision: Decision::default() };
    let found = solve(model, &schema(model), &task, &Control::unlimited());
    found.expect("the method fits").value.expect("nothing interrupts")
}

/// What a tree is worth, from its own leaves and the model; and the tests of its longest path.
fn judge(model: &NaiveBayes, found: &Found, reach: &Reach) -> f64 {
    let nodes = found.tree.nodes();
    let mut open = vec![(0u32, model.classes().to_vec(), Vec::<u32>::new())];
    let mut sum = 0.0;
    while let Some((id, joint, path)) = open.pop() {
        let node = &nodes[id as usize];
        match node.split {
            Split::Leaf => sum += joint[node.class as usize],
            Split::ByValue { feature } => {
                assert!(!path.contains(&feature), "a feature is tested once on a path");
                let path: Vec<u32> = path.iter().copied().chain([feature]).collect();
                assert!(path.len() <= reach.depth);
                if let Some((costs, budget)) = &reach.costs {
                    assert!(path.iter().map(|&f| costs[f as usize]).sum::<u64>() <= *budget);
                }
                for (child, value) in node.children().zip(model.values(feature as usize)) {
                    let likelihood = model.likelihood(value);
                    let below = joint.iter().zip(likelihood).map(|(a, b)| a * b).collect();
                    open.push((child, below, path.clone()));
                }
            }
            _ => panic!("a fixed-depth tree asks for values"),
        }
    }
    sum
}

#[test]
fn all_solvers_find_a_tree_of_the_same_value() {
    let mut random = Random(1);
    for round in 0..1500 {
        let n_classes = 2 + round % 4;
        let n_features = random.next(5) as usize;
        let model = random.model(n_classes, n_features);
        let depth = random.next(5) as usize;
        let costs = (round % 3 == 0)
            .then(|| ((0..n_features).map(|_| random.next(4)).collect::<Vec<u64>>(), random.next(8)));
        let reach = Reach { depth, costs };
        let expected = best(&model, &reach, Method::Exhaustive, false);
        let mut methods = vec![Method::Sets, Method::Bounded];
        if n_classes == 2 {
            methods.push(Method::FeatureList);
        }
        for method in methods {
            for trims in [false, true] {
                let found = best(&model, &reach, method, trims);
                let difference = found.expected_accuracy - expected.expected_accuracy;
                assert!(difference.abs() <= 1e-12, "{method:?} {reach:?}: {difference} in round {round}");
                assert!((judge(&model, &found, &reach) - found.expected_accuracy).abs() <= 1e-12);
            }
        }
    }
}

#[test]
fn deeper_searches_agree_too() {
    let mut random = Random(2);
    for round in 0..40 {
        let model = random.model(2 + round % 3, 6);
        let reach = Reach { depth: 5, costs: None };
        let expected = best(&model, &reach, Method::Sets, false).expected_accuracy;
        let found = best(&model, &reach, Method::Bounded, true).expected_accuracy;
        assert!((found - expected).abs() <= 1e-12, "round {round}");
    }
}

#[test]
fn all_features_give_the_whole_of_naive_bayes() {
    let mut random = Random(3);
    for _ in 0..100 {
        let model = random.model(3, 3);
        let mut joints = vec![model.classes().to_vec()];
        for feature in 0..3 {
            let times = |joint: &Vec<f64>, value| {
                joint.iter().zip(model.likelihood(value)).map(|(a, b)| a * b).collect::<Vec<f64>>()
            };
            joints = joints
                .iter()
                .flat_map(|joint| model.values(feature).map(|value| times(joint, value)).collect::<Vec<_>>())
                .collect();
        }
        let whole: f64 = joints.iter().map(|joint| joint.iter().fold(0.0, |a: f64, &b| a.max(b))).sum();
        let found = best(&model, &Reach { depth: 7, costs: None }, Method::Bounded, true);
        assert!((found.expected_accuracy - whole).abs() <= 1e-12);
    }
}

#[test]
fn the_list_ranks_the_features_for_every_x() {
    let mut random = Random(4);
    for _ in 0..200 {
        let n_features = 1 + random.next(9) as usize;
        let model = random.model(2, n_features);
        let features: Vec<u32> = (0..n_features as u32).collect();
        let width = 1 + random.next(4) as usize;
        let list = OptFeatureList::new(&model, &features, width);
        assert_eq!(list.starts()[0], 0.0);
        assert!(list.starts().windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(list.width(), width.min(n_features));
        for step in 0..=200 {
            let x = step as f64 / 200.0;
            let value = |feature: usize| -> f64 {
                let pairs = model.values(feature).map(|value| model.likelihood(value));
                pairs.map(|pq| (x * pq[1]).max((1.0 - x) * pq[0])).sum()
            };
            let mut values: Vec<f64> = (0..n_features).map(value).collect();
            values.sort_by(|a, b| b.total_cmp(a));
            let ranked = list.lookup(x);
            assert_eq!(ranked, list.search(x));
            for (entry, expected) in ranked.iter().zip(values) {
                assert!((entry.value(x) - expected).abs() < 1e-12);
                assert!((value(entry.feature as usize) - expected).abs() < 1e-12);
            }
        }
    }
}

/// With d - 1 entries, as a figure of the paper has it, a path may have used them all.
#[test]
fn a_shorter_list_is_not_enough() {
    let mut random = Random(5);
    let mut n_worse = 0;
    for _ in 0..200 {
        let model = random.model(2, 4);
        let features: Vec<u32> = (0..4).collect();
        let short = OptFeatureList::new(&model, &features, 1);
        let exact = best(&model, &Reach { depth: 2, costs: None }, Method::FeatureList, false);
        let last = |joint: [f64; 2], used: u32| {
            let sum = joint[0] + joint[1];
            let leaf = joint[0].max(joint[1]);
            match sum > 0.0 {
                true => {
                    let unused = short.lookup(joint[1] / sum).iter().find(|entry| entry.feature != used);
                    unused.map_or(leaf, |entry| entry.value(joint[1] / sum) * sum)
                }
                false => 0.0,
            }
        };
        let value = |feature: u32| -> f64 {
            let values = model.values(feature as usize).map(|value| model.likelihood(value));
            values.map(|pq| last([model.classes()[0] * pq[0], model.classes()[1] * pq[1]], feature)).sum()
        };
        let found = features.iter().map(|&feature| value(feature)).fold(0.0, f64::max);
        n_worse += usize::from(found < exact.expected_accuracy - 1e-9);
    }
    assert!(n_worse > 0, "one entry was enough for two tests");
}

#[test]
fn the_list_is_of_two_classes() {
    let model = Random(6).model(3, 2);
    let task = Task {
        reach: Reach { depth: 2, costs: None },
        method: Method::FeatureList,
        trims: true,
        routing: Routing::Stop,
        decision: Decision::default(),
    };
    let error = solve(&model, &schema(&model), &task, &Control::unlimited()).expect_err("three classes");
    assert_eq!(error, Error::NotTwoClasses { n_classes: 3 });
}

#[test]
fn a_time_limit_leaves_a_tree_and_a_bound() {
    let model = Random(7).model(2, 30);
    let task = Task {
        reach: Reach { depth: 6, costs: None },
        method: Method::Exhaustive,
        trims: true,
        routing: Routing::Stop,
        decision: Decision::default(),
    };
    let control = Control::with_time_limit(Some(0.05));
    let found = solve(&model, &schema(&model), &task, &control).expect("it fits");
    assert_eq!(found.status.name(), "time_limit");
    let (bound, found) = (found.bound.expect("a bound"), found.value.expect("a tree"));
    assert!(bound <= found.expected_cost && found.expected_cost < 1.0);
    assert_eq!(found.expected_cost, 1.0 - found.expected_accuracy);
}

/// Feature 1 tells the classes apart, feature 0 nothing, and of feature 2 there is one value only.
#[test]
fn trimming_leaves_out_questions_that_decide_nothing() {
    let idle = vec![vec![0.5, 0.5], vec![0.5, 0.5]];
    let telling = vec![vec![0.9, 0.2], vec![0.1, 0.8]];
    let model = NaiveBayes::of(vec![0.5, 0.5], &[idle, telling, vec![vec![1.0, 1.0]]]);
    let reach = Reach { depth: 3, costs: None };
    for method in [Method::Exhaustive, Method::FeatureList, Method::Sets, Method::Bounded] {
        let found = best(&model, &reach, method, true);
        assert!((found.expected_accuracy - 0.85).abs() <= 1e-12);
        assert_eq!(found.tree.nodes()[0].split, Split::ByValue { feature: 1 });
        assert_eq!(found.tree.nodes().len(), 3);
        assert!((judge(&model, &found, &reach) - 0.85).abs() <= 1e-12);
        assert!((found.tree.nodes()[1].weight - 0.55).abs() <= 1e-12);
    }
}
