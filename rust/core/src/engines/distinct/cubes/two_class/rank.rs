//! The order of the features at a case set.

use super::cuts::{ByCount, ByWeight, Gauge, best_cut};
use super::order::{Steps, weight};
use super::tally::both;
use super::{Bench, Item, Rows, TwoClass, exact_mass};
use crate::engines::distinct::cubes::cube::{Few, members};
use crate::engines::distinct::cubes::kernel::Choice;
use crate::engines::distinct::cubes::plain::exact;
use crate::engines::induce::{Cases, Cut, Part, Scorer, Totals, Verdict};
use crate::model::score::QuickLog;

/// Up to this many rows, a gain that rounding may hide is none: with n rows a gain is at least
/// 11 / n^3 bits, here above 2900 units of 2^-32, and rounding hides less than 1200.
const SMALL: usize = 256;

/// One unit of an exact score.
const UNIT: f64 = 1.0 / (1u64 << 32) as f64;

/// A feature that may split the set.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look {
    choice: Choice,
    /// In units of 2^-32, where it is known.
    exact: Option<i64>,
    gain: f64,
    /// Bound on the error of `gain`.
    error: f64,
}

/// What a look at one feature found.
enum Seen {
    Constant,
    Rejected,
    Look(Look),
    /// To be scored as everywhere else.
    Unclear,
}

/// What a feature must gain to be of use: less than the best feature that every subset at hand has,
/// and it will not be chosen.
#[derive(Debug, Clone, Copy)]
struct Floor {
    exact: i64,
    gain: f64,
}

impl Floor {
    const NONE: Floor = Floor { exact: i64::MIN / 2, gain: f64::NEG_INFINITY };

    fn rise(&mut self, look: &Look) {
        self.exact = self.exact.max(look.exact.unwrap_or(i64::MIN));
        self.gain = self.gain.max(look.gain - look.error);
    }
}

/// The best split by one feature.
struct Found<S> {
    cut: Cut,
    n_branches: usize,
    gain: S,
    /// Whether another cut may be better.
    is_contested: bool,
}

impl<S> Found<S> {
    fn choice(&self, feature: usize) -> Choice {
        Choice { feature: feature as u32, cut: self.cut }
    }
}

/// The best cut, unless it gains less than `floor`.
fn best_between<G: Gauge>(
    gauge: &G,
    steps: &Steps<G::Mass>,
    floor: G::Score,
    ends: &mut Vec<G::Score>,
) -> Result<Found<G::Score>, Seen> {
    if steps.sums().len() < 2 {
        return Err(Seen::Constant);
    }
    let known = steps.known();
    if known.contains(&G::Mass::default()) {
        return Err(Seen::Rejected);
    }
    let (nothing, codes) = (gauge.certainty(known), steps.codes());
    let floor = floor + nothing;
    let best = best_cut(gauge, steps, floor, ends);
    if gauge.is_below(best.score, floor) {
        return Err(Seen::Rejected);
    }
    Ok(Found {
        cut: Cut::Between(codes[best.at], codes[best.at + 1]),
        n_branches: 2,
        gain: best.score - nothing,
        is_contested: !gauge.is_below(best.rival, best.score),
    })
}

/// What a split by all levels leaves certain.
struct Levels<G: Gauge> {
    known: [G::Mass; 2],
    certainty: G::Score,
    n_filled: usize,
}

impl<G: Gauge> Default for Levels<G> {
    fn default() -> Self {
        Levels { known: Default::default(), certainty: G::Score::default(), n_filled: 0 }
    }
}

impl<G: Gauge> Levels<G> {
    #[inline]
    fn add(&mut self, gauge: &G, classes: [G::Mass; 2]) {
        self.known[0] += classes[0];
        self.known[1] += classes[1];
        self.certainty = self.certainty + gauge.certainty(classes);
        self.n_filled += 1;
    }

    fn found(&self, gauge: &G) -> Result<Found<G::Score>, Seen> {
        if self.n_filled < 2 {
            return Err(Seen::Constant);
        }
        if self.known.contains(&G::Mass::default()) {
            return Err(Seen::Rejected);
        }
        let gain = self.certainty - gauge.certainty(self.known);
        Ok(Found { cut: Cut::Levels, n_branches: self.n_filled, gain, is_contested: false })
    }
}

/// Scores as everywhere else, for what is too close to call.
#[derive(Default)]
pub(super) struct Exact {
    scorer: Scorer,
    rows: Option<(Cases, Totals)>,
}

/// The least gain that is sure to be one, for a split into so many branches: see `noise` there.
fn noise(n_branches: usize) -> i64 {
    3 * (n_branches as i64 + 1)
}

