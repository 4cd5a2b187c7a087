//! f(a, C): the score of one feature at one node.
//!
//! The rows are brought into the order of the feature's codes, by counting where the domain is
//! small for the node and by sorting where it is large; then one pass over the runs of equal code
//! and class scores the partition (nominal) or every cut (numeric). All of it is generic over the
//! integer in which weight is counted and over the criterion; every combination gives the same
//! numbers where more than one applies.

use super::cases::{Cases, Totals};
use super::problem::{Counting, Problem};
use super::rules::{Criterion, Growth};
use super::runs::{Gather, Runs};
use super::screen::{SCREEN_FROM, likely_cuts};
use crate::data::FULL_SHARE;
use crate::ordering::{ID3_ZERO, Score, WEIGHT_SLACK};
use crate::score::{Count, Entropy, Exact, Gini, Mass, Share, Side, proportional, weight_of};

/// How a feature splits a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// One branch for each code.
    Levels,
    /// Codes up to the first, codes from the second on; both occur at the node.
    Between(u32, u32),
}

impl Cut {
    pub fn n_branches(self, domain: usize) -> usize {
        match self {
            Cut::Levels => domain,
            Cut::Between(..) => 2,
        }
    }

    /// The branch of a known code.
    #[inline]
    pub fn branch(self, code: u32) -> usize {
        match self {
            Cut::Levels => code as usize,
            Cut::Between(low, _) => usize::from(code > low),
        }
    }
}

/// A feature that may split a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    pub score: Score,
    pub cut: Cut,
}

/// What scoring one feature found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Verdict {
    /// One known value at most, so never a candidate here or below.
    Constant,
    /// No admissible split here.
    Rejected,
    Candidate(Candidate),
}

/// Scores features; owns the buffers that scoring needs.
#[derive(Default)]
pub struct Scorer {
    count: Benches<Count>,
    share: Benches<Share>,
    exact: Benches<Exact>,
}

#[derive(Default)]
struct Benches<M: Mass> {
    runs: Runs<M>,
    entropy: Option<Bench<M, Entropy<M>>>,
    gini: Option<Bench<M, Gini<M>>>,
}

impl Scorer {
    /// Scores `feature` at the node of these rows.
    pub fn score(&mut self, problem: &Problem, cases: &Cases, totals: &Totals, feature: usize) -> Verdict {
        let node = Node { problem, cases, totals };
        match problem.counting {
            Counting::Narrow if cases.part.is_empty() => self.count.score(&node, feature),
            Counting::Narrow => self.share.score(&node, feature),
            Counting::Wide => self.exact.score(&node, feature),
        }
    }
}

/// The node at hand.
pub(super) struct Node<'a> {
    pub problem: &'a Problem,
    pub cases: &'a Cases,
    pub totals: &'a Totals,
}

impl Node<'_> {
    /// Whether a branch of this known mass is as large as it must be; `holds` tells its codes.
    #[inline]
    pub(super) fn is_large(&self, mass: u128, feature: usize, holds: impl Fn(u32) -> bool) -> bool {
        let rules = &self.problem.rules;
        mass + WEIGHT_SLACK >= rules.min_leaf
            || (self.counts_samples() && self.samples(feature, holds) + WEIGHT_SLACK >= rules.min_leaf)
    }

    /// Whether samples count for themselves where their shares are too small.
    pub(super) fn counts_samples(&self) -> bool {
        self.problem.rules.asks_for_one_sample() && !self.cases.part.is_empty()
    }

    /// Own mass of the samples of a branch, whatever their shares.
    fn samples(&self, feature: usize, holds: impl Fn(u32) -> bool) -> u128 {
        let column = self.problem.data.column(feature);
        let rows = self.cases.whole.iter().copied().chain(self.cases.part.iter().map(|part| part.row));
        rows.filter(|&row| {
            let code = column.codes.get(row as usize);
            (code as usize) < column.domain() && holds(code)
        })
        .map(|row| self.problem.weights.mass(row, FULL_SHARE))
        .sum()
    }
}

