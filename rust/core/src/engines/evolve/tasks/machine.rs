//! Programs with data, recursion and functions, run on the machine of `program` for every input.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::grade::{self, MOST_NODES};
use crate::base::control::Control;
use crate::base::error::Error;
use crate::base::outcome::{Halt, Outcome, Status};
use crate::base::random::Random;
use crate::engines::evolve::checkpoint::{hash, mix};
use crate::engines::evolve::moves::{Material, PROGRAMS, vary};
use crate::engines::evolve::population::{Keep, Member, Population};
use crate::engines::evolve::search::{Files, Search};
use crate::engines::evolve::state::{Plan, State};
use crate::engines::evolve::task::{Child, Judged, Kept, Layout, Outputs, Scored, Task, Verdict};
use crate::model::program::{Heap, Limits, Machine, Program, Stop, Store, Ty, Types, Value, Vocabulary};

/// Loss of an output that is wrong throughout.
pub const UNIT: u32 = 1 << 16;

/// Loss of a run that ended without an output.
pub const STOPPED: u32 = UNIT + UNIT / 4;

/// Largest new expression: of a parent with few children, and with many.
const SIZES: (usize, usize) = (6, 16);

/// What a program is to do.
///
/// Most problems say of every output how wrong it is, by [`Problem::loss`]; those that score all outputs of
/// a program at once have a [`Scorer`] beside them, and no output is asked about.
///
/// # Invariants
/// The loss of an output is zero if and only if it is right, and depends on nothing but the output.
pub trait Problem: Sync {
    /// What programs run on.
    fn inputs(&self) -> &Inputs;

    /// Loss of an output for the `k`-th input.
    fn loss(&self, k: usize, bench: &mut Bench, output: u64) -> u32;

    /// What is wrong with a program that cannot be evolved, besides its types and number of parameters.
    ///
    /// # Errors
    /// A program of another type than the problem's.
    fn check(&self, _start: &Program) -> Result<(), Error> {
        Ok(())
    }

    /// Nodes an output may have for a scorer to see it.
    fn most_nodes(&self) -> usize {
        MOST_NODES
    }

    /// A program with no more loss than this is what was looked for.
    fn target(&self) -> Option<f64> {
        Some(0.0)
    }

    /// A loss as people read it.
    fn shown(&self, loss: f64) -> f64 {
        loss / f64::from(UNIT)
    }

    /// A number for all that losses depend on, besides types, limits and inputs.
    fn digest(&self) -> u64 {
        0
    }
}

/// What programs run on, what they may use and what a run may cost.
#[derive(Debug, Clone)]
pub struct Inputs {
    /// Types that programs declare.
    pub types: Arc<Types>,
    /// Symbols that new expressions may use; local functions come by abstraction.
    pub vocabulary: Vocabulary,
    /// What one run may cost.
    pub limits: Limits,
    /// Data of all inputs.
    pub heap: Heap,
    /// Of every input one word for every parameter.
    pub words: Vec<Vec<u64>>,
}

impl Inputs {
    /// Inputs for programs with the signature of `start`, their values in `store`.
    ///
    /// # Errors
    /// Values that do not fit, or none.
    pub(super) fn new(
        start: &Program,
        store: &Store,
        inputs: &[Vec<Value>],
        vocabulary: Vocabulary,
    ) -> Result<Inputs, Error> {
        let (types, params) = (start.types(), start.signature().0);
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
        let mut heap = Heap::new();
        let mut load = |value: &Value| heap.load(store, *value);
        let words = inputs.iter().map(|input| input.iter().map(&mut load).collect()).collect();
        let limits = Limits { steps: 2_000, heap: 1 << 13, stack: 1 << 13 };
        Ok(Inputs { types: types.clone(), vocabulary, limits, heap, words })
    }
}

impl fmt::Debug for dyn Problem + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Problem of {} inputs", self.inputs().words.len())
    }
}

/// Gives every program a loss, by its outputs: any finite number, less is better. `None` ends the search where
/// its last generation ended. A program whose loss is not finite is given up.
pub type Scorer<'s> = dyn FnMut(Vec<Outputs>) -> Option<Vec<f64>> + Send + 's;

