//! A node's known rows in the order of one feature's codes, as runs of equal code and class.

use super::scorer::Node;
use super::sorted::sort_keys;
use crate::model::data::{Code, FULL_SHARE, Weights};
use crate::model::score::{Count, Exact, Mass, Share};
use crate::with_codes;

/// Counting beats sorting while the table has at most this many cells for each row.
const CELLS_PER_ROW: usize = 4;

/// Marking beats sorting while there are at most this many words of marks for each row, and the
/// table stays in the cache.
const WORDS_PER_ROW: usize = 4;
const MARKED_BYTES: usize = 1 << 20;

/// A mass that can be read off a row.
pub(super) trait Gather: Mass {
    fn of(weights: &Weights, row: u32, share: u32) -> Self;
    fn from_exact(mass: u128) -> Self;
}

impl Gather for Count {
    #[inline]
    fn of(weights: &Weights, row: u32, _: u32) -> Self {
        Count(weights.whole(row))
    }

    #[inline]
    fn from_exact(mass: u128) -> Self {
        Count((mass >> 50) as u32)
    }
}

impl Gather for Share {
    #[inline]
    fn of(weights: &Weights, row: u32, share: u32) -> Self {
        Share(u64::from(weights.whole(row)) * u64::from(share))
    }

    #[inline]
    fn from_exact(mass: u128) -> Self {
        Share((mass >> 20) as u64)
    }
}

impl Gather for Exact {
    #[inline]
    fn of(weights: &Weights, row: u32, share: u32) -> Self {
        Exact(weights.mass(row, share))
    }

    #[inline]
    fn from_exact(mass: u128) -> Self {
        Exact(mass)
    }
}

/// How the rows are held at the moment.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// `cells[code * n_classes + class]`.
    #[default]
    Table,
    /// `sparse[code << class_bits | class]` where `marks` has a bit; zero elsewhere.
    Marked,
    /// `keys`, each code * n_classes + class, one a row of weight 1.
    Keys,
    /// `tagged`, each code << 32 | index into `masses`.
    Tagged,
}

/// Buffers for one feature at one node; refilled by [`Runs::collect`].
#[derive(Default)]
pub(super) struct Runs<M> {
    layout: Layout,
    n_classes: usize,
    domain: usize,
    class_bits: u32,
    cells: Vec<M>,
    sparse: Vec<M>,
    marks: Vec<u64>,
    keys: Vec<u32>,
    spare: Vec<u32>,
    tagged: Vec<u64>,
    masses: Vec<(u32, M)>,
    missing: Vec<M>,
}

impl<M: Gather> Runs<M> {
    /// Brings the node's rows into the order of the feature's codes.
    pub(super) fn collect(&mut self, node: &Node, feature: usize) {
        let column = node.problem.data.column(feature);
        self.n_classes = node.problem.n_classes();
        self.domain = column.domain();
        self.unmark();
        self.missing.clear();
        self.missing.resize(self.n_classes, M::default());
        let n_cells = (self.domain + 1).saturating_mul(self.n_classes);
        self.class_bits = usize::BITS - (self.n_classes - 1).leading_zeros();
        let n_places = (self.domain + 1).saturating_mul(1 << self.class_bits);
        let n_words = n_places.div_ceil(64);
        let unit = node.problem.weights == Weights::Unit && node.cases.part.is_empty();
        if n_cells / CELLS_PER_ROW <= node.cases.len() {
            self.tabulate(node, feature, n_cells);
        } else if n_words <= WORDS_PER_ROW * node.cases.len() && n_places * size_of::<M>() <= MARKED_BYTES {
            self.mark(node, feature, n_places);
        } else if unit && n_cells < 1 << 31 {
            self.sort_units(node, feature, n_cells);
        } else {
            self.sort_tagged(node, feature);
        }
    }

    /// Weight of `class` whose value is missing.
    #[inline]
    pub(super) fn missing(&self, class: usize) -> M {
        self.missing[class]
    }

    fn tabulate(&mut self, node: &Node, feature: usize, n_cells: usize) {
        self.layout = Layout::Table;
        self.cells.clear();
        self.cells.resize(n_cells, M::default());
        let (problem, n_classes, cells) = (node.problem, self.n_classes, &mut self.cells[..]);
        with_codes!(&problem.data.column(feature).codes, codes => {
            for &row in &node.cases.whole {
                let cell = codes[row as usize].wide() as usize * n_classes + problem.class_of(row);
                cells[cell] += M::of(&problem.weights, row, FULL_SHARE);
            }
            for part in &node.cases.part {
                let code = codes[part.row as usize].wide() as usize;
                let cell = code * n_classes + problem.class_of(part.row);
                cells[cell] += M::of(&problem.weights, part.row, part.share);
            }
        });
        self.missing.copy_from_slice(&self.cells[n_cells - n_classes..]);
        self.cells.truncate(n_cells - n_classes);
    }

