//! What a run shows at its end.

use super::baseline::{rivals, two_constants};
use super::columns::Columns;
use super::evolution::Evolution;
use super::judge::{Buffers, Judge, is_finite_on_all};
use super::simpler::simpler;
use super::validation::{Estimate, estimate};
use crate::base::control::Control;
use crate::base::error::Error;
use crate::base::outcome::{Halt, Status};
use crate::engines::evolve::population::Member;
use crate::engines::evolve::state::{State, Tally};
use crate::model::program::{Program, Vocabulary};

/// A rule and what it reached.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// The rule itself.
    pub program: Program,
    /// Its size.
    pub bits: f64,
    /// Run time on a pair, in additions.
    pub cost: u64,
    /// Its score in training.
    pub train: Estimate,
    /// Its score in validation.
    pub validation: Estimate,
}

/// Errors of one rule on every tree of the three corpora.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// What the rule is called.
    pub name: String,
    /// Of every training tree.
    pub train: Vec<f64>,
    /// Of every validation tree.
    pub validation: Vec<f64>,
    /// Of every test tree.
    pub test: Vec<f64>,
}

/// Size of a corpus, and what makes it small.
#[derive(Debug, Clone, PartialEq)]
pub struct Extent {
    /// Test rows of every tree.
    pub n_test: Vec<f64>,
    /// Nodes of all trees.
    pub n_nodes: usize,
    /// Distinct pairs (c, n).
    pub n_pairs: usize,
    /// Distinct subtrees.
    pub n_subtrees: usize,
}

/// What an evolution found.
#[derive(Debug, Clone, PartialEq)]
pub struct Evolved {
    /// Rules that no other one beats in training, size and run time at once, from small to large.
    pub front: Vec<Rule>,
    /// The one of them that is best in validation.
    pub best: usize,
    /// The rivals, the best rule of two constants, the rule that was started from, the best one.
    pub rows: Vec<Row>,
    /// The constants of the rule of two.
    pub constants: [f64; 2],
    /// Training, validation, test.
    pub extents: [Extent; 3],
    /// Rules by what became of them.
    pub tally: Tally,
    /// Generations that came to their end.
    pub n_generations: u64,
}

/// What a run found, judged on training, validation and test trees.
///
/// # Errors
/// No rule that is finite in validation; the control's status.
pub fn report(
    evolution: &Evolution,
    state: &State,
    judges: [&Judge; 3],
    control: &Control,
) -> Result<Evolved, Halt> {
    let seed = evolution.plan.seed;
    // Where nothing was searched, the start is shown as it was given.
    let is_shortened = state.generation > 0;
    let members = state.archive.members();
    let front = front(members, is_shortened, judges, seed, control)?;
    let best = best_in_validation(&front).ok_or(Error::FormulaNotFinite)?;
    let (constants, two) = two_constants(judges[0], control);
    let mut rows: Vec<Row> =
        (0..).zip(rivals()).map(|(k, rival)| rival_row(k, rival.name, &judges)).collect();
    let named = [("two constants", &two), ("start", &evolution.start[0]), ("evolved", &front[best].program)];
    rows.extend(named.into_iter().filter_map(|(name, program)| row(name, program, &judges)));
    let (extents, tally) = (judges.map(extent), state.tally);
    Ok(Evolved { best, front, rows, constants, extents, tally, n_generations: state.generation })
}

/// The rules in few words; those that another one then matches are left out, and those with a pole between
/// the leaves of training and validation.
fn front(
    members: &[Member],
    is_shortened: bool,
    judges: [&Judge; 3],
    seed: u64,
    control: &Control,
) -> Result<Vec<Rule>, Status> {
    let largest = judges[0].corpus().largest().max(judges[1].corpus().largest());
    let rule = |bench: &mut Buffers, member: &Member| {
        control.checkpoint()?;
        let program = match is_shortened {
            true => simpler(&member.program, member.scored, judges[0], bench),
            false => member.program.clone(),
        };
        Ok(match is_finite(&program, largest, bench, control)? {
            true => rule(&program, judges, seed, bench),
            false => None,
        })
    };
    let rules = control.map(members, Buffers::default, rule).into_iter().collect::<Result<Vec<_>, Status>>();
    let mut rules: Vec<Rule> = rules?.into_iter().flatten().collect();
    rules.sort_by(|a, b| {
        let by_size = a.bits.total_cmp(&b.bits).then(a.cost.cmp(&b.cost));
        by_size.then(a.train.value.total_cmp(&b.train.value))
    });
    let mut front: Vec<Rule> = Vec::new();
    for rule in rules {
        let matches = |old: &Rule| old.cost <= rule.cost && old.train.value <= rule.train.value;
        if !front.iter().any(matches) {
            front.push(rule);
        }
    }
    Ok(front)
}

fn is_finite(
    program: &Program,
    largest: f64,
    bench: &mut Buffers,
    control: &Control,
) -> Result<bool, Status> {
    let columns = Columns::compile(program);
    columns.map_or(Ok(false), |columns| is_finite_on_all(&columns, largest, &mut bench.scratch, control))
}

/// `None` where a rule is not finite in validation.
fn rule(program: &Program, judges: [&Judge; 3], seed: u64, bench: &mut Buffers) -> Option<Rule> {
    let columns = Columns::compile(program)?;
    let mut of = |judge: &Judge| {
        let losses = judge.losses_of(&judge.errors(&columns, bench)?);
        Some(estimate(judge, &losses, seed))
    };
    let (train, validation) = (of(judges[0])?, of(judges[1])?);
    let bits = program.bits(&Vocabulary::scalar());
    Some(Rule { program: program.clone(), bits, cost: columns.cost(), train, validation })
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
    let mut bench = Buffers::default();
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
