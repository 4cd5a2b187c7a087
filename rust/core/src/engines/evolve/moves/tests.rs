//! Unit tests, for single transformations are private: which of them keep the meaning, and that none makes a
//! program that is none.

use std::collections::BTreeMap;

use super::draft::Draft;
use super::forms::{At, Material, Op, PROGRAMS, apply, vary};
use crate::base::random::Random;
use crate::model::program::tests::interpret::interpret;
use crate::model::program::tests::programs::{RECURSIVE, random_program, random_value, types};
use crate::model::program::tests::values::same;
use crate::model::program::{Limits, Prim, Program, Store, Ty, Value, Vocabulary};

/// Those that keep the meaning of every program.
const NEUTRAL: &[Op] = &[
    Op::Abstract,
    Op::Localize,
    Op::Inline,
    Op::WidenArgument,
    Op::WidenResult,
    Op::Distribute,
    Op::MoveOut,
    Op::MoveIn,
    Op::Duplicate,
    Op::Split,
    Op::Rebuild,
];

const ROOMY: Limits = Limits { steps: 400_000, heap: 1 << 20, stack: 1 << 20 };
const TIGHT: Limits = Limits { steps: 4_000, heap: 1 << 14, stack: 1 << 14 };

/// What changes may bring in.
fn with(vocabulary: &Vocabulary) -> Material<'_> {
    Material { vocabulary, largest: 8, mates: &[] }
}

fn some_program(seed: u64, random: &mut Random) -> Option<Program> {
    match seed % 2 {
        0 => {
            let text = RECURSIVE[random.below(RECURSIVE.len() as u32) as usize];
            Some(Program::parse_with(&types(), text).expect("the text reads"))
        }
        _ => random_program(&types(), 40, random),
    }
}

/// A value of either program on the same random input, compared; whether both came to their end.
fn agree(old: &Program, new: &Program, random: &mut Random) -> bool {
    let mut store = Store::new();
    let params = old.signature().0.to_vec();
    let args: Vec<Value> =
        params.iter().map(|&ty| random_value(&mut store, old.types(), ty, 4, random)).collect();
    let mut other = store.clone();
    let Ok(before) = interpret(old, &mut store, &args, &TIGHT).expect("the arguments fit") else {
        return false;
    };
    let Ok(after) = interpret(new, &mut other, &args, &ROOMY).expect("the arguments fit") else {
        return false;
    };
    let is_same = same(&store, before.value, &other, after.value);
    assert!(is_same, "{}\nis another function than\n{}", new.to_text(), old.to_text());
    true
}

#[test]
fn neutral_transformations_keep_the_meaning() {
    let vocabulary = Vocabulary { functions: false, ..Vocabulary::all(&types()) };
    let (mut n_changed, mut n_compared) = (BTreeMap::new(), 0);
    for seed in 0..1_500 {
        let mut random = Random::stream(21, seed);
        let Some(old) = some_program(seed, &mut random) else { continue };
        let op = NEUTRAL[random.below(NEUTRAL.len() as u32) as usize];
        let mut new = old.clone();
        // Local functions first, without which there is nothing to widen.
        for op in [Op::Abstract, op, op] {
            let mut draft = Draft::open(&new);
            let Some(()) = apply(op, &mut draft, &old, &with(&vocabulary), &mut random) else { continue };
            let Some(next) = draft.close() else { continue };
            *n_changed.entry(op).or_insert(0) += usize::from(next != new);
            new = next;
        }
        assert_eq!(new.signature(), old.signature());
        n_compared += (0..4).filter(|_| agree(&old, &new, &mut random)).count();
    }
    assert!(n_compared > 3_000, "{n_compared}");
    for op in NEUTRAL {
        assert!(n_changed.get(op).is_some_and(|&n| n >= 20), "{op:?}: {n_changed:?}");
    }
}

