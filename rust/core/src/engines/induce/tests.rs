//! Unit tests, for the scores of one feature are private: the best cut of a numeric feature against every cut
//! looked at by itself, and the charge for its threshold against cuts counted one by one, in every way rows are
//! held.

use std::collections::BTreeSet;

use super::{Candidate, Cases, Criterion, Cut, Growth, GrowthParams, Problem, Scorer, Verdict};
use crate::base::error::Error;
use crate::base::ordering::{Score, WEIGHT_SLACK};
use crate::common::{Dice, numbers_and_names};
use crate::model::data::{Dataset, FULL_SHARE};

const NUMBER: usize = 0;
const MINIMA: [f64; 5] = [0.0, 0.75, 1.0, 2.0, 7.5];

/// How many cuts leave two branches that are large enough: each looked at by itself.
fn n_cuts(problem: &Problem, cases: &Cases, min_side: u128) -> usize {
    let codes = &problem.data.column(NUMBER).codes;
    let missing = problem.data.column(NUMBER).domain() as u32;
    let whole = cases.whole.iter().map(|&row| (row, FULL_SHARE));
    let rows: Vec<(u32, u32)> = whole.chain(cases.part.iter().map(|part| (part.row, part.share))).collect();
    let known: BTreeSet<u32> =
        rows.iter().map(|&(row, _)| codes.get(row as usize)).filter(|&code| code != missing).collect();
    let is_large = |holds: &dyn Fn(u32) -> bool| {
        let inside = rows.iter().filter(|&&(row, _)| holds(codes.get(row as usize)));
        let own = problem.rules.asks_for_one_sample();
        let mass: u128 =
            inside.map(|&(row, share)| problem.weights.mass(row, if own { FULL_SHARE } else { share })).sum();
        mass + WEIGHT_SLACK >= min_side
    };
    let leaves_two =
        |&&low: &&u32| is_large(&|code| code <= low) && is_large(&|code| code > low && code < missing);
    known.iter().take(known.len().saturating_sub(1)).filter(leaves_two).count()
}

fn verdict(problem: &Problem, cases: &Cases) -> Option<(i64, Cut)> {
    let totals = cases.totals(problem, 0);
    match Scorer::default().score(problem, cases, &totals, NUMBER) {
        Verdict::Candidate(Candidate { score: Score::Exact(score), cut }) => Some((score, cut)),
        _ => None,
    }
}

/// Compares gain before and after the charge; returns whether the feature could split at all.
fn check(data: &Dataset, cases: &Cases, params: &GrowthParams) -> bool {
    let rows: Vec<u32> = (0..data.n_rows() as u32).collect();
    let plain = Problem::new(data, rows.clone(), params).unwrap();
    let charging =
        Problem::new(data, rows, &GrowthParams { mdl_correction: Some(true), ..params.clone() }).unwrap();
    let min_side = params.rules(plain.root_cases().mass(&plain)).unwrap().min_side;
    let (before, after) = (verdict(&plain, cases), verdict(&charging, cases));
    let expected = before.and_then(|(gain, cut)| {
        let charge = plain.logs.of_count(n_cuts(&plain, cases, min_side));
        (gain > charge).then(|| (gain - charge, cut))
    });
    assert_eq!(after, expected);
    before.is_some()
}

#[test]
fn log2_of_the_number_of_cuts_comes_off_the_gain() {
    let mut n_able = 0;
    for seed in 0..120 {
        let mut dice = Dice::new(seed);
        let n_values = [4, 30, 3000][dice.roll(3)];
        let data = numbers_and_names(seed, [20, 90, 700][(seed / 3) as usize % 3], n_values);
        let params = GrowthParams { min_samples_branch: MINIMA[dice.roll(5)], ..GrowthParams::default() };
        let problem = Problem::new(&data, (0..data.n_rows() as u32).collect(), &params).unwrap();
        let root = problem.root_cases();
        let branches = root.split(&problem, 1, Cut::Levels);
        let small = Cases { whole: root.whole[..6].to_vec(), part: Vec::new() };
        for cases in branches.iter().chain([&root, &small]) {
            n_able += usize::from(check(&data, cases, &params));
        }
    }
    assert!(n_able > 300, "{n_able}");
}

