//! The search: generations of children, judged in any order and taken in in theirs.
//!
//! ```text
//! until the budget is used up, or the problem is solved and some more programs were made:
//!     parents by turns get slices of children
//!     every child: drawn by (seed, generation, index), judged                # in parallel
//!     in the order of the indices: offer it to the population; if refused, and no worse than its
//!         parent, keep it as a neutral copy of the parent
//! ```
//! Nothing depends on time or on threads.

use std::collections::HashSet;

use rayon::prelude::*;

use super::forms::vary;
use super::judge::{Bench, Scored, judge};
use super::population::{Member, Population, SLICE};
use super::problem::{Problem, SynthesisError};
use crate::control::{Control, Interrupt};
use crate::program::{Program, Vocabulary};
use crate::random::Random;

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

/// A search and where it stands.
#[derive(Debug)]
pub struct Search<'a> {
    problem: &'a dyn Problem,
    plan: Plan,
    /// Symbols for counting bits: those of the problem and what transformations bring in.
    symbols: Vocabulary,
    population: Population,
    /// Programs judged before.
    seen: HashSet<u64>,
    generation: u64,
    n_programs: u64,
    n_judged: u64,
    solved: Option<u64>,
}

impl std::fmt::Debug for dyn Problem + '_ {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Problem of {} inputs", self.n_inputs())
    }
}

/// A child that was judged to its end.
struct Child {
    program: Program,
    bits: f64,
    /// `None` if it was lost on the way.
    scored: Option<Scored>,
}

impl<'a> Search<'a> {
    /// A search from one program.
    ///
    /// # Errors
    /// A start whose types are not the problem's or that takes another number of inputs.
    pub fn new(problem: &'a dyn Problem, start: &Program, plan: Plan) -> Result<Search<'a>, SynthesisError> {
        if start.types() != problem.types() || start.signature().0.len() != problem.input(0).len() {
            return Err(SynthesisError::Signature {
                what: "starting",
                expected: format!("a function of {} inputs", problem.input(0).len()),
                found: start.to_text(),
            });
        }
        let symbols = Vocabulary { values: true, functions: true, ..problem.vocabulary().clone() };
        let bits = start.bits(&symbols);
        let scored = judge(problem, start, &mut Bench::new(problem), |_, _| false);
        let scored = scored.expect("a run that is never given up has a score");
        let mut population = Population::default();
        let solved = (scored.loss == 0).then_some(1);
        population.offer(Member::new(start.clone(), bits, scored, 0));
        let seen = HashSet::from([key(start)]);
        Ok(Search {
            problem,
            plan,
            symbols,
            population,
            seen,
            generation: 0,
            n_programs: 1,
            n_judged: 1,
            solved,
        })
    }

    pub fn population(&self) -> &Population {
        &self.population
    }

    /// Programs made so far, those that turned out to be none or known among them.
    pub fn n_programs(&self) -> u64 {
        self.n_programs
    }

    /// Different programs that were run.
    pub fn n_judged(&self) -> u64 {
        self.n_judged
    }

    /// Programs made when the first one without loss was found.
    pub fn solved(&self) -> Option<u64> {
        self.solved
    }

    /// The program with least loss, of these the smallest.
    pub fn best(&self) -> &Member {
        self.population.best().expect("a population never gets empty")
    }

    fn is_over(&self) -> bool {
        let polished = self.solved.is_some_and(|at| self.n_programs >= at + self.plan.polish);
        polished || self.n_programs >= self.plan.budget
    }

    /// Searches until the budget is used up or the problem is solved.
    ///
    /// # Errors
    /// The control's interrupt; the search stands then where its last generation ended.
    pub fn run(&mut self, control: &Control) -> Result<(), Interrupt> {
        control.in_pool(|| {
            while !self.is_over() {
                self.step(control)?;
                control.report(self.n_programs, self.plan.budget);
                control.report_best(self.best().scored.loss as f64);
            }
            Ok(())
        })
    }

    /// One generation; an interrupted one leaves no trace.
    fn step(&mut self, control: &Control) -> Result<(), Interrupt> {
        let parents = self.population.parents(SLICES);
        let jobs: Vec<(u64, u64)> = (0..)
            .zip(parents.iter().flat_map(|&parent| std::iter::repeat_n(parent, SLICE as usize)))
            .collect();
        let make = |bench: &mut Bench, &(index, parent): &(u64, u64)| {
            control.checkpoint()?;
            Ok(self.child(index, parent, bench))
        };
        let bench = || Bench::new(self.problem);
        let children: Vec<Option<Child>> = match control.is_parallel() {
            true => {
                jobs.par_iter().with_min_len(16).map_init(bench, make).collect::<Result<_, Interrupt>>()?
            }
            false => {
                let mut bench = bench();
                jobs.iter().map(|job| make(&mut bench, job)).collect::<Result<_, Interrupt>>()?
            }
        };
        self.commit(&jobs, children);
        Ok(())
    }

    fn child(&self, index: u64, parent: u64, bench: &mut Bench) -> Option<Child> {
        let parent = self.population.members().iter().find(|member| member.born == parent)?;
        let mut random = Random::stream(self.plan.seed ^ CHILD, self.generation << 20 | index);
        let from = match parent.n_neutral() {
            n if n > 0 && random.below(2) == 0 => parent.neutral(random.below(n as u32) as usize),
            _ => &parent.program,
        };
        let largest = (SIZES.0 + parent.doublings() as usize).min(SIZES.1);
        let program = vary(from, self.problem.vocabulary(), largest, &mut random)?;
        let bits = program.bits(&self.symbols);
        if bits > self.plan.most_bits || self.seen.contains(&key(&program)) {
            return None;
        }
        let lost = |loss, steps| loss > parent.scored.loss && self.population.is_lost(bits, loss, steps);
        let scored = judge(self.problem, &program, bench, lost);
        Some(Child { program, bits, scored })
    }

    fn commit(&mut self, jobs: &[(u64, u64)], children: Vec<Option<Child>>) {
        for &(_, parent) in jobs {
            if let Some(member) = self.population.find_mut(parent) {
                member.n_children += 1;
            }
        }
        for (&(_, parent), child) in jobs.iter().zip(children) {
            if let Some(child) = child {
                self.take(parent, child);
            }
            self.n_programs += 1;
        }
        self.generation += 1;
    }

    fn take(&mut self, parent: u64, child: Child) {
        if !self.seen.insert(key(&child.program)) {
            return;
        }
        self.n_judged += 1;
        let Some(scored) = child.scored else { return };
        if scored.loss == 0 && self.solved.is_none() {
            self.solved = Some(self.n_programs + 1);
        }
        let new = Member::new(child.program, child.bits, scored, self.n_programs);
        if let Some(refused) = self.population.offer(new) {
            if let Some(member) = self.population.find_mut(parent) {
                if refused.scored.loss <= member.scored.loss {
                    member.keep_neutral(refused.program, refused.bits);
                }
            }
        }
    }
}

fn key(program: &Program) -> u64 {
    program.fingerprint() as u64
}
