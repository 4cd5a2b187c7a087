//! Complexity counted by hand; simplification that changes no value.

use super::programs::{RECURSIVE, random_value, replaced, types};
use super::values;
use crate::base::random::Random;
use crate::model::program::tests::interpret::interpret;
use crate::model::program::{
    Arena, Definition, InScope, Limits, Prim, Program, Store, Ty, Value, Vocabulary, examples,
};

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
}

#[test]
fn bits_of_scalar_rules() {
    let vocabulary = Vocabulary::scalar();
    let bits = |text: &str| Program::parse(text).unwrap().bits(&vocabulary);
    // Twelve primitives, `if`, `let` and x: fifteen symbols make a float.
    close(bits("fun f(x: float): float = x"), 15f64.log2());
    close(bits("fun f(x: float): float = x + 1.0"), 4.0 * 15f64.log2());
    // A comparison makes a truth value: two of them, `if` and `let`.
    close(bits("fun f(x: float): float = if x < x then x else x"), 5.0 * 15f64.log2() + 2.0);
    // The published estimator: 16 symbols, and one more after every `let`.
    let nodes = [(16, 9), (17, 6), (18, 5), (19, 5)];
    let expected = nodes.iter().map(|&(n, k)| f64::from(k) * f64::from(n).log2()).sum();
    close(Program::parse(examples::PUBLISHED).unwrap().bits(&vocabulary), expected);
}

#[test]
fn bits_of_programs_on_data() {
    let text = "type list = Nil | Cons of int * list
        fun length(xs: list): int = case xs of Nil => 0 | Cons(_, rest) => 1 + length(rest)";
    let program = Program::parse(text).unwrap();
    let list = Ty::sum(program.types().find("list").unwrap());
    let vocabulary = Vocabulary {
        prims: vec![Prim::AddInt],
        constructors: program.types().tags(program.types().find("list").unwrap()).collect(),
        cases: vec![list],
        values: false,
        functions: false,
        ..Vocabulary::scalar()
    };
    // int: +, case, length, and x in the branch; list: Nil, Cons, case, xs, and rest in the branch.
    let outside = 3f64.log2() + 4f64.log2() + 2.0 * 3f64.log2();
    let branch = 4f64.log2() + 2.0 * 4f64.log2() + 4f64.log2() + 5f64.log2();
    close(program.bits(&vocabulary), outside + branch);
}

#[test]
fn more_nodes_cost_more_bits_and_library_functions_widen_the_choice() {
    let vocabulary = Vocabulary::scalar();
    let bits = |text: &str| Program::parse(text).unwrap().bits(&vocabulary);
    assert!(bits("fun f(x: float): float = x * x") < bits("fun f(x: float): float = sqrt(x * x)"));
    let alone = bits("fun f(x: float): float = x * x");
    let with_help = bits("fun g(x: float): float = x fun f(x: float): float = x * x");
    close(with_help, 3.0 * 16f64.log2());
    assert!(alone < with_help);
}

/// An expression over x, y (floats), n (int), p (truth value), and a simpler one.
const SIMPLER: &[(&str, &str)] = &[
    ("x + 0.0", "x"),
    ("0.0 + x", "x"),
    ("x - 0.0", "x"),
    ("0.0 - x", "-x"),
    ("1.0 * x", "x"),
    ("x / 1.0", "x"),
    ("x * -1.0", "-x"),
    ("x / -1.0", "-x"),
    ("x * 0.0", "0.0"),
    ("sqrt(x) * 0.0", "0.0 * sqrt(x)"),
    ("x - x", "0.0"),
    ("exp(x) - exp(x)", "exp(x) - exp(x)"),
    ("--x", "x"),
    ("-(x - y)", "y - x"),
    ("x + -y", "x - y"),
    ("x - -y", "x + y"),
    ("-x + y", "y - x"),
    ("-x * -y", "x * y"),
    ("-x / -y", "x / y"),
    ("abs(-x)", "abs(x)"),
    ("abs(abs(x))", "abs(x)"),
    ("abs(exp(x))", "exp(x)"),
    ("min(x, x)", "x"),
    ("x * 2.0", "2.0 * x"),
    ("(1.0 + 2.0) * x", "3.0 * x"),
    ("1.0 / 0.0", "1.0 / 0.0"),
    ("x + (y + 1.0)", "x + (y + 1.0)"),
    ("if x < x then x else y", "y"),
    ("if x <= x then x else y", "x"),
    ("if x < y then x else x", "x"),
    ("if not (x < y) then x else y", "if x < y then y else x"),
    ("if p and true then x else y", "if p then x else y"),
    ("if p and false then x else y", "y"),
    ("if p or p then x else y", "if p then x else y"),
    ("if not (not p) then x else y", "if p then x else y"),
    ("let val z = x * y in x end", "x"),
    ("let val z = x * y in z + 1.0 end", "x * y + 1.0"),
    ("let val z = x in z * z end", "x * x"),
    ("let val z = x * y in z * z end", "let val z = x * y in z * z end"),
    ("let val (a, b) = (x, y) in a - b end", "x - y"),
    ("let fun g(z: float): float = z in x end", "x"),
    (
        "let val z = x * y fun g(w: float): float = w * z in g(x) end",
        "let val z = x * y fun g(w: float): float = w * z in g(x) end",
    ),
    ("case 3 of 0 => x | m + 1 => y + float(m)", "y + 2.0"),
    ("float(n * 1 + 0)", "float(n)"),
    ("float(n - n)", "0.0"),
    ("float(n mod 1 + n div 1)", "float(n)"),
    ("if n <= n then x else y", "x"),
];

