//! Problems that score all outputs of many programs at once, each by one number.

use std::sync::Arc;

use super::examples::check_inputs;
use super::machine::{Bench, Problem};
use crate::base::error::Error;
use crate::engines::evolve::checkpoint::hash;
use crate::model::program::{Heap, Limits, Program, Store, Types, Value, Vocabulary};

/// Inputs of a problem whose losses come from a scorer.
#[derive(Debug, Clone)]
pub struct ScoredInputs {
    types: Arc<Types>,
    pub vocabulary: Vocabulary,
    pub limits: Limits,
    /// Nodes an output may have, at most 4096.
    pub most_nodes: usize,
    /// A loss with which a program is what was looked for.
    pub target: Option<f64>,
    /// What tells this problem from others with the same inputs.
    pub name: String,
    heap: Heap,
    inputs: Vec<Vec<u64>>,
}

impl ScoredInputs {
    /// Inputs for programs with the signature of `start`, their values in `store`.
    ///
    /// # Errors
    /// Values that do not fit, or none.
    pub fn new(start: &Program, store: &Store, inputs: &[Vec<Value>]) -> Result<Self, Error> {
        check_inputs(start.types(), store, inputs, start.signature().0)?;
        let mut heap = Heap::new();
        let mut load = |value: &Value| heap.load(store, *value);
        let inputs = inputs.iter().map(|input| input.iter().map(&mut load).collect()).collect();
        Ok(ScoredInputs {
            types: start.types().clone(),
            vocabulary: Vocabulary::of(start),
            limits: Limits { steps: 2_000, heap: 1 << 13, stack: 1 << 13 },
            most_nodes: 1_000,
            target: None,
            name: String::new(),
            heap,
            inputs,
        })
    }
}

impl Problem for ScoredInputs {
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

    /// Not asked: the scorer looks at all outputs at once.
    fn loss(&self, _: usize, _: &mut Bench, _: u64) -> u32 {
        0
    }

    fn most_nodes(&self) -> usize {
        self.most_nodes
    }

    fn target(&self) -> Option<f64> {
        self.target
    }

    fn shown(&self, loss: f64) -> f64 {
        loss
    }

    fn digest(&self) -> u64 {
        hash(self.most_nodes as u64, &self.name)
    }
}
