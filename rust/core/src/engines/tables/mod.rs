//! Layer 2: exact and greedy trees for decision tables (paper: decision-tables).
//!
//! A *subtable* is a set of rows that some values select; two ways to select the same rows are one
//! subtable. It is terminal when its rt, the number of pairs of rows with different decisions, is
//! at most alpha: then every tree has a leaf there. Elsewhere every tree asks for one of the features
//! that have two values or more, with a branch for each value that occurs. Subtables are shared by
//! all trees, so costs that are sums or maxima over children are minimised for all of them at once,
//! from small subtables to large ones.
//!
//! Letters of the paper: T, Θ = a subtable; E(T) = the features that vary in it; h = depth;
//! h_av · N = total path length; L, L_n, L_t = nodes, internal nodes, leaves.

mod bounded;
mod bounds;
mod boxes;
mod budget;
mod compare;
mod counts;
mod enumerate;
mod explore;
mod fractions;
mod fronts;
mod greedy;
mod impurity;
mod least;
mod lexicographic;
mod memo;
mod minima;
mod parts;
mod plan;
mod plant;
mod proven;
mod rows;
mod rule;
mod search;
mod sets;
mod subtables;
mod tier;
mod unroll;
mod view;

pub use bounded::{Bounded, SearchRules, minimum_bounded};
pub use compare::{Comparison, Drawn, TableLimits, compare};
pub use enumerate::OptimalTrees;
pub use fronts::FrontPoint;
pub use greedy::{GreedyRules, greedy};
pub use impurity::{Heuristic, Impurity, Uncertainty};
pub use plan::{Plan, Step};
pub use plant::planted;
pub use subtables::{GraphRules, GraphSize, SubtableGraph};
pub use unroll::Unrolled;
