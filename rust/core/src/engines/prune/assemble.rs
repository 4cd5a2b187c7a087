//! The new tree, put together from nodes of the old one, and classes and weights of nodes, counted anew.

use crate::base::ordering::first_largest;
use crate::base::units::Shares;
use crate::model::score::weight_of;
use crate::model::tree::{CostMatrix, Split, Tree, TreeBuilder};

/// What stands in the pruned tree, told by the nodes of the old one.
pub(super) struct Blueprint<'a> {
    pub(super) tree: &'a Tree,
    /// The node whose split or leaf stands in the place of every node.
    pub(super) stand_in: &'a [u32],
    pub(super) is_leaf: &'a [bool],
    /// Classes and weights of the nodes; those of the old tree where absent.
    pub(super) counts: Option<&'a Counts>,
    /// Estimated error rates of the nodes.
    pub(super) estimates: Option<&'a [f64]>,
}

impl Blueprint<'_> {
    /// The new tree, and the node behind each of its nodes. Splits are taken in the order in which
    /// the old tree numbers their children, so that where nothing is cut every node keeps its number.
    pub(super) fn build(&self) -> (Tree, Vec<u32>) {
        let old = self.tree;
        let root = self.stand_in[0];
        let mut builder = TreeBuilder::new(
            old.schema().clone(),
            old.routing(),
            self.class_of(root),
            self.weight_of(root),
            self.class_weights_of(root),
        );
        let mut new_id = vec![0; old.nodes().len()];
        let mut origin = vec![root];
        for node in self.splits() {
            let parent = new_id[node as usize];
            self.add_split(&mut builder, parent, node);
            for place in old.nodes()[node as usize].children() {
                let child = self.stand_in[place as usize];
                let weights = self.class_weights_of(child).iter().copied();
                new_id[child as usize] =
                    builder.child(parent, self.class_of(child), self.weight_of(child), weights);
                origin.push(child);
            }
        }
        let tree = builder.finish().standing_for(old, &origin);
        let tree = match self.counts {
            None => tree,
            Some(counts) => {
                tree.reached_by_weight().with_counts(counts.rows_of(&origin)).with_fitting_decision()
            }
        };
        match self.estimates {
            None => (tree, origin),
            Some(rates) => {
                (tree.with_estimates(origin.iter().map(|&node| rates[node as usize]).collect()), origin)
            }
        }
    }

    /// The splits of the new tree, in the order of their first children.
    fn splits(&self) -> Vec<u32> {
        let nodes = self.tree.nodes();
        let (mut found, mut pending) = (Vec::new(), vec![self.stand_in[0]]);
        while let Some(node) = pending.pop() {
            if !self.is_leaf[node as usize] {
                found.push(node);
                pending.extend(nodes[node as usize].children().map(|place| self.stand_in[place as usize]));
            }
        }
        found.sort_unstable_by_key(|&node| nodes[node as usize].first_child);
        found
    }

    fn add_split(&self, builder: &mut TreeBuilder, parent: u32, node: u32) {
        let at = &self.tree.nodes()[node as usize];
        let n_children = at.n_children as usize;
        let levels = |list: u32| self.tree.lists()[list as usize].clone();
        match at.split {
            Split::Listed { feature, list } => builder.split_listed(parent, feature, levels(list)),
            Split::Group { feature, list } => builder.split_group(parent, feature, levels(list)),
            Split::Linear { plane } => {
                let plane = builder.plane(self.tree.planes()[plane as usize].clone());
                builder.split(parent, Split::Linear { plane }, n_children);
            }
            split => builder.split(parent, split, n_children),
        }
    }

    fn class_of(&self, node: u32) -> u16 {
        self.counts.map_or(self.tree.nodes()[node as usize].class, |counts| counts.class[node as usize])
    }

    fn weight_of(&self, node: u32) -> f64 {
        self.counts.map_or(self.tree.nodes()[node as usize].weight, |counts| counts.weight[node as usize])
    }

    fn class_weights_of(&self, node: u32) -> &[f64] {
        match self.counts {
            Some(counts) => counts.class_weights_of(node),
            None => self.tree.class_weights_of(node as usize),
        }
    }
}

/// One entry a node, as in the tree itself.
pub(super) struct Counts {
    pub(super) class: Vec<u16>,
    pub(super) weight: Vec<f64>,
    pub(super) class_weights: Vec<f64>,
    /// Rows by class, whatever they weigh.
    rows: Vec<f64>,
    n_classes: usize,
}

impl Counts {
    /// The tree's own classes, and no weight.
    pub(super) fn new(tree: &Tree) -> Self {
        let (n_nodes, n_classes) = (tree.nodes().len(), tree.n_classes());
        Counts {
            class: tree.nodes().iter().map(|node| node.class).collect(),
            weight: vec![0.0; n_nodes],
            class_weights: vec![0.0; n_nodes * n_classes],
            rows: vec![0.0; n_nodes * n_classes],
            n_classes,
        }
    }

    /// Notes the masses of a node by class, and the shares of its rows where these are others.
    pub(super) fn set(&mut self, node: u32, masses: &[u128], shares: Option<&[u64]>) {
        self.weight[node as usize] = weight_of(masses.iter().sum());
        let at = node as usize * self.n_classes;
        for (class, &mass) in masses.iter().enumerate() {
            self.class_weights[at + class] = weight_of(mass);
            let rows = shares.map(|shares| Shares(shares[class]).rows());
            self.rows[at + class] = rows.unwrap_or(self.class_weights[at + class]);
        }
    }

    /// Rows by class of some nodes, a row a node.
    fn rows_of(&self, nodes: &[u32]) -> Vec<f64> {
        let of =
            |&node: &u32| &self.rows[node as usize * self.n_classes..(node as usize + 1) * self.n_classes];
        nodes.iter().flat_map(of).copied().collect()
    }

    pub(super) fn class_weights_of(&self, node: u32) -> &[f64] {
        &self.class_weights[node as usize * self.n_classes..(node as usize + 1) * self.n_classes]
    }
}

/// The class of least expected cost where there are costs, else the heaviest, and the given one if it is
/// among equals.
pub(super) fn answer(costs: Option<&CostMatrix>, masses: &[u128], before: u16) -> u16 {
    if let Some(costs) = costs {
        return costs.answer(masses) as u16;
    }
    let first = first_largest(masses.iter().copied()).expect("there is a class");
    if masses[before as usize] == masses[first] { before } else { first as u16 }
}
