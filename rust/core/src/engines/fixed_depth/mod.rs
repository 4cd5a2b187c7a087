//! The best tree of a fixed depth under naive Bayes.
//!
//! A tree asks at most d questions of a row, no feature twice on a path, and answers with the most
//! probable class given the answers. Under naive Bayes its expected accuracy is the sum over its
//! leaves of the largest P(class, path); `worth` says what takes its place where wrong answers have
//! costs. The best tree can be found exactly: by every order of tests ([`Method::Exhaustive`]), with the last test looked up ([`Method::FeatureList`]), by sets of
//! tests ([`Method::Sets`]), or by branch and bound ([`Method::Bounded`]).
//!
//! | here | in the paper |
//! | --- | --- |
//! | joint | y, P(class, path) of every class |
//! | x | P(+ given the path) |
//! | opt-feature list | opt-feature list |
//! | depth | d |
//!
//! # Source
//! fixed-depth-trees.

mod bounded;
mod grid;
mod list;
mod many;
mod naive_bayes;
mod plain;
mod plan;

mod solve;
mod space;
mod worth;

pub use list::{Entry, OptFeatureList};
pub use many::{Fits, fit_many};
pub use naive_bayes::{CodedRows, NaiveBayes, Prior};
pub use solve::{Found, Method, Task, solve};
pub use space::Reach;
