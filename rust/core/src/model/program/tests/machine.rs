//! The machine against the interpreter, and both against their limits.

use std::collections::BTreeMap;

use super::programs::{RECURSIVE, random_program, random_value, replaced, types};
use super::values::{self, same};
use crate::base::random::Random;
use crate::model::program::tests::interpret::interpret;
use crate::model::program::{
    Arena, Definition, Expr, Heap, Limits, Machine, Node, Program, Run, Stop, Store, Ty, Value, Var,
};

/// Types from scratch: what the constructors promise, checked by another way.
fn type_of(arena: &Arena, expr: Expr, vars: &BTreeMap<Var, Ty>) -> Ty {
    let bind = |more: &[Var]| {
        let mut vars = vars.clone();
        vars.extend(more.iter().map(|&var| (var, arena.var_ty(var))));
        vars
    };
    let all = |args: &[Expr]| args.iter().map(|&arg| type_of(arena, arg, vars)).collect::<Vec<_>>();
    let found = match arena.node(expr) {
        Node::Float(_) => Ty::FLOAT,
        Node::Int(_) => Ty::INT,
        Node::Bool(_) => Ty::BOOL,
        Node::Var(var) => vars[var],
        Node::Prim(prim, args) => {
            assert_eq!(all(args), prim.arguments());
            prim.result()
        }
        Node::Construct(tag, args) => {
            assert_eq!(all(args), arena.types().constructor(*tag).fields);
            Ty::sum(tag.sum)
        }
        Node::Tuple(args) => Ty::tuple(&all(args)).unwrap(),
        Node::Call(fun, args) => {
            assert_eq!(all(args), arena.signature(*fun).0);
            arena.signature(*fun).1
        }
        Node::Case { subject, branches } => {
            let binds = arena.types().branches(type_of(arena, *subject, vars)).unwrap();
            assert_eq!(binds.len(), branches.len());
            let mut results = branches.iter().zip(binds).map(|(branch, binds)| {
                assert_eq!(branch.vars.iter().map(|&var| arena.var_ty(var)).collect::<Vec<_>>(), binds);
                type_of(arena, branch.body, &bind(&branch.vars))
            });
            let first = results.next().unwrap();
            assert!(results.all(|ty| ty == first));
            first
        }
        Node::Let { var, bound, body } => {
            assert_eq!(type_of(arena, *bound, vars), arena.var_ty(*var));
            type_of(arena, *body, &bind(&[*var]))
        }
        Node::LetFun { fun, params, body, rest } => {
            assert_eq!(params.iter().map(|&p| arena.var_ty(p)).collect::<Vec<_>>(), arena.signature(*fun).0);
            assert_eq!(type_of(arena, *body, &bind(params)), arena.signature(*fun).1);
            type_of(arena, *rest, vars)
        }
    };
    assert_eq!(found, arena.ty(expr));
    found
}

fn check_types(program: &Program) {
    for Definition { fun, params, body } in program.definitions() {
        let vars = params.iter().map(|&param| (param, program.arena().var_ty(param))).collect();
        assert_eq!(type_of(program.arena(), *body, &vars), program.arena().signature(*fun).1);
    }
}

/// The machine on the same input; its value in the store.
fn on_machine(
    program: &Program,
    store: &mut Store,
    args: &[Value],
    limits: &Limits,
) -> Result<Run<Value>, Stop> {
    let mut heap = Heap::new();
    let words: Vec<u64> = args.iter().map(|&arg| heap.load(store, arg)).collect();
    let run = Machine::new().run(&program.compile(), &mut heap, &words, limits)?;
    let value = heap.unload(program.types(), program.signature().1, run.value, store);
    Ok(Run { value, steps: run.steps })
}

/// Runs that ended, runs that took more steps than the program has nodes, and runs that were stopped.
#[derive(Debug, Default)]
struct Seen {
    ended: usize,
    long: usize,
    stopped: usize,
}

fn both_agree(program: &Program, random: &mut Random, seen: &mut Seen) {
    let limits = Limits { steps: 2_000, heap: 1 << 16, stack: 1 << 16 };
    let mut store = Store::new();
    let params = program.signature().0;
    let types = program.types();
    let args: Vec<Value> = params.iter().map(|&ty| random_value(&mut store, types, ty, 8, random)).collect();
    let plain = interpret(program, &mut store, &args, &limits).unwrap();
    let fast = on_machine(program, &mut store, &args, &limits);
    match (plain, fast) {
        (Ok(plain), Ok(fast)) => {
            seen.ended += 1;
            seen.long += usize::from(plain.steps as usize > program.size());
            assert_eq!(plain.steps, fast.steps, "{program}");
            assert!(same(&store, plain.value, &store, fast.value), "{program}");
            assert!(store.fits(types, program.signature().1, plain.value), "{program}");
        }
        (Err(_), Err(_)) => seen.stopped += 1,
        (plain, fast) => panic!("{plain:?} and {fast:?} on {program}"),
    }
}

/// Types, text and renaming of a program.
fn is_sound(program: &Program) {
    check_types(program);
    let text = program.to_text();
    let again = Program::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(*program, again, "{text}");
    assert_eq!(again.to_text(), text);
    let (arena, definitions) = program.open();
    assert_eq!(Program::new(&arena, &definitions).unwrap(), *program);
}

