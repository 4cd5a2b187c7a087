//! An evolution from its sources to its report.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::baseline::rivals;
use super::checkpoint;
use super::columns::{Columns, Scratch};
use super::error::EvolveError;
use super::finite::is_finite_on_all;
use super::judge::{Judge, Objective};
use super::report::{Evolved, report};
use super::search::{Plan, State, compiled};
use super::shown::front_text;
use super::source::Source;
use super::watch::{Validation, Watch};
use crate::base::control::Control;
use crate::base::error::Error;
use crate::base::file;
use crate::base::outcome::Status;
use crate::model::program::Program;

/// Time between two checkpoints, unless asked otherwise.
const STORED: Duration = Duration::from_secs(10);

/// Time between two looks at the front.
const SHOWN: Duration = Duration::from_millis(200);

/// Programs for every training tree after which the trees are doubled anyway: of so many some fit by
/// chance, before it shows.
const PROGRAMS_PER_TREE: u64 = 25;

/// Trees of one purpose: where they come from, and how many.
#[derive(Debug, Clone, PartialEq)]
pub struct Trees {
    pub source: Source,
    pub n_trees: usize,
}

/// An evolution of a pruning rule.
#[derive(Debug, Clone, PartialEq)]
pub struct Evolution {
    pub train: Trees,
    /// Training trees are doubled up to this number when rules fit them too well, or many programs were
    /// made.
    pub most_train: usize,
    pub validation: Trees,
    pub test: Trees,
    pub objective: Objective,
    pub start: Vec<Program>,
    pub plan: Plan,
}

/// Files of an evolution.
#[derive(Debug, Clone, Default)]
pub struct Files {
    /// Written now and then, and at the end.
    pub checkpoint: Option<PathBuf>,
    /// Time between two of them; ten seconds if `None`.
    pub between: Option<Duration>,
    /// The text of a checkpoint to go on from.
    pub resume: Option<String>,
}

impl Evolution {
    /// Evolves; `None` if the control cancels.
    ///
    /// # Errors
    /// Sources without trees, a start that is no rule or not defined, a checkpoint that does not fit or
    /// cannot be written.
    pub fn run(&self, files: &Files, control: &Control) -> Result<Option<Evolved>, EvolveError> {
        let digest = self.digest();
        let resumed = match &files.resume {
            Some(text) => Some(checkpoint::from_json(text, digest)?),
            None => None,
        };
        for program in &self.start {
            compiled(program)?;
        }
        let n_train = resumed.as_ref().map_or(self.train.n_trees, |state| state.n_train);
        let judges = control.essential(|| {
            let train = self.judge(&self.train.source, n_train, control)?;
            Ok((train, self.judge(&self.validation.source, self.validation.n_trees, control)?))
        });
        let (Some(train), Some(validation)) = judges.map_err(EvolveError::Core)? else { return Ok(None) };
        let state = match resumed {
            Some(state) => state,
            None => {
                let largest = train.corpus().largest().max(validation.corpus().largest());
                let is_finite = control.essential(|| self.is_start_finite(largest, control));
                match is_finite {
                    Ok(true) => State::start(&self.start, &train)?,
                    Ok(false) => return Err(EvolveError::Undefined),
                    Err(_) => return Ok(None),
                }
            }
        };
        if let Some(path) = &files.checkpoint {
            file::clear(path);
        }
        let validation = Validation::new(validation);
        let mut course = Course { evolution: self, state, train, validation, digest, files, control };
        let status = course.search()?;
        course.store()?;
        control.essential(|| {
            let Some(test) = self.judge(&self.test.source, self.test.n_trees, control)? else {
                return Ok(None);
            };
            let judges = [&course.train, &course.validation.judge, &test];
            report(self, &course.state, status, judges, control)
        })
    }

