//! Populations that begin apart.

use crate::base::control::Control;
use crate::common::evolving::{evolution, found};
use crate::engines::evolve::{Files, Member, Objective, State};

/// Trees of the evolutions of `evolving`, and what a population makes of programs before the next begins.
const N_TREES: usize = 40;
const SHARE: u64 = 12 * N_TREES as u64;

/// Most programs of a generation: 8 slices of 32 children, and 64 for each of 8 rules that are tuned.
const MOST_AT_ONCE: u64 = 8 * 32 + 8 * 64;

/// Where a run stood after every generation, its start first.
fn states(seed: u64, budget: u64) -> Vec<State> {
    let mut states = Vec::new();
    let evolution = evolution(seed, budget, Objective::Errors);
    let run =
        evolution.run(&Files::default(), &Control::unlimited(), &mut |state| states.push(state.clone()));
    run.unwrap();
    states
}

fn least(members: &[Member]) -> f64 {
    members.iter().map(|member| member.scored.loss).fold(f64::INFINITY, f64::min)
}

#[test]
fn populations_begin_apart_and_are_joined() {
    let states = states(4, 4 * SHARE + 600);
    assert_eq!(states[0].population.members().len(), 1, "only the start");
    // The last state of every population, when it had its share.
    let lasts: Vec<&State> =
        (0..4).map(|n| states.iter().rfind(|state| state.beginnings.n_done == n).unwrap()).collect();
    for (n_done, last) in (0..).zip(&lasts) {
        assert!(!last.beginnings.are_over() && last.is_beginning_due());
        let due = SHARE * (n_done + 1);
        assert!((due..due + MOST_AT_ONCE).contains(&last.n_programs), "{}", last.n_programs);
        assert!(last.population.members().iter().any(|member| member.born > 0));
        let others = lasts[..n_done as usize].iter().map(|other| other.population.members().len());
        assert_eq!(last.beginnings.aside.len(), others.sum::<usize>());
        let next = states.iter().find(|state| state.beginnings.n_done == n_done + 1).unwrap();
        let old = |member: &&Member| member.born < last.n_programs;
        let n_old = next.population.members().iter().filter(old).count();
        assert!(n_old == 0 || n_done == 3, "a population knows nothing of those before it");
    }
    let joined = states.iter().find(|state| state.beginnings.are_over()).unwrap();
    assert!(joined.beginnings.aside.is_empty() && !joined.is_beginning_due());
    let bests: Vec<f64> = lasts.iter().map(|last| least(last.population.members())).collect();
    assert!(bests.windows(2).any(|two| two[0] != two[1]), "they came to different rules");
    let best = bests.iter().copied().fold(f64::INFINITY, f64::min);
    assert!(least(joined.population.members()) <= best, "the best of all goes on");
    assert_eq!(lasts[3].best().scored.loss, best);
    assert!(best < bests.iter().copied().fold(0.0, f64::max));
}

#[test]
fn training_trees_become_no_more_before_the_join() {
    for (budget, n_trees) in [(4 * SHARE - 300, N_TREES), (12_000, 4 * N_TREES)] {
        let ended = found(&evolution(2, budget, Objective::Errors), &Files::default(), 2);
        assert_eq!(ended.extents[0].n_test.len(), n_trees, "{budget} programs");
    }
}
