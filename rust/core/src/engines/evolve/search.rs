//! The search: generations of children, judged in any order and taken in in theirs.
//!
//! ```text
//! until the budget is used up, at the end of a generation:
//!     if a population that begins had its share: another one, or all of them joined
//!     if training and validation have parted: more training trees, all rules judged anew
//!     parents by turns get slices of children; the best rules get their constants searched
//!     every child: drawn by (seed, generation, index), judged                # in parallel
//!     offer all of them to the population, in the order of their indices
//! ```
//! Nothing depends on time or on threads, and a state at the end of a generation is all that the rest
//! depends on: so a run can be stopped, stored and gone on with, and finds the same bits.

use rayon::prelude::*;

use super::archive::Archive;
use super::beginnings::{Beginnings, Next};
use super::bootstrap::{Estimate, gain};
use super::columns::Columns;
use super::error::EvolveError;
use super::finite::is_finite_up_to;
use super::forms::vary;
use super::judge::{Bench, Bounds, Judge, Scored, Verdict};
use super::population::{Effort, Member, Population, SLICE, cell};
use super::seen::Seen;
use super::tally::Tally;
use super::tune::tune;
use super::watch::Watch;
use crate::base::control::Control;
use crate::base::outcome::Status;
use crate::base::random::Random;
use crate::model::program::{Program, Vocabulary};

/// Slices of children in a generation.
const SLICES: usize = 8;

/// Rules whose constants are searched in a generation.
const MOST_TUNED: usize = 8;

/// Draws for one child before it is given up.
const DRAWS: usize = 4;

/// Generations between two looks at validation.
const WATCH: u64 = 16;

/// Standard errors by which training and validation may part.
const APART: f64 = 2.0;

/// Keeps the numbers that children are drawn by apart from others of the same seed.
const CHILD: u64 = 0x6368_696C_6472_656E;

/// What a run depends on, besides the corpora.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    pub seed: u64,
    /// Programs to make.
    pub budget: u64,
    /// Programs that may be made without a better score in validation.
    pub patience: Option<u64>,
    /// Largest rules, in bits.
    pub most_bits: f64,
}

/// Where a run stands at the end of a generation.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    pub generation: u64,
    pub n_programs: u64,
    pub tally: Tally,
    pub population: Population,
    /// Populations that began before it.
    pub beginnings: Beginnings,
    /// The best rules of all populations.
    pub archive: Archive,
    pub seen: Seen,
    /// Training trees in use.
    pub n_train: usize,
    /// What validation said last.
    pub watch: Watch,
}

/// A piece of a generation.
enum Job {
    Child { parent: usize, index: u64 },
    Tune { member: usize },
}

/// What came of it.
enum Outcome {
    /// No program, or one that is too large.
    Nothing,
    Judged {
        program: Program,
        columns: Columns,
        verdict: Verdict,
        fingerprint: u64,
        /// Whether it is good enough for the population, and not for the archive alone.
        fits: bool,
    },
    Tuned {
        member: usize,
        found: Option<(Program, Scored)>,
        n_programs: u32,
        tally: Tally,
    },
}

impl State {
    /// A population of the rules to start from.
    ///
    /// # Errors
    /// A rule that is not one, or not finite for some pair.
    pub fn start(programs: &[Program], judge: &Judge) -> Result<State, EvolveError> {
        let first = begun(programs, judge, 0)?;
        let mut archive = Archive::default();
        first.iter().for_each(|member| archive.offer(member));
        let n_programs = programs.len() as u64;
        Ok(State {
            generation: 0,
            n_programs,
            tally: Tally { scored: n_programs, ..Tally::default() },
            population: Population::of(first),
            beginnings: Beginnings::default(),
            archive,
            seen: Seen::default(),
            n_train: judge.corpus().n_trees(),
            watch: Watch::none(0, n_programs),
        })
    }

    /// Whether the present population, one that began apart, had its share.
    pub fn is_beginning_due(&self) -> bool {
        self.beginnings.is_share_used(self.n_programs, self.n_train)
    }

    /// Begins another population of the rules to start from, or joins all that began.
    ///
    /// # Errors
    /// As [`State::start`].
    pub fn begin(&mut self, programs: &[Program], judge: &Judge) -> Result<(), EvolveError> {
        match self.beginnings.next(self.population.members()) {
            Next::Begin => {
                self.population = Population::of(begun(programs, judge, self.n_programs)?);
                self.n_programs += programs.len() as u64;
                self.tally.scored += programs.len() as u64;
            }
            Next::Join(others) => {
                let last = std::mem::take(&mut self.population);
                self.population = Population::of(others.into_iter().chain(last.into_members()));
                self.watch = Watch::none(self.generation, self.n_programs);
            }
        }
        self.seen.clear();
        Ok(())
    }

