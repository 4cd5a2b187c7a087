//! What programs over trees are scored: prunings by their test errors, all else for more, whatever runs.

use super::grown::{own_trees, path};
use crate::base::error::Error;
use crate::base::random::Random;
use crate::engines::evolve::moves::{Material, PROGRAMS, vary};
use crate::engines::evolve::tasks::machine::{Bench, Problem, UNIT, judge};
use crate::engines::evolve::tasks::tree_pruning::{TreePruning, full_form, naive};
use crate::engines::evolve::{GrownNode, GrownTree};
use crate::model::program::Program;

/// A program over the types of trees.
fn program(body: &str) -> Program {
    let text = format!("fun prune(t: tree): tree * float = {body}");
    Program::parse_with(naive().types(), &text).unwrap()
}

/// Root 0 with the leaves 1, 2 and 3, of which 2 and 3 look alike.
fn small_tree() -> GrownTree {
    let node = |c: f64, n: f64, errors: f64| GrownNode { c, n, errors, first_child: 0, n_children: 0 };
    let root = GrownNode { first_child: 1, n_children: 3, ..node(6.0, 9.0, 30.0) };
    GrownTree {
        nodes: vec![root, node(3.0, 3.0, 2.0), node(2.0, 3.0, 4.0), node(2.0, 3.0, 5.0)],
        n_test: 90.0,
    }
}

fn loss(program: &Program, trees: &[GrownTree]) -> f64 {
    let problem = TreePruning::new(trees).unwrap();
    let scored = judge(&problem, program, &mut Bench::new(&problem), |_, _| false).unwrap();
    scored.loss / problem.scale
}

/// Test errors of the small tree by what stands for its root: mark, c, n, and the list of children.
fn loss_of(result: &str) -> f64 {
    let body = format!(
        "case t of Leaf(_, _, _) => (t, 0.0) | Node(mark, c, n, list) =>
            (case list of Empty => (t, 0.0) | More(one, rest) =>
            (case rest of Empty => (t, 0.0) | More(two, last) =>
            (case last of Empty => (t, 0.0) | More(three, _) => {result})))"
    );
    loss(&program(&body), &[small_tree()])
}

#[test]
fn a_pruning_costs_its_test_errors() {
    assert_eq!(loss_of("(t, 0.5)"), 11.0);
    assert_eq!(loss_of("(Leaf(mark, c, n), 0.5)"), 30.0);
    assert_eq!(loss_of("(Node(mark, c, n, More(one, More(two, More(three, Empty)))), -7.0)"), 11.0);
    assert_eq!(loss_of("(Leaf(mark, n - 3.0, 9.0), 0.0)"), 30.0, "what is equal is the same");
}

#[test]
fn anything_else_costs_more_than_every_pruning() {
    let all_rows_and_one = 91.0;
    for result in [
        "(t, 1.0 / 0.0)",
        "(t, 0.0 / 0.0)",
        "(one, 0.0)",
        "(Leaf(mark, c, n + 1.0), 0.0)",
        "(Leaf(mark, n, n), 0.0)",
        "(case one of Leaf(other, _, _) => Leaf(other, c, n) | Node(other, _, _, _) => t, 0.0)",
        "(Node(mark, c, n, Empty), 0.0)",
        "(Node(mark, c, n, rest), 0.0)",
        "(Node(mark, c, n, More(one, More(two, More(three, last)))), 0.0)",
        "(Node(mark, c, n, More(one, More(three, More(two, Empty)))), 0.0)",
        "(Node(mark, c, n, More(one, More(one, More(one, Empty)))), 0.0)",
        "(Node(mark, c, n, More(t, rest)), 0.0)",
        "(Leaf(Mark(1), c, n), 0.0)",
        "(Leaf(Mark(-1), c, n), 0.0)",
        "(Leaf(Mark(99), c, n), 0.0)",
    ] {
        assert_eq!(loss_of(result), all_rows_and_one, "{result}");
    }
    let node_for_leaf =
        "case t of Leaf(m, c, n) => (Node(m, c, n, Empty), 0.0) | Node(_, _, _, _) => (t, 0.0)";
    let leaf = GrownTree { nodes: vec![small_tree().nodes[1].clone()], n_test: 10.0 };
    assert_eq!(loss(&program(node_for_leaf), std::slice::from_ref(&leaf)), 11.0);
    assert_eq!(loss(&program("(t, 0.0)"), &[leaf]), 2.0);
}

