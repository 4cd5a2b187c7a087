//! Pruning as a program over trees does what the columns do, bit for bit, and a search improves it.

use super::grown::{own_trees, path};
use crate::base::control::Control;
use crate::base::ordering::PRUNE_TIE;
use crate::engines::evolve::tasks::machine::{Bench, Problem, ProgramSearch, score};
use crate::engines::evolve::tasks::tree_pruning::{TreePruning, full_form, naive};
use crate::engines::evolve::{Columns, Files, GrownNode, GrownTree, NAIVE, Plan, Scratch, Source};
use crate::model::data::LinearNetwork;
use crate::model::program::tests::interpret::interpret;
use crate::model::program::tests::values::same;
use crate::model::program::{Heap, Program, Store, Value, examples};

/// The shares of training rows of the presets, by the text and by the table of the paper.
const TEXT: [f64; 4] = [0.2, 0.25, 0.3, 0.35];
const TABLE: [f64; 4] = [0.1, 0.125, 0.15, 0.175];

fn trees(shares: &[f64], sizes: &[u32], seed: u64, n_trees: usize) -> Vec<GrownTree> {
    let mut networks = Vec::new();
    for (&n_inputs, n_removed) in sizes.iter().flat_map(|size| (0..5).map(move |removed| (size, removed))) {
        networks.extend(shares.iter().map(|&train_share| LinearNetwork { n_inputs, n_removed, train_share }));
    }
    let source = Source::Networks { networks, seed };
    source.trees(n_trees, &Control::unlimited()).unwrap().into_owned()
}

fn rule(formula: &str) -> Program {
    Program::parse(&format!("fun estimate(c: float, n: float): float = {formula}\n")).unwrap()
}

fn rules() -> Vec<Program> {
    vec![
        Program::parse(NAIVE).unwrap(),
        Program::parse(examples::PUBLISHED).unwrap(),
        rule("(n - c) / n"),
        rule("(n - c + 0.5) / n"),
        rule("(n - c + 0.7 + 0.4 * sqrt(n - c)) / n"),
        rule("let val e = n - c in if e < 1.0 then min(1.5, exp(e)) / n else tanh((e + log(n)) / n) end"),
    ]
}

/// What pruning by the columns of a rule makes of a tree: its leaves then, by their number in preorder, the
/// estimate of the root, and the test errors.
fn by_columns(rule: &Program, tree: &GrownTree) -> (Vec<usize>, f64, f64) {
    let (c, n): (Vec<f64>, Vec<f64>) = tree.nodes.iter().map(|node| (node.c, node.n)).unzip();
    let mut values = vec![0.0; n.len()];
    Columns::compile(rule).unwrap().run(&c, &n, &mut values, &mut Scratch::default());
    let mut is_leaf = vec![true; n.len()];
    for (id, node) in tree.nodes.iter().enumerate().rev() {
        let share = |child: usize| n[child] / n[id] * values[child];
        let below: f64 = node.children().filter(|&child| n[child] > 0.0).map(share).sum();
        let is_cut = node.n_children == 0 || node.n == 0.0 || values[id] <= below + PRUNE_TIE;
        values[id] = if node.n == 0.0 {
            0.0
        } else if is_cut {
            values[id]
        } else {
            below
        };
        is_leaf[id] = is_cut;
    }
    let (mut leaves, mut todo) = (Vec::new(), vec![0]);
    while let Some(id) = todo.pop() {
        match is_leaf[id] {
            true => leaves.push(id),
            false => todo.extend(tree.nodes[id].children().rev()),
        }
    }
    let errors = leaves.iter().map(|&id| tree.nodes[id].errors).sum();
    (leaves, values[0], errors)
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
    let (program, problem) = (full_form(rule).unwrap(), TreePruning::new(trees).unwrap());
    let (code, mut bench) = (program.compile(), Bench::new(&problem));
    let n_words = problem.inputs.heap.n_words();
    let (mut first, mut n_pruned) = (0, 0);
    for (k, tree) in trees.iter().enumerate() {
        let Bench { machine, heap } = &mut bench;
        let run = machine
            .run(&code, heap, &problem.inputs.words[k], &problem.inputs.limits)
            .expect("within the limits");
        let (leaves, rate) = unfold(&program, heap, run.value);
        let ids: Vec<usize> = leaves.iter().map(|mark| mark - first).collect();
        let (expected, estimate, errors) = by_columns(rule, tree);
        assert_eq!(ids, expected, "tree {k} by {rule}");
        assert_eq!(rate, estimate, "estimate of tree {k} by {rule}");
        let found = problem.errors(k, heap, run.value).expect("a pruning");
        assert!((found - errors).abs() <= 1e-9 * errors, "{found} and {errors} errors");
        let loss = problem.loss(k, &mut bench, run.value);
        assert_eq!(loss, (errors * problem.scale).round() as u32);
        bench.heap.truncate(n_words);
        n_pruned += usize::from(ids.len() < tree.nodes.iter().filter(|node| node.n_children == 0).count());
        first += tree.nodes.len();
    }
    n_pruned
}