    /// One generation; an interrupted one leaves the state as it was.
    pub fn step(&mut self, plan: &Plan, judge: &Judge, control: &Control) -> Result<(), Status> {
        let (jobs, effort) = self.jobs();
        let work = |bench: &mut Bench, job: &Job| {
            control.checkpoint()?;
            Ok(self.work(job, plan, judge, bench))
        };
        let outcomes: Vec<Outcome> = match control.is_parallel() {
            true => jobs.par_iter().map_init(Bench::default, work).collect::<Result<_, Status>>()?,
            false => {
                let mut bench = Bench::default();
                jobs.iter().map(|job| work(&mut bench, job)).collect::<Result<_, Status>>()?
            }
        };
        self.commit(&jobs, outcomes, effort);
        Ok(())
    }

    fn jobs(&self) -> (Vec<Job>, Effort) {
        let members = self.population.members();
        let untuned = self.population.front().into_iter().filter(|&k| !members[k].is_tuned);
        let mut jobs: Vec<Job> = untuned.take(MOST_TUNED).map(|member| Job::Tune { member }).collect();
        let (parents, effort) = self.population.parents(SLICES);
        let slices = parents.iter().flat_map(|&parent| std::iter::repeat_n(parent, SLICE as usize));
        jobs.extend((0..).zip(slices).map(|(index, parent)| Job::Child { parent, index }));
        (jobs, effort)
    }

    fn work(&self, job: &Job, plan: &Plan, judge: &Judge, bench: &mut Bench) -> Outcome {
        match *job {
            Job::Child { parent, index } => {
                let mut random = Random::stream(plan.seed ^ CHILD, self.generation << 20 | index);
                self.child(parent, plan, &mut random)
                    .map_or(Outcome::Nothing, |program| self.judged(program, judge, bench))
            }
            Job::Tune { member } => {
                let old = &self.population.members()[member];
                let tuned = tune(&old.program, old.scored, judge, bench);
                let largest = judge.corpus().largest();
                let finite = |columns: Columns, bench: &mut Bench| {
                    is_finite_up_to(&columns, largest, &mut bench.scratch)
                };
                let found = tuned.found.filter(|(program, _)| {
                    Columns::compile(program).is_some_and(|columns| finite(columns, bench))
                });
                Outcome::Tuned { member, found, n_programs: tuned.n_programs, tally: tuned.tally }
            }
        }
    }

    fn child(&self, parent: usize, plan: &Plan, random: &mut Random) -> Option<Program> {
        let members = self.population.members();
        let draw = |_| {
            let mate = &members[random.below(members.len() as u32) as usize].program;
            vary(&members[parent].program, mate, random)
        };
        let child = (0..DRAWS).find_map(draw)?;
        (child.bits(&Vocabulary::scalar()) <= plan.most_bits).then_some(child)
    }

    fn judged(&self, program: Program, judge: &Judge, bench: &mut Bench) -> Outcome {
        let Some(columns) = Columns::compile(&program) else { return Outcome::Nothing };
        let bits = program.bits(&Vocabulary::scalar());
        let cell = cell(bits);
        let known = |fingerprint| self.seen.knows(fingerprint, cell);
        let bounds = self.population.bounds(cell);
        let looser = bounds.or(self.archive.bounds(bits, columns.cost()));
        let (mut verdict, fingerprint) = judge.judge(&columns, looser, known, bench);
        let kept = matches!(verdict, Verdict::Scored(_));
        if kept && !is_finite_up_to(&columns, judge.corpus().largest(), &mut bench.scratch) {
            verdict = Verdict::Undefined;
        }
        let fits = matches!(&verdict, Verdict::Scored(scored) if bounds.admit(scored));
        Outcome::Judged { program, columns, verdict, fingerprint, fits }
    }

    fn commit(&mut self, jobs: &[Job], outcomes: Vec<Outcome>, effort: Effort) {
        self.population.effort = effort;
        for job in jobs {
            match *job {
                Job::Child { parent, .. } => self.population.member_mut(parent).n_children += 1,
                Job::Tune { member } => self.population.member_mut(member).is_tuned = true,
            }
        }
        let given: Vec<u32> = self.population.members().iter().map(|member| member.n_children).collect();
        for outcome in outcomes {
            match outcome {
                Outcome::Nothing => self.n_programs += 1,
                Outcome::Judged { program, columns, verdict, fingerprint, fits } => {
                    self.tally.count(&verdict);
                    if fingerprint != 0 {
                        self.seen.add(fingerprint, cell(program.bits(&Vocabulary::scalar())));
                    }
                    if let Verdict::Scored(scored) = verdict {
                        self.offer(Member::new(program, columns.cost(), scored, self.n_programs), fits);
                    }
                    self.n_programs += 1;
                }
                Outcome::Tuned { member, found, n_programs, tally } => {
                    self.tally.add(&tally);
                    self.n_programs += u64::from(n_programs);
                    if let Some((program, scored)) = found {
                        let cost = Columns::compile(&program).map_or(0, |columns| columns.cost());
                        let mut new = Member::new(program, cost, scored, self.n_programs);
                        (new.is_tuned, new.n_children) = (true, given[member]);
                        self.offer(new, true);
                    }
                }
            }
        }
        self.generation += 1;
    }

