//! Problems that score all outputs of many programs at once, each by one number.

use super::machine::{Bench, Inputs, Problem};
use crate::base::error::Error;
use crate::engines::evolve::checkpoint::hash;
use crate::model::program::{Program, Store, Value, Vocabulary};

/// Inputs of a problem whose losses come from a scorer.
#[derive(Debug, Clone)]
pub struct ScoredInputs {
    /// What programs run on.
    pub inputs: Inputs,
    /// Nodes an output may have, at most 4096.
    pub most_nodes: usize,
    /// A loss with which a program is what was looked for.
    pub target: Option<f64>,
    /// What tells this problem from others with the same inputs.
    pub name: String,
}

impl ScoredInputs {
    /// Inputs for programs with the signature of `start`, their values in `store`.
    ///
    /// # Errors
    /// Values that do not fit, or none.
    pub fn new(start: &Program, store: &Store, inputs: &[Vec<Value>]) -> Result<Self, Error> {
        let inputs = Inputs::new(start, store, inputs, Vocabulary::of(start))?;
        Ok(ScoredInputs { inputs, most_nodes: 1_000, target: None, name: String::new() })
    }
}

impl Problem for ScoredInputs {
    fn inputs(&self) -> &Inputs {
        &self.inputs
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