#[test]
fn a_widened_result_and_a_distributed_call_are_what_they_should_be() {
    let changed = |text: &str, op: Op, expected: &str| {
        let old = Program::parse_with(&types(), text).unwrap();
        let vocabulary = Vocabulary { prims: vec![], cases: vec![Ty::BOOL], ..Vocabulary::all(&types()) };
        let expected = Program::parse_with(&types(), expected).unwrap();
        let found = (0..200).any(|seed| {
            let mut draft = Draft::open(&old);
            let done = apply(op, &mut draft, &old, &with(&vocabulary), &mut Random::stream(22, seed));
            done.and_then(|()| draft.close()).is_some_and(|new| new == expected)
        });
        assert!(found, "{op:?} does not make\n{expected}\nof\n{old}");
    };
    changed(
        "fun f(x: int): int = 1 + (case x of 0 => 5 | m + 1 => m)",
        Op::Distribute,
        "fun f(x: int): int = case x of 0 => 1 + 5 | m + 1 => 1 + m",
    );
    changed(
        "fun f(x: int): int = 3 * (x - 1)",
        Op::Abstract,
        "fun f(x: int): int = let fun g(y: int): int = 3 * y in g(x - 1) end",
    );
    changed(
        "fun f(x: int): int = let fun g(y: int): int = 3 * y in g(g(x)) end",
        Op::Inline,
        "fun f(x: int): int = 3 * (3 * x)",
    );
    changed(
        "fun f(x: int): int = case x of 0 => 0 | m + 1 => f(m)",
        Op::Localize,
        "fun f(x: int): int = let fun g(y: int): int = case y of 0 => 0 | m + 1 => g(m) in g(x) end",
    );
    changed(
        "fun f(x: int): int = let fun g(y: int): int = y in g(x) end",
        Op::WidenArgument,
        "fun f(x: int): int = let fun g(y: int, z: int): int = y in g(x, x) end",
    );
    changed(
        "fun f(x: int): int = let fun g(y: int): int = y in g(x) end",
        Op::WidenResult,
        "fun f(x: int): int = let fun g(y: int): int * int = (y, y) in let val (a, b) = g(x) in a end end",
    );
    changed(
        "fun f(x: int): int = 1 + let val y = x * x in y + y end",
        Op::MoveOut,
        "fun f(x: int): int = let val y = x * x in 1 + (y + y) end",
    );
    changed(
        "fun f(x: int): int = let val y = x * x in 1 + (y + y) end",
        Op::MoveIn,
        "fun f(x: int): int = 1 + let val y = x * x in y + y end",
    );
    changed(
        "fun f(x: int): int = x + 1",
        Op::Duplicate,
        "fun f(x: int): int = if true then x + 1 else x + 1",
    );
}

#[test]
fn recursion_over_data_starts_with_the_pattern_or_the_same_value() {
    let list = Ty::sum(types().find("list").unwrap());
    let vocabulary = Vocabulary { prims: vec![], cases: vec![list], ..Vocabulary::all(&types()) };
    let made = |text: &str, op: Op, expected: &str| {
        let old = Program::parse_with(&types(), text).unwrap();
        let expected = Program::parse_with(&types(), expected).unwrap();
        let found = (0..400).any(|seed| {
            let mut draft = Draft::open(&old);
            let done = apply(op, &mut draft, &old, &with(&vocabulary), &mut Random::stream(24, seed));
            done.and_then(|()| draft.close()).is_some_and(|new| new == expected)
        });
        assert!(found, "{op:?} does not make\n{expected}\nof\n{old}");
    };
    let looks = "fun f(x: int, xs: list): list = case xs of Nil => Nil | Cons(y, ys) => Cons(x, f(x, ys))";
    made(
        looks,
        Op::Split,
        "fun f(x: int, xs: list): list = case xs of Nil => Nil | Cons(y, ys) =>
            case f(x, ys) of Nil => Cons(x, Nil) | Cons(z, zs) => Cons(x, Cons(z, zs))",
    );
    made(
        "fun f(xs: list): list = xs",
        Op::Rebuild,
        "fun f(xs: list): list =
            let fun g(ys: list): list = case ys of Nil => Nil | Cons(y, rest) => Cons(y, g(rest))
            in g(xs) end",
    );
    made(
        "fun f(xs: list): list = case xs of Nil => Nil | Cons(y, ys) => Cons(y, ys)",
        Op::Call,
        "fun f(xs: list): list = case xs of Nil => Nil | Cons(y, ys) => Cons(y, f(ys))",
    );
    made(
        "fun f(xs: list): list = let fun g(ys: list): list = ys in Cons(1, xs) end",
        Op::Call,
        "fun f(xs: list): list = let fun g(ys: list): list = ys in Cons(1, g(xs)) end",
    );
    made(
        "fun f(x: int, xs: list): list = case xs of Nil => Nil | Cons(y, ys) => Cons(x, Cons(y, ys))",
        Op::Exchange,
        "fun f(x: int, xs: list): list = case xs of Nil => Nil | Cons(y, ys) => Cons(y, Cons(x, ys))",
    );
    made(
        "fun f(xs: list): list = case Cons(1, xs) of Nil => xs | Cons(y, ys) => Cons(y, Cons(y, ys))",
        Op::Abstract,
        "fun f(xs: list): list = let fun g(p: list): list = case p of Nil => xs
            | Cons(y, ys) => Cons(y, Cons(y, ys)) in g(Cons(1, xs)) end",
    );
}

