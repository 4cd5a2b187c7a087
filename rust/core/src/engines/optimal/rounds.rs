//! The tests of the whole set, in rounds of eight intervals.
//!
//! The intervals of a round are looked at with the best cost known at its beginning, and taken in in their order: so
//! the tree does not depend on the number of threads, nor on which of them is done first. What is in work are jobs:
//! to split the rows at the middle test of an interval, to solve one side, to solve both once more where leaves have a
//! least weight.

use std::sync::{Arc, Mutex};

use serde::{Deserialize, Serialize};

use super::bounds::{End, Interval};
use super::crew::share_out;
use super::front::{Family, Front};
use super::part::Part;
use super::plan::Plan;
use super::rules::{ANY, Rules};
use super::search::Search;
use super::solve::{Ask, Solver, Split};
use super::worth::worth;
use crate::base::lock::{locked, unlocked};
use crate::base::outcome::Status;

/// Intervals of a round.
pub(super) const ROUND: usize = 8;

/// What is open at the root.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Open {
    pub front: Front,
    /// The intervals in work.
    pub round: Vec<Place>,
}

/// An interval of a round.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Place {
    pub interval: Interval,
    /// What came of it, once its middle test is done.
    pub looked: Option<Looked>,
}

/// What came of a test.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Looked {
    pub end: End,
    /// A tree that is better than what was known at the round's beginning, and its cost.
    pub better: Option<(i64, Plan)>,
    pub n_sets: u64,
}

impl Open {
    /// Takes the next intervals, if none are in work; whether there are any.
    pub fn fill(&mut self, best: i64, rules: &Rules) -> bool {
        if self.round.is_empty() {
            let next = std::iter::from_fn(|| self.front.next(best, rules));
            self.round = next.take(ROUND).map(|interval| Place { interval, looked: None }).collect();
        }
        !self.round.is_empty()
    }

    /// Opens what is left and right of the tests of a round that is over; the better trees in it.
    pub fn take_in(&mut self, part: &Part, rules: &Rules) -> Vec<(i64, Plan)> {
        let round = std::mem::take(&mut self.round);
        let mut better = Vec::new();
        for place in round {
            let test = place.test();
            let looked = place.looked.expect("every place of a round that is over was looked at");
            better.extend(looked.better);
            self.front.halve(place.interval, test, looked.end);
            self.front.raise(part, rules, place.interval, looked.end);
        }
        better
    }

    /// What no open test costs less than.
    pub fn bound(&self, rules: &Rules) -> i64 {
        let of = |place: &Place| place.interval.bound(rules.adds_at_most);
        self.round.iter().map(of).min().unwrap_or(i64::MAX).min(self.front.bound(rules))
    }

    /// Searched sets that count once the round is over.
    pub fn n_sets(&self) -> u64 {
        self.round.iter().flat_map(|place| &place.looked).map(|looked| looked.n_sets).sum()
    }
}

impl Place {
    fn test(&self) -> usize {
        (self.interval.low + self.interval.high) / 2
    }

    fn is_alone(&self) -> bool {
        self.interval.low == self.interval.high
    }
}

/// What is known of a place while it is in work.
#[derive(Debug, Default)]
struct Record {
    /// What either side costs at least.
    least: [i64; 2],
    /// Its plan, where it is done; none in it where nothing below the cut-off was there.
    plans: [Option<Option<Plan>>; 2],
    better: Option<(i64, Plan)>,
    is_done: bool,
    ended: Option<Status>,
    n_sets: u64,
}

/// The two sides of a test, which several jobs look at.
type Pair = Arc<[Part; 2]>;

enum Job {
    Look { place: usize },
    Side { place: usize, side: usize, pair: Pair },
    Strict { place: usize, pair: Pair },
}

/// How a round ended: what was done, and what is known where it was not.
pub(super) struct Ended {
    pub status: Status,
    /// The best tree of those that were met.
    pub better: Option<(i64, Plan)>,
    /// What no test costs less than that is not done.
    pub bound: i64,
    /// Sets that were searched for what is not done.
    pub n_sets: u64,
}

/// A round in work.
pub(super) struct Round<'a, 's> {
    pub search: &'a Search<'s>,
    pub open: &'a Open,
    pub families: &'a [Family],
    pub ask: Ask,
    /// The best cost at its beginning.
    pub best: i64,
    /// Sets that may be searched.
    pub n_left: u64,
}

/// A round whose jobs are over.
pub(super) struct Worked(Vec<Record>);

