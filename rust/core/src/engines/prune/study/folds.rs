//! Which rows judge and which grow, in the cross-validation inside a training set.

use crate::base::random::Random;

/// The fold of each row: every class is put in random order and dealt out in turn, one class going
/// on where the one before ended, so that folds differ by one row at most, and by one of each class.
pub fn deal(classes: &[bool], n_folds: usize, random: &mut Random) -> Vec<u16> {
    let mut folds = vec![0; classes.len()];
    let mut next = 0;
    for class in [false, true] {
        let mut rows: Vec<usize> = (0..classes.len()).filter(|&row| classes[row] == class).collect();
        for place in (1..rows.len()).rev() {
            rows.swap(place, random.below(place as u32 + 1) as usize);
        }
        for row in rows {
            folds[row] = (next % n_folds) as u16;
            next += 1;
        }
    }
    folds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_are_even_in_every_class() {
        let classes: Vec<bool> = (0..103).map(|i| i % 3 == 0).collect();
        let folds = deal(&classes, 10, &mut Random::stream(0, 0));
        for wanted in [vec![false], vec![true], vec![false, true]] {
            let mut sizes = [0; 10];
            let rows = classes.iter().zip(&folds).filter(|(class, _)| wanted.contains(class));
            rows.for_each(|(_, &fold)| sizes[fold as usize] += 1);
            assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1, "{sizes:?}");
        }
        assert_ne!(folds, deal(&classes, 10, &mut Random::stream(0, 1)));
    }
}
