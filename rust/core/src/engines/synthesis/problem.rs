//! Problems: inputs, and how wrong an output is.

use std::fmt;
use std::sync::Arc;

use super::grade::{self, MOST_NODES};
use super::judge::Bench;
use crate::model::program::{Code, Heap, Limits, Program, Store, Ty, Types, Value, Vocabulary};

/// Loss of an output that is wrong throughout.
pub const UNIT: u32 = 1 << 16;

/// Loss of a run that ended without an output.
pub const STOPPED: u32 = UNIT + UNIT / 4;

/// What a program is to do.
///
/// Most problems say of every output how wrong it is, by [`Problem::loss`]; those that score all outputs of
/// a program at once have a [`Scorer`](super::Scorer) beside them, and no output is asked about.
///
/// # Invariants
/// The loss of an output is zero if and only if it is right, and depends on nothing but the output.
pub trait Problem: Sync {
    fn types(&self) -> &Arc<Types>;
    /// Symbols that new expressions may use; local functions come by abstraction.
    fn vocabulary(&self) -> &Vocabulary;
    /// What one run may cost.
    fn limits(&self) -> &Limits;
    /// Data of all inputs.
    fn heap(&self) -> &Heap;
    fn n_inputs(&self) -> usize;
    /// One word for every parameter.
    fn input(&self, k: usize) -> &[u64];
    /// Loss of an output for the `k`-th input.
    fn loss(&self, k: usize, bench: &mut Bench, output: u64) -> u32;

    /// Nodes an output may have for a scorer to see it.
    fn most_nodes(&self) -> usize {
        MOST_NODES
    }

    /// A program with no more loss than this is what was looked for.
    fn target(&self) -> Option<u64> {
        Some(0)
    }

    /// A loss as people read it.
    fn shown(&self, loss: u64) -> f64 {
        loss as f64 / f64::from(UNIT)
    }

    /// A number for all that losses depend on, besides types, limits and inputs.
    fn digest(&self) -> u64 {
        0
    }
}

/// What keeps a problem or a search from being set up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SynthesisError {
    /// Inputs and outputs are not as many.
    Lengths { n_inputs: usize, n_outputs: usize },
    /// No inputs at all.
    Empty,
    /// A value of another type than its place asks for.
    Mismatch { what: &'static str, example: usize, expected: String },
    /// A program that starts or shows outputs and has another signature than the problem's.
    Signature { what: &'static str, expected: String, found: String },
    /// A start whose loss is not finite.
    Undefined,
    /// A scorer that gave up.
    Unscored,
    /// A checkpoint that is none, or one of another search.
    Checkpoint { detail: String },
}

impl fmt::Display for SynthesisError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SynthesisError::Lengths { n_inputs, n_outputs } => {
                let ending = |n: usize| if n == 1 { "" } else { "s" };
                let (of_inputs, of_outputs) = (ending(*n_inputs), ending(*n_outputs));
                write!(
                    f,
                    "{n_inputs} input{of_inputs} and {n_outputs} output{of_outputs}; give one output for each input"
                )
            }
            SynthesisError::Empty => write!(f, "a problem needs at least one input"),
            SynthesisError::Mismatch { what, example, expected } => {
                write!(f, "the {what} of example {example} is not of type {expected}")
            }
            SynthesisError::Signature { what, expected, found } => {
                write!(f, "the {what} program must be of type {expected}, and is of type {found}")
            }
            SynthesisError::Undefined => {
                write!(f, "the program to start from has no finite loss; start from one that has")
            }
            SynthesisError::Unscored => write!(f, "no loss was given for a program"),
            SynthesisError::Checkpoint { detail } => write!(f, "the checkpoint cannot be resumed: {detail}"),
        }
    }
}

impl std::error::Error for SynthesisError {}

/// A problem given by inputs and their right outputs.
#[derive(Debug, Clone)]
pub struct Examples {
    types: Arc<Types>,
    params: Vec<Ty>,
    result: Ty,
    pub vocabulary: Vocabulary,
    pub limits: Limits,
    heap: Heap,
    inputs: Vec<Vec<u64>>,
    /// Right outputs, as the view shows them, with their nodes.
    outputs: Vec<(u64, usize)>,
    view: Option<(Ty, Code)>,
}

impl Examples {
    /// Examples for programs with the signature of `start`, their values in `store`.
    ///
    /// # Errors
    /// Values that do not fit, or not as many outputs as inputs.
    pub fn new(
        start: &Program,
        store: &Store,
        inputs: &[Vec<Value>],
        outputs: &[Value],
    ) -> Result<Examples, SynthesisError> {
        Examples::viewed(start, None, store, inputs, outputs)
    }

