//! Vocabularies by words, and names of binders.

use treewright_core::program::{Prim, Program, Ty, Vocabulary};

const SORT: &str = "type list = Nil | Cons of int * list
type other = Other of float
fun least(x: int, y: int): int = if x < y then x else y
fun sort(xs: list): list = case xs of Nil => Nil | Cons(x, rest) => Cons(least(x, 1), sort(rest))
";

fn words(text: &str) -> Vec<String> {
    text.split(", ").map(str::to_owned).collect()
}

#[test]
fn types_suggest_a_vocabulary() {
    let program = Program::parse(SORT).unwrap();
    let all = Vocabulary::of(&program);
    assert!(all.prims.contains(&Prim::AddInt) && all.prims.contains(&Prim::And));
    assert!(!all.prims.contains(&Prim::AddFloat) && !all.prims.contains(&Prim::ToFloat));
    assert_eq!((all.constructors.len(), all.cases.len()), (2, 3));
    assert!(all.int_constants && !all.float_constants && !all.values);
    let formula = Program::parse("fun f(x: float): float = x").unwrap();
    assert_eq!(Vocabulary::of(&formula).prims, Vocabulary::scalar().prims);
}

#[test]
fn words_name_symbols_in_any_order() {
    let program = Program::parse(SORT).unwrap();
    let named = |text: &str| Vocabulary::named(&program, &words(text));
    let found = named("Cons, -, case, if, least, constants, true").unwrap();
    assert_eq!(found.prims, [Prim::SubInt, Prim::NegInt]);
    assert_eq!(found.cases.len(), 3);
    assert!(found.int_constants && !found.float_constants && found.bool_constants && !found.functions);
    assert_eq!(named("constants, true, if, case, Cons, case list, -, least"), Ok(found));
    // What no type of the program has comes with its own.
    let floats = named("float, +, constants, let, fun").unwrap();
    assert_eq!(floats.prims, [Prim::AddFloat, Prim::AddInt, Prim::ToFloat]);
    assert!(floats.float_constants && floats.values && floats.functions);
    assert_eq!(named("case int").unwrap().cases, [Ty::INT]);
    for unknown in ["plus", "case tree", "", "xs"] {
        let message = named(unknown).unwrap_err().to_string();
        assert!(message.starts_with(&format!("'{unknown}' is no symbol; use")), "{message}");
    }
}

#[test]
fn binders_are_names_and_nothing_else() {
    let program = Program::parse(SORT).unwrap();
    let binders: Vec<String> = program.binders().into_iter().map(str::to_owned).collect();
    assert_eq!(binders, ["least", "x", "y", "sort", "xs", "x", "rest"]);
    assert_eq!(program.with_binders(&binders).unwrap().to_text(), program.to_text());
    let other = program.with_binders(&words("least, a, b, sort, list, head, tail")).unwrap();
    assert_eq!(other, program);
    assert!(other.to_text().contains("case list of Nil => Nil | Cons(head, tail)"), "{other}");
    assert_eq!(program.with_binders(&binders[1..]), None);
    assert_eq!(program.with_binders(&words("least, x, y, sort, xs, x, of")), None);
}
