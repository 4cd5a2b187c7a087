//! Subtrees become leaves.

use super::node::{Node, Tree};
use super::split::Split;

impl Tree {
    /// The tree in which every internal node that `is_cut` names is a leaf of its own class. The
    /// nodes that are left keep their order; estimates go.
    pub fn cut_where(&self, is_cut: impl Fn(usize) -> bool) -> Tree {
        let mut left = self.without_nodes();
        let mut new_ids = vec![None; self.nodes.len()];
        let mut origin = Vec::new();
        for (id, node) in self.nodes.iter().enumerate() {
            let parent = match id {
                0 => 0,
                _ => match new_ids[node.parent as usize] {
                    Some(parent) => parent,
                    None => continue,
                },
            };
            let new_id = left.nodes.len() as u32;
            let keeps_children = !node.is_leaf() && !is_cut(id);
            new_ids[id] = keeps_children.then_some(new_id);
            if id > 0 && self.nodes[node.parent as usize].first_child as usize == id {
                left.nodes[parent as usize].first_child = new_id;
            }
            let split = if keeps_children { left.take_split(self, node.split) } else { Split::Leaf };
            let n_children = if keeps_children { node.n_children } else { 0 };
            left.nodes.push(Node { split, parent, n_children, first_child: 0, ..*node });
            left.class_weights.extend_from_slice(self.class_weights_of(id));
            origin.push(id as u32);
        }
        left.facts = self.facts.of_nodes(&origin, &left.nodes, self.n_classes());
        left
    }

    /// All that is not about single nodes, without estimates.
    fn without_nodes(&self) -> Tree {
        Tree {
            schema: self.schema.clone(),
            routing: self.routing,
            nodes: Vec::new(),
            class_weights: Vec::new(),
            planes: Vec::new(),
            lists: Vec::new(),
            estimates: None,
            facts: Default::default(),
            decision: self.decision.clone(),
            probability: self.probability.clone(),
            origin: self.origin.clone(),
        }
    }

    /// A split of another tree with its list or plane brought over.
    fn take_split(&mut self, other: &Tree, split: Split) -> Split {
        if let Some(list) = split.list() {
            self.lists.push(other.lists[list as usize].clone());
            return split.renumbered(self.lists.len() as u32 - 1);
        }
        match split {
            Split::Linear { plane } => {
                self.planes.push(other.planes[plane as usize].clone());
                split.renumbered(self.planes.len() as u32 - 1)
            }
            _ => split,
        }
    }
}
