//! The two classes of every value at a case set, by counting into a table that is clear between two
//! uses; only the places that a bit marks are ever looked at.

/// Counts of both classes, the second in the upper half.
pub(super) type Counts = Tally<u64>;

/// Masses of both classes.
pub(super) type Shares = Tally<[u64; 2]>;

/// The count of one row of a class.
#[inline]
pub(super) fn one_of(class: usize) -> u64 {
    1 << (32 * class)
}

/// The counts that were put together.
#[inline]
pub(super) fn both(counts: u64) -> [u32; 2] {
    [counts as u32, (counts >> 32) as u32]
}

#[derive(Default)]
pub(super) struct Tally<C> {
    cells: Vec<C>,
    marks: Vec<u64>,
}

impl<C: Copy + Default> Tally<C> {
    /// Makes room for codes up to `domain`.
    pub fn open(&mut self, domain: usize) {
        if self.cells.len() <= domain {
            self.cells.resize(domain + 1, C::default());
        }
        self.marks.clear();
        self.marks.resize(domain / 64 + 1, 0);
    }

    /// The cell of a code.
    #[inline]
    pub fn at(&mut self, code: usize) -> &mut C {
        self.marks[code / 64] |= 1 << (code % 64);
        &mut self.cells[code]
    }

    /// Takes out what one code has, which is then as if it had not occurred.
    pub fn take(&mut self, code: usize) -> C {
        self.marks[code / 64] &= !(1 << (code % 64));
        std::mem::take(&mut self.cells[code])
    }

    /// Calls `visit` with every code that occurred, ascending, and clears the table.
    #[inline]
    pub fn drain(&mut self, mut visit: impl FnMut(u32, C)) {
        for (at, &word) in self.marks.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                let code = 64 * at + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                visit(code as u32, std::mem::take(&mut self.cells[code]));
            }
        }
    }
}
