//! Pruning in its full form, as a program from a tree to the pruned tree and its estimate.
//!
//! The task `formula` varies f(c, n) inside a traversal that is fixed and fast. Here the traversal is
//! part of the program, and whatever is in it may change: what is compared, how estimates of children
//! are added up, what a child learns of its parent. It runs on the machine of `program`, dozens of times
//! slower than columns do.
//!
//! ```text
//! type mark = Mark of int
//! type tree = Leaf of mark * float * float | Node of mark * float * float * trees
//! type trees = Empty | More of tree * trees
//! ```
//! A leaf and a node hold the training rows of their class and all training rows. A mark stands for what
//! else they are: their class, the question asked. New expressions can neither make a mark nor look into
//! one, so a program hands on those that it was given, and what it returns can be told to be a pruning
//! of what it got, and be scored by the errors that are stored for every node.
//!
//! # Source
//! pruning-by-automatic-programming, section 3: the program to be improved is a naive form of C4.5's
//! pruning without grafting, which takes a tree and returns a tree and an estimated error rate.

mod rule;
#[cfg(test)]
mod tests;

pub use rule::{check_pruning, prune_by};

use super::machine::{Bench, Inputs, Problem, UNIT};
use crate::base::error::{Error, Result};
use crate::engines::evolve::checkpoint::mix;
use crate::engines::evolve::corpus::{Corpus, GrownTree};
use crate::engines::evolve::tasks::formula::Columns;
use crate::model::program::{Heap, Limits, Node, Prim, Program, Ty, Vocabulary, examples};

/// Positions of the constructors of trees and of lists of trees.
const LEAF: u8 = 0;
const NODE: u8 = 1;
const EMPTY: u8 = 0;
const MORE: u8 = 1;

/// Fields of a leaf and the first ones of a node: mark, rows of the class, all rows.
const N_COUNTS: usize = 3;

/// What a run on the largest tree may cost for each of its nodes. The naive program takes about ninety-five
/// steps, nine words of data and, on a tree that is one long path, thirteen words of stack.
const STEPS: usize = 400;
const DATA: usize = 48;
const STACK: usize = 64;

/// What a run may cost besides.
const SPARE: usize = 1000;

/// Finest part of an error that counts.
const FINEST: f64 = 1024.0;

/// The way from the naive program's body to its formula: the body of the local function that
/// estimates, and there what follows `else`.
const FORMULA: [u32; 2] = [0, 2];

/// The naive rule with its traversal.
pub fn naive() -> Program {
    Program::parse(examples::NAIVE).expect("the shipped program reads")
}

/// A scalar rule, a formula of c and n, in the traversal of the naive one: the program that prunes
/// every tree as the columns of the rule do.
///
/// # Errors
/// A program that is no formula of two floats, or one too deep to stand inside another.
///
/// # Examples
/// ```
/// use treewright_core::program::Program;
/// use treewright_core::evolve;
///
/// let rule = Program::parse(evolve::NAIVE).unwrap();
/// assert_eq!(evolve::full_form(&rule).unwrap(), evolve::naive());
/// ```
pub fn full_form(rule: &Program) -> Result<Program> {
    Columns::of(rule)?;
    let (mut arena, mut definitions) = naive().open();
    let main = &mut definitions[0];
    let Node::LetFun { params, .. } = arena.node(main.body).clone() else {
        unreachable!("the naive program begins with its estimate")
    };
    let formula = rule.main();
    let vars = formula.params.iter().copied().zip(params.iter().copied()).collect();
    let new = arena.copy_from(rule.arena(), formula.body, vars);
    let new = new.map_err(|_| Error::NotAFormula { text: rule.to_text() })?;
    main.body = arena.replace(main.body, &FORMULA, new)?;
    Ok(Program::new(&arena, &definitions)?)
}

/// Symbols for new expressions: float arithmetic and tests, `if` and `let`, trees and lists of trees;
/// nothing that makes a mark or takes one apart.
fn vocabulary() -> Vocabulary {
    let types = naive().types().clone();
    let mut vocabulary = Vocabulary::scalar();
    vocabulary.prims.extend([Prim::And, Prim::Or]);
    for sum in ["tree", "trees"].into_iter().filter_map(|name| types.find(name)) {
        vocabulary.constructors.extend(types.tags(sum));
        vocabulary.cases.push(Ty::sum(sum));
    }
    vocabulary
}

