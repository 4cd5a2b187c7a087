//! Wrapper selection by single steps: backward elimination, forward selection, and floating forms.
//!
//! ```text
//! repeat
//!   of all features that may go (come), find the one whose tree has the fewest validation errors
//!   if that is few enough: it goes (comes), else stop
//! ```
//! *Few enough* is fewer than now, unless a tolerance or parsimony says otherwise. Equal errors go
//! to the lowest index. Where leaves or features have a price, it is errors, leaves and tested features together,
//! as they are priced. A feature that the tree does not test would change nothing by going (Remark 4.3), so the
//! white box never tries it and finds the same answer.
//!
//! # Source
//! distinct-trees, section 5 (SBE, PSBE).

use crate::base::bits::BitSet;
use crate::base::control::Control;
use crate::base::error::{Error, Given};
use crate::base::outcome::{Outcome, Status};
use crate::model::tree::Tree;

/// Whether features go or come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From all features down.
    Backward,
    /// From none up.
    Forward,
}

/// What a selection may do.
#[derive(Debug, Clone)]
pub struct SelectionRules {
    /// Whether features go or come.
    pub direction: Direction,
    /// After every step, take steps in the other direction while each lowers the errors.
    pub floating: bool,
    /// Value allowed above the least seen; backward only.
    pub tolerance: u64,
    /// Untested features leave first, and a tested one while the errors do not rise.
    pub parsimonious: bool,
    /// Fewest features to stop with.
    pub min_features: usize,
    /// Most features to stop with.
    pub max_features: usize,
    /// Features that go and come together; disjoint, in the order of their lowest member.
    pub units: Vec<BitSet>,
    /// Features that stay.
    pub required: BitSet,
    /// Where the search starts.
    pub start: BitSet,
    /// What a feature counts that the tree tests.
    pub per_feature: u64,
}

impl SelectionRules {
    /// Checks that the rules fit each other, so that every search ends.
    ///
    /// # Errors
    /// A tolerance or parsimony that could undo what steps in the other direction do; units that
    /// overlap.
    pub fn check(&self) -> Result<(), Error> {
        let fault = |name, found: Given, allowed| Err(Error::Parameter { name, found, allowed });
        let forward = self.direction == Direction::Forward;
        if self.tolerance > 0 && (forward || self.floating) {
            return fault("tolerance", "above 0".to_owned().into(), "0 unless features only go");
        }
        if self.parsimonious && forward {
            return fault("parsimonious", Given::Flag(true), "false unless features go");
        }
        let mut seen = self.start.same_size();
        for unit in &self.units {
            if unit.intersects(&seen) {
                return fault("units", "overlapping".to_owned().into(), "groups without a common feature");
            }
            seen.union_with(unit);
        }
        Ok(())
    }
}

/// One accepted step; the first entry of a history is the start, with nothing changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Features that went or came.
    pub changed: Vec<usize>,
    /// Whether they came.
    pub added: bool,
    /// In units of 2^-20.
    pub errors: u64,
    /// Leaves of the tree, or of the trees of all folds.
    pub n_leaves: u64,
    /// Features that the tree tests, or that of some fold.
    pub n_used: usize,
    /// Features selected after the step.
    pub n_selected: usize,
    /// Trees built up to here.
    pub n_built: u64,
    /// Seconds since the search began.
    pub seconds: f64,
}

/// The features selected, and their tree.
#[derive(Debug, Clone)]
pub struct Selection {
    /// Features selected.
    pub selected: BitSet,
    /// Those that the tree tests.
    pub used: BitSet,
    /// In units of 2^-20.
    pub errors: u64,
    /// What errors, leaves and the features used count together.
    pub value: u64,
    /// The tree of the features selected.
    pub tree: Tree,
    /// That of every fold.
    pub trees: Vec<Tree>,
    /// Every accepted step.
    pub history: Vec<Step>,
}

/// From the tree at hand to the one of `allowed`.
pub struct Move {
    /// Features of the tree wanted.
    pub allowed: BitSet,
    /// Features that the tree at hand had besides.
    pub dropped: BitSet,
    /// Whether some feature is new.
    pub adds: bool,
}

/// A tree in prospect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probed {
    /// What its errors and leaves count together.
    pub value: u64,
    /// Features that it tests.
    pub used: BitSet,
}

