//! Values of programs as Python objects.
//!
//! | value | object |
//! | --- | --- |
//! | `float`, `int`, `bool` | `float`, `int`, `bool` |
//! | a tuple | a tuple |
//! | a type with one constructor without fields, and one of an element and the rest | a list |
//! | another constructor without fields | its name |
//! | another constructor | a tuple of its name and its fields |
//!
//! Nothing here recurses: values may be of any depth.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyByteArray, PyBytes, PyDict, PyList, PySequence, PySet, PyString, PyTuple};
use treewright_core::program::{Atom, Store, SumId, Ty, Types, Value};

use crate::convert;
use crate::errors::DataError;

/// Nodes of a value that is read or written; an object may contain itself.
pub const MOST_NODES: usize = 1 << 22;

/// Characters of an object that a message shows.
const SHOWN: usize = 60;

/// How values of a list type are made: position of the end, position of a link, type of an element.
fn list_shape(types: &Types, sum: SumId) -> Option<(u8, u8, Ty)> {
    let constructors = &types.sum(sum).constructors;
    let [a, b] = &constructors[..] else { return None };
    let (end, link, fields) = if a.fields.is_empty() { (0, 1, &b.fields) } else { (1, 0, &a.fields) };
    let is_end = constructors[usize::from(end)].fields.is_empty();
    match fields[..] {
        [element, rest] if is_end && rest == Ty::sum(sum) => Some((end, link, element)),
        _ => None,
    }
}

enum Reading<'py> {
    Object(Ty, Bound<'py, PyAny>),
    /// Data of the constructor at this position, its fields read.
    Data(u8, usize),
    /// A list of so many elements, all read, by its end and its link.
    List(u8, u8, usize),
}

/// Reads Python objects into a store.
pub struct Reader<'a> {
    pub types: &'a Types,
    pub store: &'a mut Store,
}

