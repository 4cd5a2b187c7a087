//! The search: generations of children, judged in any order and taken in in theirs.
//!
//! ```text
//! until the budget is used up, or the problem is solved and some more programs were made:
//!     parents by turns get slices of children
//!     every child: drawn by (seed, generation, index), judged                # in parallel
//!     if a scorer judges outputs: once for all of them, on the thread that runs the search
//!     in the order of the indices: offer it to the population; if refused, and no worse than its
//!         parent, keep it as a neutral copy of the parent
//! ```
//! Nothing depends on time or on threads, and a state at the end of a generation is all that the rest
//! depends on: so a search can be stopped, stored and gone on with, and finds the same bits.

use std::collections::HashSet;

use rayon::prelude::*;

use super::checkpoint::{self, About};
use super::forms::vary;
use super::judge::{Bench, Scored, judge};
use super::population::{Member, Population, SLICE};
use super::problem::{Problem, SynthesisError};
use super::rejudge::{agrees, rejudged};
use super::scored::{self, Outputs, Scorer};
use crate::base::control::Control;
use crate::base::outcome::Status;
use crate::base::random::Random;
use crate::model::program::{Program, Vocabulary};

/// Slices of children in a generation.
const SLICES: usize = 4;

/// Largest new expression: of a parent with few children, and with many.
const SIZES: (usize, usize) = (6, 16);

/// Keeps the numbers that children are drawn by apart from others of the same seed.
const CHILD: u64 = 0x7379_6E74_6865_7369;

/// What a search depends on, besides the problem and its start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    pub seed: u64,
    /// Programs to make.
    pub budget: u64,
    /// Programs to make after the first one without loss, in search of smaller ones.
    pub polish: u64,
    /// Largest programs, in bits.
    pub most_bits: f64,
}

impl Default for Plan {
    /// A hundred thousand programs of at most 500 bits.
    fn default() -> Self {
        Plan { seed: 0, budget: 100_000, polish: 10_000, most_bits: 500.0 }
    }
}

/// Where a search stands at the end of a generation.
#[derive(Debug, Clone)]
pub struct State {
    pub(super) population: Population,
    /// Programs judged before.
    pub(super) seen: HashSet<u64>,
    pub(super) generation: u64,
    pub(super) n_programs: u64,
    pub(super) n_judged: u64,
    pub(super) solved: Option<u64>,
}

/// A search and where it stands.
#[derive(Debug)]
pub struct Search<'a> {
    problem: &'a dyn Problem,
    start: Program,
    plan: Plan,
    /// Symbols for counting bits: those of the problem and what transformations bring in.
    symbols: Vocabulary,
    state: State,
}

impl std::fmt::Debug for dyn Problem + '_ {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Problem of {} inputs", self.n_inputs())
    }
}

/// A child, and what is known of it.
struct Child {
    program: Program,
    bits: f64,
    /// `None` if it was lost on the way.
    scored: Option<Scored>,
    /// What a scorer is still to look at.
    outputs: Option<Outputs>,
}

impl<'a> Search<'a> {
    /// A search from one program.
    ///
    /// # Errors
    /// A start whose types are not the problem's or that takes another number of inputs.
    pub fn new(problem: &'a dyn Problem, start: &Program, plan: Plan) -> Result<Search<'a>, SynthesisError> {
        Search::scored(problem, start, plan, None)
    }

    /// The same where losses come from a scorer.
    ///
    /// # Errors
    /// As for [`Search::new`], and a start without a finite loss.
    pub fn scored(
        problem: &'a dyn Problem,
        start: &Program,
        plan: Plan,
        scorer: Option<&mut Scorer<'_>>,
    ) -> Result<Search<'a>, SynthesisError> {
        check_start(problem, start)?;
        let symbols = symbols(problem);
        let bits = start.bits(&symbols);
        let scored = rejudged(problem, &[start], scorer)?[0].ok_or(SynthesisError::Undefined)?;
        let mut population = Population::default();
        let solved = is_solved(problem, scored.loss).then_some(1);
        population.offer(Member::new(start.clone(), bits, scored, 0));
        let seen = HashSet::from([key(start)]);
        let state = State { population, seen, generation: 0, n_programs: 1, n_judged: 1, solved };
        Ok(Search { problem, start: start.clone(), plan, symbols, state })
    }