/// Pruning the trees of a corpus, by programs from a tree to a tree and its estimate.
///
/// The loss of an output is the number of test rows that the returned tree gets wrong, times a power of two
/// such that no output costs more than a whole unit; with fewer than 65 000 test rows a tree, whole numbers of
/// errors are exact. It costs one error more than the worst pruning of its tree, and no less than
/// all test rows, to return anything else: another tree than the given one with some of its nodes made
/// leaves, or an estimate that is not finite. A run without output costs still more.
#[derive(Debug, Clone)]
pub struct TreePruning {
    /// What programs run on.
    pub inputs: Inputs,
    /// Test errors of every node as a leaf, by its mark.
    errors: Vec<f64>,
    /// Errors that an output costs which is no pruning, for every tree.
    wrong: Vec<f64>,
    /// Loss of one error.
    scale: f64,
}

impl TreePruning {
    /// The problem of these trees.
    ///
    /// # Errors
    /// No trees, or one that cannot be stored in a corpus.
    pub fn new(trees: &[GrownTree]) -> Result<TreePruning> {
        check(trees)?;
        let mut heap = Heap::new();
        let (mut words, mut errors, mut wrong) = (Vec::new(), Vec::new(), Vec::new());
        for tree in trees {
            words.push(vec![load(&mut heap, tree, errors.len())]);
            errors.extend(tree.nodes.iter().map(|node| node.errors));
            wrong.push(1.0 + worst(tree).max(tree.n_test));
        }
        let n_nodes = trees.iter().map(|tree| tree.nodes.len()).max().unwrap_or(0);
        let limits = usual_limits(n_nodes);
        let scale = scale(wrong.iter().copied().fold(1.0, f64::max));
        let (types, vocabulary) = (naive().types().clone(), vocabulary());
        let inputs = Inputs { types, vocabulary, limits, heap, words };
        Ok(TreePruning { inputs, errors, wrong, scale })
    }

    /// Test errors of the tree in an output for the `k`-th input; `None` if it is no pruning of that
    /// tree or the estimate is not finite. The output must be that of a program from a tree to a tree and
    /// a float, as [`Problem::check`] does.
    pub fn errors(&self, k: usize, heap: &Heap, output: u64) -> Option<f64> {
        let [tree, estimate] = *heap.fields(output, 2) else { unreachable!("a pair has two parts") };
        if !f64::from_bits(estimate).is_finite() {
            return None;
        }
        let mut errors = 0.0;
        compare(heap, self.inputs.words[k][0], tree, |mark, is_leaf| {
            if is_leaf {
                errors += self.errors[mark as usize];
            }
        })?;
        Some(errors)
    }
}

/// What a run on a tree of so many nodes may cost.
fn usual_limits(n_nodes: usize) -> Limits {
    Limits {
        steps: (SPARE + STEPS * n_nodes) as u64,
        heap: SPARE + DATA * n_nodes,
        stack: SPARE + STACK * n_nodes,
    }
}

/// Refuses a program of another type than the naive one's.
fn check_type(program: &Program, role: &'static str) -> Result<()> {
    let (naive, found) = (naive(), program.signature());
    if found == naive.signature() && program.types() == naive.types() {
        return Ok(());
    }
    let types = program.types();
    let name = |&ty: &Ty| types.name(ty);
    let params: Vec<String> = found.0.iter().map(name).collect();
    let found = format!("{} -> {}", params.join(", "), name(&found.1));
    let expected = "tree -> tree * float";
    // The same words for other trees.
    let is_other = found == expected;
    let expected = format!("{expected}{}", if is_other { ", of the trees that pruning has" } else { "" });
    let found = format!("{found}{}", if is_other { ", of others" } else { "" });
    Err(Error::ProgramType { role, expected, found })
}