impl Reader<'_> {
    /// The value of this type that an object stands for; `what` names it in messages.
    pub fn read(&mut self, ty: Ty, object: &Bound<'_, PyAny>, what: &str) -> PyResult<Value> {
        let (mut todo, mut values, mut n_nodes) = (vec![Reading::Object(ty, object.clone())], Vec::new(), 0);
        while let Some(next) = todo.pop() {
            match next {
                Reading::Object(ty, object) => {
                    let before = todo.len();
                    match self.open(ty, &object, &mut todo)? {
                        Opened::Value(value) => values.push(value),
                        Opened::Parts => {}
                        Opened::Misfit => return Err(self.misfit(ty, &object, what)),
                    }
                    n_nodes += 1 + todo.len().saturating_sub(before);
                    if n_nodes > MOST_NODES {
                        return Err(DataError::new_err(format!(
                            "{what} has more than {MOST_NODES} parts or contains itself; give a smaller one"
                        )));
                    }
                }
                Reading::Data(position, n) => {
                    let fields = values.split_off(values.len() - n);
                    values.push(self.store.data(position, &fields));
                }
                Reading::List(end, link, n) => {
                    let items = values.split_off(values.len() - n);
                    let last = self.store.data(end, &[]);
                    let store = &mut *self.store;
                    let list = items.into_iter().rev();
                    values.push(list.fold(last, |rest, item| store.data(link, &[item, rest])));
                }
            }
        }
        Ok(values.pop().expect("an object makes one value"))
    }

    fn open<'py>(
        &mut self,
        ty: Ty,
        object: &Bound<'py, PyAny>,
        todo: &mut Vec<Reading<'py>>,
    ) -> PyResult<Opened> {
        let is_bool = object.extract::<bool>().is_ok();
        Ok(match ty {
            Ty::FLOAT if !is_bool && !object.is_instance_of::<PyString>() => {
                convert::real(object).map_or(Opened::Misfit, |x| Opened::Value(Value::Float(x)))
            }
            Ty::INT if !is_bool => object.extract().map_or(Opened::Misfit, |x| Opened::Value(Value::Int(x))),
            Ty::BOOL if is_bool => Opened::Value(Value::Bool(object.extract()?)),
            Ty::Tuple(parts) => match object.cast::<PyTuple>() {
                Ok(tuple) if tuple.len() == parts.n_parts() => {
                    let items: Vec<(Ty, Bound<'_, PyAny>)> = parts.iter().zip(tuple.iter()).collect();
                    fields(0, items, todo)
                }
                _ => Opened::Misfit,
            },
            Ty::Atom(Atom::Sum(sum)) => self.open_sum(sum, object, todo)?,
            _ => Opened::Misfit,
        })
    }

    fn open_sum<'py>(
        &mut self,
        sum: SumId,
        object: &Bound<'py, PyAny>,
        todo: &mut Vec<Reading<'py>>,
    ) -> PyResult<Opened> {
        let found = |name: &Bound<'_, PyAny>| {
            let name = name.cast::<PyString>().ok()?.to_str().ok()?.to_owned();
            self.types.find_constructor(&name).filter(|tag| tag.sum == sum)
        };
        if object.is_instance_of::<PyString>() {
            let empty = found(object).filter(|&tag| self.types.constructor(tag).fields.is_empty());
            return Ok(empty.map_or(Opened::Misfit, |tag| Opened::Value(self.store.data(tag.position, &[]))));
        }
        if let Ok(tuple) = object.cast::<PyTuple>() {
            let Some(tag) = tuple.iter().next().and_then(|name| found(&name)) else {
                return Ok(Opened::Misfit);
            };
            let of = &self.types.constructor(tag).fields;
            if of.len() + 1 != tuple.len() {
                return Ok(Opened::Misfit);
            }
            let items: Vec<(Ty, Bound<'_, PyAny>)> = of.iter().copied().zip(tuple.iter().skip(1)).collect();
            return Ok(fields(tag.position, items, todo));
        }
        let Some((end, link, element)) = list_shape(self.types, sum).filter(|_| is_listing(object)) else {
            return Ok(Opened::Misfit);
        };
        let items = object.try_iter()?.take(MOST_NODES + 1).collect::<PyResult<Vec<_>>>()?;
        todo.push(Reading::List(end, link, items.len()));
        todo.extend(items.into_iter().rev().map(|item| Reading::Object(element, item)));
        Ok(Opened::Parts)
    }

    fn misfit(&self, ty: Ty, object: &Bound<'_, PyAny>, what: &str) -> PyErr {
        let shown = brief(object).unwrap_or_else(|_| "it".to_owned());
        let shown: String = match shown.char_indices().nth(SHOWN) {
            Some((end, _)) => format!("{}...", &shown[..end]),
            None => shown,
        };
        let wish = match ty {
            Ty::FLOAT => "give a float".to_owned(),
            Ty::INT => "give an int of 64 bits".to_owned(),
            Ty::BOOL => "give True or False".to_owned(),
            Ty::Tuple(parts) => format!("give a tuple of {}", parts.n_parts()),
            Ty::Atom(Atom::Sum(sum)) if list_shape(self.types, sum).is_some() => "give a list".to_owned(),
            Ty::Atom(Atom::Sum(sum)) => {
                let forms =
                    self.types.sum(sum).constructors.iter().take(4).map(|one| match one.fields.len() {
                        0 => format!("'{}'", one.name),
                        n => format!("('{}'{})", one.name, ", ...".repeat(n)),
                    });
                format!("give {}", forms.collect::<Vec<_>>().join(" or "))
            }
        };
        DataError::new_err(format!("{what} has {shown} where type {} is needed; {wish}", self.types.name(ty)))
    }
}

/// An object as text, in time that does not depend on how often its parts occur.
fn brief(object: &Bound<'_, PyAny>) -> PyResult<String> {
    object.py().import("reprlib")?.getattr("repr")?.call1((object,))?.extract()
}

enum Opened {
    Value(Value),
    /// Its parts are still to be read.
    Parts,
    Misfit,
}

