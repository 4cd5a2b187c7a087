//! Trees that are least in one cost and, among those, least in the next.
//!
//! Costs that are sums add up in order, so one pass minimises them together: a list of sums is
//! compared lexicographically, and the least list of a bundle is the sum of the least lists of its
//! parts. A maximum may stand last in such a list. Anywhere before, its least value is found first
//! and becomes a budget, which is part of the state from then on; eliminating bundles node by node
//! instead would lose trees whose short branches have slack.

use std::collections::HashMap;
use std::sync::Arc;

use super::explore::{Column, Explorer, Fold, Joined, Shape, Subtable};
use super::least::answer;
use super::memo::keep_in;
use super::plant::plant;
use super::rule::{Budgets, Rule};
use super::sets::{Part, Sets};
use super::subtables::{SubtableGraph, split};
use super::tier::with_sets;
use crate::base::control::Control;
use crate::base::error::Error;
use crate::base::outcome::{Halt, Outcome, Status};
use crate::model::data::Schema;
use crate::model::tree::{Combine, Cost, Tree};

/// Costs that may follow one another.
const MAX_COSTS: usize = 8;

/// Values of up to [`MAX_COSTS`] costs; the rest 0.
type List = [u64; MAX_COSTS];

const NONE: List = [u64::MAX; MAX_COSTS];

type Kept = HashMap<(u128, Budgets), List>;

impl SubtableGraph {
    /// A tree of least cost, the costs taken one after the other: the first decides, the second
    /// among the trees least in the first, and so on. Where several are left, every node, the root
    /// first, has the lowest feature that one of them has there; for depth alone every subtree is of
    /// least depth too.
    ///
    /// # Errors
    /// No cost or more than eight different ones, an unfinished graph, an interrupt.
    pub fn tree(
        &self,
        schema: &Arc<Schema>,
        costs: &[Cost],
        control: &Control,
    ) -> Result<Outcome<Option<Tree>>, Error> {
        answer(self.least_tree(schema, costs, control), control)
    }

    fn least_tree(&self, schema: &Arc<Schema>, costs: &[Cost], control: &Control) -> Result<Tree, Halt> {
        let costs = check(costs)?;
        if !self.is_complete() {
            return Err(self.unfinished().into());
        }
        if self.is_leaf() {
            return plant(self.table(), schema, (), &mut |_, ()| Ok(None));
        }
        with_sets!(&**self.table(), sets => self.tree_by(sets, schema, costs, control))
    }

    fn tree_by<T: Sets>(
        &self,
        sets: &T,
        schema: &Arc<Schema>,
        mut costs: Vec<Cost>,
        control: &Control,
    ) -> Result<Tree, Halt> {
        let (mut rule, mut budgets) = (Rule::default(), Budgets::new());
        while let Some(at) = costs[..costs.len() - 1].iter().position(|cost| cost.combine == Combine::Max) {
            let least = self.least_of(&costs[at], control)?;
            let budget = match at == 0 && budgets.is_empty() {
                true => least.of(sets.key(&sets.all())),
                false => self.pass(sets, rule.clone(), &budgets, &costs[..=at], control)?.least[at],
            };
            rule.budgets.push(least);
            budgets.push(budget);
            costs.remove(at);
        }
        let pass = self.pass(sets, rule, &budgets, &costs, control)?;
        plant(self.table(), schema, budgets, &mut |rows, budgets| {
            control.checkpoint()?;
            Ok(pass.choose(sets, self.alpha(), rows, budgets))
        })
    }

    /// The least list of costs that keeps to the budgets.
    fn pass<'g, T: Sets>(
        &'g self,
        sets: &T,
        mut rule: Rule<'g>,
        budgets: &Budgets,
        costs: &[Cost],
        control: &Control,
    ) -> Result<Pass<'g>, Halt> {
        if budgets.is_empty() {
            rule.attains = Some(self.least_of(&costs[0], control)?);
        }
        let mut pass = Pass { rule, costs: costs.to_vec(), kept: Kept::new(), least: NONE };
        let mut explorer = Explorer::new(sets, self.alpha());
        pass.least = explorer.value(sets.all(), budgets.clone(), &mut pass, control)?;
        Ok(pass)
    }
}

