//! Trees of depth 3 and more, test by test.
//!
//! ```text
//! solve(S, d, cut-off):
//!     best = min(cut-off, S as a leaf, S at depth 2, S at depth d - 1)
//!     for every test in the order of its cost at depth 2, unless its sides cost too much anyway:
//!         its sides, at depth 2 both at once (`judge`), else one after the other
//!         best = min(best, their sum)
//!         raise what the sides of other tests cost at least
//! ```
//!
//! Sets are met in several orders of their tests; what they cost at depth 2 is kept. That is a pure function of the
//! set, so a search does not depend on what was kept.

use super::super::lanes::{Cond, Lane};
use super::super::plan::Plan;
use super::super::solve::{Ask, NO_CUTOFF, Solved, below};
use super::judge::{Judge, Sides, Whole};
use super::node::Node;
use super::root::{Root, Test};
use super::rows::{Rows, Take};
use crate::base::control::Control;
use crate::base::outcome::Status;

/// Tests of a path whose sets are kept, at the most: they fit a number.
const MOST_ON_PATH: usize = 4;

/// What one thread works with.
pub(super) struct Work<'a, T> {
    root: &'a Root<T>,
    control: &'a Control,
    /// Sets below the one in work, by level.
    levels: Vec<Node<T>>,
    small: Rows,
    judges: [Judge<T>; 2],
    /// The sides of tests that lead to the set in work.
    path: Vec<usize>,
    pub n_sets: u64,
    pub most_sets: u64,
}

impl<'a, T: Lane> Work<'a, T> {
    pub fn new(root: &'a Root<T>, control: &'a Control) -> Self {
        Work {
            root,
            control,
            levels: Vec::new(),
            small: Rows::default(),
            judges: [Judge::default(), Judge::default()],
            path: Vec::new(),
            n_sets: 0,
            most_sets: u64::MAX,
        }
    }

    fn checkpoint(&self) -> Result<(), Status> {
        match self.n_sets > self.most_sets {
            true => Err(Status::NodeLimit),
            false => self.control.checkpoint(),
        }
    }

    /// The whole set's tests, those of least cost at depth 2 first.
    pub fn in_order(&mut self) -> Vec<Test> {
        let node = &self.root.node;
        self.whole(node);
        self.order().into_iter().map(|test| self.root.tests[node.names[test]]).collect()
    }

    /// The whole set at depth 2.
    pub fn whole_at_two(&mut self, cutoff: i64) -> (i64, Option<Plan>) {
        self.n_sets += 1;
        let node = &self.root.node;
        let cost = self.whole(node);
        match cost < cutoff {
            true => (cost, Some(self.plan(node, 0, cost))),
            false => (cutoff, None),
        }
    }

    /// Both sides of a test of the whole set at depth 2.
    pub fn root_sides_at_two(&mut self, axis: usize, cond: Cond) -> ([i64; 2], [Plan; 2]) {
        let (place, is_turned) = self.root.place[self.root.number(axis, cond)];
        let node = &self.root.node;
        self.path.clear();
        let costs = self.judged(node, place);
        let [left, right] = [0, 1].map(|side| self.plan(node, side, costs[side]));
        match is_turned {
            false => (costs, [left, right]),
            true => ([costs[1], costs[0]], [right, left]),
        }
    }

    /// One side of a test of the whole set, at depth 3 or more.
    pub fn root_side(&mut self, axis: usize, cond: Cond, is_left: bool, ask: Ask) -> Solved {
        let (place, is_turned) = self.root.place[self.root.number(axis, cond)];
        self.path.clear();
        self.solve_side(&self.root.node, place, is_left != is_turned, ask)
    }

    fn solve_side(&mut self, node: &Node<T>, test: usize, is_left: bool, ask: Ask) -> Solved {
        let mut side = self.levels.pop().unwrap_or_default();
        side.side(node, test, is_left, self.root.instructions);
        self.path.push(literal(node, test, is_left));
        let solved = self.solve(&side, ask);
        self.path.pop();
        self.levels.push(side);
        solved
    }

    /// The least cost of a set at depth 3 or more.
    fn solve(&mut self, node: &Node<T>, ask: Ask) -> Solved {
        let price = self.root.price;
        let totals = node.table.totals.iter().map(|total| total.wide());
        let leaf = price.of(totals.clone().sum::<i64>() - totals.max().unwrap_or(0), 1);
        let (mut best, mut plan) = below(leaf, Plan::Leaf, ask.cutoff);
        let least_of_all = ask.known.max(2 * price.leaf);
        if best <= least_of_all || node.table.n == 0 {
            return Ok((best, plan));
        }
        self.checkpoint()?;
        self.n_sets += 1;
        let mut whole = self.whole(node);
        let order = self.order();
        if whole < best {
            (best, plan) = (whole, Some(self.plan(node, 0, whole)));
        }
        if ask.depth > 3 && whole > least_of_all {
            let found;
            (whole, found) =
                self.solve(node, Ask { depth: ask.depth - 1, cutoff: NO_CUTOFF, known: 0, ..ask })?;
            if whole < best {
                (best, plan) = (whole, found);
            }
        }
        let mut least = Vec::new();
        node.least(whole, price, &mut least);
        for test in order {
            if best <= least_of_all {
                break;
            }
            if least[test][0] + least[test][1] >= best {
                continue;
            }
            self.checkpoint()?;
            let (ends, found) = self.sides(node, test, ask.depth, least[test], best)?;
            if let Some([left, right]) = found.filter(|_| ends[0] + ends[1] < best) {
                let of = self.root.tests[node.names[test]];
                (best, plan) = (ends[0] + ends[1], Some(Plan::split(of.axis, of.cond, left, right)));
            }
            node.raise(test, ends, price, &mut least);
        }
        Ok((best, plan))
    }

