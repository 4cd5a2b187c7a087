//! A set of rows, in the order of every axis, and how it is split.
//!
//! Ids are local: 0 .. n. A split numbers the rows of each side anew and filters every order, without branches: an
//! entry is written to both sides, and one of them goes on. A group starts on a side where any start was passed
//! since its last row.

use super::lanes::{Cond, Kind, Order, class_of, id_of, is_start};

/// Rows in the order of one axis.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Axis {
    entries: Vec<u32>,
    /// The code of every row.
    codes: Vec<u32>,
    n_groups: u32,
    /// One past the last entry with which a group starts.
    last_start: u32,
}

/// A set of rows.
///
/// # Invariants
/// The first `n` entries and codes of every live axis are those of the rows; `totals` are the weights by class.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Part {
    pub n: usize,
    pub classes: Vec<u8>,
    /// What every row counts; empty where all count 1.
    pub weights: Vec<i64>,
    /// What every row weighs in a leaf; empty where leaves may weigh anything.
    pub masses: Vec<u64>,
    pub axes: Vec<Axis>,
    pub totals: Vec<i64>,
}

impl Axis {
    /// The order of rows by their codes, which are below `domain`, then by class: so runs of one class are long.
    pub fn new(codes: Vec<u32>, classes: &[u8], domain: usize) -> Self {
        let mut starts = vec![0u32; domain + 1];
        codes.iter().for_each(|&code| starts[code as usize + 1] += 1);
        for code in 1..starts.len() {
            starts[code] += starts[code - 1];
        }
        let firsts = starts.clone();
        let mut entries = vec![0; codes.len()];
        for id in by_class(classes) {
            let (code, class) = (codes[id as usize] as usize, classes[id as usize]);
            let place = starts[code];
            starts[code] += 1;
            let is_start = place == firsts[code] && place > 0;
            entries[place as usize] = super::lanes::entry(id, class, is_start);
        }
        let mut axis = Axis { entries, codes, n_groups: 0, last_start: 0 };
        axis.note_starts();
        axis
    }

    /// The code of the second of two groups, where that has fewer rows.
    pub fn small_side_first(&self) -> Option<u32> {
        let start = (self.last_start as usize).checked_sub(1).filter(|_| self.n_groups == 2)?;
        (2 * start > self.entries.len()).then(|| self.codes[id_of(self.entries[start])])
    }

    /// The axis of two groups with those codes first that are `from` or above: what is walked over is shorter.
    pub fn turned(&self, from: u32, classes: &[u8]) -> Axis {
        Axis::new(self.codes.iter().map(|&code| u32::from(code < from)).collect(), classes, 2)
    }

    fn note_starts(&mut self) {
        self.n_groups = 1 + self.entries.iter().filter(|&&e| is_start(e)).count() as u32;
        self.note_last_start(self.entries.len());
    }

    fn note_last_start(&mut self, n: usize) {
        let last = if self.is_live() { self.entries[..n].iter().rposition(|&e| is_start(e)) } else { None };
        self.last_start = last.map_or(0, |at| at as u32 + 1);
    }

    /// Whether rows differ here.
    #[inline]
    pub fn is_live(&self) -> bool {
        self.n_groups > 1
    }

    /// Leaves the axis out of this set and of all in it.
    pub fn drop_out(&mut self) {
        self.n_groups = 1;
    }

    pub fn n_groups(&self) -> u32 {
        self.n_groups
    }

    /// Bytes held on the heap.
    fn bytes(&self) -> usize {
        4 * (self.entries.capacity() + self.codes.capacity())
    }
}

/// The rows of every class, one class after the other.
fn by_class(classes: &[u8]) -> Vec<u32> {
    let mut next = [0u32; 1 << u8::BITS];
    classes.iter().for_each(|&class| next[usize::from(class)] += 1);
    let mut sum = 0;
    for next in &mut next {
        (*next, sum) = (sum, sum + *next);
    }
    let mut ids = vec![0; classes.len()];
    for (id, &class) in classes.iter().enumerate() {
        ids[next[usize::from(class)] as usize] = id as u32;
        next[usize::from(class)] += 1;
    }
    ids
}

impl Part {
    /// Room for parts of a set.
    pub fn room(like: &Part) -> Part {
        Part { axes: vec![Axis::default(); like.axes.len()], ..Part::default() }
    }

