//! Persistent trees over case sets.
//!
//! ```text
//! adapt(t, S):                              the tree of S at t's case set, given that t was the tree of S0
//!   if nothing was added and t uses nothing dropped: t itself
//!   f = best feature of S at t's case set
//!   if f is t's own feature: adapt every child; t itself if none changed, else a copy over the new ones
//!   else: grow a new sub-tree of S here
//! ```
//! The fast part is the first line. It may be taken because a sub-tree depends on the features it
//! uses and on nothing that was dropped (Remark 4.3). Errors are sums over leaves, plus those of
//! search rows that lose their way at a node; both are kept at every node, so a tree's errors cost
//! what its new nodes cost.

use super::case_store::{Branching, CaseId, CaseStore};
use super::ranking::Ranked;
use crate::bits::BitSet;
use crate::control::{Control, Interrupt};
use crate::induce::{Cut, Problem};
use crate::tree::{Ballot, Routing, Split, Step, Tree, TreeBuilder, Walk, cast_votes};

/// Index of a tree's root, or of any sub-tree, in its forest.
pub type TreeId = u32;

/// One node of a persistent tree.
#[derive(Debug, Clone, Copy)]
struct TreeNode {
    case: CaseId,
    /// Which branching of its case set it takes; `LEAF` for none.
    branching: u32,
    first_child: u32,
    /// Search errors of the sub-tree and, of these, rows that lose their way at this very node.
    errors: u64,
    own_errors: u64,
}

const LEAF: u32 = u32::MAX;

/// Trees over the case sets of one problem; later trees share nodes with earlier ones.
pub struct Forest<'p> {
    pub store: CaseStore<'p>,
    nodes: Vec<TreeNode>,
    /// Children of a split, from its `first_child` on.
    children: Vec<TreeId>,
    /// Features used in each node's sub-tree, `n_words` a node.
    used: Vec<u64>,
    n_words: usize,
    ballot: Ballot<TreeId>,
}

/// How far the forest had grown, to cut it back to.
#[derive(Debug, Clone, Copy)]
pub struct Mark {
    n_nodes: usize,
    n_children: usize,
}

/// Why no tree came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Abandoned {
    /// It cannot have fewer errors than the bound.
    TooManyErrors,
    Interrupted(Interrupt),
}

impl From<Interrupt> for Abandoned {
    fn from(interrupt: Interrupt) -> Self {
        Abandoned::Interrupted(interrupt)
    }
}

/// The difference between the features of the tree at hand and those of the one wanted.
pub struct Change<'a> {
    pub allowed: &'a BitSet,
    pub dropped: &'a BitSet,
    /// Whether `allowed` holds features that the tree at hand could not use.
    pub adds: bool,
}

enum Task {
    Visit(TreeId),
    Grow(CaseId),
    Assemble { case: CaseId, branching: u32, n_children: usize, from: Option<TreeId> },
}

impl<'p> Forest<'p> {
    /// A forest without trees, to be judged on the whole rows of `search`.
    pub fn new(problem: &'p Problem, search: Vec<u32>) -> Self {
        Forest {
            store: CaseStore::new(problem, search),
            nodes: Vec::new(),
            children: Vec::new(),
            used: Vec::new(),
            n_words: problem.n_features().div_ceil(64),
            ballot: Ballot::default(),
        }
    }

    /// DT(allowed), from the root.
    ///
    /// # Errors
    /// The control's interrupt.
    pub fn grow(&mut self, allowed: &BitSet, control: &Control) -> Result<TreeId, Interrupt> {
        let change = Change { allowed, dropped: &allowed.same_size(), adds: true };
        match self.run(vec![Task::Grow(0)], &change, 0, u64::MAX, control) {
            Ok(tree) => Ok(tree),
            Err(Abandoned::Interrupted(interrupt)) => Err(interrupt),
            Err(Abandoned::TooManyErrors) => unreachable!("no tree reaches the largest bound"),
        }
    }

    /// The tree of `change.allowed`, made from `tree`; given up once it cannot have fewer than
    /// `bound` errors.
    ///
    /// # Errors
    /// See [`Abandoned`]; nothing is left behind then but case sets.
    pub fn adapt(
        &mut self,
        tree: TreeId,
        change: &Change,
        bound: u64,
        control: &Control,
    ) -> Result<TreeId, Abandoned> {
        let mark = self.mark();
        let certain =
            if change.adds { 0 } else { self.errors(tree) - self.errors_at_stake(tree, change.dropped) };
        let result = self.run(vec![Task::Visit(tree)], change, certain, bound, control);
        if result.is_err() {
            self.cut_back(mark);
        }
        result
    }

