//! Costs of wrong answers: what every answer costs on both sides of every cut.

use pulp::NullaryFnOnce;

use super::{Kind, LANES, Lanes, Mask, Order, class_of, id_of, is_start};

/// The kernel's task; it answers with the least costs of one test, left and right.
pub(in super::super) struct Costs<'a> {
    pub orders: &'a [Order<'a>],
    pub masks: &'a [Mask],
    /// By class and answer.
    pub costs: &'a [Vec<i64>],
    /// By class, the weight left of every lane's test.
    pub left: &'a [Lanes<i64>],
    /// By class, the weight of all rows.
    pub total: &'a [i64],
    /// One a row; absent where all are 1.
    pub weights: Option<&'a [i64]>,
}

/// What every answer costs, for rows on the left of every lane's test and for all rows.
#[derive(Clone)]
struct Sums {
    left: Vec<Lanes<i64>>,
    all: Vec<i64>,
}

impl Sums {
    fn new(n_answers: usize) -> Self {
        Sums { left: vec![[0; LANES]; n_answers], all: vec![0; n_answers] }
    }

    #[inline(always)]
    fn add(&mut self, costs: &[i64], weight: i64, mask: &Mask) {
        let all = &mut self.all[..costs.len()];
        for (answer, left) in self.left[..costs.len()].iter_mut().enumerate() {
            let cost = costs[answer] * weight;
            all[answer] += cost;
            for j in 0..LANES {
                left[j] += i64::from(mask[j]) & cost;
            }
        }
    }

    /// The least cost of each side.
    #[inline(always)]
    fn least(&self) -> [Lanes<i64>; 2] {
        let mut least = [[i64::MAX; LANES]; 2];
        for (answer, left) in self.left.iter().enumerate() {
            for j in 0..LANES {
                least[0][j] = least[0][j].min(left[j]);
                least[1][j] = least[1][j].min(self.all[answer] - left[j]);
            }
        }
        least
    }

    fn less(&self, other: &Sums) -> Sums {
        let lanes = |(a, b): (&Lanes<i64>, &Lanes<i64>)| std::array::from_fn(|j| a[j] - b[j]);
        Sums {
            left: self.left.iter().zip(&other.left).map(lanes).collect(),
            all: self.all.iter().zip(&other.all).map(|(a, b)| a - b).collect(),
        }
    }
}

impl Costs<'_> {
    fn whole(&self) -> Sums {
        let mut whole = Sums::new(self.costs.len());
        for (class, costs) in self.costs.iter().enumerate() {
            for (answer, &cost) in costs.iter().enumerate() {
                whole.all[answer] += cost * self.total[class];
                for j in 0..LANES {
                    whole.left[answer][j] += cost * self.left[class][j];
                }
            }
        }
        whole
    }

    #[inline(always)]
    fn add(&self, sums: &mut Sums, e: u32) {
        let weight = self.weights.map_or(1, |weights| weights[id_of(e)]);
        sums.add(&self.costs[class_of(e)], weight, &self.masks[id_of(e)]);
    }

    fn over(&self, order: Order<'_>, whole: &Sums, best: &mut [Lanes<i64>; 2]) {
        let (empty, mut sums) = (Sums::new(self.costs.len()), Sums::new(self.costs.len()));
        let (mut start, mut is_first) = (empty, order.kind == Kind::EachWithFirst);
        for &e in order.entries {
            if is_start(e) {
                match is_first {
                    true => (start, is_first) = (sums.clone(), false),
                    false => take_least(&sums, whole, best),
                }
                if order.kind != Kind::Between {
                    sums.clone_from(&start);
                }
            }
            self.add(&mut sums, e);
        }
        if !is_first && order.kind != Kind::Between {
            take_least(&sums, whole, best);
        }
    }
}

fn take_least(sums: &Sums, whole: &Sums, best: &mut [Lanes<i64>; 2]) {
    let (before, behind) = (sums.least(), whole.less(sums).least());
    for side in 0..2 {
        for j in 0..LANES {
            best[side][j] = best[side][j].min(before[side][j] + behind[side][j]);
        }
    }
}

impl NullaryFnOnce for Costs<'_> {
    type Output = [Lanes<i64>; 2];

    #[inline(always)]
    fn call(self) -> [Lanes<i64>; 2] {
        let whole = self.whole();
        let mut best = whole.least();
        for order in self.orders.iter().filter(|order| !matches!(order.kind, Kind::Multiway { .. })) {
            self.over(*order, &whole, &mut best);
        }
        best
    }
}
