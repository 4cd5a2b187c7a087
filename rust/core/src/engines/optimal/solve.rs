//! The least cost of a set of rows at a depth, by intervals of tests.
//!
//! ```text
//! solve(S, d, cut-off):                        # the value, and a plan if it is below the cut-off
//!     best = min(cut-off, S as a leaf, solve(S, d - 1))
//!     for every axis: open the interval of all its tests
//!     while an interval is open whose bound is below best:
//!         k = its middle test; L(k), R(k) = solve(sides of k, d - 1, cut-offs of the far ends)
//!         best = min(best, L(k) + R(k)); open both halves
//! ```
//!
//! The cut-offs are those of the far end: L(k) >= best - R(b) ends not only k but all tests up to b, and smaller
//! values are exact, which later bounds need.

use super::bits::{BitWork, Bits};
use super::bottom::Stopped;
use super::bounds::{End, Interval};
use super::cuts::Cuts;
use super::desk::Desk;
use super::front::{Family, Front, families, in_effect};
use super::lanes::{Cond, Kind};
use super::part::Part;
use super::plan::Plan;
use super::rules::{ANY, Rules};
use crate::base::control::Control;
use crate::base::outcome::Status;

/// More than any tree costs.
pub(super) const NO_CUTOFF: i64 = i64::MAX / 4;

/// What is asked of a set.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ask {
    pub depth: u32,
    pub leaves: u32,
    /// Only costs below this matter.
    pub cutoff: i64,
    /// No tree costs less than this.
    pub known: i64,
}

/// The cost and a plan, or the cut-off and none.
pub(super) type Solved = Result<(i64, Option<Plan>), Status>;

/// What one thread works with.
pub(super) struct Solver<'a> {
    pub rules: &'a Rules,
    pub control: &'a Control,
    rooms: Vec<[Part; 2]>,
    lists: Vec<Vec<Cuts>>,
    new_ids: Vec<u32>,
    bits: Option<Box<dyn BitWork + 'a>>,
    pub desk: Desk,
    /// Sets that were searched.
    pub n_sets: u64,
    /// Sets that may be searched.
    pub most_sets: u64,
    /// Where the search of the last set ended, if that says something of its cost.
    pub stopped: Option<Stopped>,
}

impl<'a> Solver<'a> {
    pub fn new(rules: &'a Rules, control: &'a Control) -> Self {
        Solver {
            rules,
            control,
            rooms: Vec::new(),
            lists: Vec::new(),
            new_ids: Vec::new(),
            bits: None,
            desk: Desk::default(),
            n_sets: 0,
            most_sets: u64::MAX,
            stopped: None,
        }
    }

    /// Ends the work where it is to end.
    pub fn checkpoint(&self) -> Result<(), Status> {
        if self.n_sets > self.most_sets {
            return Err(Status::NodeLimit);
        }
        self.control.checkpoint()
    }

    /// Bytes held on the heap.
    pub fn bytes(&self) -> u64 {
        let rooms: usize = self.rooms.iter().flatten().map(Part::bytes).sum();
        let lists: usize = self.lists.iter().flatten().map(Cuts::bytes).sum();
        (rooms + lists + 4 * self.new_ids.capacity() + self.desk.bytes()) as u64
    }

    pub fn lend_cuts(&mut self) -> Vec<Cuts> {
        self.lists.pop().unwrap_or_default()
    }

    pub fn give_back(&mut self, cuts: Vec<Cuts>) {
        self.lists.push(cuts);
    }

    /// The least cost of a set.
    pub fn solve(&mut self, part: &Part, ask: Ask) -> Solved {
        let (depth, leaves) = in_effect(ask.depth, ask.leaves);
        let ask = Ask { depth, leaves, ..ask };
        match depth {
            0 => Ok(below(self.rules.leaf(&part.totals), Plan::Leaf, ask.cutoff)),
            1 => {
                let leaf = self.rules.leaf(&part.totals);
                if leaf <= 2 * self.rules.price.leaf || ask.cutoff <= ask.known {
                    return Ok(below(leaf, Plan::Leaf, ask.cutoff));
                }
                Ok(below(self.stump(part), Plan::Stump, ask.cutoff))
            }
            2 => match self.rules.bits_of(part) {
                Some(bits) => self.two_by_bits(bits, part, ask),
                None => self.solve_two(part, ask),
            },
            _ => self.solve_above(part, ask),
        }
    }

