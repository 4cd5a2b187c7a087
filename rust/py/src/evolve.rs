//! Evolution of pruning rules: convert, run, wrap.

use std::path::PathBuf;

use pyo3::PyClass;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use treewright_core::control::Control;
use treewright_core::error::Error;
use treewright_core::evolve as engine;
use treewright_core::evolve::{
    Evolution, Evolved, Extent, Files, GrownNode, GrownTree, Objective, OwnSet, Plan, Row, Rule, Sample,
    Source, Trees, Wanted,
};
use treewright_core::outcome::{Outcome, Status};

use crate::arrays::{Array, Vector};
use crate::dataset::Dataset;
use crate::errors::{DataError, to_py};
use crate::grow::{GrowthParameters, choice};
use crate::programs::Program;
use crate::prune_study::network;
use crate::run::{self, Ask, Limits};

const OBJECTIVES: [(&str, Objective); 3] =
    [("errors", Objective::Errors), ("mean_error", Objective::MeanError), ("mean_rank", Objective::MeanRank)];

/// What is asked of the calling thread: the rows of the next trees.
type Draw<'a> = Ask<'a, usize, Vec<Sample>>;

/// Trees for training, validation and test.
#[pyclass(frozen, module = "treewright._core")]
pub struct TreeCorpora {
    given: Given,
    numbers: [usize; 3],
}

/// Where trees come from.
enum Given {
    Sources([Source; 3]),
    Own { sets: Vec<OwnSet>, draw: Py<PyAny> },
}

#[pymethods]
impl TreeCorpora {
    /// Sets drawn from networks in turn, those of every corpus with a seed of its own.
    #[staticmethod]
    fn networks(
        n_inputs: Vec<u32>,
        n_removed: Vec<u32>,
        train_shares: Vec<f64>,
        seeds: [u64; 3],
        numbers: [usize; 3],
    ) -> PyResult<Self> {
        let each = n_inputs.into_iter().zip(n_removed).zip(train_shares);
        let networks = each.map(|((inputs, removed), share)| network(inputs, removed, share));
        let networks = networks.collect::<PyResult<Vec<_>>>()?;
        let source = |seed| Source::Networks { networks: networks.clone(), seed };
        Ok(TreeCorpora { given: Given::Sources(seeds.map(source)), numbers })
    }

    /// Trees that are still to be grown from data sets. `draw(n)` returns the corpus, the number of the set and
    /// the rows that judge, as a mask, of each of the next n trees.
    #[staticmethod]
    fn own(
        sets: Vec<(Bound<'_, Dataset>, Bound<'_, GrowthParameters>)>,
        draw: Py<PyAny>,
        numbers: [usize; 3],
    ) -> PyResult<Self> {
        let set = |(data, growth): (Bound<'_, Dataset>, Bound<'_, GrowthParameters>)| {
            PyResult::Ok(OwnSet { data: data.get().inner.clone(), growth: growth.get().params()? })
        };
        let sets = sets.into_iter().map(set).collect::<PyResult<_>>()?;
        Ok(TreeCorpora { given: Given::Own { sets, draw }, numbers })
    }

    /// Trees that were grown elsewhere.
    #[staticmethod]
    fn grown(train: &GrownTrees, validation: &GrownTrees, test: &GrownTrees) -> Self {
        let trees = [train, validation, test].map(|trees| trees.trees.clone());
        let numbers = trees.each_ref().map(Vec::len);
        TreeCorpora { given: Given::Sources(trees.map(Source::Grown)), numbers }
    }
}

impl TreeCorpora {
    /// The trees, grown if they are still to be, and whether these are all; `None` if nobody waits for them.
    fn trees(
        &self,
        ask: &mut Draw<'_>,
        is_essential: bool,
        control: &Control,
    ) -> Result<Option<([Trees; 3], bool)>, Error> {
        let mut numbers = self.numbers.into_iter();
        let mut next = |source| Trees { source, n_trees: numbers.next().expect("a number for each corpus") };
        let sets = match &self.given {
            Given::Sources(sources) => return Ok(Some((sources.clone().map(next), true))),
            Given::Own { sets, .. } => sets,
        };
        let (n_corpora, n_trees) = (self.numbers.len(), self.numbers.iter().sum());
        let n_essential =
            if is_essential { n_trees } else { self.numbers.iter().filter(|n| **n > 0).count() };
        let wanted = Wanted { n_corpora, n_trees, n_essential };
        let Outcome { value, status, .. } = engine::grow_own(sets, &wanted, ask, control)?;
        if value.iter().map(Vec::len).sum::<usize>() < n_essential {
            return Ok(None);
        }
        let trees = value.into_iter().map(|trees| next(Source::Grown(trees))).collect::<Vec<_>>();
        let trees = trees.try_into().expect("there are as many corpora as numbers");
        Ok(Some((trees, status == Status::Complete)))
    }

