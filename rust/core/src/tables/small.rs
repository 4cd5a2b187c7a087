//! The five minima of a table of at most 64 rows, for studies of many such tables.
//!
//! A subtable is one word. The memo lives through the tables of a study: an entry counts only with
//! the stamp of the table at hand, so nothing is cleared between tables.

use crate::control::Control;
use crate::data::DecisionTable;
use crate::outcome::Status;
use crate::tree::{Combine, Cost};

/// Least costs in the order of [`Cost::NAMED`].
type Minima = [u16; 5];

const LEAF: Minima = {
    let mut leaf = [0; 5];
    let mut i = 0;
    while i < 5 {
        leaf[i] = Cost::NAMED[i].leaf as u16;
        i += 1;
    }
    leaf
};

/// Subtables between two looks at the control.
const CHECK_EVERY: usize = 1 << 14;

#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    rows: u64,
    stamp: u32,
    minima: Minima,
}

/// Works out minima of one small table after another.
#[derive(Debug)]
pub(super) struct Small {
    /// Rows of each value, feature after feature.
    values: Vec<u64>,
    /// Where each feature's values begin, and the end.
    starts: Vec<usize>,
    decisions: Vec<u64>,
    alpha: u64,
    memo: Vec<Entry>,
    stamp: u32,
    n_subtables: usize,
    /// Features that vary, one list after another for the subtables above the one at hand.
    active: Vec<u16>,
}

/// Most subtables and bytes of one table.
#[derive(Debug, Clone, Copy)]
pub(super) struct SmallLimits {
    pub n_subtables: u64,
    pub n_bytes: usize,
}

impl Small {
    pub fn new() -> Self {
        Small {
            values: Vec::new(),
            starts: Vec::new(),
            decisions: Vec::new(),
            alpha: 0,
            memo: vec![Entry::default(); 1 << 12],
            stamp: 0,
            n_subtables: 0,
            active: Vec::new(),
        }
    }

    /// Whether a table is one of this kind.
    pub fn takes(table: &DecisionTable) -> bool {
        table.n_rows() <= 64 && table.n_features() <= usize::from(u16::MAX)
    }

