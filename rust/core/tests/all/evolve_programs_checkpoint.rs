//! Searches that are stored and gone on with, and those that a scorer judges.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use treewright_core::control::Control;
use treewright_core::error::Error;
use treewright_core::evolve::{
    Examples, Files, Outputs, Plan, ProgramSearch, ScoredInputs, Scorer, State, seed_of,
};
use treewright_core::outcome::Status;
use treewright_core::program::{Program, Store, Types, Value};

fn types() -> Arc<Types> {
    Program::parse("type list = Nil | Cons of int * list fun f(x: int): int = x").unwrap().types().clone()
}

fn program(text: &str) -> Program {
    Program::parse_with(&types(), text).unwrap()
}

fn list(store: &mut Store, items: &[i64]) -> Value {
    let end = store.data(0, &[]);
    items.iter().rev().fold(end, |rest, &item| store.data(1, &[Value::Int(item), rest]))
}

const LISTS: [&[i64]; 6] = [&[], &[4], &[1, 2], &[5, 3], &[7, 1, 3], &[2, 9, 4, 6]];

fn reversal() -> (Program, Examples) {
    let start = program("fun f(xs: list): list = xs");
    let mut store = Store::new();
    let inputs: Vec<Vec<Value>> = LISTS.iter().map(|items| vec![list(&mut store, items)]).collect();
    let turned = |items: &&[i64]| items.iter().rev().copied().collect::<Vec<_>>();
    let outputs: Vec<Value> = LISTS.iter().map(|items| list(&mut store, &turned(items))).collect();
    let examples = Examples::new(&start, None, &store, &inputs, &outputs).unwrap();
    (start, examples)
}

/// A formula for numbers at some places.
fn curve() -> (Program, ScoredInputs) {
    let start = program("fun f(x: float): float = x");
    let inputs: Vec<Vec<Value>> = (0..9).map(|k| vec![Value::Float(f64::from(k) / 4.0)]).collect();
    let mut problem = ScoredInputs::new(&start, &Store::new(), &inputs).unwrap();
    problem.name = "curve".to_owned();
    (start, problem)
}

/// Squared distance from x² + 1/2; no loss for a program without output somewhere.
fn distance(outputs: &Outputs) -> f64 {
    let part = |(k, value): (usize, &Option<Value>)| match value {
        Some(Value::Float(y)) => (y - (k as f64 / 4.0).powi(2) - 0.5).powi(2),
        _ => f64::INFINITY,
    };
    outputs.values.iter().enumerate().map(part).sum()
}

fn distances(batch: Vec<Outputs>) -> Option<Vec<f64>> {
    Some(batch.iter().map(distance).collect())
}

const PLAN: Plan = Plan { seed: 3, budget: 2_500, polish: 10_000, patience: None, most_bits: 500.0 };

/// A file in a folder of its own.
fn place(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("treewright-programs-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder.join("run.json")
}

fn stored(path: &Path, resume: bool) -> Files {
    Files { checkpoint: Some(path.to_owned()), resume, ..Files::default() }
}

/// Goes on with a search; its status.
fn go_on(search: &mut ProgramSearch<'_>, scorer: Option<&mut Scorer<'_>>, files: &Files) -> Status {
    search.run(scorer, files, &Control::unlimited(), &mut |_| {}).unwrap().status
}

#[test]
fn a_search_that_was_stored_goes_on_bit_for_bit() {
    let ((start, examples), path) = (reversal(), place("bits"));
    let run = |plan: Plan, resume: bool, n_threads: usize| {
        let mut search = ProgramSearch::new(&examples, &start, plan);
        let (control, files) = (Control::unlimited().threads(n_threads), stored(&path, resume));
        control.in_pool(|| search.run(None, &files, &control, &mut |_| {})).unwrap();
        let state = search.state.unwrap();
        let text: Vec<String> = state.population.members().iter().map(|m| m.program.to_text()).collect();
        (std::fs::read_to_string(&path).unwrap(), text, state)
    };
    let whole = run(PLAN, false, 1);
    for (budget, before, after) in [(1, 2, 4), (600, 1, 2), (1_200, 4, 1), (2_000, 2, 2)] {
        run(Plan { budget, ..PLAN }, false, before);
        assert!(run(PLAN, true, after) == whole, "{budget} {before} {after}");
    }
    let mut search = ProgramSearch::new(&examples, &start, PLAN);
    search.state = Some(whole.2);
    assert_eq!(go_on(&mut search, None, &stored(&path, false)), Status::Complete);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), whole.0);
}