/// Builds and judges the trees of a selection.
pub trait Evaluator {
    /// Makes the tree of `allowed` the one at hand.
    fn start(&mut self, allowed: &BitSet, control: &Control) -> Result<(), Status>;
    /// What the tree at hand is compared by: its errors and leaves, as they are priced.
    fn value(&self) -> u64;
    /// Validation errors of the tree at hand, in units of 2^-20.
    fn errors(&self) -> u64;
    /// Leaves of the tree at hand.
    fn n_leaves(&self) -> u64;
    /// Features that the tree at hand tests.
    fn used(&self) -> BitSet;
    /// The tree after a step; none where its value is not below `bound`.
    fn probe(&mut self, step: &Move, bound: u64, control: &Control) -> Result<Option<Probed>, Status>;
    /// What the value of the tree after a step is not below, as far as that is known without making it.
    fn least(&mut self, _step: &Move) -> u64 {
        0
    }
    /// Features that the tree tests after a step for certain, as far as that is known without making it.
    fn kept(&self, step: &Move) -> BitSet {
        step.allowed.same_size()
    }
    /// Takes the step.
    fn accept(&mut self, step: &Move, control: &Control) -> Result<(), Status>;
    /// The tree at hand.
    fn tree(&self) -> Tree;
    /// The tree at hand of every fold.
    fn trees(&self) -> Vec<Tree> {
        vec![self.tree()]
    }
    /// Whether features that the tree does not test are tried like any other.
    fn tries_untested(&self) -> bool;
}

/// Runs a selection to its end or to its limit; at a limit the best step of the round begun is taken.
/// No value where the work is cancelled before the first tree; searched are trees built.
///
/// # Errors
/// Rules that do not fit each other.
pub fn select(
    evaluator: &mut dyn Evaluator,
    rules: &SelectionRules,
    control: &Control,
) -> Result<Outcome<Option<Selection>>, Error> {
    rules.check()?;
    Ok(Outcome::of(selected(evaluator, rules, control), control.stats(0)))
}

/// The outcome of [`select`] for rules that were checked.
///
/// # Errors
/// Only when cancelled before the first tree.
pub(super) fn selected(
    evaluator: &mut dyn Evaluator,
    rules: &SelectionRules,
    control: &Control,
) -> Result<Outcome<Selection>, Status> {
    control.first(|| evaluator.start(&rules.start, control))?;
    let mut search = Search {
        least: u64::MAX,
        selected: rules.start.clone(),
        n_built: 1,
        history: Vec::new(),
        evaluator,
        rules,
        control,
    };
    search.note(Vec::new(), false);
    let status = search.run().map_or_else(Status::from, |()| Status::Complete);
    let stats = control.stats(search.n_built);
    let value = Selection {
        used: search.evaluator.used(),
        errors: search.evaluator.errors(),
        value: search.value(),
        tree: search.evaluator.tree(),
        trees: search.evaluator.trees(),
        selected: search.selected,
        history: search.history,
    };
    Ok(Outcome { value, status, bound: None, stats })
}

struct Search<'a> {
    evaluator: &'a mut dyn Evaluator,
    rules: &'a SelectionRules,
    control: &'a Control,
    selected: BitSet,
    /// The least value of any accepted tree.
    least: u64,
    n_built: u64,
    history: Vec<Step>,
}

