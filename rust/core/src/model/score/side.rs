//! The class weights of one branch, and its uncertainty kept up to date as weight comes and goes.

use super::logs::Logs;
use super::mass::Mass;

/// One branch of a split under a criterion.
///
/// `uncertainty()` is the branch's weight times its uncertainty, an integer. A gain is the
/// uncertainty of the whole minus the sum over branches.
pub trait Side<M: Mass>: Send + Sync + 'static {
    /// An empty branch for `n_classes`.
    fn new(n_classes: usize) -> Self;
    fn clear(&mut self);
    /// Becomes equal to a branch of as many classes.
    fn copy_from(&mut self, other: &Self);
    fn add(&mut self, logs: &Logs, class: usize, mass: M);
    fn remove(&mut self, logs: &Logs, class: usize, mass: M);
    fn uncertainty(&self, logs: &Logs) -> i64;
    fn total(&self) -> M;
    fn classes(&self) -> &[M];
    /// By how much rounding may be off in one branch.
    fn noise(logs: &Logs, n_classes: usize) -> i64;
    /// The integer that stands for one unit of weight times one unit of uncertainty.
    fn unit(logs: &Logs) -> f64;
    /// Whether the uncertainty is the entropy.
    const IS_ENTROPY: bool;
}

/// Weight times entropy: F(n) - sum of F(n_c).
pub struct Entropy<M> {
    classes: Vec<M>,
    logs: Vec<i64>,
    sum: i64,
    total: M,
}

impl<M: Mass> Entropy<M> {
    #[inline]
    fn refresh(&mut self, logs: &Logs, class: usize) {
        let fresh = self.classes[class].log(logs);
        self.sum += fresh - self.logs[class];
        self.logs[class] = fresh;
    }
}

impl<M: Mass> Side<M> for Entropy<M> {
    const IS_ENTROPY: bool = true;

    fn new(n_classes: usize) -> Self {
        Entropy {
            classes: vec![M::default(); n_classes],
            logs: vec![0; n_classes],
            sum: 0,
            total: M::default(),
        }
    }

    fn clear(&mut self) {
        self.classes.fill(M::default());
        self.logs.fill(0);
        self.sum = 0;
        self.total = M::default();
    }

    #[inline]
    fn copy_from(&mut self, other: &Self) {
        self.classes.copy_from_slice(&other.classes);
        self.logs.copy_from_slice(&other.logs);
        (self.sum, self.total) = (other.sum, other.total);
    }

    #[inline]
    fn add(&mut self, logs: &Logs, class: usize, mass: M) {
        self.classes[class] += mass;
        self.total += mass;
        self.refresh(logs, class);
    }

    #[inline]
    fn remove(&mut self, logs: &Logs, class: usize, mass: M) {
        self.classes[class] -= mass;
        self.total -= mass;
        self.refresh(logs, class);
    }

    #[inline]
    fn uncertainty(&self, logs: &Logs) -> i64 {
        self.total.log(logs) - self.sum
    }

    #[inline]
    fn total(&self) -> M {
        self.total
    }

    fn classes(&self) -> &[M] {
        &self.classes
    }

    fn noise(logs: &Logs, n_classes: usize) -> i64 {
        (n_classes as i64 + 1) * logs.largest_error()
    }

    fn unit(logs: &Logs) -> f64 {
        logs.scale()
    }
}

/// Weight times Gini impurity, n·4096 - floor(4096·sum n_c²/n), in units of 2^-k where k fraction
/// bits of a weight are kept for squaring.
pub struct Gini<M> {
    classes: Vec<M>,
    squares: u128,
    total: M,
}

#[inline]
fn kept<M: Mass>(mass: M, logs: &Logs) -> u128 {
    mass.exact() >> (50 - logs.kept_bits())
}

