//! Which cuts of a numeric feature are worth an exact look, where exact logarithms are dear.
//!
//! Every cut is scored with quick logarithms of known error. The best cut of all is among those
//! within twice the error of the best quick score, so only these are scored exactly; the answer is
//! the one that scoring all of them would give.
//!
//! While rows of one class pass from side to side a score is convex in their mass, so a cut inside
//! such a stretch scores no more than the chord between the ends of it says. It gets that bound in
//! place of a score.

use super::runs::{Gather, Runs};
use super::scorer::Node;
use crate::base::ordering::WEIGHT_SLACK;
use crate::model::score::QuickLog;

/// Below this many known rows everything is scored exactly.
pub(super) const SCREEN_FROM: usize = 6;

/// One branch in doubles.
#[derive(Default)]
struct QuickSide {
    classes: Vec<f64>,
    logs: Vec<f64>,
    sum: f64,
    total: f64,
}

impl QuickSide {
    fn fill(&mut self, quick: &QuickLog, classes: impl Iterator<Item = f64>) {
        self.classes.clear();
        self.classes.extend(classes);
        self.logs.clear();
        self.logs.extend(self.classes.iter().map(|&x| quick.x_log2_x(x)));
        self.sum = self.logs.iter().sum();
        self.total = self.classes.iter().sum();
    }

    #[inline]
    fn add(&mut self, quick: &QuickLog, class: usize, weight: f64) {
        self.classes[class] += weight;
        self.total += weight;
        let fresh = quick.x_log2_x(self.classes[class]);
        self.sum += fresh - self.logs[class];
        self.logs[class] = fresh;
    }

    #[inline]
    fn purity(&self, quick: &QuickLog) -> f64 {
        self.sum - quick.x_log2_x(self.total)
    }
}

/// A cut above a code.
struct Look {
    low: u32,
    /// Weight below the cut.
    weight: f64,
    /// `None` within a stretch of one class.
    score: Option<f64>,
}

/// Buffers for one feature at one node; refilled by [`Screen::likely_cuts`].
pub(super) struct Screen {
    quick: &'static QuickLog,
    left: QuickSide,
    right: QuickSide,
    /// Rows of one class that passed since the sides were last brought up to date.
    passing: (usize, f64),
    weight: f64,
    looks: Vec<Look>,
    best: f64,
    likely: Vec<u32>,
}

/// What is known of the classes of the value at hand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    Pure(usize),
    Mixed,
}

impl Screen {
    pub(super) fn new() -> Self {
        Screen {
            quick: QuickLog::shared(),
            left: QuickSide::default(),
            right: QuickSide::default(),
            passing: (0, 0.0),
            weight: 0.0,
            looks: Vec::new(),
            best: f64::NEG_INFINITY,
            likely: Vec::new(),
        }
    }

    /// The lower codes of the cuts worth an exact look, ascending.
    pub(super) fn likely_cuts<M: Gather>(&mut self, node: &Node, runs: &Runs<M>, known: &[M]) -> &[u32] {
        let min_side = match node.counts_samples() {
            true => 0, // the exact look counts them
            false => node.problem.rules.min_side.saturating_sub(WEIGHT_SLACK),
        };
        self.start(known);
        match min_side {
            0 => self.look_at_ends(runs),
            _ => self.look_at_large(runs, known, min_side),
        }
        self.pick()
    }

    fn start<M: Gather>(&mut self, known: &[M]) {
        self.left.fill(self.quick, known.iter().map(|_| 0.0));
        self.right.fill(self.quick, known.iter().map(|mass| mass.weight()));
        (self.passing, self.weight, self.best) = ((0, 0.0), 0.0, f64::NEG_INFINITY);
        self.looks.clear();
    }

    /// Scores the cuts between stretches of one class, and notes the others.
    fn look_at_ends<M: Gather>(&mut self, runs: &Runs<M>) {
        let (mut last, mut value, mut before) = (None, Value::Mixed, Value::Mixed);
        let mut of_value = 0.0;
        runs.for_each(|code, class, mass| {
            let weight = mass.weight();
            if last != Some(code) {
                if let Some(low) = last {
                    self.note(low, value != Value::Pure(class));
                }
                (last, before, value, of_value) = (Some(code), value, Value::Pure(class), weight);
            } else if value == Value::Pure(class) {
                of_value += weight;
            } else {
                if let (Value::Pure(first), true) = (value, before == value) {
                    self.score_without(first, of_value);
                }
                value = Value::Mixed;
            }
            self.pass(class, weight);
        });
    }

    /// Scores every cut of two large branches.
    fn look_at_large<M: Gather>(&mut self, runs: &Runs<M>, known: &[M], min_side: u128) {
        let total: u128 = known.iter().map(|mass| mass.exact()).sum();
        let (mut last, mut so_far) = (None, 0);
        runs.for_each(|code, class, mass| {
            if let Some(low) = last.filter(|&low| low != code)
                && so_far >= min_side
                && total - so_far >= min_side
            {
                self.note(low, true);
            }
            last = Some(code);
            so_far += mass.exact();
            self.pass(class, mass.weight());
        });
    }

    #[inline]
    fn pass(&mut self, class: usize, weight: f64) {
        if self.passing.0 != class {
            self.settle();
            self.passing.0 = class;
        }
        self.passing.1 += weight;
        self.weight += weight;
    }

    #[inline]
    fn settle(&mut self) {
        let (class, weight) = self.passing;
        self.left.add(self.quick, class, weight);
        self.right.add(self.quick, class, -weight);
        self.passing.1 = 0.0;
    }

    #[inline]
    fn note(&mut self, low: u32, is_end: bool) {
        let score = is_end.then(|| self.score());
        self.looks.push(Look { low, weight: self.weight, score });
    }

    #[inline]
    fn score(&mut self) -> f64 {
        self.settle();
        let score = self.left.purity(self.quick) + self.right.purity(self.quick);
        self.best = self.best.max(score);
        score
    }

    /// Scores the latest cut after all: rows that passed since do not belong to one stretch with
    /// those before.
    fn score_without(&mut self, class: usize, weight: f64) {
        self.pass(class, -weight);
        let score = self.score();
        if let Some(look) = self.looks.last_mut() {
            look.score = Some(score);
        }
        self.pass(class, weight);
    }

    /// Picks the cuts that may be the best.
    fn pick(&mut self) -> &[u32] {
        self.settle();
        let nothing = self.left.purity(self.quick);
        let least = self.best - 2.0 * QuickLog::gain_error(self.left.total);
        self.likely.clear();
        let mut from = (0.0, nothing);
        let mut looks = &self.looks[..];
        while !looks.is_empty() {
            let n_inside = looks.iter().take_while(|look| look.score.is_none()).count();
            let (inside, rest) = looks.split_at(n_inside);
            let to = rest
                .first()
                .map_or((self.left.total, nothing), |end| (end.weight, end.score.unwrap_or(nothing)));
            for look in inside {
                if chord(from, to, look.weight) >= least {
                    self.likely.push(look.low);
                }
            }
            self.likely.extend(rest.first().filter(|_| to.1 >= least).map(|end| end.low));
            (from, looks) = (to, rest.get(1..).unwrap_or_default());
        }
        &self.likely
    }
}

/// The height at `x` of the straight line between two points.
#[inline]
fn chord(from: (f64, f64), to: (f64, f64), x: f64) -> f64 {
    if to.0 <= from.0 {
        return from.1.max(to.1);
    }
    let share = (x - from.0) / (to.0 - from.0);
    from.1 + (to.1 - from.1) * share.clamp(0.0, 1.0)
}