    /// What a set costs as a leaf, and whether nothing below the cut-off is better.
    pub fn as_leaf(&self, part: &Part, ask: Ask) -> (i64, Option<Plan>, bool) {
        let (best, plan) = below(self.rules.leaf(&part.totals), Plan::Leaf, ask.cutoff);
        let is_done = best <= ask.known.max(2 * self.rules.price.leaf);
        (best, plan, is_done)
    }

    fn solve_above(&mut self, part: &Part, ask: Ask) -> Solved {
        let (mut best, mut plan, is_done) = self.as_leaf(part, ask);
        if is_done {
            return Ok((best, plan));
        }
        self.n_sets += 1;
        let least = ask.known.max(2 * self.rules.price.leaf);
        let families = families(ask.depth, ask.leaves);
        let whole = self.whole(part, ask, &families, &mut best, &mut plan);
        let whole = whole.map_err(|status| self.ended_early(status))?;
        if best <= least {
            return Ok((best, plan));
        }
        let tried = self.try_all_multi(part, ask.depth, &mut best, &mut plan);
        tried.map_err(|status| self.ended_early(status))?;
        let lent = self.lend_cuts();
        let mut front = Front::open(part, self.rules, &whole, false, lent);
        while let Some(interval) = front.next(best, self.rules) {
            if best <= least {
                break;
            }
            let test = (interval.low + interval.high) / 2;
            let (pos, cond) = (front.cuts[interval.axis].pos[test], front.cuts[interval.axis].cond(test));
            let (at, family) = (Split { pos, cond }, families[interval.family]);
            let looked =
                self.checkpoint().and_then(|()| self.sides_of(part, interval, at, ask.depth, family, best));
            let sides = match looked {
                Ok(sides) => sides,
                Err(status) => {
                    let open = front.bound(self.rules).min(interval.bound(self.rules.adds_at_most));
                    self.stopped = Some(Stopped { best, plan, bound: open.min(best) });
                    return Err(status);
                }
            };
            let end = sides.end;
            if end.left + end.right < best {
                best = end.left + end.right;
                plan = sides.plan(interval.axis, cond);
            }
            front.halve(interval, test, end);
        }
        self.give_back(front.cuts);
        Ok((best, plan))
    }

    /// Ends the search of a set before anything is known of it.
    fn ended_early(&mut self, status: Status) -> Status {
        self.stopped = None;
        status
    }

    /// What the whole set costs one level lower, with the leaves of either side of every family.
    pub fn whole(
        &mut self,
        part: &Part,
        ask: Ask,
        families: &[Family],
        best: &mut i64,
        plan: &mut Option<Plan>,
    ) -> Result<Vec<(i64, i64)>, Status> {
        let mut known: Vec<(u32, i64)> = Vec::new();
        for leaves in families.iter().flat_map(|&(left, right)| [left, right]) {
            if known.iter().any(|&(of, _)| of == leaves) {
                continue;
            }
            let lower = Ask { depth: ask.depth - 1, leaves, cutoff: NO_CUTOFF, known: 0 };
            let (value, found) = self.solve(part, lower)?;
            known.push((leaves, value));
            if value < *best {
                (*best, *plan) = (value, found);
            }
        }
        let of = |leaves| known.iter().find(|&&(of, _)| of == leaves).expect("it was just solved").1;
        Ok(families.iter().map(|&(left, right)| (of(left), of(right))).collect())
    }

    /// Splits a set at a test and solves both sides as far as matters.
    pub fn sides_of(
        &mut self,
        part: &Part,
        interval: Interval,
        at: Split,
        depth: u32,
        family: Family,
        best: i64,
    ) -> Result<Sides, Status> {
        if let Some(bits) = self.rules.bits_of(part) {
            return self.by_bits(bits, interval, at, depth, best);
        }
        let sides = self.split(part, interval.axis, at.cond);
        let solved = self.solve_sides(&sides, interval, at.pos, depth, family, best);
        self.rooms.push(sides);
        solved
    }