#[test]
fn simpler_expressions() {
    for (text, expected) in SIMPLER {
        let head = "fun f(x: float, y: float, n: int, p: bool): float =";
        let read =
            |text: &str| Program::parse(&format!("{head} {text}")).unwrap_or_else(|e| panic!("{text}: {e}"));
        let simpler = read(text).simplify();
        assert_eq!(simpler, read(expected), "{text} became {simpler}");
        assert_eq!(simpler.simplify(), simpler);
    }
}

/// Every value that arises while a formula without `let` is computed.
fn values_on_the_way(program: &Program, args: &[Value]) -> Vec<f64> {
    let (arena, definitions) = program.open();
    let main = &definitions[0];
    let parts = arena.places(main.body).into_iter().filter(|(_, expr)| arena.ty(*expr) == Ty::FLOAT);
    let values = parts.map(|(_, body)| {
        let part = Program::new(&arena, &[Definition { body, ..main.clone() }]).unwrap();
        let run = interpret(&part, &mut Store::new(), args, &Limits::default()).unwrap().unwrap();
        let Value::Float(value) = run.value else { panic!("a formula makes a float") };
        value
    });
    values.collect()
}

#[test]
fn simplified_formulas_have_the_same_values() {
    let vocabulary = Vocabulary { values: false, ..Vocabulary::scalar() };
    let (mut n_compared, mut n_shorter) = (0, 0);
    for seed in 0..400 {
        let mut random = Random::stream(3, seed);
        let mut arena = Arena::default();
        let params: Box<[_]> = ["c", "n"].iter().map(|name| arena.declare_var(name, Ty::FLOAT)).collect();
        let fun = arena.declare_fun("f", &[Ty::FLOAT; 2], Ty::FLOAT);
        let scope = InScope { vars: params.to_vec(), funs: vec![] };
        let body = arena.generate(Ty::FLOAT, 20, &scope, &vocabulary, &mut random).unwrap();
        let program = Program::new(&arena, &[Definition { fun, params, body }]).unwrap();
        let simpler = program.simplify();
        assert!(simpler.size() <= program.size(), "{program} became {simpler}");
        n_shorter += usize::from(simpler.size() < program.size());
        for (c, n) in [(1.0, 1.0), (3.0, 4.0), (17.0, 40.0), (-2.5, 0.0)] {
            let args = [Value::Float(c), Value::Float(n)];
            let values = values_on_the_way(&program, &args);
            if values.iter().all(|value| value.is_finite()) {
                n_compared += 1;
                assert_eq!(values_on_the_way(&simpler, &args)[0], values[0], "{program} became {simpler}");
            }
        }
    }
    assert!(n_compared > 400 && n_shorter > 100, "{n_compared} {n_shorter}");
}

#[test]
fn simplified_programs_have_the_same_values_in_no_more_steps() {
    let types = types();
    let limits = Limits { steps: 3_000, heap: 1 << 16, stack: 1 << 16 };
    let mut n_shorter = 0;
    for (k, text) in RECURSIVE.iter().enumerate() {
        for seed in 0..40 {
            let mut random = Random::stream(100 + k as u64, seed);
            let mut program = Program::parse_with(&types, text).unwrap();
            for _ in 0..4 {
                program = replaced(&program, &mut random).unwrap_or(program);
            }
            let simpler = program.simplify();
            n_shorter += usize::from(simpler.size() < program.size());
            let mut store = Store::new();
            let args: Vec<Value> = (program.signature().0.iter())
                .map(|&ty| random_value(&mut store, &types, ty, 6, &mut random))
                .collect();
            let Ok(run) = interpret(&program, &mut store, &args, &limits).unwrap() else { continue };
            let same = interpret(&simpler, &mut store, &args, &limits).unwrap().unwrap();
            let shown =
                |value| values::text(&store, &types, program.signature().1, value).replace("-0.0", "0.0");
            assert_eq!(shown(run.value), shown(same.value), "{program} became {simpler}");
            assert!(same.steps <= run.steps, "{program} became {simpler}");
        }
    }
    assert!(n_shorter > 50, "{n_shorter}");
}