impl<M: Mass> Gini<M> {
    #[inline]
    fn change(&mut self, logs: &Logs, class: usize, update: impl Fn(&mut M)) {
        self.squares -= kept(self.classes[class], logs).pow(2);
        update(&mut self.classes[class]);
        update(&mut self.total);
        self.squares += kept(self.classes[class], logs).pow(2);
    }
}

impl<M: Mass> Side<M> for Gini<M> {
    const IS_ENTROPY: bool = false;

    fn new(n_classes: usize) -> Self {
        Gini { classes: vec![M::default(); n_classes], squares: 0, total: M::default() }
    }

    fn clear(&mut self) {
        self.classes.fill(M::default());
        self.squares = 0;
        self.total = M::default();
    }

    #[inline]
    fn copy_from(&mut self, other: &Self) {
        self.classes.copy_from_slice(&other.classes);
        (self.squares, self.total) = (other.squares, other.total);
    }

    #[inline]
    fn add(&mut self, logs: &Logs, class: usize, mass: M) {
        self.change(logs, class, |m| *m += mass);
    }

    #[inline]
    fn remove(&mut self, logs: &Logs, class: usize, mass: M) {
        self.change(logs, class, |m| *m -= mass);
    }

    #[inline]
    fn uncertainty(&self, logs: &Logs) -> i64 {
        let (total, bits) = (kept(self.total, logs), logs.kept_bits());
        if total == 0 {
            return 0;
        }
        let floor = gini_floor(self.squares, total, bits);
        ((total << 12) as i64) - ((floor << bits) as i64)
    }

    #[inline]
    fn total(&self) -> M {
        self.total
    }

    fn classes(&self) -> &[M] {
        &self.classes
    }

    fn noise(logs: &Logs, n_classes: usize) -> i64 {
        (1 << logs.kept_bits()) + ((n_classes as i64) << 14)
    }

    fn unit(logs: &Logs) -> f64 {
        f64::from(1u32 << logs.kept_bits()) * 4096.0
    }
}

/// floor(4096·squares / (total·2^bits)), in 64 bits where everything is whole.
#[inline]
fn gini_floor(squares: u128, total: u128, bits: u32) -> u64 {
    let (n, sum) = (total >> bits, squares >> (2 * bits));
    if n << bits == total && sum << (2 * bits) == squares && sum < 1 << 52 {
        return ((sum as u64) << 12) / n as u64;
    }
    ((squares << 12) / (total << bits)) as u64
}

#[cfg(test)]
mod tests {
    use super::super::mass::{Count, Exact};
    use super::*;

    fn filled<S: Side<Count>>(counts: &[u32], logs: &Logs) -> S {
        let mut side = S::new(counts.len());
        for (class, &n) in counts.iter().enumerate() {
            side.add(logs, class, Count(n));
        }
        side
    }

    #[test]
    fn gini_reads_as_its_formula() {
        let logs = Logs::new(10.0);
        let side: Gini<Count> = filled(&[3, 5], &logs);
        let expected = 8 * 4096 - (4096 * (9 + 25)) / 8;
        assert_eq!(side.uncertainty(&logs), expected << logs.kept_bits());
    }

    #[test]
    fn whole_weights_give_one_gini_whatever_they_are_counted_in() {
        let logs = Logs::new(10.0);
        let narrow: Gini<Count> = filled(&[3, 5, 7], &logs);
        let mut wide: Gini<Exact> = Gini::new(3);
        for (class, n) in [3u128, 5, 7].into_iter().enumerate() {
            wide.add(&logs, class, Exact(n << 50));
        }
        assert_eq!(narrow.uncertainty(&logs), wide.uncertainty(&logs));
    }

    #[test]
    fn what_comes_and_goes_leaves_no_trace() {
        let logs = Logs::new(10.0);
        let mut side: Entropy<Count> = filled(&[2, 2], &logs);
        let before = side.uncertainty(&logs);
        assert_eq!(before, 4 << 32);
        side.add(&logs, 1, Count(3));
        side.remove(&logs, 1, Count(3));
        assert_eq!(side.uncertainty(&logs), before);
    }
}
