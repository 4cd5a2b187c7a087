//! Values of programs compared and shown.

#![allow(dead_code, reason = "every test file takes what it needs")]

use treewright_core::program::{Atom, Store, Ty, Types, Value};

/// Whether two values, each in its store, are the same; every NaN is the same as every other.
pub fn same(store: &Store, value: Value, other: &Store, other_value: Value) -> bool {
    let mut todo = vec![(value, other_value)];
    while let Some(pair) = todo.pop() {
        let same = match pair {
            (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
            (Value::Data(a), Value::Data(b)) => {
                let (mine, theirs) = (store.fields(a), other.fields(b));
                todo.extend(mine.iter().copied().zip(theirs.iter().copied()));
                store.position(a) == other.position(b) && mine.len() == theirs.len()
            }
            (a, b) => a == b,
        };
        if !same {
            return false;
        }
    }
    true
}

/// A value of this type as the language writes it; values may be of any depth.
pub fn text(store: &Store, types: &Types, ty: Ty, value: Value) -> String {
    enum Part {
        Value(Ty, Value),
        Mark(&'static str),
    }
    let (mut out, mut todo) = (String::new(), vec![Part::Value(ty, value)]);
    while let Some(part) = todo.pop() {
        let (ty, cell) = match part {
            Part::Value(ty, Value::Data(cell)) => (ty, cell),
            Part::Mark(mark) => {
                out += mark;
                continue;
            }
            Part::Value(_, number) => {
                out += &match number {
                    Value::Float(x) => format!("{x:?}"),
                    Value::Int(x) => x.to_string(),
                    number => format!("{number:?}"),
                };
                continue;
            }
        };
        if let Ty::Atom(Atom::Sum(sum)) = ty {
            out += &types.sum(sum).constructors[store.position(cell) as usize].name;
        }
        let binds = types.branches(ty).unwrap().swap_remove(store.position(cell) as usize);
        if binds.is_empty() {
            continue;
        }
        todo.push(Part::Mark(")"));
        for (k, (ty, &field)) in binds.into_iter().zip(store.fields(cell)).enumerate().rev() {
            todo.push(Part::Value(ty, field));
            todo.push(Part::Mark(if k == 0 { "(" } else { ", " }));
        }
    }
    out
}