    fn is_start_finite(&self, largest: f64, control: &Control) -> Result<bool, Status> {
        let mut scratch = Scratch::default();
        for columns in self.start.iter().filter_map(Columns::compile) {
            if !is_finite_on_all(&columns, largest, &mut scratch, control)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn judge(&self, source: &Source, n_trees: usize, control: &Control) -> Result<Option<Judge>, Error> {
        let corpus = source.corpus(n_trees, control)?;
        Ok(corpus.ok().map(|corpus| Judge::new(corpus, self.objective, &rivals())))
    }

    /// A number for all that decides what is found, the budget apart.
    fn digest(&self) -> u64 {
        let mut hash = 0xCBF2_9CE4_8422_2325u64;
        let mut add = |bytes: &[u8]| {
            bytes.iter().for_each(|&byte| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3));
        };
        for trees in [&self.train, &self.validation] {
            add(format!("{} {:?};", trees.n_trees, trees.source).as_bytes());
        }
        let start: Vec<String> = self.start.iter().map(Program::to_text).collect();
        let rest = (self.most_train, self.objective, start, self.plan.seed, self.plan.most_bits);
        add(format!("{rest:?}").as_bytes());
        hash
    }
}

/// A run under way.
struct Course<'a> {
    evolution: &'a Evolution,
    state: State,
    train: Judge,
    validation: Validation,
    digest: u64,
    files: &'a Files,
    control: &'a Control,
}

impl Course<'_> {
    /// Generations until a limit is reached.
    fn search(&mut self) -> Result<Status, EvolveError> {
        let Plan { budget, patience, .. } = self.evolution.plan;
        let mut stored = Instant::now();
        let between = self.files.between.unwrap_or(STORED);
        let mut shown: Option<Instant> = None;
        while self.state.n_programs < budget {
            if self.state.is_beginning_due() {
                self.state.begin(&self.evolution.start, &self.train)?;
            }
            if self.state.is_watch_due() {
                self.watch()?;
            }
            if shown.is_none_or(|at| at.elapsed() > SHOWN) {
                self.show();
                shown = Some(Instant::now());
            }
            let is_joined = self.state.beginnings.are_over();
            if is_joined && patience.is_some_and(|patience| self.state.watch.is_stalled(patience)) {
                return Ok(Status::Stalled);
            }
            self.report();
            if let Err(interrupt) = self.state.step(&self.evolution.plan, &self.train, self.control) {
                return Ok(interrupt);
            }
            if stored.elapsed() > between {
                self.store()?;
                stored = Instant::now();
            }
        }
        self.report();
        Ok(Status::Complete)
    }

    fn report(&self) {
        self.control.report(self.state.n_programs, self.evolution.plan.budget);
        self.control.report_best(self.train.score(self.state.best().scored.whole));
    }

    fn show(&self) {
        self.control.report_text(front_text(&self.state.archive, &self.train, &self.validation));
    }

    fn store(&self) -> Result<(), EvolveError> {
        let Some(path) = &self.files.checkpoint else { return Ok(()) };
        checkpoint::write(path, &checkpoint::to_json(&self.state, self.digest))
    }

    /// Doubles the training trees if rules fit them too well, or soon will, but not before all populations
    /// are joined; looks at validation.
    fn watch(&mut self) -> Result<(), EvolveError> {
        let Course { evolution, state, train, validation, control, .. } = self;
        let most = match state.beginnings.are_over() {
            true => evolution.most_train.min(evolution.train.source.limit()),
            false => state.n_train,
        };
        let n_trees = (2 * state.n_train).min(most);
        let (start, seed) = (&evolution.start[0], evolution.plan.seed);
        let is_worn = state.n_programs >= PROGRAMS_PER_TREE * state.n_train as u64;
        if n_trees > state.n_train && (is_worn || state.has_parted(start, train, &validation.judge, seed)) {
            let grown = control.essential(|| evolution.judge(&evolution.train.source, n_trees, control))?;
            // Without, the run is being cancelled.
            let Some(grown) = grown else { return Ok(()) };
            *train = grown;
            state.rejudge(train, control);
            state.watch = Watch::none(state.generation, state.n_programs);
        }
        let members = state.archive.members();
        validation.judge_all(members, control);
        let scores = members.iter().filter_map(|member| validation.score(&member.program));
        state.watch.look(state.generation, state.n_programs, scores);
        Ok(())
    }
}