impl<'s> Round<'_, 's> {
    /// Does what is to be done.
    pub fn work(&self) -> Worked {
        let records: Vec<Mutex<Record>> =
            self.open.round.iter().map(|place| Mutex::new(self.begun(place))).collect();
        let is_waiting = |&place: &usize| self.open.round[place].looked.is_none();
        let jobs = (0..records.len()).filter(is_waiting).map(|place| Job::Look { place }).collect();
        share_out(self.search.control, jobs, |job| self.done(&records, job));
        Worked(records.into_iter().map(unlocked).collect())
    }

    fn begun(&self, place: &Place) -> Record {
        let Some(Looked { end, better, n_sets }) = &place.looked else {
            let (left, right) = place.interval.least(self.at(place).pos, self.rules().adds_at_most);
            return Record { least: [left, right], ..Record::default() };
        };
        let (least, better) = ([end.left, end.right], better.clone());
        Record { least, better, is_done: true, n_sets: *n_sets, ..Record::default() }
    }

    fn rules(&self) -> &'s Rules {
        &self.search.space.rules
    }

    fn root(&self) -> &'s Part {
        &self.search.space.root
    }

    fn at(&self, place: &Place) -> Split {
        let cuts = &self.open.front.cuts[place.interval.axis];
        Split { pos: cuts.pos[place.test()], cond: cuts.cond(place.test()) }
    }

    fn is_strict(&self) -> bool {
        self.rules().min_leaf > 0
    }

    /// Does a job; those that follow from it.
    fn done(&self, records: &[Mutex<Record>], job: Job) -> Vec<Job> {
        let (Job::Look { place } | Job::Side { place, .. } | Job::Strict { place, .. }) = job;
        let mut solver = self.search.solver();
        solver.most_sets =
            self.n_left.saturating_sub(records[..=place].iter().map(|one| locked(one).n_sets).sum());
        let jobs = solver.checkpoint().and_then(|()| match job {
            Job::Look { place } => self.look(&mut solver, &records[place], place),
            Job::Side { place, side, pair } => self.side(&mut solver, &records[place], place, side, pair),
            Job::Strict { place, pair } => self.strict(&mut solver, &records[place], place, pair),
        });
        let mut record = locked(&records[place]);
        record.n_sets += solver.n_sets;
        self.search.control.advance(solver.n_sets);
        self.search.give_back(solver);
        jobs.unwrap_or_else(|status| {
            record.ended = record.ended.or(Some(status));
            Vec::new()
        })
    }

    /// Splits the rows at the middle test of an interval.
    fn look(
        &self,
        solver: &mut Solver<'s>,
        record: &Mutex<Record>,
        place: usize,
    ) -> Result<Vec<Job>, Status> {
        let (at, place_of) = (self.at(&self.open.round[place]), &self.open.round[place]);
        let interval = place_of.interval;
        solver.give_back_room(self.search.room());
        if place_of.is_alone() && !self.is_strict() {
            let family = self.families[interval.family];
            let sides = solver.sides_of(self.root(), interval, at, self.ask.depth, family, self.best);
            self.search.give_back_room(solver.take_room());
            let sides = sides?;
            let (end, mut record) = (sides.end, locked(record));
            record.least = [end.left, end.right];
            if end.left + end.right < self.best {
                record.better = sides.plan(interval.axis, at.cond).map(|plan| (end.left + end.right, plan));
            }
            record.is_done = true;
            return Ok(Vec::new());
        }
        let pair = Arc::new(solver.split(self.root(), interval.axis, at.cond));
        // The side that takes longer goes first: then threads wait less for one another at the end of a round.
        let sides = if pair[0].n < pair[1].n { [1, 0] } else { [0, 1] };
        Ok(sides.map(|side| Job::Side { place, side, pair: Arc::clone(&pair) }).into())
    }

    /// Solves one side as far as matters to the interval.
    fn side(
        &self,
        solver: &mut Solver<'s>,
        record: &Mutex<Record>,
        place: usize,
        side: usize,
        pair: Pair,
    ) -> Result<Vec<Job>, Status> {
        let interval = self.open.round[place].interval;
        let (beside, least) = ([interval.b.right, interval.a.left][side], locked(record).least[side]);
        let (left, right) = self.families[interval.family];
        let ask = Ask {
            depth: self.ask.depth - 1,
            leaves: [left, right][side],
            cutoff: self.best - beside,
            known: least,
        };
        let solved = solver.solve(&pair[side], ask);
        let known = match &solved {
            Ok((value, _)) => *value,
            Err(_) => solver.stopped.take().map_or(0, |stopped| stopped.bound),
        };
        let mut record = locked(record);
        record.least[side] = least.max(known);
        record.plans[side] = Some(solved?.1);
        if record.plans.iter().any(Option::is_none) {
            return Ok(Vec::new());
        }
        Ok(self.joined(&mut record, place, pair))
    }

    /// Takes in that both sides are known.
    fn joined(&self, record: &mut Record, place: usize, pair: Pair) -> Vec<Job> {
        let cost = record.least[0] + record.least[1];
        if self.is_strict()
            && cost < self.best
            && pair.iter().all(|side| side.mass() >= self.rules().min_leaf)
        {
            return vec![Job::Strict { place, pair }];
        }
        if cost < self.best && !self.is_strict() {
            let place = &self.open.round[place];
            let both = record.plans.each_mut().map(|plan| plan.take().flatten());
            let [left, right] =
                both.map(|plan| plan.expect("what is below the best was solved on both sides"));
            let plan = Plan::split(place.interval.axis, self.at(place).cond, left, right);
            record.better = Some((cost, plan));
        }
        record.is_done = true;
        self.search.give_back_room(Arc::into_inner(pair));
        Vec::new()
    }

    /// The plans of both sides, where they keep all limits as they are.
    fn kept(&self, pair: &Pair, free: [i64; 2], plans: [Option<Plan>; 2]) -> Option<[Plan; 2]> {
        let [Some(left), Some(right)] = plans else { return None };
        let is_kept = |side: usize, plan: &Plan| {
            worth(plan, &pair[side], self.rules(), self.ask.depth - 1) == Some(free[side])
        };
        let is_free = self.ask.leaves == ANY;
        (is_free && is_kept(0, &left) && is_kept(1, &right)).then_some([left, right])
    }

    /// Solves both sides with leaves as they must be.
    fn strict(
        &self,
        solver: &mut Solver<'s>,
        record: &Mutex<Record>,
        place: usize,
        pair: Pair,
    ) -> Result<Vec<Job>, Status> {
        let (axis, cond) = (self.open.round[place].interval.axis, self.at(&self.open.round[place]).cond);
        let (free, plans) = {
            let mut record = locked(record);
            (record.least, record.plans.each_mut().map(|plan| plan.take().flatten()))
        };
        let found = match self.kept(&pair, free, plans) {
            Some(plans) => Some((free[0] + free[1], plans)),
            None => solver.strict_sides(&pair, self.ask, free, self.best)?,
        };
        let mut record = locked(record);
        record.better = found.map(|(cost, [left, right])| (cost, Plan::split(axis, cond, left, right)));
        record.is_done = true;
        self.search.give_back_room(Arc::into_inner(pair));
        Ok(Vec::new())
    }
}

