//! Programs as text and as JSON: what reads, what does not and why.

use crate::model::program::arena::MAX_DEPTH;
use crate::model::program::{
    Arena, Branch, Definition, Prim, Program, ProgramError, Store, Ty, Value, Vocabulary, examples,
};

/// A text and what the error says about it.
const REFUSED: &[(&str, &str)] = &[
    (
        "fun f(x: float): float = x + 1",
        "line 1, column 28: argument 2 of '+' must be of type float, and is of type int",
    ),
    (
        "fun f(x: float): float = (x + ",
        "line 1, column 31: expected an expression, found the end of the text",
    ),
    ("fun f(x: float): float = (x", "line 1, column 28: expected ',' or ')', found the end of the text"),
    ("fun f(x: float): float =\n  x y", "line 2, column 5: expected 'fun', found 'y'"),
    ("fun f(x: float): float = y", "line 1, column 26: no variable 'y' is in scope here"),
    ("fun f(x: float): float = g(x)", "line 1, column 26: no function 'g' is in scope here"),
    ("fun f(x: real): float = x", "line 1, column 10: no type 'real' is in scope here"),
    (
        "fun f(x: float): float = $",
        "line 1, column 26: expected a name, a number or a mark of the language, found '$'",
    ),
    (
        "fun f(x: float): float = (* x",
        "line 1, column 26: expected '*)' after this comment, found the end of the text",
    ),
    (
        "fun f(x: float): bool = x < x < x",
        "line 1, column 31: expected no second comparison; put one in parentheses, found '<'",
    ),
    (
        "fun f(x: int): int = 9223372036854775808",
        "line 1, column 22: expected an integer of at most 64 bits, found 9223372036854775808",
    ),
    ("fun f(x: float): float = sqrt(x, x)", "line 1, column 26: arguments of 'sqrt': 1 needed, 2 given"),
    (
        "fun f(x: float): float = if x then x else x",
        "line 1, column 26: the condition of 'if' must be of type bool, and is of type float",
    ),
    (
        "fun f(x: bool): float = if x then 1.0 else 2",
        "line 1, column 25: branch 2 of 'case', like its first branch, must be of type float, and is of type int",
    ),
    (
        "fun f(x: float): int = x",
        "line 1, column 5: the body of 'f' must be of type int, and is of type float",
    ),
    (
        "fun f(x: bool): int = case x of true => 1",
        "line 1, column 23: branches of 'case', one for every pattern of its type: 2 needed, 1 given",
    ),
    (
        "fun f(x: bool): int = case x of true => 1 | true => 2",
        "line 1, column 45: branches for one and the same pattern: 1 needed, 2 given",
    ),
    (
        "fun f(x: int): int = case x of 1 => 1",
        "line 1, column 32: expected '0' or a pattern such as 'm + 1', found '1'",
    ),
    (
        "fun f(x: float): int = case x of 0 => 1",
        "line 1, column 34: the subject of 'case' must be of type int, bool, a sum type or a tuple, and is of type float",
    ),
    (
        "fun f(x: float, x2: float): float = let val (a, b) = (x, x2, x) in a end",
        "line 1, column 65: names in this pattern: 3 needed, 2 given",
    ),
    (
        "type t = A of t fun f(x: t): t = x",
        "type 't' has no finite value; give it a constructor that does not need 't' itself",
    ),
    ("type t = A type t = B fun f(x: t): t = x", "the type 't' is declared twice; rename one"),
    ("type t = A | A fun f(x: t): t = x", "the constructor 'A' is declared twice; rename one"),
    ("type t = A fun f(x: t): t = B", "line 1, column 29: no constructor 'B' is in scope here"),
    (
        "fun f(x: int): int = f(x)",
        "line 1, column 5: function 'f' must call itself with a strict part of one and the same parameter, a variable that a case on it binds",
    ),
    (
        "fun f(x: int): int = f(x - 1)",
        "line 1, column 5: function 'f' must call itself with a strict part of one and the same parameter, a variable that a case on it binds",
    ),
    (
        "type l = N | C of int * l fun f(a: l, b: l): l = case a of N => b | C(x, r) => case b of N => a | C(y, s) => f(r, a)",
        "",
    ),
    (
        "type l = N | C of int * l fun f(a: l, b: l): l = case a of N => b | C(x, r) => case b of N => f(r, b) | C(y, s) => f(a, s)",
        "line 1, column 31: function 'f' must call itself with a strict part of one and the same parameter, a variable that a case on it binds",
    ),
    // A local function may hand on a part of the outer parameter, but nothing larger.
    (
        "type l = N | C of int * l fun f(a: l): l = case a of N => N | C(x, r) => let fun g(b: l): l = f(b) in g(r) end",
        "",
    ),
    (
        "type l = N | C of int * l fun f(a: l): l = let fun g(b: l): l = f(b) in g(a) end",
        "line 1, column 31: function 'f' must call itself with a strict part of one and the same parameter, a variable that a case on it binds",
    ),
    (
        "type l = N | C of int * l fun f(a: l): l = case a of N => N | C(x, r) => let fun g(b: l): l = case b of N => N | C(y, s) => f(b) in g(C(x, r)) end",
        "line 1, column 31: function 'f' must call itself with a strict part of one and the same parameter, a variable that a case on it binds",
    ),
    ("fun f(p: float * int): float = let val (a, b) = p in a end", ""),
    ("fun f(x: float): float * (int) = (x, 1)", "line 1, column 26: expected a type, found '('"),
];

