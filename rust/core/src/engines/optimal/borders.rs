//! The cuts of an order that can be the best ones: those where a run of one class ends.
//!
//! From cut to cut along a run of one class the weights of both sides by class change evenly, and the loss of a side,
//! the least over its answers, bends downwards only. So one end of the run loses no more than any cut within, or no
//! test does. Kernels wait at every cut, and longest where they cannot foresee it: so they are given fewer.

use super::lanes::{class_of, is_start};

/// The least and the largest sum before any cut, or 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Sums {
    pub least: i64,
    pub most: i64,
}

/// Entries whose groups start only where a run of one class ends.
#[derive(Debug, Default)]
pub(super) struct Bordered {
    pub entries: Vec<u32>,
    pub n_groups: u32,
}

/// The sums of what rows count before all cuts.
pub(super) fn sums(entries: &[u32], count: impl Fn(u32) -> i64) -> Sums {
    walk::<false>(entries, count, &mut [])
}

impl Bordered {
    /// Takes all rows of an order; the sums of what they count before all cuts.
    pub fn fill(&mut self, entries: &[u32], count: impl Fn(u32) -> i64) -> Sums {
        self.entries.resize(entries.len(), 0);
        let sums = walk::<true>(entries, count, &mut self.entries);
        self.n_groups = 1 + self.entries.iter().map(|e| e & 1).sum::<u32>();
        let last = self.entries.iter().rposition(|&e| is_start(e));
        self.entries.truncate(last.map_or(0, |at| at + 1));
        sums
    }
}

/// Without branches: neither starts nor classes can be foreseen. The first entry of a group is written anew with
/// every row of it, since only those say whether it is of one class.
#[inline(always)]
fn walk<const WRITES: bool>(entries: &[u32], count: impl Fn(u32) -> i64, out: &mut [u32]) -> Sums {
    let Some(&first) = entries.first() else { return Sums::default() };
    let (mut sums, mut sum) = (Sums::default(), 0);
    // Whether classes change before the group, which the first one has nothing of, and in it.
    let (mut before, mut within, mut is_later) = (0, 0, 0);
    let (mut start, mut body, mut class) = (0, first, class_of(first));
    for (i, &e) in entries.iter().enumerate() {
        let starts = is_start(e);
        let at = if starts { sum } else { 0 };
        sums = Sums { least: sums.least.min(at), most: sums.most.max(at) };
        sum += count(e);
        if WRITES {
            let changes = u32::from(class_of(e) != class);
            class = class_of(e);
            before = if starts { changes | within } else { before };
            within = if starts { 0 } else { within | changes };
            is_later |= e & 1;
            start = if starts { i } else { start };
            body = if starts { e & !1 } else { body };
            out[i] = e & !1;
            out[start] = body | ((before | within) & is_later);
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::Dice;
    use crate::engines::optimal::lanes::{entry, id_of};

    #[test]
    fn borders_lie_where_a_group_or_the_one_before_is_not_of_the_same_class() {
        let mut dice = Dice::new(71);
        for _ in 0..2_000 {
            let n = 1 + dice.roll(30);
            let entries: Vec<u32> = (0..n)
                .map(|i| {
                    entry(i as u32, dice.roll(3).min(1 + dice.roll(2)) as u8, i > 0 && dice.roll(2) == 0)
                })
                .collect();
            let starts: Vec<usize> = (0..n).filter(|&i| i == 0 || is_start(entries[i])).collect();
            let of = |k: usize| -> &[u32] { &entries[starts[k]..starts.get(k + 1).copied().unwrap_or(n)] };
            let is_border = |k: usize| {
                let mut classes = of(k - 1).iter().chain(of(k)).map(|&e| class_of(e));
                let one = classes.next();
                classes.any(|class| Some(class) != one)
            };
            let borders: Vec<usize> =
                (1..starts.len()).filter(|&k| is_border(k)).map(|k| starts[k]).collect();
            let mut found = Bordered::default();
            let count = |e: u32| if class_of(e) == 0 { -1 } else { 1 };
            let told = found.fill(&entries, count);
            assert_eq!(told, sums(&entries, count));
            let before = |k: usize| entries[..starts[k]].iter().map(|&e| count(e)).sum::<i64>();
            let all = || (1..starts.len()).map(before).chain([0]);
            assert_eq!((Some(told.least), Some(told.most)), (all().min(), all().max()));
            assert_eq!(found.n_groups as usize, 1 + borders.len());
            assert_eq!(found.entries.len(), borders.last().map_or(0, |at| at + 1));
            for (i, &e) in found.entries.iter().enumerate() {
                assert_eq!((id_of(e), class_of(e)), (i, class_of(entries[i])));
                assert_eq!(is_start(e), borders.contains(&i));
            }
        }
    }
}