impl Worked {
    /// Writes down what is done; how the round ended, if that was before its end.
    ///
    /// Of a limit on sets the places get their share in order: so what is done does not depend on the threads.
    pub fn onto(self, open: &mut Open, rules: &Rules, mut n_left: u64, best: i64) -> Option<Ended> {
        let (mut status, mut over) = (None, Vec::new());
        for (place, record) in open.round.iter_mut().zip(self.0) {
            let is_within = record.n_sets <= n_left;
            n_left = n_left.saturating_sub(record.n_sets);
            let pos = open.front.cuts[place.interval.axis].pos[place.test()];
            let end = |[left, right]: [i64; 2]| End { pos, left, right };
            if record.is_done && is_within {
                let (end, better, n_sets) = (end(record.least), record.better, record.n_sets);
                place.looked = Some(Looked { end, better, n_sets });
                continue;
            }
            let own = if is_within { record.ended.unwrap_or(Status::Stopped) } else { Status::NodeLimit };
            status = status.or(Some(own));
            // How far a place came beyond a limit on sets depends on the threads: what was known before it counts.
            let least = match own {
                Status::NodeLimit => {
                    let (left, right) = place.interval.least(pos, rules.adds_at_most);
                    [left, right]
                }
                _ => record.least,
            };
            over.push((place.interval, place.test(), end(least), record.n_sets));
        }
        let looked = || open.round.iter().flat_map(|place| Some((place, place.looked.as_ref()?)));
        let done = looked().flat_map(|(place, looked)| place.interval.halves(place.test(), looked.end));
        let ended = over.iter().flat_map(|&(interval, test, end, _)| {
            let test_alone = Interval { low: test, high: test, a: end, b: end, ..interval };
            std::iter::once(test_alone).chain(interval.halves(test, end))
        });
        let bound = done.chain(ended).map(|interval| interval.bound(rules.adds_at_most)).min();
        let better =
            looked().filter_map(|(_, looked)| looked.better.as_ref()).filter(|(cost, _)| *cost < best);
        Some(Ended {
            status: status?,
            better: better.min_by_key(|(cost, _)| *cost).cloned(),
            bound: bound.unwrap_or(i64::MAX).min(open.front.bound(rules)),
            n_sets: over.iter().map(|(_, _, _, n_sets)| n_sets).sum(),
        })
    }
}