#[test]
fn errors_say_what_and_where() {
    for (text, message) in REFUSED {
        match Program::parse(text) {
            Ok(_) => assert!(message.is_empty(), "{text} was read"),
            Err(error) => assert_eq!(error.to_string(), *message, "{text}"),
        }
    }
}

/// Expressions over x, y (floats), n, m (ints), p, q (truth values) as the printer writes them.
const PRINTED: &[&str] = &[
    "x - (y - x) - y",
    "x / (y * x) / y",
    "-x * -y",
    "-(x * y)",
    "-(-x)",
    "x - -1.5",
    "-(3.0)",
    "--3.0",
    "x + -inf",
    "nan * 1e300",
    "float(n mod (m - 3) div 2)",
    "if x < y then 1.0 else if p and (q or not p) then 2.0 else 3.0",
    "(if p then x else y) + 1.0",
    "if (x < y) = q then x else y",
    "let val z = x * x val w = z + z in w / z end",
    "case n of 0 => x | k + 1 => float(k)",
    "case n of 0 => (case m of 0 => x | k + 1 => y) | k + 1 => float(k)",
    "let fun g(z: float, k: int): float = z * float(k) in g(x, n) + g(y, m) end",
    "min(x, max(abs(y), sqrt(log(exp(tanh(x))))))",
];

#[test]
fn expressions_round_trip_with_few_parentheses() {
    for text in PRINTED {
        let text = text.replace("(x < y) = q", "not (x = y) and q or x <= y");
        let head = "fun f(x: float, y: float, n: int, m: int, p: bool, q: bool): float =";
        let program = Program::parse(&format!("{head} {text}")).unwrap_or_else(|e| panic!("{text}: {e}"));
        let printed = program.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        let printed =
            printed.strip_prefix(head).expect("the head comes first").trim().replace("-(-x)", "--x");
        assert_eq!(printed, text.replace("-(-x)", "--x"));
        assert_eq!(Program::parse(&program.to_text()).unwrap(), program);
    }
}

#[test]
fn other_spellings_mean_the_same() {
    let same = [
        ("x > y", "y < x"),
        ("x >= y", "y <= x"),
        ("x <> y", "not (x = y)"),
        ("case x < y of false => p | true => true", "if x < y then true else p"),
        ("(* a (* nested *) comment *) (p)", "p"),
        ("let val a = x in a < y end", "let val b = x in b < y end"),
    ];
    for (one, other) in same {
        let read = |text: &str| {
            Program::parse(&format!("fun f(x: float, y: float, p: bool): bool = {text}")).unwrap()
        };
        assert_eq!(read(one), read(other), "{one}");
        assert_eq!(read(one).fingerprint(), read(other).fingerprint());
    }
}

#[test]
fn programs_are_equal_up_to_names_only() {
    let read = |text: &str| Program::parse(text).unwrap();
    let one = read("fun f(c: float, n: float): float = let val e = n - c in e / n end");
    let renamed = read("fun est(a: float, b: float): float = let val n = b - a in n / b end");
    assert_eq!(one, renamed);
    let others = [
        "fun f(n: float, c: float): float = let val e = n - c in e / n end",
        "fun f(c: float, n: float): float = (n - c) / n",
        "fun f(c: float, n: float, m: float): float = let val e = n - c in e / n end",
        "type t = A fun f(c: float, n: float): float = let val e = n - c in e / n end",
    ];
    for other in others {
        assert_ne!(one, read(other), "{other}");
    }
    let taken = read("fun f(x: float): float = let val x = x + 1.0 in let val x = x * x in x end end");
    assert_eq!(Program::parse(&taken.to_text()).unwrap(), taken, "inner names are told apart");
}

#[test]
fn json_keeps_programs_and_names_what_it_cannot_read() {
    for text in [examples::PUBLISHED, examples::NAIVE] {
        let program = Program::parse(text).unwrap();
        let json = program.to_json();
        assert_eq!(Program::from_json(&json).unwrap(), program);
        let wrong = Program::from_json(&json.replace("\"version\":1", "\"version\":2")).unwrap_err();
        assert!(wrong.to_string().contains("of version 2, and"), "{wrong}");
        assert!(matches!(Program::from_json("{}"), Err(ProgramError::Format { .. })));
    }
}

