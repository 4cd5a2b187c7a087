//! How many trees are of least cost. Two trees are equal when the same features stand at the same
//! places.

use std::collections::HashMap;

use num_bigint::BigUint;

use super::explore::{Column, Explorer, Fold, Shape, Subtable};
use super::least::answer;
use super::memo::keep_in;
use super::rule::{Budgets, Rule};
use super::sets::{Part, Sets};
use super::subtables::SubtableGraph;
use super::tier::with_sets;
use crate::base::control::Control;
use crate::base::error::Error;
use crate::base::outcome::{Halt, Outcome, Status};
use crate::model::tree::Cost;

impl SubtableGraph {
    /// The number of trees of least cost; with `every_subtree` only of those whose every subtree is
    /// of least cost for its subtable. The two differ where the cost is a maximum, as depth is.
    ///
    /// # Errors
    /// An unfinished graph, a cost too large to be summed.
    pub fn count_optimal(
        &self,
        cost: &Cost,
        every_subtree: bool,
        control: &Control,
    ) -> Result<Outcome<Option<BigUint>>, Error> {
        answer(self.counted(cost, every_subtree, control), control)
    }

    fn counted(&self, cost: &Cost, every_subtree: bool, control: &Control) -> Result<BigUint, Halt> {
        if self.is_complete() && self.is_leaf() {
            return Ok(BigUint::from(1u32));
        }
        let (rule, budgets) = Rule::optimal(self, cost, every_subtree, control)?;
        let mut count = Count { rule, kept: HashMap::new() };
        let counted = with_sets!(&**self.table(), sets => {
            Explorer::new(sets, self.alpha()).value(sets.all(), budgets, &mut count, control)
        });
        Ok(counted?)
    }
}

/// The fold that counts.
struct Count<'g> {
    rule: Rule<'g>,
    kept: HashMap<(u128, Budgets), BigUint>,
}

impl Fold for Count<'_> {
    type State = Budgets;
    type Value = BigUint;
    type Bundle = BigUint;

    fn known(&mut self, key: u128, budgets: &Budgets) -> Option<BigUint> {
        self.kept.get(&(key, budgets.clone())).cloned()
    }

    fn leaf(&mut self, _: &Part) -> Result<BigUint, Status> {
        Ok(BigUint::from(1u32))
    }

    fn below(&self, n_rows: u64, budgets: &Budgets) -> Budgets {
        self.rule.below(n_rows, budgets)
    }

    fn empty(&self) -> BigUint {
        BigUint::ZERO
    }

    fn open(&mut self, at: &Subtable<'_, Budgets>, parts: &[Part], column: Column) -> Option<BigUint> {
        self.rule.admits(at.key, at.n_rows, at.below, parts).then(|| BigUint::from(column.n_same))
    }

    fn add(&mut self, product: &mut BigUint, count: &BigUint) -> Result<(), Status> {
        *product *= count;
        Ok(())
    }

    fn close(&mut self, sum: &mut BigUint, product: BigUint) {
        *sum += product;
    }

    fn keep(&mut self, at: &Subtable<'_, Budgets>, _: Shape, sum: &mut BigUint) -> Result<(), Status> {
        keep_in(&mut self.kept, (at.key, at.state.clone()), sum.clone())
    }
}