#[test]
fn it_is_refused_where_it_means_nothing() {
    let gini = GrowthParams { criterion: Criterion::Gini, ..GrowthParams::default() };
    let id3 = GrowthParams { growth: Growth::Id3, ..GrowthParams::default() };
    for params in [gini, id3] {
        assert!(params.rules(0).is_ok());
        let refused = GrowthParams { mdl_correction: Some(true), ..params }.rules(0);
        assert!(matches!(refused, Err(Error::Conflict { name: "mdl_correction", .. })));
    }
}

/// Class masses on both sides of every cut, with its codes.
fn every_cut(problem: &Problem, cases: &Cases) -> Vec<(Cut, [Vec<u128>; 2])> {
    let column = problem.data.column(NUMBER);
    let whole = cases.whole.iter().map(|&row| (row, FULL_SHARE));
    let mut known: Vec<(u32, usize, u128)> = whole
        .chain(cases.part.iter().map(|part| (part.row, part.share)))
        .map(|(row, share)| {
            (column.codes.get(row as usize), problem.class_of(row), problem.weights.mass(row, share))
        })
        .filter(|&(code, ..)| (code as usize) < column.domain())
        .collect();
    known.sort_unstable();
    let mut codes: Vec<u32> = known.iter().map(|row| row.0).collect();
    codes.dedup();
    let masses = |holds: &dyn Fn(u32) -> bool| {
        let mut classes = vec![0; problem.n_classes()];
        known.iter().filter(|row| holds(row.0)).for_each(|row| classes[row.1] += row.2);
        classes
    };
    let cuts = codes.windows(2).map(|pair| {
        let (low, high) = (pair[0], pair[1]);
        (Cut::Between(low, high), [masses(&|code| code <= low), masses(&|code| code >= high)])
    });
    cuts.collect()
}

/// Weight times entropy in the units of scores.
fn uncertainty(problem: &Problem, classes: &[u128]) -> i64 {
    let f = |mass: u128| problem.logs.real(Problem::weight(mass));
    f(classes.iter().sum()) - classes.iter().map(|&mass| f(mass)).sum::<i64>()
}

fn best_of_every_cut(problem: &Problem, cases: &Cases, min_side: u128) -> Option<(i64, Cut)> {
    let mut best: Option<(i64, Cut)> = None;
    for (cut, [left, right]) in every_cut(problem, cases) {
        let all: Vec<u128> = left.iter().zip(&right).map(|(a, b)| a + b).collect();
        let (n_left, n_all) = (left.iter().sum::<u128>() >> 20, all.iter().sum::<u128>() >> 20);
        let informs =
            left.iter().zip(&all).any(|(&part, &whole)| (part >> 20) * n_all != (whole >> 20) * n_left);
        let large = |side: &[u128]| side.iter().sum::<u128>() + WEIGHT_SLACK >= min_side;
        let gain = uncertainty(problem, &all) - uncertainty(problem, &left) - uncertainty(problem, &right);
        if informs && large(&left) && large(&right) && best.is_none_or(|(most, _)| gain > most) {
            best = Some((gain, cut));
        }
    }
    best
}

#[test]
fn the_best_cut_is_the_best_of_every_cut() {
    let (mut n_split, mut scorer) = (0, Scorer::default());
    for seed in 0..240 {
        let mut dice = Dice::new(seed);
        let n_values = [4, 30, 200, 3000, 60_000][dice.roll(5)];
        let data = numbers_and_names(seed, [12, 60, 300, 900][(seed / 3) as usize % 4], n_values);
        let (min_samples_leaf, min_samples_branch) =
            ([0.0, 2.0, 7.5][dice.roll(3)], [0.0, 2.0, 7.5][dice.roll(3)]);
        let params = GrowthParams { min_samples_leaf, min_samples_branch, ..GrowthParams::default() };
        let problem = Problem::new(&data, (0..data.n_rows() as u32).collect(), &params).unwrap();
        let root = problem.root_cases();
        let branches = root.split(&problem, 1, Cut::Levels);
        let few = |n: usize| Cases { whole: root.whole[..n].to_vec(), part: Vec::new() };
        for cases in branches.iter().chain([&root, &few(6), &few(10)]) {
            let totals = cases.totals(&problem, 0);
            let found = match scorer.score(&problem, cases, &totals, NUMBER) {
                Verdict::Candidate(Candidate { score: Score::Exact(gain), cut }) => Some((gain, cut)),
                _ => None,
            };
            assert_eq!(found, best_of_every_cut(&problem, cases, problem.rules.min_side), "seed {seed}");
            n_split += usize::from(found.is_some());
        }
    }
    assert!(n_split > 1000, "{n_split}");
}
