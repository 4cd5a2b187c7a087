//! The order in which release 8's sorting leaves rows.
//!
//! A stretch is divided by the value of its last row: rows up to that value come to the front one by
//! one, those equal to it to the end of these from behind, and the last row after them; then the part
//! below and the part above are sorted likewise. A stretch already in order stays as it is, which spares
//! most of the work where rows come sorted from the node above.

use crate::base::control::Control;
use crate::base::outcome::Status;

/// A row to be sorted.
#[derive(Clone, Copy, Default)]
pub(super) struct Item {
    pub key: u32,
    pub row: u32,
    pub weight: f32,
}

/// Steps for each row and level of halving; beyond, a stretch is sorted in a way that never takes
/// quadratic time, and rows of equal value stay in their order.
const PATIENCE: usize = 32;

/// A stretch at least this long looks at the control.
const LONG: usize = 1 << 16;

/// Sorts by key. `stack` is for parts still to be sorted.
///
/// # Errors
/// The control's status.
pub(super) fn sort(
    items: &mut [Item],
    stack: &mut Vec<(usize, usize)>,
    control: &Control,
) -> Result<(), Status> {
    let mut patience = PATIENCE * items.len() * (usize::BITS - items.len().leading_zeros()) as usize;
    stack.clear();
    stack.push((0, items.len()));
    while let Some((first, end)) = stack.pop() {
        let part = &mut items[first..end];
        if part.len() >= LONG {
            control.checkpoint()?;
        }
        if part.is_sorted_by_key(|item| item.key) {
            continue;
        }
        match patience.checked_sub(part.len()) {
            None => part.sort_by_key(|item| item.key),
            Some(left) => {
                patience = left;
                let (below, above) = divide(part);
                stack.push((first, first + below));
                stack.push((first + above, end));
            }
        }
    }
    Ok(())
}

/// Divides by the key of the last item; returns where the items below it end and those above begin.
fn divide(items: &mut [Item]) -> (usize, usize) {
    let last = items.len() - 1;
    let pivot = items[last].key;
    let mut middle = 0;
    for i in 0..last {
        if items[i].key <= pivot {
            items.swap(middle, i);
            middle += 1;
        }
    }
    let mut lower = middle;
    for i in (0..middle).rev() {
        if items[i].key == pivot {
            lower -= 1;
            items.swap(lower, i);
        }
    }
    items.swap(middle, last);
    (lower, middle + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(keys: &[u32]) -> Vec<(u32, u32)> {
        let mut items: Vec<Item> =
            keys.iter().zip(0..).map(|(&key, row)| Item { key, row, weight: 1.0 }).collect();
        sort(&mut items, &mut Vec::new(), &Control::unlimited()).expect("nothing interrupts");
        items.iter().map(|item| (item.key, item.row)).collect()
    }

    #[test]
    fn rows_of_equal_value_change_places_as_release_8_has_it() {
        // By the pivot 1 the order 2 1 3 1 becomes 1 2 3 1 and then 1 1 3 2.
        assert_eq!(sorted(&[2, 1, 3, 1]), [(1, 1), (1, 3), (2, 0), (3, 2)]);
        assert_eq!(sorted(&[1, 1, 2, 2]), [(1, 0), (1, 1), (2, 2), (2, 3)]);
        assert_eq!(sorted(&[0, 1, 0, 1, 0]), [(0, 0), (0, 2), (0, 4), (1, 3), (1, 1)]);
    }

    #[test]
    fn an_order_that_would_take_quadratic_time_does_not() {
        let keys: Vec<u32> = (0..200_000).rev().collect();
        let order = sorted(&keys);
        assert!(order.is_sorted());
        assert_eq!(order.len(), keys.len());
    }
}
