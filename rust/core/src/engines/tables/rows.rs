//! The tier for large tables: a subtable is the list of its rows.

use super::sets::{Part, Sets, row_key};
use crate::model::data::{Code, Codes, DecisionTable};
use crate::with_codes;

/// Row lists over columns at their narrowest width.
pub(super) struct Rows<'a> {
    table: &'a DecisionTable,
    columns: Vec<Codes>,
    keys: Vec<u128>,
    largest_arity: usize,
}

/// What one pass over a column gathers of a value.
#[derive(Clone, Copy, Default)]
struct Gathered {
    key: u128,
    n_rows: u32,
    /// Decision of the first row.
    first: u32,
    /// Bits in which a later row's decision differs from it.
    differs: u32,
}

/// Keys and decisions of the rows at hand, and a gathering for every value.
pub(super) struct Desk {
    keys: Vec<u128>,
    decisions: Vec<u32>,
    gathered: Vec<Gathered>,
    met: Vec<u32>,
}

impl<'a> Rows<'a> {
    pub fn new(table: &'a DecisionTable) -> Self {
        let narrow = |f| Codes::narrow(table.column(f).to_vec(), table.arity(f) as usize);
        Rows {
            table,
            columns: (0..table.n_features()).map(narrow).collect(),
            keys: (0..table.n_rows()).map(|row| row_key(row as u64)).collect(),
            largest_arity: (0..table.n_features()).map(|f| table.arity(f) as usize).max().unwrap_or(0),
        }
    }
}

impl Sets for Rows<'_> {
    type Set = Vec<u32>;
    type Desk = Desk;

    fn table(&self) -> &DecisionTable {
        self.table
    }

    fn desk(&self) -> Desk {
        let gathered = vec![Gathered::default(); self.largest_arity];
        Desk { keys: vec![], decisions: vec![], gathered, met: vec![] }
    }

    fn all(&self) -> Vec<u32> {
        (0..self.table.n_rows() as u32).collect()
    }

    fn key(&self, set: &Vec<u32>) -> u128 {
        set.iter().fold(0, |key, &row| key.wrapping_add(self.keys[row as usize]))
    }

    fn n_rows(&self, set: &Vec<u32>) -> usize {
        set.len()
    }

    fn rows(&self, set: &Vec<u32>) -> Vec<u32> {
        set.clone()
    }

    fn of_rows(&self, rows: &[u32]) -> Vec<u32> {
        rows.to_vec()
    }

    fn lay(&self, desk: &mut Desk, set: &Vec<u32>) {
        let decisions = self.table.decisions();
        desk.keys.clear();
        desk.keys.extend(set.iter().map(|&row| self.keys[row as usize]));
        desk.decisions.clear();
        desk.decisions.extend(set.iter().map(|&row| decisions[row as usize]));
    }

    fn split(&self, desk: &mut Desk, set: &Vec<u32>, f: usize, parts: &mut Vec<Part>) {
        with_codes!(&self.columns[f], codes => gather(codes, set, desk));
        for value in desk.met.drain(..) {
            let found = std::mem::take(&mut desk.gathered[value as usize]);
            parts.push(Part { key: found.key, value, is_terminal: found.differs == 0 });
        }
    }

    fn part(&self, set: &Vec<u32>, f: usize, value: u32) -> Vec<u32> {
        with_codes!(&self.columns[f], codes => {
            set.iter().copied().filter(|&row| codes[row as usize].wide() == value).collect()
        })
    }

    fn own_bytes(&self) -> usize {
        let codes: usize = self.columns.iter().map(Codes::bytes).sum();
        codes + self.keys.len() * size_of::<u128>() + self.largest_arity * size_of::<Gathered>()
    }

    fn heap_bytes(&self, set: &Vec<u32>) -> usize {
        4 * set.capacity()
    }

    fn work(&self, set: &Vec<u32>) -> usize {
        set.len()
    }
}

#[inline]
fn gather<C: Code>(codes: &[C], set: &[u32], desk: &mut Desk) {
    let Desk { keys, decisions, gathered, met } = desk;
    for ((&row, &key), &decision) in set.iter().zip(&*keys).zip(&*decisions) {
        let value = codes[row as usize].wide();
        let found = &mut gathered[value as usize];
        if found.n_rows == 0 {
            met.push(value);
            found.first = decision;
        }
        found.n_rows += 1;
        found.key = found.key.wrapping_add(key);
        found.differs |= decision ^ found.first;
    }
}
