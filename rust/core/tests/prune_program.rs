//! Pruning as a program over trees: it does what the columns do, and nothing that a program returns is
//! scored for more than it is.

use treewright_core::control::Control;
use treewright_core::data::LinearNetwork;
use treewright_core::evolve::{self, Columns, Corpus, Decisions, GrownNode, GrownTree, Scratch, Source};
use treewright_core::program::{Heap, Limits, Program, Store, Ty, Value, examples, interpret};
use treewright_core::prune_program::{self, TreePruning, full_form, naive};
use treewright_core::random::Random;
use treewright_core::synthesis::{Bench, Plan, Problem, SynthesisError, UNIT, judge, vary};

/// The shares of training rows of the presets, by the text and by the table of the paper.
const TEXT: [f64; 4] = [0.2, 0.25, 0.3, 0.35];
const TABLE: [f64; 4] = [0.1, 0.125, 0.15, 0.175];

fn trees(shares: &[f64], sizes: &[u32], seed: u64, n_trees: usize) -> Vec<GrownTree> {
    let mut networks = Vec::new();
    for (&n_inputs, n_removed) in sizes.iter().flat_map(|size| (0..5).map(move |removed| (size, removed))) {
        networks
            .extend(shares.iter().map(|&train_share| LinearNetwork { n_inputs, n_removed, train_share }));
    }
    let source = Source::Networks { networks, seed };
    source.trees(n_trees, &Control::unlimited()).unwrap().into_owned()
}

/// A tree of one to five branches a node, some of them empty, with fractions of rows.
fn any_tree(random: &mut Random, depth: u32, n: f64) -> GrownTree {
    let node = |random: &mut Random, n: f64| {
        let c = n * f64::from(50 + random.below(51)) / 100.0;
        let errors = f64::from(random.below(400)) / 8.0;
        GrownNode { c, n, errors, first_child: 0, n_children: 0 }
    };
    let mut nodes = vec![node(random, n)];
    let (mut next, mut depths) = (0, vec![0]);
    while next < nodes.len() {
        if depths[next] < depth && random.below(4) > 0 {
            let n_children = 1 + random.below(5);
            nodes[next].first_child = nodes.len() as u32;
            nodes[next].n_children = n_children;
            let mut left = nodes[next].n;
            for k in 0..n_children {
                let part = left * f64::from(random.below(4)) / 4.0;
                let n = if k + 1 == n_children { left } else { part };
                left -= n;
                let child = node(random, n);
                nodes.push(child);
                depths.push(depths[next] + 1);
            }
        }
        next += 1;
    }
    GrownTree { nodes, n_test: 5000.0 }
}

fn own_trees(n_trees: u64) -> Vec<GrownTree> {
    let tree = |number| {
        let mut random = Random::stream(8, number);
        let n = 0.1 + f64::from(random.below(3000)) / 7.0;
        any_tree(&mut random, 1 + number as u32 % 5, n)
    };
    (0..n_trees).map(tree).collect()
}

/// A path of so many nodes, at each of which a row leaves.
fn path(n_nodes: u32) -> GrownTree {
    let mut nodes = Vec::new();
    for k in 0..n_nodes {
        let n = f64::from(n_nodes - k);
        let (first_child, n_children) = if k + 1 < n_nodes { (2 * k + 1, 2) } else { (0, 0) };
        nodes.push(GrownNode { c: (n * 0.6).max(1.0), n, errors: f64::from(k % 3), first_child, n_children });
        if n_children > 0 {
            nodes.push(GrownNode { c: 1.0, n: 1.0, errors: 1.0, first_child: 0, n_children: 0 });
        }
    }
    // The children of node 2k are 2k + 1, the leaf, and 2k + 2.
    GrownTree { nodes, n_test: f64::from(n_nodes) }
}

fn rule(formula: &str) -> Program {
    Program::parse(&format!("fun estimate(c: float, n: float): float = {formula}\n")).unwrap()
}

fn rules() -> Vec<Program> {
    vec![
        Program::parse(evolve::NAIVE).unwrap(),
        Program::parse(examples::PUBLISHED).unwrap(),
        rule("(n - c) / n"),
        rule("(n - c + 0.5) / n"),
        rule("(n - c + 0.7 + 0.4 * sqrt(n - c)) / n"),
        rule("let val e = n - c in if e < 1.0 then min(1.5, exp(e)) / n else tanh((e + log(n)) / n) end"),
    ]
}

