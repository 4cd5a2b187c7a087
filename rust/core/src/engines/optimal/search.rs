//! The whole search: every depth up to the one asked for, and what is proven.
//!
//! From depth 3 on (from depth 2 on where leaves have a least weight and tests do not go by the batch) the tests of
//! the root go in rounds; what is known between two of them is all that the rest depends on, and can be gone on with.

use std::sync::Mutex;

use super::front::{Family, Front, families, in_effect};
use super::lanes::{Instructions, LANES};
use super::params::Params;
use super::part::Part;
use super::plan::Plan;
use super::plant::Planter;
use super::rounds::{Ended, Open, Round};
use super::rules::{ANY, Rules};
use super::saved::{Journal, Keeper, State};
use super::solve::{Ask, NO_CUTOFF, Solver};
use super::space::Space;
use super::stump::completed;
use super::worth::worth;
use crate::base::control::Control;
use crate::base::error::Result;
use crate::base::lock::locked;
use crate::base::outcome::{Outcome, Status};
use crate::model::data::Dataset;
use crate::model::tree::Tree;

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
    /// Where the search stood in the end, if it has a journal.
    pub entry: Option<String>,
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
    searched(&Space::new(data, params, instructions)?, data, params, None, control)
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
    searched(&space, data, params, None, control)
}

/// The same with a journal, from which another search can go on.
///
/// # Errors
/// As [`optimal_tree`]; an entry that is of another search, or of none.
pub fn optimal_tree_kept(
    data: &Dataset,
    params: &Params,
    journal: Journal<'_>,
    control: &Control,
) -> Result<Outcome<Found, f64>> {
    searched(&Space::new(data, params, Instructions::best())?, data, params, Some(journal), control)
}

fn searched(
    space: &Space,
    data: &Dataset,
    params: &Params,
    journal: Option<Journal<'_>>,
    control: &Control,
) -> Result<Outcome<Found, f64>> {
    let mut search = Search::new(space, params, control);
    let mut keeper = Keeper::new(journal, &mut search)?;
    let status = match search.run(&mut keeper) {
        Ok(()) => Status::Optimal,
        Err(status) => status,
    };
    let entry = keeper.entry(&search);
    search.let_go();
    let plan = completed(search.best().1, &space.root, &space.rules);
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
        entry,
    };
    Ok(Outcome { value: found, status, bound: Some(bound), stats: control.stats(search.n_sets()) })
}

/// A search and where it stands.
pub(super) struct Search<'a> {
    pub space: &'a Space,
    pub control: &'a Control,
    pub depth: u32,
    pub leaves: u32,
    most_sets: u64,
    most_bytes: u64,
    pub state: State,
    /// Sets that were searched for what was not done.
    n_extra: u64,
    /// What threads work with, each with its own: nobody else has it in its cache.
    solvers: Mutex<Vec<(usize, Solver<'a>)>>,
    rooms: Mutex<Vec<[Part; 2]>>,
}

impl<'a> Search<'a> {
    fn new(space: &'a Space, params: &Params, control: &'a Control) -> Self {
        let most = params.max_leaf_nodes.unwrap_or(ANY).max(1);
        let (depth, leaves) = in_effect(params.max_depth, most);
        let best = space.rules.leaf(&space.root.totals);
        Search {
            space,
            control,
            depth,
            leaves,
            most_sets: params.node_limit.unwrap_or(u64::MAX),
            most_bytes: params.memory_limit.unwrap_or(u64::MAX),
            state: State::new(best, space.floor.min(best)),
            n_extra: 0,
            solvers: Mutex::default(),
            rooms: Mutex::default(),
        }
    }

