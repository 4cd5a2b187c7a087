//! The whole search: every depth up to the one asked for, intervals in rounds of eight, and what is proven.
//!
//! The intervals of a round are looked at with the best cost known at its beginning, and taken in in their order;
//! so the tree does not depend on the number of threads that share a round.

use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::bounds::Interval;
use super::front::{Family, Front, families, in_effect};
use super::lanes::{Instructions, LANES};
use super::params::Params;
use super::plan::Plan;
use super::plant::Planter;
use super::rules::{ANY, Rules};
use super::solve::{Ask, Sides, Solver, Split};
use super::space::Space;
use super::stump::completed;
use crate::base::control::Control;
use crate::base::error::Result;
use crate::base::outcome::{Outcome, Status};
use crate::model::data::Dataset;
use crate::model::tree::Tree;

/// Intervals of a round.
const ROUND: usize = 8;

/// The best tree that was found.
#[derive(Debug, Clone)]
pub struct Found {
    /// The tree.
    pub tree: Tree,
    /// What its wrong answers cost, without the price of its leaves.
    pub loss: f64,
    /// What wrong answers and leaves cost together.
    pub cost: f64,
    /// What the rows of positive weight weigh on average, as a fraction: the unit of the price of a leaf.
    pub mean_weight: (u128, u128),
    /// Rows of positive weight that weigh next to nothing beside the others, and leave.
    pub n_lost: usize,
    /// What the kernels were compiled for.
    pub instructions: &'static str,
}

/// The tree of least cost of all trees of at most some depth; the bound is that of cost and leaves together.
///
/// # Errors
/// What cannot be searched: no classes, no rows, more classes or rows than there is room for, a nominal feature of
/// too many values.
pub fn optimal_tree(data: &Dataset, params: &Params, control: &Control) -> Result<Outcome<Found, f64>> {
    optimal_tree_with(data, params, Instructions::best(), control)
}

/// The same with the instructions that the kernels are to use.
///
/// # Errors
/// As [`optimal_tree`].
pub fn optimal_tree_with(
    data: &Dataset,
    params: &Params,
    instructions: Instructions,
    control: &Control,
) -> Result<Outcome<Found, f64>> {
    searched(&Space::new(data, params, instructions)?, data, params, control)
}

/// The same, by walks over the rows in the order of every feature, however few the tests are.
///
/// # Errors
/// As [`optimal_tree`].
pub fn optimal_tree_by_walks(
    data: &Dataset,
    params: &Params,
    instructions: Instructions,
    control: &Control,
) -> Result<Outcome<Found, f64>> {
    let mut space = Space::new(data, params, instructions)?;
    space.rules.bits = None;
    searched(&space, data, params, control)
}

fn searched(
    space: &Space,
    data: &Dataset,
    params: &Params,
    control: &Control,
) -> Result<Outcome<Found, f64>> {
    let mut search = Search::new(space, params, control);
    let status = match search.run() {
        Ok(()) => Status::Optimal,
        Err(status) => status,
    };
    let plan = completed(&search.state.plan, &space.root, &space.rules);
    let tree = Planter::new(data, space, params)?.tree(&plan, params)?;
    let losses = tree.losses();
    let loss = (0..losses.len()).filter(|&id| tree.nodes()[id].is_leaf()).map(|id| losses[id]).sum::<f64>();
    let cost = loss + space.unit.of_leaves(tree.n_leaves());
    let bound = match status {
        Status::Optimal => cost,
        _ => space.unit.told_bound(search.state.bound).min(cost),
    };
    let found = Found {
        tree,
        loss,
        cost,
        mean_weight: space.mean.told(),
        n_lost: space.counted.n_lost,
        instructions: space.rules.instructions.name(),
    };
    Ok(Outcome { value: found, status, bound: Some(bound), stats: control.stats(search.state.n_sets) })
}

