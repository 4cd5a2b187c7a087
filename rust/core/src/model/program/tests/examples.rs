//! The shipped programs: they read, they round-trip, and they do what their Rust counterparts do.

use super::interpret::interpret;
use super::values::same;
use crate::base::random::Random;
use crate::model::program::{Limits, Program, Store, Value, examples};

/// A decision tree as the naive program sees it.
#[derive(Debug, Clone, PartialEq)]
struct Tree {
    id: i64,
    right: f64,
    rows: f64,
    children: Vec<Tree>,
}

fn random_tree(dice: &mut Random, depth: usize, rows: u32) -> Tree {
    let right = if rows == 0 { 0 } else { rows - dice.below(rows / 2 + 1) };
    let mut tree = Tree {
        id: dice.below(1000).into(),
        right: f64::from(right),
        rows: f64::from(rows),
        children: vec![],
    };
    if depth > 0 && rows > 1 && dice.below(4) > 0 {
        let mut left = rows;
        let n_children = 2 + dice.below(3);
        for k in 0..n_children {
            let share = if k + 1 == n_children { left } else { dice.below(left + 1) };
            left -= share;
            tree.children.push(random_tree(dice, depth - 1, share));
        }
    }
    tree
}

fn estimate(c: f64, n: f64) -> f64 {
    if n == 0.0 {
        return 0.0;
    }
    let (z, f) = (0.674_489_750_196_081_7, (n - c) / n);
    let spread = libm::sqrt(f / n - f * f / n + 0.1137341057798932 / (n * n));
    (f + 0.2274682115597864 / n + z * spread) / (1.0 + 0.4549364231195728 / n)
}

/// The same pruning, written directly.
fn prune(tree: &Tree) -> (Tree, f64) {
    let leaf = estimate(tree.right, tree.rows);
    if tree.children.is_empty() {
        return (tree.clone(), leaf);
    }
    let pruned: Vec<(Tree, f64)> = tree.children.iter().map(prune).collect();
    let below = pruned.iter().fold(0.0, |sum, (kept, rate)| sum + kept.rows / tree.rows * rate);
    let is_cut = tree.rows == 0.0 || leaf <= below + 1e-12;
    let children = if is_cut { vec![] } else { pruned.into_iter().map(|p| p.0).collect() };
    let rate = if children.is_empty() { leaf } else { below };
    (Tree { children, ..tree.clone() }, rate)
}

fn to_value(store: &mut Store, tree: &Tree) -> Value {
    let mark = store.data(0, &[Value::Int(tree.id)]);
    let head = [mark, Value::Float(tree.right), Value::Float(tree.rows)];
    if tree.children.is_empty() {
        return store.data(0, &head);
    }
    let children: Vec<Value> = tree.children.iter().map(|child| to_value(store, child)).collect();
    let end = store.data(0, &[]);
    let list = children.into_iter().rev().fold(end, |rest, child| store.data(1, &[child, rest]));
    store.data(1, &[head[0], head[1], head[2], list])
}

#[test]
fn the_naive_pruner_prunes_like_rust() {
    let program = Program::parse(examples::NAIVE).unwrap();
    let (mut dice, mut n_cut) = (Random::stream(1, 0), 0);
    for _ in 0..300 {
        let rows = dice.below(200) + 1;
        let tree = random_tree(&mut dice, 5, rows);
        let (expected, rate) = prune(&tree);
        n_cut += usize::from(expected != tree);
        let mut store = Store::new();
        let input = to_value(&mut store, &tree);
        let expected = to_value(&mut store, &expected);
        let run = interpret(&program, &mut store, &[input], &Limits::default()).unwrap().unwrap();
        let Value::Data(pair) = run.value else { panic!("a pair is data") };
        let [pruned, estimated] = store.fields(pair) else { panic!("a pair has two parts") };
        assert_eq!(*estimated, Value::Float(rate));
        assert!(same(&store, *pruned, &store, expected));
    }
    assert!(n_cut > 50, "only {n_cut} trees were pruned");
}

#[test]
fn the_published_estimator_is_its_formula() {
    let program = Program::parse(examples::PUBLISHED).unwrap();
    for (c, n) in [(1.0, 1.0), (3.0, 7.0), (40.0, 41.0), (1e6, 3e6)] {
        let tanh = libm::tanh;
        let first = tanh(tanh(tanh((n - c) / n)));
        let second = libm::sqrt(tanh(tanh(libm::sqrt(n))));
        let expected = (first + second) / tanh(libm::sqrt(libm::sqrt(c)));
        let args = [Value::Float(c), Value::Float(n)];
        let run = interpret(&program, &mut Store::new(), &args, &Limits::default()).unwrap().unwrap();
        assert_eq!(run.value, Value::Float(expected));
    }
}

#[test]
fn the_examples_round_trip() {
    for text in [examples::PUBLISHED, examples::NAIVE] {
        let program = Program::parse(text).unwrap();
        let printed = program.to_text();
        let again = Program::parse(&printed).unwrap();
        assert_eq!(program, again, "{printed}");
        assert_eq!(program.fingerprint(), again.fingerprint());
        assert_eq!(again.to_text(), printed);
    }
}
