//! Looking at every case set with its cube, by one thread or several.

use std::collections::VecDeque;
use std::sync::Mutex;

use super::cube::{Cube, Few, MAX_FEATURES};
use super::kernel::{Choice, Kernel};
use super::notes::Notes;
use super::plain::Plain;
use super::replay::{count_known, replay};
use super::two_class::TwoClass;
use crate::base::control::Control;
use crate::base::lock::locked;
use crate::base::outcome::Status;
use crate::engines::distinct::count::{EnumerationRules, Tally};
use crate::engines::distinct::enumerate::Order;
use crate::engines::distinct::exchange::Exchange;
use crate::engines::induce::{Growth, Problem};

/// Most (row, feature) pairs that are ranked without a look at the clock.
const MOST_CELLS: usize = 1 << 22;

/// Rows between two looks at the clock; a case set counts as some more.
const ROWS_PER_CHECK: usize = 1 << 18;
const ROWS_PER_SET: usize = 64;

/// A case set with fewer rows is not worth handing over.
const LEAST_HANDED: usize = 64;

/// Whether the trees of a problem are counted this way: few features, and notes that take no more
/// than half of the memory.
pub(crate) fn is_of_use(problem: &Problem, rules: &EnumerationRules, control: &Control) -> bool {
    let n_features = problem.n_features();
    problem.rules.growth == Growth::Standard
        && rules.node_limit == u64::MAX
        && n_features <= MAX_FEATURES
        && problem.training().len() * n_features <= MOST_CELLS
        && Notes::bytes(n_features) * control.n_threads() <= rules.cap / 2
}

/// Counts all distinct trees. Small cubes go first, so that some subsets are done with early: at a
/// limit these are counted.
pub(crate) fn count_by_cubes(problem: &Problem, order: Order, control: &Control) -> (Tally, Status) {
    match TwoClass::of(problem) {
        Some(kernel) => count_with(&kernel, problem.n_features(), order, control),
        None => count_with(&Plain(problem), problem.n_features(), order, control),
    }
}

/// A case set still to be looked at.
struct Pending<S> {
    set: S,
    cube: Cube,
    /// Features not known to be constant here.
    live: Few,
    depth: u32,
}

fn count_with<K: Kernel>(kernel: &K, n_features: usize, order: Order, control: &Control) -> (Tally, Status) {
    let (cube, set) = (Cube::whole(n_features), kernel.root());
    let mut notes = Notes::new(n_features);
    if kernel.is_closed(&set, 0) {
        return (replay(&notes, order), Status::Complete);
    }
    let total = K::mass(&set);
    let exchange = Exchange::new(Pending { set, cube, live: cube.all, depth: 0 });
    let crew = Crew { kernel, exchange, total, control };
    crew.explore(&mut notes);
    let left = crew.exchange.into_waiting();
    let Some(status) = control.checkpoint().err().filter(|_| !left.is_empty()) else {
        return (replay(&notes, order), Status::Complete);
    };
    let mut known = vec![true; 1 << n_features];
    left.iter().for_each(|pending| pending.cube.for_each(|subset| known[subset] = false));
    (count_known(&notes, &known), status)
}

/// What the threads share.
struct Crew<'a, K: Kernel> {
    kernel: &'a K,
    exchange: Exchange<Pending<K::Set>>,
    /// Mass of all rows.
    total: u128,
    control: &'a Control,
}

impl<K: Kernel> Crew<'_, K> {
    /// Looks at all that waits, on the control's threads.
    fn explore(&self, notes: &mut Notes) {
        let n_features = notes.n_features();
        if !self.control.is_parallel() {
            return Explorer::new(self, notes).run();
        }
        let all = Mutex::new(notes);
        rayon::scope(|scope| {
            for _ in 0..self.control.n_threads() {
                scope.spawn(|_| {
                    let mut own = Notes::new(n_features);
                    Explorer::new(self, &mut own).run();
                    locked(&all).merge(&own);
                });
            }
        });
    }
}

/// One thread.
struct Explorer<'a, K: Kernel> {
    crew: &'a Crew<'a, K>,
    bench: K::Bench,
    notes: &'a mut Notes,
    /// The largest come first.
    stack: VecDeque<Pending<K::Set>>,
    choices: Vec<Choice>,
    until_check: usize,
    /// Mass of the leaves reached, each as often as there are subsets, since the last report.
    done: u128,
}

impl<'a, K: Kernel> Explorer<'a, K> {
    fn new(crew: &'a Crew<'a, K>, notes: &'a mut Notes) -> Self {
        let (stack, choices, bench) = (VecDeque::new(), Vec::new(), crew.kernel.bench());
        Explorer { crew, bench, notes, stack, choices, until_check: 0, done: 0 }
    }

    /// Works until there is nothing left; what is left at a limit goes back to the exchange.
    fn run(&mut self) {
        while let Some((first, _busy)) = self.crew.exchange.take(self.crew.control) {
            self.stack.push_back(first);
            self.until_check = 0;
            while let Some(pending) = self.stack.pop_back() {
                if self.is_ended(K::n_rows(&pending.set)) {
                    self.stack.push_back(pending);
                    self.stack.drain(..).for_each(|pending| self.crew.exchange.give(pending));
                    return;
                }
                if self.crew.exchange.is_asked() {
                    self.hand_over();
                }
                self.look_at(pending);
            }
        }
        self.report();
    }

    fn is_ended(&mut self, n_rows: usize) -> bool {
        if self.until_check > n_rows {
            self.until_check -= (n_rows + ROWS_PER_SET).min(self.until_check);
            return false;
        }
        self.until_check = ROWS_PER_CHECK;
        self.report();
        self.crew.control.checkpoint().is_err()
    }

    /// Adds the trees' worth of work done since the last report.
    fn report(&mut self) {
        self.crew.control.advance((self.done / self.crew.total) as u64);
        self.done %= self.crew.total;
    }

    fn hand_over(&mut self) {
        if self.stack.front().is_some_and(|first| K::n_rows(&first.set) >= LEAST_HANDED) {
            self.crew.exchange.give(self.stack.pop_front().expect("there is one"));
        }
    }

    fn look_at(&mut self, Pending { set, mut cube, live, depth }: Pending<K::Set>) {
        let mut choices = std::mem::take(&mut self.choices);
        let features = live & !cube.outside;
        let constant = self.crew.kernel.rank(&mut self.bench, &set, features, cube.inside, &mut choices);
        let (live, mass, depth) = (live & !constant, K::mass(&set), depth + 1);
        let mut is_left = true;
        for &choice in &choices {
            let inside = cube.with(choice.feature);
            self.notes.split(inside, choice.feature, mass);
            let mut at_leaves = mass;
            self.crew.kernel.split(&mut self.bench, &set, choice, depth, |set| {
                at_leaves -= K::mass(&set);
                self.stack.push_back(Pending { set, cube: inside, live, depth });
            });
            self.done += at_leaves * u128::from(inside.n_subsets());
            if cube.inside >> choice.feature & 1 == 1 {
                is_left = false;
                break;
            }
            cube = cube.without(choice.feature);
        }
        self.choices = choices;
        if is_left {
            self.notes.leaf(cube);
            self.done += mass * u128::from(cube.n_subsets());
        }
    }
}
