//! Intervals of tests between two that are known, and what can be said of the tests inside.
//!
//! For a < k < b on one axis, with left parts that grow and right parts that shrink, V(k) = L(k) + R(k) and
//! pos the weight on the left (times the largest loss):
//! A: V(k) >= L(a) + R(b), since fewer rows cost no more.
//! B: V(k) >= V(a) - (pos(k) - pos(a)), C: V(k) >= V(b) - (pos(b) - pos(k)), since more rows add at most themselves.
//! D: V(k) >= L(b) + R(a) - (pos(b) - pos(a)).
//! Every L and R may be a lower bound instead of the value. A test without an order is an interval by itself.

/// A test that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct End {
    pub pos: i64,
    /// What the left part costs at least.
    pub left: i64,
    /// What the right part costs at least.
    pub right: i64,
}

/// Tests `low..=high` of an axis, between two ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct Interval {
    pub axis: usize,
    pub a: End,
    pub b: End,
    pub low: usize,
    pub high: usize,
    /// How often it was halved.
    pub level: u32,
    /// Which number of leaves each side may have.
    pub family: usize,
}

impl Interval {
    /// What no test inside costs less than.
    #[inline]
    pub fn bound(&self, adds_at_most: bool) -> i64 {
        let nested = self.a.left + self.b.right;
        let moved = self.b.left + self.a.right - (self.b.pos - self.a.pos);
        if adds_at_most { nested.max(moved) } else { nested }
    }

    /// Drops tests at either end that cannot cost less than `best`; false where none is left.
    pub fn trim(&mut self, pos: &[i64], best: i64, adds_at_most: bool) -> bool {
        if self.low > self.high || self.bound(adds_at_most) >= best {
            return false;
        }
        if !adds_at_most {
            return true;
        }
        let excess = self.a.left + self.a.right - best;
        if excess >= 0 {
            let reach = self.a.pos + excess;
            self.low += pos[self.low..=self.high].partition_point(|&pos| pos <= reach);
        }
        let excess = self.b.left + self.b.right - best;
        if excess >= 0 && self.low <= self.high {
            let reach = self.b.pos - excess;
            let n_kept = pos[self.low..=self.high].partition_point(|&pos| pos < reach);
            if n_kept == 0 {
                return false;
            }
            self.high = self.low + n_kept - 1;
        }
        self.low <= self.high
    }

    /// What the parts of a test at `pos` cost at least.
    pub fn least(&self, pos: i64, adds_at_most: bool) -> (i64, i64) {
        if !adds_at_most {
            return (self.a.left, self.b.right);
        }
        (
            self.a.left.max(self.b.left - (self.b.pos - pos)),
            self.b.right.max(self.a.right - (pos - self.a.pos)),
        )
    }

    /// What is left and right of a test that is now known.
    pub fn halves(self, test: usize, mid: End) -> impl Iterator<Item = Interval> {
        let level = self.level + 1;
        let left = (test > self.low).then(|| Interval { b: mid, high: test - 1, level, ..self });
        let right = (test < self.high).then(|| Interval { a: mid, low: test + 1, level, ..self });
        left.into_iter().chain(right)
    }
}
