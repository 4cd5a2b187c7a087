//! An evolution of a pruning rule from its sources to its report.

use super::Formulas;
use super::baseline::rivals;
use super::columns::Columns;
use super::judge::{Buffers, Judge, Objective};
use super::report::{Evolved, report};
use crate::base::control::Control;
use crate::base::error::Error;
use crate::base::outcome::{Halt, Outcome, Stats, Status};
use crate::engines::evolve::search::{Files, Search};
use crate::engines::evolve::source::Source;
use crate::engines::evolve::state::{Plan, State};
use crate::model::program::Program;

/// Trees of one purpose: where they come from, and how many.
#[derive(Debug, Clone, PartialEq)]
pub struct Trees {
    /// Where they come from.
    pub source: Source,
    /// How many.
    pub n_trees: usize,
}

/// An evolution of a pruning rule.
#[derive(Debug, Clone, PartialEq)]
pub struct Evolution {
    /// Trees that rules are judged on.
    pub train: Trees,
    /// Training trees are doubled up to this number when rules fit them too well, or many programs were
    /// made.
    pub most_train: usize,
    /// Trees that choose among the rules found.
    pub validation: Trees,
    /// Trees that are looked at once, at the end.
    pub test: Trees,
    /// What is made small.
    pub objective: Objective,
    /// Rules to start from.
    pub start: Vec<Program>,
    /// Seed, budget and sizes.
    pub plan: Plan,
}

impl Evolution {
    /// Evolves; no value if the control cancels. `after` sees the state after every generation.
    ///
    /// # Errors
    /// Sources without trees, a start that is no rule or not defined, a checkpoint that does not fit, or
    /// cannot be read or written.
    pub fn run(
        &self,
        files: &Files,
        control: &Control,
        after: &mut dyn FnMut(&State),
    ) -> Result<Outcome<Option<Evolved>>, Error> {
        self.start.iter().try_for_each(|program| Columns::of(program).map(drop))?;
        match self.reported(files, control, after) {
            Ok(outcome) => Ok(outcome.map(Some)),
            Err(halt) => {
                let stats = Stats { n_searched: 0, elapsed: control.elapsed() };
                Outcome::all_or_none(Err(halt), Status::Complete, stats)
            }
        }
    }

    fn reported(
        &self,
        files: &Files,
        control: &Control,
        after: &mut dyn FnMut(&State),
    ) -> Result<Outcome<Evolved>, Halt> {
        let mut task = control.essential(|| Formulas::new(self, control))?;
        let mut search = Search { task: &mut task, start: &self.start, plan: self.plan, state: None };
        let outcome = search.run(files, control, after)?;
        let state = search.state.ok_or(outcome.status)?;
        let evolved = control.essential(|| {
            let test = self.judge(&self.test, control)?;
            let [train, validation] = task.judges();
            report(self, &state, [train, validation, &test], control)
        })?;
        Ok(outcome.map(|_| evolved))
    }

    /// What rules are worth on some trees.
    pub(super) fn judge(&self, trees: &Trees, control: &Control) -> Result<Judge, Halt> {
        Ok(Judge::new(trees.source.corpus(trees.n_trees, control)?, self.objective, &rivals()))
    }
}

/// Test errors of each rule on every tree, rule after rule; no value if the control interrupts.
///
/// # Errors
/// Sources without trees; a rule that is none, or not finite at some leaf.
pub fn tree_errors(
    trees: &Trees,
    rules: &[Program],
    control: &Control,
) -> Result<Outcome<Option<Vec<f64>>>, Error> {
    let errors = errors_of(trees, rules, control);
    let stats = Stats { n_searched: rules.len() as u64, elapsed: control.elapsed() };
    Outcome::all_or_none(errors, Status::Complete, stats)
}

fn errors_of(trees: &Trees, rules: &[Program], control: &Control) -> Result<Vec<f64>, Halt> {
    let corpus = trees.source.corpus(trees.n_trees, control)?;
    let (judge, mut bench) = (Judge::new(corpus, Objective::Errors, &[]), Buffers::default());
    let mut all = Vec::new();
    for rule in rules {
        control.checkpoint()?;
        all.extend(judge.errors(&Columns::of(rule)?, &mut bench).ok_or(Error::FormulaNotFinite)?);
    }
    Ok(all)
}
