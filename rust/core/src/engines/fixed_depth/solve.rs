//! From a model to the best tree, with the solver that was asked for.

use std::sync::Arc;

use super::bounded::Bounded;
use super::naive_bayes::NaiveBayes;
use super::plain::{Lists, Plain};
use super::plan::Plan;
use super::space::{Reach, Solver, Space};
use crate::base::control::Control;
use crate::base::error::{Error, Result};
use crate::base::outcome::{Outcome, Status};
use crate::model::data::Schema;
use crate::model::tree::{Decision, Routing, Tree};

/// How the best tree is found; all ways find one of the same value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// By trying every tree.
    Exhaustive,
    /// Of two classes only.
    FeatureList,
    /// By sets of features, each solved once.
    Sets,
    /// By branch and bound.
    Bounded,
}

/// What is asked for.
#[derive(Debug, Clone)]
pub struct Task {
    /// How far a path may go.
    pub reach: Reach,
    /// How the tree is found.
    pub method: Method,
    /// Whether tests that decide nothing are left out.
    pub trims: bool,
    /// What the tree does with a value it does not know.
    pub routing: Routing,
    /// How a leaf answers: with the most probable class, or at the least expected cost.
    pub decision: Decision,
}

/// The best tree found.
#[derive(Debug, Clone)]
pub struct Found {
    /// The tree.
    pub tree: Tree,
    /// The share right that the model expects of it.
    pub expected_accuracy: f64,
    /// What the model expects an answer of it to cost: the share wrong, unless wrong answers have costs.
    pub expected_cost: f64,
}

/// A best tree so far: the bound is of its expected cost, and searched are paths.
type Solved = Outcome<Found, f64>;

/// Classes an engine can tell apart.
const MOST_CLASSES: usize = 256;

/// The best tree within reach; none where the work is cancelled before the first. The bound is of the
/// expected cost, and searched are paths.
///
/// # Errors
/// [`Method::FeatureList`] with other than two classes; more classes than can be told apart.
pub fn solve(
    model: &NaiveBayes,
    schema: &Arc<Schema>,
    task: &Task,
    control: &Control,
) -> Result<Outcome<Option<Found>, f64>> {
    let n_classes = model.n_classes();
    if task.method == Method::FeatureList && n_classes != 2 {
        return Err(Error::NotTwoClasses { n_classes });
    }
    let solved = match n_classes {
        0..=2 => deepen::<2>(model, schema, task, control),
        3..=4 => deepen::<4>(model, schema, task, control),
        5..=8 => deepen::<8>(model, schema, task, control),
        9..=16 => deepen::<16>(model, schema, task, control),
        17..=32 => deepen::<32>(model, schema, task, control),
        33..=MOST_CLASSES => deepen::<MOST_CLASSES>(model, schema, task, control),
        _ => return Err(Error::TooManyClasses { n_classes }),
    };
    Ok(Outcome::of(solved, control.stats(0)))
}

/// Depths from which on a search may take long enough to be stopped.
const LONG: usize = 4;

/// Solves for the depth asked for; where the search may be ended early, for the smaller depths first, so
/// that there is something to return.
fn deepen<const K: usize>(
    model: &NaiveBayes,
    schema: &Arc<Schema>,
    task: &Task,
    control: &Control,
) -> std::result::Result<Solved, Status> {
    let depth = task.reach.depth.min(model.n_features());
    let first = if control.has_deadline() || depth >= LONG { depth.min(1) } else { depth };
    let costs = task.decision.costs();
    let space_of =
        |depth: usize| Space::<K>::new(model, &Reach { depth, ..task.reach.clone() }, costs.as_ref());
    let mut best: Option<Solved> = None;
    for depth in first..=depth {
        let space = space_of(depth);
        match solve_in(model, &space, schema, task, control) {
            Ok(found) => best = Some(found),
            Err((interrupt, bound)) => {
                let fallback = || -> std::result::Result<Solved, Status> {
                    let space = space_of(depth.min(1));
                    control
                        .essential(|| solve_in(model, &space, schema, task, control))
                        .map_err(|(interrupt, _)| interrupt)
                };
                let found = match best {
                    Some(found) => found,
                    None => fallback()?,
                };
                let bound = Some(bound.min(found.value.expected_cost));
                return Ok(Outcome { status: interrupt, bound, ..found });
            }
        }
        control.report((depth + 1 - first) as u64, (task.reach.depth + 1 - first) as u64);
    }
    Ok(best.expect("one depth at least was solved"))
}

/// An interrupt, and the bound that was proven before it.
type Unfinished = (Status, f64);

fn solve_in<const K: usize>(
    model: &NaiveBayes,
    space: &Space<K>,
    schema: &Arc<Schema>,
    task: &Task,
    control: &Control,
) -> std::result::Result<Solved, Unfinished> {
    let unbounded = |interrupt| (interrupt, space.worth.cost(space.worth.at_most(&space.root), &space.root));
    let timed = |(found, n_searched): (Found, u64)| Outcome {
        bound: Some(found.expected_cost),
        value: found,
        status: Status::Optimal,
        stats: control.stats(n_searched),
    };
    let grown = match task.method {
        Method::Exhaustive | Method::FeatureList | Method::Sets => {
            let has_lists = task.method == Method::FeatureList && space.worth.has_lists();
            let lists = has_lists.then(|| Lists::new(model, space, space.depth));
            let mut solver = Plain::new(space, lists, task.method == Method::Sets, control);
            grow(&mut solver, schema, task).map_err(unbounded)
        }
        Method::Bounded => {
            let mut solver = Bounded::new(model, space, control).map_err(unbounded)?;
            let grown = grow(&mut solver, schema, task);
            grown.map_err(|interrupt| (interrupt, space.worth.cost(solver.root_bound(), &space.root)))
        }
    };
    grown.map(timed)
}

fn grow<const K: usize>(
    solver: &mut dyn Solver<K>,
    schema: &Arc<Schema>,
    task: &Task,
) -> std::result::Result<(Found, u64), Status> {
    let plan = Plan::best(solver, task.trims)?;
    let (expected_accuracy, space) = (plan.expected_accuracy(), solver.space());
    let expected_cost = space.worth.cost(plan.worth(space), &space.root);
    let tree = plan.to_tree(schema, task.routing).with_decision(task.decision.clone());
    let found = Found { tree, expected_accuracy, expected_cost };
    Ok((found, solver.n_searched()))
}
