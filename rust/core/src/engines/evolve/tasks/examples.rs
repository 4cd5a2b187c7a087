//! Problems given by inputs and their right outputs.

use super::grade;
use super::machine::{Bench, Inputs, Problem, UNIT};
use crate::base::error::Error;
use crate::engines::evolve::checkpoint::{hash, mix};
use crate::model::program::{Code, Limits, Program, Store, Ty, Value, Vocabulary};

/// A problem given by inputs and their right outputs.
#[derive(Debug, Clone)]
pub struct Examples {
    /// What programs run on.
    pub inputs: Inputs,
    result: Ty,
    /// Right outputs, as the view shows them, with their nodes.
    outputs: Vec<(u64, usize)>,
    view: Option<(Ty, Code)>,
}

impl Examples {
    /// Examples for programs with the signature of `start`, their values in `store`. With a view, an output
    /// counts by what that program makes of it: so many right outputs are one.
    ///
    /// # Errors
    /// Values that do not fit, not as many outputs as inputs, a view that does not take the outputs of `start`.
    pub fn new(
        start: &Program,
        view: Option<&Program>,
        store: &Store,
        inputs: &[Vec<Value>],
        outputs: &[Value],
    ) -> Result<Examples, Error> {
        let (types, result) = (start.types(), start.signature().1);
        if let Some(view) = view.filter(|view| view.signature().0 != [result] || view.types() != types) {
            let name = |ty| types.name(ty);
            let found: Vec<String> = view.signature().0.iter().map(|&ty| name(ty)).collect();
            let role = "viewing";
            return Err(Error::ProgramType { role, expected: name(result), found: found.join(" * ") });
        }
        let view = view.map(|view| (view.signature().1, view.compile()));
        let wished = view.as_ref().map_or(result, |view| view.0);
        let vocabulary = Vocabulary { values: false, functions: false, ..Vocabulary::all(types) };
        let mut inputs = Inputs::new(start, store, inputs, vocabulary)?;
        let (expected, found) = (inputs.words.len(), outputs.len());
        if expected != found {
            return Err(Error::LengthMismatch { what: "outputs".to_owned(), expected, found });
        }
        if let Some(example) = outputs.iter().position(|&output| !store.fits(types, wished, output)) {
            return Err(Error::ValueType { what: "output", example, expected: types.name(wished) });
        }
        let outputs: Vec<u64> = outputs.iter().map(|&output| inputs.heap.load(store, output)).collect();
        let size = |word: u64| grade::count(types, wished, &inputs.heap, word).unwrap_or(usize::MAX);
        let outputs = outputs.into_iter().map(|word| (word, size(word))).collect();
        Ok(Examples { inputs, result, outputs, view })
    }
}

impl Problem for Examples {
    fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    fn loss(&self, k: usize, bench: &mut Bench, output: u64) -> u32 {
        let (ty, seen) = match &self.view {
            None => (self.result, Ok(output)),
            Some((ty, code)) => {
                let Bench { machine, heap } = bench;
                (*ty, machine.run(code, heap, &[output], &Limits::default()).map(|run| run.value))
            }
        };
        seen.map_or(UNIT, |seen| grade::loss(&self.inputs.types, ty, &bench.heap, seen, self.outputs[k]))
    }

    fn digest(&self) -> u64 {
        let ty = self.view.as_ref().map_or(self.result, |view| view.0);
        let Inputs { types, heap, .. } = &self.inputs;
        let add = |hash, &(word, _): &(u64, usize)| mix(hash, grade::digest(types, ty, heap, word));
        let outputs = self.outputs.iter().fold(0, add);
        hash(outputs, &format!("{:?}", self.view))
    }
}
