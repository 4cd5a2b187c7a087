//! treewright._core: the thin binding. Convert, run, wrap; nothing is decided here.
#![allow(clippy::too_many_arguments)] // the keyword arguments of Python functions

mod arrays;
mod complete;
mod convert;
mod dataset;
mod enumerate;
mod errors;
mod evolve;
mod fixed_depth;
mod graph;
mod grow;
mod program_problem;
mod program_search;
mod programs;
mod prune;
mod prune_study;
mod run;
mod select;
mod table_search;
mod tables;
mod tree;
mod values;

use mimalloc::MiMalloc;
use pyo3::prelude::*;

/// Engines make and drop small objects by the million, on several threads.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Engines of treewright; use the package's public names instead.
#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<dataset::Dataset>()?;
    module.add_class::<tree::Tree>()?;
    module.add_class::<tree::Plane>()?;
    module.add_class::<tree::SparseRows>()?;
    module.add_class::<tables::DecisionTable>()?;
    module.add_class::<graph::SubtableGraph>()?;
    module.add_class::<graph::OptimalTrees>()?;
    module.add_class::<graph::FrontPoint>()?;
    module.add_class::<tables::TableCost>()?;
    module.add_class::<table_search::TableMinimum>()?;
    module.add_class::<table_search::GreedyComparison>()?;
    module.add_class::<grow::GrowthParameters>()?;
    module.add_class::<select::SelectionRules>()?;
    module.add_class::<select::SelectionStep>()?;
    module.add_class::<select::SelectionOutcome>()?;
    module.add_class::<complete::CompleteRules>()?;
    module.add_class::<complete::BestTree>()?;
    module.add_class::<complete::CompleteOutcome>()?;
    module.add_class::<enumerate::DistinctTrees>()?;
    module.add_class::<enumerate::FoundTree>()?;
    module.add_class::<enumerate::TreeCounts>()?;
    module.add_class::<enumerate::CountOutcome>()?;
    module.add_class::<enumerate::SearchPart>()?;
    module.add_class::<enumerate::SplitSearch>()?;
    module.add_class::<enumerate::PartCounts>()?;
    module.add_class::<prune::ErrorEstimate>()?;
    module.add_class::<evolve::TreeCorpora>()?;
    module.add_class::<evolve::GrownTrees>()?;
    module.add_class::<evolve::ScoreEstimate>()?;
    module.add_class::<evolve::EvolvedRule>()?;
    module.add_class::<evolve::RuleErrors>()?;
    module.add_class::<evolve::CorpusExtent>()?;
    module.add_class::<evolve::EvolutionTally>()?;
    module.add_class::<evolve::EvolvedRules>()?;
    module.add_class::<prune::PrunedTree>()?;
    module.add_class::<prune_study::LinearRows>()?;
    module.add_class::<prune_study::StudyRule>()?;
    module.add_class::<prune_study::PrunedSets>()?;
    module.add_class::<fixed_depth::FixedDepthTask>()?;
    module.add_class::<fixed_depth::FixedDepthFound>()?;
    module.add_class::<fixed_depth::FeatureRanking>()?;
    module.add_class::<programs::Program>()?;
    module.add_class::<program_problem::ProgramProblem>()?;
    module.add_class::<program_search::ProgramSearch>()?;
    module.add_class::<program_search::ScoredProgram>()?;
    module.add_function(wrap_pyfunction!(program_search::checkpoint_seed, module)?)?;
    module.add_function(wrap_pyfunction!(grow::grow, module)?)?;
    module.add_function(wrap_pyfunction!(enumerate::count_distinct_trees, module)?)?;
    module.add_function(wrap_pyfunction!(enumerate::count_distinct_parts, module)?)?;
    module.add_function(wrap_pyfunction!(enumerate::split_distinct_search, module)?)?;
    module.add_function(wrap_pyfunction!(complete::complete_search, module)?)?;
    module.add_function(wrap_pyfunction!(tables::tree_costs, module)?)?;
    module.add_function(wrap_pyfunction!(table_search::greedy_trees, module)?)?;
    module.add_function(wrap_pyfunction!(table_search::minimum_tree_bounded, module)?)?;
    module.add_function(wrap_pyfunction!(table_search::compare_greedy, module)?)?;
    module.add_function(wrap_pyfunction!(prune::extra_errors, module)?)?;
    module.add_function(wrap_pyfunction!(prune::prune, module)?)?;
    module.add_function(wrap_pyfunction!(prune::prune_grafting, module)?)?;
    module.add_function(wrap_pyfunction!(prune::refill, module)?)?;
    module.add_function(wrap_pyfunction!(prune_study::linear_network, module)?)?;
    module.add_function(wrap_pyfunction!(prune_study::study_folds, module)?)?;
    module.add_function(wrap_pyfunction!(prune_study::study_pruning, module)?)?;
    module.add_function(wrap_pyfunction!(evolve::evolve_pruning, module)?)?;
    module.add_function(wrap_pyfunction!(evolve::pruning_errors, module)?)?;
    module.add_function(wrap_pyfunction!(select::select_features, module)?)?;
    module.add_function(wrap_pyfunction!(fixed_depth::fixed_depth_tree, module)?)?;
    module.add_function(wrap_pyfunction!(fixed_depth::fixed_depth_trees, module)?)?;
    module.add_function(wrap_pyfunction!(fixed_depth::opt_feature_list, module)?)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
