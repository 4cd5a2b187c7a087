//! A grid over all class distributions, whose cells are simplices.
//!
//! A convex function lies below the plane through its values at the corners of a cell. For two
//! classes the cells are intervals and the planes chords.
//!
//! The distribution y is written as its tail sums z_i = parts · (y_i + … + y_last), a falling sequence;
//! grid points are the falling sequences of whole numbers. The cell of z goes from its rounded-down
//! sequence up by one coordinate at a time, largest fraction first.

use super::space::{Joint, sort_falling};

/// Grid points over distributions of `n_classes` classes, in units of 1 / `parts`.
pub struct Grid {
    n_classes: usize,
    parts: usize,
    /// choose[n][k], as far as numbers of points need it.
    choose: Vec<Vec<u32>>,
}

/// A corner of a cell, and its share of the point in it.
pub type Corner = (u32, f64);

impl Grid {
    /// The finest grid up to `most_parts` with about `most_points` points.
    pub fn new(n_classes: usize, most_parts: usize, most_points: usize) -> Self {
        let tails = n_classes - 1;
        let n_points =
            |parts: usize| (1..=tails).fold(1.0, |points, k| points * (parts + k) as f64 / k as f64);
        let parts = (1..=most_parts).rev().find(|&parts| n_points(parts) <= most_points as f64).unwrap_or(1);
        Grid { n_classes, parts, choose: pascal(parts + tails, tails) }
    }

    pub fn n_points(&self) -> usize {
        let tails = self.n_classes - 1;
        self.choose[self.parts + tails][tails] as usize
    }

    /// Every point, at its number.
    pub fn points<const K: usize>(&self) -> Vec<Joint<K>> {
        let mut points = vec![[0.0; K]; self.n_points()];
        let mut tails = vec![0; self.n_classes - 1];
        loop {
            points[self.number(&tails)] = self.point(&tails);
            // The next falling sequence: raise the last one that can be raised, drop what follows.
            let raisable = |at: &usize| tails[*at] < if *at == 0 { self.parts } else { tails[*at - 1] };
            let Some(at) = (0..tails.len()).rev().find(raisable) else {
                return points;
            };
            tails[at] += 1;
            tails[at + 1..].fill(0);
        }
    }

    fn point<const K: usize>(&self, tails: &[usize]) -> Joint<K> {
        let tail = |class: usize| match class {
            0 => self.parts,
            _ => tails.get(class - 1).copied().unwrap_or(0),
        };
        std::array::from_fn(|class| match class < self.n_classes {
            true => (tail(class) - tail(class + 1)) as f64 / self.parts as f64,
            false => 0.0,
        })
    }

    /// The place of a falling sequence among all of them.
    fn number(&self, tails: &[usize]) -> usize {
        let n = tails.len();
        tails.iter().enumerate().map(|(at, &tail)| self.choose[tail + n - 1 - at][n - at] as usize).sum()
    }

    /// The corners of the cell in which a distribution of sum `sum` > 0 lies, with their shares.
    #[inline]
    pub fn cell<const K: usize>(&self, joint: &Joint<K>, sum: f64, corners: &mut Vec<Corner>) {
        corners.clear();
        if self.n_classes == 2 {
            let z = (joint[1] / sum).min(1.0) * self.parts as f64;
            let low = z as u32;
            let share = z - f64::from(low);
            corners.push((low, 1.0 - share));
            if share > 0.0 {
                corners.push((low + 1, share));
            }
            return;
        }
        self.simplex(joint, sum, corners);
    }

    fn simplex<const K: usize>(&self, joint: &Joint<K>, sum: f64, corners: &mut Vec<Corner>) {
        let n = self.n_classes - 1;
        let (mut whole, mut fractions) = ([0usize; K], [(0.0, 0usize); K]);
        let mut tail = 0.0;
        for at in (0..n).rev() {
            tail += joint[at + 1];
            let z = (tail / sum).min(1.0) * self.parts as f64;
            whole[at] = z as usize;
            fractions[at] = (z - whole[at] as f64, at);
        }
        let fractions = &mut fractions[..n];
        sort_falling(fractions);
        let first = fractions.first().map_or(0.0, |f| f.0);
        corners.push((self.number(&whole[..n]) as u32, 1.0 - first));
        for at in 0..n {
            let (fraction, raised) = fractions[at];
            if fraction == 0.0 {
                return;
            }
            whole[raised] += 1;
            let next = fractions.get(at + 1).map_or(0.0, |f| f.0);
            if fraction > next {
                corners.push((self.number(&whole[..n]) as u32, fraction - next));
            }
        }
    }
}

/// Pascal's triangle down to row `n`, columns up to `k`; larger entries than fit stand at the maximum.
fn pascal(n: usize, k: usize) -> Vec<Vec<u32>> {
    let mut rows = vec![vec![0u32; k + 1]; n + 1];
    for row in 0..=n {
        rows[row][0] = 1;
        for column in 1..=k.min(row) {
            rows[row][column] = rows[row - 1][column - 1].saturating_add(rows[row - 1][column]);
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_the_mean_of_the_corners_of_its_cell() {
        for n_classes in 2..=5 {
            let grid = Grid::new(n_classes, 8, 200);
            let points = grid.points::<5>();
            let mut state = 1u64;
            let mut random = || {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (state >> 40) as f64
            };
            for _ in 0..500 {
                let joint: Joint<5> =
                    std::array::from_fn(|c| if c < n_classes { (random() % 7.0) * random() } else { 0.0 });
                let sum: f64 = joint.iter().sum();
                if sum == 0.0 {
                    continue;
                }
                let mut corners = Vec::new();
                grid.cell(&joint, sum, &mut corners);
                assert!((corners.iter().map(|c| c.1).sum::<f64>() - 1.0).abs() < 1e-12);
                for class in 0..5 {
                    let mean: f64 = corners.iter().map(|&(at, w)| w * points[at as usize][class]).sum();
                    assert!((mean - joint[class] / sum).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn every_point_has_its_own_number() {
        for n_classes in 1..=6 {
            let grid = Grid::new(n_classes, 5, 300);
            let mut points = grid.points::<6>();
            points.iter().for_each(|p| assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12));
            points.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
            points.dedup();
            assert_eq!(points.len(), grid.n_points());
        }
    }
}
