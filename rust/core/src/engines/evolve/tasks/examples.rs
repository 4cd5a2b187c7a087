//! Problems given by inputs and their right outputs.

use std::sync::Arc;

use super::grade;
use super::machine::{Bench, Problem, UNIT};
use crate::base::error::Error;
use crate::engines::evolve::checkpoint::{hash, mix};
use crate::model::program::{Code, Heap, Limits, Program, Store, Ty, Types, Value, Vocabulary};

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
    ) -> Result<Examples, Error> {
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
    ) -> Result<Examples, Error> {
        let types = start.types().clone();
        let (params, result) = (start.signature().0.to_vec(), start.signature().1);
        if let Some(view) = view.filter(|view| view.signature().0 != [result] || view.types() != &types) {
            let name = |ty| types.name(ty);
            let found: Vec<String> = view.signature().0.iter().map(|&ty| name(ty)).collect();
            let role = "viewing";
            return Err(Error::ProgramType { role, expected: name(result), found: found.join(" * ") });
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
) -> Result<(), Error> {
    check_inputs(types, store, inputs, params)?;
    if inputs.len() != outputs.len() {
        return Err(Error::LengthMismatch {
            what: "outputs".to_owned(),
            expected: inputs.len(),
            found: outputs.len(),
        });
    }
    for (example, &output) in outputs.iter().enumerate() {
        if !store.fits(types, result, output) {
            return Err(Error::ValueType { what: "output", example, expected: types.name(result) });
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
) -> Result<(), Error> {
    if inputs.is_empty() {
        return Err(Error::NoInputs);
    }
    for (example, input) in inputs.iter().enumerate() {
        let fits = |(&ty, &value): (&Ty, &Value)| store.fits(types, ty, value);
        if input.len() != params.len() || !params.iter().zip(input).all(fits) {
            let expected: Vec<String> = params.iter().map(|&ty| types.name(ty)).collect();
            return Err(Error::ValueType { what: "input", example, expected: expected.join(", ") });
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
        let of =
            |hash, output: &(u64, usize)| mix(hash, grade::digest(&self.types, ty, &self.heap, output.0));
        let outputs = self.outputs.iter().fold(0, of);
        hash(outputs, &format!("{:?}", self.view))
    }
}