    /// Counts into a table of which only the marked places are ever looked at.
    fn mark(&mut self, node: &Node, feature: usize, n_places: usize) {
        self.layout = Layout::Marked;
        if self.sparse.len() < n_places {
            self.sparse.resize(n_places, M::default());
        }
        self.marks.clear();
        self.marks.resize(n_places.div_ceil(64), 0);
        let (problem, bits, domain) = (node.problem, self.class_bits, self.domain);
        let (sparse, marks, missing) = (&mut self.sparse[..], &mut self.marks[..], &mut self.missing[..]);
        let mut count = |code: usize, class: usize, mass: M| {
            if code == domain {
                missing[class] += mass;
            } else {
                let place = code << bits | class;
                sparse[place] += mass;
                marks[place / 64] |= 1 << (place % 64);
            }
        };
        with_codes!(&problem.data.column(feature).codes, codes => {
            for &row in &node.cases.whole {
                let code = codes[row as usize].wide() as usize;
                count(code, problem.class_of(row), M::of(&problem.weights, row, FULL_SHARE));
            }
            for part in &node.cases.part {
                let code = codes[part.row as usize].wide() as usize;
                count(code, problem.class_of(part.row), M::of(&problem.weights, part.row, part.share));
            }
        });
    }

    /// Clears the marked places.
    fn unmark(&mut self) {
        if self.layout == Layout::Marked {
            for_each_bit(&self.marks, |place| self.sparse[place] = M::default());
        }
    }

    fn sort_units(&mut self, node: &Node, feature: usize, n_cells: usize) {
        self.layout = Layout::Keys;
        let (problem, n_classes) = (node.problem, self.n_classes as u32);
        let column = problem.data.column(feature);
        let target = &problem.target[..];
        self.keys.clear();
        with_codes!(&column.codes, codes => {
            self.keys.extend(node.cases.whole.iter().map(|&row| {
                codes[row as usize].wide() * n_classes + u32::from(target[row as usize])
            }));
        });
        if column.n_missing() > 0 {
            let (limit, missing) = (self.domain as u32 * n_classes, &mut self.missing);
            let one = M::of(&Weights::Unit, 0, FULL_SHARE);
            self.keys.retain(|&key| {
                if key >= limit {
                    missing[(key - limit) as usize] += one;
                }
                key < limit
            });
        }
        sort_keys(&mut self.keys, &mut self.spare, usize::BITS - n_cells.leading_zeros());
    }

    fn sort_tagged(&mut self, node: &Node, feature: usize) {
        self.layout = Layout::Tagged;
        self.tagged.clear();
        self.masses.clear();
        let problem = node.problem;
        let codes = &problem.data.column(feature).codes;
        let whole = node.cases.whole.iter().map(|&row| (row, FULL_SHARE));
        let part = node.cases.part.iter().map(|part| (part.row, part.share));
        for (row, share) in whole.chain(part) {
            let (code, class) = (codes.get(row as usize), problem.class_of(row));
            let mass = M::of(&problem.weights, row, share);
            if code as usize == self.domain {
                self.missing[class] += mass;
            } else {
                self.tagged.push(u64::from(code) << 32 | self.masses.len() as u64);
                self.masses.push((class as u32, mass));
            }
        }
        self.tagged.sort_unstable();
    }

    /// Calls `visit(code, class, mass)` in ascending order of code, mass above zero.
    #[inline]
    pub(super) fn for_each(&self, mut visit: impl FnMut(u32, usize, M)) {
        match self.layout {
            Layout::Table => {
                for (code, cells) in self.cells.chunks_exact(self.n_classes).enumerate() {
                    for (class, &mass) in cells.iter().enumerate() {
                        if mass != M::default() {
                            visit(code as u32, class, mass);
                        }
                    }
                }
            }
            Layout::Marked => for_each_bit(&self.marks, |place| {
                let class = place & ((1 << self.class_bits) - 1);
                visit((place >> self.class_bits) as u32, class, self.sparse[place]);
            }),
            Layout::Keys => self.for_each_key(visit),
            Layout::Tagged => {
                for &tag in &self.tagged {
                    let (class, mass) = self.masses[(tag & u64::from(u32::MAX)) as usize];
                    visit((tag >> 32) as u32, class as usize, mass);
                }
            }
        }
    }

    #[inline]
    fn for_each_key(&self, mut visit: impl FnMut(u32, usize, M)) {
        let n_classes = self.n_classes as u32;
        let one = M::of(&Weights::Unit, 0, FULL_SHARE);
        let mut keys = self.keys.iter().copied().peekable();
        while let Some(key) = keys.next() {
            let mut mass = one;
            while keys.next_if_eq(&key).is_some() {
                mass += one;
            }
            visit(key / n_classes, (key % n_classes) as usize, mass);
        }
    }

    /// Whether at most one code occurs.
    pub(super) fn is_constant(&self) -> bool {
        let (mut first, mut constant) = (None, true);
        self.for_each(|code, _, _| constant &= *first.get_or_insert(code) == code);
        constant
    }
}

/// Calls `visit` with the position of every bit, ascending.
#[inline]
fn for_each_bit(words: &[u64], mut visit: impl FnMut(usize)) {
    for (i, &word) in words.iter().enumerate() {
        let mut rest = word;
        while rest != 0 {
            visit(64 * i + rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }
}
