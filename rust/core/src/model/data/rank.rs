//! Ranking a numeric column: distinct values in ascending order, and each row's place among them.

use super::column::Codes;

/// Returns codes at the narrowest width, and the distinct values. NaN gets the code one past the last value.
///
/// The values end up where the raw numbers were, so a column is never held twice for long.
pub(super) fn rank(mut raw: Vec<f64>) -> (Codes, Vec<f64>) {
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
    (Codes::narrow(codes, n_values), raw)
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
        assert_eq!(codes.to_vec(), [3, 1, 4, 1, 2, 0, 3]);
    }

    #[test]
    fn nothing_known_gives_no_values() {
        let (codes, values) = rank(vec![f64::NAN; 3]);
        assert!(values.is_empty());
        assert_eq!(codes.to_vec(), [0, 0, 0]);
    }
}