    fn rules(&self) -> &'a Rules {
        &self.space.rules
    }

    /// The best tree that was met, whether or not the rest goes by it.
    fn best(&self) -> (i64, &Plan) {
        match &self.state.better {
            Some((cost, plan)) if *cost < self.state.best => (*cost, plan),
            _ => (self.state.best, &self.state.plan),
        }
    }

    /// Sets that were searched; what came of those beyond the limit is not used.
    fn n_sets(&self) -> u64 {
        let begun = self.state.open.as_ref().map_or(0, Open::n_sets) + self.n_extra;
        (self.state.n_sets + begun).min(self.most_sets)
    }

    /// Searches every depth in turn.
    fn run(&mut self, keeper: &mut Keeper<'_>) -> std::result::Result<(), Status> {
        self.report();
        if self.forecast() > self.most_bytes {
            return Err(Status::MemoryLimit);
        }
        for depth in self.state.depth + 1..=self.depth {
            if self.is_proven() {
                break;
            }
            self.climb(depth, keeper)?;
            self.state.depth = depth;
        }
        self.state.bound = self.state.best;
        Ok(())
    }

    /// What a search takes about: two parts of the rows for every level above the last two, and the masks, for every
    /// thread.
    fn forecast(&self) -> u64 {
        let (part, n_rows) = (self.space.root.bytes() as u64, self.space.root.n as u64);
        let n_levels = u64::from(self.depth.saturating_sub(2)).min(n_rows);
        let (own, common) = self.rules().bits.as_ref().map_or((0, 0), |bits| bits.bytes(n_levels));
        let own = own + 2 * n_levels * part + n_rows * LANES as u64;
        part + common + self.control.n_threads() as u64 * own
    }

    /// What is taken.
    fn bytes(&self) -> u64 {
        let solvers: u64 = locked(&self.solvers).iter().map(|(_, solver)| solver.bytes()).sum();
        let rooms: usize = locked(&self.rooms).iter().flatten().map(Part::bytes).sum();
        let open = self.state.open.as_ref().map_or(0, |open| open.front.bytes() as u64);
        let bits = self.rules().bits.as_ref().map_or(0, |bits| bits.bytes(0).1);
        self.space.root.bytes() as u64 + solvers + rooms as u64 + open + bits
    }

    /// Whether no tree at all can be better.
    fn is_proven(&self) -> bool {
        self.state.best <= self.state.bound.max(2 * self.rules().price.leaf)
    }

    /// Leaves of trees of a depth, as far as they are limited.
    pub fn asked(&self, depth: u32) -> Ask {
        let (depth, leaves) = in_effect(depth, self.leaves);
        Ask { depth, leaves, cutoff: self.state.best, known: self.state.bound }
    }

    fn climb(&mut self, depth: u32, keeper: &mut Keeper<'_>) -> std::result::Result<(), Status> {
        let (ask, is_last) = (self.asked(depth), depth == self.depth);
        let is_strict = self.rules().min_leaf > 0;
        if ask.depth >= 3 || ask.depth == 2 && is_strict && !self.rules().goes_by_batches() {
            return self.rounds(ask, is_last, keeper);
        }
        let mut solver = self.solver();
        let found = solver.solve_strictly(&self.space.root, ask);
        let n_sets = solver.n_sets;
        match found {
            Ok((best, plan)) => {
                self.state.n_sets += n_sets;
                self.take(best, plan);
                self.give_back(solver);
                Ok(())
            }
            Err(status) => {
                self.n_extra = n_sets;
                if let Some(stopped) = solver.stopped.take() {
                    self.note(stopped.plan.map(|plan| (stopped.best, plan)));
                    self.raise_bound(stopped.bound, is_last);
                }
                Err(status)
            }
        }
    }

    fn take(&mut self, best: i64, plan: Option<Plan>) {
        if let Some(plan) = plan.filter(|_| best < self.state.best) {
            (self.state.best, self.state.plan) = (best, plan);
        }
    }

    /// Keeps a tree that was met, by which the rest does not go.
    fn note(&mut self, met: Option<(i64, Plan)>) {
        let best = self.best().0;
        if let Some(met) = met.filter(|(cost, _)| *cost < best) {
            self.state.better = Some(met);
        }
    }

    /// Takes in what no tree of a depth costs less than.
    fn raise_bound(&mut self, bound: i64, is_last: bool) {
        if is_last {
            self.state.bound = self.state.bound.max(bound.min(self.best().0));
        }
    }

    /// What the thread works with.
    pub fn solver(&self) -> Solver<'a> {
        let own = {
            let (mut solvers, thread) = (locked(&self.solvers), self.control.thread());
            solvers.iter().position(|&(of, _)| of == thread).map(|place| solvers.swap_remove(place).1)
        };
        let mut solver = own.unwrap_or_else(|| Solver::new(self.rules(), self.control));
        (solver.n_sets, solver.stopped) = (0, None);
        solver.most_sets = self.most_sets.saturating_sub(self.state.n_sets);
        solver
    }

    pub fn give_back(&self, solver: Solver<'a>) {
        locked(&self.solvers).push((self.control.thread(), solver));
    }

    /// Gives back the memory that only the search needed.
    fn let_go(&mut self) {
        locked(&self.solvers).clear();
        locked(&self.rooms).clear();
    }

    /// Room for the two sides of a test of the root.
    pub fn room(&self) -> [Part; 2] {
        let room = || [Part::room(&self.space.root), Part::room(&self.space.root)];
        locked(&self.rooms).pop().unwrap_or_else(room)
    }

    pub fn give_back_room(&self, room: Option<[Part; 2]>) {
        locked(&self.rooms).extend(room);
    }

    /// All tests of the root, in rounds.
    fn rounds(
        &mut self,
        ask: Ask,
        is_last: bool,
        keeper: &mut Keeper<'_>,
    ) -> std::result::Result<(), Status> {
        let rules = self.rules();
        if self.space.root.mass() < 2 * rules.min_leaf {
            return Ok(());
        }
        let families = if rules.min_leaf > 0 { vec![(ANY, ANY)] } else { families(ask.depth, ask.leaves) };
        if !self.begin_rounds(ask, &families, is_last)? {
            return Ok(());
        }
        loop {
            let (mut open, best) = (self.state.open.take().unwrap_or_default(), self.state.best);
            let has_more = open.fill(best, rules);
            self.raise_bound(open.bound(rules), is_last);
            self.report();
            if !has_more || self.is_proven() {
                return Ok(());
            }
            self.state.open = Some(open);
            keeper.look(self);
            self.control.checkpoint()?;
            if self.bytes() > self.most_bytes {
                return Err(Status::MemoryLimit);
            }
            if let Some(ended) = self.round(ask, &families) {
                self.end(&ended, is_last);
                return Err(ended.status);
            }
        }
    }

    /// Opens the tests of the root, or takes those that an earlier search left open; whether they matter.
    fn begin_rounds(
        &mut self,
        ask: Ask,
        families: &[Family],
        is_last: bool,
    ) -> std::result::Result<bool, Status> {
        let (root, rules, n_sets) = (&self.space.root, self.rules(), self.state.n_sets);
        if let Some(open) = &mut self.state.open {
            open.front.list(root, rules);
            return Ok(true);
        }
        if rules.min_leaf > 0 && ask.depth == 2 && self.try_free(ask, is_last)? {
            return Ok(false);
        }
        let whole = self.whole(ask, families).inspect_err(|_| {
            self.n_extra += self.state.n_sets - n_sets;
            self.state.n_sets = n_sets;
        })?;
        let front = Front::open(root, rules, &whole, false, Vec::new());
        self.state.open = Some(Open { front, round: Vec::new() });
        Ok(true)
    }

    /// Searches without a least weight of leaves; whether that is the answer with it, too.
    fn try_free(&mut self, ask: Ask, is_last: bool) -> std::result::Result<bool, Status> {
        let (mut solver, root) = (self.solver(), &self.space.root);
        let solved = solver.solve(root, ask);
        let n_sets = solver.n_sets;
        self.give_back(solver);
        let (free, plan) = solved.inspect_err(|_| self.n_extra = n_sets)?;
        self.state.n_sets += n_sets;
        self.raise_bound(free, is_last);
        let is_kept =
            plan.as_ref().is_none_or(|plan| worth(plan, root, self.rules(), ask.depth) == Some(free));
        if is_kept {
            self.take(free, plan);
        }
        Ok(is_kept)
    }

    /// Does a round; how it ended, if that was before its end.
    fn round(&mut self, ask: Ask, families: &[Family]) -> Option<Ended> {
        let mut open = self.state.open.take()?;
        let (best, n_left) = (self.state.best, self.most_sets.saturating_sub(self.state.n_sets));
        let worked = Round { search: self, open: &open, families, ask, best, n_left }.work();
        let ended = worked.onto(&mut open, self.rules(), n_left, best);
        if ended.is_none() {
            self.state.n_sets += open.n_sets();
            for (cost, plan) in open.take_in(&self.space.root, &self.space.rules) {
                self.take(cost, Some(plan));
            }
        }
        self.state.open = Some(open);
        ended
    }

    /// Takes in what a round came to that was ended.
    fn end(&mut self, ended: &Ended, is_last: bool) {
        self.n_extra = ended.n_sets;
        self.note(ended.better.clone());
        self.raise_bound(ended.bound, is_last);
        self.report();
    }

    /// What the whole set costs one level lower, and the tests with a branch for every value.
    fn whole(&mut self, ask: Ask, families: &[Family]) -> std::result::Result<Vec<(i64, i64)>, Status> {
        let (mut solver, root) = (self.solver(), &self.space.root);
        let (mut best, mut plan) = (self.state.best, None);
        let whole = if self.rules().min_leaf > 0 {
            let lower = Ask { depth: ask.depth - 1, leaves: ANY, cutoff: NO_CUTOFF, known: 0 };
            solver.solve(root, lower).map(|(value, _)| vec![(value, value)])
        } else if ask.leaves == ANY {
            Ok(vec![(self.state.best, self.state.best)])
        } else {
            solver.whole(root, ask, families, &mut best, &mut plan)
        };
        let tried = whole.and_then(|whole| {
            if ask.leaves == ANY {
                solver.try_all_multi(root, ask.depth, &mut best, &mut plan)?;
            }
            Ok(whole)
        });
        match &tried {
            Ok(_) => {
                self.state.n_sets += solver.n_sets;
                self.take(best, plan);
            }
            Err(_) => {
                self.n_extra = solver.n_sets;
                self.note(plan.map(|plan| (best, plan)));
            }
        }
        self.give_back(solver);
        tried
    }

    /// Tells what is known by now.
    fn report(&self) {
        let unit = &self.space.unit;
        self.control.report(self.n_sets(), 0);
        self.control.report_best(unit.told_bound(self.best().0));
        self.control.report_bound(unit.told_bound(self.state.bound));
    }
}