impl<M: Mass + Gather> Benches<M> {
    fn score(&mut self, node: &Node, feature: usize) -> Verdict {
        let n_classes = node.problem.n_classes();
        self.runs.collect(node, feature);
        match node.problem.rules.criterion {
            _ if node.problem.rules.growth == Growth::Id3 => id3_verdict(node, feature, &self.runs),
            Criterion::Gini => {
                let bench = self.gini.get_or_insert_with(|| Bench::new(n_classes));
                bench.verdict(node, feature, &self.runs)
            }
            Criterion::InfoGain | Criterion::GainRatio => {
                let bench = self.entropy.get_or_insert_with(|| Bench::new(n_classes));
                bench.verdict(node, feature, &self.runs)
            }
        }
    }
}

/// Three branches: the known rows, and the two sides of a cut or the branch of one code.
struct Bench<M: Mass, S: Side<M>> {
    known: S,
    left: S,
    right: S,
    spare: Vec<(u32, f64)>,
    mass: std::marker::PhantomData<M>,
}

/// The best split of one feature, before it is judged against other features.
struct Found {
    cut: Cut,
    gain: i64,
    /// F(n_b) summed over the branches.
    branch_logs: i64,
}

impl<M: Mass + Gather, S: Side<M>> Bench<M, S> {
    fn new(n_classes: usize) -> Self {
        Bench {
            known: S::new(n_classes),
            left: S::new(n_classes),
            right: S::new(n_classes),
            spare: Vec::new(),
            mass: std::marker::PhantomData,
        }
    }

    fn verdict(&mut self, node: &Node, feature: usize, runs: &Runs<M>) -> Verdict {
        self.take_known(node, runs);
        let found = match node.problem.data.column(feature).is_numeric() {
            true => self.best_cut(node, feature, runs),
            false => self.levels(node, feature, runs),
        };
        match found {
            Err(verdict) => verdict,
            Ok(found) => self.judge(node, found),
        }
    }

    fn take_known(&mut self, node: &Node, runs: &Runs<M>) {
        let logs = &node.problem.logs;
        self.known.clear();
        for (class, &mass) in node.totals.classes.iter().enumerate() {
            let mut known = M::from_exact(mass);
            known -= runs.missing(class);
            self.known.add(logs, class, known);
        }
    }

    /// The cut of largest gain, the lowest among equals.
    fn best_cut(&mut self, node: &Node, feature: usize, runs: &Runs<M>) -> Result<Found, Verdict> {
        if M::DEAR_LOGS && S::IS_ENTROPY && node.cases.len() >= SCREEN_FROM {
            if let Some(found) = self.best_of_likely(node, feature, runs) {
                return Ok(found);
            }
        }
        self.best_of_all(node, feature, runs)
    }

    /// The best of the cuts that a quick look leaves; `None` where none of them is admissible.
    fn best_of_likely(&mut self, node: &Node, feature: usize, runs: &Runs<M>) -> Option<Found> {
        let likely = likely_cuts(node, runs, self.known.classes(), &mut self.spare);
        let logs = &node.problem.logs;
        let mut judge = CutJudge {
            node,
            feature,
            whole: self.known.uncertainty(logs),
            noise: noise(node, 2),
            best: None,
        };
        let mut masses = vec![M::default(); self.known.classes().len()];
        let (mut likely, mut last) = (likely.into_iter().peekable(), None);
        runs.for_each(|code, class, mass| {
            if let Some(low) = last.filter(|&low| low != code) {
                if likely.next_if_eq(&low).is_some() {
                    self.left.clear();
                    self.right.clear();
                    for (class, (&part, &all)) in masses.iter().zip(self.known.classes()).enumerate() {
                        let mut rest = all;
                        rest -= part;
                        self.left.add(logs, class, part);
                        self.right.add(logs, class, rest);
                    }
                    judge.consider(&self.left, &self.right, low, code);
                }
            }
            last = Some(code);
            masses[class] += mass;
        });
        judge.best
    }

