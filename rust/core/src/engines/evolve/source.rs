//! Where the trees of a corpus come from: drawn from networks, grown elsewhere, or from random parts of given
//! data sets, whose other parts judge them.

use std::borrow::Cow;

use super::corpus::{Corpus, GrownNode, GrownTree};
use crate::base::bits::BitSet;
use crate::base::control::Control;
use crate::base::error::Error;
use crate::base::outcome::{Halt, Outcome, Stats, Status};
use crate::base::random::Random;
use crate::engines::induce::{GrowthParams, Problem, grow};
use crate::engines::prune::study::{Grower, Node, cells, judged, training_rows};
use crate::engines::prune::{Judge, Rows, refill};
use crate::model::data::{Dataset, LinearNetwork};

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
        Ok(drawn(grower, network, seed, number))
    };
    let numbered: Vec<_> = (0..).zip(networks.iter().cycle()).take(n_trees).collect();
    control.map(&numbered, Grower::default, tree).into_iter().collect()
}

/// The tree of set `number`, as [`crate::engines::prune::study`] grows it.
fn drawn(grower: &mut Grower, network: &LinearNetwork, seed: u64, number: u64) -> GrownTree {
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

/// Trees that are grown at a time, for every thread.
const AT_ONCE: usize = 4;

/// A data set, and how trees grow from it.
#[derive(Debug, Clone)]
pub struct OwnSet {
    /// All rows.
    pub data: Dataset,
    /// Of every tree.
    pub growth: GrowthParams,
}

/// The rows of a tree that is to be grown.
#[derive(Debug, Clone)]
pub struct Sample {
    /// The corpus that the tree belongs to.
    pub corpus: usize,
    /// The number of its data set.
    pub set: usize,
    /// Which rows judge the tree; the others grow it.
    pub judges: Vec<bool>,
}

/// How many trees are to be grown.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    /// Corpora that the trees belong to.
    pub n_corpora: usize,
    /// Trees of all corpora.
    pub n_trees: usize,
    /// The first trees, which are grown whatever the limits say.
    pub n_essential: usize,
}

/// Grows trees in the order in which `draw` gives their rows, the next few at a time; corpus by corpus. At a
/// limit, or where nothing is drawn, there are fewer.
///
/// # Errors
/// Rows that cannot be grown from or judged by.
pub fn grow_own(
    sets: &[OwnSet],
    wanted: &Wanted,
    draw: &mut dyn FnMut(usize) -> Option<Vec<Sample>>,
    control: &Control,
) -> Result<Outcome<Vec<Vec<GrownTree>>>, Error> {
    let mut corpora = vec![Vec::new(); wanted.n_corpora];
    let status = match grow_all(sets, wanted, draw, &mut corpora, control) {
        Ok(()) => Status::Complete,
        Err(Halt::Ended(status)) => status,
        Err(Halt::Failed(error)) => return Err(error),
    };
    let n_searched = corpora.iter().map(|trees| trees.len() as u64).sum();
    let stats = Stats { n_searched, elapsed: control.elapsed() };
    Ok(Outcome { value: corpora, status, bound: None, stats })
}

fn grow_all(
    sets: &[OwnSet],
    wanted: &Wanted,
    draw: &mut dyn FnMut(usize) -> Option<Vec<Sample>>,
    corpora: &mut [Vec<GrownTree>],
    control: &Control,
) -> Result<(), Halt> {
    let Wanted { n_trees, n_essential, .. } = *wanted;
    let mut done = 0;
    while done < n_trees {
        control.report_text(format!("{done} of {n_trees} trees grown"));
        let is_essential = done < n_essential;
        let end = if is_essential { n_essential } else { n_trees };
        let samples = draw((AT_ONCE * control.n_threads()).min(end - done)).ok_or(Status::Stopped)?;
        let grown = match is_essential {
            true => control.essential(|| grow_some(sets, &samples, control)),
            false => grow_some(sets, &samples, control),
        };
        done += samples.len();
        for (sample, tree) in samples.iter().zip(grown) {
            corpora[sample.corpus].push(tree?);
        }
    }
    Ok(())
}

fn grow_some(sets: &[OwnSet], samples: &[Sample], control: &Control) -> Vec<Result<GrownTree, Halt>> {
    control.map(samples, || (), |(), sample| grow_one(&sets[sample.set], &sample.judges, control))
}

fn grow_one(set: &OwnSet, judges: &[bool], control: &Control) -> Result<GrownTree, Halt> {
    control.checkpoint()?;
    let part = |is_judging: bool| {
        let rows = (0..judges.len() as i64).filter(|&row| judges[row as usize] == is_judging);
        set.data.take(&rows.collect::<Vec<i64>>())
    };
    let (growing, judging) = (part(false)?, part(true)?);
    let problem = Problem::new(&growing, (0..growing.n_rows() as u32).collect(), &set.growth)?;
    let tree = grow(&problem, &BitSet::full(growing.n_features()), control)?.found()?;
    let rows = Rows::new(&tree, &judging, set.growth.class_weight.as_deref())?;
    let judged = refill(&tree, &rows, Judge::Test, control)?.found()?;
    let node = |(id, node): (usize, &crate::model::tree::Node)| {
        let class = usize::from(node.class);
        let c = tree.class_weights_of(id)[class];
        let errors = (judged.nodes()[id].weight - judged.class_weights_of(id)[class]).max(0.0);
        let children = node.children();
        let (first_child, n_children) = (children.start, children.len() as u32);
        GrownNode { c, n: node.weight.max(c), errors, first_child, n_children }
    };
    let nodes = tree.nodes().iter().enumerate().map(node).collect();
    Ok(GrownTree { nodes, n_test: judged.nodes()[0].weight })
}
