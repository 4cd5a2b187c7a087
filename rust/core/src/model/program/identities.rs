//! Identities of primitives that rounding leaves intact.
//!
//! They hold for all finite numbers, up to the sign of zeros. Where an operand might become infinite
//! on the way (x - x = 0, 0 * x = 0), it must be a variable or an integer.

use super::arena::Arena;
use super::node::{Expr, Node};
use super::prim::{self, Prim};
use super::value::Value;

/// A simpler expression with the same value, if one is known.
pub(super) fn rewrite(arena: &mut Arena, prim: Prim, args: &[Expr]) -> Option<Expr> {
    if let Some(folded) = fold(arena, prim, args) {
        return Some(folded);
    }
    match *args {
        [a] => unary(arena, prim, a),
        [a, b] => binary(arena, prim, a, b).or_else(|| in_order(arena, prim, a, b)),
        _ => None,
    }
}

fn constant(arena: &Arena, expr: Expr) -> Option<Value> {
    match *arena.node(expr) {
        Node::Float(bits) => Some(Value::Float(f64::from_bits(bits))),
        Node::Int(value) => Some(Value::Int(value)),
        Node::Bool(value) => Some(Value::Bool(value)),
        _ => None,
    }
}

/// The value of a primitive on constants; one that is not finite stays for the reader to see.
fn fold(arena: &mut Arena, prim: Prim, args: &[Expr]) -> Option<Expr> {
    let values = args.iter().map(|&arg| constant(arena, arg)).collect::<Option<Vec<Value>>>()?;
    match apply(prim, &values) {
        Value::Float(value) => value.is_finite().then(|| arena.float(value)),
        Value::Int(value) => Some(arena.int(value)),
        Value::Bool(value) => Some(arena.bool(value)),
        Value::Data(_) => None,
    }
}

/// A primitive on values of its types.
pub(super) fn apply(prim: Prim, args: &[Value]) -> Value {
    let value = match *args {
        [Value::Float(a)] => prim::float_unary(prim, a).map(Value::Float),
        [Value::Float(a), Value::Float(b)] => prim::float_binary(prim, a, b)
            .map(Value::Float)
            .or_else(|| prim::float_test(prim, a, b).map(Value::Bool)),
        [Value::Int(a)] => match prim {
            Prim::NegInt => Some(Value::Int(a.wrapping_neg())),
            Prim::ToFloat => Some(Value::Float(a as f64)),
            _ => None,
        },
        [Value::Int(a), Value::Int(b)] => prim::int_binary(prim, a, b)
            .map(Value::Int)
            .or_else(|| prim::int_test(prim, a, b).map(Value::Bool)),
        [Value::Bool(a)] => (prim == Prim::Not).then_some(Value::Bool(!a)),
        [Value::Bool(a), Value::Bool(b)] => match prim {
            Prim::And => Some(Value::Bool(a && b)),
            Prim::Or => Some(Value::Bool(a || b)),
            _ => None,
        },
        _ => None,
    };
    value.unwrap_or_else(|| panic!("'{}' has no value on {args:?}", prim.text()))
}

/// The argument of a primitive, if it stands at the root.
fn under(arena: &Arena, prim: Prim, expr: Expr) -> Option<Expr> {
    match arena.node(expr) {
        Node::Prim(found, args) if *found == prim => Some(args[0]),
        _ => None,
    }
}

fn operands(arena: &Arena, prim: Prim, expr: Expr) -> Option<(Expr, Expr)> {
    match arena.node(expr) {
        Node::Prim(found, args) if *found == prim => Some((args[0], args[1])),
        _ => None,
    }
}

fn is(arena: &Arena, expr: Expr, value: f64) -> bool {
    match constant(arena, expr) {
        Some(Value::Float(found)) => found == value,
        Some(Value::Int(found)) => found as f64 == value,
        _ => false,
    }
}

fn unary(arena: &mut Arena, prim: Prim, a: Expr) -> Option<Expr> {
    use Prim::*;
    match prim {
        NegFloat | NegInt => {
            let sub = if prim == NegFloat { SubFloat } else { SubInt };
            match (under(arena, prim, a), operands(arena, sub, a)) {
                (Some(inner), _) => Some(inner),
                (_, Some((x, y))) => arena.prim(sub, &[y, x]).ok(),
                _ => None,
            }
        }
        Not => under(arena, Not, a),
        Abs => {
            let positive = [Abs, Sqrt, Exp].iter().any(|&inner| under(arena, inner, a).is_some());
            match under(arena, NegFloat, a) {
                Some(inner) => arena.prim(Abs, &[inner]).ok(),
                None => positive.then_some(a),
            }
        }
        _ => None,
    }
}

