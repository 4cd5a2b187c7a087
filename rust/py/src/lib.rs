//! treewright._core: the thin binding. Convert, run, wrap; nothing is decided here.
#![allow(clippy::too_many_arguments)] // the keyword arguments of Python functions

mod arrays;
mod complete;
mod convert;
mod dataset;
mod enumerate;
mod errors;
mod evolve;
mod files;
mod fixed_depth;
mod graph;
mod grow;
mod memory;
mod optimal;
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
mod tree_facts;
mod values;
mod wording;
mod zstd;

use mimalloc::MiMalloc;

/// Engines make and drop small objects by the million, on several threads.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Engines of treewright; use the package's public names instead.
#[pyo3::pymodule]
mod _core {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::{
        complete::{BestTree, CompleteOutcome, CompleteRules, complete_search},
        dataset::{CountedWeights, Dataset, counted_weights},
        enumerate::{
            CountOutcome, DistinctTrees, FoundTree, PartCounts, SearchPart, SplitSearch, TreeCounts,
            count_distinct_parts, count_distinct_trees, split_distinct_search,
        },
        evolve::{
            CorpusExtent, EvolutionTally, EvolvedRule, EvolvedRules, GrownTrees, RuleErrors, ScoreEstimate,
            TreeCorpora, evolve_pruning, pruning_errors,
        },
        files::{CodedColumn, FileFault, FileTable, Survey},
        fixed_depth::{
            FeatureRanking, FixedDepthFound, FixedDepthTask, fixed_depth_tree, fixed_depth_trees,
            opt_feature_list,
        },
        graph::{FrontPoint, OptimalTrees, SubtableGraph},
        grow::{GrowthParameters, SearchData, grow},
        optimal::{OptimalFound, OptimalTask, find_optimal_tree, instruction_set},
        program_problem::ProgramProblem,
        program_search::{ProgramSearch, ScoredProgram, checkpoint_seed},
        programs::Program,
        prune::{ErrorEstimate, PrunedTree, extra_errors, prune, prune_by_program, prune_grafting, refill},
        prune_study::{LinearRows, PrunedSets, StudyRule, linear_network, study_folds, study_pruning},
        select::{SelectionOutcome, SelectionRules, SelectionStep, select_features},
        table_search::{GreedyComparison, TableMinimum, compare_greedy, greedy_trees, minimum_tree_bounded},
        tables::{DecisionTable, TableCost, rows_reaching, tree_costs},
        tree::{Plane, SparseRows, Tree},
        tree_facts::{Decision, Histogram, whole_costs},
        wording::{label_texts, number_text, numbers_between, visible_text},
        zstd::ZstdDecoder,
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