    /// The cost of the whole set at depth 2, where it is taken as bits.
    fn two_by_bits(&mut self, bits: &dyn Bits, part: &Part, ask: Ask) -> Solved {
        let (best, plan, is_done) = self.as_leaf(part, ask);
        if is_done {
            return Ok((best, plan));
        }
        self.checkpoint()?;
        let mut work = bits.work(self.control);
        let solved = work.two(ask.cutoff);
        self.n_sets += work.count(0);
        Ok(solved)
    }

    /// Both sides of a test, where the set is taken as bits.
    fn by_bits(
        &mut self,
        bits: &'a dyn Bits,
        interval: Interval,
        Split { pos, cond }: Split,
        depth: u32,
        best: i64,
    ) -> Result<Sides, Status> {
        let (axis, (least_left, least_right)) = (interval.axis, interval.least(pos, self.rules.adds_at_most));
        let mut work = self.bits.take().unwrap_or_else(|| bits.work(self.control));
        work.count(self.most_sets.saturating_sub(self.n_sets));
        let mut solve = || {
            if depth == 3 {
                let ([left, right], plans) = work.sides_at_two(axis, cond);
                return Ok(Sides { end: End { pos, left, right }, plans: plans.map(Some) });
            }
            let ask = |cutoff, known| Ask { depth: depth - 1, leaves: ANY, cutoff, known };
            let (left, left_plan) = work.side(axis, cond, true, ask(best - least_right, least_left))?;
            let left = left.max(least_left);
            if left + least_right >= best {
                return Ok(Sides { end: End { pos, left, right: least_right }, plans: [left_plan, None] });
            }
            let (right, right_plan) = work.side(axis, cond, false, ask(best - left, least_right))?;
            let end = End { pos, left, right: right.max(least_right) };
            Ok(Sides { end, plans: [left_plan, right_plan] })
        };
        let solved = solve();
        self.n_sets += work.count(0);
        self.bits = Some(work);
        solved
    }

    /// The two sides of a test, in room that is to be given back.
    pub fn split(&mut self, part: &Part, axis: usize, cond: Cond) -> [Part; 2] {
        let mut sides = self.rooms.pop().unwrap_or_else(|| [Part::room(part), Part::room(part)]);
        part.split(axis, cond, &mut sides, &mut self.new_ids);
        sides.iter_mut().for_each(|side| self.rules.drop_out_twins(side));
        sides
    }

    pub fn give_back_room(&mut self, sides: [Part; 2]) {
        self.rooms.push(sides);
    }

    /// The room that was given back last.
    pub fn take_room(&mut self) -> Option<[Part; 2]> {
        self.rooms.pop()
    }

    pub fn solve_sides(
        &mut self,
        sides: &[Part; 2],
        interval: Interval,
        pos: i64,
        depth: u32,
        family: Family,
        best: i64,
    ) -> Result<Sides, Status> {
        let (least_left, least_right) = interval.least(pos, self.rules.adds_at_most);
        let is_alone = interval.low == interval.high;
        let beside = if is_alone { least_right } else { interval.b.right };
        let ask = Ask { depth: depth - 1, leaves: family.0, cutoff: best - beside, known: least_left };
        let (left, left_plan) = self.solve(&sides[0], ask)?;
        let left = left.max(least_left);
        if is_alone && left + least_right >= best {
            return Ok(Sides { end: End { pos, left, right: least_right }, plans: [left_plan, None] });
        }
        let beside = if is_alone { left } else { interval.a.left };
        let ask = Ask { depth: depth - 1, leaves: family.1, cutoff: best - beside, known: least_right };
        let (right, right_plan) = self.solve(&sides[1], ask)?;
        let end = End { pos, left, right: right.max(least_right) };
        Ok(Sides { end, plans: [left_plan, right_plan] })
    }

