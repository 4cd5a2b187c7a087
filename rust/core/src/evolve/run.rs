//! An evolution from its sources to its report.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::baseline::{rivals, two_constants};
use super::bootstrap::{Estimate, estimate};
use super::checkpoint;
use super::columns::Columns;
use super::error::EvolveError;
use super::judge::{Bench, Judge, Objective};
use super::search::{Plan, State, compiled};
use super::source::Source;
use super::tally::Tally;
use crate::control::{Control, Interrupt};
use crate::error::Error;
use crate::outcome::Status;
use crate::program::{Program, Vocabulary};

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

/// A rule and what it reached.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    pub program: Program,
    pub bits: f64,
    pub train: Estimate,
    pub validation: Estimate,
}

/// Errors of one rule on every tree of the three corpora.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub name: String,
    pub train: Vec<f64>,
    pub validation: Vec<f64>,
    pub test: Vec<f64>,
}

/// Size of a corpus, and what makes it small.
#[derive(Debug, Clone, PartialEq)]
pub struct Extent {
    /// Test rows of every tree.
    pub n_test: Vec<f64>,
    pub n_nodes: usize,
    pub n_pairs: usize,
    pub n_subtrees: usize,
}

/// What an evolution found.
#[derive(Debug, Clone, PartialEq)]
pub struct Evolved {
    /// The best of every size in training, from small to large.
    pub front: Vec<Rule>,
    /// The one of them that is best in validation.
    pub best: usize,
    /// The rivals, the best rule of two constants, the rule that was started from, the best one.
    pub rows: Vec<Row>,
    /// The constants of the rule of two.
    pub constants: [f64; 2],
    /// Training, validation, test.
    pub extents: [Extent; 3],
    pub n_programs: u64,
    pub tally: Tally,
    pub n_generations: u64,
    pub status: Status,
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
        control.essential(|| self.report(&state, status, &train, &validation, control))
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

    fn report(
        &self,
        state: &State,
        status: Status,
        train: &Judge,
        validation: &Judge,
        control: &Control,
    ) -> Result<Option<Evolved>, EvolveError> {
        let Some(test) = self.judge(&self.test.source, self.test.n_trees, control)? else { return Ok(None) };
        let judges = [train, validation, &test];
        let members = state.population.members();
        let front = state.population.front();
        let rule = |bench: &mut Bench, &k: &usize| {
            control.checkpoint()?;
            Ok(self.rule(&members[k].program, train, validation, bench))
        };
        let rules: Result<Vec<Option<Rule>>, Interrupt> =
            front.par_iter().map_init(Bench::default, rule).collect();
        let Ok(rules) = rules else { return Ok(None) };
        let rules: Vec<Rule> = rules.into_iter().flatten().collect();
        let Some(best) = best_in_validation(&rules) else { return Err(EvolveError::Undefined) };
        let (constants, two) = two_constants(train);
        let mut rows: Vec<Row> =
            (0..).zip(rivals()).map(|(k, rival)| rival_row(k, rival.name, &judges)).collect();
        let named = [("two constants", &two), ("start", &self.start[0]), ("evolved", &rules[best].program)];
        rows.extend(named.into_iter().filter_map(|(name, program)| row(name, program, &judges)));
        Ok(Some(Evolved {
            best,
            front: rules,
            rows,
            constants,
            extents: judges.map(extent),
            n_programs: state.n_programs,
            tally: state.tally,
            n_generations: state.generation,
            status,
        }))
    }

    /// `None` where a rule is not finite in validation.
    fn rule(&self, program: &Program, train: &Judge, validation: &Judge, bench: &mut Bench) -> Option<Rule> {
        let columns = Columns::compile(program)?;
        let mut of = |judge: &Judge| {
            let losses = judge.losses_of(&judge.errors(&columns, bench)?);
            Some(estimate(judge, &losses, self.plan.seed))
        };
        let (train, validation) = (of(train)?, of(validation)?);
        let bits = program.bits(&Vocabulary::scalar());
        Some(Rule { program: program.clone(), bits, train, validation })
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

fn best_in_validation(rules: &[Rule]) -> Option<usize> {
    (0..rules.len()).min_by(|&a, &b| rules[a].validation.value.total_cmp(&rules[b].validation.value))
}

fn rival_row(k: usize, name: &str, judges: &[&Judge; 3]) -> Row {
    let [train, validation, test] = judges.map(|judge| judge.rivals()[k].clone());
    Row { name: name.to_owned(), train, validation, test }
}

/// `None` where a rule is not finite on some tree.
fn row(name: &str, program: &Program, judges: &[&Judge; 3]) -> Option<Row> {
    let columns = Columns::compile(program)?;
    let mut bench = Bench::default();
    let [train, validation, test] = judges.map(|judge| judge.errors(&columns, &mut bench));
    Some(Row { name: name.to_owned(), train: train?, validation: validation?, test: test? })
}

fn extent(judge: &Judge) -> Extent {
    let corpus = judge.corpus();
    Extent {
        n_test: corpus.n_test().to_vec(),
        n_nodes: corpus.n_nodes(),
        n_pairs: corpus.pairs().0.len(),
        n_subtrees: corpus.n_subtrees(),
    }
}
