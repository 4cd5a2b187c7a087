//! Counts by class where every leaf has a least weight.
//!
//! As with [`super::Many`], but a cut counts only in lanes where either part of the side weighs enough. Whether a cut
//! may beat the best is asked first without the classes behind it being counted anew: those only fall.

use pulp::NullaryFnOnce;

use super::many::most_beside;
use super::number::Lane;
use super::{Kind, LANES, Lanes, Mask, Order, class_of, id_of, is_start};

/// The kernel's task; it answers with the largest weights that one test, or none, answers rightly, left and right.
pub(in super::super) struct Limited<'a, T> {
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
    /// What every row weighs in a leaf.
    pub masses: &'a [u64],
    /// What the rows left of every lane's test weigh in a leaf, and all rows.
    pub mass_left: Lanes<T>,
    pub mass: T,
    /// What a leaf weighs at the least.
    pub least: T,
}

/// Running counts.
struct Counts<T> {
    left: Vec<Lanes<T>>,
    all: Vec<T>,
    /// The largest of either side.
    most: [Lanes<T>; 2],
    mass_left: Lanes<T>,
    mass: T,
}

impl<T: Lane> Counts<T> {
    fn new(k: usize) -> Self {
        let lanes = [T::ZERO; LANES];
        let (left, all) = (vec![lanes; k], vec![T::ZERO; k]);
        Counts { left, all, most: [lanes; 2], mass_left: lanes, mass: T::ZERO }
    }

    #[inline(always)]
    fn set(&mut self, other: &Counts<T>) {
        self.left.copy_from_slice(&other.left);
        self.all.copy_from_slice(&other.all);
        (self.most, self.mass_left, self.mass) = (other.most, other.mass_left, other.mass);
    }
}

impl<T: Lane> Limited<'_, T> {
    #[inline(always)]
    fn add(&self, counts: &mut Counts<T>, e: u32) {
        let (place, id) = (usize::from(self.places[class_of(e)]), id_of(e));
        let weight = self.weights.map_or(T::of(1), |weights| T::of(weights[id]));
        let (mask, mass) = (&self.masks[id], T::of(self.masses[id] as i64));
        counts.all[place] += weight;
        counts.mass += mass;
        let (all, left) = (counts.all[place], &mut counts.left[place]);
        for j in 0..LANES {
            let bits = T::of_byte(mask[j]);
            left[j] += bits & weight;
            counts.mass_left[j] += bits & mass;
            counts.most[0][j] = counts.most[0][j].max(left[j]);
            counts.most[1][j] = counts.most[1][j].max(all - left[j]);
        }
    }

    #[inline(always)]
    fn most_beside(&self, counts: &Counts<T>) -> [Lanes<T>; 2] {
        most_beside((self.left, self.total), (&counts.left, &counts.all))
    }

    /// For every lane and side, a number that is not negative where both parts of the side weigh enough.
    #[inline(always)]
    fn surplus(&self, counts: &Counts<T>) -> [Lanes<T>; 2] {
        let (mut lefts, mut rights) = ([T::ZERO; LANES], [T::ZERO; LANES]);
        for j in 0..LANES {
            let (left, right) = (counts.mass_left[j], counts.mass - counts.mass_left[j]);
            let (all_left, all_right) = (self.mass_left[j], self.mass - self.mass_left[j]);
            lefts[j] = left.min(all_left - left) - self.least;
            rights[j] = right.min(all_right - right) - self.least;
        }
        [lefts, rights]
    }

    /// Takes the cut behind the rows that are counted.
    #[inline(always)]
    fn take(&self, counts: &Counts<T>, beside: &mut [Lanes<T>; 2], best: &mut [Lanes<T>; 2]) {
        if counts.mass < self.least || self.mass - counts.mass < self.least {
            return;
        }
        let surplus = self.surplus(counts);
        let mut may = false;
        for side in 0..2 {
            for j in 0..LANES {
                let sum = counts.most[side][j].plus(beside[side][j]);
                may |= (sum > best[side][j]) & (surplus[side][j] >= T::ZERO);
            }
        }
        if !may {
            return;
        }
        *beside = self.most_beside(counts);
        for side in 0..2 {
            for j in 0..LANES {
                let sum = counts.most[side][j].plus(beside[side][j]);
                let sum = if surplus[side][j] >= T::ZERO { sum } else { T::ZERO };
                best[side][j] = best[side][j].max(sum);
            }
        }
    }

    #[inline(always)]
    fn between(&self, entries: &[u32], counts: &mut Counts<T>, best: &mut [Lanes<T>; 2]) {
        let mut beside = self.most_beside(counts);
        for &e in entries {
            if is_start(e) {
                self.take(counts, &mut beside, best);
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
        let whole = self.most_beside(counts);
        let mut is_first = order.kind == Kind::EachWithFirst;
        for &e in order.entries {
            if is_start(e) {
                if is_first {
                    first.set(counts);
                    is_first = false;
                } else {
                    self.take(counts, &mut whole.clone(), best);
                }
                counts.set(first);
            }
            self.add(counts, e);
        }
        if !is_first {
            self.take(counts, &mut whole.clone(), best);
        }
    }
}

impl<T: Lane> NullaryFnOnce for Limited<'_, T> {
    type Output = [Lanes<T>; 2];

    #[inline(always)]
    fn call(self) -> [Lanes<T>; 2] {
        let k = self.total.len();
        let (none, mut counts, mut first) = (Counts::new(k), Counts::new(k), Counts::new(k));
        let mut best = self.most_beside(&none);
        for order in self.orders {
            counts.set(&none);
            first.set(&none);
            match order.kind {
                Kind::Between => self.between(order.entries, &mut counts, &mut best),
                Kind::Each | Kind::EachWithFirst => self.each(*order, &mut counts, &mut first, &mut best),
                Kind::Multiway { .. } => {}
            }
        }
        best
    }
}