#[test]
fn forms_lead_from_one_exchange_to_the_invented_insertion() {
    let list = Ty::sum(types().find("list").unwrap());
    let prims = vec![Prim::AtMostInt];
    let vocabulary = Vocabulary {
        prims,
        cases: vec![list, Ty::BOOL],
        values: false,
        functions: false,
        ..Vocabulary::all(&types())
    };
    let way = [
        "case xs of Nil => xs | Cons(x, xs) => case sort(xs) of Nil => Cons(x, Nil)
            | Cons(y, ys) => if x <= y then Cons(x, Cons(y, ys)) else Cons(y, Cons(x, ys))",
        "case xs of Nil => xs | Cons(x, xs) =>
            let fun insert(p: list): list = case p of Nil => Cons(x, Nil)
                | Cons(y, ys) => if x <= y then Cons(x, Cons(y, ys)) else Cons(y, insert(ys))
            in insert(sort(xs)) end",
    ];
    let way = way.map(|body| {
        Program::parse_with(&types(), &format!("fun sort(xs: list): list = {body}")).expect("the text reads")
    });
    let children =
        (0..6_000).filter_map(|k| vary(&PROGRAMS, &way[0], &with(&vocabulary), &mut Random::stream(25, k)));
    assert!(children.into_iter().any(|child| child == way[1]));
}

#[test]
fn compound_forms_make_programs() {
    let vocabulary = Vocabulary { functions: false, ..Vocabulary::all(&types()) };
    let (mut n_made, mut n_drawn) = (0, 0);
    for seed in 0..1_000 {
        let mut random = Random::stream(23, seed);
        let Some(parent) = some_program(seed, &mut random) else { continue };
        n_drawn += 1;
        let Some(child) = vary(&PROGRAMS, &parent, &with(&vocabulary), &mut random) else { continue };
        n_made += 1;
        assert_ne!(child, parent);
        assert_eq!(child.signature(), parent.signature());
        // Reading it again checks types, scopes and recursion from scratch.
        assert_eq!(Program::parse(&child.to_text()).expect("a program reads back"), child);
        let again = {
            let mut random = Random::stream(23, seed);
            some_program(seed, &mut random)
                .and_then(|parent| vary(&PROGRAMS, &parent, &with(&vocabulary), &mut random))
        };
        assert_eq!(again, Some(child));
    }
    assert!(n_made * 10 > n_drawn * 6, "{n_made} of {n_drawn}");
}

#[test]
fn forms_start_anywhere_and_end_in_a_new_function() {
    for form in PROGRAMS.forms {
        let ops: Vec<Op> = form.steps.iter().map(|step| step.0).collect();
        assert_eq!(form.steps[0].1, At::Anywhere);
        let last = ops[ops.len() - 1];
        let adds = !NEUTRAL.contains(&last) || last == Op::Inline;
        assert!(adds, "{ops:?}");
    }
}
