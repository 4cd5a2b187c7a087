//! Trees as data of the machine.

use crate::engines::evolve::GrownTree;
use crate::model::program::Heap;

/// Positions of the constructors of trees and of lists of trees.
pub const LEAF: u8 = 0;
pub const NODE: u8 = 1;
pub const EMPTY: u8 = 0;
pub const MORE: u8 = 1;

/// Fields of a leaf and the first ones of a node: mark, rows of the class, all rows.
pub const N_COUNTS: usize = 3;

/// Puts a tree on a heap, its nodes marked by their numbers from `first` on; the word of its root.
pub fn load(heap: &mut Heap, tree: &GrownTree, first: usize) -> u64 {
    let mut words = vec![0; tree.nodes.len()];
    for (id, node) in tree.nodes.iter().enumerate().rev() {
        let mark = heap.data(0, &[(first + id) as u64]);
        let counts = [mark, node.c.to_bits(), node.n.to_bits()];
        if node.n_children == 0 {
            words[id] = heap.data(LEAF, &counts);
            continue;
        }
        let below = node.first_child as usize..(node.first_child + node.n_children) as usize;
        let end = heap.data(EMPTY, &[]);
        let children =
            words[below].iter().rev().fold(end, |others, &child| heap.data(MORE, &[child, others]));
        words[id] = heap.data(NODE, &[counts[0], counts[1], counts[2], children]);
    }
    words[0]
}
