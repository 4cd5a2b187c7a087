//! Upper limits of error rates against the equations that define them, each written out afresh.

use treewright_core::error::Error;
use treewright_core::prune::{ErrorLimit, Estimator, Limit, upper_quantile};

const SIZES: [u32; 9] = [1, 2, 3, 6, 9, 16, 40, 137, 199];
const CONFIDENCES: [f64; 7] = [0.01, 0.05, 0.1, 0.2, 0.25, 0.3, 0.4];

fn extra_errors(limit: Limit, n: f64, e: f64, confidence: f64) -> Result<f64, Error> {
    Ok(ErrorLimit::new(limit, confidence)?.extra(n, e))
}

/// Every (n, e, confidence) of the grid.
fn grid() -> impl Iterator<Item = (u32, u32, f64)> {
    let errors = |n: u32| (0..=n).filter(move |e| n < 20 || e % 7 < 2 || n - e < 3);
    SIZES
        .into_iter()
        .flat_map(move |n| errors(n).flat_map(move |e| CONFIDENCES.into_iter().map(move |cf| (n, e, cf))))
}

fn limit(kind: Limit, n: u32, e: u32, confidence: f64) -> f64 {
    let extra = extra_errors(kind, n.into(), e.into(), confidence).unwrap();
    (f64::from(e) + extra) / f64::from(n)
}

/// P(X <= e) of a binomial variable, term by term, from the end that holds more.
fn at_most(e: u32, n: u32, rate: f64) -> f64 {
    if rate > 0.5 {
        return 1.0 - if e < n { at_most(n - e - 1, n, 1.0 - rate) } else { 0.0 };
    }
    let (mut term, mut sum) = (libm::pow(1.0 - rate, n.into()), 0.0);
    for k in 0..=e {
        sum += term;
        term *= f64::from(n - k) / f64::from(k + 1) * rate / (1.0 - rate);
    }
    sum
}

/// How far (f - U)^2 = z^2 U (1 - U) / n is from holding.
fn score_rest(f: f64, u: f64, z: f64, n: f64) -> f64 {
    (f - u) * (f - u) - z * z * u * (1.0 - u) / n
}

/// C4.5's quantile: a line between the two nearest of these.
fn quinlans_z(confidence: f64) -> f64 {
    let points = [(0.005, 2.58), (0.01, 2.33), (0.05, 1.65), (0.1, 1.28), (0.2, 0.84), (0.4, 0.25)];
    let right = points.iter().position(|p| p.0 >= confidence).unwrap();
    let ((x0, y0), (x1, y1)) = (points[right - 1], points[right]);
    (y0 * (x1 - confidence) + y1 * (confidence - x0)) / (x1 - x0)
}

#[test]
fn the_exact_limit_leaves_e_errors_or_fewer_the_probability_of_the_confidence() {
    for (n, e, confidence) in grid() {
        let u = limit(Limit::Exact, n, e, confidence);
        if e == n {
            assert_eq!(u, 1.0);
        } else {
            let found = at_most(e, n, u);
            assert!((found - confidence).abs() < 1e-11, "{n} {e} {confidence}: {found}");
        }
    }
}

#[test]
fn the_score_limits_solve_their_quadratic_equation() {
    for (n, e, confidence) in grid() {
        let size = f64::from(n);
        let u = limit(Limit::Wilson, n, e, confidence);
        let f = f64::from(e) / size;
        assert!(u >= f - 1e-15 && score_rest(f, u, upper_quantile(confidence), size).abs() < 1e-12);
        let corrected = (f64::from(e) + 0.5) / size;
        if e >= 1 && corrected < 1.0 {
            for (kind, z) in [(Limit::Weka, upper_quantile(confidence)), (Limit::C45, quinlans_z(confidence))]
            {
                let u = limit(kind, n, e, confidence);
                let rest = score_rest(corrected, u, z, size);
                assert!(u > corrected && rest.abs() < 1e-12, "{kind:?} {n} {e} {confidence}: {rest}");
            }
        }
    }
}

