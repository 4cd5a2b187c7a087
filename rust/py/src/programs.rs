//! Programs: read, run on Python values, written in other languages.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use treewright_core::distinct::{Leaf, LeafRates};
use treewright_core::error::Error;
use treewright_core::evolve::{Columns, NAIVE, Scratch, check_pruning, full_form};
use treewright_core::program::{
    self as core, Heap, Language, Limits, Machine, Stop, Store, Value, Vocabulary,
};

use crate::arrays::{Array, Vector};
use crate::errors::{DataError, MemoryLimitError, StepLimitError, of_program, to_py};
use crate::grow::choice;
use crate::values::{MOST_NODES, Reader, write};

/// Languages that programs are written in.
pub const LANGUAGES: [(&str, Language); 4] = [
    ("python", Language::Python),
    ("rust", Language::Rust),
    ("sml", Language::Sml),
    ("latex", Language::Latex),
];

/// A program, closed and well typed.
#[pyclass(frozen, eq, module = "treewright._core")]
#[derive(Clone, PartialEq)]
pub struct Program {
    pub inner: core::Program,
}

impl Program {
    /// The rule of a leaf that something reached, as a function; the program must be a formula of c and n.
    ///
    /// # Errors
    /// Another program.
    pub fn estimate(&self) -> PyResult<Arc<dyn Fn(f64, f64) -> f64 + Send + Sync>> {
        let columns = Columns::of(&self.inner).map_err(to_py)?;
        Ok(Arc::new(move |c, n| {
            let mut value = [0.0];
            columns.run(&[c], &[n], &mut value, &mut Scratch::default());
            rate(c, n, value[0])
        }))
    }
}

/// What a rule whose formula has this value says of a leaf; pruning knows NaN as unknown.
fn rate(c: f64, n: f64, value: f64) -> f64 {
    match value {
        _ if n == 0.0 => 0.0,
        _ if c == 0.0 => f64::INFINITY,
        value if value.is_finite() => value,
        _ => f64::NAN,
    }
}

/// The exception of a run without a value.
fn stopped(stop: Stop) -> PyErr {
    match stop {
        Stop::Steps => StepLimitError::new_err("the program used up its steps; raise max_steps"),
        Stop::Memory => MemoryLimitError::new_err("the program used up its memory; raise max_memory"),
    }
}

/// Limits of a run: words of data and of the stack are each as many.
pub fn limits(max_steps: u64, max_memory: usize) -> Limits {
    Limits { steps: max_steps, heap: max_memory, stack: max_memory }
}