/// Different costs in their order.
fn check(costs: &[Cost]) -> Result<Vec<Cost>, Error> {
    let mut different: Vec<Cost> = Vec::new();
    for cost in costs {
        if !different.contains(cost) {
            different.push(*cost);
        }
    }
    match (1..=MAX_COSTS).contains(&different.len()) {
        true => Ok(different),
        false => Err(Error::Parameter {
            name: "costs",
            found: format!("{} different ones", different.len()).into(),
            allowed: "1 to 8 costs, the first to be minimised first",
        }),
    }
}

/// A minimisation that was gone through, with the least lists it met.
struct Pass<'g> {
    rule: Rule<'g>,
    costs: Vec<Cost>,
    kept: Kept,
    least: List,
}

impl Pass<'_> {
    fn leaf_list(&self) -> List {
        std::array::from_fn(|i| self.costs.get(i).map_or(0, |cost| cost.leaf))
    }

    fn join(&self, a: &List, b: &List) -> List {
        std::array::from_fn(|i| self.costs.get(i).map_or(0, |cost| cost.join(a[i], b[i])))
    }

    fn with_own(&self, n_rows: u64, below: &List) -> List {
        std::array::from_fn(|i| self.costs.get(i).map_or(0, |cost| cost.own(n_rows) + below[i]))
    }

    /// The lowest feature that attains the least list of a subtable, and the budgets of its parts.
    fn choose<T: Sets>(
        &self,
        sets: &T,
        alpha: u64,
        rows: &[u32],
        budgets: Budgets,
    ) -> Option<(usize, Vec<Budgets>)> {
        let (set, n_rows) = (sets.of_rows(rows), rows.len() as u64);
        let (key, below) = (sets.key(&set), self.rule.below(n_rows, &budgets));
        let least = self.kept.get(&(key, budgets))?;
        let list = |part: &Part| match part.is_terminal {
            true => self.leaf_list(),
            false => self.kept[&(part.key, below.clone())],
        };
        let attains = |parts: &[Part]| {
            let joined = parts.iter().map(list).reduce(|a, b| self.join(&a, &b));
            joined.is_some_and(|below| self.with_own(n_rows, &below) == *least)
        };
        (0..sets.table().n_features()).find_map(|f| {
            let parts = split(sets, &set, f, alpha);
            let fits = parts.len() > 1 && self.rule.admits(key, n_rows, &below, &parts) && attains(&parts);
            fits.then(|| (f, vec![below.clone(); parts.len()]))
        })
    }
}

impl Fold for Pass<'_> {
    type State = Budgets;
    type Value = List;
    type Bundle = Joined<List>;

    fn known(&mut self, key: u128, budgets: &Budgets) -> Option<List> {
        self.kept.get(&(key, budgets.clone())).copied()
    }

    fn leaf(&mut self, _: &Part) -> Result<List, Status> {
        Ok(self.leaf_list())
    }

    fn below(&self, n_rows: u64, budgets: &Budgets) -> Budgets {
        self.rule.below(n_rows, budgets)
    }

    fn empty(&self) -> List {
        NONE
    }

    fn open(&mut self, at: &Subtable<'_, Budgets>, parts: &[Part], _: Column) -> Option<Joined<List>> {
        let admitted = self.rule.admits(at.key, at.n_rows, at.below, parts);
        admitted.then(|| Joined::new(at.n_rows))
    }

    fn add(&mut self, bundle: &mut Joined<List>, list: &List) -> Result<(), Status> {
        bundle.below = Some(bundle.below.map_or(*list, |below| self.join(&below, list)));
        Ok(())
    }

    fn close(&mut self, best: &mut List, bundle: Joined<List>) {
        let below = bundle.below.expect("a bundle has parts");
        *best = (*best).min(self.with_own(bundle.n_rows, &below));
    }

    fn keep(&mut self, at: &Subtable<'_, Budgets>, _: Shape, best: &mut List) -> Result<(), Status> {
        keep_in(&mut self.kept, (at.key, at.state.clone()), *best)
    }
}
