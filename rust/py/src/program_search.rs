//! Evolution of programs: convert, run, wrap.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use treewright_core::control::Control;
use treewright_core::file;
use treewright_core::outcome::Status;
use treewright_core::program as core;
use treewright_core::synthesis::{Outputs, Plan, Problem, Search, State, seed_of, symbols};

use crate::errors::UnfinishedError;
use crate::program_problem::{ProgramProblem, fault};
use crate::programs::Program;
use crate::run::{self, Limits};

/// Bits of the largest programs, but for large starts.
const USUAL_BITS: f64 = 500.0;

/// What can be seen of a search at any time, also while it runs.
#[derive(Default)]
struct Shown {
    front: Vec<Kept>,
    n_programs: u64,
    n_judged: u64,
    solved: Option<u64>,
}

#[derive(Clone)]
struct Kept {
    program: core::Program,
    loss: f64,
    bits: f64,
    steps: u64,
    n_wrong: u32,
}

/// A search that can be run, stored, and run again.
#[pyclass(frozen, module = "treewright._core")]
pub struct ProgramSearch {
    problem: Py<ProgramProblem>,
    plan: Plan,
    /// `None` while it runs.
    state: Mutex<Option<State>>,
    shown: Mutex<Shown>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn busy() -> PyErr {
    UnfinishedError::new_err("the search is running; wait for it, or give run the checkpoint it is to write")
}

/// Size of the largest programs where nothing is said: room to grow for any start.
fn usual_bits(task: &ProgramProblem) -> f64 {
    USUAL_BITS.max(2.0 * task.start.bits(&symbols(&*task.problem)))
}

impl ProgramSearch {
    fn show(&self, search: &Search<'_>, problem: &dyn Problem) {
        let kept = search.population().members().iter().map(|member| Kept {
            program: member.program.clone(),
            loss: problem.shown(member.scored.loss),
            bits: member.bits,
            steps: member.scored.steps,
            n_wrong: member.scored.n_wrong,
        });
        let (n_programs, n_judged, solved) = (search.n_programs(), search.n_judged(), search.solved());
        *locked(&self.shown) = Shown { front: kept.collect(), n_programs, n_judged, solved };
    }

    /// Puts the state aside while something is done with it.
    fn take(&self) -> PyResult<State> {
        let mut state = match self.state.try_lock() {
            Ok(state) => state,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return Err(busy()),
        };
        state.take().ok_or_else(busy)
    }
}

#[pymethods]
impl ProgramSearch {
    /// A search from the start of a problem, or from the text of a checkpoint.
    #[new]
    #[pyo3(signature = (problem, *, seed, most_bits, resume=None))]
    fn new(
        problem: &Bound<'_, ProgramProblem>,
        seed: Option<u64>,
        most_bits: Option<f64>,
        resume: Option<&str>,
    ) -> PyResult<Self> {
        let task = problem.get();
        let seed = match (seed, resume) {
            (Some(seed), _) => seed,
            (None, Some(text)) => seed_of(text).map_err(fault)?,
            (None, None) => 0,
        };
        let most_bits = most_bits.unwrap_or_else(|| usual_bits(task));
        let plan = Plan { seed, most_bits, ..Plan::default() };
        let mut raised = None;
        let mut scorer = |batch: Vec<Outputs>| {
            let found = Python::attach(|py| task.score(py, &batch));
            found.map_err(|error| raised = Some(error)).ok()
        };
        let scorer = task.is_scored().then_some(&mut scorer as _);
        let search = match resume {
            None => Search::scored(&*task.problem, &task.start, plan, scorer),
            Some(text) => Search::resumed(&*task.problem, &task.start, plan, text, scorer),
        };
        let search = search.map_err(|error| raised.take().unwrap_or_else(|| fault(error)))?;
        let made = ProgramSearch {
            problem: problem.clone().unbind(),
            plan,
            state: Mutex::new(None),
            shown: Mutex::default(),
        };
        made.show(&search, &*task.problem);
        *locked(&made.state) = Some(search.into_state());
        Ok(made)
    }

