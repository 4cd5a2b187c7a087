//! Forgetting the case sets that no open tree needs.

use super::case_store::{Branching, CaseId, CaseSet, CaseStore};
use super::forest::{Forest, LEAF, TreeId};
use crate::base::bits::Mask;

/// A forest over its limit looks for what it can forget once this share of its case sets is new.
const NEW_SHARE: usize = 4;

impl<M: Mask> Forest<M> {
    /// Whether it is worth looking for case sets to forget, over a limit of `cap` bytes.
    pub fn is_crowded(&self, cap: usize) -> bool {
        let n_sets = self.store.sets.len();
        n_sets > self.n_kept + self.n_kept / NEW_SHARE && self.n_bytes() > cap
    }

    /// Forgets every case set that no tree of `roots` has a node at. Other trees must not be used
    /// any more.
    pub fn collect(&mut self, roots: impl IntoIterator<Item = TreeId>) {
        let mut trees = Marks::new(self.nodes.len());
        let mut sets = Marks::new(self.store.sets.len());
        sets.set(0);
        let mut pending: Vec<TreeId> = roots.into_iter().collect();
        while let Some(tree) = pending.pop() {
            if trees.set(tree as usize) {
                sets.set(self.node(tree).case as usize);
                pending.extend_from_slice(self.children_of(tree));
            }
        }
        let new_ids = self.store.keep(&sets);
        for (node, _) in self.nodes.iter_mut().zip(&trees.0).filter(|&(_, &wanted)| wanted) {
            let branchings = &new_ids.branchings[node.case as usize];
            node.case = new_ids.sets[node.case as usize];
            if node.branching != LEAF {
                node.branching = branchings[node.branching as usize];
            }
        }
        self.n_kept = self.store.sets.len();
    }
}

/// Which of some things are wanted.
pub(super) struct Marks(Vec<bool>);

impl Marks {
    fn new(n: usize) -> Self {
        Marks(vec![false; n])
    }

    /// Whether it was not marked before.
    fn set(&mut self, at: usize) -> bool {
        !std::mem::replace(&mut self.0[at], true)
    }
}

/// Numbers after others were forgotten; those of what was forgotten mean nothing.
struct NewIds {
    sets: Vec<CaseId>,
    /// For every case set, the index of each of its branchings.
    branchings: Vec<Vec<u32>>,
}

impl<M: Mask> CaseStore<M> {
    /// Keeps the marked sets only, and the branchings that lead to some.
    fn keep(&mut self, wanted: &Marks) -> NewIds {
        let mut next = 0;
        let ids = wanted.0.iter().map(|&keep| {
            next += u32::from(keep);
            next - u32::from(keep)
        });
        let mut new_ids = NewIds { sets: ids.collect(), branchings: vec![Vec::new(); wanted.0.len()] };
        let sets = std::mem::take(&mut self.sets).into_iter().enumerate();
        self.sets = sets
            .filter(|&(id, _)| wanted.0[id])
            .map(|(id, mut set)| {
                new_ids.branchings[id] = thin_out(&mut set, wanted, &new_ids.sets);
                set
            })
            .collect();
        self.n_settled = self.sets.iter().map(|set| set.settled.len()).sum();
        new_ids
    }
}

/// Drops the branchings of a set that lead to no wanted set; returns the new index of each.
fn thin_out<M: Mask>(set: &mut CaseSet<M>, wanted: &Marks, new_ids: &[CaseId]) -> Vec<u32> {
    let mut next = 0;
    let mut indices = Vec::with_capacity(set.branchings.len());
    let shared = &set.shared;
    set.branchings.retain_mut(|branching: &mut Branching<M>| {
        indices.push(next);
        let first = branching.first_child as usize;
        let kept = wanted.0[first];
        if kept {
            branching.first_child = new_ids[first];
            next += 1;
        } else {
            shared.mixed().forget(branching.feature());
        }
        kept
    });
    set.branchings.shrink_to_fit();
    indices
}