#[test]
fn what_is_too_deep_is_refused_and_not_a_crash() {
    let head = "fun f(x: float): float = ";
    for (open, close) in [("(", ")"), ("-", ""), ("sqrt(", ")"), ("1.0 - (", ")")] {
        let text = format!("{head}{}x{}", open.repeat(100_000), close.repeat(100_000));
        let error = Program::parse(&text).unwrap_err().to_string();
        assert!(
            error.ends_with(&format!("the program's depth is above {MAX_DEPTH}; split or simplify it")),
            "{error}"
        );
    }
    let sum = format!("{head}{}x", "x + ".repeat(100_000));
    assert!(Program::parse(&sum).unwrap_err().to_string().contains("depth"));
    // Shared nodes count as often as they are written.
    let mut arena = Arena::default();
    let mut big = arena.float(1.0);
    let error = (0..MAX_DEPTH).find_map(|_| match arena.prim(Prim::AddFloat, &[big, big]) {
        Ok(sum) => {
            big = sum;
            None
        }
        Err(error) => Some(error),
    });
    assert!(matches!(error, Some(ProgramError::TooLarge { what: "size", .. })), "{error:?}");
}

#[test]
fn constructors_refuse_ill_typed_parts() {
    let types = super::programs::types();
    let mut arena = Arena::new(types.clone());
    let (one, yes) = (arena.float(1.0), arena.bool(true));
    let cons = types.find_constructor("Cons").unwrap();
    assert!(matches!(arena.prim(Prim::Sqrt, &[yes]), Err(ProgramError::Mismatch { .. })));
    assert!(matches!(arena.prim(Prim::Sqrt, &[]), Err(ProgramError::Arity { .. })));
    assert!(matches!(arena.construct(cons, &[one, one]), Err(ProgramError::Mismatch { .. })));
    assert!(matches!(arena.tuple(&[one]), Err(ProgramError::Tuple { .. })));
    assert!(matches!(arena.case(one, vec![]), Err(ProgramError::Mismatch { .. })));
    assert!(matches!(arena.choose(yes, one, yes), Err(ProgramError::Mismatch { .. })));
    let var = arena.declare_var("b", Ty::BOOL);
    assert!(matches!(arena.bind(var, one, one), Err(ProgramError::Mismatch { .. })));
    let pair = arena.tuple(&[one, one]).unwrap();
    assert!(matches!(arena.tuple(&[pair, one]), Err(ProgramError::Tuple { nested: true, .. })));
    let twice = arena.declare_var("x", Ty::FLOAT);
    let branch = Branch { vars: [twice, twice].into(), body: one };
    assert!(matches!(arena.case(pair, vec![branch]), Err(ProgramError::Name { .. })));
}

#[test]
fn a_program_is_closed() {
    let mut arena = Arena::default();
    let fun = arena.declare_fun("f", &[Ty::FLOAT], Ty::FLOAT);
    let other = arena.declare_fun("g", &[Ty::FLOAT], Ty::FLOAT);
    let (x, y) = (arena.declare_var("x", Ty::FLOAT), arena.declare_var("y", Ty::FLOAT));
    let params: Box<[_]> = [x].into();
    let y = arena.var(y);
    let unbound = Program::new(&arena, &[Definition { fun, params: params.clone(), body: y }]);
    assert_eq!(unbound.unwrap_err().to_string(), "no variable 'y' is in scope here");
    let x = arena.var(x);
    let call = arena.call(other, &[x]).unwrap();
    let unbound = Program::new(&arena, &[Definition { fun, params, body: call }]);
    assert_eq!(unbound.unwrap_err().to_string(), "no function 'g' is in scope here");
}

#[test]
fn a_value_fits_its_type_alone() {
    let types = super::programs::types();
    let mut store = Store::new();
    let nil = store.data(0, &[]);
    let list = store.data(1, &[Value::Int(-2), nil]);
    let pair = store.data(0, &[list, Value::Float(0.5)]);
    let ty = Ty::tuple(&[Ty::sum(types.find("list").unwrap()), Ty::FLOAT]).unwrap();
    assert!(store.fits(&types, ty, pair) && !store.fits(&types, Ty::INT, pair));
}

#[test]
fn the_programs_of_the_language_page_are_programs() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/language.md");
    let page = std::fs::read_to_string(page).expect("the page can be read");
    let blocks: Vec<&str> =
        page.split("```ml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(blocks.len(), 3);
    let bits = Program::parse(blocks[0]).unwrap().bits(&Vocabulary::scalar());
    assert!((bits - 32.0).abs() < 1e-9, "the page says 32 bits, and it is {bits}");
    for block in blocks {
        let program = Program::parse(block).unwrap_or_else(|error| panic!("{error}\n{block}"));
        assert_eq!(Program::parse(&program.to_text()).unwrap(), program);
    }
}
