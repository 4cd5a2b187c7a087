//! Depth 2, in batches of 32 tests: the kernels say what the sides of every test cost at depth 1.
//!
//! All axes start as one interval each. While some are open, the 32 lowest by their bound share the lanes evenly;
//! what the lanes say closes intervals or cuts them up.

use super::bounds::{End, Interval};
use super::cuts::Cuts;
use super::desk::{Asked, Values, View};
use super::front::{Front, families};
use super::lanes::{Cond, Kind, LANES};
use super::part::Part;
use super::plan::Plan;
use super::rules::{ANY, Rules};
use super::solve::{Ask, NO_CUTOFF, Solved, Solver};

/// What was known of a set when its search ended early.
pub(super) struct Stopped {
    pub best: i64,
    pub plan: Option<Plan>,
    pub bound: i64,
}

/// A lane: which interval, and which test of it.
pub(super) type Lane = (usize, usize);

impl Solver<'_> {
    /// The cost of a set at depth 1.
    pub fn stump(&mut self, part: &Part) -> i64 {
        let view = View::new(part, &self.rules.live_axes(part), self.rules, &mut self.desk);
        let cost = view.stump(&mut self.desk);
        view.give_back(&mut self.desk);
        cost
    }

    /// The cost of a set at depth 2.
    pub fn solve_two(&mut self, part: &Part, ask: Ask) -> Solved {
        let (mut best, mut plan, is_done) = self.as_leaf(part, ask);
        if is_done {
            return Ok((best, plan));
        }
        let axes = self.rules.live_axes(part);
        let view = View::new(part, &axes, self.rules, &mut self.desk);
        let one = view.stump(&mut self.desk);
        if one < best {
            (best, plan) = (one, Some(Plan::Stump));
        }
        let least = ask.known.max(2 * self.rules.price.leaf);
        if best <= least {
            view.give_back(&mut self.desk);
            return Ok((best, plan));
        }
        self.n_sets += 1;
        let leaf = self.rules.leaf(&part.totals);
        let families: Vec<[bool; 2]> =
            families(2, ask.leaves).iter().map(|&(left, right)| [left > 1, right > 1]).collect();
        let cost = |is_stump| if is_stump { one } else { leaf };
        let whole: Vec<(i64, i64)> =
            families.iter().map(|family| (cost(family[0]), cost(family[1]))).collect();
        let lent = self.lend_cuts();
        let front = Front::open(part, self.rules, &whole, true, lent);
        let mut open: Vec<Interval> = front.queue.into();
        let search = Search { part, view, families, cuts: front.cuts };
        let mut found = Found { best, plan };
        if ask.leaves == ANY {
            for axis in axes {
                self.try_multiway_root(&search, axis, &mut found);
            }
        }
        open.retain_mut(|interval| search.keeps(interval, found.best, self.rules));
        while !open.is_empty() && found.best > least {
            if let Err(status) = self.checkpoint() {
                let bound = open.iter().map(|interval| interval.bound(self.rules.adds_at_most)).min();
                let bound = bound.unwrap_or(found.best).min(found.best);
                self.stopped = Some(Stopped { best: found.best, plan: found.plan, bound });
                return Err(status);
            }
            self.batch(&search, &mut open, &mut found);
        }
        self.give_back(search.cuts);
        search.view.give_back(&mut self.desk);
        Ok((found.best, found.plan))
    }

    /// Evaluates up to 32 tests of the intervals with the lowest bounds.
    fn batch(&mut self, search: &Search<'_>, open: &mut Vec<Interval>, found: &mut Found) {
        let rules = self.rules;
        if open.len() > LANES {
            open.sort_by_key(|interval| std::cmp::Reverse(interval.bound(rules.adds_at_most)));
        }
        let picked: Vec<Interval> = open.drain(open.len() - open.len().min(LANES)..).collect();
        let lanes = shared_out(&picked);
        let (asked, pos) = self.asked(search, &picked, &lanes);
        let values = search.view.values(&mut self.desk, &asked);
        let mut ends = Vec::with_capacity(lanes.len());
        for (j, &(i, test)) in lanes.iter().enumerate() {
            let end = search.end(&values, j, pos[j], picked[i].family);
            if end.left + end.right < found.best {
                found.best = end.left + end.right;
                let sides = search.families[picked[i].family]
                    .map(|is_stump| if is_stump { Plan::Stump } else { Plan::Leaf });
                let [left, right] = sides;
                let cond = search.cuts[picked[i].axis].cond(test);
                found.plan = Some(Plan::split(picked[i].axis, cond, left, right));
            }
            ends.push(end);
        }
        let mut j = 0;
        for (i, &interval) in picked.iter().enumerate() {
            let mut rest = Some(interval);
            while j < lanes.len() && lanes[j].0 == i {
                let (test, end) = (lanes[j].1, ends[j]);
                let Some(now) = rest.take() else { break };
                for half in now.halves(test, end) {
                    match half.low > test {
                        true => rest = Some(half),
                        false => open.push(half),
                    }
                }
                j += 1;
            }
            open.extend(rest);
        }
        // The best cost may have fallen since they were opened.
        open.retain_mut(|interval| search.keeps(interval, found.best, rules));
    }

    /// The tests of the lanes, and their positions; the desk has the weights on their left.
    fn asked(&mut self, search: &Search<'_>, picked: &[Interval], lanes: &[Lane]) -> (Vec<Asked>, Vec<i64>) {
        let left = &mut self.desk.left;
        left.clear();
        left.resize(search.part.totals.len(), [0; LANES]);
        let mut weights = vec![0; left.len()];
        let (mut asked, mut pos) = (Vec::with_capacity(lanes.len()), Vec::with_capacity(lanes.len()));
        for (j, &(i, test)) in lanes.iter().enumerate() {
            let axis = picked[i].axis;
            let cuts = &search.cuts[axis];
            weights.fill(0);
            cuts.left_weights(search.part, axis, test, &mut weights);
            left.iter_mut().zip(&weights).for_each(|(left, &weight)| left[j] = weight);
            asked.push(Asked { axis, cond: cuts.cond(test) });
            pos.push(cuts.pos[test]);
        }
        (asked, pos)
    }

    /// Tries a branch for every value at the root: its parts are the left sides of lanes.
    fn try_multiway_root(&mut self, search: &Search<'_>, axis: usize, found: &mut Found) {
        let Kind::Multiway { has_gaps } = self.rules.kind_in(search.part, axis) else { return };
        let mut values: Vec<u32> = search.part.codes(axis).to_vec();
        values.sort_unstable();
        values.dedup();
        let values = &values[usize::from(has_gaps)..];
        let own = self.left_stumps(search, axis, values.iter().map(|&value| Cond::Is(value)));
        let sum: i64 = own.iter().sum();
        let (mut gaps, mut cost) = (None, sum);
        if has_gaps {
            cost = NO_CUTOFF;
            let both = self.left_stumps(search, axis, values.iter().map(|&value| Cond::IsOrFirst(value)));
            for ((&value, own), both) in values.iter().zip(&own).zip(both) {
                if sum - own + both < cost {
                    (cost, gaps) = (sum - own + both, Some(value));
                }
            }
        }
        if cost < found.best {
            let branches = values.iter().map(|&value| (value, Plan::Stump)).collect();
            (found.best, found.plan) = (cost, Some(Plan::Multi { axis, gaps, branches }));
        }
    }

    /// What the left sides of tests cost at depth 1.
    fn left_stumps(
        &mut self,
        search: &Search<'_>,
        axis: usize,
        conds: impl Iterator<Item = Cond>,
    ) -> Vec<i64> {
        let (part, conds) = (search.part, conds.collect::<Vec<_>>());
        let mut costs = Vec::with_capacity(conds.len());
        for conds in conds.chunks(LANES) {
            let left = &mut self.desk.left;
            left.clear();
            left.resize(part.totals.len(), [0; LANES]);
            for (id, &code) in part.codes(axis).iter().enumerate() {
                for (j, _) in conds.iter().enumerate().filter(|(_, cond)| cond.holds(code)) {
                    left[usize::from(part.classes[id])][j] += part.weight(id);
                }
            }
            let asked: Vec<Asked> = conds.iter().map(|&cond| Asked { axis, cond }).collect();
            let values = search.view.values(&mut self.desk, &asked);
            costs.extend_from_slice(&values.stump[0][..conds.len()]);
        }
        costs
    }
}

