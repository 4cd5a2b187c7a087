//! The one walk over subtables, children first, for whatever is to be worked out of each.
//!
//! ```text
//! value(S, state):
//!     for each feature that varies in S (one for all that make the same parts, counted):
//!         for each part: value(part, state below S), or the value of a leaf
//!         join them; better the best of S by it
//!     keep the best
//! ```
//!
//! Features that are constant in S, or make the same parts as a lower one, do so in every part of
//! S: they are left out below, and the lower one counts for them. The recursion keeps its own stack,
//! so deep tables need no deep call stack.

use super::sets::{Part, Sets};
use crate::base::control::Control;
use crate::base::outcome::Status;

/// Cells looked at between two checkpoints.
const CELLS_PER_CHECK: usize = 1 << 17;

/// What is worked out at every subtable.
pub(super) trait Fold {
    /// What else a value depends on.
    type State: Clone + Default;
    type Value: Clone;
    /// A bundle in the making.
    type Bundle;
    /// Whether features that make the same parts are one, counted.
    const MERGES: bool = true;

    /// A value kept before.
    fn known(&mut self, key: u128, state: &Self::State) -> Option<Self::Value>;
    /// The value of a terminal part.
    fn leaf(&mut self, part: &Part) -> Result<Self::Value, Status>;
    /// The state of the parts of a subtable.
    fn below(&self, _n_rows: u64, _state: &Self::State) -> Self::State {
        Self::State::default()
    }
    /// What a subtable has before its first bundle.
    fn empty(&self) -> Self::Value;
    /// Begins the bundle of a feature; nothing where it is of no use.
    fn open(
        &mut self,
        at: &Subtable<'_, Self::State>,
        parts: &[Part],
        column: Column,
    ) -> Option<Self::Bundle>;
    fn add(&mut self, bundle: &mut Self::Bundle, value: &Self::Value) -> Result<(), Status>;
    fn close(&mut self, best: &mut Self::Value, bundle: Self::Bundle);
    /// Takes the value of a subtable whose bundles are all closed.
    fn keep(
        &mut self,
        at: &Subtable<'_, Self::State>,
        shape: Shape,
        best: &mut Self::Value,
    ) -> Result<(), Status>;
    /// Bytes that an open subtable is about to hold.
    fn hold(&mut self, _bytes: usize) -> Result<(), Status> {
        Ok(())
    }
    fn release(&mut self, _bytes: usize) {}
}

/// A bundle of so many rows, and what its parts come to so far.
pub(super) struct Joined<T> {
    pub n_rows: u64,
    pub below: Option<T>,
}

impl<T> Joined<T> {
    pub fn new(n_rows: u64) -> Self {
        Joined { n_rows, below: None }
    }
}

/// A subtable that is being worked on.
pub(super) struct Subtable<'a, S> {
    pub key: u128,
    pub n_rows: u64,
    pub state: &'a S,
    /// State of its parts.
    pub below: &'a S,
}

/// Bundles of a subtable and their branches, one bundle a feature.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Shape {
    pub n_bundles: u64,
    pub n_edges: u64,
}

/// A feature that varies in a subtable.
#[derive(Clone, Copy)]
pub(super) struct Column {
    pub feature: u32,
    /// Features that make the same parts, this one included.
    pub n_same: u32,
    /// Where its parts end in the list of parts.
    end: u32,
}

struct Frame<S, F: Fold> {
    set: S,
    key: u128,
    n_rows: u64,
    state: F::State,
    below: F::State,
    bytes: usize,
    /// Columns and parts start here.
    columns: u32,
    parts: u32,
    /// Column and part to go on with.
    column: u32,
    part: u32,
    bundle: Option<F::Bundle>,
    best: F::Value,
}

/// A part to be entered before the walk can go on, with its state.
type Wanted<T, F> = Option<(<T as Sets>::Set, <F as Fold>::State)>;

/// A walk and its buffers.
pub(super) struct Explorer<'a, T: Sets, F: Fold> {
    sets: &'a T,
    desk: T::Desk,
    frames: Vec<Frame<T::Set, F>>,
    columns: Vec<Column>,
    parts: Vec<Part>,
    marks: Vec<u64>,
    alpha: u64,
    until_check: usize,
}

impl<'a, T: Sets, F: Fold> Explorer<'a, T, F> {
    pub fn new(sets: &'a T, alpha: u64) -> Self {
        let desk = sets.desk();
        let (frames, columns, parts, marks) = (vec![], vec![], vec![], vec![]);
        Explorer { sets, desk, frames, columns, parts, marks, alpha, until_check: CELLS_PER_CHECK }
    }