#[test]
fn the_machine_agrees_with_the_interpreter_on_random_programs() {
    let types = types();
    let (mut seen, mut n_functions) = (Seen::default(), 0);
    for seed in 0..1_000 {
        let mut random = Random::stream(7, seed);
        let Some(program) = random_program(&types, 4 + seed as usize % 40, &mut random) else { continue };
        is_sound(&program);
        n_functions += usize::from(program.to_string().contains("let fun"));
        (0..2).for_each(|_| both_agree(&program, &mut random, &mut seen));
    }
    assert!(seen.ended > 1_800 && n_functions > 250, "{seen:?} {n_functions}");
}

#[test]
fn the_machine_agrees_with_the_interpreter_on_changed_programs() {
    let types = types();
    let (mut seen, mut n_refused) = (Seen::default(), 0);
    for (k, text) in RECURSIVE.iter().enumerate() {
        let start = Program::parse_with(&types, text).unwrap();
        is_sound(&start);
        for seed in 0..40 {
            let mut random = Random::stream(k as u64, seed);
            let mut program = start.clone();
            for _ in 0..5 {
                match replaced(&program, &mut random) {
                    Some(changed) if changed.size() < 150 => program = changed,
                    _ => n_refused += 1,
                }
                is_sound(&program);
                (0..2).for_each(|_| both_agree(&program, &mut random, &mut seen));
            }
        }
    }
    assert!(seen.ended > 1_500 && seen.long > 300 && seen.stopped > 0, "{seen:?}");
    assert!(n_refused < 200, "{n_refused} changes were refused");
}

fn list_of(store: &mut Store, n: i64) -> Value {
    let nil = store.data(0, &[]);
    (0..n).fold(nil, |rest, k| store.data(1, &[Value::Int(k), rest]))
}

const HEAD: &str = "type list = Nil | Cons of int * list\n";

#[test]
fn hostile_programs_stop_at_their_limits() {
    let limits = Limits { steps: 1_000_000, heap: 10_000, stack: 10_000 };
    let cases = [
        // Exponential time.
        ("fun f(n: int): int = case n of 0 => 1 | m + 1 => f(m) + f(m)", Stop::Steps),
        // As many steps as the argument is large.
        ("fun f(n: int): int = case n of 0 => 1 | m + 1 => f(m)", Stop::Steps),
        // A stack as deep as the argument is large.
        ("fun f(n: int): int = case n of 0 => 1 | m + 1 => 1 + f(m)", Stop::Memory),
        // A list that doubles at every step.
        (
            "fun f(n: int): list = let fun join(a: list, b: list): list = case a of Nil => b \
             | Cons(x, r) => Cons(x, join(r, b)) in case n of 0 => Cons(1, Nil) \
             | m + 1 => let val a = f(m) in join(a, a) end end",
            Stop::Memory,
        ),
    ];
    for (text, stop) in cases {
        let program = Program::parse(&format!("{HEAD}{text}")).unwrap();
        let args = [Value::Int(1_000_000_000_000)];
        let found = on_machine(&program, &mut Store::new(), &args, &limits);
        // A stack as deep as the argument comes first where calls wait for each other.
        assert!(matches!(found, Err(found) if found == stop || found == Stop::Memory), "{text}: {found:?}");
        assert!(interpret(&program, &mut Store::new(), &args, &limits).unwrap().is_err(), "{text}");
    }
}

#[test]
fn deep_values_need_no_deep_stack() {
    let text = "fun f(xs: list): list = let fun onto(xs: list, done: list): list = case xs of Nil => done \
                | Cons(x, rest) => onto(rest, Cons(x, done)) in onto(xs, Nil) end";
    let program = Program::parse(&format!("{HEAD}{text}")).unwrap();
    let limits = Limits { steps: u64::MAX, heap: 1 << 24, stack: 1 << 24 };
    let mut store = Store::new();
    let n = 100_000;
    let list = list_of(&mut store, n);
    let plain = interpret(&program, &mut store, &[list], &limits).unwrap().unwrap();
    let fast = on_machine(&program, &mut store, &[list], &limits).unwrap();
    assert!(same(&store, plain.value, &store, fast.value));
    assert_eq!(plain.steps, fast.steps);
    let shown = values::text(&store, program.types(), program.signature().1, plain.value);
    assert!(shown.starts_with("Cons(99999, ") || shown.starts_with("Cons(0, "), "{}", &shown[..40]);
    let tail_calls = Limits { stack: 100, ..limits };
    assert!(on_machine(&program, &mut store, &[list], &tail_calls).is_ok(), "a tail call takes no stack");
}

#[test]
fn steps_are_the_limit_exactly() {
    let program = Program::parse("fun f(n: int): int = case n of 0 => 1 | m + 1 => n * f(m)").unwrap();
    let args = [Value::Int(10)];
    let limits = Limits::default();
    let run = on_machine(&program, &mut Store::new(), &args, &limits).unwrap();
    assert_eq!(run.value, Value::Int(3_628_800));
    // Ten times case, n, *, n, f, m; at the end case, n and 1.
    assert_eq!(run.steps, 63);
    for (steps, ends) in [(63, true), (62, false)] {
        let limits = Limits { steps, ..limits };
        assert_eq!(on_machine(&program, &mut Store::new(), &args, &limits).is_ok(), ends);
        assert_eq!(interpret(&program, &mut Store::new(), &args, &limits).unwrap().is_ok(), ends);
    }
}
