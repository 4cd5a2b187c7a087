//! Layer 2: pruning in its full form, as a program from a tree to the pruned tree and its estimate.
//!
//! `evolve` varies the formula f(c, n) inside a traversal that is fixed and fast. Here the traversal is
//! part of the program, and whatever is in it may change: what is compared, how estimates of children
//! are added up, what a child learns of its parent. It runs on the machine of `program` and is searched
//! by `synthesis`, dozens of times slower than columns are.
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
//! | file | what |
//! | --- | --- |
//! | `embed` | the naive program, and any formula in its place |
//! | `load` | trees as data of the machine |
//! | `problem` | the loss of a returned tree: its test errors |
//!
//! # Source
//! pruning-by-automatic-programming, section 3: the program to be improved is a naive form of C4.5's
//! pruning without grafting, which takes a tree and returns a tree and an estimated error rate.

mod embed;
mod load;
mod problem;

pub use crate::model::program::examples::NAIVE;
pub use embed::{full_form, naive};
pub use problem::{TreePruning, vocabulary};
