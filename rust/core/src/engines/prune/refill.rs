//! Counting rows into a tree that stands already.

use super::assemble::{Blueprint, Counts, answer};
use super::flow::{Bunch, Flow, Fork, Shares};
use super::rows::Rows;
use crate::base::control::Control;
use crate::base::error::Result;
use crate::base::outcome::{Halt, Outcome, Stats, Status};
use crate::model::tree::Tree;

/// What the rows may change besides the weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judge {
    /// The tree is as if it had been grown from the rows: a node has the class of most of them, among
    /// equals the one it had or else the lowest, an empty one its parent's; a row whose value is unknown
    /// is shared out by the other rows. Its own rows leave a tree as it is.
    Relabel,
    /// The rows test the tree as it is: classes stay, and a row whose value is unknown is shared out
    /// as the tree does when it predicts.
    Test,
}

/// A split whose branches are being counted.
struct Frame {
    node: u32,
    fork: Fork,
    next: usize,
}

/// The same tree with weights counted from other rows, and without estimates; none where the control ends
/// the work.
///
/// # Errors
/// Rows that do not fit the tree.
pub fn refill(tree: &Tree, rows: &Rows, judge: Judge, control: &Control) -> Result<Outcome<Option<Tree>>> {
    let shares = match judge {
        Judge::Relabel => Shares::Rows,
        Judge::Test => Shares::Tree,
    };
    let flow = Flow::new(tree, rows, shares, control)?;
    let refilled = counted(tree, flow, judge).map(|counts| {
        let stand_in: Vec<u32> = (0..tree.nodes().len() as u32).collect();
        let is_leaf: Vec<bool> = tree.nodes().iter().map(|node| node.is_leaf()).collect();
        let counts = Some(&counts);
        Blueprint { tree, stand_in: &stand_in, is_leaf: &is_leaf, counts, estimates: None }.build().0
    });
    let stats = Stats::time(control.elapsed());
    Outcome::all_or_none(refilled.map_err(Halt::from), Status::Complete, stats)
}

fn counted(tree: &Tree, mut flow: Flow, judge: Judge) -> std::result::Result<Counts, Status> {
    let (mut counts, costs) = (Counts::new(tree), tree.decision().costs());
    let mut masses = vec![0u128; tree.n_classes()];
    let mut is_empty = vec![true; tree.nodes().len()];
    let mut frames: Vec<Frame> = Vec::new();
    let mut enter = |flow: &mut Flow, node: u32, bunch: &Bunch| -> Result<Option<Frame>, Status> {
        flow.count(bunch, &mut masses);
        counts.set(node, &masses, flow.shares(bunch).as_deref());
        is_empty[node as usize] = false;
        if judge == Judge::Relabel {
            counts.class[node as usize] = answer(costs.as_ref(), &masses, tree.nodes()[node as usize].class);
        }
        match tree.nodes()[node as usize].is_leaf() {
            true => Ok(None),
            false => Ok(Some(Frame { node, fork: flow.split(node, bunch)?, next: 0 })),
        }
    };
    let all = flow.all();
    frames.extend(enter(&mut flow, 0, &all)?);
    while let Some(frame) = frames.last_mut() {
        let Some(bunch) = frame.fork.branches.get(frame.next) else {
            let done = frames.pop().expect("it was the last");
            flow.leave(&done.fork);
            continue;
        };
        let child = tree.nodes()[frame.node as usize].first_child + frame.next as u32;
        frame.next += 1;
        if !bunch.is_empty() {
            let opened = enter(&mut flow, child, &bunch.clone())?;
            frames.extend(opened);
        }
    }
    if judge == Judge::Relabel {
        for id in (0..tree.nodes().len()).filter(|&id| is_empty[id]) {
            counts.class[id] = counts.class[tree.nodes()[id].parent as usize];
        }
    }
    Ok(counts)
}