    /// Bytes that the open subtables of a walk hold at the most.
    pub fn most_bytes(sets: &T) -> usize {
        let table = sets.table();
        let most_open = table.n_features().min(table.n_rows()) + 1;
        let n_parts: usize =
            (0..table.n_features()).map(|f| table.n_rows().min(table.arity(f) as usize)).sum();
        // A list of rows that grows by doubling has up to twice the room it needs.
        let set = 2 * sets.heap_bytes(&sets.all()) + 16;
        let columns = table.n_features() * size_of::<Column>() + n_parts * size_of::<Part>();
        most_open * (size_of::<Frame<T::Set, F>>() + set + columns)
    }

    /// The value of a subtable that is not terminal.
    ///
    /// # Errors
    /// The fold's, or the control's interrupt.
    pub fn value(
        &mut self,
        set: T::Set,
        state: F::State,
        fold: &mut F,
        control: &Control,
    ) -> Result<F::Value, Status> {
        self.forget();
        self.enter(set, state, fold, control)?;
        let mut delivered: Option<F::Value> = None;
        loop {
            let depth = self.frames.len();
            match self.advance(delivered.take(), fold)? {
                Some((set, state)) => self.enter(set, state, fold, control)?,
                None => {
                    let mut frame = self.frames.pop().expect("a subtable is open");
                    let shape = self.shape(&frame);
                    self.columns.truncate(frame.columns as usize);
                    self.parts.truncate(frame.parts as usize);
                    fold.release(frame.bytes);
                    let Frame { key, n_rows, state, below, best, .. } = &mut frame;
                    fold.keep(&Subtable { key: *key, n_rows: *n_rows, state, below }, shape, best)?;
                    if depth == 1 {
                        return Ok(frame.best);
                    }
                    delivered = Some(frame.best);
                }
            }
        }
    }

    fn shape(&self, frame: &Frame<T::Set, F>) -> Shape {
        let (mut shape, mut start) = (Shape::default(), frame.parts);
        for column in &self.columns[frame.columns as usize..] {
            shape.n_bundles += u64::from(column.n_same);
            shape.n_edges += u64::from(column.n_same) * u64::from(column.end - start);
            start = column.end;
        }
        shape
    }

    /// Drops what an interrupted walk left.
    fn forget(&mut self) {
        self.frames.clear();
        self.columns.clear();
        self.parts.clear();
    }

    /// Opens a subtable: finds its features and their parts.
    fn enter(&mut self, set: T::Set, state: F::State, fold: &mut F, control: &Control) -> Result<(), Status> {
        let n_rows = self.sets.n_rows(&set) as u64;
        let (columns, parts) = (self.columns.len() as u32, self.parts.len() as u32);
        self.sets.lay(&mut self.desk, &set);
        self.marks.clear();
        match self.frames.last().map(|outer| outer.columns..columns) {
            None => {
                for f in 0..self.sets.table().n_features() as u32 {
                    self.add_column(&set, f, 1, columns, control)?;
                }
            }
            Some(outer) => {
                for at in outer {
                    let Column { feature, n_same, .. } = self.columns[at as usize];
                    self.add_column(&set, feature, n_same, columns, control)?;
                }
            }
        }
        let bytes = size_of::<Frame<T::Set, F>>()
            + self.sets.heap_bytes(&set)
            + (self.columns.len() - columns as usize) * size_of::<Column>()
            + (self.parts.len() - parts as usize) * size_of::<Part>();
        fold.hold(bytes)?;
        let below = fold.below(n_rows, &state);
        self.frames.push(Frame {
            key: self.sets.key(&set),
            set,
            n_rows,
            state,
            below,
            bytes,
            columns,
            parts,
            column: columns,
            part: parts,
            bundle: None,
            best: fold.empty(),
        });
        Ok(())
    }

