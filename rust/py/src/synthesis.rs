//! Evolution of programs: convert, run, wrap.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use treewright_core::control::{Control, Interrupt};
use treewright_core::file;
use treewright_core::outcome::Status;
use treewright_core::program::{self as core, Store, Ty, Value, Vocabulary};
use treewright_core::synthesis::{
    Examples, Outputs, Plan, Problem, ScoredInputs, Search, State, SynthesisError, seed_of,
};

use crate::convert;
use crate::errors::{DataError, FormatError, ParameterError, UnfinishedError};
use crate::programs::{Program, arguments, limits};
use crate::run::{self, Limits};
use crate::values::{Reader, write};

/// Nodes of the outputs that a score is asked about at a time; programs are not cut up.
const NODES_AT_ONCE: usize = 1 << 20;

fn fault(error: SynthesisError) -> PyErr {
    let text = error.to_string();
    match error {
        SynthesisError::Lengths { .. } | SynthesisError::Empty | SynthesisError::Mismatch { .. } => {
            DataError::new_err(text)
        }
        SynthesisError::Signature { .. } | SynthesisError::Undefined | SynthesisError::Unscored => {
            ParameterError::new_err(text)
        }
        SynthesisError::Checkpoint { .. } => FormatError::new_err(text),
    }
}

/// A problem, the program to start from, and what scores outputs if the problem does not.
#[pyclass(frozen, module = "treewright._core")]
pub struct ProgramProblem {
    problem: Arc<dyn Problem + Send + Sync>,
    start: core::Program,
    scoring: Option<Scoring>,
}

struct Scoring {
    score: Py<PyAny>,
    /// Whether outputs are numbers and go as one array.
    arrays: bool,
}

fn vocabulary(start: &core::Program, functions: Option<Vec<String>>) -> PyResult<Vocabulary> {
    let Some(words) = functions else { return Ok(Vocabulary::of(start)) };
    let named = Vocabulary::named(start, &words);
    named.map_err(|error| ParameterError::new_err(format!("functions: {error}")))
}

/// Inputs: of a program of one parameter the values themselves, else tuples of them.
fn read_inputs(
    start: &core::Program,
    store: &mut Store,
    inputs: &Bound<'_, PyAny>,
) -> PyResult<Vec<Vec<Value>>> {
    let one = |(k, input): (usize, PyResult<Bound<'_, PyAny>>)| {
        let (input, what) = (input?, format!("input {k}"));
        if start.signature().0.len() == 1 {
            return arguments(start, store, &PyTuple::new(input.py(), [input])?, &what);
        }
        let args = input.cast::<PyTuple>().map_err(|_| {
            DataError::new_err(format!("{what} is no tuple; give one of a value for each parameter"))
        })?;
        arguments(start, store, args, &what)
    };
    inputs.try_iter()?.enumerate().map(one).collect()
}

#[pymethods]
impl ProgramProblem {
    /// Inputs with their right outputs, perhaps as another program sees them.
    #[staticmethod]
    #[pyo3(signature = (start, functions, inputs, outputs, *, view=None, max_steps, max_memory))]
    fn examples(
        start: &Program,
        functions: Option<Vec<String>>,
        inputs: &Bound<'_, PyAny>,
        outputs: &Bound<'_, PyAny>,
        view: Option<&Program>,
        max_steps: u64,
        max_memory: usize,
    ) -> PyResult<Self> {
        let start = start.inner.clone();
        let mut store = Store::new();
        let inputs = read_inputs(&start, &mut store, inputs)?;
        let seen = view.map_or(start.signature().1, |view| view.inner.signature().1);
        let mut reader = Reader { types: start.types(), store: &mut store };
        let outputs = outputs.try_iter()?.enumerate();
        let outputs = outputs.map(|(k, output)| reader.read(seen, &output?, &format!("output {k}")));
        let outputs = outputs.collect::<PyResult<Vec<Value>>>()?;
        let view = view.map(|view| &view.inner);
        let mut examples = Examples::viewed(&start, view, &store, &inputs, &outputs).map_err(fault)?;
        examples.vocabulary = vocabulary(&start, functions)?;
        examples.limits = limits(max_steps, max_memory);
        Ok(ProgramProblem { problem: Arc::new(examples), start, scoring: None })
    }

    /// Inputs, and a function that scores the outputs of many programs.
    #[staticmethod]
    #[pyo3(signature = (start, functions, inputs, score, *, arrays, target, name, max_output, max_steps, max_memory))]
    fn scored(
        start: &Program,
        functions: Option<Vec<String>>,
        inputs: &Bound<'_, PyAny>,
        score: Py<PyAny>,
        arrays: bool,
        target: Option<f64>,
        name: String,
        max_output: usize,
        max_steps: u64,
        max_memory: usize,
    ) -> PyResult<Self> {
        let start = start.inner.clone();
        let result = start.signature().1;
        if arrays && ![Ty::FLOAT, Ty::INT, Ty::BOOL].contains(&result) {
            return Err(ParameterError::new_err(format!(
                "arrays=True needs outputs that are numbers, and those of the start are of type {}; use \
                 arrays=False",
                start.types().name(result)
            )));
        }
        let mut store = Store::new();
        let inputs = read_inputs(&start, &mut store, inputs)?;
        let mut problem = ScoredInputs::new(&start, &store, &inputs).map_err(fault)?;
        problem.vocabulary = vocabulary(&start, functions)?;
        problem.limits = limits(max_steps, max_memory);
        (problem.most_nodes, problem.target, problem.name) = (max_output, target, name);
        Ok(ProgramProblem { problem: Arc::new(problem), start, scoring: Some(Scoring { score, arrays }) })
    }
}

