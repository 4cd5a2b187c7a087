//! Depth 2 with leaves of a least weight, in batches of 32 tests.
//!
//! Fewer rows may cost more here, as a leaf may fall below the limit. But more rows still add at most themselves: a
//! leaf only grows by them. So for a < k < b, with C what the parts cost with such leaves:
//! C(left of k) >= C(left of b) - (pos(b) - pos(k)), C(right of k) >= C(right of a) - (pos(k) - pos(a)).
//! That is bound D. An interval holds of its ends what these need, and of the other sides what any tree costs: so
//! bounds A to C hold, too, if they say little.

use super::bottom::{Stopped, shared_out};
use super::bounds::{End, Interval};
use super::cuts::Cuts;
use super::desk::{Asked, View};
use super::front::{Front, families};
use super::lanes::{Cond, Kind, LANES, id_of};
use super::part::Part;
use super::plan::Plan;
use super::rules::Rules;
use super::solve::{Ask, Solved, Solver};

/// A set at depth 2.
struct Search<'a> {
    part: &'a Part,
    view: View<'a>,
    /// Whether the sides have a test of their own.
    families: Vec<[bool; 2]>,
    cuts: Vec<Cuts>,
    /// By axis, what the rows left of every test weigh in a leaf.
    masses: Vec<Vec<u64>>,
    open: Vec<Interval>,
    best: i64,
    plan: Option<Plan>,
}

impl Rules {
    /// Whether tests go by the batch where leaves have a least weight.
    pub fn goes_by_batches(&self) -> bool {
        self.is_plain() && !self.kinds.iter().any(|kind| matches!(kind, Kind::Multiway { .. }))
    }
}

impl Solver<'_> {
    /// The least cost of a set of which a tree is known, or a cut-off; at depth 1 it costs `one` at least.
    pub fn two_limited(
        &mut self,
        part: &Part,
        ask: Ask,
        one: i64,
        (best, plan): (i64, Option<Plan>),
    ) -> Solved {
        let rules = self.rules;
        let families: Vec<[bool; 2]> =
            families(2, ask.leaves).iter().map(|&(left, right)| [left > 1, right > 1]).collect();
        let leaf = rules.leaf(&part.totals);
        let cost = |is_stump| if is_stump { one } else { leaf };
        let whole: Vec<(i64, i64)> =
            families.iter().map(|family| (cost(family[0]), cost(family[1]))).collect();
        let lent = self.lend_cuts();
        let front = Front::open(part, rules, &whole, true, lent);
        let axes = rules.live_axes(part);
        let mut masses = vec![Vec::new(); part.axes.len()];
        axes.iter().for_each(|&axis| masses[axis] = masses_left(part, axis, &front.cuts[axis]));
        let view = View::new(part, &axes, rules, &mut self.desk);
        let (open, cuts) = (front.queue.into(), front.cuts);
        let mut search = Search { part, view, families, cuts, masses, open, best, plan };
        search.drop_small(rules);
        search.close(rules);
        while !search.open.is_empty() && search.best > ask.known {
            if let Err(status) = self.checkpoint() {
                let bound = search.open.iter().map(|interval| interval.bound(true)).min();
                let bound = bound.unwrap_or(search.best).max(ask.known).min(search.best);
                self.stopped = Some(Stopped { best: search.best, plan: search.plan, bound });
                return Err(status);
            }
            self.batch_limited(&mut search);
        }
        self.give_back(search.cuts);
        Ok((search.best, search.plan))
    }

    /// Evaluates up to 32 tests of the intervals with the lowest bounds.
    fn batch_limited(&mut self, search: &mut Search<'_>) {
        let rules = self.rules;
        if search.open.len() > LANES {
            search.open.sort_by_key(|interval| std::cmp::Reverse(interval.bound(true)));
        }
        let n_open = search.open.len();
        let picked: Vec<Interval> = search.open.drain(n_open - n_open.min(LANES)..).collect();
        let lanes = shared_out(&picked);
        let mut asked = Vec::with_capacity(lanes.len());
        let (mut mass_left, mut weights) = ([0; LANES], vec![0; search.part.totals.len()]);
        self.desk.left.clear();
        self.desk.left.resize(weights.len(), [0; LANES]);
        for (j, &(i, test)) in lanes.iter().enumerate() {
            let axis = picked[i].axis;
            weights.fill(0);
            search.cuts[axis].left_weights(search.part, axis, test, &mut weights);
            self.desk.left.iter_mut().zip(&weights).for_each(|(left, &weight)| left[j] = weight);
            asked.push(Asked { axis, cond: search.cuts[axis].cond(test) });
            mass_left[j] = search.masses[axis][test] as i64;
        }
        let values = search.view.values_limited(&mut self.desk, &asked, &mass_left);
        let mut rests: Vec<Option<Interval>> = picked.iter().copied().map(Some).collect();
        for (j, &(i, test)) in lanes.iter().enumerate() {
            let family = search.families[picked[i].family];
            let cost = |side: usize| if family[side] { values.stump[side][j] } else { values.leaf[side][j] };
            let ends = [cost(0), cost(1)];
            if ends[0] + ends[1] < search.best {
                let [left, right] = family.map(|is_stump| if is_stump { Plan::Stump } else { Plan::Leaf });
                search.best = ends[0] + ends[1];
                search.plan = Some(Plan::split(picked[i].axis, asked[j].cond, left, right));
            }
            if let Some(rest) = rests[i].take() {
                let pos = search.cuts[rest.axis].pos[test];
                let (left, right) = halves(rest, test, pos, ends, rules.price.leaf);
                search.open.extend(left);
                rests[i] = right;
            }
        }
        search.open.extend(rests.into_iter().flatten());
        search.close(rules);
    }
}

