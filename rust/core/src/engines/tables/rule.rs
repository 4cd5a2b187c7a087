//! Which bundles a query looks at: those of trees that keep to budgets or attain a minimum.
//!
//! A cost that is a maximum over children leaves slack in short branches, so its minimum is a budget
//! that every node hands on, less its own share. A cost that is a sum leaves none: every subtree of
//! a least tree is least.

use super::least::Least;
use super::sets::Part;
use super::subtables::SubtableGraph;
use crate::base::control::Control;
use crate::base::outcome::Halt;
use crate::model::tree::{Combine, Cost};

/// What is left of each budget at a subtable.
pub(super) type Budgets = Vec<u64>;

/// Bundles to look at.
#[derive(Clone, Default)]
pub(super) struct Rule<'g> {
    /// Costs that are maxima and may not pass a budget.
    pub budgets: Vec<Least<'g>>,
    /// A cost that every subtree must attain.
    pub attains: Option<Least<'g>>,
}

impl<'g> Rule<'g> {
    /// The rule of all trees of least `cost`, or of those whose every subtree is of least cost, and
    /// the budgets it begins with.
    pub fn optimal(
        graph: &'g SubtableGraph,
        cost: &Cost,
        every_subtree: bool,
        control: &Control,
    ) -> Result<(Self, Budgets), Halt> {
        let least = graph.least_of(cost, control)?;
        match cost.combine {
            Combine::Max if !every_subtree => {
                let budget = graph.least_at_root(cost, control)?;
                Ok((Rule { budgets: vec![least], attains: None }, vec![budget]))
            }
            _ => Ok((Rule { budgets: vec![], attains: Some(least) }, vec![])),
        }
    }

    /// Budgets of the parts of a subtable.
    pub fn below(&self, n_rows: u64, budgets: &Budgets) -> Budgets {
        let left = |(budget, least): (&u64, &Least<'_>)| budget.saturating_sub(least.cost.own(n_rows));
        budgets.iter().zip(&self.budgets).map(left).collect()
    }

    /// Whether a bundle is looked at.
    pub fn admits(&self, key: u128, n_rows: u64, below: &Budgets, parts: &[Part]) -> bool {
        let fits =
            |(budget, least): (&u64, &Least<'_>)| parts.iter().all(|part| least.of_part(part) <= *budget);
        let attained = |least: &Least<'_>| least.of_bundle(n_rows, parts) == least.of(key);
        self.attains.as_ref().is_none_or(attained) && below.iter().zip(&self.budgets).all(fits)
    }
}