    fn best_of_all(&mut self, node: &Node, feature: usize, runs: &Runs<M>) -> Result<Found, Verdict> {
        let logs = &node.problem.logs;
        self.left.clear();
        self.right.clear();
        for (class, &mass) in self.known.classes().iter().enumerate() {
            self.right.add(logs, class, mass);
        }
        let whole = self.known.uncertainty(logs);
        let mut judge = CutJudge { node, feature, whole, noise: noise(node, 2), best: None };
        let (left, right) = (&mut self.left, &mut self.right);
        let mut last: Option<u32> = None;
        runs.for_each(|code, class, mass| {
            if let Some(low) = last.filter(|&low| low != code) {
                judge.consider(left, right, low, code);
            }
            last = Some(code);
            left.add(logs, class, mass);
            right.remove(logs, class, mass);
        });
        match judge.best {
            Some(found) => Ok(found),
            None if runs.is_constant() => Err(Verdict::Constant),
            None => Err(Verdict::Rejected),
        }
    }

    /// The partition by all levels.
    fn levels(&mut self, node: &Node, feature: usize, runs: &Runs<M>) -> Result<Found, Verdict> {
        let logs = &node.problem.logs;
        let branch = &mut self.left;
        let (mut uncertainty, mut branch_logs) = (0, 0);
        let (mut n_filled, mut n_large) = (0usize, 0usize);
        let mut close = |branch: &mut S, level: u32| {
            uncertainty += branch.uncertainty(logs);
            branch_logs += branch.total().log(logs);
            n_filled += 1;
            n_large += usize::from(node.is_large(branch.total().exact(), feature, |code| code == level));
            branch.clear();
        };
        branch.clear();
        let mut last = None;
        runs.for_each(|code, class, mass| {
            if let Some(level) = last.filter(|&level| level != code) {
                close(branch, level);
            }
            last = Some(code);
            branch.add(logs, class, mass);
        });
        if let Some(level) = last {
            close(branch, level);
        }
        if n_filled < 2 {
            return Err(Verdict::Constant);
        }
        let gain = self.known.uncertainty(logs) - uncertainty;
        let useless = || gain <= noise(node, n_filled) && !self.informs(runs);
        if n_large < 2 || useless() {
            return Err(Verdict::Rejected);
        }
        Ok(Found { cut: Cut::Levels, gain, branch_logs })
    }

    /// Whether some level's class distribution differs from that of all known rows, exactly.
    fn informs(&self, runs: &Runs<M>) -> bool {
        let known = &self.known;
        let mut classes = vec![0u128; known.classes().len()];
        let mut informs = false;
        let mut last = None;
        let mut close = |classes: &mut Vec<u128>| {
            let total = classes.iter().sum();
            for (mass, all) in classes.iter_mut().zip(known.classes()) {
                informs |= !proportional(*mass, known.total().exact(), all.exact(), total);
                *mass = 0;
            }
        };
        runs.for_each(|code, class, mass| {
            if last.is_some_and(|low| low != code) {
                close(&mut classes);
            }
            last = Some(code);
            classes[class] += mass.exact();
        });
        close(&mut classes);
        informs
    }

    /// Holds the split against the minimum gain and gives it its score.
    fn judge(&self, node: &Node, found: Found) -> Verdict {
        let Node { problem, totals, .. } = node;
        if problem.rules.min_gain > 0.0 {
            let least = problem.rules.min_gain * weight_of(totals.mass) * gain_unit(node);
            if (found.gain as f64) < least {
                return Verdict::Rejected;
            }
        }
        let score = match problem.rules.criterion {
            Criterion::GainRatio => match self.gain_ratio(node, &found) {
                None => return Verdict::Rejected,
                Some(ratio) => ratio,
            },
            Criterion::InfoGain | Criterion::Gini => found.gain,
        };
        Verdict::Candidate(Candidate { score: Score::Exact(score), cut: found.cut })
    }

    /// Gain over split information, unknown rows being one more branch, in units of 2^-30.
    fn gain_ratio(&self, node: &Node, found: &Found) -> Option<i64> {
        let logs = &node.problem.logs;
        let all = M::from_exact(node.totals.mass);
        let mut unknown = all;
        unknown -= self.known.total();
        let information = all.log(logs) - found.branch_logs - unknown.log(logs);
        if information <= 0 {
            return None;
        }
        let ratio = (i128::from(found.gain) << 30).div_euclid(i128::from(information));
        Some(ratio.clamp(i64::MIN.into(), i64::MAX.into()) as i64)
    }
}

