//! Data of the machine: words without types, fields side by side.
//!
//! A float is its bits, an integer itself, a truth value 0 or 1. Data are one word: the place of the
//! first field, counted from 1, times 256, plus the position of the constructor; without fields the
//! place is 0.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::types::{Atom, Ty, Types};
use super::value::{Cell, Store, Value};

/// Fields of all data; a field refers to data made before it.
#[derive(Debug, Clone, Default)]
pub struct Heap {
    words: Vec<u64>,
}

impl Heap {
    /// A heap without data.
    pub fn new() -> Self {
        Heap::default()
    }

    /// Words in use.
    pub fn n_words(&self) -> usize {
        self.words.len()
    }

    /// Forgets what was made after the heap had so many words.
    pub fn truncate(&mut self, n_words: usize) {
        self.words.truncate(n_words);
    }

    /// The word of new data.
    #[inline]
    pub fn data(&mut self, position: u8, fields: &[u64]) -> u64 {
        let place = if fields.is_empty() { 0 } else { self.words.len() as u64 + 1 };
        self.words.extend_from_slice(fields);
        place << 8 | u64::from(position)
    }

    /// Position of the constructor of data.
    #[inline]
    pub fn position(word: u64) -> u8 {
        word as u8
    }

    /// The first fields of data.
    #[inline]
    pub fn fields(&self, word: u64, n: usize) -> &[u64] {
        let place = (word >> 8) as usize;
        if n == 0 { &[] } else { &self.words[place - 1..place - 1 + n] }
    }

    /// The word of a value, its data copied.
    pub fn load(&mut self, store: &Store, value: Value) -> u64 {
        let Value::Data(root) = value else { return scalar(value) };
        let (mut reached, mut todo) = (BTreeSet::from([root]), vec![root]);
        while let Some(cell) = todo.pop() {
            for &field in store.fields(cell) {
                match field {
                    Value::Data(below) if reached.insert(below) => todo.push(below),
                    _ => {}
                }
            }
        }
        let mut words: HashMap<Cell, u64> = HashMap::new();
        for cell in reached {
            let word = |field: &Value| match field {
                Value::Data(below) => words[below],
                field => scalar(*field),
            };
            let fields: Vec<u64> = store.fields(cell).iter().map(word).collect();
            words.insert(cell, self.data(store.position(cell), &fields));
        }
        words[&root]
    }

    /// The value of a word of this type, its data copied into a store.
    pub fn unload(&self, types: &Types, ty: Ty, word: u64, store: &mut Store) -> Value {
        let mut reached: BTreeMap<u64, Vec<Ty>> = BTreeMap::new();
        let mut todo = vec![(ty, word)];
        while let Some((ty, word)) = todo.pop() {
            let Some(binds) = binds(types, ty, word) else { continue };
            if let Entry::Vacant(place) = reached.entry(word) {
                todo.extend(binds.iter().copied().zip(self.fields(word, binds.len()).iter().copied()));
                place.insert(binds);
            }
        }
        let mut values: HashMap<u64, Value> = HashMap::new();
        for (word, binds) in reached {
            let both = binds.iter().zip(self.fields(word, binds.len()));
            let fields: Vec<Value> = both.map(|(&ty, &word)| finished(types, ty, word, &values)).collect();
            values.insert(word, store.data(Heap::position(word), &fields));
        }
        finished(types, ty, word, &values)
    }
}

/// Types of the fields of data; `None` for a number.
fn binds(types: &Types, ty: Ty, word: u64) -> Option<Vec<Ty>> {
    match ty {
        Ty::Atom(Atom::Sum(_)) | Ty::Tuple(_) => {
            Some(types.branches(ty)?.swap_remove(Heap::position(word) as usize))
        }
        _ => None,
    }
}

fn scalar(value: Value) -> u64 {
    match value {
        Value::Float(x) => x.to_bits(),
        Value::Int(x) => x as u64,
        Value::Bool(x) => x.into(),
        Value::Data(_) => unreachable!("data are no number"),
    }
}

fn finished(types: &Types, ty: Ty, word: u64, values: &HashMap<u64, Value>) -> Value {
    match ty {
        Ty::FLOAT => Value::Float(f64::from_bits(word)),
        Ty::INT => Value::Int(word as i64),
        Ty::BOOL => Value::Bool(word != 0),
        _ => *values
            .get(&word)
            .unwrap_or_else(|| panic!("{word:#x} is made before it is used as {}", types.name(ty))),
    }
}