/// What is left and right of a test whose sides cost so much.
fn halves(
    interval: Interval,
    test: usize,
    pos: i64,
    [left, right]: [i64; 2],
    any: i64,
) -> (Option<Interval>, Option<Interval>) {
    let below = Interval { b: End { pos, left, right: any }, high: test.wrapping_sub(1), ..interval };
    let above = Interval { a: End { pos, left: any, right }, low: test + 1, ..interval };
    ((test > interval.low).then_some(below), (test < interval.high).then_some(above))
}

impl Search<'_> {
    /// Leaves out tests that send too little to a side.
    fn drop_small(&mut self, rules: &Rules) {
        let (all, least) = (self.part.mass(), rules.min_leaf);
        let masses = &self.masses;
        self.open.retain_mut(|interval| {
            let is_small = |test: usize| {
                let left = masses[interval.axis][test];
                left < least || all - left < least
            };
            while interval.low < interval.high && is_small(interval.low) {
                interval.low += 1;
            }
            while interval.low < interval.high && is_small(interval.high) {
                interval.high -= 1;
            }
            interval.low <= interval.high && !is_small(interval.low)
        });
    }

    /// Drops what cannot be better than the best.
    fn close(&mut self, rules: &Rules) {
        let (cuts, best) = (&self.cuts, self.best);
        self.open.retain_mut(|interval| interval.trim(&cuts[interval.axis].pos, best, rules.adds_at_most));
    }
}

/// What the rows left of every test of an axis weigh in a leaf.
fn masses_left(part: &Part, axis: usize, cuts: &Cuts) -> Vec<u64> {
    if !cuts.is_ordered() {
        let codes = part.codes(axis);
        let of = |cond: Cond| (0..part.n).filter(|&id| cond.holds(codes[id])).map(|id| part.masses[id]).sum();
        return (0..cuts.len()).map(|test| of(cuts.cond(test))).collect();
    }
    let (mut masses, mut sum) = (Vec::with_capacity(cuts.len()), 0);
    for &e in part.order(axis, Kind::Between).entries {
        if super::lanes::is_start(e) {
            masses.push(sum);
        }
        sum += part.masses[id_of(e)];
    }
    masses
}