/// A set at depth 2.
struct Search<'a> {
    part: &'a Part,
    view: View<'a>,
    /// Whether the sides have a test of their own.
    families: Vec<[bool; 2]>,
    cuts: Vec<Cuts>,
}

/// The best so far.
struct Found {
    best: i64,
    plan: Option<Plan>,
}

impl Search<'_> {
    fn keeps(&self, interval: &mut Interval, best: i64, rules: &Rules) -> bool {
        interval.trim(&self.cuts[interval.axis].pos, best, rules.adds_at_most)
    }

    fn end(&self, values: &Values, lane: usize, pos: i64, family: usize) -> End {
        let cost = |side: usize| match self.families[family][side] {
            true => values.stump[side][lane],
            false => values.leaf[side][lane],
        };
        End { pos, left: cost(0), right: cost(1) }
    }
}

/// Shares the lanes out evenly, and spreads those of an interval evenly over its tests.
pub(super) fn shared_out(picked: &[Interval]) -> Vec<Lane> {
    let mut lanes = Vec::with_capacity(LANES);
    for (i, interval) in picked.iter().enumerate() {
        let share = LANES / picked.len() + usize::from(i < LANES % picked.len());
        let n_tests = interval.high - interval.low + 1;
        let n = share.min(n_tests);
        lanes.extend((0..n).map(|q| (i, interval.low + (2 * q + 1) * n_tests / (2 * n))));
    }
    lanes
}
