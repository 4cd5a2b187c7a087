//! The graph of subtables: built once, with the least of five costs for every subtable.
//!
//! Kept are the key and the five costs of every subtable that is not terminal, and the keys of the
//! terminal ones. Bundles and edges are counted, not kept: a query splits the rows again on its way
//! down.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use super::budget::Budget;
use super::explore::{Column, Explorer, Fold, Shape, Subtable, rt};
use super::memo::{self, Access, Memo};
use super::sets::{Part, Sets};
use super::tier::with_sets;
use crate::base::control::Control;
use crate::base::error::{Error, Result};
use crate::base::outcome::{Outcome, Status};
use crate::model::data::DecisionTable;
use crate::model::tree::Cost;

/// The least of each of the five named costs, in the order of `Cost::NAMED`.
pub(super) type Costs = [u32; 5];

/// Costs of a leaf.
pub(super) const LEAF: Costs = [0, 0, 1, 0, 1];

/// What a graph is built for and may use.
#[derive(Debug, Clone, Copy)]
pub struct GraphRules {
    /// A subtable is terminal when its rt is at most this.
    pub alpha: u64,
    /// Subtables kept that are not terminal, at the most.
    pub node_limit: u64,
    /// Bytes at the most.
    pub memory_limit: usize,
}

impl Default for GraphRules {
    fn default() -> Self {
        GraphRules { alpha: 0, node_limit: u64::MAX, memory_limit: usize::MAX }
    }
}

/// How large a graph is, as far as it was built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GraphSize {
    /// Subtables that are parted.
    pub n_nonterminal: u64,
    /// Subtables that are leaves.
    pub n_terminal: u64,
    /// Features that part a subtable, over all subtables.
    pub n_bundles: u64,
    /// Branches of these.
    pub n_edges: u64,
}

impl std::ops::AddAssign for GraphSize {
    fn add_assign(&mut self, other: Self) {
        self.n_nonterminal += other.n_nonterminal;
        self.n_terminal += other.n_terminal;
        self.n_bundles += other.n_bundles;
        self.n_edges += other.n_edges;
    }
}

/// All subtables of a table, with the least costs of each.
pub struct SubtableGraph {
    table: Arc<DecisionTable>,
    alpha: u64,
    pub(super) least: Memo<Costs>,
    size: GraphSize,
    bytes: usize,
    status: Status,
    /// Least costs of the whole table, or what the finished bundles of the root reach.
    root: Option<Costs>,
    /// Least values of costs of the user's own that were asked for.
    pub(super) own: Mutex<Vec<(Cost, Arc<Memo<u64>>)>>,
}

impl SubtableGraph {
    /// Builds the graph, or as much of it as the rules and the control allow.
    ///
    /// # Errors
    /// A table so large that its path lengths leave 32 bits.
    ///
    /// # Complexity
    /// Rows times features that vary, summed over the subtables.
    ///
    /// # Examples
    /// ```
    /// use std::sync::Arc;
    /// use treewright_core::{control::Control, data::DecisionTable, tables, tree::Cost};
    ///
    /// // Whether two bits differ.
    /// let columns = vec![vec![0, 0, 1, 1], vec![0, 1, 0, 1]];
    /// let table = Arc::new(DecisionTable::new(columns, vec![2, 2], vec![0, 1, 1, 0], 2)?);
    /// let control = Control::unlimited();
    /// let graph = tables::SubtableGraph::build(&table, &tables::GraphRules::default(), &control)?;
    /// assert_eq!(graph.value.least(), Some([2, 8, 7, 3, 4]));
    /// # Ok::<(), treewright_core::error::Error>(())
    /// ```
    pub fn build(table: &Arc<DecisionTable>, rules: &GraphRules, control: &Control) -> Result<Outcome<Self>> {
        let graph = Self::built(table, rules, control)?;
        let n_searched = graph.size.n_nonterminal + graph.size.n_terminal;
        Ok(Outcome { status: graph.status, value: graph, bound: None, stats: control.stats(n_searched) })
    }

    fn built(table: &Arc<DecisionTable>, rules: &GraphRules, control: &Control) -> Result<Self> {
        check_size(table)?;
        let mut graph = SubtableGraph {
            table: table.clone(),
            alpha: rules.alpha,
            least: Memo::new(),
            size: GraphSize::default(),
            bytes: 0,
            status: Status::Complete,
            root: None,
            own: Mutex::new(Vec::new()),
        };
        if graph.is_leaf() {
            graph.size.n_terminal = 1;
            graph.root = Some(LEAF);
            return Ok(graph);
        }
        let built = with_sets!(&**table, sets => graph.fill(sets, rules, control));
        if let Err(stop) = built {
            graph.status = stop;
        }
        Ok(graph)
    }

    /// The table.
    pub fn table(&self) -> &Arc<DecisionTable> {
        &self.table
    }

    /// The rt up to which a subtable is terminal.
    pub fn alpha(&self) -> u64 {
        self.alpha
    }

    /// How large it is.
    pub fn size(&self) -> GraphSize {
        self.size
    }

