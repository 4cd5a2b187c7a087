//! A program that prunes as a pruning rule: it is run on a tree, and what it returned is put together.

use super::{check_type, compare, load, usual_limits};
use crate::base::error::{Error, PruningFault, Result};
use crate::engines::evolve::corpus::{GrownNode, GrownTree};
use crate::engines::prune::{Pruned, cut};
use crate::model::program::{Heap, Limits, Machine, Program, Stop};
use crate::model::tree::{Node, Tree};

/// Refuses a program that is not from a tree to a tree and its estimate, of the types of [`super::naive`].
///
/// # Errors
/// A program of another type.
pub fn check_pruning(program: &Program) -> Result<()> {
    check_type(program, "pruning")
}

/// Prunes a tree by a program from a tree to the pruned tree and its estimate, such as [`super::naive`].
///
/// `c` and `n` are, for every node, the weight of its class and the whole weight. `most` are steps and words
/// of memory, data and stack each; where they are absent, a run may cost for each node what it may in an
/// evolution. The estimate of the whole may be any number, or none.
///
/// # Errors
/// A program of another type; counts that are not one a node; a run that reaches a limit; anything returned
/// but the tree with some of its nodes made leaves.
pub fn prune_by(
    program: &Program,
    tree: &Tree,
    c: &[f64],
    n: &[f64],
    most: (Option<u64>, Option<usize>),
) -> Result<Pruned> {
    check_pruning(program)?;
    let n_nodes = tree.nodes().len();
    for (what, found) in [("c", c.len()), ("n", n.len())] {
        if found != n_nodes {
            return Err(Error::LengthMismatch { what: what.to_owned(), expected: n_nodes, found });
        }
    }
    let limits = limits(n_nodes, most);
    let fault = |fault| Error::NoPruning { n_nodes, fault };
    let mut heap = Heap::new();
    let given = load(&mut heap, &counted(tree, c, n), 0);
    let run = Machine::new().run(&program.compile(), &mut heap, &[given], &limits);
    let run = run.map_err(|stop| {
        fault(match stop {
            Stop::Steps => PruningFault::Steps { most: limits.steps },
            Stop::Memory => PruningFault::Memory { most: limits.heap.min(limits.stack) },
        })
    })?;
    let [returned, estimate] = *heap.fields(run.value, 2) else { unreachable!("a pair has two parts") };
    let mut is_leaf = vec![true; n_nodes];
    let found = compare(&heap, given, returned, |mark, leaf| is_leaf[mark as usize] = leaf);
    found.ok_or_else(|| fault(PruningFault::OtherTree))?;
    Ok(cut(tree, &is_leaf, f64::from_bits(estimate)))
}

fn limits(n_nodes: usize, (most_steps, most_memory): (Option<u64>, Option<usize>)) -> Limits {
    let usual = usual_limits(n_nodes);
    Limits {
        steps: most_steps.unwrap_or(usual.steps),
        heap: most_memory.unwrap_or(usual.heap),
        stack: most_memory.unwrap_or(usual.stack),
    }
}

/// The tree as programs see it; nothing judges it.
fn counted(tree: &Tree, c: &[f64], n: &[f64]) -> GrownTree {
    let node = |(id, node): (usize, &Node)| GrownNode {
        c: c[id],
        n: n[id],
        errors: 0.0,
        first_child: if node.is_leaf() { 0 } else { node.first_child },
        n_children: if node.is_leaf() { 0 } else { node.n_children },
    };
    GrownTree { nodes: tree.nodes().iter().enumerate().map(node).collect(), n_test: 0.0 }
}