    /// Bytes held on the heap.
    pub fn bytes(&self) -> usize {
        let axes: usize = self.axes.iter().map(Axis::bytes).sum();
        axes + self.classes.capacity() + 8 * (self.weights.capacity() + self.masses.capacity())
    }

    #[inline]
    pub fn entries(&self, axis: usize) -> &[u32] {
        &self.axes[axis].entries[..self.n]
    }

    #[inline]
    pub fn codes(&self, axis: usize) -> &[u32] {
        &self.axes[axis].codes[..self.n]
    }

    /// The code of the first row of an axis.
    pub fn first_code(&self, axis: usize) -> u32 {
        self.codes(axis)[id_of(self.entries(axis)[0])]
    }

    /// What a kernel walks over; entries behind the last cut are left out.
    pub fn order(&self, axis: usize, kind: Kind) -> Order<'_> {
        let n = if kind == Kind::Between { self.axes[axis].last_start as usize } else { self.n };
        let Axis { entries, n_groups, .. } = &self.axes[axis];
        Order { entries: &entries[..n], kind, n_groups: *n_groups }
    }

    /// What a row counts.
    #[inline(always)]
    pub fn weight(&self, id: usize) -> i64 {
        if self.weights.is_empty() { 1 } else { self.weights[id] }
    }

    /// Weights as kernels take them.
    pub fn given_weights(&self) -> Option<&[i64]> {
        (!self.weights.is_empty()).then_some(&self.weights[..])
    }

    /// What the rows weigh in a leaf; 0 where leaves may weigh anything.
    pub fn mass(&self) -> u64 {
        self.masses.iter().sum()
    }

    /// Parts the rows by their codes on an axis.
    pub fn split(&self, axis: usize, cond: Cond, sides: &mut [Part; 2], new_ids: &mut Vec<u32>) {
        self.number_anew(axis, cond, sides, new_ids);
        for (axis, from) in self.axes.iter().enumerate() {
            let [left, right] = sides;
            let (left, right) = (&mut left.axes[axis], &mut right.axes[axis]);
            if from.is_live() {
                from.split(self.n, new_ids, left, right);
            } else {
                left.drop_out();
                right.drop_out();
            }
        }
    }

    /// Numbers the rows of each side; bit 0 of a new id says that it is of the left.
    fn number_anew(&self, axis: usize, cond: Cond, sides: &mut [Part; 2], new_ids: &mut Vec<u32>) {
        for side in sides.iter_mut() {
            side.classes.resize(self.n, 0);
            side.weights.clear();
            side.masses.clear();
            side.totals.clear();
            side.totals.resize(self.totals.len(), 0);
        }
        new_ids.resize(self.n, 0);
        let mut counts = [0usize; 2];
        for ((new_id, &code), &class) in new_ids.iter_mut().zip(self.codes(axis)).zip(&self.classes) {
            let is_left = cond.holds(code);
            *new_id = (counts[usize::from(!is_left)] as u32) << 1 | u32::from(is_left);
            sides[0].classes[counts[0]] = class;
            sides[1].classes[counts[1]] = class;
            counts[0] += usize::from(is_left);
            counts[1] += usize::from(!is_left);
        }
        for (side, n) in sides.iter_mut().zip(counts) {
            side.n = n;
            side.classes.truncate(n);
        }
        self.share_out(sides, new_ids);
    }

    /// Hands weights to the sides, and sums them by class.
    fn share_out(&self, sides: &mut [Part; 2], new_ids: &[u32]) {
        for (id, &weight) in self.weights.iter().enumerate() {
            sides[usize::from(new_ids[id] & 1 == 0)].weights.push(weight);
        }
        for (id, &mass) in self.masses.iter().enumerate() {
            sides[usize::from(new_ids[id] & 1 == 0)].masses.push(mass);
        }
        let [left, right] = sides;
        let (counted, other) = if left.n <= right.n { (left, right) } else { (right, left) };
        for (id, &class) in counted.classes.iter().enumerate() {
            counted.totals[usize::from(class)] += counted.weights.get(id).copied().unwrap_or(1);
        }
        for ((other, &counted), &all) in other.totals.iter_mut().zip(&counted.totals).zip(&self.totals) {
            *other = all - counted;
        }
    }
}

impl Axis {
    fn make_room(&mut self, n: usize) {
        if self.entries.len() < n + 1 {
            self.entries.resize(n + 1, 0);
            self.codes.resize(n + 1, 0);
        }
    }

