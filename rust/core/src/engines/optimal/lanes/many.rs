//! More classes: counts by class on both sides of every cut.
//!
//! The weight that one cut answers rightly is the largest class count before it plus the largest behind it. The
//! largest behind it only falls along an order; so where even the last one known would not beat the best in any
//! lane, it is not counted anew.
//!
//! Where groups are large, rows of one class that follow one another in a group are counted together.

use pulp::NullaryFnOnce;

use super::number::{Lane, mapped};
use super::{Kind, LANES, Lanes, Mask, Order, class_of, id_of, is_start, run_of};

/// Rows of a group on the mean from which on runs of one class are counted together.
const LARGE_GROUP: usize = 8;

/// The kernel's task; it answers with the largest weights that one test answers rightly, left and right.
pub(in super::super) struct Many<'a, T> {
    pub orders: &'a [Order<'a>],
    pub masks: &'a [Mask],
    /// A place for every class that occurs.
    pub places: &'a [u8; super::MOST_CLASSES],
    /// By place, the weight left of every lane's test.
    pub left: &'a [Lanes<T>],
    /// By place, the weight of all rows.
    pub total: &'a [T],
    /// One a row; absent where all are 1.
    pub weights: Option<&'a [i64]>,
}

/// Running counts, and the largest of them.
struct Counts<T> {
    left: Vec<Lanes<T>>,
    all: Vec<T>,
    most: [Lanes<T>; 2],
}

impl<T: Lane> Counts<T> {
    fn new(k: usize) -> Self {
        Counts { left: vec![[T::ZERO; LANES]; k], all: vec![T::ZERO; k], most: [[T::ZERO; LANES]; 2] }
    }

    #[inline(always)]
    fn clear(&mut self) {
        self.left.fill([T::ZERO; LANES]);
        self.all.fill(T::ZERO);
        self.most = [[T::ZERO; LANES]; 2];
    }

    #[inline(always)]
    fn add(&mut self, place: usize, weight: T, mask: &Mask) {
        self.all[place] += weight;
        let (all, left) = (self.all[place], &mut self.left[place]);
        for j in 0..LANES {
            left[j] += T::of_byte(mask[j]) & weight;
            self.most[0][j] = self.most[0][j].max(left[j]);
            self.most[1][j] = self.most[1][j].max(all - left[j]);
        }
    }
}

/// Weights by class: left of every lane's test, and of both sides.
pub(super) type ByClass<'a, T> = (&'a [Lanes<T>], &'a [T]);

/// The largest class counts of both sides of some rows.
#[inline(always)]
fn most_of<T: Lane>((left, all): ByClass<'_, T>) -> [Lanes<T>; 2] {
    let mut most = [[T::ZERO; LANES]; 2];
    for (place, left) in left[..all.len()].iter().enumerate() {
        for j in 0..LANES {
            most[0][j] = most[0][j].max(left[j]);
            most[1][j] = most[1][j].max(all[place] - left[j]);
        }
    }
    most
}

/// The largest class counts of both sides among the rows of a set that are not counted.
#[inline(always)]
pub(super) fn most_beside<T: Lane>(set: ByClass<'_, T>, counted: ByClass<'_, T>) -> [Lanes<T>; 2] {
    let mut most = [[T::ZERO; LANES]; 2];
    let k = set.1.len();
    let (totals, counted, all) = (set.1, &counted.0[..k], &counted.1[..k]);
    for (place, left) in set.0[..k].iter().enumerate() {
        let rest = totals[place] - all[place];
        for j in 0..LANES {
            let beside = left[j] - counted[place][j];
            most[0][j] = most[0][j].max(beside);
            most[1][j] = most[1][j].max(rest - beside);
        }
    }
    most
}

