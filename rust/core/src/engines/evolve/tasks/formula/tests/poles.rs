//! Poles between the leaves that are seen, and when validation gets no better.

use super::corpus;
use crate::base::control::Control;
use crate::common::evolving::{evolution, folder, found, rule, stored};
use crate::engines::evolve::state::Watch;
use crate::engines::evolve::task::Scored;
use crate::engines::evolve::tasks::formula::baseline::rivals;
use crate::engines::evolve::tasks::formula::columns::{Columns, Scratch};
use crate::engines::evolve::tasks::formula::judge::{
    Buffers, Judge, Objective, is_finite_on_all, is_finite_up_to,
};
use crate::model::program::Program;

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
