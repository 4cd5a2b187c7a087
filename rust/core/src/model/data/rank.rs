//! Ranking a numeric column: distinct values in ascending order, and each row's place among them.

/// Returns codes, and the distinct values. NaN gets the code one past the last value.
///
/// The values end up where the raw numbers were, so a column is never held twice for long.
pub(super) fn rank(mut raw: Vec<f64>) -> (Vec<u32>, Vec<f64>) {
    let n_rows = raw.len();
    let keys = sorted_keys(&raw);
    let mut codes = vec![u32::MAX; n_rows];
    let mut n_values = 0;
    let mut last = None;
    for (bits, row) in keys {
        if last != Some(bits) {
            raw[n_values] = number(bits);
            n_values += 1;
            last = Some(bits);
        }
        codes[row as usize] = n_values as u32 - 1;
    }
    raw.truncate(n_values);
    raw.shrink_to_fit();
    for code in &mut codes {
        *code = (*code).min(n_values as u32);
    }
    (codes, raw)
}

/// Ranks among the values that occur in some rows of a ranked column.
#[derive(Debug, Default)]
pub(super) struct NewRanks {
    occurs: Vec<bool>,
    ranks: Vec<u32>,
}

impl NewRanks {
    /// Ranks the values that occur among `codes` and returns them. The code one past the last value stays so.
    pub(super) fn learn(&mut self, codes: impl Iterator<Item = u32>, values: &[f64]) -> Vec<f64> {
        self.occurs.clear();
        self.occurs.resize(values.len() + 1, false);
        codes.for_each(|code| self.occurs[code as usize] = true);
        let n_kept = self.occurs[..values.len()].iter().filter(|&&occurs| occurs).count();
        // A value is written where the next one that occurs belongs, which needs no branch.
        let mut kept = vec![0.0; n_kept + 1];
        let mut next = 0;
        self.ranks.clear();
        self.ranks.extend(values.iter().zip(&self.occurs).map(|(&value, &occurs)| {
            let rank = next;
            kept[rank] = value;
            next += usize::from(occurs);
            rank as u32
        }));
        self.ranks.push(n_kept as u32);
        kept.truncate(n_kept);
        kept
    }

    /// The new rank of a code that occurs.
    #[inline]
    pub(super) fn get(&self, code: u32) -> u32 {
        self.ranks[code as usize]
    }
}

/// Known numbers as ordered integers with their rows, ascending. `-0.0` stands as `0.0`.
fn sorted_keys(raw: &[f64]) -> Vec<(u64, u32)> {
    let known = raw.iter().zip(0u32..).filter(|(value, _)| !value.is_nan());
    let mut keys: Vec<(u64, u32)> = Vec::with_capacity(raw.len());
    keys.extend(known.map(|(&value, row)| (ordered_bits(value + 0.0), row)));
    keys.sort_unstable();
    keys
}

/// Maps a number to an integer of the same order.
fn ordered_bits(value: f64) -> u64 {
    let bits = value.to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

/// The number that [`ordered_bits`] mapped.
fn number(ordered: u64) -> f64 {
    f64::from_bits(if ordered >> 63 == 1 { ordered & !(1 << 63) } else { !ordered })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_follow_the_order_of_numbers() {
        let raw = vec![3.0, -0.0, f64::NAN, 0.0, 1e-310, -1e308, 3.0];
        let (codes, values) = rank(raw);
        assert_eq!(values, [-1e308, 0.0, 1e-310, 3.0]);
        assert_eq!(codes, [3, 1, 4, 1, 2, 0, 3]);
    }

    #[test]
    fn nothing_known_gives_no_values() {
        let (codes, values) = rank(vec![f64::NAN; 3]);
        assert!(values.is_empty());
        assert_eq!(codes, [0, 0, 0]);
    }

    #[test]
    fn what_no_row_has_leaves_and_the_rest_moves_up() {
        let mut ranks = NewRanks::default();
        for codes in [[3, 1, 4, 3], [4, 3, 3, 1]] {
            assert_eq!(ranks.learn(codes.into_iter(), &[1.0, 2.0, 3.0, 4.0]), [2.0, 4.0]);
            assert_eq!([1, 3, 4].map(|code| ranks.get(code)), [0, 1, 2]);
        }
    }
}
