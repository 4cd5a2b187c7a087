//! Where the trees of a corpus come from.

use std::borrow::Cow;

use super::corpus::{Corpus, GrownNode, GrownTree};
use crate::base::control::Control;
use crate::base::error::Error;
use crate::base::outcome::{Halt, Status};
use crate::base::random::Random;
use crate::engines::prune::study::{Grower, Node, cells, judged, training_rows};
use crate::model::data::LinearNetwork;

/// One tree in so many screens.
const SCREEN: usize = 8;

/// Trees as many as wanted, always the same ones in the same order.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// Sets drawn from networks, in turn, each grown by ID3 from its training rows and judged by its
    /// test rows.
    Networks {
        /// The set of number k comes from the k-th, and again from the first on.
        networks: Vec<LinearNetwork>,
        /// Draws the sets.
        seed: u64,
    },
    /// Trees that were grown elsewhere.
    Grown(Vec<GrownTree>),
}

impl Source {
    /// Most trees that there are.
    pub fn limit(&self) -> usize {
        match self {
            Source::Networks { .. } => usize::MAX,
            Source::Grown(trees) => trees.len(),
        }
    }

    /// The first trees in columns.
    ///
    /// # Errors
    /// No tree, or one that cannot be stored; the control's status.
    pub(crate) fn corpus(&self, n_trees: usize, control: &Control) -> Result<Corpus, Halt> {
        let n_trees = n_trees.min(self.limit());
        if n_trees == 0 {
            let (found, allowed) = (0usize.into(), "at least 1");
            return Err(Error::Parameter { name: "n_trees", found, allowed }.into());
        }
        Ok(Corpus::new(&self.trees(n_trees, control)?, n_trees.div_ceil(SCREEN))?)
    }

    /// The first trees, as they are before they are stored in columns.
    ///
    /// # Errors
    /// The control's interrupt.
    pub fn trees(&self, n_trees: usize, control: &Control) -> Result<Cow<'_, [GrownTree]>, Status> {
        let n_trees = n_trees.min(self.limit());
        match self {
            Source::Grown(trees) => Ok(Cow::Borrowed(&trees[..n_trees])),
            Source::Networks { networks, seed } => grown(networks, *seed, n_trees, control).map(Cow::Owned),
        }
    }
}

fn grown(
    networks: &[LinearNetwork],
    seed: u64,
    n_trees: usize,
    control: &Control,
) -> Result<Vec<GrownTree>, Status> {
    let tree = |grower: &mut Grower, &(number, network): &(u64, &LinearNetwork)| {
        control.checkpoint()?;
        Ok(grow(grower, network, seed, number))
    };
    let numbered: Vec<_> = (0..).zip(networks.iter().cycle()).take(n_trees).collect();
    control.map(&numbered, Grower::default, tree).into_iter().collect()
}

/// The tree of set `number`, as [`crate::engines::prune::study`] grows it.
fn grow(grower: &mut Grower, network: &LinearNetwork, seed: u64, number: u64) -> GrownTree {
    let set = network.draw(&mut Random::stream(seed, number));
    let rows = training_rows(&set);
    let nodes = grower.grow(set.n_features, rows.iter().copied());
    let judged = judged(nodes, &cells(&set));
    let n_test = set.is_training.iter().filter(|training| !**training).count() as f64;
    let node = |(node, judged): (&Node, &[u32; 2])| GrownNode {
        c: f64::from(node.n() - node.errors()),
        n: f64::from(node.n()),
        errors: f64::from(judged[1 - node.class as usize]),
        first_child: node.first_child,
        n_children: if node.is_leaf() { 0 } else { 2 },
    };
    GrownTree { nodes: nodes.iter().zip(&judged).map(node).collect(), n_test }
}
