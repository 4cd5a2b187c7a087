//! What given rules get wrong, without a search.

use super::error::EvolveError;
use super::judge::{Bench, Judge, Objective};
use super::run::Trees;
use super::search::compiled;
use crate::base::control::Control;
use crate::model::program::Program;

/// Test errors of each rule on every tree, rule after rule; `None` if the control interrupts.
///
/// # Errors
/// Sources without trees; a rule that is none, or not finite at some leaf.
pub fn tree_errors(
    trees: &Trees,
    rules: &[Program],
    control: &Control,
) -> Result<Option<Vec<f64>>, EvolveError> {
    let corpus = trees.source.corpus(trees.n_trees, control).map_err(EvolveError::Core)?;
    let Ok(corpus) = corpus else { return Ok(None) };
    let (judge, mut bench) = (Judge::new(corpus, Objective::Errors, &[]), Bench::default());
    let mut all = Vec::new();
    for rule in rules {
        if control.checkpoint().is_err() {
            return Ok(None);
        }
        all.extend(judge.errors(&compiled(rule)?, &mut bench).ok_or(EvolveError::Undefined)?);
    }
    Ok(Some(all))
}