    /// A search that goes on from the text of a checkpoint. Its programs are judged again.
    ///
    /// # Errors
    /// As for [`Search::scored`], and text that is no checkpoint of this search.
    pub fn resumed(
        problem: &'a dyn Problem,
        start: &Program,
        plan: Plan,
        text: &str,
        scorer: Option<&mut Scorer<'_>>,
    ) -> Result<Search<'a>, SynthesisError> {
        check_start(problem, start)?;
        let symbols = symbols(problem);
        let state = About { problem, start, plan: &plan, symbols: &symbols }.read(text)?;
        let members = state.population.members();
        let programs: Vec<&Program> = members.iter().map(|member| &member.program).collect();
        let again = rejudged(problem, &programs, scorer)?;
        if !members.iter().zip(again).all(|(member, again)| agrees(problem, member.scored, again)) {
            return Err(checkpoint::fault("its programs have other losses on this problem"));
        }
        Ok(Search { problem, start: start.clone(), plan, symbols, state })
    }

    /// A search that stands where another one of the same problem, start, seed and size stood.
    pub fn at(problem: &'a dyn Problem, start: &Program, plan: Plan, state: State) -> Search<'a> {
        Search { problem, start: start.clone(), plan, symbols: symbols(problem), state }
    }

    /// Where it stands.
    pub fn into_state(self) -> State {
        self.state
    }

    /// Where it stands, as text for [`Search::resumed`].
    pub fn to_json(&self) -> String {
        let Search { problem, start, plan, symbols, .. } = self;
        About { problem: *problem, start, plan, symbols }.write(&self.state)
    }

    pub fn population(&self) -> &Population {
        &self.state.population
    }

    /// Programs made so far, those that turned out to be none or known among them.
    pub fn n_programs(&self) -> u64 {
        self.state.n_programs
    }

    /// Different programs that were run.
    pub fn n_judged(&self) -> u64 {
        self.state.n_judged
    }

    /// Programs made when the first one without loss was found.
    pub fn solved(&self) -> Option<u64> {
        self.state.solved
    }

    /// The program with least loss, of these the smallest.
    pub fn best(&self) -> &Member {
        self.state.population.best().expect("a population never gets empty")
    }

    fn is_over(&self) -> bool {
        let State { n_programs, solved, .. } = self.state;
        solved.is_some_and(|at| n_programs >= at.saturating_add(self.plan.polish))
            || n_programs >= self.plan.budget
    }

    /// Searches until the budget is used up or the problem is solved.
    ///
    /// # Errors
    /// The control's interrupt; the search stands then where its last generation ended.
    pub fn run(&mut self, control: &Control) -> Result<(), Status> {
        control.in_pool(|| self.go_on(control, None, &mut |_| true))
    }

    /// The same in the pool of the caller, perhaps with a scorer; what is to be done `after` every generation
    /// says whether to go on.
    ///
    /// # Errors
    /// As for [`Search::run`].
    pub fn go_on(
        &mut self,
        control: &Control,
        mut scorer: Option<&mut Scorer<'_>>,
        after: &mut (dyn FnMut(&Search<'_>) -> bool + Send),
    ) -> Result<(), Status> {
        self.report(control);
        while !self.is_over() {
            self.step(control, scorer.as_deref_mut())?;
            self.report(control);
            if !after(self) {
                return Err(Status::Stopped);
            }
        }
        Ok(())
    }

    fn report(&self, control: &Control) {
        control.report(self.state.n_programs, self.plan.budget);
        control.report_best(self.problem.shown(self.best().scored.loss));
    }

    /// One generation; an interrupted one leaves no trace.
    fn step(&mut self, control: &Control, scorer: Option<&mut Scorer<'_>>) -> Result<(), Status> {
        let parents = self.state.population.parents(SLICES);
        let jobs: Vec<(u64, u64)> = (0..)
            .zip(parents.iter().flat_map(|&parent| std::iter::repeat_n(parent, SLICE as usize)))
            .collect();
        let is_scored = scorer.is_some();
        let make = |bench: &mut Bench, &(index, parent): &(u64, u64)| {
            control.checkpoint()?;
            Ok(self.child(index, parent, is_scored, bench))
        };
        let bench = || Bench::new(self.problem);
        let mut children: Vec<Option<Child>> = match control.is_parallel() {
            true => jobs.par_iter().with_min_len(16).map_init(bench, make).collect::<Result<_, Status>>()?,
            false => {
                let mut bench = bench();
                jobs.iter().map(|job| make(&mut bench, job)).collect::<Result<_, Status>>()?
            }
        };
        if let Some(scorer) = scorer {
            self.score(&mut children, scorer).ok_or(Status::Stopped)?;
        }
        self.commit(&jobs, children);
        Ok(())
    }

    /// Puts in the losses that a scorer gives.
    fn score(&self, children: &mut [Option<Child>], scorer: &mut Scorer<'_>) -> Option<()> {
        let mut run = Vec::new();
        for child in children.iter_mut().flatten() {
            let behaviour = child.scored.map_or(0, |scored| scored.behaviour);
            run.extend(child.outputs.take().map(|outputs| (behaviour, outputs)));
        }
        let members = self.state.population.members().iter();
        let known = members.map(|member| (member.scored.behaviour, member.scored.loss));
        let losses = scored::losses(run, known, scorer)?;
        for (child, loss) in children.iter_mut().flatten().zip(losses) {
            child.scored = child.scored.zip(loss).map(|(scored, loss)| Scored { loss, ..scored });
        }
        Some(())
    }

    fn child(&self, index: u64, parent: u64, is_scored: bool, bench: &mut Bench) -> Option<Child> {
        let parent = self.state.population.members().iter().find(|member| member.born == parent)?;
        let mut random = Random::stream(self.plan.seed ^ CHILD, self.state.generation << 20 | index);
        let from = match parent.n_neutral() {
            n if n > 0 && random.below(2) == 0 => parent.neutral(random.below(n as u32) as usize),
            _ => &parent.program,
        };
        let largest = (SIZES.0 + parent.doublings() as usize).min(SIZES.1);
        let program = vary(from, self.problem.vocabulary(), largest, &mut random)?;
        let bits = program.bits(&self.symbols);
        if bits > self.plan.most_bits || self.state.seen.contains(&key(&program)) {
            return None;
        }
        if is_scored {
            let (scored, outputs) = scored::run_all(self.problem, &program, bench);
            return Some(Child { program, bits, scored: Some(scored), outputs: Some(outputs) });
        }
        let population = &self.state.population;
        let lost = |loss, steps| loss > parent.scored.loss && population.is_lost(bits, loss, steps);
        let scored = judge(self.problem, &program, bench, lost);
        Some(Child { program, bits, scored, outputs: None })
    }

    fn commit(&mut self, jobs: &[(u64, u64)], children: Vec<Option<Child>>) {
        for &(_, parent) in jobs {
            if let Some(member) = self.state.population.find_mut(parent) {
                member.n_children += 1;
            }
        }
        for (&(_, parent), child) in jobs.iter().zip(children) {
            if let Some(child) = child {
                self.take(parent, child);
            }
            self.state.n_programs += 1;
        }
        self.state.generation += 1;
    }

    fn take(&mut self, parent: u64, child: Child) {
        if !self.state.seen.insert(key(&child.program)) {
            return;
        }
        self.state.n_judged += 1;
        let Some(scored) = child.scored else { return };
        if is_solved(self.problem, scored.loss) && self.state.solved.is_none() {
            self.state.solved = Some(self.state.n_programs + 1);
        }
        let new = Member::new(child.program, child.bits, scored, self.state.n_programs);
        if let Some(refused) = self.state.population.offer(new) {
            if let Some(member) = self.state.population.find_mut(parent) {
                if refused.scored.loss <= member.scored.loss {
                    member.keep_neutral(refused.program, refused.bits);
                }
            }
        }
    }
}

/// The symbols by which sizes are told.
pub fn symbols(problem: &dyn Problem) -> Vocabulary {
    Vocabulary { values: true, functions: true, ..problem.vocabulary().clone() }
}

fn check_start(problem: &dyn Problem, start: &Program) -> Result<(), SynthesisError> {
    if start.types() != problem.types() || start.signature().0.len() != problem.input(0).len() {
        return Err(SynthesisError::Signature {
            what: "starting",
            expected: match problem.input(0).len() {
                1 => "a function of 1 input".to_owned(),
                n => format!("a function of {n} inputs"),
            },
            found: start.to_text(),
        });
    }
    Ok(())
}

fn is_solved(problem: &dyn Problem, loss: u64) -> bool {
    problem.target().is_some_and(|target| loss <= target)
}

fn key(program: &Program) -> u64 {
    program.fingerprint() as u64
}
