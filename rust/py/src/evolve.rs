//! Evolution of pruning rules: convert, run, wrap.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::arrays::{Array, Vector};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use treewright_core::evolve as engine;
use treewright_core::evolve::{
    Columns, Evolution, EvolveError, Evolved, Extent, Files, GrownNode, GrownTree, Objective, Plan, Row,
    Rule, Scratch, Source, Trees,
};
use treewright_core::program::{Program, Vocabulary};
use treewright_core::prune_program::full_form;

use crate::errors::{DataError, FormatError, ParameterError, of_program, to_py};
use crate::grow::choice;
use crate::programs::{self, LANGUAGES};
use crate::prune_study::network;
use crate::run::{self, Limits};

const OBJECTIVES: [(&str, Objective); 3] =
    [("errors", Objective::Errors), ("mean_error", Objective::MeanError), ("mean_rank", Objective::MeanRank)];

fn fault(error: EvolveError) -> PyErr {
    let text = error.to_string();
    match error {
        EvolveError::Core(error) => to_py(error),
        EvolveError::Program(error) => of_program(error),
        EvolveError::NotARule { .. } | EvolveError::Undefined => ParameterError::new_err(text),
        EvolveError::Checkpoint { .. } => FormatError::new_err(text),
        EvolveError::Write { .. } => PyOSError::new_err(text),
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

/// A pruning rule as a program: one formula of c and n.
#[pyclass(frozen, eq, module = "treewright._core")]
pub struct PruningProgram {
    program: Program,
    columns: Columns,
}

impl PartialEq for PruningProgram {
    fn eq(&self, other: &Self) -> bool {
        self.program == other.program
    }
}

impl PruningProgram {
    fn of(program: Program) -> Result<Self, EvolveError> {
        let columns = engine::compiled(&program)?;
        Ok(PruningProgram { program, columns })
    }

    /// The rule of a leaf that something reached, as a function.
    pub fn estimate(&self) -> Arc<dyn Fn(f64, f64) -> f64 + Send + Sync> {
        let columns = self.columns.clone();
        Arc::new(move |c, n| {
            let mut value = [0.0];
            columns.run(&[c], &[n], &mut value, &mut Scratch::default());
            rate(c, n, value[0])
        })
    }
}

#[pymethods]
impl PruningProgram {
    #[new]
    fn new(text: &str) -> PyResult<Self> {
        Program::parse(text).map_err(EvolveError::from).and_then(PruningProgram::of).map_err(fault)
    }

    /// The naive rule.
    #[staticmethod]
    fn naive() -> PyResult<Self> {
        PruningProgram::new(engine::NAIVE)
    }

    #[getter]
    fn text(&self) -> String {
        self.program.to_text()
    }

    /// Complexity in bits.
    #[getter]
    fn bits(&self) -> f64 {
        self.program.bits(&Vocabulary::scalar())
    }

    /// Symbols of the formula.
    #[getter]
    fn size(&self) -> usize {
        self.program.size()
    }

    fn code(&self, language: &str) -> PyResult<String> {
        Ok(self.program.code(choice("language", language, &LANGUAGES)?))
    }

    /// The same rule in fewer words.
    fn simplify(&self) -> PyResult<Self> {
        PruningProgram::of(self.program.simplify()).map_err(fault)
    }

    /// The rule in the traversal of the naive one: a program from a tree to a tree and its estimate.
    fn full_form(&self) -> PyResult<programs::Program> {
        let inner = full_form(&self.program).map_err(fault)?;
        Ok(programs::Program { inner })
    }

    /// Values at pairs: 0 where nothing reached a leaf, infinite where it got nothing right, NaN where the
    /// formula is not finite.
    fn rates(&self, c: Vector<f64>, n: Vector<f64>) -> PyResult<Array<f64>> {
        let (c, n) = (c.0, n.0);
        if c.len() != n.len() {
            return Err(DataError::new_err(format!(
                "n has {} entries where {} are needed; give one for each of c",
                n.len(),
                c.len()
            )));
        }
        let mut values = vec![0.0; c.len()];
        self.columns.run(&c, &n, &mut values, &mut Scratch::default());
        values.iter_mut().zip(c.iter().zip(&n)).for_each(|(value, (&c, &n))| *value = rate(c, n, *value));
        Ok(Array::new(values))
    }

    fn __hash__(&self) -> u64 {
        self.program.fingerprint() as u64
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> (Py<PyAny>, (String,)) {
        (slf.get_type().into_any().unbind(), (slf.get().text(),))
    }
}

/// Trees of one purpose: `("networks", n_inputs, n_removed, train_shares, seed, n_trees)` or
/// `("grown", c, n, errors, first_child, n_children, n_nodes, n_test, n_trees)`.
pub fn trees(given: &Bound<'_, PyAny>) -> PyResult<Trees> {
    let kind: String = given.get_item(0)?.extract()?;
    if kind == "networks" {
        type Drawn = (String, Vec<u32>, Vec<u32>, Vec<f64>, u64, usize);
        let (_, inputs, removed, shares, seed, n_trees): Drawn = given.extract()?;
        let each = inputs.into_iter().zip(removed).zip(shares);
        let networks = each.map(|((inputs, removed), share)| network(inputs, removed, share));
        let networks = networks.collect::<PyResult<Vec<_>>>()?;
        return Ok(Trees { source: Source::Networks { networks, seed }, n_trees });
    }
    let floats = |k: usize| -> PyResult<Vec<f64>> { Ok(given.get_item(k)?.extract::<Vector<f64>>()?.0) };
    let counts = |k: usize| -> PyResult<Vec<i64>> { Ok(given.get_item(k)?.extract::<Vector<i64>>()?.0) };
    let (c, n, errors) = (floats(1)?, floats(2)?, floats(3)?);
    let (first_child, n_children, n_nodes) = (counts(4)?, counts(5)?, counts(6)?);
    let n_test = floats(7)?;
    let n_trees: usize = given.get_item(8)?.extract()?;
    let mut start = 0;
    let tree = |(n_nodes, n_test): (i64, f64)| {
        let range = start..start + n_nodes as usize;
        start = range.end;
        let node = |id: usize| GrownNode {
            c: c[id],
            n: n[id],
            errors: errors[id],
            first_child: first_child[id].max(0) as u32,
            n_children: n_children[id] as u32,
        };
        GrownTree { nodes: range.map(node).collect(), n_test }
    };
    let grown = n_nodes.into_iter().zip(n_test).map(tree).collect();
    Ok(Trees { source: Source::Grown(grown), n_trees })
}

/// Evolve a pruning rule; see `learn_pruner`.
#[pyfunction]
#[pyo3(signature = (train, validation, test, start, *, most_train, objective, seed, budget, most_bits,
                    patience=None, checkpoint=None, resume=None, n_threads=1, time_limit=None, callback=None))]