/// What one thread runs programs with.
#[derive(Debug, Clone)]
pub struct Bench {
    /// What runs them.
    pub machine: Machine,
    /// Inputs, and what the present run makes.
    pub heap: Heap,
}

impl Bench {
    /// What one thread needs for a problem.
    pub fn new(problem: &dyn Problem) -> Bench {
        Bench { machine: Machine::new(), heap: problem.inputs().heap.clone() }
    }
}

/// A search for a program, and where it stands.
#[derive(Debug)]
pub struct ProgramSearch<'a> {
    /// What the program is to do.
    pub problem: &'a dyn Problem,
    /// The program to start from.
    pub start: Program,
    /// Seed, budget and sizes.
    pub plan: Plan,
    /// `None` before the start is scored; another search of the same problem, start, seed and size may have
    /// left it.
    pub state: Option<State>,
}

impl<'a> ProgramSearch<'a> {
    /// A search that has not begun.
    pub fn new(problem: &'a dyn Problem, start: &Program, plan: Plan) -> ProgramSearch<'a> {
        ProgramSearch { problem, start: start.clone(), plan, state: None }
    }

    /// Searches until the budget is used up or the problem is solved; the best program, if any could be scored.
    /// `after` sees the state after every generation.
    ///
    /// # Errors
    /// A start that does not fit or has no finite loss; a checkpoint that does not fit, or cannot be read or
    /// written.
    pub fn run(
        &mut self,
        scorer: Option<&mut Scorer<'_>>,
        files: &Files,
        control: &Control,
        after: &mut dyn FnMut(&State),
    ) -> Result<Outcome<Option<Program>>, Error> {
        let symbols = symbols(self.problem);
        let mut task = Programs { problem: self.problem, scorer: scorer.map(Mutex::new), symbols };
        let (start, state) = (std::slice::from_ref(&self.start), self.state.take());
        let mut search = Search { task: &mut task, start, plan: self.plan, state };
        let outcome = search.run(files, control, after);
        self.state = search.state;
        outcome
    }
}

/// Programs for a problem, perhaps scored by a scorer: that is called once a generation, on the thread that
/// runs the search, with the outputs of those that behave differently from each other and from what is kept,
/// in index order.
struct Programs<'a, 's> {
    problem: &'a dyn Problem,
    scorer: Option<Mutex<&'a mut Scorer<'s>>>,
    /// Symbols for counting bits: those of the problem and what changes bring in.
    symbols: Vocabulary,
}

impl Programs<'_, '_> {
    /// Losses of programs that were run, `None` of those whose loss is not finite.
    ///
    /// Programs of the same behaviour have the same loss: that of the first one, or that which is known.
    fn losses(
        &mut self,
        run: Vec<(u64, Outputs)>,
        known: impl Iterator<Item = (u64, f64)>,
    ) -> Result<Vec<Option<f64>>, Halt> {
        let mut found: HashMap<u64, Option<f64>> =
            known.map(|(behaviour, loss)| (behaviour, Some(loss))).collect();
        let behaviours: Vec<u64> = run.iter().map(|(behaviour, _)| *behaviour).collect();
        let (mut new, mut batch) = (Vec::new(), Vec::new());
        for (behaviour, outputs) in run {
            found.entry(behaviour).or_insert_with(|| {
                new.push(behaviour);
                batch.push(outputs);
                None
            });
        }
        if let (Some(scorer), false) = (&mut self.scorer, batch.is_empty()) {
            let scorer = scorer.get_mut().unwrap_or_else(PoisonError::into_inner);
            let losses = scorer(batch).filter(|losses| losses.len() == new.len());
            // The sign of a zero does not count.
            let finite = |loss: f64| loss.is_finite().then_some(loss + 0.0);
            found.extend(new.into_iter().zip(losses.ok_or(Status::Stopped)?.into_iter().map(finite)));
        }
        Ok(behaviours.iter().map(|behaviour| found[behaviour]).collect())
    }
}

/// The symbols by which sizes are told.
pub fn symbols(problem: &dyn Problem) -> Vocabulary {
    Vocabulary { values: true, functions: true, ..problem.inputs().vocabulary.clone() }
}

/// What a program is worth on all inputs.
pub fn score(problem: &dyn Problem, program: &Program) -> Scored {
    judge(problem, program, &mut Bench::new(problem), |_, _| false).expect("it is not given up")
}

/// Runs a program on all inputs; `None` as soon as `give_up` says so of the loss and steps so far.
pub fn judge(
    problem: &dyn Problem,
    program: &Program,
    bench: &mut Bench,
    give_up: impl Fn(f64, u64) -> bool,
) -> Option<Scored> {
    let code = program.compile();
    let result = program.signature().1;
    let Inputs { types, limits, heap, words, .. } = problem.inputs();
    let n_words = heap.n_words();
    // Sums of whole numbers, exact as floats.
    let mut scored = NOTHING;
    for (k, input) in words.iter().enumerate() {
        let Bench { machine, heap } = bench;
        let run = machine.run(&code, heap, input, limits);
        let (loss, steps, digest) = match run {
            Ok(run) => {
                let digest = grade::digest(types, result, &bench.heap, run.value);
                (problem.loss(k, bench, run.value), run.steps, digest)
            }
            Err(_) => (STOPPED, limits.steps, 1),
        };
        bench.heap.truncate(n_words);
        scored.loss += f64::from(loss);
        scored.n_wrong += u32::from(loss > 0);
        scored.cost += steps;
        scored.behaviour = mix(scored.behaviour, digest);
        if give_up(scored.loss, scored.cost) {
            return None;
        }
    }
    Some(with_loss(scored, scored.loss))
}

const NOTHING: Scored = Scored { loss: 0.0, screen: 0.0, n_wrong: 0, cost: 0, behaviour: 0 };

fn with_loss(scored: Scored, loss: f64) -> Scored {
    Scored { loss, screen: loss, ..scored }
}

/// Runs a program on all inputs and keeps the outputs; what is known of it has no loss yet.
pub(super) fn run_all(problem: &dyn Problem, program: &Program, bench: &mut Bench) -> (Scored, Outputs) {
    let code = program.compile();
    let result = program.signature().1;
    let Inputs { types, limits, heap, words, .. } = problem.inputs();
    let n_words = heap.n_words();
    let mut scored = NOTHING;
    let mut outputs = Outputs { store: Store::new(), values: Vec::new(), n_nodes: 0 };
    for input in words {
        let Bench { machine, heap } = bench;
        let run = machine.run(&code, heap, input, limits);
        scored.cost += run.map_or(limits.steps, |run| run.steps);
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
        scored.behaviour = mix(scored.behaviour, digest);
        outputs.values.push(value);
    }
    (scored, outputs)
}

impl Task for Programs<'_, '_> {
    type Bench = Bench;