fn fields<'py>(position: u8, items: Vec<(Ty, Bound<'py, PyAny>)>, todo: &mut Vec<Reading<'py>>) -> Opened {
    todo.push(Reading::Data(position, items.len()));
    todo.extend(items.into_iter().rev().map(|(ty, item)| Reading::Object(ty, item)));
    Opened::Parts
}

/// Whether an object lists things in their order: a list, an array, a range.
pub fn is_listing(object: &Bound<'_, PyAny>) -> bool {
    let is_text = object.is_instance_of::<PyBytes>() || object.is_instance_of::<PyByteArray>();
    let is_set = object.is_instance_of::<PySet>() || object.is_instance_of::<PyDict>();
    let is_sequence = object.cast::<PySequence>().is_ok();
    !is_text && !is_set && (is_sequence || object.hasattr("__array__").unwrap_or(false))
}

enum Writing {
    Value(Ty, Value),
    /// A constructor's name and so many fields, all written; without a name, a tuple.
    Data(Option<String>, usize),
    List(usize),
}

/// Python objects for a value of a store, which the caller knows to be small: what occurs many times is made
/// as many times.
pub fn write<'py>(
    py: Python<'py>,
    types: &Types,
    store: &Store,
    ty: Ty,
    value: Value,
) -> PyResult<Bound<'py, PyAny>> {
    let (mut todo, mut done) = (vec![Writing::Value(ty, value)], Vec::new());
    while let Some(next) = todo.pop() {
        let object = match next {
            Writing::Value(_, Value::Float(x)) => x.into_pyobject(py)?.into_any(),
            Writing::Value(_, Value::Int(x)) => x.into_pyobject(py)?.into_any(),
            Writing::Value(_, Value::Bool(x)) => PyBool::new(py, x).to_owned().into_any(),
            Writing::Value(ty, value @ Value::Data(_)) => match opened(types, store, ty, value, &mut todo) {
                Some(name) => PyString::new(py, &name).into_any(),
                None => continue,
            },
            Writing::Data(name, n) => {
                let mut parts: Vec<Bound<'py, PyAny>> =
                    name.iter().map(|name| PyString::new(py, name).into_any()).collect();
                parts.extend(done.split_off(done.len() - n));
                PyTuple::new(py, parts)?.into_any()
            }
            Writing::List(n) => PyList::new(py, done.split_off(done.len() - n))?.into_any(),
        };
        done.push(object);
    }
    Ok(done.pop().expect("a value makes one object"))
}

/// Puts the parts of data on the list; the name of data without fields, which are done.
fn opened(types: &Types, store: &Store, ty: Ty, value: Value, todo: &mut Vec<Writing>) -> Option<String> {
    let Value::Data(cell) = value else { unreachable!("only data are opened") };
    let sum = match ty {
        Ty::Atom(Atom::Sum(sum)) => sum,
        _ => {
            let parts = types.branches(ty).unwrap_or_default().swap_remove(0);
            todo.push(Writing::Data(None, parts.len()));
            let both = parts.into_iter().zip(store.fields(cell).iter().copied()).rev();
            todo.extend(both.map(|(ty, field)| Writing::Value(ty, field)));
            return None;
        }
    };
    if let Some((_, link, element)) = list_shape(types, sum) {
        let (mut items, mut rest) = (Vec::new(), value);
        while let Value::Data(cell) = rest {
            let &[item, next] = store.fields(cell) else { break };
            debug_assert_eq!(store.position(cell), link);
            items.push(Writing::Value(element, item));
            rest = next;
        }
        todo.push(Writing::List(items.len()));
        todo.extend(items.into_iter().rev());
        return None;
    }
    let constructor = &types.sum(sum).constructors[usize::from(store.position(cell))];
    if constructor.fields.is_empty() {
        return Some(constructor.name.clone());
    }
    todo.push(Writing::Data(Some(constructor.name.clone()), constructor.fields.len()));
    let both = constructor.fields.iter().zip(store.fields(cell)).rev();
    todo.extend(both.map(|(&ty, &field)| Writing::Value(ty, field)));
    None
}