/// A number with its noun.
pub fn number_of(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// The arguments of a call as values; `what` names them in messages.
pub fn arguments(
    program: &core::Program,
    store: &mut Store,
    args: &Bound<'_, PyTuple>,
    what: &str,
) -> PyResult<Vec<Value>> {
    let params = program.signature().0;
    if params.len() != args.len() {
        return Err(DataError::new_err(format!(
            "{what}: the program has {} and {} given; give one for each",
            number_of(params.len(), "parameter", "parameters"),
            number_of(args.len(), "value is", "values are")
        )));
    }
    let mut reader = Reader { types: program.types(), store };
    let one = |(k, (&ty, arg)): (usize, (&core::Ty, Bound<'_, PyAny>))| {
        reader.read(ty, &arg, &format!("{what}, argument {},", k + 1))
    };
    params.iter().zip(args.iter()).enumerate().map(one).collect()
}

/// A formula of c and n that estimates one leaf at a time.
pub struct FormulaRates {
    columns: Columns,
    scratch: Mutex<Scratch>,
}

impl LeafRates for FormulaRates {
    fn rate(&self, Leaf { c, n, .. }: Leaf) -> f64 {
        let mut value = [0.0];
        let mut scratch = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        self.columns.run(&[c], &[n], &mut value, &mut scratch);
        rate(c, n, value[0])
    }
}

impl Program {
    /// The program as a pruning rule takes it.
    pub fn leaf_rates(&self) -> Result<FormulaRates, Error> {
        Ok(FormulaRates { columns: Columns::of(&self.inner)?, scratch: Mutex::default() })
    }
}

#[pymethods]
impl Program {
    #[new]
    fn new(text: &str) -> PyResult<Self> {
        Ok(Program { inner: core::Program::parse(text).map_err(of_program)? })
    }

    /// A pruning rule: one formula of c and n.
    #[staticmethod]
    fn formula(text: &str) -> PyResult<Self> {
        let program = Program::new(text)?;
        Columns::of(&program.inner).map_err(to_py)?;
        Ok(program)
    }

    /// The naive pruning rule.
    #[staticmethod]
    fn naive() -> PyResult<Self> {
        Program::new(NAIVE)
    }

    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Self> {
        Ok(Program { inner: core::Program::from_json(text).map_err(of_program)? })
    }

    fn to_json(&self) -> String {
        self.inner.to_json()
    }

    #[getter]
    fn text(&self) -> String {
        self.inner.to_text()
    }

    /// Name of the main function.
    #[getter]
    fn name(&self) -> &str {
        self.inner.name()
    }

    /// Complexity in bits, among all symbols that its types allow.
    #[getter]
    fn bits(&self) -> f64 {
        let symbols = Vocabulary::of(&self.inner);
        let functions = !self.inner.is_scalar();
        self.inner.bits(&Vocabulary { values: true, functions, ..symbols })
    }

    #[getter]
    fn size(&self) -> usize {
        self.inner.size()
    }

    /// Types of the parameters and of the result, as they are written.
    #[getter]
    fn signature(&self) -> (Vec<String>, String) {
        let (params, result) = self.inner.signature();
        let name = |&ty: &core::Ty| self.inner.types().name(ty);
        (params.iter().map(name).collect(), name(&result))
    }

    fn code(&self, language: &str) -> PyResult<String> {
        Ok(self.inner.code(choice("language", language, &LANGUAGES)?))
    }

    /// A pruning rule in the traversal of the naive one: a program from a tree to a tree and its estimate.
    fn full_form(&self) -> PyResult<Self> {
        Ok(Program { inner: full_form(&self.inner).map_err(to_py)? })
    }

    /// Refuses a program that is not from a tree to the pruned tree and its estimate.
    fn check_pruning(&self) -> PyResult<()> {
        check_pruning(&self.inner).map_err(to_py)
    }

    /// Values of a pruning rule at pairs: 0 where nothing reached a leaf, infinite where it got nothing right,
    /// NaN where the formula is not finite.
    fn rates(&self, c: Vector<f64>, n: Vector<f64>) -> PyResult<Array<f64>> {
        let (c, n) = (c.0, n.0);
        if c.len() != n.len() {
            let (expected, found) = (c.len(), n.len());
            return Err(to_py(Error::LengthMismatch { what: "n".to_owned(), expected, found }));
        }
        let mut values = vec![0.0; c.len()];
        Columns::of(&self.inner).map_err(to_py)?.run(&c, &n, &mut values, &mut Scratch::default());
        values.iter_mut().zip(c.iter().zip(&n)).for_each(|(value, (&c, &n))| *value = rate(c, n, *value));
        Ok(Array::new(values))
    }

    fn simplify(&self) -> Self {
        Program { inner: self.inner.simplify() }
    }

    /// Runs the program; its value, and the steps it took.
    fn run<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        max_steps: u64,
        max_memory: usize,
    ) -> PyResult<(Bound<'py, PyAny>, u64)> {
        let mut store = Store::new();
        let values = arguments(&self.inner, &mut store, args, "the call")?;
        let (types, result) = (self.inner.types(), self.inner.signature().1);
        let most = max_memory.saturating_add(store.n_words()).min(MOST_NODES) as u64;
        let run = py.detach(|| {
            let code = self.inner.compile();
            let mut heap = Heap::new();
            let words: Vec<u64> = values.iter().map(|&value| heap.load(&store, value)).collect();
            let run = Machine::new().run(&code, &mut heap, &words, &limits(max_steps, max_memory))?;
            let mut out = Store::new();
            let value = heap.unload(types, result, run.value, &mut out);
            let size = out.n_occurrences(value);
            Ok((out, value, size, run.steps))
        });
        let (store, value, size, steps) = run.map_err(stopped)?;
        if size > most {
            let remedy = if most < MOST_NODES as u64 { "raise max_memory or ask" } else { "ask" };
            return Err(MemoryLimitError::new_err(format!(
                "the result has more than {most} parts, each counted as often as it occurs; {remedy} for less"
            )));
        }
        Ok((write(py, types, &store, result, value)?, steps))
    }

    fn __hash__(&self) -> u64 {
        self.inner.fingerprint() as u64
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> (Py<PyAny>, (String,)) {
        (slf.get_type().into_any().unbind(), (slf.get().text(),))
    }
}
