//! More classes: counts by class on both sides of every cut.
//!
//! The weight that one cut answers rightly is the largest class count before it plus the largest behind it. The
//! largest behind it only falls along an order; so where even the last one known would not beat the best in any
//! lane, it is not counted anew.

use pulp::NullaryFnOnce;

use super::number::Lane;
use super::{Kind, LANES, Lanes, Mask, Order, class_of, id_of, is_start};

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

impl<T: Lane> Many<'_, T> {
    /// The largest class counts of both sides among rows that are not counted.
    #[inline(always)]
    fn most_beside(&self, counts: &Counts<T>) -> [Lanes<T>; 2] {
        let mut most = [[T::ZERO; LANES]; 2];
        for (place, left) in self.left.iter().enumerate() {
            let (counted, all, total) = (&counts.left[place], counts.all[place], self.total[place]);
            for j in 0..LANES {
                most[0][j] = most[0][j].max(left[j] - counted[j]);
                most[1][j] = most[1][j].max((total - left[j]) - (all - counted[j]));
            }
        }
        most
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
    fn between(&self, entries: &[u32], counts: &mut Counts<T>, best: &mut [Lanes<T>; 2]) {
        counts.clear();
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
                Kind::Between => self.between(order.entries, &mut counts, &mut best),
                Kind::Each | Kind::EachWithFirst => self.each(*order, &mut counts, &mut first, &mut best),
                Kind::Multiway { .. } => {}
            }
        }
        best
    }
}