#[test]
fn a_scorer_judges_whole_generations_in_their_order() {
    let ((start, problem), path) = (curve(), place("scorer"));
    let run = |budget: u64, resume: bool, n_threads: usize| {
        let mut sizes = Vec::new();
        let mut scorer = |batch: Vec<Outputs>| {
            sizes.push(batch.len());
            distances(batch)
        };
        let mut search = ProgramSearch::new(&problem, &start, Plan { budget, ..PLAN });
        let (control, files) = (Control::unlimited().threads(n_threads), stored(&path, resume));
        control.in_pool(|| search.run(Some(&mut scorer), &files, &control, &mut |_| {})).unwrap();
        let loss = search.state.unwrap().best().scored.loss;
        (std::fs::read_to_string(&path).unwrap(), loss, sizes)
    };
    let (whole, loss, sizes) = run(3_000, false, 1);
    assert!(sizes[0] == 1 && sizes.len() <= 7 && sizes.iter().all(|&n| n <= 512), "{sizes:?}");
    assert!(loss < 1.0);
    assert_eq!(run(3_000, false, 2), (whole.clone(), loss, sizes.clone()));
    assert_eq!(run(3_000, false, 4).0, whole);
    for budget in [1, 1_300] {
        run(budget, false, 2);
        assert_eq!(run(3_000, true, 4).0, whole);
    }
}

#[test]
fn a_target_ends_a_scored_search() {
    let (start, mut problem) = curve();
    problem.target = Some(5.0);
    let plan = Plan { budget: 50_000, polish: 100, ..PLAN };
    let mut search = ProgramSearch::new(&problem, &start, plan);
    assert_eq!(go_on(&mut search, Some(&mut distances), &Files::default()), Status::Complete);
    let State { solved, n_programs, .. } = search.state.unwrap();
    let at = solved.expect("such a loss is easily had");
    assert!(n_programs < at + 100 + 512, "{at} {n_programs}");
}

#[test]
fn a_scorer_that_gives_up_leaves_the_search_where_it_was() {
    let (start, problem) = curve();
    let mut calls = 0;
    let mut scorer = |batch: Vec<Outputs>| {
        calls += 1;
        distances(batch).filter(|_| calls != 4)
    };
    let mut search = ProgramSearch::new(&problem, &start, PLAN);
    assert_eq!(go_on(&mut search, Some(&mut scorer), &Files::default()), Status::Stopped);
    assert_eq!(search.state.as_ref().unwrap().n_programs, 1 + 2 * 512);
    assert_eq!(go_on(&mut search, Some(&mut scorer), &Files::default()), Status::Complete);
    let mut other = ProgramSearch::new(&problem, &start, PLAN);
    go_on(&mut other, Some(&mut distances), &Files::default());
    assert!(search.state == other.state);
    let mut none = ProgramSearch::new(&problem, &start, PLAN);
    assert_eq!(go_on(&mut none, Some(&mut |_| None), &Files::default()), Status::Stopped);
    assert!(none.state.is_none(), "there is nothing to go on from");
    let nan: &mut Scorer<'_> = &mut |batch| Some(vec![f64::NAN; batch.len()]);
    let error = none.run(Some(nan), &Files::default(), &Control::unlimited(), &mut |_| {}).unwrap_err();
    assert_eq!(error, Error::NoFiniteLoss);
}

