//! Programs judged outside of generations: the one to start from, and those of a checkpoint.

use super::judge::{Bench, Scored, judge};
use super::problem::{Problem, SynthesisError};
use super::scored::{self, Scorer};
use crate::model::program::Program;

/// Relative difference up to which losses agree that were found in another batch.
const CLOSE: f64 = 1e-9;

/// What programs are worth; `None` of those whose loss is not finite.
pub fn rejudged(
    problem: &dyn Problem,
    programs: &[&Program],
    scorer: Option<&mut Scorer<'_>>,
) -> Result<Vec<Option<Scored>>, SynthesisError> {
    let bench = &mut Bench::new(problem);
    let Some(scorer) = scorer else {
        return Ok(programs.iter().map(|program| judge(problem, program, bench, |_, _| false)).collect());
    };
    let run = programs.iter().map(|program| scored::run_all(problem, program, bench));
    let (scored, run): (Vec<Scored>, Vec<_>) =
        run.map(|(scored, outputs)| (scored, (scored.behaviour, outputs))).unzip();
    let losses = scored::losses(run, std::iter::empty(), scorer).ok_or(SynthesisError::Unscored)?;
    let both = scored.into_iter().zip(losses);
    Ok(both.map(|(scored, loss)| loss.map(|loss| Scored { loss, ..scored })).collect())
}

/// Whether a program is worth what is stored; losses that are summed in another order may round.
pub fn agrees(problem: &dyn Problem, stored: Scored, again: Option<Scored>) -> bool {
    let Some(again) = again else { return false };
    let (a, b) = (problem.shown(stored.loss), problem.shown(again.loss));
    let close = stored.loss == again.loss || (a - b).abs() <= CLOSE * a.abs().max(b.abs());
    close && Scored { loss: again.loss, ..stored } == again
}