#[test]
fn both_ends_are_special_cases() {
    for (n, e, confidence) in grid() {
        let (size, errors) = (f64::from(n), f64::from(e));
        for (kind, next_to_all) in [(Limit::C45, 0.67), (Limit::Weka, 1.0)] {
            let extra = extra_errors(kind, size, errors, confidence).unwrap();
            if e == 0 {
                assert!((at_most(0, n, extra / size) - confidence).abs() < 1e-12);
            } else if errors + 0.5 >= size {
                assert_eq!(extra, next_to_all * (size - errors));
            }
        }
    }
    assert_eq!(extra_errors(Limit::Weka, 10.0, 3.0, 0.6), Ok(0.0));
    assert_eq!(extra_errors(Limit::C45, 0.0, 0.0, 0.25), Ok(0.0));
}

#[test]
fn between_none_and_one_error_runs_a_line() {
    for kind in [Limit::C45, Limit::Weka] {
        let limit = ErrorLimit::new(kind, 0.25).unwrap();
        let ends = (limit.extra(8.5, 0.0), limit.extra(8.5, 1.0));
        for e in [0.125, 0.5, 0.75] {
            let expected = ends.0 * (1.0 - e) + ends.1 * e;
            assert!((limit.extra(8.5, e) - expected).abs() < 1e-12);
        }
    }
    // A sum of shares that should be nothing is nothing; one that should be one is one.
    let c45 = ErrorLimit::new(Limit::C45, 0.25).unwrap();
    assert_eq!(c45.extra(5.0, 1e-7), c45.extra(5.0, 0.0));
    assert!((c45.extra(5.0, 0.99995) - c45.extra(5.0, 1.0)).abs() < 1e-4);
}

#[test]
fn limits_increase_with_whole_errors_and_stay_below_n() {
    for kind in [Limit::C45, Limit::Exact] {
        for n in SIZES {
            for confidence in CONFIDENCES {
                let errors: Vec<f64> = (0..n).map(|e| limit(kind, n, e, confidence) * f64::from(n)).collect();
                assert!(errors.windows(2).all(|pair| pair[0] < pair[1]), "{kind:?} {n} {confidence}");
                assert!(errors.iter().all(|&error| error < f64::from(n)));
            }
        }
    }
}

#[test]
fn the_exact_limit_runs_smoothly_through_fractional_counts() {
    let exact = ErrorLimit::new(Limit::Exact, 0.25).unwrap();
    let rate = |n: f64, e: f64| (e + exact.extra(n, e)) / n;
    for i in 0..400 {
        let (n, e) = (0.3 + 0.1 * f64::from(i), 0.01 * f64::from(i));
        if e + 0.01 < n {
            assert!(rate(n, e) < rate(n, e + 0.01), "{n} {e}");
            assert!(rate(n + 0.1, e) < rate(n, e), "{n} {e}");
        }
    }
    let (large, tiny) = (rate(1e7, 1e6), rate(1e-4, 5e-5));
    assert!((large - 0.1).abs() < 1e-4 && large > 0.1);
    assert!(tiny > 0.5 && tiny <= 1.0);
}

#[test]
fn estimators_are_their_formulas() {
    let (c, n) = (7.5, 10.0);
    assert_eq!(Estimator::Observed.rate(c, n), 0.25);
    assert_eq!(Estimator::PerLeaf { alpha: 1.5 }.rate(c, n), 0.4);
    assert_eq!(Estimator::Pessimistic.rate(c, n), 0.3);
    let limit = ErrorLimit::new(Limit::Wilson, 0.25).unwrap();
    let score = Estimator::Score { z: upper_quantile(0.25) }.rate(c, n);
    assert!((Estimator::ErrorBased(limit).rate(c, n) - score).abs() < 1e-15);
    let published: f64 = 0.25_f64.tanh().tanh().tanh() + 10_f64.sqrt().tanh().tanh().sqrt();
    let expected = published / 7.5_f64.sqrt().sqrt().tanh();
    assert!((Estimator::Published.rate(c, n) - expected).abs() < 1e-14);
}

#[test]
fn nothing_right_is_infinitely_bad_and_nothing_there_is_nothing() {
    let limit = ErrorLimit::new(Limit::Exact, 0.1).unwrap();
    let all = [
        Estimator::Observed,
        Estimator::Score { z: 0.7 },
        Estimator::ErrorBased(limit),
        Estimator::Pessimistic,
        Estimator::PerLeaf { alpha: 1.0 },
        Estimator::Published,
    ];
    for estimator in all {
        assert_eq!(estimator.rate(0.0, 3.0), f64::INFINITY);
        assert_eq!(estimator.rate(0.0, 0.0), 0.0);
    }
}