    /// Runs until so many programs were made; the status.
    #[pyo3(signature = (*, budget, polish, checkpoint=None, every=10.0, n_threads=1, time_limit=None,
                        callback=None))]
    fn run(
        &self,
        py: Python<'_>,
        budget: u64,
        polish: u64,
        checkpoint: Option<PathBuf>,
        every: f64,
        n_threads: usize,
        time_limit: Option<f64>,
        callback: Option<Py<PyAny>>,
    ) -> PyResult<&'static str> {
        let task = self.problem.get();
        let problem = &*task.problem;
        let plan = Plan { budget, polish, ..self.plan };
        let mut search = Search::at(problem, &task.start, plan, self.take()?);
        let mut file = checkpoint.map(|path| Checkpoint::new(path, every));
        let serve = |py: Python<'_>, batch: Vec<Outputs>| task.score(py, &batch);
        let limits = Limits { n_threads, time_limit, callback };
        let (result, raised) = run::served(py, &limits, serve, |control: &Control, ask| {
            let mut failed = None;
            let mut after = |search: &Search<'_>| {
                self.show(search, problem);
                failed = file.as_mut().and_then(|file| file.write_now_and_then(search).err());
                failed.is_none()
            };
            let scorer = task.is_scored().then_some(ask);
            let ended = search.go_on(control, scorer, &mut after);
            let last = file.as_ref().map_or(Ok(()), |file| file.write(&search));
            failed.or(last.err()).map_or(Ok(ended), Err)
        });
        *locked(&self.state) = Some(search.into_state());
        if let Some(raised) = raised {
            return Err(raised);
        }
        let ended: Result<(), Status> = result?;
        Ok(ended.map_or_else(Status::from, |()| Status::Complete).name())
    }

    /// The programs that are kept, the best first: each with loss, bits, steps and wrong outputs.
    fn front<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        // Making objects may run any Python code, which may look here too.
        let front = locked(&self.shown).front.clone();
        for kept in front {
            let program = Program { inner: kept.program };
            list.append((program, kept.loss, kept.bits, kept.steps, kept.n_wrong))?;
        }
        Ok(list)
    }

    /// Writes where it stands to a file, which is replaced as a whole.
    fn checkpoint(&self, path: PathBuf) -> PyResult<()> {
        let task = self.problem.get();
        let search = Search::at(&*task.problem, &task.start, self.plan, self.take()?);
        let file = Checkpoint::new(path, 0.0);
        let written = file.write(&search);
        *locked(&self.state) = Some(search.into_state());
        written
    }

    #[getter]
    fn most_bits(&self) -> f64 {
        self.plan.most_bits
    }

    #[getter]
    fn seed(&self) -> u64 {
        self.plan.seed
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

/// A file that a run writes now and then.
struct Checkpoint {
    path: PathBuf,
    /// Seconds in between.
    every: f64,
    written: Instant,
}

impl Checkpoint {
    /// A file that will be written; what killed runs left beside it is taken away.
    fn new(path: PathBuf, every: f64) -> Checkpoint {
        file::clear(&path);
        Checkpoint { path, every, written: Instant::now() }
    }

    fn write(&self, search: &Search<'_>) -> PyResult<()> {
        file::replace(&self.path, &search.to_json()).map_err(|error| {
            let path = self.path.display();
            PyOSError::new_err(format!(
                "the checkpoint '{path}' cannot be written ({error}); choose another place"
            ))
        })
    }

    fn write_now_and_then(&mut self, search: &Search<'_>) -> PyResult<()> {
        if self.written.elapsed() < Duration::try_from_secs_f64(self.every).unwrap_or(Duration::MAX) {
            return Ok(());
        }
        self.write(search)?;
        self.written = Instant::now();
        Ok(())
    }
}
