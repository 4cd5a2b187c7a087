//! Programs on a problem that they were not evolved for, such as one that chooses among them.

use super::grade;
use super::machine::{Bench, Inputs, Problem, judge, run_all};
use crate::base::control::Control;
use crate::base::outcome::Status;
use crate::engines::evolve::checkpoint::mix;
use crate::engines::evolve::task::{Outputs, Scored};
use crate::model::program::{Program, Ty};

/// What programs are worth on all inputs, in their order.
///
/// # Errors
/// What ended the work.
pub fn scores(problem: &dyn Problem, programs: &[Program], control: &Control) -> Result<Vec<Scored>, Status> {
    each(problem, programs, control, |program, bench| {
        judge(problem, program, bench, |_, _| false).expect("it is not given up")
    })
}

/// What programs return for all inputs, for a scorer, in their order.
///
/// # Errors
/// What ended the work.
pub fn outputs(
    problem: &dyn Problem,
    programs: &[Program],
    control: &Control,
) -> Result<Vec<Outputs>, Status> {
    each(problem, programs, control, |program, bench| run_all(problem, program, bench).1)
}

/// Looks at each of some programs, on as many threads as there are.
fn each<T: Send>(
    problem: &dyn Problem,
    programs: &[Program],
    control: &Control,
    of: impl Fn(&Program, &mut Bench) -> T + Sync,
) -> Result<Vec<T>, Status> {
    let one = |bench: &mut Bench, program: &Program| {
        control.checkpoint()?;
        Ok(of(program, bench))
    };
    control.map(programs, || Bench::new(problem), one).into_iter().collect()
}

/// A number for every input of a problem: inputs that are alike have the same.
pub fn input_digests(problem: &dyn Problem, start: &Program) -> Vec<u64> {
    let Inputs { types, heap, words, .. } = problem.inputs();
    let params = start.signature().0;
    let add = |digest, (&ty, &word): (&Ty, &u64)| mix(digest, grade::digest(types, ty, heap, word));
    words.iter().map(|input| params.iter().zip(input).fold(0, add)).collect()
}