    /// The same, where an output counts by what the program `view` makes of it: so many right outputs
    /// are one.
    ///
    /// # Errors
    /// As for [`Examples::new`], and a view that does not take the outputs of `start`.
    pub fn viewed(
        start: &Program,
        view: Option<&Program>,
        store: &Store,
        inputs: &[Vec<Value>],
        outputs: &[Value],
    ) -> Result<Examples, SynthesisError> {
        let types = start.types().clone();
        let (params, result) = (start.signature().0.to_vec(), start.signature().1);
        if let Some(view) = view.filter(|view| view.signature().0 != [result] || view.types() != &types) {
            let name = |ty| types.name(ty);
            let found: Vec<String> = view.signature().0.iter().map(|&ty| name(ty)).collect();
            let what = "viewing";
            return Err(SynthesisError::Signature { what, expected: name(result), found: found.join(" * ") });
        }
        let view = view.map(|view| (view.signature().1, view.compile()));
        let wished = view.as_ref().map_or(result, |view| view.0);
        check(&types, store, inputs, outputs, &params, wished)?;
        let mut heap = Heap::new();
        let mut load = |value: &Value| heap.load(store, *value);
        let words = inputs.iter().map(|input| input.iter().map(&mut load).collect()).collect();
        let outputs: Vec<u64> = outputs.iter().map(&mut load).collect();
        let size = |word: u64| grade::count(&types, wished, &heap, word).unwrap_or(usize::MAX);
        let outputs = outputs.into_iter().map(|word| (word, size(word))).collect();
        Ok(Examples {
            vocabulary: Vocabulary { values: false, functions: false, ..Vocabulary::all(&types) },
            types,
            params,
            result,
            limits: Limits { steps: 2_000, heap: 1 << 13, stack: 1 << 13 },
            heap,
            inputs: words,
            outputs,
            view,
        })
    }

    /// Types of the parameters and of the result.
    pub fn signature(&self) -> (&[Ty], Ty) {
        (&self.params, self.result)
    }
}

fn check(
    types: &Types,
    store: &Store,
    inputs: &[Vec<Value>],
    outputs: &[Value],
    params: &[Ty],
    result: Ty,
) -> Result<(), SynthesisError> {
    check_inputs(types, store, inputs, params)?;
    if inputs.len() != outputs.len() {
        return Err(SynthesisError::Lengths { n_inputs: inputs.len(), n_outputs: outputs.len() });
    }
    for (example, &output) in outputs.iter().enumerate() {
        if !store.fits(types, result, output) {
            return Err(SynthesisError::Mismatch { what: "output", example, expected: types.name(result) });
        }
    }
    Ok(())
}

/// Checks that there are inputs, and that they fit.
pub(super) fn check_inputs(
    types: &Types,
    store: &Store,
    inputs: &[Vec<Value>],
    params: &[Ty],
) -> Result<(), SynthesisError> {
    if inputs.is_empty() {
        return Err(SynthesisError::Empty);
    }
    for (example, input) in inputs.iter().enumerate() {
        let fits = |(&ty, &value): (&Ty, &Value)| store.fits(types, ty, value);
        if input.len() != params.len() || !params.iter().zip(input).all(fits) {
            let expected: Vec<String> = params.iter().map(|&ty| types.name(ty)).collect();
            return Err(SynthesisError::Mismatch { what: "input", example, expected: expected.join(", ") });
        }
    }
    Ok(())
}

impl Problem for Examples {
    fn types(&self) -> &Arc<Types> {
        &self.types
    }

    fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    fn limits(&self) -> &Limits {
        &self.limits
    }

    fn heap(&self) -> &Heap {
        &self.heap
    }

    fn n_inputs(&self) -> usize {
        self.inputs.len()
    }

    fn input(&self, k: usize) -> &[u64] {
        &self.inputs[k]
    }

    fn loss(&self, k: usize, bench: &mut Bench, output: u64) -> u32 {
        let (ty, seen) = match &self.view {
            None => (self.result, Ok(output)),
            Some((ty, code)) => {
                let Bench { machine, heap } = bench;
                (*ty, machine.run(code, heap, &[output], &Limits::default()).map(|run| run.value))
            }
        };
        seen.map_or(UNIT, |seen| grade::loss(&self.types, ty, &bench.heap, seen, self.outputs[k]))
    }

    fn digest(&self) -> u64 {
        let ty = self.view.as_ref().map_or(self.result, |view| view.0);
        let of = |hash, output: &(u64, usize)| {
            grade::mix(hash, grade::digest(&self.types, ty, &self.heap, output.0))
        };
        let outputs = self.outputs.iter().fold(0, of);
        super::checkpoint::hash(outputs, &format!("{:?}", self.view))
    }
}