fn binary(arena: &mut Arena, prim: Prim, a: Expr, b: Expr) -> Option<Expr> {
    use Prim::*;
    match prim {
        AddFloat => sum(arena, [AddFloat, SubFloat, NegFloat], a, b),
        AddInt => sum(arena, [AddInt, SubInt, NegInt], a, b),
        SubFloat => difference(arena, [AddFloat, SubFloat, NegFloat], a, b),
        SubInt => difference(arena, [AddInt, SubInt, NegInt], a, b),
        MulFloat => product(arena, MulFloat, NegFloat, a, b),
        MulInt => product(arena, MulInt, NegInt, a, b),
        DivFloat => quotient(arena, a, b),
        DivInt if is(arena, b, 1.0) => Some(a),
        ModInt if is(arena, b, 1.0) => Some(arena.int(0)),
        Min | Max | And | Or if a == b => Some(a),
        And | Or => truth(arena, prim, a, b),
        LessFloat | AtMostFloat | EqualFloat if a == b && is_plain(arena, a) => {
            Some(arena.bool(prim != LessFloat))
        }
        LessInt | AtMostInt | EqualInt if a == b => Some(arena.bool(prim != LessInt)),
        _ => None,
    }
}

/// Whether an expression cannot become infinite: a variable.
fn is_plain(arena: &Arena, expr: Expr) -> bool {
    matches!(arena.node(expr), Node::Var(_))
}

fn sum(arena: &mut Arena, [_, sub, neg]: [Prim; 3], a: Expr, b: Expr) -> Option<Expr> {
    if is(arena, b, 0.0) {
        return Some(a);
    }
    if is(arena, a, 0.0) {
        return Some(b);
    }
    match (under(arena, neg, a), under(arena, neg, b)) {
        (_, Some(b)) => arena.prim(sub, &[a, b]).ok(),
        (Some(a), _) => arena.prim(sub, &[b, a]).ok(),
        _ => None,
    }
}

fn difference(arena: &mut Arena, [add, _, neg]: [Prim; 3], a: Expr, b: Expr) -> Option<Expr> {
    if is(arena, b, 0.0) {
        return Some(a);
    }
    if is(arena, a, 0.0) {
        return arena.prim(neg, &[b]).ok();
    }
    if a == b {
        return match add {
            Prim::AddInt => Some(arena.int(0)),
            _ => is_plain(arena, a).then(|| arena.float(0.0)),
        };
    }
    let b = under(arena, neg, b)?;
    arena.prim(add, &[a, b]).ok()
}

fn product(arena: &mut Arena, mul: Prim, neg: Prim, a: Expr, b: Expr) -> Option<Expr> {
    for (one, other) in [(a, b), (b, a)] {
        if is(arena, one, 1.0) {
            return Some(other);
        }
        if is(arena, one, -1.0) {
            return arena.prim(neg, &[other]).ok();
        }
        if is(arena, one, 0.0) && (mul == Prim::MulInt || is_plain(arena, other)) {
            return Some(one);
        }
    }
    let (a, b) = (under(arena, neg, a)?, under(arena, neg, b)?);
    arena.prim(mul, &[a, b]).ok()
}

fn quotient(arena: &mut Arena, a: Expr, b: Expr) -> Option<Expr> {
    if is(arena, b, 1.0) {
        return Some(a);
    }
    if is(arena, b, -1.0) {
        return arena.prim(Prim::NegFloat, &[a]).ok();
    }
    let (a, b) = (under(arena, Prim::NegFloat, a)?, under(arena, Prim::NegFloat, b)?);
    arena.prim(Prim::DivFloat, &[a, b]).ok()
}

fn truth(arena: &mut Arena, prim: Prim, a: Expr, b: Expr) -> Option<Expr> {
    let neutral = Value::Bool(prim == Prim::And);
    match (constant(arena, a), constant(arena, b)) {
        (Some(value), _) => Some(if value == neutral { b } else { a }),
        (_, Some(value)) => Some(if value == neutral { a } else { b }),
        _ => None,
    }
}

/// Numbers stand before what they multiply.
fn in_order(arena: &mut Arena, prim: Prim, a: Expr, b: Expr) -> Option<Expr> {
    let is_number = |expr| constant(arena, expr).is_some();
    let turned = match prim {
        Prim::MulFloat | Prim::MulInt => is_number(b) && !is_number(a),
        _ => false,
    };
    if turned { arena.prim(prim, &[b, a]).ok() } else { None }
}
