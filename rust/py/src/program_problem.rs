//! Problems that programs are evolved for: right outputs, or a score of the user's.

use std::collections::HashSet;
use std::sync::Arc;

use crate::arrays::Array;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use treewright_core::evolve::{
    Examples, Outputs, Problem, ScoredInputs, TreePruning, input_digests, outputs, scores,
};
use treewright_core::program::{self as core, Store, Ty, Value, Vocabulary};

use crate::convert;
use crate::errors::{DataError, ParameterError, to_py, unfinished};
use crate::evolve::TreeCorpora;
use crate::programs::{Program, arguments, limits, number_of};
use crate::run::{self, Limits};
use crate::values::{Reader, is_listing, write};

/// Nodes of the outputs that a score is asked about at a time; programs are not cut up.
const NODES_AT_ONCE: usize = 1 << 20;

/// A problem, the program to start from, and what scores outputs if the problem does not.
#[pyclass(frozen, module = "treewright._core")]
pub struct ProgramProblem {
    pub problem: Arc<dyn Problem + Send + Sync>,
    pub start: core::Program,
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
    named.map_err(|error| ParameterError::new_err(("functions", words, format!(": {error}"))))
}

/// Inputs: of a program of one parameter the values themselves, else tuples (or rows) of them.
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
        if !is_listing(&input) {
            let wish = "give one of a value for each parameter";
            return Err(DataError::new_err(format!("{what} is no tuple; {wish}")));
        }
        let args = input.try_iter()?.collect::<PyResult<Vec<_>>>()?;
        arguments(start, store, &PyTuple::new(input.py(), args)?, &what)
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
        let mut examples = Examples::new(&start, view, &store, &inputs, &outputs).map_err(to_py)?;
        examples.inputs.vocabulary = vocabulary(&start, functions)?;
        examples.inputs.limits = limits(max_steps, max_memory);
        Ok(ProgramProblem { problem: Arc::new(examples), start, scoring: None })
    }

    /// The trees of the first corpus and the test errors of their prunings; limits are those that the trees
    /// need.
    #[staticmethod]
    #[pyo3(signature = (start, functions, corpora, *, n_threads))]
    fn pruning(
        py: Python<'_>,
        start: &Program,
        functions: Option<Vec<String>>,
        corpora: &TreeCorpora,
        n_threads: usize,
    ) -> PyResult<Self> {
        let start = start.inner.clone();
        let mut problem = TreePruning::new(&corpora.first(py, n_threads)?).map_err(to_py)?;
        if let Some(words) = functions {
            problem.inputs.vocabulary = vocabulary(&start, Some(words))?;
        }
        problem.check(&start).map_err(to_py)?;
        Ok(ProgramProblem { problem: Arc::new(problem), start, scoring: None })
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
            let found = start.types().name(result);
            let reason =
                format!("needs outputs that are numbers, and those of the start are of type {found}");
            return Err(ParameterError::new_err(("arrays", true, reason, "use arrays=False")));
        }
        let mut store = Store::new();
        let inputs = read_inputs(&start, &mut store, inputs)?;
        let mut problem = ScoredInputs::new(&start, &store, &inputs).map_err(to_py)?;
        problem.inputs.vocabulary = vocabulary(&start, functions)?;
        problem.inputs.limits = limits(max_steps, max_memory);
        (problem.most_nodes, problem.target, problem.name) = (max_output, target, name);
        Ok(ProgramProblem { problem: Arc::new(problem), start, scoring: Some(Scoring { score, arrays }) })
    }

    /// Losses of programs of the type of the start, and the inputs on which each is wrong or has no output.
    #[pyo3(signature = (programs, *, limits=Limits::none(1)))]
    fn losses(
        &self,
        py: Python<'_>,
        programs: Vec<Bound<'_, Program>>,
        limits: Limits,
    ) -> PyResult<Vec<(f64, u32)>> {
        let programs: Vec<_> = programs.iter().map(|program| program.get().inner.clone()).collect();
        if programs
            .iter()
            .any(|one| one.signature() != self.start.signature() || one.types() != self.start.types())
        {
            return Err(ParameterError::new_err((
                "program",
                None::<f64>,
                "has other types than the program that the search started from",
                "give a program of the same types",
            )));
        }
        let problem = &*self.problem;
        if !self.is_scored() {
            let found = run::detached(py, &limits, |control| scores(problem, &programs, control))?;
            let found = found
                .map_err(|status| unfinished("the evaluation ended early", status, "; allow more time"))?;
            return Ok(found.iter().map(|one| (problem.shown(one.loss), one.n_wrong)).collect());
        }
        let found = run::detached(py, &limits, |control| outputs(problem, &programs, control))?;
        let found =
            found.map_err(|status| unfinished("the evaluation ended early", status, "; allow more time"))?;
        let n_without =
            |outputs: &Outputs| outputs.values.iter().filter(|value| value.is_none()).count() as u32;
        let losses = self.score(py, &found)?;
        Ok(losses.into_iter().zip(found.iter().map(n_without)).collect())
    }

    /// How many inputs are among those of another problem.
    fn n_shared(&self, other: &Self) -> usize {
        let known: HashSet<u64> = input_digests(&*other.problem, &other.start).into_iter().collect();
        input_digests(&*self.problem, &self.start).iter().filter(|digest| known.contains(digest)).count()
    }

    /// How many inputs there are.
    #[getter]
    fn n_inputs(&self) -> usize {
        self.problem.inputs().words.len()
    }
}

impl ProgramProblem {
    /// Whether outputs are scored by the user's function.
    pub fn is_scored(&self) -> bool {
        self.scoring.is_some()
    }

    /// Asks the user's function about programs, some at a time.
    pub fn score(&self, py: Python<'_>, batch: &[Outputs]) -> PyResult<Vec<f64>> {
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
                    "score returned {} for {}; return one number for each",
                    number_of(found.len(), "loss", "losses"),
                    number_of(n, "program", "programs")
                )));
            }
            losses.extend(found);
            start += n;
        }
        Ok(losses)
    }

    /// Lists of outputs, program by program; None where there is none.
    fn objects<'py>(&self, py: Python<'py>, batch: &[Outputs]) -> PyResult<Bound<'py, PyAny>> {
        let (types, result) = (&self.problem.inputs().types, self.start.signature().1);
        let list = PyList::empty(py);
        for outputs in batch {
            let one = |value: &Option<Value>| {
                let Some(value) = *value else { return Ok(py.None().into_bound(py)) };
                write(py, types, &outputs.store, result, value)
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
        Array::matrix(values, self.problem.inputs().words.len()).into_pyobject(py)
    }
}