impl<T: Lane> Many<'_, T> {
    #[inline(always)]
    fn most_beside(&self, counts: &Counts<T>) -> [Lanes<T>; 2] {
        most_beside((self.left, self.total), (&counts.left, &counts.all))
    }

    #[inline(always)]
    fn weight(&self, e: u32) -> T {
        self.weights.map_or(T::of(1), |weights| T::of(weights[id_of(e)]))
    }

    #[inline(always)]
    fn add(&self, counts: &mut Counts<T>, e: u32) {
        counts.add(self.places[class_of(e)].into(), self.weight(e), &self.masks[id_of(e)]);
    }

    #[inline(always)]
    fn between(&self, order: Order<'_>, counts: &mut Counts<T>, best: &mut [Lanes<T>; 2]) {
        counts.clear();
        if order.entries.len() >= LARGE_GROUP * order.n_groups as usize {
            self.by_runs(order.entries, counts, best);
        } else {
            self.by_rows(order.entries, counts, best);
        }
    }

    #[inline(always)]
    fn by_runs(&self, mut entries: &[u32], counts: &mut Counts<T>, best: &mut [Lanes<T>; 2]) {
        while let Some(&first) = entries.first() {
            if is_start(first) {
                take_sums(&most_of((&counts.left, &counts.all)), &self.most_beside(counts), best);
            }
            let (n, left, all) = match self.weights {
                None => count_run(entries, self.masks),
                Some(weights) => weigh_run(entries, self.masks, weights),
            };
            let place = usize::from(self.places[class_of(first)]);
            counts.all[place] += all;
            let sums = &mut counts.left[place];
            for j in 0..LANES {
                sums[j] += left[j];
            }
            entries = &entries[n..];
        }
    }

    #[inline(always)]
    fn by_rows(&self, entries: &[u32], counts: &mut Counts<T>, best: &mut [Lanes<T>; 2]) {
        let mut beside = self.most_beside(counts);
        for &e in entries {
            if is_start(e) && may_beat(&counts.most, &beside, best) {
                beside = self.most_beside(counts);
                take_sums(&counts.most, &beside, best);
            }
            self.add(counts, e);
        }
    }

    #[inline(always)]
    fn each(
        &self,
        order: Order<'_>,
        counts: &mut Counts<T>,
        first: &mut Counts<T>,
        best: &mut [Lanes<T>; 2],
    ) {
        counts.clear();
        first.clear();
        let mut is_first = order.kind == Kind::EachWithFirst;
        for &e in order.entries {
            if is_start(e) {
                if is_first {
                    std::mem::swap(first, counts);
                    is_first = false;
                } else {
                    take_sums(&counts.most, &self.most_beside(counts), best);
                }
                counts.left.copy_from_slice(&first.left);
                counts.all.copy_from_slice(&first.all);
                counts.most = first.most;
            }
            self.add(counts, e);
        }
        if !is_first {
            take_sums(&counts.most, &self.most_beside(counts), best);
        }
    }
}

/// Rows that a byte counts.
const MOST_IN_BYTE: usize = i8::MAX as usize;

/// How many entries the first run has, as far as bytes count it; how many rows of it are left of every test.
#[inline(always)]
fn count_run<T: Lane>(entries: &[u32], masks: &[Mask]) -> (usize, Lanes<T>, T) {
    let (mut left, mut n) = ([0i8; LANES], 0);
    let run = run_of(entries[0] & !1);
    for &e in entries.iter().take(MOST_IN_BYTE) {
        if n > 0 && run_of(e) != run {
            break;
        }
        let mask = &masks[id_of(e)];
        for j in 0..LANES {
            left[j] = left[j].wrapping_sub(mask[j]);
        }
        n += 1;
    }
    (n, mapped(&left, T::of_byte), T::of(n as i64))
}

/// The same of weights, of all of the run.
#[inline(always)]
fn weigh_run<T: Lane>(entries: &[u32], masks: &[Mask], weights: &[i64]) -> (usize, Lanes<T>, T) {
    let (mut left, mut all, mut n) = ([T::ZERO; LANES], T::ZERO, 0);
    let run = run_of(entries[0] & !1);
    for &e in entries {
        if n > 0 && run_of(e) != run {
            break;
        }
        let (mask, weight) = (&masks[id_of(e)], T::of(weights[id_of(e)]));
        for j in 0..LANES {
            left[j] += T::of_byte(mask[j]) & weight;
        }
        all += weight;
        n += 1;
    }
    (n, left, all)
}

#[inline(always)]
fn may_beat<T: Lane>(most: &[Lanes<T>; 2], beside: &[Lanes<T>; 2], best: &[Lanes<T>; 2]) -> bool {
    let mut may = false;
    for side in 0..2 {
        for j in 0..LANES {
            // What was beside an earlier cut may be counted by now: together they may be twice the weight of all.
            may |= most[side][j].plus(beside[side][j]) > best[side][j];
        }
    }
    may
}

#[inline(always)]
fn take_sums<T: Lane>(most: &[Lanes<T>; 2], beside: &[Lanes<T>; 2], best: &mut [Lanes<T>; 2]) {
    for side in 0..2 {
        for j in 0..LANES {
            best[side][j] = best[side][j].max(most[side][j].plus(beside[side][j]));
        }
    }
}

impl<T: Lane> NullaryFnOnce for Many<'_, T> {
    type Output = [Lanes<T>; 2];

    #[inline(always)]
    fn call(self) -> [Lanes<T>; 2] {
        let mut counts = Counts::new(self.total.len());
        let mut first = Counts::new(self.total.len());
        let mut best = self.most_beside(&counts);
        for order in self.orders {
            match order.kind {
                Kind::Between => self.between(*order, &mut counts, &mut best),
                Kind::Each | Kind::EachWithFirst => self.each(*order, &mut counts, &mut first, &mut best),
                Kind::Multiway { .. } => {}
            }
        }
        best
    }
}
