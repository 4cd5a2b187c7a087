//! The tree behind a value: at every node the first feature that attains it.

use std::sync::Arc;

use super::space::{Joint, Path, Solver, Space, is_reachable, product};
use crate::base::ordering::FIXED_DEPTH_TIE;
use crate::base::outcome::Status;
use crate::model::data::Schema;
use crate::model::tree::{Routing, Split, Tree, TreeBuilder};

/// A tree in the making: what every node tests, and its joint probabilities.
pub struct Plan<const K: usize> {
    feature: Option<u32>,
    class: u16,
    joint: Joint<K>,
    below: Vec<Plan<K>>,
}

impl<const K: usize> Plan<K> {
    /// The best tree from the start. Where `trims`, tests that decide nothing are left out.
    ///
    /// # Errors
    /// The control's interrupt.
    pub fn best(solver: &mut dyn Solver<K>, trims: bool) -> Result<Self, Status> {
        let (mut path, root) = (Path::start(solver.space()), solver.space().root);
        let mut plan = Self::below(solver, &mut path, root, trims)?;
        if trims {
            plan.trim(solver.space());
        }
        Ok(plan)
    }

    fn below(
        solver: &mut dyn Solver<K>,
        path: &mut Path,
        joint: Joint<K>,
        trims: bool,
    ) -> Result<Self, Status> {
        let mut plan = Plan { feature: None, class: 0, joint, below: Vec::new() };
        plan.class = solver.space().worth.answer(&joint) as u16;
        if !is_reachable(&joint) {
            return Ok(plan);
        }
        plan.feature = first_attaining(solver, path, &joint, trims)?;
        let Some(feature) = plan.feature else { return Ok(plan) };
        for value in 0..solver.space().values(feature).len() {
            let joint = product(&joint, &solver.space().values(feature)[value]);
            path.push(solver.space(), feature);
            plan.below.push(Self::below(solver, path, joint, trims)?);
            path.pop(solver.space());
        }
        Ok(plan)
    }

    fn is_reachable(&self) -> bool {
        is_reachable(&self.joint)
    }

    /// Leaves out tests that decide nothing: after each of their values the same is asked and answered.
    ///
    /// What is below is worth the same without the test, since the joint probabilities of its values
    /// sum up to those of the node.
    fn trim(&mut self, space: &Space<K>) {
        self.below.iter_mut().for_each(|plan| plan.trim(space));
        if self.feature.is_none() {
            return;
        }
        let first = self.below.iter().position(Plan::is_reachable);
        let is_idle = first.is_none_or(|first| {
            let first = &self.below[first];
            self.below.iter().filter(|plan| plan.is_reachable()).all(|plan| plan.decides_like(first))
        });
        if is_idle {
            let joint = self.joint;
            let kept = first.map(|first| self.below.swap_remove(first));
            (self.feature, self.below) = kept.map_or((None, Vec::new()), |plan| (plan.feature, plan.below));
            self.start_from(joint, space);
        }
    }

    /// Whether two trees ask and answer the same, and can reach the same of it.
    fn decides_like(&self, other: &Self) -> bool {
        let same = |(one, other): (&Self, &Self)| {
            one.is_reachable() == other.is_reachable() && (!one.is_reachable() || one.decides_like(other))
        };
        match (self.feature, other.feature) {
            (None, None) => self.class == other.class,
            (one, other_feature) => one == other_feature && self.below.iter().zip(&other.below).all(same),
        }
    }

    /// Puts the tree where the joint probabilities are others.
    fn start_from(&mut self, joint: Joint<K>, space: &Space<K>) {
        (self.joint, self.class) = (joint, space.worth.answer(&joint) as u16);
        if let Some(feature) = self.feature {
            for (plan, value) in self.below.iter_mut().zip(space.values(feature)) {
                plan.start_from(product(&joint, value), space);
            }
        }
    }

    /// The probability that the tree is right.
    pub fn expected_accuracy(&self) -> f64 {
        match self.feature {
            None => self.joint[usize::from(self.class)],
            Some(_) => self.below.iter().map(Plan::expected_accuracy).sum(),
        }
    }

    /// What the answers are worth.
    pub fn worth(&self, space: &Space<K>) -> f64 {
        match self.feature {
            None => space.worth.of(&self.joint),
            Some(_) => self.below.iter().map(|plan| plan.worth(space)).sum(),
        }
    }

    /// The tree in the form that leaves the engine; its weights are probabilities.
    pub fn to_tree(&self, schema: &Arc<Schema>, routing: Routing) -> Tree {
        let n_classes = schema.classes.len();
        let mut builder = TreeBuilder::new(
            schema.clone(),
            routing,
            self.class,
            self.joint.iter().sum(),
            &self.joint[..n_classes],
        );
        let mut open = vec![(0, self)];
        while let Some((node, plan)) = open.pop() {
            let Some(feature) = plan.feature else { continue };
            builder.split(node, Split::ByValue { feature }, plan.below.len());
            for below in &plan.below {
                let class = if below.is_reachable() { below.class } else { builder.node(node).class };
                let weights = below.joint[..n_classes].iter().copied();
                let child = builder.child(node, class, below.joint.iter().sum(), weights);
                if !below.is_reachable() {
                    builder.unreached(child);
                }
                open.push((child, below));
            }
        }
        builder.finish()
    }
}

/// The feature of the lowest index that attains the best value of a path; none where a leaf does, or
/// where no test is left.
fn first_attaining<const K: usize>(
    solver: &mut dyn Solver<K>,
    path: &mut Path,
    joint: &Joint<K>,
    leaves_first: bool,
) -> Result<Option<u32>, Status> {
    if path.left == 0 {
        return Ok(None);
    }
    let least = solver.value(path, joint, f64::NEG_INFINITY)? - FIXED_DEPTH_TIE;
    if leaves_first && solver.space().worth.of(joint) >= least {
        return Ok(None);
    }
    for at in 0..solver.space().features.len() {
        let feature = solver.space().features[at];
        if path.may_test(solver.space(), feature) && solver.test(path, joint, feature, least)? > least {
            return Ok(Some(feature));
        }
    }
    Ok(None)
}