    /// Tries a branch for every value of every feature that is tested so.
    pub fn try_all_multi(
        &mut self,
        part: &Part,
        depth: u32,
        best: &mut i64,
        plan: &mut Option<Plan>,
    ) -> Result<(), Status> {
        for axis in self.rules.live_axes(part) {
            if matches!(self.rules.kinds[axis], Kind::Multiway { .. }) {
                self.try_multi(part, axis, depth, best, plan)?;
            }
        }
        Ok(())
    }

    /// Tries a branch for every value.
    fn try_multi(
        &mut self,
        part: &Part,
        axis: usize,
        depth: u32,
        best: &mut i64,
        plan: &mut Option<Plan>,
    ) -> Result<(), Status> {
        let has_gaps = self.rules.kind_in(part, axis) == Kind::Multiway { has_gaps: true };
        let mut values: Vec<u32> = part.codes(axis).to_vec();
        values.sort_unstable();
        values.dedup();
        let values = &values[usize::from(has_gaps)..];
        let with_gaps: Vec<Option<u32>> = match has_gaps {
            true => values.iter().copied().map(Some).collect(),
            false => vec![None],
        };
        for gaps in with_gaps {
            if let Some((cost, branches)) = self.branches(part, axis, values, gaps, depth, *best)? {
                (*best, *plan) = (cost, Some(Plan::Multi { axis, gaps, branches }));
            }
        }
        Ok(())
    }

    /// What the branches of all values cost, if that is below `best`; rows without a value go with `gaps`.
    fn branches(
        &mut self,
        part: &Part,
        axis: usize,
        values: &[u32],
        gaps: Option<u32>,
        depth: u32,
        best: i64,
    ) -> Result<Option<(i64, Branches)>, Status> {
        let (mut branches, mut sum) = (Vec::new(), 0);
        for (i, &value) in values.iter().enumerate() {
            let cond = if gaps == Some(value) { Cond::IsOrFirst(value) } else { Cond::Is(value) };
            let others = (values.len() - i - 1) as i64 * self.rules.price.leaf;
            let Some((cost, plan)) = self.branch(part, axis, cond, depth, best - sum - others)? else {
                return Ok(None);
            };
            sum += cost;
            branches.push((value, plan));
        }
        Ok((!values.is_empty()).then_some((sum, branches)))
    }

    /// What one branch costs, if that is below the cut-off.
    fn branch(
        &mut self,
        part: &Part,
        axis: usize,
        cond: Cond,
        depth: u32,
        cutoff: i64,
    ) -> Result<Option<(i64, Plan)>, Status> {
        self.checkpoint()?;
        let sides = self.split(part, axis, cond);
        let ask = Ask { depth: depth - 1, leaves: ANY, cutoff, known: 0 };
        let is_small = sides[0].mass() < self.rules.min_leaf;
        let solved = if is_small { Ok((cutoff, None)) } else { self.solve_strictly(&sides[0], ask) };
        self.rooms.push(sides);
        solved.map(|(value, plan)| plan.map(|plan| (value, plan)))
    }
}

/// The plans of all values.
type Branches = Vec<(u32, Plan)>;

/// A test of an interval.
#[derive(Debug, Clone, Copy)]
pub(super) struct Split {
    pub pos: i64,
    pub cond: Cond,
}

/// What the sides of a test cost.
#[derive(Debug)]
pub(super) struct Sides {
    pub end: End,
    plans: [Option<Plan>; 2],
}

impl Sides {
    /// The tree of both sides, where they are below their cut-offs.
    pub fn plan(self, axis: usize, cond: Cond) -> Option<Plan> {
        let [left, right] = self.plans;
        let (left, right) = left.zip(right).expect("what is below the best was solved on both sides");
        Some(Plan::split(axis, cond, left, right))
    }
}

/// The cost and plan where it is below the cut-off, else the cut-off.
pub(super) fn below(cost: i64, plan: Plan, cutoff: i64) -> (i64, Option<Plan>) {
    if cost < cutoff { (cost, Some(plan)) } else { (cutoff, None) }
}