    /// Answers for [`TreeCorpora::trees`], on the calling thread.
    fn drawn(&self, py: Python<'_>, n: usize) -> PyResult<Vec<Sample>> {
        type Drawn = Vec<(usize, usize, Vector<u8>)>;
        let Given::Own { draw, .. } = &self.given else { return Ok(Vec::new()) };
        let drawn: Drawn = draw.bind(py).call1((n,))?.extract()?;
        let sample = |(corpus, set, judges): (usize, usize, Vector<u8>)| {
            let judges = judges.0.into_iter().map(|judges| judges != 0).collect();
            Sample { corpus, set, judges }
        };
        Ok(drawn.into_iter().map(sample).collect())
    }

    /// Does something with all the trees, in the gateway.
    fn with_trees<T: Send>(
        &self,
        py: Python<'_>,
        limits: &Limits,
        work: impl FnOnce([Trees; 3], &Control) -> Result<Option<T>, Error> + Send,
    ) -> PyResult<T> {
        let serve = |py: Python<'_>, n: usize| self.drawn(py, n);
        let (done, raised) =
            run::served(py, limits, serve, |control, ask| match self.trees(ask, true, control)? {
                Some((trees, _)) => work(trees, control),
                None => Ok(None),
            });
        match raised {
            Some(raised) => Err(raised),
            None => Ok(done.map_err(to_py)?.expect("work that is cancelled is not waited for")),
        }
    }

    /// The trees of the first corpus.
    pub fn first(&self, py: Python<'_>, n_threads: usize) -> PyResult<Vec<GrownTree>> {
        self.with_trees(py, &Limits::none(n_threads), |[first, ..], control| {
            let trees = first.source.trees(first.n_trees, control);
            Ok(trees.ok().map(|trees| trees.into_owned()))
        })
    }
}

/// Trees in columns, one after the other: parents before their children.
#[pyclass(frozen, module = "treewright._core")]
pub struct GrownTrees {
    trees: Vec<GrownTree>,
}

#[pymethods]
impl GrownTrees {
    #[new]
    fn new(
        c: Vector<f64>,
        n: Vector<f64>,
        errors: Vector<f64>,
        first_child: Vector<i64>,
        n_children: Vector<i64>,
        n_nodes: Vector<i64>,
        n_test: Vector<f64>,
    ) -> PyResult<Self> {
        let (c, n, errors, first, n_children) = (c.0, n.0, errors.0, first_child.0, n_children.0);
        let (n_nodes, n_test) = (n_nodes.0, n_test.0);
        let expected = n_nodes.iter().map(|&n| n.max(0) as usize).sum::<usize>();
        let floats = [("c", c.len()), ("n", n.len()), ("errors", errors.len())].into_iter();
        let lengths = floats.chain([("first_child", first.len()), ("n_children", n_children.len())]);
        if let Some((name, found)) = lengths.into_iter().find(|(_, found)| *found != expected) {
            return Err(to_py(Error::LengthMismatch { what: name.to_owned(), expected, found }));
        }
        let mut start = 0;
        let tree = |(n_nodes, n_test): (i64, f64)| {
            let range = start..start + n_nodes.max(0) as usize;
            start = range.end;
            let node = |id: usize| GrownNode {
                c: c[id],
                n: n[id],
                errors: errors[id],
                first_child: first[id].max(0) as u32,
                n_children: n_children[id].max(0) as u32,
            };
            GrownTree { nodes: range.map(node).collect(), n_test }
        };
        Ok(GrownTrees { trees: n_nodes.into_iter().zip(n_test).map(tree).collect() })
    }
}

/// A score and its standard error.
#[pyclass(frozen, get_all, module = "treewright._core")]
pub struct ScoreEstimate {
    value: f64,
    error: f64,
}

impl ScoreEstimate {
    fn of(py: Python<'_>, estimate: engine::Estimate) -> PyResult<Py<Self>> {
        Py::new(py, ScoreEstimate { value: estimate.value, error: estimate.error })
    }
}

/// A rule of the front, and what it reached.
#[pyclass(frozen, get_all, module = "treewright._core")]
pub struct EvolvedRule {
    program: Py<Program>,
    bits: f64,
    cost: u64,
    train: Py<ScoreEstimate>,
    validation: Py<ScoreEstimate>,
}

/// Errors of one rule on every tree of the three corpora.
#[pyclass(frozen, get_all, module = "treewright._core")]
pub struct RuleErrors {
    name: String,
    train: Py<PyAny>,
    validation: Py<PyAny>,
    test: Py<PyAny>,
}

/// Size of a corpus, and what makes it small.
#[pyclass(frozen, get_all, module = "treewright._core")]
pub struct CorpusExtent {
    n_test: Py<PyAny>,
    n_nodes: usize,
    n_pairs: usize,
    n_subtrees: usize,
}

/// Rules by what became of them.
#[pyclass(frozen, get_all, eq, module = "treewright._core")]
#[derive(PartialEq)]
pub struct EvolutionTally {
    undefined: u64,
    known: u64,
    screened: u64,
    worse: u64,
    scored: u64,
}

/// What an evolution found.
#[pyclass(frozen, get_all, module = "treewright._core")]
pub struct EvolvedRules {
    front: Py<PyTuple>,
    best: usize,
    rows: Py<PyTuple>,
    constants: (f64, f64),
    extents: Py<PyTuple>,
    tally: Py<EvolutionTally>,
    n_programs: u64,
    n_generations: u64,
    status: &'static str,
    elapsed: f64,
}

