//! Problems that score all outputs of many programs at once, each by one number.
//!
//! The children of a generation run in parallel and keep their outputs; then the scorer is called, once, on
//! the thread that called the search, with those that behave differently from each other and from what
//! is kept, in the order of their indices. A loss is any finite number, less is better; it is
//! kept as a whole number that is ordered alike. A program whose loss is not finite is given up.

use std::collections::HashMap;
use std::sync::Arc;

use super::grade;
use super::judge::{Bench, Scored};
use super::problem::{Problem, SynthesisError, check_inputs};
use crate::model::program::{Heap, Limits, Program, Stop, Store, Types, Value, Vocabulary};

/// Gives every program a loss, by its outputs; `None` ends the search where its last generation ended.
pub type Scorer<'s> = dyn FnMut(Vec<Outputs>) -> Option<Vec<f64>> + Send + 's;

/// What a program made of all inputs.
#[derive(Debug, Clone)]
pub struct Outputs {
    pub store: Store,
    /// `None` where a run came to no end, or to more nodes than the problem looks at.
    pub values: Vec<Option<Value>>,
    /// Nodes of all values.
    pub n_nodes: usize,
}

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
    pub fn new(start: &Program, store: &Store, inputs: &[Vec<Value>]) -> Result<Self, SynthesisError> {
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

    fn target(&self) -> Option<u64> {
        self.target.and_then(rank_of)
    }

    fn shown(&self, loss: u64) -> f64 {
        loss_of(loss)
    }

    fn digest(&self) -> u64 {
        super::checkpoint::hash(self.most_nodes as u64, &self.name)
    }
}

/// A finite loss as a whole number: less is less; `None` if it is not finite.
pub fn rank_of(loss: f64) -> Option<u64> {
    // The sign of a zero does not count.
    let bits = (loss + 0.0).to_bits();
    let is_negative = bits >> 63 == 1;
    loss.is_finite().then_some(if is_negative { !bits } else { bits | 1 << 63 })
}

/// The loss that [`rank_of`] made a whole number of.
pub fn loss_of(rank: u64) -> f64 {
    f64::from_bits(if rank >> 63 == 1 { rank & !(1 << 63) } else { !rank })
}

/// Runs a program on all inputs and keeps the outputs; what is known of it has no loss yet.
pub fn run_all(problem: &dyn Problem, program: &Program, bench: &mut Bench) -> (Scored, Outputs) {
    let code = program.compile();
    let (types, result) = (problem.types(), program.signature().1);
    let n_words = problem.heap().n_words();
    let mut scored = Scored { loss: 0, n_wrong: 0, steps: 0, behaviour: 0 };
    let mut outputs = Outputs { store: Store::new(), values: Vec::new(), n_nodes: 0 };
    for k in 0..problem.n_inputs() {
        let Bench { machine, heap } = bench;
        let run = machine.run(&code, heap, problem.input(k), problem.limits());
        scored.steps += run.map_or(problem.limits().steps, |run| run.steps);
        let seen = run.and_then(|run| match grade::count(types, result, heap, run.value) {
            Some(n) if n <= problem.most_nodes() => Ok((run.value, n)),
            _ => Err(Stop::Memory),
        });
        let value = seen.ok().map(|(word, n)| {
            outputs.n_nodes += n;
            heap.unload(types, result, word, &mut outputs.store)
        });
        let digest = seen.map_or(1, |(word, _)| grade::digest(types, result, heap, word));
        heap.truncate(n_words);
        scored.n_wrong += u32::from(value.is_none());
        scored.behaviour = grade::mix(scored.behaviour, digest);
        outputs.values.push(value);
    }
    (scored, outputs)
}

/// Losses of programs that were run, `None` of those whose loss is not finite; `None` at all if the scorer
/// gives up or returns another number of losses.
///
/// Programs of the same behaviour have the same loss: that of the first one, or that which is known.
pub fn losses(
    run: Vec<(u64, Outputs)>,
    known: impl Iterator<Item = (u64, u64)>,
    scorer: &mut Scorer<'_>,
) -> Option<Vec<Option<u64>>> {
    let mut ranks: HashMap<u64, Option<u64>> =
        known.map(|(behaviour, rank)| (behaviour, Some(rank))).collect();
    let behaviours: Vec<u64> = run.iter().map(|(behaviour, _)| *behaviour).collect();
    let (mut new, mut batch) = (Vec::new(), Vec::new());
    for (behaviour, outputs) in run {
        ranks.entry(behaviour).or_insert_with(|| {
            new.push(behaviour);
            batch.push(outputs);
            None
        });
    }
    if !batch.is_empty() {
        let found = scorer(batch).filter(|found| found.len() == new.len())?;
        ranks.extend(new.into_iter().zip(found.into_iter().map(rank_of)));
    }
    Some(behaviours.iter().map(|behaviour| ranks[behaviour]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_keep_their_order_as_whole_numbers() {
        let losses = [f64::MIN, -2.5, -5e-324, 0.0, 5e-324, 1.0, 1.5, f64::MAX];
        let ranks: Vec<u64> = losses.iter().map(|&loss| rank_of(loss).unwrap()).collect();
        assert!(ranks.windows(2).all(|pair| pair[0] < pair[1]), "{ranks:?}");
        assert!(losses.iter().zip(&ranks).all(|(&loss, &rank)| loss_of(rank) == loss));
        assert_eq!(rank_of(-0.0), rank_of(0.0));
        assert_eq!([f64::NAN, f64::INFINITY, f64::NEG_INFINITY].map(rank_of), [None; 3]);
    }
}