impl Search<'_> {
    fn run(&mut self) -> Result<(), Status> {
        loop {
            if self.rules.parsimonious && self.drop_untested()? {
                continue;
            }
            let bound = self.bound();
            let Some(unit) = self.round(self.rules.direction, bound, None)? else {
                return Ok(());
            };
            if self.rules.floating {
                self.float_back(unit)?;
            }
        }
    }

    /// Steps in the other direction while each lowers the value; the unit just moved stays.
    fn float_back(&mut self, moved: usize) -> Result<(), Status> {
        let back = match self.rules.direction {
            Direction::Backward => Direction::Forward,
            Direction::Forward => Direction::Backward,
        };
        while self.round(back, self.value(), Some(moved))?.is_some() {}
        Ok(())
    }

    /// What the tree at hand is compared by.
    fn value(&self) -> u64 {
        let price = self.price_of(|| self.evaluator.used());
        self.evaluator.value().saturating_add(price)
    }

    /// What features count.
    fn price_of(&self, features: impl FnOnce() -> BitSet) -> u64 {
        match self.rules.per_feature {
            0 => 0,
            each => each.saturating_mul(features().len() as u64),
        }
    }

    /// The value that a step must stay below.
    fn bound(&self) -> u64 {
        match self.rules.tolerance > 0 || self.rules.parsimonious {
            true => self.least.saturating_add(self.rules.tolerance).saturating_add(1),
            false => self.value(),
        }
    }

    /// Tries every unit that may move and takes the best step below `bound`, if there is one. Cut
    /// short, it takes the best step found so far.
    fn round(
        &mut self,
        direction: Direction,
        bound: u64,
        barred: Option<usize>,
    ) -> Result<Option<usize>, Status> {
        let mut best: Option<(usize, u64)> = None;
        let mut ended = None;
        for unit in self.candidates(direction, barred) {
            if let Err(status) = self.control.checkpoint() {
                ended = Some(status);
                break;
            }
            self.n_built += 1;
            self.control.report(self.n_built, 0);
            let step = self.step(direction, unit);
            let limit = best.map_or(bound, |(_, value)| value);
            match self.probe(&step, limit) {
                Ok(Some(value)) => best = Some((unit, value)),
                Ok(None) => {}
                Err(status) => {
                    ended = Some(status);
                    break;
                }
            }
        }
        if let Some((unit, _)) = best {
            let step = self.step(direction, unit);
            let control = self.control;
            control.essential(|| self.evaluator.accept(&step, control))?;
            self.selected = step.allowed;
            self.note(self.rules.units[unit].iter().collect(), direction == Direction::Forward);
        }
        match ended {
            Some(status) => Err(status),
            None => Ok(best.map(|(unit, _)| unit)),
        }
    }

    /// What the tree after a step is compared by; none where that is not below `limit`.
    fn probe(&mut self, step: &Move, limit: u64) -> Result<Option<u64>, Status> {
        let Some(bound) = limit.checked_sub(self.price_of(|| self.evaluator.kept(step))) else {
            return Ok(None);
        };
        let Some(tree) = self.evaluator.probe(step, bound, self.control)? else { return Ok(None) };
        let value = tree.value.saturating_add(self.price_of(|| tree.used));
        Ok(Some(value).filter(|&value| value < limit))
    }

    /// Units that may move, in the order of their lowest feature.
    fn candidates(&self, direction: Direction, barred: Option<usize>) -> Vec<usize> {
        let used = self.evaluator.used();
        let black_box =
            self.evaluator.tries_untested() && self.rules.tolerance == 0 && !self.rules.parsimonious;
        let n_selected = self.selected.len();
        let may_move = |unit: &BitSet| match direction {
            Direction::Backward => {
                let may_go = unit.intersects(&self.selected) && !unit.intersects(&self.rules.required);
                let mut going = unit.clone();
                going.intersect_with(&self.selected);
                may_go
                    && n_selected - going.len() >= self.rules.min_features
                    && (black_box || unit.intersects(&used))
            }
            Direction::Forward => {
                let mut coming = unit.clone();
                coming.subtract(&self.selected);
                !coming.is_empty() && n_selected + coming.len() <= self.rules.max_features
            }
        };
        let units = self.rules.units.iter().enumerate();
        units.filter(|&(i, unit)| Some(i) != barred && may_move(unit)).map(|(i, _)| i).collect()
    }

    fn step(&self, direction: Direction, unit: usize) -> Move {
        let unit = &self.rules.units[unit];
        let mut allowed = self.selected.clone();
        match direction {
            Direction::Backward => allowed.subtract(unit),
            Direction::Forward => allowed.union_with(unit),
        }
        let adds = direction == Direction::Forward;
        let dropped = if adds { unit.same_size() } else { unit.clone() };
        Move { allowed, dropped, adds }
    }

    /// Lets untested units go together, the highest first where some must stay; false if none can.
    fn drop_untested(&mut self) -> Result<bool, Status> {
        let used = self.evaluator.used();
        let mut dropped = used.same_size();
        let mut n_left = self.selected.len();
        for unit in self.rules.units.iter().rev() {
            let mut going = unit.clone();
            going.intersect_with(&self.selected);
            let n_going = going.len();
            let may_go = !unit.intersects(&used) && !unit.intersects(&self.rules.required);
            if may_go && n_going > 0 && n_left - n_going >= self.rules.min_features {
                n_left -= n_going;
                dropped.union_with(&going);
            }
        }
        if dropped.is_empty() {
            return Ok(false);
        }
        let mut allowed = self.selected.clone();
        allowed.subtract(&dropped);
        let step = Move { allowed, dropped, adds: false };
        self.evaluator.accept(&step, self.control)?;
        self.selected = step.allowed;
        self.note(step.dropped.iter().collect(), false);
        Ok(true)
    }

    fn note(&mut self, changed: Vec<usize>, added: bool) {
        let (errors, n_leaves) = (self.evaluator.errors(), self.evaluator.n_leaves());
        let n_used = self.evaluator.used().len();
        self.least = self.least.min(self.value());
        self.control.report_best(crate::base::units::Fine(self.least).weight());
        let (n_selected, n_built) = (self.selected.len(), self.n_built);
        let seconds = self.control.elapsed();
        self.history.push(Step { changed, added, errors, n_leaves, n_used, n_selected, n_built, seconds });
    }
}
