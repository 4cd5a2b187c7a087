//! Incremental trees against trees from scratch.

use std::sync::Arc;

use crate::common::{Dice, random_table};
use treewright_core::bits::BitSet;
use treewright_core::control::Control;
use treewright_core::distinct::{
    Direction, Evaluator, Move, Probed, Retrain, SelectionRules, incremental, select,
};
use treewright_core::induce::{Criterion, GrowthParams, Problem};
use treewright_core::outcome::Status;
use treewright_core::tree::Tree;

const CRITERIA: [Criterion; 3] = [Criterion::InfoGain, Criterion::GainRatio, Criterion::Gini];

fn params(seed: u64) -> GrowthParams {
    let criterion = CRITERIA[seed as usize % 3];
    let mdl_correction = Some(criterion != Criterion::Gini && seed % 2 == 1);
    GrowthParams { criterion, mdl_correction, ..GrowthParams::default() }
}

fn rules(n: usize, seed: u64) -> SelectionRules {
    let mut dice = Dice::new(seed);
    let tolerance = [0, 0, 1 << 20][dice.roll(3)];
    let direction = if dice.chance(50) { Direction::Backward } else { Direction::Forward };
    let backward = direction == Direction::Backward;
    SelectionRules {
        direction,
        floating: tolerance == 0 && dice.chance(50),
        tolerance: if backward { tolerance } else { 0 },
        parsimonious: backward && dice.chance(30),
        min_features: dice.roll(3),
        max_features: n - dice.roll(2),
        units: (0..n).map(|f| BitSet::of(n, [f])).collect(),
        required: if dice.chance(20) { BitSet::of(n, [0]) } else { BitSet::empty(n) },
        start: match (direction, dice.chance(20)) {
            (Direction::Backward, _) => BitSet::full(n),
            (Direction::Forward, true) => BitSet::of(n, [0]),
            (Direction::Forward, false) => BitSet::empty(n),
        },
        per_feature: [0, 1 << 19, 1 << 20][dice.roll(3)],
    }
}

#[test]
fn the_white_box_selects_what_the_black_box_selects() {
    let control = Control::unlimited();
    for seed in 0..400 {
        let n = 6;
        let (data, params) = (random_table(seed, n, 40), params(seed));
        let problem = Arc::new(Problem::new(&data, (0..28).collect(), &params).unwrap());
        let search: Vec<u32> = (28..40).collect();
        let rules = rules(n, seed);
        let mut white = incremental(problem.clone(), search.clone());
        let mut black = Retrain::new(problem, &data, search);
        let run = |evaluator: &mut dyn Evaluator| select(evaluator, &rules, &control).unwrap();
        let (white, black) = (run(&mut *white), run(&mut black));
        assert!(white.stats.n_searched <= black.stats.n_searched);
        let (a, b) = (white.found().unwrap(), black.found().unwrap());
        let trace = |s: &treewright_core::distinct::Selection| {
            s.history.iter().map(|h| (h.changed.clone(), h.added, h.errors, h.n_used)).collect::<Vec<_>>()
        };
        assert_eq!(trace(&a), trace(&b), "seed {seed}: {rules:?}");
        assert_eq!((&a.selected, &a.used, a.errors), (&b.selected, &b.used, b.errors));
        assert_eq!(a.tree, b.tree);
    }
}

#[test]
fn rules_that_could_go_on_for_ever_are_refused() {
    let n = 6;
    let fine = SelectionRules { floating: false, tolerance: 0, parsimonious: false, ..rules(n, 1) };
    assert!(fine.check().is_ok());
    let forward = SelectionRules { direction: Direction::Forward, ..fine.clone() };
    let backward = SelectionRules { direction: Direction::Backward, ..fine };
    assert!(SelectionRules { tolerance: 1, ..backward.clone() }.check().is_ok());
    assert!(SelectionRules { tolerance: 1, floating: true, ..backward.clone() }.check().is_err());
    assert!(SelectionRules { tolerance: 1, ..forward.clone() }.check().is_err());
    assert!(SelectionRules { parsimonious: true, ..forward }.check().is_err());
    let units = vec![BitSet::of(n, [0, 1]), BitSet::of(n, [1])];
    let refused = SelectionRules { units, ..backward };
    assert!(refused.check().is_err());
    let data = random_table(1, n, 20);
    let problem = Arc::new(Problem::new(&data, (0..20).collect(), &params(1)).unwrap());
    let mut evaluator = incremental(problem, Vec::new());
    assert!(select(&mut *evaluator, &refused, &Control::unlimited()).is_err());
}

/// Raises the control's flag once a probe has found something better.
struct StopsOnSuccess<'a> {
    inner: Box<dyn Evaluator>,
    control: &'a Control,
}

impl Evaluator for StopsOnSuccess<'_> {
    fn start(&mut self, allowed: &BitSet, control: &Control) -> Result<(), Status> {
        self.inner.start(allowed, control)
    }

    fn value(&self) -> u64 {
        self.inner.value()
    }

    fn errors(&self) -> u64 {
        self.inner.errors()
    }

    fn n_leaves(&self) -> u64 {
        self.inner.n_leaves()
    }

    fn used(&self) -> BitSet {
        self.inner.used()
    }

    fn probe(&mut self, step: &Move, bound: u64, control: &Control) -> Result<Option<Probed>, Status> {
        let found = self.inner.probe(step, bound, control);
        if matches!(found, Ok(Some(_))) {
            self.control.stop();
        }
        found
    }

    fn accept(&mut self, step: &Move, control: &Control) -> Result<(), Status> {
        self.inner.accept(step, control)
    }

    fn tree(&self) -> Tree {
        self.inner.tree()
    }

    fn tries_untested(&self) -> bool {
        self.inner.tries_untested()
    }
}

#[test]
fn a_round_cut_short_keeps_the_best_step_found() {
    let mut n_kept = 0;
    for seed in 0..60 {
        let n = 6;
        let data = random_table(seed, n, 40);
        let problem = Arc::new(Problem::new(&data, (0..28).collect(), &params(seed)).unwrap());
        let control = Control::unlimited();
        let inner = incremental(problem, (28..40).collect::<Vec<_>>());
        let mut evaluator = StopsOnSuccess { inner, control: &control };
        let plain = SelectionRules {
            direction: Direction::Backward,
            floating: false,
            tolerance: 0,
            parsimonious: false,
            min_features: 0,
            max_features: n,
            units: (0..n).map(|f| BitSet::of(n, [f])).collect(),
            required: BitSet::empty(n),
            start: BitSet::full(n),
            per_feature: 0,
        };
        let found = select(&mut evaluator, &plain, &control).unwrap();
        let status = found.status;
        let found = found.found().unwrap();
        if status == Status::Stopped {
            n_kept += 1;
            assert_eq!(found.history.len(), 2);
            assert!(found.errors < found.history[0].errors);
            assert_eq!(found.selected.len(), n - 1);
        }
    }
    assert!(n_kept > 10, "{n_kept} searches were stopped");
}