#[test]
fn programs_without_a_finite_loss_are_given_up() {
    let (start, problem) = curve();
    let loss = |outputs: &Outputs| match outputs.values[1] == Some(Value::Float(0.25)) {
        true => 1.0,
        false => f64::NAN,
    };
    let mut scorer = |batch: Vec<Outputs>| Some(batch.iter().map(loss).collect());
    let mut search = ProgramSearch::new(&problem, &start, PLAN);
    go_on(&mut search, Some(&mut scorer), &Files::default());
    let state = search.state.unwrap();
    assert!(state.tally.n_judged() > 500);
    assert!(state.population.members().iter().all(|member| member.scored.loss == 1.0));
}

#[test]
fn the_sign_of_a_zero_does_not_count() {
    let (start, problem) = curve();
    for zero in [0.0, -0.0] {
        let mut scorer = |batch: Vec<Outputs>| Some(vec![zero; batch.len()]);
        let mut search = ProgramSearch::new(&problem, &start, Plan { budget: 600, ..PLAN });
        go_on(&mut search, Some(&mut scorer), &Files::default());
        assert!(search.state.unwrap().best().scored.loss.is_sign_positive());
    }
}

#[test]
fn other_checkpoints_are_refused() {
    let ((start, examples), path) = (reversal(), place("others"));
    let mut search = ProgramSearch::new(&examples, &start, Plan { budget: 600, ..PLAN });
    go_on(&mut search, None, &stored(&path, false));
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(seed_of(&path), Ok(3));
    let refused = |examples: &Examples, start: &Program, plan: Plan, text: &str| {
        std::fs::write(&path, text).unwrap();
        let mut search = ProgramSearch::new(examples, start, plan);
        let ended = search.run(None, &stored(&path, true), &Control::unlimited(), &mut |_| {});
        ended.unwrap_err().to_string()
    };
    let with = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        refused(&examples, &start, PLAN, &text.replacen(from, to, 1))
    };
    assert!(refused(&examples, &start, PLAN, "{}").contains("it holds something else"));
    assert!(seed_of(&path).is_err());
    assert!(with("treewright-evolution", "treewright-tree").contains("it is a 'treewright-tree'"));
    assert!(with("\"version\":4", "\"version\":7").contains("of version 7"));
    assert!(with("xs: list): list =", "xs: list): int = 1; ").contains("column"));
    assert!(with("\"binders\":[", "\"binders\":[\"more\",").contains("other names"));
    assert!(with("\"loss\":", "\"loss\":1").contains("other losses"));
    let other = program("fun f(xs: list): list = Nil");
    let (other_work, seeds) = ("of other data or parameters", "of seed 3, not 4");
    assert!(refused(&examples, &other, PLAN, &text).contains(other_work));
    assert!(refused(&examples, &start, Plan { seed: 4, ..PLAN }, &text).contains(seeds));
    let smaller = Plan { most_bits: 40.0, ..PLAN };
    assert!(refused(&examples, &start, smaller, &text).contains(other_work));
    let mut limited = examples.clone();
    limited.inputs.limits.steps = 7;
    assert!(refused(&limited, &start, PLAN, &text).contains(other_work));
    let mut store = Store::new();
    let inputs: Vec<Vec<Value>> = LISTS.iter().map(|items| vec![list(&mut store, items)]).collect();
    let same: Vec<Value> = LISTS.iter().map(|items| list(&mut store, items)).collect();
    let identity = Examples::new(&start, None, &store, &inputs, &same).unwrap();
    assert!(refused(&identity, &start, PLAN, &text).contains(other_work));
    let others: Vec<Vec<Value>> = LISTS.iter().rev().map(|items| vec![list(&mut store, items)]).collect();
    let back = |items: &[i64]| items.iter().rev().copied().collect::<Vec<_>>();
    let turned: Vec<Value> = LISTS.iter().rev().map(|items| list(&mut store, &back(items))).collect();
    let examples = Examples::new(&start, None, &store, &others, &turned).unwrap();
    assert!(refused(&examples, &start, PLAN, &text).contains(other_work), "other inputs");
}