/// Goes through a returned tree beside the given one, from the root and from left to right: `at` gets the mark
/// of each returned node, and whether it is a leaf. `None` where the one is no pruning of the other: not the
/// same nodes, but that some are leaves.
fn compare(heap: &Heap, given: u64, returned: u64, mut at: impl FnMut(u64, bool)) -> Option<()> {
    let mut todo = vec![(given, returned)];
    while let Some((given, returned)) = todo.pop() {
        let counts = heap.fields(given, N_COUNTS);
        if !same_counts(heap, counts, heap.fields(returned, N_COUNTS)) {
            return None;
        }
        let is_leaf = Heap::position(returned) == LEAF;
        at(mark(heap, counts), is_leaf);
        if is_leaf {
            continue;
        }
        if Heap::position(given) == LEAF {
            return None;
        }
        let children = |word: u64| heap.fields(word, N_COUNTS + 1)[N_COUNTS];
        pair_children(heap, children(given), children(returned), &mut todo)?;
    }
    Some(())
}

fn check(trees: &[GrownTree]) -> Result<()> {
    Corpus::new(trees, trees.len())?;
    let fault = |name, found: String, allowed| Err(Error::Parameter { name, found: found.into(), allowed });
    if trees.is_empty() {
        return fault("trees", "none".to_owned(), "at least one tree");
    }
    match trees.iter().map(worst).find(|errors| !errors.is_finite()) {
        Some(errors) => fault("errors", errors.to_string(), "errors that add up to a finite number"),
        None => Ok(()),
    }
}

fn mark(heap: &Heap, counts: &[u64]) -> u64 {
    heap.fields(counts[0], 1)[0]
}

fn same_counts(heap: &Heap, given: &[u64], returned: &[u64]) -> bool {
    given[1..] == returned[1..] && mark(heap, given) == mark(heap, returned)
}

/// Adds the pairs of two lists, the first on top; `None` if one is longer.
fn pair_children(heap: &Heap, mut given: u64, mut returned: u64, todo: &mut Vec<(u64, u64)>) -> Option<()> {
    let before = todo.len();
    while Heap::position(given) == MORE && Heap::position(returned) == MORE {
        let (one, other) = (heap.fields(given, 2), heap.fields(returned, 2));
        todo.push((one[0], other[0]));
        (given, returned) = (one[1], other[1]);
    }
    todo[before..].reverse();
    (Heap::position(given) == Heap::position(returned)).then_some(())
}

/// Test errors of the worst pruning.
fn worst(tree: &GrownTree) -> f64 {
    let mut worst = vec![0.0; tree.nodes.len()];
    for (id, node) in tree.nodes.iter().enumerate().rev() {
        worst[id] = node.errors.max(worst[node.children()].iter().sum::<f64>());
    }
    worst[0]
}

/// The largest power of two that so many errors can be multiplied by.
fn scale(most_errors: f64) -> f64 {
    let mut scale = FINEST;
    while scale * most_errors > f64::from(UNIT) {
        scale /= 2.0;
    }
    scale
}

impl Problem for TreePruning {
    fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    fn loss(&self, k: usize, bench: &mut Bench, output: u64) -> u32 {
        let errors = self.errors(k, &bench.heap, output).unwrap_or(self.wrong[k]);
        (errors * self.scale).round() as u32
    }

    fn check(&self, start: &Program) -> Result<()> {
        check_type(start, "starting")
    }

    /// No pruning is right on all rows.
    fn target(&self) -> Option<f64> {
        None
    }

    fn shown(&self, loss: f64) -> f64 {
        loss / self.scale
    }

    fn digest(&self) -> u64 {
        let errors = self.errors.iter().chain(&self.wrong);
        errors.fold(0, |hash, errors| mix(hash, errors.to_bits()))
    }
}

/// Puts a tree on a heap, its nodes marked by their numbers from `first` on; the word of its root.
fn load(heap: &mut Heap, tree: &GrownTree, first: usize) -> u64 {
    let mut words = vec![0; tree.nodes.len()];
    for (id, node) in tree.nodes.iter().enumerate().rev() {
        let mark = heap.data(0, &[(first + id) as u64]);
        let counts = [mark, node.c.to_bits(), node.n.to_bits()];
        if node.n_children == 0 {
            words[id] = heap.data(LEAF, &counts);
            continue;
        }
        let (end, below) = (heap.data(EMPTY, &[]), words[node.children()].iter().rev());
        let children = below.fold(end, |others, &child| heap.data(MORE, &[child, others]));
        words[id] = heap.data(NODE, &[counts[0], counts[1], counts[2], children]);
    }
    words[0]
}