    /// Errors that may change when features are dropped: those of the sub-trees that must be grown
    /// anew, and of the rows that lose their way at a node above one.
    fn errors_at_stake(&self, tree: TreeId, dropped: &BitSet) -> u64 {
        let (mut errors, mut pending) = (0, vec![tree]);
        while let Some(tree) = pending.pop() {
            match self.feature(tree) {
                Some(feature) if dropped.contains(feature as usize) => errors += self.errors(tree),
                Some(_) if self.uses_any(tree, dropped) => {
                    errors += self.nodes[tree as usize].own_errors;
                    pending.extend_from_slice(&self.children[self.children_of(tree)]);
                }
                _ => {}
            }
        }
        errors
    }

    /// Works off the tasks. `errors` are those of the wanted tree that are certain already.
    fn run(
        &mut self,
        mut tasks: Vec<Task>,
        change: &Change,
        mut errors: u64,
        bound: u64,
        control: &Control,
    ) -> Result<TreeId, Abandoned> {
        let mut done: Vec<TreeId> = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Visit(tree) => self.visit(tree, change, &mut tasks, &mut done, &mut errors, control)?,
                Task::Grow(case) => match self.store.best(case, change.allowed, control)? {
                    Some(ranked) => self.open(case, ranked, &mut tasks),
                    None => {
                        errors += self.store.get(case).leaf_errors;
                        done.push(self.leaf(case));
                    }
                },
                Task::Assemble { case, branching, n_children, from } => {
                    let tree = self.assemble(case, branching, &done[done.len() - n_children..], from);
                    done.truncate(done.len() - n_children);
                    done.push(tree);
                    errors += self.nodes[tree as usize].own_errors;
                }
            }
            if errors >= bound {
                return Err(Abandoned::TooManyErrors);
            }
        }
        Ok(done.pop().expect("every task leaves one tree"))
    }

    fn visit(
        &mut self,
        tree: TreeId,
        change: &Change,
        tasks: &mut Vec<Task>,
        done: &mut Vec<TreeId>,
        errors: &mut u64,
        control: &Control,
    ) -> Result<(), Interrupt> {
        if !change.adds && !self.uses_any(tree, change.dropped) {
            done.push(tree);
            return Ok(());
        }
        let node = self.nodes[tree as usize];
        let kept = match self.feature(tree) {
            Some(feature) if change.adds => {
                let best = self.store.best(node.case, change.allowed, control)?;
                best.is_some_and(|ranked| ranked.feature == feature)
            }
            Some(feature) => !change.dropped.contains(feature as usize),
            None => self.store.best(node.case, change.allowed, control)?.is_none(),
        };
        if !kept {
            tasks.push(Task::Grow(node.case));
        } else if node.branching == LEAF {
            *errors += node.errors;
            done.push(tree);
        } else {
            let children = self.children_of(tree);
            let n_children = children.len();
            tasks.push(Task::Assemble {
                case: node.case,
                branching: node.branching,
                n_children,
                from: Some(tree),
            });
            tasks.extend(children.rev().map(|at| Task::Visit(self.children[at])));
        }
        Ok(())
    }

    /// Plans the sub-tree of a case set that is split on a feature.
    fn open(&mut self, case: CaseId, ranked: Ranked, tasks: &mut Vec<Task>) {
        let branching = self.store.branch(case, ranked);
        let children = self.store.branching(case, branching).children.clone();
        let n_children = children.len();
        tasks.push(Task::Assemble { case, branching: branching as u32, n_children, from: None });
        tasks.extend(children.rev().map(Task::Grow));
    }

    fn leaf(&mut self, case: CaseId) -> TreeId {
        let errors = self.store.get(case).leaf_errors;
        self.nodes.push(TreeNode { case, branching: LEAF, first_child: 0, errors, own_errors: 0 });
        self.used.resize(self.nodes.len() * self.n_words, 0);
        self.nodes.len() as TreeId - 1
    }

    /// A split over finished children; `from` itself if these are its own.
    fn assemble(
        &mut self,
        case: CaseId,
        branching: u32,
        children: &[TreeId],
        from: Option<TreeId>,
    ) -> TreeId {
        if let Some(old) = from.filter(|&old| self.children[self.children_of(old)] == *children) {
            return old;
        }
        let first_child = self.children.len() as u32;
        self.children.extend_from_slice(children);
        let first_word = self.used.len();
        self.used.resize(first_word + self.n_words, 0);
        let mut errors = 0;
        for &child in children {
            errors += self.nodes[child as usize].errors;
            for word in 0..self.n_words {
                self.used[first_word + word] |= self.used[child as usize * self.n_words + word];
            }
        }
        let feature = self.store.branching(case, branching as usize).feature as usize;
        self.used[first_word + feature / 64] |= 1 << (feature % 64);
        let tree = self.nodes.len() as TreeId;
        self.nodes.push(TreeNode { case, branching, first_child, errors, own_errors: 0 });
        let own_errors = self.errors_of_lost(tree);
        let node = &mut self.nodes[tree as usize];
        node.own_errors = own_errors;
        node.errors += own_errors;
        tree
    }

    /// Errors among the search rows that are whole at a node and miss the value it asks for.
    fn errors_of_lost(&mut self, tree: TreeId) -> u64 {
        let mut ballot = std::mem::take(&mut self.ballot);
        let problem = self.store.problem;
        let branching = self.branching(tree).expect("asked of a split");
        let mut errors = 0;
        for &row in &branching.lost {
            cast_votes(self, tree, row as usize, &mut ballot, |_| {});
            if ballot.class(self) != problem.class_of(row) {
                errors += problem.weights.fine(row);
            }
        }
        self.ballot = ballot;
        errors
    }

    /// Where the forest stands.
    pub fn mark(&self) -> Mark {
        Mark { n_nodes: self.nodes.len(), n_children: self.children.len() }
    }

    /// Forgets all trees made since `mark`.
    pub fn cut_back(&mut self, mark: Mark) {
        self.nodes.truncate(mark.n_nodes);
        self.children.truncate(mark.n_children);
        self.used.truncate(mark.n_nodes * self.n_words);
    }

    /// Weight of wrongly predicted search rows, in units of 2^-20.
    pub fn errors(&self, tree: TreeId) -> u64 {
        self.nodes[tree as usize].errors
    }

    /// Features that some node of the tree tests.
    pub fn used(&self, tree: TreeId) -> BitSet {
        BitSet::from_words(self.used_words(tree))
    }

    fn used_words(&self, tree: TreeId) -> &[u64] {
        &self.used[tree as usize * self.n_words..][..self.n_words]
    }

    fn uses_any(&self, tree: TreeId, features: &BitSet) -> bool {
        self.used_words(tree).iter().zip(features.words()).any(|(a, b)| a & b != 0)
    }

    fn children_of(&self, tree: TreeId) -> std::ops::Range<usize> {
        let first = self.nodes[tree as usize].first_child as usize;
        let n_children = self.branching(tree).map_or(0, |branching| branching.children.len());
        first..first + n_children
    }

    fn branching(&self, tree: TreeId) -> Option<&Branching> {
        let node = self.nodes[tree as usize];
        (node.branching != LEAF).then(|| self.store.branching(node.case, node.branching as usize))
    }

    fn feature(&self, tree: TreeId) -> Option<u32> {
        self.branching(tree).map(|branching| branching.feature)
    }

    /// The tree in the form that leaves the engine; equal to the one grown from scratch.
    pub fn to_tree(&self, root: TreeId) -> Tree {
        let problem = self.store.problem;
        let class_weights = |tree: TreeId| {
            let classes = &self.store.get(self.nodes[tree as usize].case).totals.classes;
            classes.iter().map(|&mass| Problem::weight(mass)).collect::<Vec<_>>()
        };
        let schema = problem.data.schema().clone();
        let (class, weight) = (self.class(root) as u16, self.weight(root));
        let mut builder = TreeBuilder::new(schema, problem.routing, class, weight, &class_weights(root));
        let mut stack = vec![(0, root)];
        while let Some((id, tree)) = stack.pop() {
            let Some(branching) = self.branching(tree) else {
                continue;
            };
            let children = &self.children[self.children_of(tree)];
            builder.split(id, self.split(branching), children.len());
            let first = stack.len();
            for &child in children {
                let class = self.class(child) as u16;
                stack.push((builder.child(id, class, self.weight(child), class_weights(child)), child));
            }
            stack[first..].reverse();
        }
        builder.finish()
    }

    fn split(&self, branching: &Branching) -> Split {
        let problem = self.store.problem;
        match branching.cut {
            Cut::Levels => Split::ByValue { feature: branching.feature },
            Cut::Between(low, high) => problem.threshold_split(branching.feature as usize, low, high),
        }
    }
}

impl Walk for Forest<'_> {
    type Node = TreeId;

    fn step(&self, tree: TreeId, row: usize) -> Step<TreeId> {
        let Some(branching) = self.branching(tree) else {
            return Step::Leaf;
        };
        let column = self.store.problem.data.column(branching.feature as usize);
        let code = column.codes.get(row);
        if code as usize == column.domain() {
            return Step::Unknown;
        }
        Step::Child(self.children[self.children_of(tree).start + branching.branch(code)])
    }

    fn children(&self, tree: TreeId) -> impl DoubleEndedIterator<Item = TreeId> {
        self.children[self.children_of(tree)].iter().copied()
    }

    fn weight(&self, tree: TreeId) -> f64 {
        self.store.get(self.nodes[tree as usize].case).weight
    }

    fn class(&self, tree: TreeId) -> usize {
        self.store.get(self.nodes[tree as usize].case).totals.class.into()
    }

    fn class_weight(&self, tree: TreeId, class: usize) -> f64 {
        Problem::weight(self.store.get(self.nodes[tree as usize].case).totals.classes[class])
    }

    fn n_classes(&self) -> usize {
        self.store.problem.n_classes()
    }

    fn routing(&self) -> Routing {
        self.store.problem.routing
    }
}
