//! Programs in other languages: the text of each, and the Rust text run against the interpreter.

use std::rc::Rc;

use super::interpret::interpret;
use super::values::{same, text};
use crate::base::random::Random;
use crate::model::program::{Language, Limits, Program, Store, Value, examples};

const SORT: &str = "type list = Nil | Cons of int * list
fun sort(xs: list): list =
  let
    fun insert(ys: list, x: int): list =
      case ys of
        Nil => Cons(x, Nil)
      | Cons(y, rest) => if x <= y then Cons(x, ys) else Cons(y, insert(rest, x))
  in
    case xs of Nil => Nil | Cons(x, rest) => insert(sort(rest), x)
  end
";

macro_rules! texts {
    ($name:literal) => {
        [
            (Language::Python, include_str!(concat!("code/", $name, ".python"))),
            (Language::Rust, include_str!(concat!("code/", $name, ".rust"))),
            (Language::Sml, include_str!(concat!("code/", $name, ".sml"))),
            (Language::Latex, include_str!(concat!("code/", $name, ".latex"))),
        ]
    };
}

mod sort {
    #![allow(clippy::all)] // written by a program
    include!("code/sort.rust");
}

mod prune {
    #![allow(clippy::all)] // written by a program
    include!("code/prune.rust");
}

#[test]
fn the_code_is_as_recorded() {
    let programs = [
        (examples::PUBLISHED, texts!("estimate")),
        (examples::NAIVE, texts!("prune")),
        (SORT, texts!("sort")),
    ];
    for (text, codes) in programs {
        let program = Program::parse(text).unwrap();
        for (language, code) in codes {
            assert_eq!(program.code(language), code, "{language:?} of {program}");
        }
    }
}

#[test]
fn sorting_in_rust_is_sorting() {
    let program = Program::parse(SORT).unwrap();
    let mut random = Random::stream(1, 1);
    let numbers: Vec<i64> = (0..40).map(|_| i64::from(random.below(100)) - 50).collect();
    let list = numbers.iter().fold(Rc::new(sort::List::Nil), |rest, &x| Rc::new(sort::List::Cons(x, rest)));
    let mut sorted = sort::sort(list);
    let mut found = Vec::new();
    while let sort::List::Cons(x, rest) = &*sorted.clone() {
        found.push(*x);
        sorted = rest.clone();
    }
    let mut expected = numbers.clone();
    expected.sort_unstable();
    assert_eq!(found, expected);
    let mut store = Store::new();
    let nil = store.data(0, &[]);
    let list = numbers.iter().fold(nil, |rest, &x| store.data(1, &[Value::Int(x), rest]));
    let sorted = interpret(&program, &mut store, &[list], &Limits::default()).unwrap().unwrap();
    let expected = expected.iter().rev().fold(nil, |rest, &x| store.data(1, &[Value::Int(x), rest]));
    assert!(same(&store, sorted.value, &store, expected));
}

/// A tree in Rust and in a store.
fn tree(store: &mut Store, random: &mut Random, depth: u32) -> (Rc<prune::Tree>, Value, f64) {
    let id = i64::from(random.below(50));
    let (mark, marked) = (Rc::new(prune::Mark::Mark(id)), store.data(0, &[Value::Int(id)]));
    if depth == 0 {
        let rows = f64::from(1 + random.below(8));
        let right = (rows * (0.5 + 0.1 * f64::from(random.below(6)))).floor();
        let value = store.data(0, &[marked, Value::Float(right), Value::Float(rows)]);
        return (Rc::new(prune::Tree::Leaf(mark, right, rows)), value, rows);
    }
    let (mut list, mut value, mut rows) = (Rc::new(prune::Trees::Empty), store.data(0, &[]), 0.0);
    for _ in 0..2 {
        let (child, child_value, child_rows) = tree(store, random, depth - 1);
        list = Rc::new(prune::Trees::More(child, list));
        value = store.data(1, &[child_value, value]);
        rows += child_rows;
    }
    let right = (rows * 0.6).floor();
    let node = store.data(1, &[marked, Value::Float(right), Value::Float(rows), value]);
    (Rc::new(prune::Tree::Node(mark, right, rows, list)), node, rows)
}

#[test]
fn pruning_in_rust_prunes_like_the_program() {
    let program = Program::parse(examples::NAIVE).unwrap();
    for seed in 0..20 {
        let mut store = Store::new();
        let (rust, value, _) = tree(&mut store, &mut Random::stream(5, seed), 4);
        let (pruned, rate) = prune::prune(rust);
        let run = interpret(&program, &mut store, &[value], &Limits::default()).unwrap().unwrap();
        let shown = text(&store, program.types(), program.signature().1, run.value);
        assert_eq!(written(&pruned, rate), shown);
    }
}

fn written(tree: &prune::Tree, rate: f64) -> String {
    format!("({}, {rate:?})", written_tree(tree))
}

fn written_tree(tree: &prune::Tree) -> String {
    let mut list = match tree {
        prune::Tree::Leaf(mark, right, rows) => return format!("Leaf({mark:?}, {right:?}, {rows:?})"),
        prune::Tree::Node(.., list) => list,
    };
    let (mut text, mut n) = (String::new(), 0);
    while let prune::Trees::More(child, rest) = &**list {
        text += &format!("More({}, ", written_tree(child));
        (list, n) = (rest, n + 1);
    }
    let prune::Tree::Node(mark, right, rows, _) = tree else { unreachable!("leaves came before") };
    format!("Node({mark:?}, {right:?}, {rows:?}, {text}Empty{})", ")".repeat(n))
}

#[test]
fn scalar_rules_are_told_from_general_programs() {
    let scalar = |text: &str| Program::parse(text).unwrap().is_scalar();
    assert!(scalar(examples::PUBLISHED));
    assert!(scalar("fun f(c: float, n: float): float = if c < n then c else n"));
    assert!(!scalar(examples::NAIVE) && !scalar(SORT));
    assert!(!scalar("fun f(c: float): float = let fun g(x: float): float = x in g(c) end"));
    assert!(!scalar("fun f(c: float, n: int): float = c"));
}