/// What the columns of a rule make of every tree: nodes that are leaves then, by their number, and the
/// estimate of the root.
fn by_columns(rule: &Program, trees: &[GrownTree]) -> (Vec<(Vec<usize>, f64)>, Vec<f64>) {
    let corpus = Corpus::new(trees, 1).unwrap();
    let mut decisions = Decisions::default();
    let (c, n) = corpus.pairs();
    let values = corpus.estimates(&mut decisions);
    Columns::compile(rule).unwrap().run(c, n, values, &mut Scratch::default());
    corpus.decide(&mut decisions, corpus.whole(), 0.0);
    let pruned = |k: usize| {
        let (leaves, rate) = corpus.pruned(&decisions, k);
        let order = preorder(&trees[k]);
        (leaves.into_iter().map(|place| order[place]).collect(), rate)
    };
    let errors = (0..trees.len()).map(|k| corpus.errors(&decisions, k)).collect();
    ((0..trees.len()).map(pruned).collect(), errors)
}

fn preorder(tree: &GrownTree) -> Vec<usize> {
    let (mut order, mut todo) = (Vec::new(), vec![0]);
    while let Some(id) = todo.pop() {
        order.push(id);
        let node = &tree.nodes[id];
        todo.extend((0..node.n_children).rev().map(|k| (node.first_child + k) as usize));
    }
    order
}

/// Marks of the leaves of a returned tree, from left to right, and the estimate.
fn unfold(program: &Program, heap: &Heap, output: u64) -> (Vec<usize>, f64) {
    let mut store = Store::new();
    let value = heap.unload(program.types(), program.signature().1, output, &mut store);
    let fields = |value: &Value| match *value {
        Value::Data(cell) => (store.position(cell), store.fields(cell)),
        ref number => panic!("{number:?} is no data"),
    };
    let (_, [tree, Value::Float(rate)]) = fields(&value) else { panic!("a pair of tree and estimate") };
    let (mut leaves, mut todo) = (Vec::new(), vec![*tree]);
    while let Some(tree) = todo.pop() {
        let (position, parts) = fields(&tree);
        if position == 0 {
            let (_, [Value::Int(mark)]) = fields(&parts[0]) else { panic!("a mark holds a number") };
            leaves.push(*mark as usize);
            continue;
        }
        let before = todo.len();
        let mut list = &parts[3];
        while let (1, [child, others]) = fields(list) {
            todo.push(*child);
            list = others;
        }
        todo[before..].reverse();
    }
    (leaves, *rate)
}

/// Holds the full form of a rule against its columns on every tree; how many trees it changed.
fn check_equal(rule: &Program, trees: &[GrownTree]) -> usize {
    let (expected, errors) = by_columns(rule, trees);
    let (program, problem) = (full_form(rule).unwrap(), TreePruning::new(trees).unwrap());
    let (code, mut bench) = (program.compile(), Bench::new(&problem));
    let n_words = problem.heap().n_words();
    let (mut first, mut n_pruned) = (0, 0);
    for (k, tree) in trees.iter().enumerate() {
        let Bench { machine, heap } = &mut bench;
        let run = machine.run(&code, heap, problem.input(k), problem.limits()).expect("within the limits");
        let (leaves, rate) = unfold(&program, heap, run.value);
        let ids: Vec<usize> = leaves.iter().map(|mark| mark - first).collect();
        assert_eq!(ids, expected[k].0, "tree {k} by {rule}");
        assert_eq!(rate, expected[k].1, "estimate of tree {k} by {rule}");
        let found = problem.errors(k, heap, run.value).expect("a pruning");
        assert!((found - errors[k]).abs() <= 1e-9 * errors[k], "{found} and {} errors", errors[k]);
        let loss = problem.loss(k, &mut bench, run.value);
        assert_eq!(loss, (errors[k] * problem.scale()).round() as u32);
        bench.heap.truncate(n_words);
        n_pruned += usize::from(ids.len() < tree.nodes.iter().filter(|node| node.n_children == 0).count());
        first += tree.nodes.len();
    }
    n_pruned
}

#[test]
fn the_naive_program_is_the_naive_rule_in_its_traversal() {
    let program = naive();
    assert_eq!(full_form(&Program::parse(evolve::NAIVE).unwrap()).unwrap(), program);
    assert_eq!(Program::parse(&program.to_text()).unwrap(), program);
    assert_eq!(program.definitions().len(), 1, "all of it may change");
    let bits = program.bits(&prune_program::vocabulary());
    eprintln!("{bits} {}", program.size());
}

#[test]
fn on_generated_trees_it_prunes_as_the_columns_do() {
    for shares in [TEXT, TABLE] {
        let trees = trees(&shares, &[10, 11, 12], 21, 240);
        for rule in rules() {
            let n_pruned = check_equal(&rule, &trees);
            assert!(n_pruned > 200 || rule == rules()[0] || rule == rules()[2], "{n_pruned} by {rule}");
        }
    }
}
