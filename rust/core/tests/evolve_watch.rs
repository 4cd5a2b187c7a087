//! Ends of a run for want of anything better, poles between the leaves that are seen, and what is shown
//! meanwhile.

#[path = "common/evolving.rs"]
mod evolving;

use evolving::{corpus, evolution, folder, found, rule, stored};
use treewright_core::control::Control;
use treewright_core::evolve::*;
use treewright_core::outcome::Status;
use treewright_core::program::Program;

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
fn a_watch_counts_from_the_last_improvement() {
    let mut watch = Watch::none(0, 10);
    assert!(!watch.is_stalled(1));
    watch.look(16, 110, [3.0, 2.0].into_iter());
    assert!(!watch.is_stalled(1), "the first score is an improvement");
    watch.look(32, 210, [2.0].into_iter());
    assert!(watch.is_stalled(100) && !watch.is_stalled(101), "an equal one is none");
    watch.look(48, 310, [f64::INFINITY].into_iter());
    watch.look(64, 410, [1.5].into_iter());
    assert_eq!((watch.best, watch.improved), (1.5, 410));
}

#[test]
fn poles_between_seen_leaves_are_found_on_the_whole_grid() {
    let mut scratch = Scratch::default();
    let mut finite = |formula: &str, largest| {
        let columns = Columns::of(&rule(formula)).unwrap();
        let spread = is_finite_up_to(&columns, largest, &mut scratch);
        (spread, is_finite_on_all(&columns, largest, &mut scratch, &Control::unlimited()).unwrap())
    };
    let pole = "1.0 / (abs(n - 1003.0) + abs(c - 331.0))";
    assert_eq!(finite(pole, 1002.0), (true, true));
    assert_eq!(finite(pole, 1003.0), (true, false), "pairs spread over the grid miss it");
    assert_eq!(finite("1.0 / (n - 37.0)", 700.0), (false, false));
    assert_eq!(finite("sqrt(n - c) / n", 1500.0), (true, true));
    assert_eq!(finite("1.0 / (n - c)", 5000.0), (false, false));
    let control = Control::unlimited();
    control.cancel();
    let columns = Columns::of(&rule("c / n")).unwrap();
    assert!(is_finite_on_all(&columns, 200.0, &mut scratch, &control).is_err());
}

/// A rule as a checkpoint holds it.
fn member(judge: &Judge, rule: &Program) -> String {
    let scored = judge.scored(&Columns::of(rule).unwrap(), &mut Buffers::default()).unwrap();
    let Scored { loss, screen, cost, behaviour, .. } = scored;
    let (text, binders) = (rule.to_string().replace('\n', "\\n"), rule.binders());
    format!(
        r#"{{"program":{{"text":"{text}","binders":{binders:?}}},"loss":{loss:?},"screen":{screen:?},"n_wrong":0,"cost":{cost},"behaviour":{behaviour},"born":0,"n_children":0,"is_tuned":true,"neutral":[]}}"#
    )
}

#[test]
fn rules_with_a_pole_are_not_shown() {
    let folder = folder("pole");
    let path = folder.join("run.json");
    let start = evolution(1, 1, Objective::Errors);
    let expected = found(&start, &stored(&path, false), 1);
    let before = std::fs::read_to_string(&path).unwrap();
    let judge = Judge::new(corpus(10, 40), Objective::Errors, &rivals());
    let with = |formula: &str| {
        let member = member(&judge, &rule(formula));
        let text = before.replace(r#""archive":["#, &format!(r#""archive":[{member},"#));
        std::fs::write(&path, text).unwrap();
        found(&start, &stored(&path, true), 1).evolved.front
    };
    assert_eq!(with("1.0 / (abs(n - 131.0) + abs(c - 3.0))"), expected.front, "no leaf is (3, 131)");
    assert_eq!(with("1.0 / (abs(n - 131.5) + abs(c - 3.0))").len(), 2, "and none can be (3, 131.5)");
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
