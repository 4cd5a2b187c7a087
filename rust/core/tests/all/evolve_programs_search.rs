//! The search: same result for any number of threads, honest scores, limits, an archive without losers.

use std::sync::Arc;

use treewright_core::control::Control;
use treewright_core::error::Error;
use treewright_core::evolve::{Examples, Files, Member, Plan, Problem, ProgramSearch, State, score};
use treewright_core::outcome::Status;
use treewright_core::program::{Limits, Prim, Program, Store, Ty, Types, Value, Vocabulary};

fn types() -> Arc<Types> {
    Program::parse("type list = Nil | Cons of int * list fun f(x: int): int = x").unwrap().types().clone()
}

fn list(store: &mut Store, items: &[i64]) -> Value {
    let end = store.data(0, &[]);
    items.iter().rev().fold(end, |rest, &item| store.data(1, &[Value::Int(item), rest]))
}

fn program(text: &str) -> Program {
    Program::parse_with(&types(), text).unwrap()
}

/// Lists and what becomes of them.
fn on_lists(right: impl Fn(&[i64]) -> Vec<i64>) -> (Program, Examples) {
    let start = program("fun f(xs: list): list = xs");
    let mut store = Store::new();
    let all: [&[i64]; 6] = [&[], &[4], &[1, 2], &[5, 3], &[7, 1, 3], &[2, 9, 4, 6]];
    let inputs: Vec<Vec<Value>> = all.iter().map(|items| vec![list(&mut store, items)]).collect();
    let outputs: Vec<Value> = all.iter().map(|items| list(&mut store, &right(items))).collect();
    let mut examples = Examples::new(&start, None, &store, &inputs, &outputs).unwrap();
    examples.inputs.vocabulary =
        Vocabulary { prims: vec![], cases: vec![inputs_type()], ..examples.inputs.vocabulary.clone() };
    (start, examples)
}

fn inputs_type() -> Ty {
    Ty::sum(types().find("list").unwrap())
}

fn numbers(right: impl Fn(i64) -> i64) -> (Program, Examples) {
    let start = program("fun f(n: int): int = n");
    let inputs: Vec<Vec<Value>> = (0..8).map(|n| vec![Value::Int(n)]).collect();
    let outputs: Vec<Value> = (0..8).map(|n| Value::Int(right(n))).collect();
    let mut examples = Examples::new(&start, None, &Store::new(), &inputs, &outputs).unwrap();
    examples.inputs.vocabulary.prims = vec![Prim::AddInt, Prim::SubInt, Prim::MulInt];
    examples.inputs.vocabulary.cases = vec![Ty::INT];
    (start, examples)
}

fn loss(examples: &Examples, text: &str) -> (f64, u32) {
    let scored = score(examples, &program(text));
    (examples.shown(scored.loss), scored.n_wrong)
}

#[test]
fn losses_are_graded() {
    let (_, reversal) = on_lists(|items| items.iter().rev().copied().collect());
    let right = "fun f(xs: list): list = let fun onto(xs: list, done: list): list = case xs of
        Nil => done | Cons(x, rest) => onto(rest, Cons(x, done)) in onto(xs, Nil) end";
    assert_eq!(loss(&reversal, right), (0.0, 0));
    let (same, n_same) = loss(&reversal, "fun f(xs: list): list = xs");
    let (none, n_none) = loss(&reversal, "fun f(xs: list): list = Nil");
    assert_eq!((n_same, n_none), (4, 5));
    assert!(2.0 < same && same < none && none == 5.0, "{same} {none}");
    let (_, doubled) = numbers(|n| 2 * n);
    let far = loss(&doubled, "fun f(n: int): int = n * n * n * n").0;
    let near = loss(&doubled, "fun f(n: int): int = n * 3").0;
    assert!(near < far && near > 3.5, "{near} {far}");
}

#[test]
fn limits_hold_on_hostile_programs() {
    let (_, mut examples) = numbers(|n| n);
    examples.inputs.limits = Limits { steps: 300, heap: 64, stack: 256 };
    let slow = "fun f(n: int): int = case n of 0 => 0 | m + 1 => f(m) + f(m) + f(m) + 1";
    let scored = score(&examples, &program(slow));
    assert!(scored.cost <= 8 * 300 && scored.n_wrong >= 6, "{scored:?}");
}

/// Where a search comes to on some threads.
fn run(examples: &Examples, start: &Program, plan: Plan, n_threads: usize) -> State {
    let control = Control::unlimited().threads(n_threads);
    let mut search = ProgramSearch::new(examples, start, plan);
    let outcome = control.in_pool(|| search.run(None, &Files::default(), &control, &mut |_| {}));
    assert_eq!(outcome.unwrap().status, Status::Complete);
    search.state.unwrap()
}