    /// Adds the parts of a feature, unless it is constant or a lower one makes the same.
    fn add_column(
        &mut self,
        set: &T::Set,
        feature: u32,
        n_same: u32,
        first: u32,
        control: &Control,
    ) -> Result<(), Status> {
        let start = self.parts.len();
        self.sets.split(&mut self.desk, set, feature as usize, &mut self.parts);
        self.check(self.sets.work(set), control)?;
        if self.parts.len() == start + 1 {
            self.parts.truncate(start);
            return Ok(());
        }
        let mark = if F::MERGES { mark(&self.parts[start..]) } else { 0 };
        if F::MERGES
            && let Some(same) = self.marks.iter().position(|&other| other == mark)
        {
            let same = first as usize + same;
            if self.is_same(same, first, start) {
                self.columns[same].n_same += n_same;
                self.parts.truncate(start);
                return Ok(());
            }
        }
        if self.alpha > 0 {
            self.end_by_alpha(set, feature, start);
        }
        self.marks.push(mark);
        self.columns.push(Column { feature, n_same, end: self.parts.len() as u32 });
        Ok(())
    }

    /// Whether the parts from `start` on are those of column `at`.
    fn is_same(&self, at: usize, first: u32, start: usize) -> bool {
        let from = match at == first as usize {
            true => self.first_part(first),
            false => self.columns[at - 1].end as usize,
        };
        let (theirs, own) = (&self.parts[from..self.columns[at].end as usize], &self.parts[start..]);
        theirs.len() == own.len() && own.iter().all(|part| theirs.iter().any(|other| other.key == part.key))
    }

    /// Where the parts of the columns from `first` on start.
    fn first_part(&self, first: u32) -> usize {
        match first {
            0 => 0,
            _ => self.columns[first as usize - 1].end as usize,
        }
    }

    /// Marks parts whose rt is at most alpha as terminal.
    fn end_by_alpha(&mut self, set: &T::Set, feature: u32, start: usize) {
        for part in &mut self.parts[start..] {
            if !part.is_terminal {
                let rows = self.sets.rows(&self.sets.part(set, feature as usize, part.value));
                part.is_terminal = rt(self.sets.table(), &rows) <= self.alpha;
            }
        }
    }

    fn check(&mut self, cells: usize, control: &Control) -> Result<(), Status> {
        if self.until_check > cells {
            self.until_check -= cells;
            return Ok(());
        }
        self.until_check = CELLS_PER_CHECK;
        control.checkpoint()
    }

    /// Goes on with the innermost subtable until a part must be entered first, or it is done.
    fn advance(&mut self, delivered: Option<F::Value>, fold: &mut F) -> Result<Wanted<T, F>, Status> {
        let frame = self.frames.last_mut().expect("a subtable is open");
        if let (Some(value), Some(bundle)) = (delivered, &mut frame.bundle) {
            fold.add(bundle, &value)?;
            frame.part += 1;
        }
        let at = Subtable { key: frame.key, n_rows: frame.n_rows, state: &frame.state, below: &frame.below };
        while (frame.column as usize) < self.columns.len() {
            let column = self.columns[frame.column as usize];
            let mut bundle = match frame.bundle.take() {
                Some(bundle) => bundle,
                None => {
                    let parts = &self.parts[frame.part as usize..column.end as usize];
                    let Some(bundle) = fold.open(&at, parts, column) else {
                        frame.column += 1;
                        frame.part = column.end;
                        continue;
                    };
                    bundle
                }
            };
            while frame.part < column.end {
                let part = &self.parts[frame.part as usize];
                let value = match part.is_terminal {
                    true => fold.leaf(part)?,
                    false => match fold.known(part.key, at.below) {
                        Some(value) => value,
                        None => {
                            let set = self.sets.part(&frame.set, column.feature as usize, part.value);
                            frame.bundle = Some(bundle);
                            return Ok(Some((set, frame.below.clone())));
                        }
                    },
                };
                fold.add(&mut bundle, &value)?;
                frame.part += 1;
            }
            fold.close(&mut frame.best, bundle);
            frame.column += 1;
        }
        Ok(None)
    }
}

/// A number that parts have in common however they are ordered.
#[inline]
fn mark(parts: &[Part]) -> u64 {
    let of = |part: &Part| {
        let folded = part.key as u64 ^ ((part.key >> 64) as u64).rotate_left(32);
        let product = u128::from(folded ^ 0x9E37_79B9_7F4A_7C15) * 0xD1B5_4A32_D192_ED03_u128;
        product as u64 ^ (product >> 64) as u64
    };
    parts.iter().fold(0, |mark, part| mark.wrapping_add(of(part)))
}

/// Unordered pairs of rows with different decisions.
pub(super) fn rt(table: &crate::model::data::DecisionTable, rows: &[u32]) -> u64 {
    let n = rows.len() as u64;
    let equal: u64 = table.decision_counts(rows).into_iter().map(|k| u64::from(k) * u64::from(k)).sum();
    (n * n - equal) / 2
}