impl ProgramProblem {
    /// Asks the user's function about programs, some at a time.
    fn score(&self, py: Python<'_>, batch: &[Outputs]) -> PyResult<Vec<f64>> {
        let scoring = self.scoring.as_ref().expect("only a problem with a score asks for it");
        let mut losses = Vec::with_capacity(batch.len());
        let mut start = 0;
        while start < batch.len() {
            let mut n_nodes = 0;
            let fits = |outputs: &&Outputs| {
                n_nodes += outputs.n_nodes;
                n_nodes <= NODES_AT_ONCE
            };
            let n = batch[start..].iter().take_while(fits).count().max(1);
            let some = &batch[start..start + n];
            let outputs = match scoring.arrays {
                true => self.array(py, some)?,
                false => self.objects(py, some)?,
            };
            let found = convert::numbers(&scoring.score.bind(py).call1((outputs,))?, "score")?;
            if found.len() != n {
                return Err(DataError::new_err(format!(
                    "score returned {} losses for {n} programs; return one number for each",
                    found.len()
                )));
            }
            losses.extend(found);
            start += n;
        }
        Ok(losses)
    }

    /// Lists of outputs, program by program; None where there is none.
    fn objects<'py>(&self, py: Python<'py>, batch: &[Outputs]) -> PyResult<Bound<'py, PyAny>> {
        let (types, result) = (self.problem.types(), self.start.signature().1);
        let list = PyList::empty(py);
        for outputs in batch {
            let one = |value: &Option<Value>| {
                let found =
                    value.map_or(Ok(None), |value| write(py, types, &outputs.store, result, value))?;
                Ok(found.unwrap_or_else(|| py.None().into_bound(py)))
            };
            list.append(outputs.values.iter().map(one).collect::<PyResult<Vec<_>>>()?)?;
        }
        Ok(list.into_any())
    }

    /// Numbers, a row a program; NaN where there is none.
    fn array<'py>(&self, py: Python<'py>, batch: &[Outputs]) -> PyResult<Bound<'py, PyAny>> {
        let number = |value: &Option<Value>| match *value {
            Some(Value::Float(x)) => x,
            Some(Value::Int(x)) => x as f64,
            Some(Value::Bool(x)) => f64::from(u8::from(x)),
            Some(Value::Data(_)) | None => f64::NAN,
        };
        let values = batch.iter().flat_map(|outputs| outputs.values.iter().map(number)).collect();
        Ok(convert::matrix(py, values, self.problem.n_inputs())?.into_any())
    }
}

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
        most_bits: f64,
        resume: Option<&str>,
    ) -> PyResult<Self> {
        let task = problem.get();
        let seed = match (seed, resume) {
            (Some(seed), _) => seed,
            (None, Some(text)) => seed_of(text).map_err(fault)?,
            (None, None) => 0,
        };
        let plan = Plan { seed, most_bits, ..Plan::default() };
        let mut raised = None;
        let mut scorer = |batch: Vec<Outputs>| {
            let found = Python::attach(|py| task.score(py, &batch));
            found.map_err(|error| raised = Some(error)).ok()
        };
        let scorer = task.scoring.is_some().then_some(&mut scorer as _);
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
        let mut file = checkpoint.map(|path| Checkpoint { path, every, written: Instant::now() });
        let serve = |py: Python<'_>, batch: Vec<Outputs>| task.score(py, &batch);
        let limits = Limits { n_threads, time_limit, callback };
        let (result, raised) = run::served(py, &limits, serve, |control: &Control, ask| {
            let mut failed = None;
            let mut after = |search: &Search<'_>| {
                self.show(search, problem);
                failed = file.as_mut().and_then(|file| file.write_now_and_then(search).err());
                failed.is_none()
            };
            let scorer = task.scoring.is_some().then_some(ask);
            let ended = search.go_on(control, scorer, &mut after);
            let last = file.as_ref().map_or(Ok(()), |file| file.write(&search));
            failed.or(last.err()).map_or(Ok(ended), Err)
        });
        *locked(&self.state) = Some(search.into_state());
        if let Some(raised) = raised {
            return Err(raised);
        }
        let ended: Result<(), Interrupt> = result?;
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
        let file = Checkpoint { path, every: 0.0, written: Instant::now() };
        let written = file.write(&search);
        *locked(&self.state) = Some(search.into_state());
        written
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
