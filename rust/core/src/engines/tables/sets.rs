//! How a subtable is held while it is looked at: the tiers share one interface.
//!
//! A tier gives every subtable a 128-bit key. Up to 128 rows the key is the set of rows itself;
//! above, it is a sum of fixed random numbers, one a row or one a word of 64 rows, and two subtables
//! of a graph share a key with a chance below 2^-80.

use crate::model::data::DecisionTable;

/// Rows of one value of one feature in a subtable.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub key: u128,
    pub value: u32,
    /// A leaf in every tree.
    pub is_terminal: bool,
}

/// One way to hold subtables.
pub(super) trait Sets: Sync {
    type Set: Clone + Send;
    /// What is worked out once for all features of a subtable, and buffers.
    type Desk: Send;

    fn table(&self) -> &DecisionTable;
    fn desk(&self) -> Self::Desk;
    /// The whole table.
    fn all(&self) -> Self::Set;
    fn key(&self, set: &Self::Set) -> u128;
    fn n_rows(&self, set: &Self::Set) -> usize;
    /// Rows, ascending.
    fn rows(&self, set: &Self::Set) -> Vec<u32>;
    /// The subtable of these rows, which ascend.
    fn of_rows(&self, rows: &[u32]) -> Self::Set;
    /// Puts a subtable on the desk.
    fn lay(&self, desk: &mut Self::Desk, set: &Self::Set);
    /// Adds the parts that feature `f` makes of the subtable on the desk; `is_terminal` says that
    /// all decisions are equal.
    fn split(&self, desk: &mut Self::Desk, set: &Self::Set, f: usize, parts: &mut Vec<Part>);
    /// The rows where feature `f` has a value.
    fn part(&self, set: &Self::Set, f: usize, value: u32) -> Self::Set;
    /// Bytes of the tier itself.
    fn own_bytes(&self) -> usize;
    fn heap_bytes(&self, set: &Self::Set) -> usize;
    /// Cells that one split of a subtable looks at.
    fn work(&self, set: &Self::Set) -> usize;
}

/// Up to `64 * W` rows as one bit each.
pub(super) struct Bits<'a, const W: usize> {
    table: &'a DecisionTable,
    /// Rows of every value, feature by feature.
    values: Vec<[u64; W]>,
    /// Where a feature's values start in `values`.
    starts: Vec<u32>,
    /// Rows of every decision.
    decisions: Vec<[u64; W]>,
    /// A random number for every word.
    factors: [u128; W],
}

impl<'a, const W: usize> Bits<'a, W> {
    /// Most rows this tier holds.
    pub const CAPACITY: usize = 64 * W;

    pub fn new(table: &'a DecisionTable) -> Self {
        debug_assert!(table.n_rows() <= Self::CAPACITY);
        let (mut values, mut starts) = (Vec::new(), Vec::new());
        for f in 0..table.n_features() {
            starts.push(values.len() as u32);
            values.extend(masks::<W>(table.column(f), table.arity(f)));
        }
        starts.push(values.len() as u32);
        let decisions = masks::<W>(table.decisions(), table.n_decisions());
        let factors = std::array::from_fn(|word| row_key(word as u64));
        Bits { table, values, starts, decisions, factors }
    }

    #[inline]
    fn key_of(&self, set: &[u64; W]) -> u128 {
        match W {
            1 => set[0].into(),
            2 => u128::from(set[0]) | u128::from(set[1]) << 64,
            _ => {
                let mut key = 0u128;
                for (word, &rows) in set.iter().enumerate() {
                    key = key.wrapping_add(self.factors[word].wrapping_mul(u128::from(rows)));
                }
                key
            }
        }
    }

    #[inline]
    fn is_pure(&self, set: &[u64; W]) -> bool {
        let decision = self.table.decisions()[first_row(set)] as usize;
        let same = &self.decisions[decision];
        set.iter().enumerate().all(|(word, rows)| rows & !same[word] == 0)
    }
}

/// A set of rows for every code.
fn masks<const W: usize>(codes: &[u32], n_codes: u32) -> Vec<[u64; W]> {
    let mut masks = vec![[0; W]; n_codes as usize];
    for (row, &code) in codes.iter().enumerate() {
        masks[code as usize][row / 64] |= 1 << (row % 64);
    }
    masks
}

#[inline]
fn first_row<const W: usize>(set: &[u64; W]) -> usize {
    let word = set.iter().position(|&word| word != 0).expect("a subtable has a row");
    64 * word + set[word].trailing_zeros() as usize
}

impl<const W: usize> Sets for Bits<'_, W> {
    type Set = [u64; W];
    type Desk = ();

    fn table(&self) -> &DecisionTable {
        self.table
    }

    fn desk(&self) {}

    fn all(&self) -> [u64; W] {
        let n_rows = self.table.n_rows();
        std::array::from_fn(|word| match n_rows.saturating_sub(64 * word) {
            0 => 0,
            left if left >= 64 => u64::MAX,
            left => (1 << left) - 1,
        })
    }

    fn key(&self, set: &[u64; W]) -> u128 {
        self.key_of(set)
    }

    #[inline]
    fn n_rows(&self, set: &[u64; W]) -> usize {
        set.iter().map(|word| word.count_ones() as usize).sum()
    }

    fn rows(&self, set: &[u64; W]) -> Vec<u32> {
        let mut rows = Vec::new();
        for (i, &word) in set.iter().enumerate() {
            crate::base::bits::Mask::for_each(&word, |bit| rows.push((64 * i + bit) as u32));
        }
        rows
    }

    fn of_rows(&self, rows: &[u32]) -> [u64; W] {
        let mut set = [0; W];
        rows.iter().for_each(|&row| set[row as usize / 64] |= 1 << (row % 64));
        set
    }

    fn lay(&self, (): &mut (), _: &[u64; W]) {}

    #[inline]
    fn split(&self, (): &mut (), set: &[u64; W], f: usize, parts: &mut Vec<Part>) {
        let values = &self.values[self.starts[f] as usize..self.starts[f + 1] as usize];
        for (value, mask) in values.iter().enumerate() {
            let part: [u64; W] = std::array::from_fn(|word| set[word] & mask[word]);
            if part.iter().any(|&word| word != 0) {
                let is_terminal = self.is_pure(&part);
                parts.push(Part { key: self.key_of(&part), value: value as u32, is_terminal });
            }
        }
    }

    #[inline]
    fn part(&self, set: &[u64; W], f: usize, value: u32) -> [u64; W] {
        let mask = &self.values[(self.starts[f] + value) as usize];
        std::array::from_fn(|word| set[word] & mask[word])
    }

    fn own_bytes(&self) -> usize {
        8 * W * (self.values.len() + self.decisions.len())
    }

    fn heap_bytes(&self, _: &[u64; W]) -> usize {
        0
    }

    fn work(&self, _: &[u64; W]) -> usize {
        4 * W
    }
}

/// The random number of a row: two rounds of a 64-bit mixer, the same on every machine.
pub(super) fn row_key(row: u64) -> u128 {
    let half = |seed: u64| {
        let mut z = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(0xD1B5_4A32_D192_ED03);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    };
    u128::from(half(2 * row)) | u128::from(half(2 * row + 1) | 1) << 64
}
