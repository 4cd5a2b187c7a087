//! Columns, corpora and verdicts against what is written out plainly.

use super::{corpus, random_rule};
use crate::base::random::Random;
use crate::common::evolving::rule;
use crate::engines::evolve::corpus::{Corpus, GrownNode, GrownTree};
use crate::engines::evolve::moves::{Draft, FORMULAS, Material, Neutral, apply_neutral, vary};
use crate::engines::evolve::population::Member;
use crate::engines::evolve::task::{Bounds, Scored, Verdict};
use crate::engines::evolve::tasks::formula::baseline::{NAIVE, rivals};
use crate::engines::evolve::tasks::formula::columns::{Columns, Scratch};
use crate::engines::evolve::tasks::formula::judge::{Buffers, Judge, Objective, is_finite_up_to};
use crate::engines::prune::Estimator;
use crate::model::program::tests::interpret::interpret;
use crate::model::program::{Limits, Program, Store, Value, Vocabulary};

fn plain(program: &Program, c: f64, n: f64) -> f64 {
    let args = [Value::Float(c), Value::Float(n)];
    let run = interpret(program, &mut Store::default(), &args, &Limits::default()).unwrap().unwrap();
    match run.value {
        Value::Float(value) => value,
        value => panic!("{value:?}"),
    }
}

fn columns(program: &Program, pairs: &[(f64, f64)]) -> Vec<f64> {
    let (c, n): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    let mut values = vec![0.0; pairs.len()];
    Columns::compile(program).unwrap().run(&c, &n, &mut values, &mut Scratch::default());
    values
}

fn some_pairs() -> Vec<(f64, f64)> {
    let mut pairs = vec![(0.0, 0.0), (0.0, 5.0), (1e300, 1e308), (0.5, 0.75), (-1.0, 2.0)];
    pairs.extend((1..90).map(|n| (f64::from(n * 7 % n + 1), f64::from(n))));
    pairs
}

fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

#[test]
fn columns_agree_with_the_interpreter() {
    let pairs = some_pairs();
    for stream in 0..600 {
        let mut random = Random::stream(1, stream);
        let program = random_rule(&mut random, 3 + (stream % 40) as usize, stream % 2 == 0);
        let values = columns(&program, &pairs);
        for (&(c, n), value) in pairs.iter().zip(values) {
            let expected = plain(&program, c, n);
            assert!(same(value, expected), "{program} at ({c}, {n}): {value} for {expected}");
        }
    }
}

#[test]
fn neutral_moves_keep_every_value() {
    let pairs = some_pairs();
    let mut made = [0; Neutral::ALL.len()];
    for stream in 0..800 {
        let mut random = Random::stream(2, stream);
        let program = random_rule(&mut random, 25, stream % 2 == 0);
        let before = columns(&program, &pairs);
        for (k, kind) in Neutral::ALL.into_iter().enumerate() {
            let mut draft = Draft::open(&program);
            if apply_neutral(&mut draft, kind, &mut random).is_none() {
                continue;
            }
            made[k] += 1;
            let after = columns(&draft.close().unwrap(), &pairs);
            let kept = before.iter().zip(&after).all(|(&a, &b)| same(a, b));
            assert!(kept, "{kind:?} of {program} is {}", draft.close().unwrap());
        }
    }
    assert!(made.iter().all(|&n| n > 5), "every kind found a place: {made:?}");
}

#[test]
fn children_are_formulas_and_differ_from_their_parents() {
    let (parent, mate) = (Program::parse(NAIVE).unwrap(), rule("if c < n / 2.0 then 1.0 else (n - c) / n"));
    let scored = Scored { loss: 0.0, screen: 0.0, n_wrong: 0, cost: 0, behaviour: 0 };
    let (vocabulary, mates) = (Vocabulary::scalar(), [Member::new(mate, 0.0, scored, 0)]);
    let material = Material { vocabulary: &vocabulary, largest: 0, mates: &mates };
    let mut n_children = 0;
    for stream in 0..2000 {
        if let Some(child) = vary(&FORMULAS, &parent, &material, &mut Random::stream(3, stream)) {
            assert!(Columns::of(&child).is_ok() && child != parent);
            assert_eq!(Program::parse(&child.to_text()).unwrap(), child);
            n_children += 1;
        }
    }
    assert!(n_children > 1500, "{n_children}");
}

#[test]
fn the_naive_program_is_the_naive_rule() {
    let program = Program::parse(NAIVE).unwrap();
    let naive = Estimator::Score { z: 0.674_489_750_196_081_7 };
    let pairs: Vec<(f64, f64)> =
        (1..200).flat_map(|n| (1..=n).map(move |c| (f64::from(c), f64::from(n)))).collect();
    for (&(c, n), value) in pairs.iter().zip(columns(&program, &pairs)) {
        assert!((value - naive.rate(c, n)).abs() < 1e-12, "({c}, {n})");
    }
}

