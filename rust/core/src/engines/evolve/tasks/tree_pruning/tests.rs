//! Unit tests, for they look at single outputs and at random children: pruning as a program over trees.

mod equality;
#[path = "../../../../../tests/all/common/grown.rs"]
mod grown;
mod losses;
