//! Searches that are stored and gone on with, and those that a scorer judges.

use std::sync::Arc;

use treewright_core::control::Control;
use treewright_core::outcome::Status;
use treewright_core::program::{Program, Store, Types, Value};
use treewright_core::synthesis::{
    Examples, Outputs, Plan, ScoredInputs, Scorer, Search, SynthesisError, seed_of,
};

fn types() -> Arc<Types> {
    Arc::new(Types::parse("type list = Nil | Cons of int * list").unwrap())
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
    let examples = Examples::new(&start, &store, &inputs, &outputs).unwrap();
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

/// All that a search came to; the same text, the same search.
fn stored(search: &Search) -> String {
    search.to_json()
}

const PLAN: Plan = Plan { seed: 3, budget: 2_500, polish: 10_000, most_bits: 500.0 };

#[test]
fn a_search_that_was_stored_goes_on_bit_for_bit() {
    let (start, examples) = reversal();
    let run = |plan: Plan, from: Option<&str>, n_threads: usize| {
        let mut search = match from {
            None => Search::new(&examples, &start, plan).unwrap(),
            Some(text) => Search::resumed(&examples, &start, plan, text, None).unwrap(),
        };
        search.run(&Control::unlimited().threads(n_threads)).unwrap();
        let text: Vec<String> = search.population().members().iter().map(|m| m.program.to_text()).collect();
        (stored(&search), text)
    };
    let whole = run(PLAN, None, 1);
    for (budget, before, after) in [(1, 2, 4), (600, 1, 2), (1_200, 4, 1), (2_000, 2, 2)] {
        let part = run(Plan { budget, ..PLAN }, None, before).0;
        assert_eq!(run(PLAN, Some(&part), after), whole, "{budget} {before} {after}");
    }
    let state = Search::resumed(&examples, &start, PLAN, &whole.0, None).unwrap().into_state();
    assert_eq!(stored(&Search::at(&examples, &start, PLAN, state)), whole.0);
}

#[test]
fn a_scorer_judges_whole_generations_in_their_order() {
    let (start, problem) = curve();
    let run = |budget: u64, from: Option<&str>, n_threads: usize| {
        let mut sizes = Vec::new();
        let mut scorer = |batch: Vec<Outputs>| {
            sizes.push(batch.len());
            distances(batch)
        };
        let plan = Plan { budget, ..PLAN };
        let mut search = match from {
            None => Search::scored(&problem, &start, plan, Some(&mut scorer)).unwrap(),
            Some(text) => Search::resumed(&problem, &start, plan, text, Some(&mut scorer)).unwrap(),
        };
        let control = Control::unlimited().threads(n_threads);
        control.in_pool(|| search.go_on(&control, Some(&mut scorer), &mut |_| true)).unwrap();
        (stored(&search), search.best().scored.loss, sizes)
    };
    let (whole, loss, sizes) = run(3_000, None, 1);
    assert!(sizes[0] == 1 && sizes.len() <= 7 && sizes.iter().all(|&n| n <= 512), "{sizes:?}");
    assert!(treewright_core::synthesis::loss_of(loss) < 1.0);
    assert_eq!(run(3_000, None, 2), (whole.clone(), loss, sizes.clone()));
    assert_eq!(run(3_000, None, 4).0, whole);
    for budget in [1, 1_300] {
        let part = run(budget, None, 2).0;
        assert_eq!(run(3_000, Some(&part), 4).0, whole);
    }
}

#[test]
fn a_target_ends_a_scored_search() {
    let (start, mut problem) = curve();
    problem.target = Some(5.0);
    let plan = Plan { budget: 50_000, polish: 100, ..PLAN };
    let scorer: &mut Scorer<'_> = &mut distances;
    let mut search = Search::scored(&problem, &start, plan, Some(scorer)).unwrap();
    search.go_on(&Control::unlimited(), Some(scorer), &mut |_| true).unwrap();
    let at = search.solved().expect("such a loss is easily had");
    assert!(search.n_programs() < at + 100 + 512, "{at} {}", search.n_programs());
}

#[test]
fn a_scorer_that_gives_up_leaves_the_search_where_it_was() {
    let (start, problem) = curve();
    let mut calls = 0;
    let mut scorer = |batch: Vec<Outputs>| {
        calls += 1;
        distances(batch).filter(|_| calls != 4)
    };
    let mut search = Search::scored(&problem, &start, PLAN, Some(&mut scorer)).unwrap();
    let control = Control::unlimited();
    assert_eq!(search.go_on(&control, Some(&mut scorer), &mut |_| true), Err(Status::Stopped));
    assert_eq!(search.n_programs(), 1 + 2 * 512);
    search.go_on(&control, Some(&mut scorer), &mut |_| true).unwrap();
    let mut other = Search::scored(&problem, &start, PLAN, Some(&mut distances)).unwrap();
    other.go_on(&control, Some(&mut distances), &mut |_| true).unwrap();
    assert_eq!(stored(&search), stored(&other));
    let nothing: &mut Scorer<'_> = &mut |_| None;
    let error = Search::scored(&problem, &start, PLAN, Some(nothing)).unwrap_err();
    assert_eq!(error, SynthesisError::Unscored);
    let nan: &mut Scorer<'_> = &mut |batch| Some(vec![f64::NAN; batch.len()]);
    let error = Search::scored(&problem, &start, PLAN, Some(nan)).unwrap_err();
    assert_eq!(error, SynthesisError::Undefined);
}

#[test]
fn programs_without_a_finite_loss_are_given_up() {
    let (start, problem) = curve();
    let mut scorer = |batch: Vec<Outputs>| {
        Some(
            batch
                .iter()
                .map(|o| if o.values[1] == Some(Value::Float(0.25)) { 1.0 } else { f64::NAN })
                .collect(),
        )
    };
    let mut search = Search::scored(&problem, &start, PLAN, Some(&mut scorer)).unwrap();
    search.go_on(&Control::unlimited(), Some(&mut scorer), &mut |_| true).unwrap();
    assert!(search.n_judged() > 500);
    let losses =
        search.population().members().iter().map(|m| treewright_core::synthesis::loss_of(m.scored.loss));
    assert!(losses.into_iter().all(|loss| loss == 1.0));
}

#[test]
fn other_checkpoints_are_refused() {
    let (start, examples) = reversal();
    let mut search = Search::new(&examples, &start, Plan { budget: 600, ..PLAN }).unwrap();
    search.run(&Control::unlimited()).unwrap();
    let text = search.to_json();
    assert_eq!(seed_of(&text), Ok(3));
    assert!(seed_of("{}").is_err());
    let refused = |examples: &Examples, start: &Program, plan: Plan, text: &str| {
        Search::resumed(examples, start, plan, text, None).unwrap_err().to_string()
    };
    let with = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        refused(&examples, &start, PLAN, &text.replacen(from, to, 1))
    };
    assert!(refused(&examples, &start, PLAN, "{}").contains("missing field"));
    assert!(with("treewright-synthesis", "treewright-tree").contains("it is 'treewright-tree' of version 1"));
    assert!(with("\"version\":1", "\"version\":7").contains("of version 7"));
    assert!(with("xs: list): list =", "xs: list): int = 1; ").contains("column"));
    assert!(with("\"binders\":[", "\"binders\":[\"more\",").contains("other names"));
    assert!(with("\"loss\":", "\"loss\":1").contains("other losses"));
    let other = program("fun f(xs: list): list = Nil");
    assert!(refused(&examples, &other, PLAN, &text).contains("another problem or other parameters"));
    assert!(refused(&examples, &start, Plan { seed: 4, ..PLAN }, &text).contains("of seed 3, not 4"));
    let smaller = Plan { most_bits: 40.0, ..PLAN };
    assert!(refused(&examples, &start, smaller, &text).contains("another problem"));
    let mut limited = examples.clone();
    limited.limits.steps = 7;
    assert!(refused(&limited, &start, PLAN, &text).contains("another problem"));
    let mut store = Store::new();
    let inputs: Vec<Vec<Value>> = LISTS.iter().map(|items| vec![list(&mut store, items)]).collect();
    let same: Vec<Value> = LISTS.iter().map(|items| list(&mut store, items)).collect();
    let identity = Examples::new(&start, &store, &inputs, &same).unwrap();
    assert!(refused(&identity, &start, PLAN, &text).contains("another problem"));
}
