//! Leaves of a least weight.
//!
//! Fewer rows may cost more then: a leaf may fall below the limit. So all bounds are those of trees without it, which
//! cost no more; where they leave a chance, both sides are solved once more with the limit. More tests have to be
//! looked at than without, since one whose free cost is below the best is not the best for that. Often the best tree
//! without the limit keeps it: then it is the answer.

use super::bottom::Stopped;
use super::bounds::Interval;
use super::front::{Front, families, in_effect};
use super::part::Part;
use super::plan::Plan;
use super::rules::{ANY, Rules};
use super::solve::{Ask, NO_CUTOFF, Solved, Solver, below};
use super::stump::best_stump;
use super::worth::worth;
use crate::base::outcome::Status;

impl Solver<'_> {
    /// The least cost of a set, whose leaves weigh what they must.
    pub fn solve_strictly(&mut self, part: &Part, ask: Ask) -> Solved {
        if self.rules.min_leaf == 0 {
            return self.solve(part, ask);
        }
        let (depth, leaves) = in_effect(ask.depth, ask.leaves);
        let ask = Ask { depth, leaves, ..ask };
        match depth {
            0 => Ok(below(self.rules.leaf(&part.totals), Plan::Leaf, ask.cutoff)),
            1 => {
                let stump = best_stump(part, self.rules);
                let n_leaves = match &stump.plan {
                    Plan::Multi { branches, .. } => branches.len(),
                    _ => 2,
                };
                let is_few = ask.leaves == ANY || n_leaves <= ask.leaves as usize;
                debug_assert!(is_few, "a limit on leaves goes with tests of two sides");
                Ok(below(stump.cost, Plan::Stump, ask.cutoff))
            }
            _ => self.solve_strictly_above(part, ask),
        }
    }

    fn solve_strictly_above(&mut self, part: &Part, ask: Ask) -> Solved {
        let (mut best, mut plan, is_done) = self.as_leaf(part, ask);
        if is_done || part.mass() < 2 * self.rules.min_leaf {
            return Ok((best, plan));
        }
        let solved = self.solve(part, Ask { cutoff: best, ..ask });
        let (free, found) = solved.inspect_err(|_| {
            // A tree without the limit is none with it; what it costs at least holds.
            let bound = self.stopped.take().map(|stopped| stopped.bound.min(best));
            self.stopped = bound.map(|bound| Stopped { best, plan: plan.clone(), bound });
        })?;
        match found {
            None => return Ok((best, plan)),
            Some(found) if worth(&found, part, self.rules, ask.depth) == Some(free) => {
                return Ok((free, Some(found)));
            }
            Some(_) => {}
        }
        self.n_sets += 1;
        let (one, found) = self.solve_strictly(part, Ask { depth: ask.depth - 1, cutoff: best, ..ask })?;
        if found.is_some() {
            (best, plan) = (one, found);
        }
        if ask.depth == 2 && self.rules.goes_by_batches() {
            let known = free.max(ask.known).max(2 * self.rules.price.leaf);
            return self.two_limited(part, Ask { known, ..ask }, one, (best, plan));
        }
        if ask.leaves == ANY {
            self.try_all_multi(part, ask.depth, &mut best, &mut plan)?;
        }
        let lower = Ask { depth: ask.depth - 1, leaves: ANY, cutoff: NO_CUTOFF, known: 0 };
        let (whole, _) = self.solve(part, lower)?;
        let lent = self.lend_cuts();
        let mut front = Front::open(part, self.rules, &[(whole, whole)], false, lent);
        while let Some(interval) = front.next(best, self.rules).filter(|_| best > free) {
            self.checkpoint()?;
            self.look_strictly(part, ask, &mut front, interval, (&mut best, &mut plan))?;
        }
        self.give_back(front.cuts);
        Ok((best, plan))
    }

    /// Looks at the middle test of an interval.
    fn look_strictly(
        &mut self,
        part: &Part,
        ask: Ask,
        front: &mut Front,
        interval: Interval,
        (best, plan): (&mut i64, &mut Option<Plan>),
    ) -> Result<(), Status> {
        let test = (interval.low + interval.high) / 2;
        let cuts = &front.cuts[interval.axis];
        let (pos, cond) = (cuts.pos[test], cuts.cond(test));
        let sides = self.split(part, interval.axis, cond);
        let looked = self.solve_sides(&sides, interval, pos, ask.depth, (ANY, ANY), *best);
        let looked = looked.and_then(|free| {
            let is_chance = free.end.left + free.end.right < *best;
            if is_chance && sides.iter().all(|side| is_large(side, self.rules)) {
                let free = [free.end.left, free.end.right];
                if let Some((cost, pair)) = self.strict_sides(&sides, ask, free, *best)? {
                    let [left, right] = pair;
                    (*best, *plan) = (cost, Some(Plan::split(interval.axis, cond, left, right)));
                }
            }
            Ok(free.end)
        });
        self.give_back_room(sides);
        front.halve(interval, test, looked?);
        Ok(())
    }

    /// What both sides cost with leaves as they must be, if that is below `best`.
    pub fn strict_sides(
        &mut self,
        sides: &[Part; 2],
        ask: Ask,
        free: [i64; 2],
        mut best: i64,
    ) -> Result<Option<(i64, [Plan; 2])>, Status> {
        let mut found = None;
        for (left_leaves, right_leaves) in families(ask.depth, ask.leaves) {
            let of = |leaves, cutoff, known| Ask { depth: ask.depth - 1, leaves, cutoff, known };
            let (left, left_plan) =
                self.solve_strictly(&sides[0], of(left_leaves, best - free[1], free[0]))?;
            let Some(left_plan) = left_plan else { continue };
            let (right, right_plan) =
                self.solve_strictly(&sides[1], of(right_leaves, best - left, free[1]))?;
            if let Some(right_plan) = right_plan {
                best = left + right;
                found = Some((best, [left_plan, right_plan]));
            }
        }
        Ok(found)
    }
}

fn is_large(part: &Part, rules: &Rules) -> bool {
    part.mass() >= rules.min_leaf
}
