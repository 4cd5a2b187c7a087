//! Ends of a run for want of anything better, and what is shown meanwhile.

use crate::common::evolving::{evolution, folder, found, stored};
use treewright_core::control::Control;
use treewright_core::evolve::{Evolution, Files, Objective, Plan};
use treewright_core::outcome::Status;

fn patient(patience: Option<u64>, budget: u64) -> Evolution {
    let few = evolution(5, budget, Objective::Errors);
    Evolution { plan: Plan { patience, ..few.plan }, ..few }
}

/// Less than between two looks at validation: the first that shows nothing better ends a run.
const PATIENCE: Option<u64> = Some(3_000);

/// More than a run of that patience makes.
const MANY: u64 = 40_000;

#[test]
fn a_run_ends_when_validation_gets_no_better() {
    let ended = found(&patient(PATIENCE, MANY), &Files::default(), 2);
    assert_eq!(ended.status, Status::Stalled);
    assert!(ended.n_programs >= 3_000 && ended.n_programs < MANY, "{}", ended.n_programs);
    let same = found(&patient(None, ended.n_programs), &Files::default(), 1);
    assert_eq!(same.status, Status::Complete);
    assert_eq!(same.front, ended.front, "it does not change what is found on the way");
    for n_threads in [1, 4] {
        assert_eq!(found(&patient(PATIENCE, MANY), &Files::default(), n_threads), ended);
    }
}

#[test]
fn patience_counts_on_through_a_checkpoint() {
    let folder = folder("patience");
    let path = folder.join("run.json");
    let ended = found(&patient(PATIENCE, MANY), &Files::default(), 1);
    let resumed = || stored(&path, true);
    // Patience is no part of what decides what is found: it may be given, or changed, when going on.
    found(&patient(None, 3_000), &stored(&path, false), 1);
    found(&patient(Some(20_000), 6_000), &resumed(), 2);
    assert_eq!(found(&patient(PATIENCE, MANY), &resumed(), 1), ended);
    assert_eq!(found(&patient(PATIENCE, MANY), &resumed(), 1), ended, "it does not go on");
    let budget = ended.n_programs + 2_000;
    let further = found(&patient(None, budget), &resumed(), 1);
    assert_eq!(further, found(&patient(None, budget), &Files::default(), 1));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_front_is_shown_while_a_run_goes_on() {
    let control = Control::unlimited();
    evolution(1, 6_000, Objective::Errors).run(&Files::default(), &control, &mut |_| {}).unwrap();
    let text = control.progress().text.expect("at least the start was shown");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].contains("training") && lines[0].contains("validation") && lines.len() > 1, "{text}");
    let mut last = f64::INFINITY;
    for line in &lines[1..] {
        let numbers: Vec<f64> = line.split_whitespace().take(3).map(|word| word.parse().unwrap()).collect();
        assert!(numbers[0] > 0.0 && numbers[1] >= 0.0 && numbers[2] < last, "{text}");
        last = numbers[2];
    }
}