/// What a search has come to.
#[derive(Debug, Serialize, Deserialize)]
struct State {
    depth: u32,
    best: i64,
    plan: Plan,
    bound: i64,
    n_sets: u64,
}

struct Search<'a> {
    space: &'a Space,
    control: &'a Control,
    depth: u32,
    leaves: u32,
    most_sets: u64,
    most_bytes: u64,
    state: State,
    solvers: Mutex<Vec<Solver<'a>>>,
}

impl<'a> Search<'a> {
    fn new(space: &'a Space, params: &Params, control: &'a Control) -> Self {
        let most = params.max_leaf_nodes.unwrap_or(ANY).max(1);
        let (depth, leaves) = in_effect(params.max_depth, most);
        let best = space.rules.leaf(&space.root.totals);
        let state = State { depth: 0, best, plan: Plan::Leaf, bound: space.floor.min(best), n_sets: 0 };
        let most_sets = params.node_limit.unwrap_or(u64::MAX);
        let most_bytes = params.memory_limit.unwrap_or(u64::MAX);
        Search { space, control, depth, leaves, most_sets, most_bytes, state, solvers: Mutex::default() }
    }

    fn rules(&self) -> &'a Rules {
        &self.space.rules
    }

    /// Searches every depth in turn.
    fn run(&mut self) -> std::result::Result<(), Status> {
        self.report();
        if self.bytes() > self.most_bytes {
            return Err(Status::MemoryLimit);
        }
        for depth in 1..=self.depth {
            if self.is_proven() {
                break;
            }
            self.climb(depth)?;
            self.state.depth = depth;
        }
        self.state.bound = self.state.best;
        Ok(())
    }

    /// What the search takes at the most: two parts of the rows for every level above the last two, and the masks,
    /// for every thread.
    fn bytes(&self) -> u64 {
        let (part, n_rows) = (self.space.root.bytes() as u64, self.space.root.n as u64);
        let n_levels = u64::from(self.depth.saturating_sub(2)).min(n_rows);
        let (own, common) = self.rules().bits.as_ref().map_or((0, 0), |bits| bits.bytes(n_levels));
        let own = own + 2 * n_levels * part + n_rows * LANES as u64;
        part + common + self.control.n_threads() as u64 * own
    }

    /// Whether no tree at all can be better.
    fn is_proven(&self) -> bool {
        self.state.best <= self.state.bound.max(2 * self.rules().price.leaf)
    }

    /// Leaves of trees of a depth, as far as they are limited.
    fn asked(&self, depth: u32) -> Ask {
        let (depth, leaves) = in_effect(depth, self.leaves);
        Ask { depth, leaves, cutoff: self.state.best, known: self.state.bound }
    }

    fn climb(&mut self, depth: u32) -> std::result::Result<(), Status> {
        let ask = self.asked(depth);
        let is_strict = self.rules().min_leaf > 0;
        if ask.depth >= 3 && !is_strict {
            return self.rounds(ask, depth == self.depth);
        }
        let mut solver = self.solver();
        let found = solver.solve_strictly(&self.space.root, ask);
        self.state.n_sets += solver.n_sets;
        match found {
            Ok((best, plan)) => self.take(best, plan),
            Err(status) => {
                if let Some(stopped) = solver.stopped.take() {
                    self.take(stopped.best, stopped.plan);
                    if depth == self.depth {
                        self.state.bound = self.state.bound.max(stopped.bound.min(self.state.best));
                    }
                }
                return Err(status);
            }
        }
        Ok(())
    }

    fn take(&mut self, best: i64, plan: Option<Plan>) {
        if let Some(plan) = plan.filter(|_| best < self.state.best) {
            (self.state.best, self.state.plan) = (best, plan);
        }
    }

    fn solver(&self) -> Solver<'a> {
        let waiting = self.solvers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut solver = waiting.unwrap_or_else(|| Solver::new(&self.space.rules, self.control));
        solver.n_sets = 0;
        solver.most_sets = self.most_sets.saturating_sub(self.state.n_sets);
        solver
    }

    /// All tests of the root, in rounds.
    fn rounds(&mut self, ask: Ask, is_last: bool) -> std::result::Result<(), Status> {
        let families = families(ask.depth, ask.leaves);
        let whole = self.whole(ask, &families)?;
        let mut front = Front::open(&self.space.root, self.rules(), &whole, false, Vec::new());
        loop {
            let mut round = Vec::with_capacity(ROUND);
            while round.len() < ROUND {
                let Some(interval) = front.next(self.state.best, self.rules()) else { break };
                round.push(interval);
            }
            if is_last {
                let in_round = round.iter().map(|interval| interval.bound(self.rules().adds_at_most)).min();
                let open = front.bound(self.rules()).min(in_round.unwrap_or(i64::MAX));
                self.state.bound = self.state.bound.max(open.min(self.state.best));
            }
            self.report();
            if round.is_empty() || self.is_proven() {
                return Ok(());
            }
            self.control.checkpoint()?;
            if self.state.n_sets > self.most_sets {
                return Err(Status::NodeLimit);
            }
            self.round(&mut front, &round, ask.depth, &families)?;
        }
    }

    /// Looks at the middle test of every interval.
    fn round(
        &mut self,
        front: &mut Front,
        round: &[Interval],
        depth: u32,
        families: &[Family],
    ) -> std::result::Result<(), Status> {
        let best = self.state.best;
        let (this, cuts) = (&*self, &front.cuts);
        let look = |(): &mut (), interval: &Interval| {
            let test = (interval.low + interval.high) / 2;
            let cuts = &cuts[interval.axis];
            let at = Split { pos: cuts.pos[test], cond: cuts.cond(test) };
            let mut solver = this.solver();
            let sides =
                solver.sides_of(&this.space.root, *interval, at, depth, families[interval.family], best);
            let n_sets = solver.n_sets;
            this.solvers.lock().unwrap_or_else(PoisonError::into_inner).push(solver);
            (sides, n_sets)
        };
        let looked: Vec<(std::result::Result<Sides, Status>, u64)> = self.control.map(round, || (), look);
        let n_sets: u64 = looked.iter().map(|(_, n_sets)| n_sets).sum();
        self.state.n_sets += n_sets;
        let sides =
            looked.into_iter().map(|(sides, _)| sides).collect::<std::result::Result<Vec<_>, Status>>()?;
        for (&interval, sides) in round.iter().zip(sides) {
            let test = (interval.low + interval.high) / 2;
            let end = sides.end;
            if end.left + end.right < self.state.best {
                let plan = sides.plan(interval.axis, front.cuts[interval.axis].cond(test));
                self.take(end.left + end.right, plan);
            }
            front.halve(interval, test, end);
            front.raise(&self.space.root, self.rules(), interval, end);
        }
        Ok(())
    }

    /// What the whole set costs one level lower, and the tests with a branch for every value.
    fn whole(&mut self, ask: Ask, families: &[Family]) -> std::result::Result<Vec<(i64, i64)>, Status> {
        let mut solver = self.solver();
        let (mut best, mut plan) = (self.state.best, None);
        let whole = match ask.leaves {
            ANY => Ok(vec![(self.state.best, self.state.best)]),
            _ => solver.whole(&self.space.root, ask, families, &mut best, &mut plan),
        };
        let tried = match &whole {
            Ok(_) => solver.try_all_multi(&self.space.root, ask.depth, &mut best, &mut plan),
            Err(status) => Err(*status),
        };
        self.state.n_sets += solver.n_sets;
        self.take(best, plan);
        tried.and(whole)
    }

    /// Tells what is known by now.
    fn report(&self) {
        let unit = &self.space.unit;
        self.control.report(self.state.n_sets, 0);
        self.control.report_best(unit.told_bound(self.state.best));
        self.control.report_bound(unit.told_bound(self.state.bound));
    }
}