impl TwoClass<'_> {
    pub(super) fn rank_features(
        &self,
        bench: &mut Bench,
        set: &Rows,
        features: Few,
        inside: Few,
        choices: &mut Vec<Choice>,
    ) -> Few {
        let (mut constant, mut floor) = (0, Floor::NONE);
        bench.looks.clear();
        bench.exact.rows = None;
        for feature in members(features & inside).chain(members(features & !inside)) {
            let seen = match set.part.is_empty() {
                true => self.look_by_count(bench, set, feature, floor),
                false => self.look_by_weight(bench, set, feature, floor),
            };
            let seen = if let Seen::Unclear = seen { self.score(bench, set, feature) } else { seen };
            match seen {
                Seen::Constant => constant |= 1 << feature,
                Seen::Look(look) => {
                    if inside >> feature & 1 == 1 {
                        floor.rise(&look);
                    }
                    bench.looks.push(look);
                }
                Seen::Rejected | Seen::Unclear => {}
            }
        }
        self.sort_looks(bench, set, inside);
        choices.clear();
        choices.extend(bench.looks.iter().map(|look| look.choice));
        constant
    }

    /// The best first; of no account beyond the first that is inside.
    fn sort_looks(&self, bench: &mut Bench, set: &Rows, inside: Few) {
        if bench.looks.len() < 2 {
            return;
        }
        if !bench.looks.iter().all(|look| look.exact.is_some()) {
            bench.looks.sort_unstable_by(|a, b| b.gain.total_cmp(&a.gain));
            let is_close = |pair: &[Look]| pair[0].gain - pair[1].gain <= pair[0].error + pair[1].error;
            let is_inside = |look: &Look| inside >> look.choice.feature & 1 == 1;
            let last = bench.looks.iter().position(is_inside).unwrap_or(bench.looks.len());
            if !bench.looks.windows(2).take(last + 1).any(is_close) {
                return;
            }
            for at in 0..bench.looks.len() {
                if bench.looks[at].exact.is_none() {
                    let feature = bench.looks[at].choice.feature as usize;
                    let Seen::Look(look) = self.score(bench, set, feature) else {
                        unreachable!("a candidate stays one")
                    };
                    bench.looks[at] = look;
                }
            }
        }
        bench.looks.sort_unstable_by_key(|look| (std::cmp::Reverse(look.exact), look.choice.feature));
    }

    fn look_by_count(&self, bench: &mut Bench, set: &Rows, feature: usize, floor: Floor) -> Seen {
        let gauge = ByCount::new(&self.problem.logs, set.whole.len());
        let found = if self.columns[feature].is_numeric {
            self.steps_of_counts(bench, set, feature);
            best_between(&gauge, &bench.counted, floor.exact, &mut bench.ends)
        } else {
            self.count(&mut bench.counts, set, feature);
            let mut levels = Levels::default();
            bench.counts.drain(|_, counts| levels.add(&gauge, both(counts)));
            levels.found(&gauge)
        };
        match found {
            Err(seen) => seen,
            Ok(found) if found.gain > noise(found.n_branches) => {
                let (exact, gain) = (Some(found.gain), found.gain as f64 * UNIT);
                Seen::Look(Look { choice: found.choice(feature), exact, gain, error: 0.0 })
            }
            Ok(_) if set.whole.len() <= SMALL => Seen::Rejected,
            Ok(_) => Seen::Unclear,
        }
    }

    fn look_by_weight(&self, bench: &mut Bench, set: &Rows, feature: usize, floor: Floor) -> Seen {
        let rounding = |n_branches: usize| UNIT * noise(n_branches) as f64;
        let gain_error = QuickLog::gain_error(weight(set.mass()));
        let gauge = ByWeight { quick: self.quick, error: gain_error + rounding(2) };
        let found = if self.columns[feature].is_numeric {
            self.steps_of_shares(bench, set, feature);
            best_between(&gauge, &bench.shared, floor.gain, &mut bench.quick_ends)
        } else {
            self.weigh(&mut bench.shares, set, feature);
            let mut levels = Levels::default();
            bench.shares.drain(|_, classes| levels.add(&gauge, classes.map(weight)));
            levels.found(&gauge)
        };
        match found {
            Err(seen) => seen,
            Ok(found) => {
                let (gain, rounding) = (found.gain, rounding(found.n_branches));
                let error = gain_error + rounding;
                if found.is_contested || gain <= error + rounding {
                    return Seen::Unclear;
                }
                Seen::Look(Look { choice: found.choice(feature), exact: None, gain, error })
            }
        }
    }

    /// The verdict that is reached everywhere else.
    fn score(&self, bench: &mut Bench, set: &Rows, feature: usize) -> Seen {
        let Exact { scorer, rows } = &mut bench.exact;
        let (cases, totals) = rows.get_or_insert_with(|| self.as_cases(set));
        match scorer.score(self.problem, cases, totals, feature) {
            Verdict::Constant => Seen::Constant,
            Verdict::Rejected => Seen::Rejected,
            Verdict::Candidate(candidate) => {
                let gain = exact(&candidate);
                Seen::Look(Look {
                    choice: Choice { feature: feature as u32, cut: candidate.cut },
                    exact: Some(gain),
                    gain: gain as f64 * UNIT,
                    error: 0.0,
                })
            }
        }
    }

    fn as_cases(&self, set: &Rows) -> (Cases, Totals) {
        let row = |item: Item| self.originals[(item >> 1) as usize];
        let cases = Cases {
            whole: set.whole.iter().map(|&item| row(item)).collect(),
            part: set.part.iter().map(|part| Part { row: row(part.item), share: part.share }).collect(),
        };
        let classes = set.masses.map(exact_mass);
        (cases, Totals::new(self.problem, Box::new(classes), 0))
    }
}
