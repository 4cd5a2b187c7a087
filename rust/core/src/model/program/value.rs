//! Values of programs: numbers by themselves, data in a store.
//!
//! Data may be as deep as memory allows, so nothing here recurses.

use super::types::{Atom, Ty, Types};

/// A value; data live in the [`Store`] that made them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// A `float`.
    Float(f64),
    /// An `int`.
    Int(i64),
    /// A `bool`.
    Bool(bool),
    /// A constructor with its fields, or a tuple.
    Data(Cell),
}

/// The place of data in a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(u32);

/// Data of any types; a cell refers to earlier cells only.
#[derive(Debug, Clone, Default)]
pub struct Store {
    /// Position of the constructor (0 for a tuple) and where the fields end; they start where those
    /// of the cell before end.
    cells: Vec<(u8, u32)>,
    fields: Vec<Value>,
}

impl Store {
    /// A store without data.
    pub fn new() -> Self {
        Store::default()
    }

    /// Fields of all data together.
    pub fn n_words(&self) -> usize {
        self.fields.len()
    }

    /// Data of the constructor at this position in its type.
    ///
    /// # Panics
    /// If the store is full, past 2^32 fields.
    pub fn data(&mut self, position: u8, fields: &[Value]) -> Value {
        self.fields.extend_from_slice(fields);
        let end = u32::try_from(self.fields.len()).expect("a store holds fewer than 2^32 fields");
        self.cells.push((position, end));
        Value::Data(Cell(self.cells.len() as u32 - 1))
    }

    /// Position of the constructor of data.
    pub fn position(&self, cell: Cell) -> u8 {
        self.cells[cell.0 as usize].0
    }

    /// Fields of data, in order.
    pub fn fields(&self, cell: Cell) -> &[Value] {
        let start = if cell.0 == 0 { 0 } else { self.cells[cell.0 as usize - 1].1 };
        &self.fields[start as usize..self.cells[cell.0 as usize].1 as usize]
    }

    /// Fields of a value and of all data below it, each as often as it occurs.
    ///
    /// Takes time in the cells of the store, however often their data occur.
    pub fn n_occurrences(&self, value: Value) -> u64 {
        let Value::Data(Cell(root)) = value else { return 0 };
        let mut counts: Vec<u64> = Vec::new();
        for cell in 0..=root {
            let fields = self.fields(Cell(cell)).iter().map(|field| match field {
                Value::Data(Cell(below)) => counts[*below as usize].saturating_add(1),
                _ => 1,
            });
            counts.push(fields.fold(0, u64::saturating_add));
        }
        counts[root as usize]
    }

    /// Whether the value is of the type.
    pub fn fits(&self, types: &Types, ty: Ty, value: Value) -> bool {
        let mut todo = vec![(ty, value)];
        while let Some((ty, value)) = todo.pop() {
            match (ty, value) {
                (Ty::FLOAT, Value::Float(_)) | (Ty::INT, Value::Int(_)) | (Ty::BOOL, Value::Bool(_)) => {}
                (Ty::Atom(Atom::Sum(_)) | Ty::Tuple(_), Value::Data(cell)) => {
                    let branches = types.branches(ty).unwrap_or_default();
                    match branches.get(self.position(cell) as usize) {
                        Some(binds) if binds.len() == self.fields(cell).len() => {
                            todo.extend(binds.iter().copied().zip(self.fields(cell).iter().copied()));
                        }
                        _ => return false,
                    }
                }
                _ => return false,
            }
        }
        true
    }
}