/// Keeps the best admissible cut met so far.
struct CutJudge<'a> {
    node: &'a Node<'a>,
    feature: usize,
    whole: i64,
    noise: i64,
    best: Option<Found>,
}

impl CutJudge<'_> {
    #[inline]
    fn consider<M: Mass, S: Side<M>>(&mut self, left: &S, right: &S, low: u32, high: u32) {
        let logs = &self.node.problem.logs;
        let gain = self.whole - left.uncertainty(logs) - right.uncertainty(logs);
        if self.best.as_ref().is_some_and(|best| gain <= best.gain) {
            return;
        }
        if self.is_admissible(left, right, gain, low) {
            let branch_logs = left.total().log(logs) + right.total().log(logs);
            self.best = Some(Found { cut: Cut::Between(low, high), gain, branch_logs });
        }
    }

    fn is_admissible<M: Mass, S: Side<M>>(&self, left: &S, right: &S, gain: i64, low: u32) -> bool {
        let large = |side: &S, holds: &dyn Fn(u32) -> bool| {
            self.node.is_large(side.total().exact(), self.feature, holds)
        };
        if !large(left, &|code| code <= low) || !large(right, &|code| code > low) {
            return false;
        }
        let (part, rest) = (left.total().exact(), right.total().exact());
        let alike = |(a, b): (&M, &M)| proportional(a.exact(), rest, b.exact(), part);
        gain > self.noise || !left.classes().iter().zip(right.classes()).all(alike)
    }
}

/// A gain above this is a gain; at or below it rounding may hide that there is none.
fn noise(node: &Node, n_branches: usize) -> i64 {
    let n_classes = node.problem.n_classes() as i64;
    let n_branches = n_branches as i64 + 1;
    match node.problem.rules.criterion {
        Criterion::Gini => n_branches * ((1 << node.problem.logs.kept_bits()) + (n_classes << 14)),
        _ => n_branches * (n_classes + 1),
    }
}

/// The integer that stands for one unit of weight times one unit of gain.
fn gain_unit(node: &Node) -> f64 {
    match node.problem.rules.criterion {
        Criterion::Gini => f64::from(1u32 << node.problem.logs.kept_bits()) * 4096.0,
        _ => node.problem.logs.scale(),
    }
}

/// ID3's gain in n·nats; zero gain and empty branches do not disqualify.
fn id3_verdict<M: Mass + Gather>(node: &Node, feature: usize, runs: &Runs<M>) -> Verdict {
    let Node { problem, totals, .. } = node;
    let n_classes = problem.n_classes();
    let mut table = vec![0u128; problem.data.column(feature).domain() * n_classes];
    runs.for_each(|code, class, mass| table[code as usize * n_classes + class] += mass.exact());
    let branches = || table.chunks_exact(n_classes);
    let mut known = vec![0u128; n_classes];
    for branch in branches() {
        known.iter_mut().zip(branch).for_each(|(sum, &mass)| *sum += mass);
    }
    if known.iter().all(|&mass| mass == 0) {
        return Verdict::Rejected; // nothing tells the branches apart
    }
    let within: f64 = branches().map(id3_uncertainty).fold(0.0, |sum, u| sum + u);
    let gain = id3_uncertainty(&known) - within;
    let gain = if gain < ID3_ZERO { 0.0 } else { gain };
    let large = |branch: &&[u128]| branch.iter().sum::<u128>() + WEIGHT_SLACK >= problem.rules.min_leaf;
    let too_small = problem.rules.min_leaf > 0 && branches().filter(large).count() < 2;
    let least = problem.rules.min_gain * weight_of(totals.mass) * std::f64::consts::LN_2;
    if too_small || (problem.rules.min_gain > 0.0 && gain < least) {
        return Verdict::Rejected;
    }
    Verdict::Candidate(Candidate { score: Score::Nats(gain), cut: Cut::Levels })
}

fn id3_uncertainty(classes: &[u128]) -> f64 {
    let x_log_x = |mass: u128| match weight_of(mass) {
        0.0 => 0.0,
        x => x * libm::log(x),
    };
    let sum = classes.iter().fold(0.0, |sum, &mass| sum + x_log_x(mass));
    x_log_x(classes.iter().sum()) - sum
}