/// Evolve a pruning rule; see `learn_pruner`.
#[pyfunction]
#[pyo3(signature = (corpora, start, *, n_train, most_train, objective, seed, budget, most_bits, patience=None,
                    checkpoint=None, resume=false, limits=Limits::none(1)))]
pub fn evolve_pruning(
    py: Python<'_>,
    corpora: &TreeCorpora,
    start: Vec<Bound<'_, Program>>,
    n_train: usize,
    most_train: usize,
    objective: &str,
    seed: u64,
    budget: u64,
    most_bits: f64,
    patience: Option<u64>,
    checkpoint: Option<PathBuf>,
    resume: bool,
    limits: Limits,
) -> PyResult<EvolvedRules> {
    let objective = choice("objective", objective, &OBJECTIVES)?;
    let start: Vec<_> = start.iter().map(|rule| rule.get().inner.clone()).collect();
    let plan = Plan { seed, budget, polish: 0, patience, most_bits };
    let serve = |py: Python<'_>, n: usize| corpora.drawn(py, n);
    let (evolved, raised) = run::served(py, &limits, serve, |control, ask| {
        control.report(0, plan.budget);
        let Some((trees, are_all)) = corpora.trees(ask, resume, control)? else { return Ok(None) };
        let [train, validation, test] = trees;
        let train = Trees { n_trees: n_train, ..train };
        let evolution = Evolution { train, most_train, validation, test, objective, start, plan };
        // Trees that are too few are no beginning to go on from.
        let files = Files { checkpoint: checkpoint.filter(|_| are_all), resume, ..Files::default() };
        let Outcome { value, status, stats, .. } = evolution.run(&files, control, &mut |_| {})?;
        Ok(value.map(|evolved| (evolved, status, stats)))
    });
    if let Some(raised) = raised {
        return Err(raised);
    }
    let evolved = evolved.map_err(to_py)?.expect("work that is cancelled is not waited for");
    let (evolved, status, stats) = evolved;
    let Evolved { front, best, rows, constants: [a, b], extents, tally, n_generations } = evolved;
    let engine::Tally { undefined, known, screened, worse, scored } = tally;
    Ok(EvolvedRules {
        front: wrapped(py, front, |rule| rule_of(py, rule))?,
        best,
        rows: wrapped(py, rows, |row| errors_of(py, row))?,
        constants: (a, b),
        extents: wrapped(py, extents, |extent| extent_of(py, extent))?,
        tally: Py::new(py, EvolutionTally { undefined, known, screened, worse, scored })?,
        n_programs: stats.n_searched,
        n_generations,
        status: status.name(),
        elapsed: stats.elapsed,
    })
}

/// Test errors of every tree of the first corpus, a row for each rule.
#[pyfunction]
pub fn pruning_errors(
    py: Python<'_>,
    corpora: &TreeCorpora,
    rules: Vec<Bound<'_, Program>>,
) -> PyResult<Array<f64>> {
    let rules: Vec<_> = rules.iter().map(|rule| rule.get().inner.clone()).collect();
    let errors = corpora.with_trees(py, &Limits::none(1), |[first, ..], control| {
        Ok(engine::tree_errors(&first, &rules, control)?.value)
    })?;
    if rules.is_empty() {
        return Err(DataError::new_err("there is no rule; give at least one"));
    }
    let n_trees = errors.len() / rules.len();
    Ok(Array::matrix(errors, n_trees))
}

/// A tuple of wrapped parts.
fn wrapped<T, C: PyClass + Into<PyClassInitializer<C>>>(
    py: Python<'_>,
    parts: impl IntoIterator<Item = T>,
    wrap: impl Fn(T) -> PyResult<C>,
) -> PyResult<Py<PyTuple>> {
    let parts = parts.into_iter().map(|part| Py::new(py, wrap(part)?)).collect::<PyResult<Vec<_>>>()?;
    Ok(PyTuple::new(py, parts)?.unbind())
}

fn rule_of(py: Python<'_>, rule: Rule) -> PyResult<EvolvedRule> {
    let Rule { program, bits, cost, train, validation } = rule;
    Ok(EvolvedRule {
        program: Py::new(py, Program { inner: program })?,
        bits,
        cost,
        train: ScoreEstimate::of(py, train)?,
        validation: ScoreEstimate::of(py, validation)?,
    })
}

fn errors_of(py: Python<'_>, row: Row) -> PyResult<RuleErrors> {
    let array = |errors: Vec<f64>| Array::new(errors).held(py);
    let Row { name, train, validation, test } = row;
    Ok(RuleErrors { name, train: array(train)?, validation: array(validation)?, test: array(test)? })
}

fn extent_of(py: Python<'_>, extent: Extent) -> PyResult<CorpusExtent> {
    let Extent { n_test, n_nodes, n_pairs, n_subtrees } = extent;
    Ok(CorpusExtent { n_test: Array::new(n_test).held(py)?, n_nodes, n_pairs, n_subtrees })
}