/// Why a search cannot begin.
fn refused(examples: &Examples, start: &Program) -> Error {
    let mut search = ProgramSearch::new(examples, start, Plan { budget: 1, ..Plan::default() });
    search.run(None, &Files::default(), &Control::unlimited(), &mut |_| {}).unwrap_err()
}

/// What a search came to, as text.
fn summary(state: &State) -> Vec<String> {
    let members = state.population.members().iter();
    let line = |m: &Member| format!("{} {} {:?}", m.born, m.bits, m.scored) + &m.program.to_text();
    members.map(line).chain([format!("{} {:?}", state.n_programs, state.tally)]).collect()
}

#[test]
fn threads_change_nothing() {
    let (start, examples) = on_lists(|items| items.iter().rev().copied().collect());
    let found = |n_threads: usize, seed: u64| {
        let plan = Plan { seed, budget: 6_000, ..Plan::default() };
        summary(&run(&examples, &start, plan, n_threads))
    };
    let one = found(1, 5);
    assert_eq!(one, found(2, 5));
    assert_eq!(one, found(4, 5));
    assert_ne!(one, found(1, 6));
}

#[test]
fn easy_functions_are_found() {
    for (right, seed) in [(|n: i64| 2 * n + 1) as fn(i64) -> i64, |n| n * (n + 1) / 2].into_iter().zip(0..) {
        let (start, examples) = numbers(right);
        let plan = Plan { seed, budget: 60_000, polish: 2_000, ..Plan::default() };
        let state = run(&examples, &start, plan, 1);
        let best = state.best();
        assert_eq!(best.scored.n_wrong, 0, "{}", best.program.to_text());
        assert!(state.solved.is_some_and(|at| at <= state.n_programs));
        assert!(state.tally.n_judged() <= state.n_programs);
    }
}

#[test]
fn nobody_in_the_archive_beats_another() {
    let (start, examples) = on_lists(|items| items.iter().rev().copied().collect());
    let plan = Plan { budget: 10_000, ..Plan::default() };
    let state = run(&examples, &start, plan, 1);
    let members = state.population.members();
    assert!(members.len() > 1 && state.best().scored.loss <= members[members.len() - 1].scored.loss);
    for a in members {
        for b in members.iter().filter(|b| b.born != a.born) {
            let beaten = a.scored.loss <= b.scored.loss && a.bits <= b.bits && a.scored.cost <= b.scored.cost;
            assert!(!beaten, "{}\nbeats\n{}", a.program.to_text(), b.program.to_text());
        }
        assert_eq!(score(&examples, &a.program), a.scored);
    }
}

#[test]
fn an_interrupted_search_stands_where_its_generation_began() {
    let (start, examples) = numbers(|n| n * n * n);
    let mut search = ProgramSearch::new(&examples, &start, Plan::default());
    let control = Control::with_time_limit(Some(0.0));
    let outcome = search.run(None, &Files::default(), &control, &mut |_| {}).unwrap();
    assert_eq!(
        (outcome.status, outcome.value, outcome.stats.n_searched),
        (Status::TimeLimit, Some(start), 1)
    );
    assert_eq!(search.state.unwrap().population.members().len(), 1);
}

#[test]
fn what_does_not_fit_is_said() {
    let start = program("fun f(n: int): int = n");
    let store = Store::new();
    let one = [vec![Value::Int(1)]];
    let error = |inputs: &[Vec<Value>], outputs: &[Value]| {
        Examples::new(&start, None, &store, inputs, outputs).unwrap_err().to_string()
    };
    assert_eq!(error(&one, &[]), "outputs has 0 entries where 1 are needed; give one entry for each");
    assert_eq!(error(&[], &[]), "a problem needs at least one input");
    assert_eq!(error(&one, &[Value::Bool(true)]), "the output of example 0 is not of type int");
    assert_eq!(
        error(&[vec![Value::Float(1.0)]], &[Value::Int(1)]),
        "the input of example 0 is not of type int"
    );
    let view = program("fun v(xs: list): int = 0");
    let found = Examples::new(&start, Some(&view), &store, &one, &[Value::Int(1)]);
    assert_eq!(
        found.unwrap_err(),
        Error::ProgramType { role: "viewing", expected: "int".into(), found: "list".into() }
    );
    let (_, examples) = on_lists(<[i64]>::to_vec);
    let two = program("fun f(xs: list, ys: list): list = xs");
    let error = refused(&examples, &two).to_string();
    assert!(error.starts_with("the starting program must be of type a function of 1 input,"), "{error}");
}