    /// Bytes in use when building ended.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Why building ended.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Whether all subtables are in it.
    pub fn is_complete(&self) -> bool {
        self.status == Status::Complete
    }

    /// The least of each of the five named costs, once the graph is complete.
    pub fn least(&self) -> Option<[u64; 5]> {
        self.is_complete().then(|| self.root.expect("a complete graph has a root").map(u64::from))
    }

    /// The least of each of the five named costs that the finished part of the graph reaches.
    pub fn reached(&self) -> Option<[u64; 5]> {
        self.root.map(|costs| costs.map(u64::from))
    }

    /// Whether the whole table is terminal.
    pub(super) fn is_leaf(&self) -> bool {
        let rows: Vec<u32> = (0..self.table.n_rows() as u32).collect();
        self.ends_at(&rows)
    }

    /// Whether some rows are a terminal subtable.
    pub(super) fn ends_at(&self, rows: &[u32]) -> bool {
        rt(&self.table, rows) <= self.alpha
    }

    /// Fills the memo, on several threads where nothing cuts the graph short.
    ///
    /// What a limit leaves of a graph depends on the order of the work. So the work of several threads counts
    /// only where one thread would finish too, whatever it holds on its way; elsewhere one does it again.
    fn fill<T: Sets>(
        &mut self,
        sets: &T,
        rules: &GraphRules,
        control: &Control,
    ) -> std::result::Result<(), Status> {
        let mut terminals = Memo::<()>::new();
        if control.is_parallel() {
            let most_open = Explorer::<T, Building<'_>>::most_bytes(sets) + memo::MOST_PASSING;
            let together = self.fill_from(sets, rules, control, (&mut terminals, true));
            let is_roomy = self.bytes.saturating_add(most_open) <= rules.memory_limit;
            match together {
                Ok(()) if is_roomy => return Ok(()),
                Err(stop @ (Status::TimeLimit | Status::Stopped)) => return Err(stop),
                _ => (self.size, self.root) = (GraphSize::default(), None),
            }
            self.least.clear();
            terminals.clear();
            control.report(0, 0);
        }
        self.fill_from(sets, rules, control, (&mut terminals, false))
    }

    fn fill_from<T: Sets>(
        &mut self,
        sets: &T,
        rules: &GraphRules,
        control: &Control,
        (terminals, together): (&mut Memo<()>, bool),
    ) -> std::result::Result<(), Status> {
        let budget = Budget::new(rules.node_limit, rules.memory_limit);
        let below = budget.take(sets.own_bytes()).and_then(|()| match together {
            true => self.fill_together(sets, terminals, &budget, control),
            false => Ok(()),
        });
        let mut building =
            Building::new(Access::Own(&mut self.least), Access::Own(terminals), &budget, control);
        let mut explorer = Explorer::new(sets, self.alpha);
        let done = below.and_then(|()| explorer.value(sets.all(), (), &mut building, control));
        self.size += building.size;
        self.bytes = budget.bytes();
        self.root = match done {
            Ok(costs) => Some(costs),
            Err(_) => self.reached_at_root(sets),
        };
        done.map(|_| ())
    }

    /// Fills the memo with all that lies below the root, on several threads.
    ///
    /// Parts of one feature have no row and so no subtable in common; threads that work on them
    /// share results and hardly ever do the same twice. What is kept is the same in any order.
    fn fill_together<T: Sets>(
        &mut self,
        sets: &T,
        terminals: &Memo<()>,
        budget: &Budget,
        control: &Control,
    ) -> std::result::Result<(), Status> {
        let tasks = root_parts(sets, self.alpha);
        let (next, alpha, least) = (AtomicUsize::new(0), self.alpha, &self.least);
        let work = |(): &mut (), _: &usize| {
            let mut building =
                Building::new(Access::Shared(least), Access::Shared(terminals), budget, control);
            let mut explorer = Explorer::new(sets, alpha);
            let mut stopped = Ok(());
            while let Some((f, part)) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                if stopped.is_ok() && building.known(part.key, &()).is_none() {
                    let set = sets.part(&sets.all(), *f, part.value);
                    stopped = explorer.value(set, (), &mut building, control).map(|_| ());
                }
            }
            (building.size, stopped)
        };
        let threads: Vec<usize> = (0..control.n_threads()).collect();
        let parts = control.map(&threads, || (), work);
        parts.iter().for_each(|(size, _)| self.size += *size);
        parts.into_iter().try_for_each(|(_, stopped)| stopped)
    }

    /// What the finished bundles of the root reach.
    fn reached_at_root<T: Sets>(&self, sets: &T) -> Option<Costs> {
        let n_rows = self.table.n_rows() as u32;
        let mut best: Option<Costs> = None;
        for f in 0..self.table.n_features() {
            let mut bundle = Bundle::new(n_rows);
            let parts = split(sets, &sets.all(), f, self.alpha);
            let known = parts.iter().all(|part| match part.is_terminal {
                true => bundle.add(&LEAF),
                false => self.least.get(part.key).is_some_and(|costs| bundle.add(&costs)),
            });
            if known && parts.len() > 1 {
                let costs = bundle.costs();
                best = Some(best.map_or(costs, |best| smaller(best, costs)));
            }
        }
        best
    }
}

