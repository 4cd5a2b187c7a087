//! Whether a tree that came from outside is one.

use std::collections::HashSet;

use super::builder::malformed;
use super::decision::ROUNDING;
use super::node::{Node, Tree};
use super::split::{Plane, Route, Routing, Split};
use crate::base::error::Result;
use crate::model::data::{Feature, Fill, Label, MissingMode};

/// By how much of a node's weight what is below it may be off in a document: programs that write one add up
/// in their own order.
const OFF: f64 = 1e-6;

impl Tree {
    /// Checks every invariant of a tree that came from outside.
    ///
    /// # Errors
    /// [`crate::base::error::Error::Format`] naming the first node at fault.
    pub(super) fn checked(self) -> Result<Self> {
        let n_nodes = self.nodes.len();
        if n_nodes == 0 {
            return Err(malformed("it has no nodes"));
        }
        self.check_schema()?;
        self.check_lengths()?;
        let mut next_child = 1;
        let mut has_parent = vec![false; n_nodes];
        for (id, node) in self.nodes.iter().enumerate() {
            self.check_node(id, node)?;
            for child in node.children() {
                let child = child as usize;
                if child <= id || child >= n_nodes || std::mem::replace(&mut has_parent[child], true) {
                    return Err(malformed(&format!("node {id} has node {child} as a child")));
                }
                next_child += 1;
            }
        }
        if next_child != n_nodes {
            return Err(malformed("some node is nobody's child"));
        }
        self.check_weights()?;
        self.check_facts()?;
        self.decision.check(self.n_classes())?;
        self.probability.check(self.n_classes())?;
        Ok(self)
    }

    /// Refuses a node whose class the rule does not give.
    pub(super) fn decided(self) -> Result<Self> {
        match self.undecided() {
            None => Ok(self),
            Some(id) => Err(malformed(&format!("node {id}: its class is not the one that its rule gives"))),
        }
    }

    fn check_schema(&self) -> Result<()> {
        if self.schema.classes.is_empty() || has_twins(&self.schema.classes) {
            return Err(malformed("its classes are none, or one is named twice"));
        }
        for (position, feature) in self.schema.features.iter().enumerate() {
            let fault = |what: &str| Err(malformed(&format!("feature {position}: {what}")));
            if feature.levels.as_ref().is_some_and(|levels| has_twins(levels)) {
                return fault("a level is named twice");
            }
            if feature.range.is_some_and(|[low, high]| feature.levels.is_some() || low > high) {
                return fault("its range does not fit");
            }
            let fits = match (feature.missing, &feature.levels) {
                (MissingMode::Filled(Fill::Number(_)), levels) => levels.is_none(),
                (MissingMode::Filled(Fill::Level(level)), Some(levels)) => (level as usize) < levels.len(),
                (MissingMode::Filled(Fill::Level(_)), None) => false,
                _ => true,
            };
            if !fits {
                return fault("what takes the place of missing values does not fit");
            }
        }
        let n_features = self.schema.features.len();
        let reading = self.origin.reading.iter().flat_map(|reading| &reading.columns);
        match reading.into_iter().all(|column| (column.feature as usize) < n_features) {
            true => Ok(()),
            false => Err(malformed("it tells how a feature was read that it does not have")),
        }
    }

    fn check_lengths(&self) -> Result<()> {
        let n_nodes = self.nodes.len();
        if self.class_weights.len() != n_nodes * self.n_classes() {
            return Err(malformed("the class weights are not one row a node"));
        }
        if self.lists.len() != self.nodes.iter().filter(|node| node.has_list()).count() {
            return Err(malformed("its lists of levels are not one a node that has one"));
        }
        if self.estimates.as_ref().is_some_and(|estimates| estimates.rates().len() != n_nodes) {
            return Err(malformed("its estimates are not one a node"));
        }
        let facts = &self.facts;
        let lengths = [facts.cuts.len(), facts.routes.len(), facts.histograms.len()];
        if lengths.iter().any(|&length| length != 0 && length != n_nodes) {
            return Err(malformed("its node arrays differ in length"));
        }
        match facts.counts.len() {
            n if n == 0 || n == self.class_weights.len() => Ok(()),
            _ => Err(malformed("the class counts are not one row a node")),
        }
    }

    fn check_node(&self, id: usize, node: &Node) -> Result<()> {
        let fault = |what: &str| Err(malformed(&format!("node {id}: {what}")));
        if node.class as usize >= self.n_classes() {
            return fault("its class does not exist");
        }
        let n_children = node.n_children as usize;
        let feature = node.split.feature().and_then(|feature| self.schema.features.get(feature as usize));
        match (node.split, feature) {
            (Split::Leaf, _) if n_children == 0 => Ok(()),
            (Split::Leaf, _) => fault("a leaf has no children"),
            (Split::ByValue { .. }, Some(f)) if f.levels.is_some() && n_children == f.n_branches() => Ok(()),
            (Split::ByValue { .. }, _) => fault("its feature and its branches do not fit"),
            (Split::Listed { list, .. }, Some(f))
                if self.list_fits(f, list) == Some(n_children) && n_children > 0 =>
            {
                Ok(())
            }
            (Split::Listed { .. }, _) => fault("its feature, its listed levels and its branches do not fit"),
            (Split::Group { list, .. }, Some(f)) if self.list_fits(f, list).is_some() && n_children == 2 => {
                Ok(())
            }
            (Split::Group { .. }, _) => fault("its feature, its set of levels and its branches do not fit"),
            (Split::Threshold { threshold, .. }, Some(f))
                if f.levels.is_none() && n_children == 2 && !threshold.is_nan() =>
            {
                Ok(())
            }
            (Split::Threshold { .. }, _) => fault("its feature, threshold and branches do not fit"),
            (Split::Missing { .. }, Some(_)) if n_children == 2 => Ok(()),
            (Split::Missing { .. }, _) => fault("its feature and its branches do not fit"),
            (Split::Linear { plane }, _) => match self.planes.get(plane as usize) {
                Some(plane) if n_children == 2 && self.plane_fits(plane) => Ok(()),
                _ => fault("its plane does not fit"),
            },
        }
    }

