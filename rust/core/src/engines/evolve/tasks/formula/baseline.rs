//! Rules that an evolved one is held against.

use super::columns::Columns;
use super::judge::{Buffers, Judge, Rival};
use crate::base::control::Control;
use crate::base::ordering::PRUNE_SLACK;
use crate::engines::prune::{ErrorLimit, Estimator, Limit, Slack};
use crate::model::program::Program;

/// The upper quartile of the normal distribution, as the naive rule has it.
const QUARTILE: f64 = 0.674_489_750_196_081_7;

/// Rules of the books: no pruning, the naive rule, C4.5's.
pub fn rivals() -> Vec<Rival> {
    let limit = ErrorLimit::new(Limit::C45, 0.25).expect("a quarter is a confidence");
    let by = |estimator, errors| Some((estimator, Slack { errors, rate: 0.0 }));
    vec![
        Rival { name: "none", rule: None },
        Rival { name: "naive", rule: by(Estimator::Score { z: QUARTILE }, 0.0) },
        Rival { name: "error-based", rule: by(Estimator::ErrorBased(limit), PRUNE_SLACK) },
    ]
}

/// The naive rule as a program: the upper end of the score interval at one-sided 25 %.
pub const NAIVE: &str = "fun estimate(c: float, n: float): float =
    ((n - c) / n + 0.2274682115597864 / n
        + 0.6744897501960817 * sqrt((n - c) / n / n - (n - c) / n * ((n - c) / n) / n
            + 0.1137341057798932 / (n * n)))
    / (1.0 + 0.4549364231195728 / n)
";

/// Values of either constant.
const GRID: usize = 21;

fn program(a: f64, b: f64) -> Program {
    let text =
        format!("fun estimate(c: float, n: float): float = ((n - c) + {a:?} + {b:?} * sqrt(n - c)) / n\n");
    Program::parse(&text).expect("the text is a program")
}

/// The best rule of the form (e + a + b * sqrt(e)) / n in training, by a search of a grid: what can be
/// had without evolution.
pub fn two_constants(train: &Judge, control: &Control) -> ([f64; 2], Program) {
    let grid: Vec<[f64; 2]> =
        (0..GRID * GRID).map(|k| [(k / GRID) as f64 / 10.0, (k % GRID) as f64 / 10.0]).collect();
    let score = |bench: &mut Buffers, &[a, b]: &[f64; 2]| {
        let columns = Columns::compile(&program(a, b)).expect("the program is a formula");
        train.scored(&columns, bench).map_or(f64::INFINITY, |scored| scored.loss)
    };
    let scores: Vec<f64> = control.map(&grid, Buffers::default, score);
    let best = (0..grid.len()).min_by(|&i, &j| scores[i].total_cmp(&scores[j])).expect("a grid has points");
    let [a, b] = grid[best];
    ([a, b], program(a, b))
}
