//! What a program is worth: loss, steps and behaviour over all inputs.

use super::grade;
use super::problem::{Problem, STOPPED};
use crate::model::program::{Heap, Machine, Program};

/// What one thread runs programs with.
#[derive(Debug, Clone)]
pub struct Bench {
    pub machine: Machine,
    /// Inputs, and what the present run makes.
    pub heap: Heap,
}

impl Bench {
    pub fn new(problem: &dyn Problem) -> Bench {
        Bench { machine: Machine::new(), heap: problem.heap().clone() }
    }
}

/// How a program does on a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scored {
    /// Sum of the losses of all inputs, zero if all outputs are right.
    pub loss: u64,
    /// Wrong outputs, runs without output among them.
    pub n_wrong: u32,
    /// Steps of all runs.
    pub steps: u64,
    /// A number that programs with the same outputs share.
    pub behaviour: u64,
}

/// Runs a program on all inputs; `None` as soon as `give_up` says so of the loss and steps so far.
pub fn judge(
    problem: &dyn Problem,
    program: &Program,
    bench: &mut Bench,
    give_up: impl Fn(u64, u64) -> bool,
) -> Option<Scored> {
    let code = program.compile();
    let result = program.signature().1;
    let limits = problem.limits();
    let n_words = problem.heap().n_words();
    let mut scored = Scored { loss: 0, n_wrong: 0, steps: 0, behaviour: 0 };
    for k in 0..problem.n_inputs() {
        let Bench { machine, heap } = bench;
        let run = machine.run(&code, heap, problem.input(k), limits);
        let (loss, steps, digest) = match run {
            Ok(run) => {
                let digest = grade::digest(problem.types(), result, &bench.heap, run.value);
                (problem.loss(k, bench, run.value), run.steps, digest)
            }
            Err(_) => (STOPPED, limits.steps, 1),
        };
        bench.heap.truncate(n_words);
        scored.loss += u64::from(loss);
        scored.n_wrong += u32::from(loss > 0);
        scored.steps += steps;
        scored.behaviour = grade::mix(scored.behaviour, digest);
        if give_up(scored.loss, scored.steps) {
            return None;
        }
    }
    Some(scored)
}
