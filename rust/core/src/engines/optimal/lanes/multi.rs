//! Tests with a branch for every value.

use pulp::NullaryFnOnce;

use super::{Kind, LANES, Lanes, Mask, Order, class_of, id_of, is_start};

/// The kernel's task: for one order, what its branches cost on each side of every lane's test.
pub(in super::super) struct Multi<'a> {
    pub order: Order<'a>,
    pub masks: &'a [Mask],
    /// By class and answer.
    pub costs: &'a [Vec<i64>],
    /// One a row; absent where all are 1.
    pub weights: Option<&'a [i64]>,
}

/// What the branches of one side cost, and how many have rows.
#[derive(Clone, Copy)]
pub(in super::super) struct Branches {
    pub cost: Lanes<i64>,
    pub number: Lanes<i64>,
}

/// What every answer costs, by side, and whether there are rows.
#[derive(Clone)]
struct Group {
    sums: Vec<[Lanes<i64>; 2]>,
    has_rows: [Lanes<i8>; 2],
}

impl Group {
    fn new(n_answers: usize) -> Self {
        Group { sums: vec![[[0; LANES]; 2]; n_answers], has_rows: [[0; LANES]; 2] }
    }

    #[inline(always)]
    fn add(&mut self, costs: &[i64], weight: i64, mask: &Mask) {
        for (answer, sums) in self.sums.iter_mut().enumerate() {
            let cost = costs[answer] * weight;
            for j in 0..LANES {
                sums[0][j] += i64::from(mask[j]) & cost;
                sums[1][j] += i64::from(!mask[j]) & cost;
            }
        }
        for (j, mask) in mask.iter().enumerate() {
            self.has_rows[0][j] |= mask;
            self.has_rows[1][j] |= !mask;
        }
    }

    /// The least cost of a lane, with what another group adds.
    fn least(&self, side: usize, lane: usize, other: Option<&Group>) -> i64 {
        let with = |(answer, sums): (usize, &[Lanes<i64>; 2])| {
            sums[side][lane] + other.map_or(0, |other| other.sums[answer][side][lane])
        };
        self.sums.iter().enumerate().map(with).min().unwrap_or(0)
    }
}

/// What a side has come to.
struct Tally {
    branches: [Branches; 2],
    /// The least that rows without a value add to one branch.
    added: [Lanes<i64>; 2],
}

impl Tally {
    fn take(&mut self, group: &Group, gaps: Option<&Group>) {
        for side in 0..2 {
            for j in (0..LANES).filter(|&j| group.has_rows[side][j] != 0) {
                let own = group.least(side, j, None);
                self.branches[side].cost[j] += own;
                self.branches[side].number[j] += 1;
                let added = gaps.map_or(0, |gaps| group.least(side, j, Some(gaps)) - own);
                self.added[side][j] = self.added[side][j].min(added);
            }
        }
    }

    fn done(mut self) -> [Branches; 2] {
        for side in 0..2 {
            for j in 0..LANES {
                match self.branches[side].number[j] {
                    0 => self.branches[side].cost[j] = i64::MAX / 4,
                    _ => self.branches[side].cost[j] += self.added[side][j],
                }
            }
        }
        self.branches
    }
}

impl NullaryFnOnce for Multi<'_> {
    type Output = [Branches; 2];

    #[inline(always)]
    fn call(self) -> [Branches; 2] {
        let none = Branches { cost: [0; LANES], number: [0; LANES] };
        let mut tally = Tally { branches: [none; 2], added: [[i64::MAX / 4; LANES]; 2] };
        let (mut group, mut gaps) = (Group::new(self.costs.len()), None);
        let mut is_gap = self.order.kind == Kind::Multiway { has_gaps: true };
        for &e in self.order.entries {
            if is_start(e) {
                let done = std::mem::replace(&mut group, Group::new(self.costs.len()));
                match is_gap {
                    true => (gaps, is_gap) = (Some(done), false),
                    false => tally.take(&done, gaps.as_ref()),
                }
            }
            let weight = self.weights.map_or(1, |weights| weights[id_of(e)]);
            group.add(&self.costs[class_of(e)], weight, &self.masks[id_of(e)]);
        }
        if !is_gap {
            tally.take(&group, gaps.as_ref());
        }
        tally.done()
    }
}
