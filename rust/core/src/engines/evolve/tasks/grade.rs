//! How far an output is from the expected one.
//!
//! Data are compared from the root down, position by position: a constructor or number that agrees
//! counts, and below constructors that agree the comparison goes on. For lists that is the number of
//! places that agree, and a common prefix counts in any case.

use super::machine::UNIT;
use crate::engines::evolve::checkpoint::mix;
use crate::model::program::{Atom, Heap, Ty, Types};

/// Nodes of a value that are looked at; what is larger counts as wrong throughout.
pub const MOST_NODES: usize = 4096;

/// Loss of a wrong output that agrees in nothing; of one that agrees in all but nothing, half of it.
const WRONG: u64 = UNIT as u64;

/// Relative difference up to which floats agree.
const CLOSE: f64 = 1e-9;

/// Adds the fields of data with their types; whether there are any data and not a number.
fn add_fields(types: &Types, ty: Ty, heap: &Heap, word: u64, todo: &mut Vec<(Ty, u64)>) -> bool {
    match ty {
        Ty::Atom(Atom::Sum(sum)) => {
            let of = &types.sum(sum).constructors[Heap::position(word) as usize].fields;
            todo.extend(of.iter().copied().zip(heap.fields(word, of.len()).iter().copied()));
            true
        }
        Ty::Tuple(parts) => {
            todo.extend(parts.iter().zip(heap.fields(word, parts.n_parts()).iter().copied()));
            true
        }
        Ty::Atom(_) => false,
    }
}

/// Nodes of a value; `None` past the limit.
pub fn count(types: &Types, ty: Ty, heap: &Heap, word: u64) -> Option<usize> {
    let (mut n, mut todo) = (0, vec![(ty, word)]);
    while let Some((ty, word)) = todo.pop() {
        n += 1;
        if n > MOST_NODES {
            return None;
        }
        add_fields(types, ty, heap, word, &mut todo);
    }
    Some(n)
}

fn agree(ty: Ty, a: u64, b: u64) -> bool {
    if ty != Ty::FLOAT {
        return a == b;
    }
    let (x, y) = (f64::from_bits(a), f64::from_bits(b));
    a == b || x == y || (x.is_nan() && y.is_nan()) || (x - y).abs() <= CLOSE * x.abs().max(y.abs())
}

/// Nodes that agree, from the root down.
fn shared(types: &Types, ty: Ty, heap: &Heap, a: u64, b: u64) -> usize {
    // What is still to be compared: the same number of places in both.
    let (mut n, mut mine, mut theirs) = (0, vec![(ty, a)], vec![(ty, b)]);
    while let (Some((ty, a)), Some((_, b))) = (mine.pop(), theirs.pop()) {
        let is_number = matches!(ty, Ty::FLOAT | Ty::INT | Ty::BOOL);
        if is_number {
            n += usize::from(agree(ty, a, b));
        } else if Heap::position(a) == Heap::position(b) {
            n += 1;
            add_fields(types, ty, heap, a, &mut mine);
            add_fields(types, ty, heap, b, &mut theirs);
        }
    }
    n
}

/// Share of the loss that two different numbers have, in sixty-fourths.
fn apart(ty: Ty, a: u64, b: u64) -> u64 {
    match ty {
        Ty::INT => u64::from((a as i64).abs_diff(b as i64).saturating_add(1).ilog2()),
        Ty::FLOAT => {
            let difference = (f64::from_bits(a) - f64::from_bits(b)).abs();
            let share = 63.0 * difference / (1.0 + difference);
            if share.is_finite() { share as u64 } else { 63 }
        }
        _ => 63,
    }
}

/// Loss of an output, given the expected one and its nodes: zero if right, else between half a unit and
/// one.
pub fn loss(types: &Types, ty: Ty, heap: &Heap, output: u64, (expected, wished): (u64, usize)) -> u32 {
    let Some(n) = count(types, ty, heap, output) else { return WRONG as u32 };
    let both = shared(types, ty, heap, output, expected);
    let loss = match ty {
        _ if n == wished && both == n => 0,
        Ty::INT | Ty::FLOAT | Ty::BOOL => WRONG / 2 + WRONG / 2 * (1 + apart(ty, output, expected)) / 64,
        _ => WRONG / 2 + WRONG / 2 * (n + wished - 2 * both) as u64 / (n + wished) as u64,
    };
    loss as u32
}

/// A number that equal values share; what is past the limit is known by its beginning.
pub fn digest(types: &Types, ty: Ty, heap: &Heap, word: u64) -> u64 {
    let (mut hash, mut n, mut todo) = (0_u64, 0, vec![(ty, word)]);
    while let Some((ty, word)) = todo.pop() {
        n += 1;
        if n > MOST_NODES {
            break;
        }
        hash = match add_fields(types, ty, heap, word, &mut todo) {
            true => mix(hash, 1 + u64::from(Heap::position(word))),
            false => mix(hash, word),
        };
    }
    hash
}