#[test]
fn runs_past_their_limits_cost_most_and_harm_nothing() {
    let forever = "let fun go(x: tree, y: tree): float =
        case x of Leaf(_, c, _) => c
        | Node(_, _, _, ts) => (let fun on(us: trees): float =
            case us of Empty => 0.0 | More(u, vs) => go(u, y) + go(u, y) + go(u, y) + on(vs)
          in on(ts) end)
        in (t, go(t, t)) end";
    let hoard = "let fun go(x: int, ts: trees): trees =
        case x of 0 => ts | k + 1 => More(t, go(k, More(t, ts)))
        in (case go(1000000, Empty) of Empty => (t, 1.0) | More(u, _) => (u, 0.0)) end";
    let tail = "let fun go(x: int, ts: trees): trees =
        case x of 0 => ts | k + 1 => go(k, More(t, ts))
        in (case go(1000000, Empty) of Empty => (t, 1.0) | More(u, _) => (u, 0.0)) end";
    let trees = [path(200), small_tree()];
    let problem = TreePruning::new(&trees).unwrap();
    for text in [forever, hoard, tail] {
        let mut bench = Bench::new(&problem);
        let n_words = bench.heap.n_words();
        let scored = judge(&problem, &program(text), &mut bench, |_, _| false).unwrap();
        let worst = f64::from(UNIT) + loss(&program("(t, 0.0)"), &[small_tree()]) * problem.scale;
        assert!(scored.loss > worst, "{} for {text}", scored.loss);
        assert!(judge(&problem, &program(text), &mut bench, |loss, _| loss > 0.0).is_none());
        assert_eq!(bench.heap.n_words(), n_words);
        assert!(judge(&problem, &naive(), &mut bench, |_, _| false).unwrap().loss < f64::from(UNIT));
    }
}

#[test]
fn random_children_make_no_marks_and_harm_nothing() {
    let trees = [own_trees(12), vec![path(300)]].concat();
    let problem = TreePruning::new(&trees).unwrap();
    let mut bench = Bench::new(&problem);
    let material = Material { vocabulary: &problem.inputs.vocabulary, largest: 8, mates: &[] };
    let (mut program, mut n_children, mut n_prunings) = (naive(), 0, 0);
    for number in 0..800 {
        let mut random = Random::stream(4, number);
        let Some(child) = vary(&PROGRAMS, &program, &material, &mut random) else { continue };
        assert!(!child.to_text().replace("Mark of int", "").contains("Mark"), "{child}");
        let scored = judge(&problem, &child, &mut bench, |_, _| false).unwrap();
        n_children += 1;
        let wrong: f64 = problem.wrong.iter().sum::<f64>() * problem.scale;
        n_prunings += usize::from(scored.loss < wrong);
        // A walk of a few steps away from the start, then from there again.
        program = if number % 4 == 3 { naive() } else { child };
    }
    assert!(n_children > 300 && n_prunings > n_children / 2, "{n_prunings} prunings of {n_children}");
}

#[test]
fn large_and_fractional_errors_keep_their_order() {
    let mut large = small_tree();
    large.n_test = 1e9;
    large.nodes[0].errors = 5e8;
    let problem = TreePruning::new(std::slice::from_ref(&large)).unwrap();
    assert!(problem.scale < 1.0 && problem.scale * 1e9 > f64::from(UNIT) / 4.0);
    assert!(loss(&program("(t, 0.0)"), &[large]) < 1e5);
    let mut small = small_tree();
    small.nodes[1].errors = 2.25;
    assert_eq!(loss(&program("(t, 0.0)"), &[small]), 11.25);
}

#[test]
fn what_cannot_be_a_problem_is_refused() {
    assert!(TreePruning::new(&[]).is_err());
    let mut endless = small_tree();
    endless.nodes[1].errors = f64::MAX;
    endless.nodes[2].errors = f64::MAX;
    assert!(TreePruning::new(&[endless]).is_err());
    let mut none = small_tree();
    none.nodes[1].c = 0.0;
    assert!(TreePruning::new(&[none]).is_err());
    let problem = TreePruning::new(&[small_tree()]).unwrap();
    let number = Program::parse_with(naive().types(), "fun f(t: tree): float = 1.0").unwrap();
    let rule = Program::parse("fun estimate(c: float, n: float): float = n - c").unwrap();
    let error = problem.check(&number).unwrap_err();
    assert!(matches!(&error, Error::ProgramType { found, .. } if found == "tree -> float"), "{error}");
    assert!(problem.check(&rule).is_err());
    assert!(full_form(&number).is_err());
}
