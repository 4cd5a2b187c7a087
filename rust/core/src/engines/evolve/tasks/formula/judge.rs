//! What a rule is worth on a corpus, and whether it is finite wherever a leaf could be: it may have a pole
//! between the leaves that were seen.

use super::columns::{Columns, Scratch};
use crate::base::control::Control;
use crate::base::outcome::Status;
use crate::engines::evolve::corpus::{Corpus, Decisions};
use crate::engines::evolve::task::{Bounds, Scored, Verdict};
use crate::engines::prune::{Estimator, Slack};

/// Values past this size are as good as infinite: sums of them would be.
const LARGEST: f64 = 1e100;

/// What a search makes small.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Objective {
    /// Test errors of all trees together, as a share of all test rows.
    Errors,
    /// The error rate of a tree, on average over trees.
    MeanError,
    /// The rank of a tree's errors among those of fixed rules, 1 the fewest, on average over trees.
    MeanRank,
}

/// A rule to be compared with: an estimate with its slack, or none where trees stay whole.
#[derive(Debug, Clone, PartialEq)]
pub struct Rival {
    pub name: &'static str,
    pub rule: Option<(Estimator, Slack)>,
}

/// A corpus and what counts on it.
#[derive(Debug, Clone)]
pub struct Judge {
    corpus: Corpus,
    objective: Objective,
    /// Errors of each rival on each tree.
    rivals: Vec<Vec<f64>>,
}

/// Buffers of one thread.
#[derive(Debug, Default)]
pub struct Buffers {
    pub scratch: Scratch,
    decisions: Decisions,
}

impl Judge {
    pub fn new(corpus: Corpus, objective: Objective, rivals: &[Rival]) -> Judge {
        let mut bench = Buffers::default();
        let rivals = rivals.iter().map(|rival| rival_errors(&corpus, rival, &mut bench)).collect();
        Judge { corpus, objective, rivals }
    }

    pub fn corpus(&self) -> &Corpus {
        &self.corpus
    }

    /// Errors of each rival on each tree.
    pub fn rivals(&self) -> &[Vec<f64>] {
        &self.rivals
    }

    /// What so many errors on a tree cost.
    pub fn loss(&self, tree: usize, errors: f64) -> f64 {
        match self.objective {
            Objective::Errors => errors,
            Objective::MeanError => errors / self.corpus.n_test()[tree],
            Objective::MeanRank => {
                let others = self.rivals.iter().map(|rival| rival[tree]);
                1.0 + others.map(|other| half_steps(other, errors)).sum::<f64>()
            }
        }
    }

    /// By what the losses of a tree are divided, after adding up.
    pub fn weight(&self, tree: usize) -> f64 {
        match self.objective {
            Objective::Errors => self.corpus.n_test()[tree],
            Objective::MeanError | Objective::MeanRank => 1.0,
        }
    }

    /// A sum of losses as a score.
    pub fn score(&self, sum: f64) -> f64 {
        sum / (0..self.corpus.n_trees()).map(|tree| self.weight(tree)).sum::<f64>()
    }

    /// Judges a rule; `known` tells whether one with that fingerprint of its values need not be judged.
    pub fn judge(
        &self,
        rule: &Columns,
        bounds: Bounds,
        known: impl Fn(u64) -> bool,
        bench: &mut Buffers,
    ) -> (Verdict, u64) {
        let (screen, whole) = (self.corpus.screen(), self.corpus.whole());
        if !self.estimate(rule, 0..screen.n_pairs, bench) {
            return (Verdict::Undefined, 0);
        }
        let fingerprint = affine_fingerprint(&self.corpus.estimates(&mut bench.decisions)[..screen.n_pairs]);
        if known(fingerprint) {
            return (Verdict::Known, fingerprint);
        }
        self.corpus.decide(&mut bench.decisions, screen, 0.0);
        let Some(screened) = self.losses(bench, 0..screen.n_trees, 0.0, bounds.screen) else {
            return (Verdict::Screened, fingerprint);
        };
        if !self.estimate(rule, screen.n_pairs..whole.n_pairs, bench) {
            return (Verdict::Undefined, fingerprint);
        }
        self.corpus.decide(&mut bench.decisions, whole, 0.0);
        let rest = screen.n_trees..whole.n_trees;
        let Some(sum) = self.losses(bench, rest, screened, bounds.whole) else {
            return (Verdict::Worse, fingerprint);
        };
        let behaviour = self.corpus.fingerprint(&bench.decisions, whole);
        (
            Verdict::Scored(Scored { loss: sum, screen: screened, n_wrong: 0, cost: rule.cost(), behaviour }),
            fingerprint,
        )
    }

    /// What a rule is worth; `None` where it is not finite for some pair.
    pub fn scored(&self, rule: &Columns, bench: &mut Buffers) -> Option<Scored> {
        match self.judge(rule, Bounds::NONE, |_| false, bench).0 {
            Verdict::Scored(scored) => Some(scored),
            _ => None,
        }
    }

