//! Populations that begin apart.

#[path = "common/evolving.rs"]
mod evolving;

use evolving::{corpus, evolution, found};
use treewright_core::control::Control;
use treewright_core::evolve::*;
use treewright_core::program::Program;

/// Trees of the evolutions of `evolving`, and what a population makes of programs before the next begins.
const N_TREES: usize = 40;
const SHARE: u64 = 12 * N_TREES as u64;

/// Generations until the present population had its share.
fn grow(state: &mut State, plan: &Plan, judge: &Judge) {
    while !state.is_beginning_due() {
        state.step(plan, judge, &Control::unlimited()).unwrap();
    }
}

fn losses(members: &[Member]) -> f64 {
    members.iter().map(|member| member.scored.whole).fold(f64::INFINITY, f64::min)
}

#[test]
fn populations_begin_apart_and_are_joined() {
    let judge = Judge::new(corpus(10, N_TREES), Objective::Errors, &rivals());
    let start = [Program::parse(NAIVE).unwrap()];
    let plan = Plan { seed: 4, budget: 1, patience: None, most_bits: 240.0 };
    let mut state = State::start(&start, &judge).unwrap();
    let mut bests = Vec::new();
    for n_done in 0..4 {
        assert_eq!(state.beginnings.n_done, n_done);
        assert!(!state.beginnings.are_over());
        assert_eq!(state.population.members().len(), 1, "only the start");
        grow(&mut state, &plan, &judge);
        assert!(state.n_programs >= SHARE * (n_done + 1));
        bests.push(losses(state.population.members()));
        assert!(state.population.members().iter().any(|member| member.born > 0));
        let before = state.beginnings.aside.len();
        let n_members = state.population.members().len();
        state.begin(&start, &judge).unwrap();
        let expected = if n_done < 3 { before + n_members } else { 0 };
        assert_eq!(state.beginnings.aside.len(), expected);
    }
    assert!(state.beginnings.are_over() && !state.is_beginning_due());
    assert!(bests.windows(2).any(|two| two[0] != two[1]), "they came to different rules");
    let best = bests.iter().copied().fold(f64::INFINITY, f64::min);
    assert_eq!(losses(state.population.members()), best, "the best of all goes on");
    assert_eq!(state.best().scored.whole, best);
    let worst = bests.iter().copied().fold(0.0, f64::max);
    let mut next = state.clone();
    next.step(&plan, &judge, &Control::unlimited()).unwrap();
    assert!(losses(next.population.members()) <= best && best < worst);
}

#[test]
fn training_trees_become_no_more_before_the_join() {
    for (budget, n_trees) in [(4 * SHARE - 300, N_TREES), (12_000, 4 * N_TREES)] {
        let ended = found(&evolution(2, budget, Objective::Errors), &Files::default(), 2);
        assert_eq!(ended.extents[0].n_test.len(), n_trees, "{budget} programs");
    }
}
