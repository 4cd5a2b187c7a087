//! What stands before Rust functions: reserved words, helpers, an enum for every sum type.

use crate::model::program::prim::Prim;
use crate::model::program::types::{Atom, Ty, Types};

/// What is no name.
pub(super) const WORDS: &str = "\
    abstract as async await become box break const continue crate do dyn else enum extern false \
    final fn for gen if impl in let loop macro match mod move mut override priv pub ref return \
    self static struct super trait true try type typeof unsafe unsized use virtual where while \
    yield smaller larger divide modulo";

pub(super) const HELPERS: &[(Prim, &str)] = &[
    (Prim::Min, "fn smaller(a: f64, b: f64) -> f64 {\n    if b < a || b.is_nan() { b } else { a }\n}\n"),
    (Prim::Max, "fn larger(a: f64, b: f64) -> f64 {\n    if b > a || b.is_nan() { b } else { a }\n}\n"),
    (
        Prim::DivInt,
        "fn divide(a: i64, b: i64) -> i64 {\n    let exact = b == 0 || a.wrapping_rem(b) == 0;\n    \
         if b == 0 { 0 } else { a.wrapping_div(b) - i64::from(!exact && (a < 0) != (b < 0)) }\n}\n",
    ),
    (
        Prim::ModInt,
        "fn modulo(a: i64, b: i64) -> i64 {\n    let rest = if b == 0 { a } else { a.wrapping_rem(b) };\n    \
         if b != 0 && rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }\n}\n",
    ),
];

/// A type's name with a capital first letter and none below a line.
pub(super) fn camel(name: &str) -> String {
    let words = name.split('_').map(|word| {
        let mut chars = word.chars();
        chars.next().map_or(String::new(), |first| first.to_uppercase().collect::<String>() + chars.as_str())
    });
    words.collect()
}

pub(super) fn name(types: &Types, ty: Ty) -> String {
    match ty {
        Ty::FLOAT => "f64".to_owned(),
        Ty::INT => "i64".to_owned(),
        Ty::BOOL => "bool".to_owned(),
        Ty::Atom(Atom::Sum(sum)) => format!("Rc<{}>", camel(&types.sum(sum).name)),
        Ty::Tuple(parts) => {
            format!("({})", parts.iter().map(|part| name(types, part)).collect::<Vec<_>>().join(", "))
        }
    }
}

pub(super) fn enums(types: &Types) -> String {
    let sums = types.sums().iter().map(|sum| {
        let constructors = sum.constructors.iter().map(|constructor| {
            let fields: Vec<String> = constructor.fields.iter().map(|&field| name(types, field)).collect();
            let fields = if fields.is_empty() { String::new() } else { format!("({})", fields.join(", ")) };
            format!("    {}{fields},\n", constructor.name)
        });
        let constructors: String = constructors.collect();
        format!("#[derive(Debug, Clone, PartialEq)]\npub enum {} {{\n{constructors}}}\n\n", camel(&sum.name))
    });
    let sums: String = sums.collect();
    if sums.is_empty() { sums } else { format!("use std::rc::Rc;\n\n{sums}") }
}
