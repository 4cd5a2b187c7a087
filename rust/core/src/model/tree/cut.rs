//! Subtrees become leaves.

use super::node::{Node, Split, Tree};

impl Tree {
    /// The tree in which every internal node that `is_cut` names is a leaf of its own class. The
    /// nodes that are left keep their order; estimates go.
    pub fn cut_where(&self, is_cut: impl Fn(usize) -> bool) -> Tree {
        let mut left = Tree {
            schema: self.schema.clone(),
            routing: self.routing,
            nodes: Vec::new(),
            class_weights: Vec::new(),
            planes: Vec::new(),
            lists: Vec::new(),
            estimates: None,
        };
        let mut new_ids = vec![None; self.nodes.len()];
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
        }
        left
    }

    /// A split of another tree with its list or plane brought over.
    pub(super) fn take_split(&mut self, other: &Tree, split: Split) -> Split {
        match split {
            Split::Listed { feature, list } => {
                self.lists.push(other.lists[list as usize].clone());
                Split::Listed { feature, list: self.lists.len() as u32 - 1 }
            }
            Split::Linear { plane } => {
                self.planes.push(other.planes[plane as usize].clone());
                Split::Linear { plane: self.planes.len() as u32 - 1 }
            }
            _ => split,
        }
    }
}