fn check_size(table: &DecisionTable) -> Result<()> {
    let (n, m) = (table.n_rows() as u64, table.n_features() as u64);
    match n * (m.min(n) + 2) <= u32::MAX.into() {
        true => Ok(()),
        false => Err(Error::Parameter {
            name: "table",
            found: format!("{n} rows x {m} columns").into(),
            allowed: "of fewer than 2**32 cells for a graph of its subtables; take some of its rows",
        }),
    }
}

/// The parts of a subtable by a feature; one part where it is constant.
pub(super) fn split<T: Sets>(sets: &T, set: &T::Set, f: usize, alpha: u64) -> Vec<Part> {
    let (mut desk, mut parts) = (sets.desk(), Vec::new());
    sets.lay(&mut desk, set);
    sets.split(&mut desk, set, f, &mut parts);
    if alpha > 0 && parts.len() > 1 {
        for part in parts.iter_mut().filter(|part| !part.is_terminal) {
            part.is_terminal = rt(sets.table(), &sets.rows(&sets.part(set, f, part.value))) <= alpha;
        }
    }
    by_value(&mut parts);
    parts
}

fn by_value(parts: &mut [Part]) {
    parts.sort_by_key(|part| part.value);
}

/// Parts of the whole table that are to be entered, feature by feature.
fn root_parts<T: Sets>(sets: &T, alpha: u64) -> Vec<(usize, Part)> {
    let of = |f| {
        let parts = split(sets, &sets.all(), f, alpha);
        let varies = parts.len() > 1;
        parts.into_iter().filter(move |part| varies && !part.is_terminal).map(move |part| (f, part))
    };
    (0..sets.table().n_features()).flat_map(of).collect()
}

/// The five costs of a bundle in the making.
#[derive(Clone, Copy)]
pub(super) struct Bundle {
    n_rows: u32,
    sums: Costs,
}

impl Bundle {
    #[inline]
    pub fn new(n_rows: u32) -> Self {
        Bundle { n_rows, sums: [0; 5] }
    }

    #[inline]
    pub fn add(&mut self, costs: &Costs) -> bool {
        self.sums[0] = self.sums[0].max(costs[0]);
        (1..5).for_each(|i| self.sums[i] += costs[i]);
        true
    }

    #[inline]
    pub fn costs(&self) -> Costs {
        let [depth, path, nodes, internal, leaves] = self.sums;
        [depth + 1, path + self.n_rows, nodes + 1, internal + 1, leaves]
    }
}

#[inline]
pub(super) fn smaller(a: Costs, b: Costs) -> Costs {
    std::array::from_fn(|i| a[i].min(b[i]))
}

/// The fold that builds the graph.
struct Building<'a> {
    least: Access<'a, Costs>,
    terminals: Access<'a, ()>,
    budget: &'a Budget,
    control: &'a Control,
    size: GraphSize,
}

impl<'a> Building<'a> {
    fn new(
        least: Access<'a, Costs>,
        terminals: Access<'a, ()>,
        budget: &'a Budget,
        control: &'a Control,
    ) -> Self {
        Building { least, terminals, budget, control, size: GraphSize::default() }
    }
}

impl Fold for Building<'_> {
    type State = ();
    type Value = Costs;
    type Bundle = Bundle;

    #[inline]
    fn known(&mut self, key: u128, (): &()) -> Option<Costs> {
        self.least.get(key)
    }

    #[inline]
    fn leaf(&mut self, part: &Part) -> std::result::Result<Costs, Status> {
        let is_new = self.terminals.insert(part.key, (), self.budget)?;
        self.size.n_terminal += u64::from(is_new);
        Ok(LEAF)
    }

    fn empty(&self) -> Costs {
        [u32::MAX; 5]
    }

    #[inline]
    fn open(&mut self, at: &Subtable<'_, ()>, _: &[Part], _: Column) -> Option<Bundle> {
        Some(Bundle::new(at.n_rows as u32))
    }

    #[inline]
    fn add(&mut self, bundle: &mut Bundle, costs: &Costs) -> std::result::Result<(), Status> {
        bundle.add(costs);
        Ok(())
    }

    #[inline]
    fn close(&mut self, best: &mut Costs, bundle: Bundle) {
        *best = smaller(*best, bundle.costs());
    }

    fn keep(
        &mut self,
        at: &Subtable<'_, ()>,
        shape: Shape,
        best: &mut Costs,
    ) -> std::result::Result<(), Status> {
        self.budget.node()?;
        if !self.least.insert(at.key, *best, self.budget)? {
            self.budget.not_new();
            return Ok(());
        }
        self.size.n_nonterminal += 1;
        self.size.n_bundles += shape.n_bundles;
        self.size.n_edges += shape.n_edges;
        if self.size.n_nonterminal.is_multiple_of(1024) {
            self.control.advance(1024);
        }
        Ok(())
    }

    fn hold(&mut self, bytes: usize) -> std::result::Result<(), Status> {
        self.budget.take(bytes)
    }

    fn release(&mut self, bytes: usize) {
        self.budget.give_back(bytes);
    }
}
