//! The tests that a set of rows has on an axis.

use super::lanes::{Cond, Kind, class_of, id_of, is_start};
use super::part::Part;
use super::rules::Rules;

/// Entries between two notes of the weights by class.
const STRIDE: usize = 64;

/// The tests of one axis, in their order.
#[derive(Debug, Default)]
pub(super) struct Cuts {
    kind: Option<Kind>,
    /// What moves past a test at the most: the rows before a cut, or those of a group.
    pub pos: Vec<i64>,
    /// The code right behind a cut, or that of a group.
    codes: Vec<u32>,
    /// The entry right behind a cut, or the first of a group.
    at: Vec<u32>,
    /// One past the last entry of a group.
    ends: Vec<u32>,
    /// Weights by class before every 64th entry.
    notes: Vec<i64>,
    n_classes: usize,
}

impl Cuts {
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Bytes held on the heap.
    pub fn bytes(&self) -> usize {
        let short = self.codes.capacity() + self.at.capacity() + self.ends.capacity();
        4 * short + 8 * (self.pos.capacity() + self.notes.capacity())
    }

    /// Whether the left parts of the tests are nested.
    pub fn is_ordered(&self) -> bool {
        self.kind == Some(Kind::Between)
    }

    /// The condition of a test.
    pub fn cond(&self, i: usize) -> Cond {
        match self.kind {
            Some(Kind::Each) => Cond::Is(self.codes[i]),
            Some(Kind::EachWithFirst) => Cond::IsOrFirst(self.codes[i]),
            _ => Cond::Below(self.codes[i]),
        }
    }

    /// Lists the tests of an axis; with `notes` the weights by class on their left can be asked for.
    pub fn list(&mut self, part: &Part, axis: usize, rules: &Rules, with_notes: bool) {
        let kind = rules.kinds[axis];
        self.kind = Some(kind);
        for list in [&mut self.codes, &mut self.at, &mut self.ends] {
            list.clear();
        }
        self.pos.clear();
        self.notes.clear();
        self.n_classes = part.totals.len();
        match kind {
            Kind::Between => self.list_cuts(part, axis, rules),
            Kind::Each | Kind::EachWithFirst => self.list_groups(part, axis, rules),
            Kind::Multiway { .. } => {}
        }
        if with_notes && kind == Kind::Between {
            self.note_weights(part, axis);
        }
    }

    /// Without branches: whether a group starts cannot be foreseen. All is written, and kept where one does.
    fn list_cuts(&mut self, part: &Part, axis: usize, rules: &Rules) {
        let (entries, codes) = (part.order(axis, Kind::Between).entries, part.codes(axis));
        let n_cuts = part.axes[axis].n_groups() as usize - 1;
        self.at.resize(n_cuts + 1, 0);
        self.pos.resize(n_cuts + 1, 0);
        let (at, pos) = (&mut self.at[..n_cuts + 1], &mut self.pos[..n_cuts + 1]);
        let mut k = 0;
        if part.weights.is_empty() && rules.is_plain() {
            for (i, &e) in entries.iter().enumerate() {
                at[k] = i as u32;
                k += usize::from(is_start(e));
            }
            pos.iter_mut().zip(&*at).for_each(|(pos, &at)| *pos = i64::from(at) * rules.price.loss);
        } else {
            let mut sum = 0;
            for (i, &e) in entries.iter().enumerate() {
                (at[k], pos[k]) = (i as u32, sum);
                k += usize::from(is_start(e));
                sum += rules.reach(part, e);
            }
        }
        self.at.truncate(k);
        self.pos.truncate(k);
        self.codes.extend(self.at.iter().map(|&at| codes[id_of(entries[at as usize])]));
    }

    fn list_groups(&mut self, part: &Part, axis: usize, rules: &Rules) {
        let (entries, codes) = (part.entries(axis), part.codes(axis));
        for (i, &e) in entries.iter().enumerate() {
            if i == 0 || is_start(e) {
                self.codes.push(codes[id_of(e)]);
                self.at.push(i as u32);
                self.pos.push(0);
            }
            *self.pos.last_mut().expect("the first entry opens a group") += rules.reach(part, e);
        }
        self.ends.extend(self.at.iter().skip(1).copied().chain([entries.len() as u32]));
        if rules.kinds[axis] == Kind::EachWithFirst {
            let first = self.pos.remove(0);
            self.pos.iter_mut().for_each(|pos| *pos += first);
            self.codes.remove(0);
            self.at.remove(0);
            self.ends.remove(0);
        }
    }

    fn note_weights(&mut self, part: &Part, axis: usize) {
        let mut now = vec![0i64; self.n_classes];
        for block in part.order(axis, Kind::Between).entries.chunks(STRIDE) {
            self.notes.extend_from_slice(&now);
            if let ([first, second], true) = (&mut now[..], part.weights.is_empty()) {
                let n_second = block.iter().map(|&e| class_of(e) as i64).sum::<i64>();
                (*first, *second) = (*first + block.len() as i64 - n_second, *second + n_second);
            } else {
                block.iter().for_each(|&e| now[class_of(e)] += part.weight(id_of(e)));
            }
        }
    }

    /// The weights by class on the left of a test.
    pub fn left_weights(&self, part: &Part, axis: usize, i: usize, out: &mut [i64]) {
        let (entries, at) = (part.entries(axis), self.at[i] as usize);
        let mut add = |from: usize, to: usize| {
            entries[from..to].iter().for_each(|&e| out[class_of(e)] += part.weight(id_of(e)));
        };
        match self.kind {
            Some(Kind::Each) => add(at, self.ends[i] as usize),
            Some(Kind::EachWithFirst) => {
                add(0, self.at[0] as usize);
                add(at, self.ends[i] as usize);
            }
            _ => {
                let block = at / STRIDE;
                let note = &self.notes[block * self.n_classes..][..self.n_classes];
                add(block * STRIDE, at);
                out.iter_mut().zip(note).for_each(|(out, note)| *out += note);
            }
        }
    }
}
