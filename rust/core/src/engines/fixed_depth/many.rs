//! Many weighted fits of one set of rows, as bagging and boosting ask for.

use std::sync::Arc;

use super::naive_bayes::{CodedRows, Prior};
use super::solve::{Found, Task, solve};
use crate::base::control::Control;
use crate::base::error::Result;
use crate::base::outcome::{Halt, Outcome, Status};
use crate::model::data::{RawColumn, Schema, Weights};

/// The outcome of the search for each weighting.
pub type Fits = Vec<Outcome<Found, f64>>;

/// The best tree for every weighting of the rows, in order, with raw counts of those that weigh something; none
/// where a limit comes before the last. `columns` has the values of the rows.
///
/// # Errors
/// As [`solve`].
pub fn fit_many(
    rows: &CodedRows,
    columns: &[RawColumn],
    schema: &Arc<Schema>,
    weightings: &[Weights],
    prior: Prior,
    task: &Task,
    control: &Control,
) -> Result<Outcome<Option<Fits>>> {
    let fit = |(): &mut (), weights: &Weights| -> std::result::Result<_, Halt> {
        control.checkpoint()?;
        let Outcome { value, status, bound, stats } =
            solve(&rows.model(weights, prior), schema, task, control)?;
        let found = value.ok_or(status)?;
        let counted = found.tree.counted(columns, rows.classes(), weights, control)?;
        let tree = counted.value.ok_or(counted.status)?;
        control.advance(1);
        Ok(Outcome { value: Found { tree, ..found }, status, bound, stats })
    };
    let found = control.map(weightings, || (), fit).into_iter().collect();
    Outcome::all_or_none(found, Status::Complete, control.stats(weightings.len() as u64))
}
