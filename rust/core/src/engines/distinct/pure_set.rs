//! Case sets of one class, which half of all are: leaves whatever features there are, so nothing is
//! kept of them but what they weigh.

use std::sync::Arc;

use super::shared_set::SharedSet;
use crate::base::bits::Mask;
use crate::engines::induce::{Cases, Problem};
use crate::model::data::FULL_SHARE;

/// A case set of one class, or without rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PureSet {
    pub class: u16,
    /// What is answered here: the class itself, unless costs say otherwise.
    pub answer: u16,
    /// In units of 2^-50.
    pub mass: u128,
    /// Loss of the validation rows here, in units of 2^-20.
    pub errors: u64,
}

impl PureSet {
    /// These rows, if they are of one class; without rows it is the parent's.
    pub fn of(problem: &Problem, cases: &Cases, search: &[u32], parent_class: u16) -> Option<Self> {
        let class_of = |row: u32| problem.target[row as usize];
        let whole = cases.whole.iter().map(|&row| (row, FULL_SHARE));
        let mut rows = whole.chain(cases.part.iter().map(|part| (part.row, part.share)));
        let (class, first) = match rows.next() {
            Some((row, share)) => (class_of(row), problem.weights.mass(row, share)),
            None => (parent_class, 0),
        };
        let mass = rows.try_fold(first, |mass, (row, share)| {
            (class_of(row) == class).then(|| mass + problem.weights.mass(row, share))
        })?;
        let answer = match mass {
            0 => parent_class,
            _ => problem.pure_answer(class),
        };
        let errors = search.iter().map(|&row| problem.loss(row, answer)).sum();
        Some(PureSet { class, answer, mass, errors })
    }
}

/// The case set of a branch.
pub(super) enum Child<M: Mask> {
    Pure(PureSet),
    Mixed(Arc<SharedSet<M>>),
}

impl<M: Mask> Clone for Child<M> {
    fn clone(&self) -> Self {
        match self {
            Child::Pure(set) => Child::Pure(*set),
            Child::Mixed(set) => Child::Mixed(set.clone()),
        }
    }
}

impl<M: Mask> Child<M> {
    #[inline]
    pub fn is_closed(&self) -> bool {
        match self {
            Child::Pure(_) => true,
            Child::Mixed(set) => set.closed,
        }
    }

    #[inline]
    pub fn mass(&self) -> u128 {
        match self {
            Child::Pure(set) => set.mass,
            Child::Mixed(set) => set.totals.mass,
        }
    }

    #[inline]
    pub fn class(&self) -> u16 {
        match self {
            Child::Pure(set) => set.answer,
            Child::Mixed(set) => set.totals.class,
        }
    }

    pub fn class_mass(&self, class: usize) -> u128 {
        match self {
            Child::Pure(set) if usize::from(set.class) == class => set.mass,
            Child::Pure(_) => 0,
            Child::Mixed(set) => set.totals.classes[class],
        }
    }

    pub fn errors(&self) -> u64 {
        match self {
            Child::Pure(set) => set.errors,
            Child::Mixed(set) => set.leaf_errors,
        }
    }

    /// What no bound on the errors here is above, in units of 2^-20.
    pub fn validation_weight(&self) -> u64 {
        match self {
            Child::Pure(set) => set.errors,
            Child::Mixed(set) => set.validation_weight,
        }
    }

    /// The set, which is known not to be pure.
    #[inline]
    pub fn mixed(&self) -> &Arc<SharedSet<M>> {
        match self {
            Child::Mixed(set) => set,
            Child::Pure(_) => unreachable!("a pure set is never scored or split"),
        }
    }
}
