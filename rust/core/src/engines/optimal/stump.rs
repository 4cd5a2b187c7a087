//! The best single test of a set, one test after the other: the last level of a finished tree, and the judge of the
//! kernels.

use super::lanes::{Cond, Kind, class_of, id_of, is_start};
use super::part::Part;
use super::plan::Plan;
use super::rules::Rules;

/// The best tree of depth 1, and its test if it has one.
pub(super) struct Stump {
    pub cost: i64,
    pub plan: Plan,
}

/// The best tree of depth 1, the first of equal ones: a leaf, then tests in the order of axes and codes.
pub(super) fn best_stump(part: &Part, rules: &Rules) -> Stump {
    let mut stump = Stump { cost: rules.leaf(&part.totals), plan: Plan::Leaf };
    for axis in rules.live_axes(part) {
        match rules.kind_in(part, axis) {
            Kind::Between => stump.try_cuts(part, axis, rules),
            Kind::Each => stump.try_groups(part, axis, rules, false),
            Kind::EachWithFirst => stump.try_groups(part, axis, rules, true),
            Kind::Multiway { has_gaps } => stump.try_branches(part, axis, rules, has_gaps),
        }
    }
    stump
}

/// Weights by class, and what they weigh in a leaf.
#[derive(Clone, Default)]
struct Tally {
    weights: Vec<i64>,
    mass: u64,
}

impl Tally {
    fn new(n_classes: usize) -> Self {
        Tally { weights: vec![0; n_classes], mass: 0 }
    }

    fn add(&mut self, part: &Part, e: u32) {
        self.weights[class_of(e)] += part.weight(id_of(e));
        self.mass += part.masses.get(id_of(e)).copied().unwrap_or(0);
    }

    fn with(&self, other: &Tally) -> Tally {
        let weights = self.weights.iter().zip(&other.weights).map(|(a, b)| a + b).collect();
        Tally { weights, mass: self.mass + other.mass }
    }
}

impl Stump {
    /// Tries a test with these rows on its left.
    fn try_left(&mut self, part: &Part, rules: &Rules, left: &Tally, all: u64, at: (usize, Cond)) {
        if left.mass < rules.min_leaf || all - left.mass < rules.min_leaf {
            return;
        }
        let right: Vec<i64> = part.totals.iter().zip(&left.weights).map(|(all, left)| all - left).collect();
        let cost = rules.leaf(&left.weights) + rules.leaf(&right);
        if cost < self.cost {
            *self = Stump { cost, plan: Plan::split(at.0, at.1, Plan::Leaf, Plan::Leaf) };
        }
    }

    fn try_cuts(&mut self, part: &Part, axis: usize, rules: &Rules) {
        let (mut left, all, codes) = (Tally::new(part.totals.len()), part.mass(), part.codes(axis));
        for &e in part.order(axis, Kind::Between).entries {
            if is_start(e) {
                self.try_left(part, rules, &left, all, (axis, Cond::Below(codes[id_of(e)])));
            }
            left.add(part, e);
        }
    }

    fn try_groups(&mut self, part: &Part, axis: usize, rules: &Rules, with_first: bool) {
        let (groups, all) = (groups(part, axis), part.mass());
        let first = if with_first { groups[0].1.clone() } else { Tally::new(part.totals.len()) };
        for (code, group) in groups.iter().skip(usize::from(with_first)) {
            let cond = if with_first { Cond::IsOrFirst(*code) } else { Cond::Is(*code) };
            self.try_left(part, rules, &group.with(&first), all, (axis, cond));
        }
    }

    fn try_branches(&mut self, part: &Part, axis: usize, rules: &Rules, has_gaps: bool) {
        let groups = groups(part, axis);
        let (gaps, groups) = groups.split_at(usize::from(has_gaps));
        let is_small = |tally: &Tally| tally.mass < rules.min_leaf;
        let n_small = groups.iter().filter(|(_, group)| is_small(group)).count();
        let sum: i64 = groups.iter().map(|(_, group)| rules.leaf(&group.weights)).sum();
        let mut offers: Vec<(i64, Option<u32>)> = Vec::new();
        if let [(_, gaps)] = gaps {
            for (code, group) in groups {
                let both = group.with(gaps);
                if n_small == 0 || (n_small == 1 && is_small(group) && !is_small(&both)) {
                    offers.push((sum - rules.leaf(&group.weights) + rules.leaf(&both.weights), Some(*code)));
                }
            }
        } else if n_small == 0 {
            offers.push((sum, None));
        }
        for (cost, gaps) in offers.into_iter().filter(|_| !groups.is_empty()) {
            if cost < self.cost {
                let branches = groups.iter().map(|(code, _)| (*code, Plan::Leaf)).collect();
                *self = Stump { cost, plan: Plan::Multi { axis, gaps, branches } };
            }
        }
    }
}

/// The groups of an axis by their codes.
fn groups(part: &Part, axis: usize) -> Vec<(u32, Tally)> {
    let (mut groups, codes): (Vec<(u32, Tally)>, _) = (Vec::new(), part.codes(axis));
    for (i, &e) in part.entries(axis).iter().enumerate() {
        if i == 0 || is_start(e) {
            groups.push((codes[id_of(e)], Tally::new(part.totals.len())));
        }
        groups.last_mut().expect("the first entry opens a group").1.add(part, e);
    }
    groups
}

/// The plan with the last level filled in.
pub(super) fn completed(plan: &Plan, part: &Part, rules: &Rules) -> Plan {
    let side = |axis: usize, cond: Cond, side: usize| {
        let (mut sides, mut new_ids) = ([Part::room(part), Part::room(part)], Vec::new());
        part.split(axis, cond, &mut sides, &mut new_ids);
        let [left, right] = sides;
        let mut side = if side == 0 { left } else { right };
        rules.drop_out_twins(&mut side);
        side
    };
    match plan {
        Plan::Leaf => Plan::Leaf,
        Plan::Stump => best_stump(part, rules).plan,
        Plan::Split { axis, cond, sides } => {
            let [left, right] = [0, 1].map(|i| completed(&sides[i], &side(*axis, *cond, i), rules));
            Plan::split(*axis, *cond, left, right)
        }
        Plan::Multi { axis, gaps, branches } => {
            let branch = |(code, plan): &(u32, Plan)| {
                let cond = if *gaps == Some(*code) { Cond::IsOrFirst(*code) } else { Cond::Is(*code) };
                (*code, completed(plan, &side(*axis, cond, 0), rules))
            };
            Plan::Multi { axis: *axis, gaps: *gaps, branches: branches.iter().map(branch).collect() }
        }
    }
}
