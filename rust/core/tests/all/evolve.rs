//! Evolution of pruning rules: equal results for all threads and after a checkpoint, what is refused.

use crate::common::evolving::{Found, evolution, folder, found, refused, rule, stored};
use treewright_core::control::Control;
use treewright_core::error::{CheckpointFault, Error};
use treewright_core::evolve::{Columns, Evolution, Files, Objective, Rule};
use treewright_core::program::Program;

#[test]
fn programs_that_are_no_formula_of_two_floats_are_refused() {
    for text in [
        "fun f(n: float): float = n\n",
        "fun f(c: float, n: int): float = c\n",
        "fun f(c: float, n: float): bool = c < n\n",
        "fun g(x: float): float = x\nfun f(c: float, n: float): float = g(c)\n",
    ] {
        let program = Program::parse(text).unwrap();
        assert!(Columns::of(&program).is_err(), "{text}");
    }
}

fn texts(evolved: &Found) -> Vec<(String, u64, u64)> {
    let rules = evolved.front.iter();
    rules
        .map(|rule| (rule.program.to_text(), rule.train.value.to_bits(), rule.validation.error.to_bits()))
        .collect()
}

#[test]
fn results_do_not_depend_on_threads() {
    for objective in [Objective::Errors, Objective::MeanError, Objective::MeanRank] {
        let evolution = evolution(7, 8000, objective);
        let one = found(&evolution, &Files::default(), 1);
        for n_threads in [2, 4] {
            let other = found(&evolution, &Files::default(), n_threads);
            assert_eq!(one, other, "{n_threads} threads");
        }
        let names: Vec<&str> = one.rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(names, ["none", "naive", "error-based", "two constants", "start", "evolved"]);
    }
}

#[test]
fn a_checkpoint_goes_on_as_if_nothing_had_been() {
    let whole = found(&evolution(3, 12_000, Objective::Errors), &Files::default(), 2);
    let folder = folder("evolve");
    let path = folder.join("run.json");
    let half = found(&evolution(3, 5000, Objective::Errors), &stored(&path, false), 1);
    assert!(half.n_programs < whole.n_programs);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "nothing is left beside it");
    let rest = found(&evolution(3, 12_000, Objective::Errors), &stored(&path, true), 1);
    assert_eq!(whole, rest);
    let fault = |evolution: &Evolution| match refused(evolution, &stored(&path, true)) {
        Error::Checkpoint { fault, .. } => fault,
        error => panic!("{error}"),
    };
    let seeds = CheckpointFault::OtherSeed { found: 3, expected: 4 };
    assert_eq!(fault(&evolution(4, 12_000, Objective::Errors)), seeds);
    assert_eq!(fault(&evolution(3, 12_000, Objective::MeanRank)), CheckpointFault::OtherWork);
    std::fs::write(&path, "{}").unwrap();
    let fault = fault(&evolution(3, 12_000, Objective::Errors));
    assert!(matches!(fault, CheckpointFault::Unreadable { .. }), "no checkpoint");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_front_gets_better_as_it_gets_larger_or_slower() {
    let evolved = found(&evolution(1, 10_000, Objective::Errors), &Files::default(), 1);
    let front = &evolved.front;
    assert!(front.len() > 3);
    for (k, rule) in front.iter().enumerate() {
        let others = front.iter().enumerate().filter(|(j, _)| *j != k);
        let matched = |other: &Rule| {
            other.bits <= rule.bits && other.cost <= rule.cost && other.train.value <= rule.train.value
        };
        assert!(!others.into_iter().any(|(_, other)| matched(other)), "{}", rule.program);
    }
    assert!(front.windows(2).all(|two| two[0].bits <= two[1].bits));
    let sum = |errors: &[f64]| errors.iter().sum::<f64>();
    let naive = sum(&evolved.rows[1].train) / sum(&evolved.extents[0].n_test);
    assert!(front[front.len() - 1].train.value < naive, "better than where it started");
    let best = front[evolved.best].validation.value;
    assert!(front.iter().all(|rule| rule.validation.value >= best));
    assert!(front.iter().all(|rule| rule.train.error > 0.0));
    assert_ne!(
        texts(&evolved),
        texts(&found(&evolution(2, 10_000, Objective::Errors), &Files::default(), 1))
    );
}

#[test]
fn pieces_on_any_number_of_threads_make_the_same_whole() {
    let folder = folder("pieces");
    let path = folder.join("run.json");
    for objective in [Objective::Errors, Objective::MeanRank] {
        let whole = found(&evolution(6, 9000, objective), &Files::default(), 4);
        assert_eq!(whole, found(&evolution(6, 9000, objective), &Files::default(), 4), "repeated");
        for threads in [[1, 4, 2], [4, 1, 1], [2, 2, 4]] {
            let mut last = None;
            for (n_threads, budget) in threads.into_iter().zip([2000, 5500, 9000]) {
                let files = stored(&path, last.is_some());
                last = Some(found(&evolution(6, budget, objective), &files, n_threads));
            }
            assert_eq!(last.unwrap(), whole, "{threads:?}");
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn no_time_still_gives_the_start() {
    let control = Control::with_time_limit(Some(0.0));
    let run = |control: &Control| {
        let outcome = evolution(1, 10_000, Objective::Errors).run(&Files::default(), control, &mut |_| {});
        outcome.unwrap()
    };
    let outcome = run(&control);
    assert_eq!(outcome.status.name(), "time_limit");
    let evolved = outcome.value.unwrap();
    let (start, only) = (&evolved.rows[4], &evolved.rows[5]);
    assert_eq!((evolved.front.len(), only.name.as_str()), (1, "evolved"));
    assert_eq!(start.train, only.train, "the start in fewer words");
    control.cancel();
    assert_eq!(run(&control).value, None);
}

#[test]
fn a_start_that_is_not_defined_is_refused() {
    // The second is not finite between the leaves that are seen.
    for formula in ["1.0 / (n - c)", "1.0 / (abs(n - 123.0) + abs(c - 3.0))"] {
        let evolution = Evolution { start: vec![rule(formula)], ..evolution(1, 100, Objective::Errors) };
        let error = refused(&evolution, &Files::default());
        assert_eq!(error, Error::FormulaNotFinite);
        assert!(error.to_string().contains("not finite"));
    }
}