    /// Test errors on every tree; `None` where the rule is not finite for some pair.
    pub fn errors(&self, rule: &Columns, bench: &mut Buffers) -> Option<Vec<f64>> {
        let whole = self.corpus.whole();
        if !self.estimate(rule, 0..whole.n_pairs, bench) {
            return None;
        }
        self.corpus.decide(&mut bench.decisions, whole, 0.0);
        Some((0..whole.n_trees).map(|tree| self.corpus.errors(&bench.decisions, tree)).collect())
    }

    /// Losses on every tree, of these errors.
    pub fn losses_of(&self, errors: &[f64]) -> Vec<f64> {
        errors.iter().enumerate().map(|(tree, &errors)| self.loss(tree, errors)).collect()
    }

    /// Estimates some pairs; false if one is not finite.
    fn estimate(&self, rule: &Columns, pairs: std::ops::Range<usize>, bench: &mut Buffers) -> bool {
        let (c, n) = self.corpus.pairs();
        let values = &mut self.corpus.estimates(&mut bench.decisions)[pairs.clone()];
        rule.run(&c[pairs.clone()], &n[pairs], values, &mut bench.scratch);
        values.iter().all(is_value)
    }

    /// `before` and the losses of these trees, added in order; `None` once that is past the bound.
    fn losses(&self, bench: &Buffers, trees: std::ops::Range<usize>, before: f64, bound: f64) -> Option<f64> {
        let mut sum = before;
        for tree in trees {
            sum += self.loss(tree, self.corpus.errors(&bench.decisions, tree));
            if sum > bound {
                return None;
            }
        }
        Some(sum)
    }
}

/// Whether a number can stand in sums.
fn is_value(value: &f64) -> bool {
    value.abs() <= LARGEST
}

/// 1 for a rival with fewer errors, 1/2 for one with as many.
fn half_steps(other: f64, errors: f64) -> f64 {
    match other.total_cmp(&errors) {
        std::cmp::Ordering::Less => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Greater => 0.0,
    }
}

fn rival_errors(corpus: &Corpus, rival: &Rival, bench: &mut Buffers) -> Vec<f64> {
    let trees = 0..corpus.n_trees();
    let Some((estimator, slack)) = &rival.rule else {
        return trees.map(|tree| corpus.errors_unpruned(tree)).collect();
    };
    let (c, n) = corpus.pairs();
    let values = corpus.estimates(&mut bench.decisions);
    values.iter_mut().zip(c.iter().zip(n)).for_each(|(value, (&c, &n))| *value = estimator.rate(c, n));
    corpus.decide(&mut bench.decisions, corpus.whole(), slack.errors);
    trees.map(|tree| corpus.errors(&bench.decisions, tree)).collect()
}

/// The values as a number that is the same for est and a * est + b, a > 0: shifted to start at 0,
/// divided by the largest, rounded.
fn affine_fingerprint(values: &[f64]) -> u64 {
    let first = values.first().copied().unwrap_or(0.0);
    let largest = values.iter().map(|value| (value - first).abs()).fold(0.0, f64::max);
    let scale = if largest > 0.0 { f64::from(1u32 << 30) / largest } else { 0.0 };
    let mut hash = 1u64;
    for value in values {
        // Half a step off, so that values that are simple fractions do not fall on an edge.
        let step = ((value - first) * scale + 0.37).floor() as i64;
        hash = (hash.rotate_left(5) ^ step as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        hash ^= hash >> 29;
    }
    hash
}

/// The largest leaf up to which [`is_finite_on_all`] looks at every one: some two million pairs, more than
/// the generated sets have.
const WHOLE_GRID: f64 = 2048.0;

/// Rows between two looks at the control.
const BETWEEN: u32 = 64;

/// Whether a rule is finite at all whole numbers 1 <= c <= n up to some n that are small, and at pairs spread
/// over the larger ones: quick enough for every rule that is kept.
pub fn is_finite_up_to(rule: &Columns, largest: f64, scratch: &mut Scratch) -> bool {
    let (mut cs, mut ns) = (Vec::new(), Vec::new());
    let mut n = 1.0;
    while n <= largest {
        let step = (n / 48.0_f64).max(1.0).floor();
        let mut c = 1.0;
        while c <= n {
            cs.push(c);
            ns.push(n);
            c += step;
        }
        n += (n / 48.0_f64).max(1.0).floor();
    }
    let mut values = vec![0.0; cs.len()];
    rule.run(&cs, &ns, &mut values, scratch);
    values.iter().all(is_value)
}

/// The same at all whole numbers up to `largest`, those past `WHOLE_GRID` excepted: for the rules that are
/// shown.
pub fn is_finite_on_all(
    rule: &Columns,
    largest: f64,
    scratch: &mut Scratch,
    control: &Control,
) -> Result<bool, Status> {
    let last = largest.min(WHOLE_GRID) as u32;
    let cs: Vec<f64> = (1..=last).map(f64::from).collect();
    let (mut ns, mut values) = (vec![0.0; cs.len()], vec![0.0; cs.len()]);
    for n in 1..=last {
        if n % BETWEEN == 0 {
            control.checkpoint()?;
        }
        let row = n as usize;
        ns[..row].fill(f64::from(n));
        rule.run(&cs[..row], &ns[..row], &mut values[..row], scratch);
        if !values[..row].iter().all(is_value) {
            return Ok(false);
        }
    }
    Ok(is_finite_up_to(rule, largest, scratch))
}
