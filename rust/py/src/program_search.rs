//! Evolution of programs: convert, run, wrap.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;
use treewright_core::evolve::{Files, Outputs, Plan, ProgramSearch as Search, State, seed_of, symbols};

use crate::errors::{UnfinishedError, to_py};
use crate::program_problem::ProgramProblem;
use crate::programs::Program;
use crate::run::{self, Limits};

/// Bits of the largest programs, but for large starts.
const USUAL_BITS: f64 = 500.0;

/// What can be seen of a search at any time, also while it runs.
#[derive(Default)]
struct Shown {
    front: Vec<ScoredProgram>,
    n_programs: u64,
    n_judged: u64,
    solved: Option<u64>,
}

/// A program of a front, and what it is worth.
#[pyclass(frozen, get_all, module = "treewright._core")]
#[derive(Clone)]
pub struct ScoredProgram {
    program: Program,
    loss: f64,
    bits: f64,
    steps: u64,
    n_wrong: u32,
}

/// Where a search stands.
enum Held {
    /// `None` before its start was scored.
    Idle(Option<Box<State>>),
    Running,
}

/// A search that can be run, stored, and run again.
#[pyclass(frozen, module = "treewright._core")]
pub struct ProgramSearch {
    problem: Py<ProgramProblem>,
    #[pyo3(get)]
    seed: u64,
    /// Bits of the largest programs.
    #[pyo3(get)]
    most_bits: f64,
    /// Bits of the program to start from.
    #[pyo3(get)]
    start_bits: f64,
    held: Mutex<Held>,
    shown: Mutex<Shown>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The seed of the search that wrote a checkpoint.
#[pyfunction]
pub fn checkpoint_seed(path: PathBuf) -> PyResult<u64> {
    seed_of(&path).map_err(to_py)
}

impl ProgramSearch {
    fn show(&self, state: &State, task: &ProgramProblem) {
        let kept = state.population.members().iter().map(|member| ScoredProgram {
            program: Program { inner: member.program.clone() },
            loss: task.problem.shown(member.scored.loss),
            bits: member.bits,
            steps: member.scored.cost,
            n_wrong: member.scored.n_wrong,
        });
        let (n_programs, n_judged, solved) = (state.n_programs, state.tally.n_judged(), state.solved);
        *locked(&self.shown) = Shown { front: kept.collect(), n_programs, n_judged, solved };
    }
}

#[pymethods]
impl ProgramSearch {
    /// A search from the start of a problem.
    #[new]
    #[pyo3(signature = (problem, *, seed, most_bits))]
    fn new(problem: &Bound<'_, ProgramProblem>, seed: u64, most_bits: Option<f64>) -> Self {
        let task = problem.get();
        let start_bits = task.start.bits(&symbols(&*task.problem));
        ProgramSearch {
            problem: problem.clone().unbind(),
            seed,
            // Where nothing is said, room to grow for any start.
            most_bits: most_bits.unwrap_or_else(|| USUAL_BITS.max(2.0 * start_bits)),
            start_bits,
            held: Mutex::new(Held::Idle(None)),
            shown: Mutex::default(),
        }
    }

    /// Runs until so many programs were made, perhaps from where a checkpoint stands; the status.
    #[pyo3(signature = (*, budget, polish, checkpoint=None, resume=false, every=10.0, limits=Limits::none(1)))]
    fn run(
        &self,
        py: Python<'_>,
        budget: u64,
        polish: u64,
        checkpoint: Option<PathBuf>,
        resume: bool,
        every: f64,
        limits: Limits,
    ) -> PyResult<&'static str> {
        let task = self.problem.get();
        let Held::Idle(state) = std::mem::replace(&mut *locked(&self.held), Held::Running) else {
            return Err(UnfinishedError::new_err(
                "the search is running; wait for it, or give run the checkpoint it is to write",
            ));
        };
        let plan = Plan { seed: self.seed, budget, polish, patience: None, most_bits: self.most_bits };
        let mut search = Search::new(&*task.problem, &task.start, plan);
        search.state = state.map(|state| *state);
        let between = Duration::try_from_secs_f64(every).unwrap_or(Duration::MAX);
        let files = Files { checkpoint, resume, between };
        let serve = |py: Python<'_>, batch: Vec<Outputs>| task.score(py, &batch);
        let (ended, raised) = run::served(py, &limits, serve, |control, ask| {
            let scorer = task.is_scored().then_some(ask);
            search.run(scorer, &files, control, &mut |state| self.show(state, task))
        });
        *locked(&self.held) = Held::Idle(search.state.map(Box::new));
        match raised {
            Some(raised) => Err(raised),
            None => Ok(ended.map_err(to_py)?.status.name()),
        }
    }

    /// The programs that are kept, the best first; none before the start was scored.
    fn front(&self) -> Vec<ScoredProgram> {
        locked(&self.shown).front.clone()
    }

    #[getter]
    fn n_programs(&self) -> u64 {
        locked(&self.shown).n_programs
    }

    #[getter]
    fn n_judged(&self) -> u64 {
        locked(&self.shown).n_judged
    }

    #[getter]
    fn solved(&self) -> Option<u64> {
        locked(&self.shown).solved
    }
}