    fn offer(&mut self, member: Member, fits: bool) {
        self.archive.offer(&member);
        if fits {
            self.population.offer(member);
        }
    }

    /// The rule with the fewest losses.
    pub fn best(&self) -> &Member {
        let members = self.archive.members();
        let best = members.iter().min_by(|a, b| a.scored.whole.total_cmp(&b.scored.whole));
        best.expect("an archive never gets empty")
    }

    /// Whether it is time to compare training with validation.
    pub fn is_watch_due(&self) -> bool {
        self.generation > self.watch.generation && self.generation % WATCH == 0
    }

    /// Whether the best rule gained more in training than in validation, by more than chance: over the
    /// first one, or over the best one of at most half its size, which prunes much alike and so shows
    /// small differences.
    pub fn has_parted(&self, start: &Program, train: &Judge, validation: &Judge, seed: u64) -> bool {
        let best = self.best();
        let half = self.population.best_up_to(best.cell() / 2).map(|member| &member.program);
        std::iter::once(start).chain(half).any(|reference| {
            let Some(seen) = gained(&best.program, reference, train, seed) else { return true };
            let Some(unseen) = gained(&best.program, reference, validation, seed) else { return true };
            let error = libm::sqrt(seen.error * seen.error + unseen.error * unseen.error);
            seen.value - unseen.value > APART * error
        })
    }

    /// Judges all rules on a larger corpus.
    pub fn rejudge(&mut self, judge: &Judge, control: &Control) {
        let score = |bench: &mut Bench, member: &Member| {
            let columns = Columns::compile(&member.program)?;
            match judge.judge(&columns, Bounds::NONE, |_| false, bench).0 {
                Verdict::Scored(scored) => Some(Member { scored, is_tuned: false, ..member.clone() }),
                _ => None,
            }
        };
        let anew = |members: &[Member]| -> Vec<Member> {
            let rejudged: Vec<Option<Member>> = match control.is_parallel() {
                true => members.par_iter().map_init(Bench::default, score).collect(),
                false => {
                    let mut bench = Bench::default();
                    members.iter().map(|member| score(&mut bench, member)).collect()
                }
            };
            rejudged.into_iter().flatten().collect()
        };
        let (members, archived) = (anew(self.population.members()), anew(self.archive.members()));
        let effort = self.population.effort.clone();
        self.population = Population::restored(Vec::new(), effort);
        self.archive = Archive::default();
        members.into_iter().for_each(|member| self.offer(member, true));
        archived.into_iter().for_each(|member| self.offer(member, false));
        self.seen.clear();
        self.n_train = judge.corpus().n_trees();
    }
}

/// Rules to start from, judged; the first of them as the program of this number.
fn begun(programs: &[Program], judge: &Judge, number: u64) -> Result<Vec<Member>, EvolveError> {
    let mut bench = Bench::default();
    let member = |(born, program): (u64, &Program)| {
        let columns = compiled(program)?;
        match judge.judge(&columns, Bounds::NONE, |_| false, &mut bench).0 {
            Verdict::Scored(scored) => Ok(Member::new(program.clone(), columns.cost(), scored, born)),
            _ => Err(EvolveError::Undefined),
        }
    };
    (number..).zip(programs).map(member).collect()
}

/// What one rule gains over another on a corpus; `None` if one is not finite there.
fn gained(of: &Program, over: &Program, judge: &Judge, seed: u64) -> Option<Estimate> {
    let mut bench = Bench::default();
    let mut losses = |program: &Program| {
        let errors = judge.errors(&Columns::compile(program)?, &mut bench)?;
        Some(judge.losses_of(&errors))
    };
    let (of, over) = (losses(of)?, losses(over)?);
    Some(gain(judge, &of, &over, seed))
}

/// A rule ready to run.
///
/// # Errors
/// A program that is no formula of two floats.
pub fn compiled(program: &Program) -> Result<Columns, EvolveError> {
    Columns::compile(program).ok_or_else(|| EvolveError::NotARule { text: program.to_text() })
}
