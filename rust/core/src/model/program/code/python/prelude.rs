//! What stands before Python functions: reserved words, helpers, a class for every constructor.

use crate::model::program::code::is_word;
use crate::model::program::prim::Prim;
use crate::model::program::types::{Atom, Ty, Types};

/// What is no name.
pub(super) const WORDS: &str = "\
    False None True and as assert async await break case class continue def del elif else except \
    finally for from global if import in is lambda match nonlocal not or pass raise return try \
    type while with yield np math abs float divide divide_int modulo smaller larger sqrt log exp";

/// Helpers for primitives that would raise an exception.
pub(super) const HELPERS: &[(Prim, &str)] = &[
    (
        Prim::DivFloat,
        "def divide(a, b):\n    if b != 0:\n        return a / b\n    \
         return math.copysign(1, a) * math.copysign(math.inf, b) if a == a and a != 0 else math.nan\n",
    ),
    (Prim::Sqrt, "def sqrt(a):\n    return math.sqrt(a) if not a < 0 else math.nan\n"),
    (Prim::Log, "def log(a):\n    return math.log(a) if not a <= 0 else -math.inf if a == 0 else math.nan\n"),
    (
        Prim::Exp,
        "def exp(a):\n    try:\n        return math.exp(a)\n    except OverflowError:\n        return math.inf\n",
    ),
    (Prim::Min, "def smaller(a, b):\n    return b if b < a or b != b else a\n"),
    (Prim::Max, "def larger(a, b):\n    return b if b > a or b != b else a\n"),
    (Prim::DivInt, "def divide_int(a, b):\n    return a // b if b else 0\n"),
    (Prim::ModInt, "def modulo(a, b):\n    return a % b if b else a\n"),
];

pub(super) fn classes(types: &Types) -> Vec<String> {
    let constructors = types.sums().iter().flat_map(|sum| sum.constructors.iter().map(move |c| (sum, c)));
    let classes = constructors.map(|(sum, constructor)| {
        let name = class(&constructor.name);
        let doc = format!("    \"\"\"A constructor of type {}.\"\"\"\n", sum.name);
        let fields = constructor.fields.iter().enumerate();
        let fields = fields.map(|(k, &field)| format!("    part{}: {}\n", k + 1, annotation(types, field)));
        let fields: String = fields.collect();
        let gap = if fields.is_empty() { "" } else { "\n" };
        format!("class {name}(NamedTuple):\n{doc}{gap}{fields}")
    });
    classes.collect()
}

pub(super) fn annotation(types: &Types, ty: Ty) -> String {
    match ty {
        Ty::FLOAT | Ty::INT | Ty::BOOL => types.name(ty),
        // Types refer to each other, so one is named by its constructors in quotes.
        Ty::Atom(Atom::Sum(sum)) => {
            let names: Vec<String> = types.sum(sum).constructors.iter().map(|c| class(&c.name)).collect();
            format!("\"{}\"", names.join(" | "))
        }
        _ => {
            let Ty::Tuple(parts) = ty else { unreachable!("single types came before") };
            format!(
                "tuple[{}]",
                parts.iter().map(|part| annotation(types, part)).collect::<Vec<_>>().join(", ")
            )
        }
    }
}

pub(super) fn class(constructor: &str) -> String {
    if is_word(WORDS, constructor) { format!("{constructor}_") } else { constructor.to_owned() }
}
