//! What a split settles at once, found without making its case sets.

use super::case_store::{CaseId, CaseStore, MOST_LEAVES};
use super::judging::Price;
use super::ranking::Ranked;
use super::shared_set::{SharedSet, branch_of, threshold_code};
use crate::base::bits::Mask;
use crate::engines::induce::{Cut, Problem, Totals};
use crate::model::data::FULL_SHARE;

/// Validation rows behind a split on a feature.
#[derive(Debug, Clone, Copy)]
pub(super) struct Settled {
    feature: u32,
    /// What the branches count that are leaves whatever features there are, and the others at the least.
    pub value: u64,
    /// What bounds on the other branches may count more than that, at the most.
    pub open: u64,
}

impl<M: Mask> CaseStore<M> {
    /// What is settled if a case set is split on a ranked feature.
    pub(super) fn settled(&mut self, id: CaseId, ranked: Ranked) -> Settled {
        let set = self.get(id);
        if let Some(&settled) = set.settled.iter().find(|settled| settled.feature == ranked.feature) {
            return settled;
        }
        let known = set.branchings.iter().any(|branching| branching.feature() == ranked.feature);
        let looked_up =
            if known { None } else { set.shared.mixed().settled(&self.problem, ranked, self.price) };
        let settled = looked_up.unwrap_or_else(|| self.settled_by_branches(id, ranked));
        self.n_settled += 1;
        self.sets[id as usize].settled.push(settled);
        settled
    }

    fn settled_by_branches(&mut self, id: CaseId, ranked: Ranked) -> Settled {
        let mut settled = Settled { feature: ranked.feature, value: 0, open: 0 };
        let least = self.price.value(0, 1);
        for child in self.branches(id, ranked) {
            let child = self.get(child);
            match child.is_closed() {
                true => settled.value += child.leaf_value,
                false => {
                    settled.value += least;
                    settled.open += child.most - least;
                }
            }
        }
        settled
    }
}

impl<M: Mask> SharedSet<M> {
    /// The same for a set whose rows all know the feature, else `None`; groups are left to their branches.
    fn settled(&self, problem: &Problem, ranked: Ranked, price: Price) -> Option<Settled> {
        let (feature, cut) = (ranked.feature as usize, ranked.candidate.cut);
        if matches!(cut, Cut::Group(_)) {
            return None;
        }
        let (column, n_classes) = (problem.data.column(feature), problem.n_classes());
        let code_of = |row: u32| {
            let code = column.codes.get(row as usize);
            ((code as usize) < column.domain()).then_some(code)
        };
        let mut classes = vec![0; cut.n_branches(column.domain()) * n_classes];
        let whole = self.cases.whole.iter().map(|&row| (row, FULL_SHARE));
        for (row, share) in whole.chain(self.cases.part.iter().map(|part| (part.row, part.share))) {
            classes[cut.branch(code_of(row)?) * n_classes + problem.class_of(row)] +=
                problem.weights.mass(row, share);
        }
        let leaf_class = |classes: &[u128]| {
            let totals = Totals::new(problem, classes.into(), self.totals.class);
            problem.is_closed(&totals, self.depth + 1).then_some(totals.class)
        };
        let leaf_classes: Vec<_> = classes.chunks_exact(n_classes).map(leaf_class).collect();
        let threshold = threshold_code(problem, ranked);
        let (mut errors, mut weight) = (0, 0);
        for &row in self.search() {
            match leaf_classes[branch_of(cut, threshold, code_of(row)?)] {
                None => weight += problem.largest_loss(row),
                Some(class) => errors += problem.loss(row, class),
            }
        }
        let n_open = leaf_classes.iter().filter(|class| class.is_none()).count() as u64;
        Some(Settled {
            feature: ranked.feature,
            value: price.value(errors, leaf_classes.len() as u64),
            open: price.value(weight, n_open * (MOST_LEAVES - 1)),
        })
    }
}