    /// The least costs of trees for `table`.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn minima(
        &mut self,
        table: &DecisionTable,
        alpha: u64,
        limits: &SmallLimits,
        control: &Control,
    ) -> Result<[u64; 5], Status> {
        self.load(table, alpha);
        let all = u64::MAX >> (64 - table.n_rows());
        let minima = self.solve(all, 0, limits, control)?;
        Ok(minima.map(u64::from))
    }

    fn load(&mut self, table: &DecisionTable, alpha: u64) {
        let words = |codes: &[u32], n: u32| {
            let mut words = vec![0u64; n as usize];
            codes.iter().enumerate().for_each(|(row, &code)| words[code as usize] |= 1 << row);
            words.retain(|&rows| rows != 0);
            words
        };
        self.values.clear();
        self.starts.clear();
        for f in 0..table.n_features() {
            self.starts.push(self.values.len());
            self.values.extend(words(table.column(f), table.arity(f)));
        }
        self.starts.push(self.values.len());
        self.decisions = words(table.decisions(), table.n_decisions());
        self.alpha = alpha;
        self.n_subtables = 0;
        self.active.clear();
        self.active.extend(0..table.n_features() as u16);
        self.next_stamp();
    }

    fn next_stamp(&mut self) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.memo.fill(Entry::default());
            self.stamp = 1;
        }
    }

    fn is_leaf(&self, rows: u64) -> bool {
        if self.alpha == 0 {
            return self.decisions.iter().any(|decision| rows & !decision == 0);
        }
        let count = |rows: u64| u64::from(rows.count_ones());
        let squares: u64 = self.decisions.iter().map(|decision| count(rows & decision).pow(2)).sum();
        (count(rows).pow(2) - squares) / 2 <= self.alpha
    }

    /// Least costs of a subtable, kept, known or at a leaf.
    fn solve(
        &mut self,
        rows: u64,
        first: usize,
        limits: &SmallLimits,
        control: &Control,
    ) -> Result<Minima, Status> {
        if self.is_leaf(rows) {
            return Ok(LEAF);
        }
        match self.known(rows) {
            Some(known) => Ok(known),
            None => self.divide(rows, first, limits, control),
        }
    }

    /// The same by trying every feature; those that may vary stand in the list from `first` on.
    fn divide(
        &mut self,
        rows: u64,
        first: usize,
        limits: &SmallLimits,
        control: &Control,
    ) -> Result<Minima, Status> {
        let own_first = self.active.len();
        for i in first..own_first {
            let feature = self.active[i];
            if self.varies(usize::from(feature), rows) {
                self.active.push(feature);
            }
        }
        let own_end = self.active.len();
        let mut best = [u16::MAX; 5];
        for i in own_first..own_end {
            let feature = usize::from(self.active[i]);
            let mut joined = [0; 5];
            for value in self.starts[feature]..self.starts[feature + 1] {
                let part = rows & self.values[value];
                if part == 0 {
                    continue;
                }
                let below = self.solve(part, own_first, limits, control)?;
                join(&mut joined, &below);
            }
            best = std::array::from_fn(|cost| best[cost].min(joined[cost]));
        }
        self.active.truncate(own_first);
        let n_rows = rows.count_ones();
        let minima = std::array::from_fn(|i| best[i] + Cost::NAMED[i].own(n_rows.into()) as u16);
        self.keep(rows, minima, limits, control)?;
        Ok(minima)
    }

    fn varies(&self, feature: usize, rows: u64) -> bool {
        let values = &self.values[self.starts[feature]..self.starts[feature + 1]];
        values.iter().all(|value| rows & !value != 0)
    }

    fn place(&self, rows: u64) -> usize {
        let mask = self.memo.len() - 1;
        let mut place = (rows.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & mask;
        while self.memo[place].stamp == self.stamp && self.memo[place].rows != rows {
            place = (place + 1) & mask;
        }
        place
    }

    fn known(&self, rows: u64) -> Option<Minima> {
        let entry = &self.memo[self.place(rows)];
        (entry.stamp == self.stamp).then_some(entry.minima)
    }

    fn keep(
        &mut self,
        rows: u64,
        minima: Minima,
        limits: &SmallLimits,
        control: &Control,
    ) -> Result<(), Status> {
        if self.n_subtables as u64 >= limits.n_subtables {
            return Err(Status::NodeLimit);
        }
        self.n_subtables += 1;
        if self.n_subtables % CHECK_EVERY == 0 {
            control.checkpoint().map_err(Status::from)?;
        }
        if 4 * self.n_subtables > 3 * self.memo.len() {
            self.grow(limits)?;
        }
        let place = self.place(rows);
        self.memo[place] = Entry { rows, stamp: self.stamp, minima };
        Ok(())
    }

    fn grow(&mut self, limits: &SmallLimits) -> Result<(), Status> {
        let n_places = 2 * self.memo.len();
        if (n_places + self.memo.len()) * size_of::<Entry>() > limits.n_bytes {
            return Err(Status::MemoryLimit);
        }
        let memo = std::mem::replace(&mut self.memo, vec![Entry::default(); n_places]);
        for entry in memo.into_iter().filter(|entry| entry.stamp == self.stamp) {
            let place = self.place(entry.rows);
            self.memo[place] = entry;
        }
        Ok(())
    }
}

const IS_MAXIMUM: [bool; 5] = {
    let mut is_maximum = [false; 5];
    let mut i = 0;
    while i < 5 {
        is_maximum[i] = matches!(Cost::NAMED[i].combine, Combine::Max);
        i += 1;
    }
    is_maximum
};

#[inline]
fn join(joined: &mut Minima, below: &Minima) {
    for i in 0..5 {
        joined[i] = if IS_MAXIMUM[i] { joined[i].max(below[i]) } else { joined[i] + below[i] };
    }
}