pub fn evolve_pruning<'py>(
    py: Python<'py>,
    train: &Bound<'py, PyAny>,
    validation: &Bound<'py, PyAny>,
    test: &Bound<'py, PyAny>,
    start: Vec<Bound<'py, PruningProgram>>,
    most_train: usize,
    objective: &str,
    seed: u64,
    budget: u64,
    most_bits: f64,
    patience: Option<u64>,
    checkpoint: Option<PathBuf>,
    resume: Option<String>,
    n_threads: usize,
    time_limit: Option<f64>,
    callback: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let evolution = Evolution {
        train: trees(train)?,
        most_train,
        validation: trees(validation)?,
        test: trees(test)?,
        objective: choice("objective", objective, &OBJECTIVES)?,
        start: start.iter().map(|rule| rule.get().program.clone()).collect(),
        plan: Plan { seed, budget, patience, most_bits },
    };
    let files = Files { checkpoint, resume, between: None };
    let limits = Limits { n_threads, time_limit, callback };
    let evolved = run::detached(py, &limits, |control| evolution.run(&files, control))?;
    let evolved = evolved.map_err(fault)?.expect("work that is cancelled is not waited for");
    result(py, evolved)
}

/// Test errors of every tree, a row for each rule.
#[pyfunction]
pub fn pruning_errors<'py>(
    py: Python<'py>,
    given: &Bound<'py, PyAny>,
    rules: Vec<Bound<'py, PruningProgram>>,
) -> PyResult<Array<f64>> {
    let trees = trees(given)?;
    let rules: Vec<Program> = rules.iter().map(|rule| rule.get().program.clone()).collect();
    let limits = Limits { n_threads: 1, time_limit: None, callback: None };
    let errors = run::detached(py, &limits, |control| engine::tree_errors(&trees, &rules, control))?;
    let errors = errors.map_err(fault)?.expect("work that is cancelled is not waited for");
    Ok(Array::matrix(errors, trees.n_trees.min(trees.source.limit())))
}

fn result(py: Python<'_>, evolved: Evolved) -> PyResult<Bound<'_, PyDict>> {
    let result = PyDict::new(py);
    let front = PyList::empty(py);
    for Rule { program, cost, train, validation, .. } in evolved.front {
        let rule = PruningProgram::of(program).map_err(fault)?;
        front.append((rule, cost, train.value, train.error, validation.value, validation.error))?;
    }
    result.set_item("front", front)?;
    result.set_item("best", evolved.best)?;
    let rows = PyDict::new(py);
    for Row { name, train, validation, test } in evolved.rows {
        let arrays = [train, validation, test].map(Array::new);
        rows.set_item(name, PyList::new(py, arrays)?)?;
    }
    result.set_item("rows", rows)?;
    result.set_item("constants", evolved.constants.to_vec())?;
    let extents = PyList::empty(py);
    for Extent { n_test, n_nodes, n_pairs, n_subtrees } in evolved.extents {
        extents.append((Array::new(n_test), n_nodes, n_pairs, n_subtrees))?;
    }
    result.set_item("extents", extents)?;
    result.set_item("n_programs", evolved.n_programs)?;
    let tally = evolved.tally;
    let by_verdict = [
        ("undefined", tally.undefined),
        ("known", tally.known),
        ("screened", tally.screened),
        ("worse", tally.worse),
        ("scored", tally.scored),
    ];
    result.set_item("tally", by_verdict.into_iter().collect::<HashMap<_, _>>())?;
    result.set_item("n_generations", evolved.n_generations)?;
    result.set_item("status", evolved.status.name())?;
    Ok(result)
}
