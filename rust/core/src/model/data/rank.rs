//! Ranking a numeric column: distinct values in ascending order, and each row's place among them.

/// Returns codes, and the distinct values. NaN gets the code one past the last value.
///
/// Where most values differ, they end up where the raw numbers were: that memory is there already, and no other is kept.
///
/// # Complexity
/// Linear in the number of rows, for numbers that the first 32 bits of their distance from the least tell apart.
pub(super) fn rank(mut raw: Vec<f64>) -> (Vec<u32>, Vec<f64>) {
    let places = sorted_places(&raw);
    let mut codes = vec![u32::MAX; raw.len()];
    let mut values: Vec<f64> = Vec::with_capacity(places.len());
    for place in places {
        let value = raw[row(place)] + 0.0; // -0.0 stands as 0.0
        if values.last() != Some(&value) {
            values.push(value);
        }
        codes[row(place)] = values.len() as u32 - 1;
    }
    let n_values = values.len() as u32;
    for code in &mut codes {
        *code = (*code).min(n_values);
    }
    if raw.len() < 2 * values.len() {
        raw.clear();
        raw.extend_from_slice(&values);
        values = raw;
    }
    values.shrink_to_fit();
    (codes, values)
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

/// The row of a place.
fn row(place: u64) -> usize {
    place as u32 as usize
}

/// Places of the known numbers, ascending: in each the first 32 bits of the number's distance from the least one,
/// and its row. Where these bits do not tell numbers apart, all bits do.
fn sorted_places(raw: &[f64]) -> Vec<u64> {
    let bits = |value: f64| ordered_bits(value + 0.0);
    let known = || raw.iter().zip(0u64..).filter(|(value, _)| !value.is_nan());
    let (least, most) = known().fold((u64::MAX, 0), |(least, most), (&value, _)| {
        let bits = bits(value);
        (least.min(bits), most.max(bits))
    });
    let n_bits = 64 - most.saturating_sub(least).leading_zeros();
    let shift = n_bits.saturating_sub(32);
    let mut places = Vec::with_capacity(raw.len());
    places.extend(known().map(|(&value, row)| (bits(value) - least) >> shift << 32 | row));
    let mut places = radix_sorted(places, n_bits - shift);
    if shift > 0 {
        for run in places.chunk_by_mut(|a, b| a >> 32 == b >> 32) {
            let [first, others @ ..] = &*run else { continue };
            let first = if others.is_empty() { continue } else { bits(raw[row(*first)]) };
            if others.iter().any(|&place| bits(raw[row(place)]) != first) {
                run.sort_unstable_by_key(|&place| (bits(raw[row(place)]), place));
            }
        }
    }
    places
}

/// Bits that one pass of the radix sort looks at.
const DIGIT: u32 = 11;
/// Fewer places are sorted by comparing them.
const FEW: usize = 1 << 12;

/// Sorts by bits 32 to 32 + `n_bits`; equal ones stay in their order, which is that of the rows.
fn radix_sorted(mut places: Vec<u64>, n_bits: u32) -> Vec<u64> {
    if places.len() < FEW {
        places.sort_unstable();
        return places;
    }
    let digit = |place: u64, pass: usize| (place >> (32 + DIGIT * pass as u32)) as usize & ((1 << DIGIT) - 1);
    let mut counts = vec![[0u32; 1 << DIGIT]; n_bits.div_ceil(DIGIT) as usize];
    for &place in &places {
        counts.iter_mut().enumerate().for_each(|(pass, counts)| counts[digit(place, pass)] += 1);
    }
    let mut other = vec![0; places.len()];
    for (pass, starts) in counts.iter_mut().enumerate() {
        let mut start = 0;
        for count in starts.iter_mut() {
            start += std::mem::replace(count, start);
        }
        for &place in &places {
            let next = &mut starts[digit(place, pass)];
            other[*next as usize] = place;
            *next += 1;
        }
        std::mem::swap(&mut places, &mut other);
    }
    places
}

/// Maps a number to an integer of the same order.
fn ordered_bits(value: f64) -> u64 {
    let bits = value.to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
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
    fn many_numbers_are_ranked_as_a_plain_sort_ranks_them() {
        let mut random = 12345u64;
        let mut next = || {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            random >> 11
        };
        let near = |x: u64| f64::from_bits(1f64.to_bits() + x % 1000);
        type Maker = fn(u64) -> f64;
        let makers: [Maker; 4] = [
            |x| x as f64 - 4e15,
            |x| (x % 100) as f64,
            |x| f64::from_bits(x << 11 | x),
            |x| (x as f64).sqrt(),
        ];
        for make in makers {
            let numbers = (0..20_000).map(|i| if i % 7 == 0 { near(next()) } else { make(next()) });
            let raw: Vec<f64> = numbers.filter(|x| !x.is_infinite()).collect();
            let mut expected: Vec<f64> = raw.iter().copied().filter(|x| !x.is_nan()).collect();
            expected.sort_by(f64::total_cmp);
            expected.dedup_by(|a, b| a == b);
            let (codes, values) = rank(raw.clone());
            assert_eq!(values, expected);
            for (value, code) in raw.iter().zip(codes) {
                assert!(values.get(code as usize).map_or(value.is_nan(), |known| known == value));
            }
        }
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