/// Prunes as it is written, from a list of nodes.
fn pruned_errors(tree: &GrownTree, id: usize, estimate: &dyn Fn(f64, f64) -> f64) -> (f64, f64) {
    let node = &tree.nodes[id];
    if node.n == 0.0 {
        return (0.0, node.errors);
    }
    let leaf = estimate(node.c, node.n);
    if node.n_children == 0 {
        return (leaf, node.errors);
    }
    let (mut below, mut errors) = (0.0, 0.0);
    for child in node.first_child..node.first_child + node.n_children {
        let (value, wrong) = pruned_errors(tree, child as usize, estimate);
        below += tree.nodes[child as usize].n / node.n * value;
        errors += wrong;
    }
    if leaf <= below + 1e-12 { (leaf, node.errors) } else { (below, errors) }
}

/// A random tree of nodes with up to four children, some of them empty.
fn random_tree(random: &mut Random) -> GrownTree {
    let mut nodes = vec![GrownNode { c: 50.0, n: 60.0, errors: 0.0, first_child: 0, n_children: 0 }];
    let mut next = 0;
    while next < nodes.len() && nodes.len() < 60 {
        let n = nodes[next].n;
        if n > 3.0 && random.below(4) > 0 {
            let n_children = 1 + random.below(4);
            (nodes[next].first_child, nodes[next].n_children) = (nodes.len() as u32, n_children);
            let mut rest = n;
            for k in 0..n_children {
                let share = f64::from(random.below(rest as u32 + 1));
                let n = if k + 1 == n_children { rest } else { share };
                rest -= n;
                let c = f64::from(1 + random.below(n.max(1.0) as u32)).min(n);
                let errors = f64::from(random.below(20));
                nodes.push(GrownNode { c, n, errors, first_child: 0, n_children: 0 });
            }
        }
        next += 1;
    }
    GrownTree { nodes, n_test: 100.0 }
}

#[test]
fn a_corpus_counts_what_pruning_tree_by_tree_counts() {
    let mut random = Random::stream(4, 0);
    let trees: Vec<GrownTree> = (0..200).map(|_| random_tree(&mut random)).collect();
    let corpus = Corpus::new(&trees, 25).unwrap();
    let judge = Judge::new(corpus, Objective::Errors, &rivals());
    let mut n_judged = 0;
    for stream in 0..200 {
        let program = random_rule(&mut Random::stream(5, stream), 12, true);
        let columns = Columns::of(&program).unwrap();
        let Some(found) = judge.errors(&columns, &mut Buffers::default()) else { continue };
        n_judged += 1;
        for (tree, errors) in trees.iter().zip(&found) {
            assert_eq!(pruned_errors(tree, 0, &|c, n| plain(&program, c, n)).1, *errors, "{program}");
        }
        match judge.judge(&columns, Bounds::NONE, |_| false, &mut Buffers::default()).0 {
            Verdict::Scored(scored) => assert_eq!(scored.loss, found.iter().sum::<f64>()),
            verdict => panic!("{verdict:?}"),
        }
    }
    assert!(n_judged > 50, "{n_judged}");
}

#[test]
fn trees_that_are_none_are_refused() {
    let leaf = GrownNode { c: 1.0, n: 2.0, errors: 0.0, first_child: 0, n_children: 0 };
    let tree = |nodes: Vec<GrownNode>, n_test| Corpus::new(&[GrownTree { nodes, n_test }], 1).is_ok();
    assert!(tree(vec![leaf.clone()], 1.0));
    assert!(!tree(vec![], 1.0) && !tree(vec![leaf.clone()], 0.0));
    assert!(!tree(vec![leaf.clone(), leaf.clone()], 1.0), "a node outside");
    assert!(!tree(vec![GrownNode { n_children: 1, ..leaf.clone() }], 1.0), "a node below itself");
    for (c, n) in [(0.0, 1.0), (3.0, 2.0), (f64::NAN, 1.0), (1.0, f64::INFINITY)] {
        assert!(!tree(vec![GrownNode { c, n, ..leaf.clone() }], 1.0), "({c}, {n})");
    }
}

#[test]
fn rules_that_are_not_finite_are_refused_and_affine_ones_known() {
    let judge = Judge::new(corpus(1, 40), Objective::MeanError, &rivals());
    let verdict = |formula: &str, known: u64| {
        let columns = Columns::of(&rule(formula)).unwrap();
        judge.judge(&columns, Bounds::NONE, |fingerprint| fingerprint == known, &mut Buffers::default())
    };
    for hostile in ["1.0 / (n - c)", "log(n - c)", "sqrt(c - n)", "0.0 / 0.0", "exp(exp(n))"] {
        assert_eq!(verdict(hostile, 0).0, Verdict::Undefined, "{hostile}");
    }
    let (_, first) = verdict("(n - c + 0.5) / n", 0);
    assert_eq!(verdict("3.0 * ((n - c + 0.5) / n) - 7.0", first).0, Verdict::Known);
    assert_ne!(verdict("-((n - c + 0.5) / n)", first).0, Verdict::Known);
    assert_ne!(verdict("(n - c + 0.6) / n", first).0, Verdict::Known);
    let (pole, mut scratch) = (Columns::of(&rule("1.0 / (n - 777.0)")).unwrap(), Scratch::default());
    assert!(is_finite_up_to(&pole, 700.0, &mut scratch));
    assert!(!is_finite_up_to(
        &Columns::of(&rule("1.0 / (n - 37.0)")).unwrap(),
        700.0,
        &mut Scratch::default()
    ));
}