    /// The number of levels in a list of a feature, if it fits.
    fn list_fits(&self, feature: &Feature, list: u32) -> Option<usize> {
        let levels = self.lists.get(list as usize)?;
        let last_fits = levels.last().is_some_and(|&level| (level as usize) < feature.n_branches());
        let ascends = levels.windows(2).all(|pair| pair[0] < pair[1]);
        (feature.levels.is_some() && last_fits && ascends).then_some(levels.len())
    }

    fn plane_fits(&self, plane: &Plane) -> bool {
        let n_weights = plane.weights.len();
        let fits = |(i, &(feature, _)): (usize, &(u32, f64))| {
            let Some(feature) = self.schema.features.get(feature as usize) else { return false };
            match (plane.level(i), &feature.levels) {
                (None, None) => feature.missing != MissingMode::Value,
                (Some(level), Some(_)) => (level as usize) < feature.n_branches(),
                _ => false,
            }
        };
        (plane.levels.is_empty() || plane.levels.len() == n_weights)
            && (plane.means.is_empty() || plane.means.len() == n_weights)
            && plane.weights.iter().enumerate().all(fits)
    }

    /// Refuses weights and counts that are negative, too large to add, or do not add up: by class to those of
    /// the node, and over its children.
    fn check_weights(&self) -> Result<()> {
        let n_classes = self.n_classes();
        let weights: Vec<f64> = self.nodes.iter().map(|node| node.weight).collect();
        let by_class = |node: usize| &self.class_weights[node * n_classes..(node + 1) * n_classes];
        for (id, &weight) in weights.iter().enumerate() {
            let fault = |what: &str| Err(malformed(&format!("node {id}: {what}")));
            let sum: f64 = by_class(id).iter().sum();
            if !(weight >= 0.0 && by_class(id).iter().all(|&weight| weight >= 0.0)) {
                return fault("it has a negative weight");
            }
            if !(weight.is_finite() && sum.is_finite()) {
                return fault("its weights are too large to be added");
            }
            if (sum - weight).abs() > OFF * weight.max(sum) {
                return fault("the weights of its classes do not add up to its own");
            }
        }
        self.check_sums("weights", n_classes, &self.class_weights)?;
        match self.facts.counts.iter().all(|count| *count >= 0.0 && count.is_finite()) {
            true if self.facts.counts.is_empty() => Ok(()),
            true => self.check_sums("counts", n_classes, &self.facts.counts),
            false => Err(malformed("a class count is negative")),
        }
    }

    /// Refuses children that hold more of a class than their parent, or less where no row may stay there.
    fn check_sums(&self, what: &str, n_classes: usize, of: &[f64]) -> Result<()> {
        let whole: f64 = of[..n_classes].iter().sum();
        for (id, node) in self.nodes.iter().enumerate().filter(|(_, node)| !node.is_leaf()) {
            for class in 0..n_classes {
                let own = of[id * n_classes + class];
                let below: f64 = node.children().map(|child| of[child as usize * n_classes + class]).sum();
                let slack = OFF * own.max(below) + ROUNDING * whole;
                if below > own + slack || (self.hands_all_on(id) && below < own - slack) {
                    return Err(malformed(&format!(
                        "node {id}: the {what} of its children do not add up to its own"
                    )));
                }
            }
        }
        Ok(())
    }

    /// Whether every row at a node goes on to its children.
    fn hands_all_on(&self, node: usize) -> bool {
        !matches!(self.route(node), Route::By(Routing::Stop | Routing::Mean))
    }

    fn check_facts(&self) -> Result<()> {
        for (id, node) in self.nodes.iter().enumerate() {
            let fault = |what: &str| Err(malformed(&format!("node {id}: {what}")));
            let (facts, n_children) = (&self.facts, node.children().len() as u32);
            match facts.routes.get(id) {
                Some(Some(_)) if node.is_leaf() => return fault("a leaf has no route"),
                Some(&Some(Route::Branch(branch))) if branch >= n_children => {
                    return fault("its route leads to no branch");
                }
                _ => {}
            }
            let may_have_cut = matches!(node.split, Split::Threshold { .. } | Split::Linear { .. });
            if facts.cuts.get(id).is_some_and(|cut| cut.is_some() && !may_have_cut) {
                return fault("it has values beside a cut, and no cut");
            }
            if self.cuts_apart(id) == Some(false) {
                return fault("the values beside its cut do not lie on both sides of it");
            }
            if let Some(Some(histogram)) = facts.histograms.get(id)
                && !self.histogram_fits(id, histogram)
            {
                return fault("its histogram does not fit");
            }
        }
        Ok(())
    }

    /// Whether the values beside a threshold lie on its two sides.
    fn cuts_apart(&self, id: usize) -> Option<bool> {
        let Split::Threshold { threshold, .. } = self.nodes[id].split else { return None };
        let beside = self.cut_values(id)?;
        let is_below = beside.below.is_none_or(|value| value <= threshold);
        Some(is_below && beside.above.is_none_or(|value| value > threshold))
    }
}

/// Whether a label comes twice.
fn has_twins(labels: &[Label]) -> bool {
    let mut seen = HashSet::with_capacity(labels.len());
    labels.iter().any(|label| !seen.insert(format!("{label:?}")))
}
