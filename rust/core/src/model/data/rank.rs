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

/// Ranks some codes among the values that occur in them: the new codes, and these values. The code one past
/// the last value stays so.
pub(super) fn ranked_anew<C: Copy + Into<u32>>(codes: &[C], values: &[f64]) -> (Vec<u32>, Vec<f64>) {
    let mut occurs = vec![false; values.len() + 1];
    codes.iter().for_each(|&code| occurs[code.into() as usize] = true);
    let mut kept = Vec::new();
    let mut place = Vec::with_capacity(values.len() + 1);
    for (&value, &occurs) in values.iter().zip(&occurs) {
        place.push(kept.len() as u32);
        if occurs {
            kept.push(value);
        }
    }
    place.push(kept.len() as u32);
    (codes.iter().map(|&code| place[code.into() as usize]).collect(), kept)
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
        let (codes, values) = ranked_anew(&[3u8, 1, 4, 3], &[1.0, 2.0, 3.0, 4.0]);
        assert_eq!((codes, values), (vec![1, 0, 2, 1], vec![2.0, 4.0]));
    }
}
