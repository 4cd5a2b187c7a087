//! Ranking a numeric column: distinct values in ascending order, and each row's place among them.

use super::column::Codes;

/// Returns codes at the narrowest width, and the distinct values. NaN gets the code one past the last value.
pub(super) fn rank(mut raw: Vec<f64>) -> (Codes, Vec<f64>) {
    let n_rows = raw.len();
    let mut order: Vec<u32> = (0..n_rows as u32).filter(|&row| !raw[row as usize].is_nan()).collect();
    for value in &mut raw {
        *value += 0.0; // -0.0 becomes 0.0
    }
    sort_by_value(&mut order, &raw);
    let mut codes = vec![u32::MAX; n_rows];
    let mut n_values = 0u32;
    let mut last = f64::NAN;
    let mut values = Vec::new();
    for &row in &order {
        let value = raw[row as usize];
        if value != last {
            n_values += 1;
            values.push(value);
            last = value;
        }
        codes[row as usize] = n_values - 1;
    }
    drop((raw, order));
    values.shrink_to_fit();
    for code in &mut codes {
        *code = (*code).min(n_values);
    }
    (Codes::narrow(codes, values.len()), values)
}

/// Sorts row numbers by the bits of their value, mapped so that integer order is numeric order.
fn sort_by_value(order: &mut [u32], raw: &[f64]) {
    let mut keys: Vec<(u64, u32)> = order.iter().map(|&row| (ordered_bits(raw[row as usize]), row)).collect();
    keys.sort_unstable();
    for (slot, (_, row)) in order.iter_mut().zip(keys) {
        *slot = row;
    }
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
        assert_eq!(codes.to_vec(), [3, 1, 4, 1, 2, 0, 3]);
    }

    #[test]
    fn nothing_known_gives_no_values() {
        let (codes, values) = rank(vec![f64::NAN; 3]);
        assert!(values.is_empty());
        assert_eq!(codes.to_vec(), [0, 0, 0]);
    }
}