    fn split(&self, n: usize, new_ids: &[u32], left: &mut Axis, right: &mut Axis) {
        left.make_room(n);
        right.make_room(n);
        let (lines, rows) = (&mut left.entries[..n + 1], &mut right.entries[..n + 1]);
        let (mut at, mut pending, mut groups) = ([0usize; 2], [0u32; 2], [0u32; 2]);
        for &e in &self.entries[..n] {
            let new_id = new_ids[id_of(e)];
            let (is_left, start) = (new_id & 1, e & 1);
            let body = super::lanes::entry(new_id >> 1, class_of(e) as u8, false);
            pending = [pending[0] | start, pending[1] | start];
            lines[at[0]] = body | pending[0];
            rows[at[1]] = body | pending[1];
            groups = [groups[0] + (pending[0] & is_left), groups[1] + (pending[1] & (1 - is_left))];
            at = [at[0] + is_left as usize, at[1] + 1 - is_left as usize];
            pending = [pending[0] & (1 - is_left), pending[1] & is_left];
        }
        for (side, axis) in [&mut *left, &mut *right].into_iter().enumerate() {
            let starts_first = at[side] > 0 && is_start(axis.entries[0]);
            axis.entries[0] &= !u32::from(starts_first);
            axis.n_groups = groups[side] + 1 - u32::from(starts_first);
            axis.note_last_start(at[side]);
        }
        let (mut il, mut ir) = (0, 0);
        let (left, right) = (&mut left.codes[..n + 1], &mut right.codes[..n + 1]);
        for (&code, &new_id) in self.codes[..n].iter().zip(new_ids) {
            left[il] = code;
            right[ir] = code;
            il += (new_id & 1) as usize;
            ir += 1 - (new_id & 1) as usize;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same part made anew from its rows, but for axes on which the rows of the whole do not differ.
    fn rebuilt(part: &Part, domain: usize) -> Part {
        let anew = |axis: usize| Axis::new(part.codes(axis).to_vec(), &part.classes, domain);
        let is_kept = |axis: usize| part.axes[axis].codes.len() >= part.n;
        let axes = (0..part.axes.len()).map(|axis| if is_kept(axis) { anew(axis) } else { Axis::default() });
        Part { axes: axes.collect(), ..part.clone() }
    }

    fn groups_of(part: &Part, axis: usize) -> Vec<Vec<u32>> {
        let mut groups: Vec<Vec<u32>> = vec![vec![]];
        for &e in part.entries(axis) {
            if is_start(e) {
                groups.push(vec![]);
            }
            groups.last_mut().expect("there is one").push(e >> 1);
        }
        groups.iter_mut().for_each(|group| group.sort_unstable());
        groups
    }

    #[test]
    fn a_split_gives_what_is_made_from_scratch() {
        let mut random = crate::common::Dice::new(5);
        for n in [1, 2, 63, 64, 65, 127, 128, 129] {
            let classes: Vec<u8> = (0..n).map(|_| random.roll(3) as u8).collect();
            let weights: Vec<i64> = (0..n).map(|_| 1 + random.roll(4) as i64).collect();
            let mut totals = vec![0; 3];
            classes.iter().zip(&weights).for_each(|(&class, weight)| totals[usize::from(class)] += weight);
            let codes: Vec<Vec<u32>> =
                (0..3).map(|_| (0..n).map(|_| random.roll(7) as u32).collect()).collect();
            let axes = codes.iter().map(|codes| Axis::new(codes.clone(), &classes, 7)).collect();
            let part = Part { n, classes, weights, masses: vec![], axes, totals };
            let (mut sides, mut ids) = ([Part::room(&part), Part::room(&part)], vec![]);
            for cond in [Cond::Below(3), Cond::Is(2), Cond::IsOrFirst(4), Cond::Below(0), Cond::Below(7)] {
                part.split(1, cond, &mut sides, &mut ids);
                assert_eq!(sides[0].n + sides[1].n, n);
                for side in sides.iter().filter(|side| side.n > 0) {
                    let anew = rebuilt(side, 7);
                    for axis in (0..3).filter(|&axis| part.axes[axis].is_live()) {
                        assert_eq!(groups_of(side, axis), groups_of(&anew, axis));
                        assert_eq!(side.axes[axis].n_groups, anew.axes[axis].n_groups);
                        assert_eq!(side.axes[axis].last_start, anew.axes[axis].last_start);
                    }
                    let sum: i64 = side.weights.iter().sum();
                    assert_eq!(side.totals.iter().sum::<i64>(), sum);
                }
            }
        }
    }
}