#[test]
fn the_naive_program_is_the_naive_rule_in_its_traversal() {
    let program = naive();
    assert_eq!(full_form(&Program::parse(NAIVE).unwrap()).unwrap(), program);
    assert_eq!(Program::parse(&program.to_text()).unwrap(), program);
    assert_eq!(program.definitions().len(), 1, "all of it may change");
    assert_eq!(
        (program.size(), program.bits(&TreePruning::new(&[path(1)]).unwrap().inputs.vocabulary).round()),
        (119, 492.0)
    );
}

#[test]
fn on_generated_trees_it_prunes_as_the_columns_do() {
    for shares in [TEXT, TABLE] {
        let trees = trees(&shares, &[10, 11, 12], 21, 240);
        let n_pruned: Vec<usize> = rules().iter().map(|rule| check_equal(rule, &trees)).collect();
        assert!(n_pruned.iter().filter(|&&n| n > 100).count() >= 4, "{n_pruned:?} of 240 trees were pruned");
    }
}

#[test]
fn on_trees_of_many_branches_and_fractions_it_prunes_as_the_columns_do() {
    let trees = own_trees(400);
    let has = |fits: &dyn Fn(&GrownNode) -> bool| trees.iter().any(|tree| tree.nodes.iter().any(fits));
    assert!(has(&|node| node.n_children == 5) && has(&|node| node.n_children == 1));
    assert!(has(&|node| node.n == 0.0 && node.n_children > 0) && has(&|node| node.n.fract() != 0.0));
    for rule in rules() {
        let n_pruned = check_equal(&rule, &trees);
        assert!(n_pruned > 50, "{n_pruned} trees were pruned by {rule}");
    }
}

#[test]
fn on_a_path_of_thousands_of_nodes_it_prunes_as_the_columns_do() {
    for rule in rules() {
        check_equal(&rule, &[path(1), path(2), path(20_000)]);
    }
}

#[test]
fn the_plain_interpreter_agrees() {
    let trees = own_trees(40);
    let (program, problem) = (naive(), TreePruning::new(&trees).unwrap());
    let (code, mut bench) = (program.compile(), Bench::new(&problem));
    for k in 0..trees.len() {
        let mut store = Store::new();
        let ty = program.signature().0[0];
        let input = problem.inputs.heap.unload(program.types(), ty, problem.inputs.words[k][0], &mut store);
        let Bench { machine, heap } = &mut bench;
        let run = machine.run(&code, heap, &problem.inputs.words[k], &problem.inputs.limits).unwrap();
        let plain = interpret(&program, &mut store, &[input], &problem.inputs.limits).unwrap().unwrap();
        assert_eq!(plain.steps, run.steps);
        let found = heap.unload(program.types(), program.signature().1, run.value, &mut store);
        assert!(same(&store, plain.value, &store, found), "tree {k}");
    }
}

#[test]
fn a_search_improves_it_the_same_on_any_number_of_threads() {
    let trees = trees(&TABLE, &[8, 9], 5, 24);
    let problem = TreePruning::new(&trees).unwrap();
    let plan = Plan { seed: 3, budget: 1500, polish: 0, most_bits: 800.0, ..Plan::default() };
    let found = [1, 2].map(|n_threads| {
        let mut search = ProgramSearch::new(&problem, &naive(), plan);
        let control = Control::unlimited().threads(n_threads);
        let before = score(&problem, &naive()).loss;
        let files = Files::default();
        control.in_pool(|| search.run(None, &files, &control, &mut |_| {})).unwrap();
        let state = search.state.unwrap();
        let best = state.best();
        assert!(best.scored.loss < before, "{} of {before}", best.scored.loss);
        let losses: Vec<f64> = state.population.members().iter().map(|member| member.scored.loss).collect();
        (losses, best.program.to_text(), state.tally)
    });
    assert_eq!(found[0], found[1]);
}