    const LAYOUT: Layout = Layout {
        keep: Keep::CoarseFront,
        n_slices: 4,
        stream: 0x7379_6E74_6865_7369,
        n_beginnings: 0,
        most_tuned: 0,
        has_archive: false,
        most_seen: None,
        drops_twins: true,
    };

    fn bench(&self) -> Bench {
        Bench::new(self.problem)
    }

    fn symbols(&self) -> &Vocabulary {
        &self.symbols
    }

    fn n_inputs(&self) -> usize {
        self.problem.inputs().words.len()
    }

    fn digest(&self, start: &Program) -> u64 {
        let Inputs { types, vocabulary, limits, heap, words } = self.problem.inputs();
        let target = self.problem.target().map(f64::to_bits);
        let rest = format!("{:?}", (vocabulary, limits, target, words.len()));
        let params = start.signature().0;
        let values = words.iter().flat_map(|input| params.iter().zip(input));
        let add = |digest, (&ty, &word): (&Ty, &u64)| mix(digest, grade::digest(types, ty, heap, word));
        values.fold(hash(self.problem.digest(), &rest), add)
    }

    fn shown(&self, loss: f64) -> f64 {
        self.problem.shown(loss)
    }

    fn target(&self) -> Option<f64> {
        self.problem.target()
    }

