//! The best cut of a numeric feature, against every cut looked at by itself, in every way rows are held.

mod common;

use common::{Dice, numbers_and_names};
use treewright_core::data::FULL_SHARE;
use treewright_core::induce::{Candidate, Cases, Cut, GrowthParams, Problem, Scorer, Verdict};
use treewright_core::ordering::{Score, WEIGHT_SLACK};

const NUMBER: usize = 0;

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

fn best_of_every_cut(problem: &Problem, cases: &Cases, min_leaf: u128) -> Option<(i64, Cut)> {
    let mut best: Option<(i64, Cut)> = None;
    for (cut, [left, right]) in every_cut(problem, cases) {
        let all: Vec<u128> = left.iter().zip(&right).map(|(a, b)| a + b).collect();
        let (n_left, n_all) = (left.iter().sum::<u128>() >> 20, all.iter().sum::<u128>() >> 20);
        let informs =
            left.iter().zip(&all).any(|(&part, &whole)| (part >> 20) * n_all != (whole >> 20) * n_left);
        let large = |side: &[u128]| side.iter().sum::<u128>() + WEIGHT_SLACK >= min_leaf;
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
        let min_samples_leaf = [0.0, 2.0, 7.5][dice.roll(3)];
        let params = GrowthParams { min_samples_leaf, ..GrowthParams::default() };
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
            assert_eq!(found, best_of_every_cut(&problem, cases, problem.rules.min_leaf), "seed {seed}");
            n_split += usize::from(found.is_some());
        }
    }
    assert!(n_split > 1000, "{n_split}");
}
