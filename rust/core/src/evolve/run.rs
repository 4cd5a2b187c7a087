//! An evolution from its sources to its report.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::baseline::rivals;
use super::checkpoint;
use super::error::EvolveError;
use super::judge::{Judge, Objective};
use super::report::{Evolved, report};
use super::search::{Plan, State, compiled};
use super::source::Source;
use crate::control::Control;
use crate::error::Error;
use crate::outcome::Status;
use crate::program::Program;

/// Time between two checkpoints.
const BETWEEN: Duration = Duration::from_secs(10);

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
    /// Training trees are doubled up to this number when rules fit them too well.
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
        let (Some(mut train), Some(validation)) = judges.map_err(EvolveError::Core)? else { return Ok(None) };
        let mut state = match resumed {
            Some(state) => state,
            None => State::start(&self.start, &train)?,
        };
        let status = self.search(&mut state, &mut train, &validation, digest, files, control)?;
        if let Some(path) = &files.checkpoint {
            checkpoint::write(path, &checkpoint::to_json(&state, digest))?;
        }
        control.essential(|| {
            let Some(test) = self.judge(&self.test.source, self.test.n_trees, control)? else {
                return Ok(None);
            };
            report(self, &state, status, [&train, &validation, &test], control)
        })
    }

    fn judge(&self, source: &Source, n_trees: usize, control: &Control) -> Result<Option<Judge>, Error> {
        let corpus = source.corpus(n_trees, control)?;
        Ok(corpus.ok().map(|corpus| Judge::new(corpus, self.objective, &rivals())))
    }

    /// Generations until a limit is reached.
    fn search(
        &self,
        state: &mut State,
        train: &mut Judge,
        validation: &Judge,
        digest: u64,
        files: &Files,
        control: &Control,
    ) -> Result<Status, EvolveError> {
        let mut written = Instant::now();
        while state.n_programs < self.plan.budget {
            control.report(state.n_programs, self.plan.budget);
            control.report_best(train.score(state.best().scored.whole));
            if state.is_watch_due() {
                self.watch(state, train, validation, control)?;
            }
            if let Err(interrupt) = state.step(&self.plan, train, control) {
                return Ok(interrupt.into());
            }
            if let Some(path) = files.checkpoint.as_ref().filter(|_| written.elapsed() > BETWEEN) {
                checkpoint::write(path, &checkpoint::to_json(state, digest))?;
                written = Instant::now();
            }
        }
        control.report(state.n_programs, self.plan.budget);
        Ok(Status::Complete)
    }

    /// Doubles the training trees if rules fit them too well.
    fn watch(
        &self,
        state: &mut State,
        train: &mut Judge,
        validation: &Judge,
        control: &Control,
    ) -> Result<(), EvolveError> {
        let most = self.most_train.min(self.train.source.limit());
        let n_trees = (2 * state.n_train).min(most);
        if n_trees > state.n_train && state.has_parted(&self.start[0], train, validation, self.plan.seed) {
            let grown = control.essential(|| self.judge(&self.train.source, n_trees, control))?;
            // Without, the run is being cancelled.
            let Some(grown) = grown else { return Ok(()) };
            *train = grown;
            state.rejudge(train, control);
        }
        state.watched = state.generation;
        Ok(())
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