    fn check(&self, start: &Program, _control: &Control) -> Result<(), Halt> {
        let Inputs { types, words, .. } = self.problem.inputs();
        let n_inputs = words[0].len();
        if start.types() != types || start.signature().0.len() != n_inputs {
            let ending = if n_inputs == 1 { "" } else { "s" };
            let expected = format!("a function of {n_inputs} input{ending}");
            return Err(Error::ProgramType { role: "starting", expected, found: start.to_text() }.into());
        }
        Ok(self.problem.check(start)?)
    }

    fn undefined(&self) -> Error {
        Error::NoFiniteLoss
    }

    fn child(&self, parent: &Member, _: &Population, random: &mut Random) -> Option<Program> {
        let from = match parent.neutral.len() as u32 {
            n if n > 0 && random.below(2) == 0 => &parent.neutral[random.below(n) as usize].1,
            _ => &parent.program,
        };
        let doublings = Self::LAYOUT.keep.doublings(parent.n_children);
        let largest = (SIZES.0 + doublings as usize).min(SIZES.1);
        let material = Material { vocabulary: &self.problem.inputs().vocabulary, largest, mates: &[] };
        vary(&PROGRAMS, from, &material, random)
    }

    fn judge(&self, child: Child<'_>, kept: &Kept<'_>, bench: &mut Bench) -> Judged {
        let Child { program, bits, parent } = child;
        let number = program.fingerprint() as u64;
        let (verdict, outputs) = if kept.seen.knows(number, 0) {
            (Verdict::Known, None)
        } else if self.scorer.is_some() {
            let (scored, outputs) = run_all(self.problem, &program, bench);
            (Verdict::Scored(scored), Some(outputs))
        } else {
            let is_lost =
                |loss, steps| loss > parent.scored.loss && kept.population.is_lost(bits, loss, steps);
            let scored = judge(self.problem, &program, bench, is_lost);
            (scored.map_or(Verdict::Worse, Verdict::Scored), None)
        };
        Judged { program, bits, verdict, key: Some((number, 0)), fits: true, outputs }
    }

    fn settle(&mut self, children: &mut [&mut Judged], population: &Population) -> Result<(), Halt> {
        let waiting = children.iter_mut().filter_map(|child| match (child.verdict, child.outputs.take()) {
            (Verdict::Scored(scored), Some(outputs)) => Some((&mut child.verdict, scored, outputs)),
            _ => None,
        });
        let (mut open, mut run) = (Vec::new(), Vec::new());
        for (verdict, scored, outputs) in waiting {
            open.push((verdict, scored));
            run.push((scored.behaviour, outputs));
        }
        if run.is_empty() {
            return Ok(());
        }
        let members = population.members().iter();
        let known = members.map(|member| (member.scored.behaviour, member.scored.loss));
        let losses = self.losses(run, known)?;
        for ((verdict, scored), loss) in open.into_iter().zip(losses) {
            *verdict = loss.map_or(Verdict::Undefined, |loss| Verdict::Scored(with_loss(scored, loss)));
        }
        Ok(())
    }

    fn score(&mut self, programs: &[&Program], control: &Control) -> Result<Vec<Option<Scored>>, Halt> {
        let bench = &mut self.bench();
        let (mut scored, mut run) = (Vec::new(), Vec::new());
        for program in programs {
            control.checkpoint()?;
            if self.scorer.is_none() {
                scored.push(judge(self.problem, program, bench, |_, _| false));
                continue;
            }
            let (one, outputs) = run_all(self.problem, program, bench);
            scored.push(Some(one));
            run.push((one.behaviour, outputs));
        }
        if run.is_empty() {
            return Ok(scored);
        }
        let losses = self.losses(run, std::iter::empty())?;
        let both = scored.into_iter().zip(losses);
        Ok(both.map(|(scored, loss)| Some(with_loss(scored?, loss?))).collect())
    }
}
