//! Trees to be pruned: of many branches, and long paths.

use treewright_core::evolve::{GrownNode, GrownTree};
use treewright_core::random::Random;

/// A tree of one to five branches a node, some of them empty, with fractions of rows.
fn any_tree(random: &mut Random, depth: u32, n: f64) -> GrownTree {
    let node = |random: &mut Random, n: f64| {
        let c = (n * f64::from(50 + random.below(51)) / 100.0).min(n);
        let errors = f64::from(random.below(400)) / 8.0;
        GrownNode { c, n, errors, first_child: 0, n_children: 0 }
    };
    let mut nodes = vec![node(random, n)];
    let (mut next, mut depths) = (0, vec![0]);
    while next < nodes.len() {
        if depths[next] < depth && random.below(4) > 0 {
            let n_children = 1 + random.below(5);
            nodes[next].first_child = nodes.len() as u32;
            nodes[next].n_children = n_children;
            let mut left = nodes[next].n;
            for k in 0..n_children {
                let part = left * f64::from(random.below(4)) / 4.0;
                let n = if k + 1 == n_children { left } else { part };
                left -= n;
                let child = node(random, n);
                nodes.push(child);
                depths.push(depths[next] + 1);
            }
        }
        next += 1;
    }
    GrownTree { nodes, n_test: 5000.0 }
}

/// Trees of any shape, the same ones every time.
pub fn own_trees(n_trees: u64) -> Vec<GrownTree> {
    let tree = |number| {
        let mut random = Random::stream(8, number);
        let n = 0.1 + f64::from(random.below(3000)) / 7.0;
        any_tree(&mut random, 1 + number as u32 % 5, n)
    };
    (0..n_trees).map(tree).collect()
}

/// A path of so many nodes, at each of which a row leaves.
pub fn path(n_nodes: u32) -> GrownTree {
    let mut nodes = Vec::new();
    for k in 0..n_nodes {
        let n = f64::from(n_nodes - k);
        let (first_child, n_children) = if k + 1 < n_nodes { (2 * k + 1, 2) } else { (0, 0) };
        nodes.push(GrownNode { c: (n * 0.6).max(1.0), n, errors: f64::from(k % 3), first_child, n_children });
        if n_children > 0 {
            nodes.push(GrownNode { c: 1.0, n: 1.0, errors: 1.0, first_child: 0, n_children: 0 });
        }
    }
    // The children of node 2k are 2k + 1, the leaf, and 2k + 2.
    GrownTree { nodes, n_test: f64::from(n_nodes) }
}
