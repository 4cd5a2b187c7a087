//! Many weighted fits of one set of rows, as bagging and boosting ask for.

use std::sync::Arc;

use rayon::prelude::*;

use super::naive_bayes::{CodedRows, Prior};
use super::solve::{Found, Task, solve};
use crate::base::control::Control;
use crate::base::error::Result;
use crate::base::outcome::Status;
use crate::model::data::{Schema, Weights};

/// The best tree for every weighting of the rows, in order.
///
/// # Errors
/// As [`solve`].
pub fn fit_many(
    rows: &CodedRows,
    schema: &Arc<Schema>,
    weightings: &[Weights],
    prior: Prior,
    task: &Task,
    control: &Control,
) -> Result<std::result::Result<Vec<Found>, Status>> {
    let fit = |weights: &Weights| {
        let found = match control.checkpoint() {
            Ok(()) => solve(&rows.model(weights, prior), schema, task, control)?,
            Err(interrupt) => Err(interrupt),
        };
        control.advance(1);
        Ok(found)
    };
    match control.is_parallel() {
        true => weightings.par_iter().map(fit).collect(),
        false => weightings.iter().map(fit).collect(),
    }
}