    /// Both sides of a test as far as matters, and their plans if they cost less than `best` together.
    fn sides(
        &mut self,
        node: &Node<T>,
        test: usize,
        depth: u32,
        least: [i64; 2],
        best: i64,
    ) -> Result<([i64; 2], Option<[Plan; 2]>), Status> {
        if depth == 3 {
            return Ok(self.sides_at_two_of(node, test, best));
        }
        let ask = Ask { depth: depth - 1, leaves: u32::MAX, cutoff: best - least[1], known: least[0] };
        let (left, left_plan) = self.solve_side(node, test, true, ask)?;
        let left = left.max(least[0]);
        if left + least[1] >= best {
            return Ok(([left, least[1]], None));
        }
        let ask = Ask { cutoff: best - left, known: least[1], ..ask };
        let (right, right_plan) = self.solve_side(node, test, false, ask)?;
        Ok(([left, right.max(least[1])], left_plan.zip(right_plan).map(|(left, right)| [left, right])))
    }

    fn sides_at_two_of(&mut self, node: &Node<T>, test: usize, best: i64) -> ([i64; 2], Option<[Plan; 2]>) {
        let keys = [true, false].map(|is_left| self.key(literal(node, test, is_left)));
        let known = keys.map(|key| self.root.known(key));
        if let [Some(left), Some(right)] = known
            && left + right >= best
        {
            // What is known counts as well, so that limits and counts do not depend on who came first.
            self.n_sets += 2;
            return ([left, right], None);
        }
        let costs = self.judged(node, test);
        for (key, cost) in keys.into_iter().zip(costs) {
            self.root.keep(key, cost);
        }
        let is_better = costs[0] + costs[1] < best;
        (costs, is_better.then(|| [0, 1].map(|side| self.plan(node, side, costs[side]))))
    }

    /// The cost of a set at depth 2; judge 0 knows more.
    fn whole(&mut self, node: &Node<T>) -> i64 {
        let whole = Whole { table: &node.table, judge: &mut self.judges[0] };
        let losses = self.root.instructions.run(whole);
        self.cost(losses)
    }

    /// The cost of both sides of a test at depth 2; their judges, 0 and 1, know more.
    fn judged(&mut self, node: &Node<T>, test: usize) -> [i64; 2] {
        self.n_sets += 2;
        let (table, isa) = (&node.table, self.root.instructions);
        let is_left = 2 * table.weight(test) <= table.total();
        let small = &mut self.small;
        isa.run(Take { from: &node.rows, test, is_left, into: small });
        let judges = &mut self.judges;
        let [small, large] = isa.run(Sides { table, small, judges }).map(|losses| self.cost(losses));
        if is_left {
            return [small, large];
        }
        self.judges.swap(0, 1);
        [large, small]
    }

    fn cost(&self, losses: [i64; 4]) -> i64 {
        let [one, two, three, four] = losses;
        let price = self.root.price;
        price.of(one, 1).min(price.of(two, 2)).min(price.of(three, 3)).min(price.of(four, 4))
    }

    /// What the tree with a test at its root costs at depth 2.
    fn cost_of(&self, judge: &Judge<T>, test: usize) -> i64 {
        let (all, price) = (judge.weight(), self.root.price);
        let [two, three, four] = judge.of_test(test);
        price.of(all - two, 2).min(price.of(all - three, 3)).min(price.of(all - four, 4))
    }

    /// The tests of the set that was judged as a whole, those of least cost first.
    fn order(&self) -> Vec<usize> {
        let judge = &self.judges[0];
        let costs: Vec<i64> = (0..judge.n_tests()).map(|test| self.cost_of(judge, test)).collect();
        by_cost(&costs)
    }

    /// A tree of depth 2 that costs so much, of what was judged last.
    fn plan(&self, node: &Node<T>, judge: usize, cost: i64) -> Plan {
        let judge = &self.judges[judge];
        let parts = |test: usize| judge.parts_rows(test) && self.cost_of(judge, test) == cost;
        let test = (0..judge.n_tests())
            .filter(|_| self.root.price.of(judge.lost(), 1) > cost)
            .find(|&test| parts(test));
        test.map_or(Plan::Leaf, |test| {
            let of = self.root.tests[node.names[test]];
            Plan::split(of.axis, of.cond, Plan::Stump, Plan::Stump)
        })
    }

    /// A number for a set below the one in work, whatever the order of its tests.
    fn key(&self, side: usize) -> Option<u64> {
        let mut path = self.path.clone();
        path.push(side);
        path.sort_unstable();
        let key = path.iter().fold(0, |key, &side| key << 16 | (side as u64 + 1));
        (path.len() <= MOST_ON_PATH && path.len() > 1).then_some(key)
    }
}

fn literal<T>(node: &Node<T>, test: usize, is_left: bool) -> usize {
    2 * node.names[test] + usize::from(is_left)
}

/// The tests, the cheapest first; equal ones by their index.
fn by_cost(costs: &[i64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..costs.len()).collect();
    order.sort_by_key(|&test| costs[test]);
    order
}
