//! All trees of least cost, one after the other.
//!
//! A tree is the list of its choices in preorder. The next tree changes the last choice that can be
//! changed and takes the first choice everywhere after it; so trees come in the order of their
//! features, the root's first, and nothing but the present tree is kept.

use std::sync::Arc;

use super::least::answer;
use super::plant::plant;
use super::rule::{Budgets, Rule};
use super::sets::Sets;
use super::subtables::{SubtableGraph, split};
use super::tier::with_sets;
use crate::base::control::Control;
use crate::base::error::Error;
use crate::base::outcome::{Halt, Outcome, Status};
use crate::model::data::Schema;
use crate::model::tree::{Cost, Tree};

/// Subtables that need a node: parts `next..` of one bundle, then what follows the bundle in preorder.
/// So the chain is no longer than a tree is deep.
struct Pending {
    /// Rows of the parts that are no leaves.
    parts: Arc<[Vec<u32>]>,
    next: usize,
    budgets: Budgets,
    after: Option<Arc<Pending>>,
}

impl Pending {
    fn new(parts: Arc<[Vec<u32>]>, budgets: Budgets, after: Option<Arc<Pending>>) -> Option<Arc<Self>> {
        match parts.is_empty() {
            true => after,
            false => Some(Arc::new(Pending { parts, next: 0, budgets, after })),
        }
    }

    fn rows(&self) -> &[u32] {
        &self.parts[self.next]
    }

    /// What is pending once the first subtable has its node.
    fn following(&self) -> Option<Arc<Self>> {
        let Pending { parts, next, budgets, after } = self;
        match next + 1 == parts.len() {
            true => after.clone(),
            false => Some(Arc::new(Pending {
                parts: parts.clone(),
                next: next + 1,
                budgets: budgets.clone(),
                after: after.clone(),
            })),
        }
    }
}

/// A choice made at a node.
struct Choice {
    at: Arc<Pending>,
    features: Vec<u32>,
    chosen: usize,
}

/// A paused enumeration.
pub struct OptimalTrees {
    graph: Arc<SubtableGraph>,
    schema: Arc<Schema>,
    cost: Cost,
    choices: Vec<Choice>,
    /// Subtables still without a node, should an interrupt have come in between.
    pending: Option<Arc<Pending>>,
    is_finished: bool,
    /// Found and not handed over.
    ready: Vec<Tree>,
}

impl OptimalTrees {
    /// The trees of least cost in the graph.
    ///
    /// # Errors
    /// An unfinished graph, an interrupt, a cost too large to be summed.
    pub fn new(
        graph: Arc<SubtableGraph>,
        schema: Arc<Schema>,
        cost: Cost,
        control: &Control,
    ) -> Result<Outcome<Option<Self>>, Error> {
        answer(Self::begun(graph, schema, cost, control), control)
    }

    fn begun(
        graph: Arc<SubtableGraph>,
        schema: Arc<Schema>,
        cost: Cost,
        control: &Control,
    ) -> Result<Self, Halt> {
        if !graph.is_complete() {
            return Err(graph.unfinished().into());
        }
        let budgets = match graph.is_leaf() {
            true => vec![],
            false => Rule::optimal(&graph, &cost, false, control)?.1,
        };
        let rows: Vec<u32> = (0..graph.table().n_rows() as u32).collect();
        let pending = Pending::new(Arc::from([rows]), budgets, None);
        let (choices, ready) = (vec![], vec![]);
        Ok(OptimalTrees { graph, schema, cost, choices, pending, is_finished: false, ready })
    }

    /// Finds trees until `n` are ready for [`OptimalTrees::drain`] or none is left; those found before a
    /// limit stay ready.
    ///
    /// # Errors
    /// A cost too large to be summed.
    pub fn find(&mut self, n: usize, control: &Control) -> Result<Outcome<()>, Error> {
        let status = match self.search(n, control) {
            Ok(()) => Status::Complete,
            Err(Halt::Ended(status)) => status,
            Err(Halt::Failed(error)) => return Err(error),
        };
        Ok(Outcome { value: (), status, bound: None, stats: control.stats(0) })
    }

    fn search(&mut self, n: usize, control: &Control) -> Result<(), Halt> {
        let graph = self.graph.clone();
        if graph.is_leaf() {
            if n > 0 && !std::mem::replace(&mut self.is_finished, true) {
                self.ready.push(self.tree());
            }
            return Ok(());
        }
        let (rule, _) = Rule::optimal(&graph, &self.cost, false, control)?;
        with_sets!(&**graph.table(), sets => {
            while self.ready.len() < n && !self.is_finished {
                self.complete(sets, &rule, control)?;
                self.ready.push(self.tree());
                self.step(sets, &rule);
            }
        });
        Ok(())
    }

    /// Hands over what is ready, at most `n` trees.
    pub fn drain(&mut self, n: usize) -> Vec<Tree> {
        self.ready.drain(..n.min(self.ready.len())).collect()
    }

    /// Takes the first choice at every subtable still without a node.
    fn complete<T: Sets>(&mut self, sets: &T, rule: &Rule<'_>, control: &Control) -> Result<(), Status> {
        while let Some(at) = self.pending.clone() {
            control.checkpoint()?;
            let features = self.features(sets, rule, &at);
            self.choices.push(Choice { at, features, chosen: 0 });
            self.descend(sets, rule);
        }
        Ok(())
    }

    /// The features that trees of least cost have at a subtable.
    fn features<T: Sets>(&self, sets: &T, rule: &Rule<'_>, at: &Pending) -> Vec<u32> {
        let (set, n_rows) = (sets.of_rows(at.rows()), at.rows().len() as u64);
        let (key, below) = (sets.key(&set), rule.below(n_rows, &at.budgets));
        let fits = |&f: &u32| {
            let parts = split(sets, &set, f as usize, self.graph.alpha());
            parts.len() > 1 && rule.admits(key, n_rows, &below, &parts)
        };
        (0..sets.table().n_features() as u32).filter(fits).collect()
    }

    /// Puts the parts of the last choice before what is pending after it.
    fn descend<T: Sets>(&mut self, sets: &T, rule: &Rule<'_>) {
        let Choice { at, features, chosen } = self.choices.last().expect("a choice was made");
        let below = rule.below(at.rows().len() as u64, &at.budgets);
        let parts = super::plant::parts(sets.table(), at.rows(), features[*chosen] as usize);
        let open = parts.into_iter().map(|part| part.1).filter(|rows| !self.graph.ends_at(rows));
        self.pending = Pending::new(open.collect(), below, at.following());
    }

    /// Changes the last choice that can be changed.
    fn step<T: Sets>(&mut self, sets: &T, rule: &Rule<'_>) {
        while let Some(choice) = self.choices.last_mut() {
            choice.chosen += 1;
            if choice.chosen < choice.features.len() {
                self.descend(sets, rule);
                return;
            }
            self.choices.pop();
        }
        self.is_finished = true;
    }

    /// The tree of the choices made.
    fn tree(&self) -> Tree {
        let mut choices = self.choices.iter();
        let mut choose = |rows: &[u32], ()| -> Result<_, std::convert::Infallible> {
            if self.graph.ends_at(rows) {
                return Ok(None);
            }
            let choice = choices.next().expect("every node has a choice");
            Ok(Some((choice.features[choice.chosen] as usize, vec![(); rows.len()])))
        };
        let Ok(tree) = plant(self.graph.table(), &self.schema, (), &mut choose);
        tree
    }
}
