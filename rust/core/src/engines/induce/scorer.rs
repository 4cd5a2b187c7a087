//! f(a, C): the score of one feature at one node.
//!
//! The rows are brought into the order of the feature's codes, by counting where the domain is
//! small for the node and by sorting where it is large; then one pass over the runs of equal code
//! and class scores the partition (nominal) or every cut (numeric). All of it is generic over the
//! integer in which weight is counted and over the criterion; every combination gives the same
//! numbers where more than one applies.

use super::c45;
use super::cases::{Cases, Totals};
use super::charge::{Place, charged};
use super::criterion::Criterion;
use super::groups::Levels;
use super::id3::id3_verdict;
use super::problem::{Counting, Problem};
use super::rules::{Growth, NominalSplits};
use super::runs::{Gather, Runs};
use super::screen::Screen;
use super::segments::Segment;
use crate::base::bits::BitSet;
use crate::base::ordering::{Score, WEIGHT_SLACK};
use crate::model::data::FULL_SHARE;
use crate::model::score::{Count, Exact, Mass, Share, Side, proportional, weight_of};

/// How a feature splits a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// One branch for each code.
    Levels,
    /// Codes up to the first, codes from the second on; both occur at the node.
    Between(u32, u32),
    /// The codes of a set of the problem's, and all others.
    Group(u32),
}

impl Cut {
    pub fn n_branches(self, domain: usize) -> usize {
        match self {
            Cut::Levels => domain,
            Cut::Between(..) | Cut::Group(_) => 2,
        }
    }

    /// The branch of a known code; that of a group only its set knows.
    #[inline]
    pub fn branch(self, code: u32) -> usize {
        match self {
            Cut::Levels => code as usize,
            Cut::Between(low, _) => usize::from(code > low),
            Cut::Group(_) => unreachable!("a group is asked for its set"),
        }
    }

    /// The branch of a known code at any cut; a group has its set.
    #[inline]
    pub fn branch_by(self, set: Option<&BitSet>, code: u32) -> usize {
        set.map_or_else(|| self.branch(code), |set| usize::from(!set.contains(code as usize)))
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
    c45: c45::Bench<M>,
    /// Of the criterion that was asked for last.
    bench: Option<(Criterion, Box<dyn Scores<M>>)>,
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
    /// Whether a branch of this known mass is one of the two that must be large; `holds` tells its codes.
    #[inline]
    fn is_large(&self, mass: u128, feature: usize, holds: impl Fn(u32) -> bool) -> bool {
        self.has(self.problem.rules.min_branch, mass, feature, holds)
    }

    /// Whether one side of a split in two is as large as it must be; `holds` tells its codes.
    #[inline]
    pub(super) fn is_large_side(&self, mass: u128, feature: usize, holds: impl Fn(u32) -> bool) -> bool {
        self.has(self.problem.rules.min_side, mass, feature, holds)
    }

    #[inline]
    fn has(&self, least: u128, mass: u128, feature: usize, holds: impl Fn(u32) -> bool) -> bool {
        mass + WEIGHT_SLACK >= least
            || (self.counts_samples() && self.samples(feature, holds) + WEIGHT_SLACK >= least)
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

impl<M: Gather> Benches<M> {
    fn score(&mut self, node: &Node, feature: usize) -> Verdict {
        self.runs.collect(node, feature);
        match node.problem.rules.growth {
            Growth::Id3 => id3_verdict(node, feature, &self.runs),
            Growth::C45 => self.c45.verdict(node, feature, &self.runs),
            Growth::Standard => {
                let criterion = node.problem.rules.criterion;
                let known = self.bench.take().filter(|(of, _)| *of == criterion);
                let make = || (criterion, criterion.bench(node.problem.n_classes()));
                let (_, bench) = self.bench.insert(known.unwrap_or_else(make));
                bench.verdict(node, feature, &self.runs)
            }
        }
    }
}

/// What scores the features of a node by one criterion.
pub(super) trait Scores<M: Mass>: Send + Sync {
    fn verdict(&mut self, node: &Node, feature: usize, runs: &Runs<M>) -> Verdict;
}

/// Three branches: the known rows, and the two sides of a cut or the branch of one code.
pub(super) struct Bench<M: Mass, S: Side<M>> {
    pub known: S,
    pub left: S,
    pub right: S,
    pub screen: Screen,
    pub masses: Vec<M>,
    pub segments: Vec<Segment<M>>,
    pub levels: Levels<M>,
    places: Vec<Place<M>>,
}

impl<M: Gather, S: Side<M>> Scores<M> for Bench<M, S> {
    fn verdict(&mut self, node: &Node, feature: usize, runs: &Runs<M>) -> Verdict {
        self.take_known(node, runs);
        let found = match node.problem.data.column(feature).is_numeric() {
            true => self.best_cut(node, feature, runs),
            false if node.problem.rules.nominal_splits == NominalSplits::Multiway => {
                self.by_level(node, feature, runs)
            }
            false => self.best_group(node, feature, runs),
        };
        match found {
            Err(verdict) => verdict,
            Ok(found) => self.judge(node, feature, runs, found),
        }
    }
}

/// The best split of one feature, before it is judged against other features.
pub(super) struct Found {
    pub cut: Cut,
    pub gain: i64,
    /// F(n_b) summed over the branches.
    pub branch_logs: i64,
}

impl<M: Gather, S: Side<M>> Bench<M, S> {
    pub(super) fn new(n_classes: usize) -> Self {
        Bench {
            known: S::new(n_classes),
            left: S::new(n_classes),
            right: S::new(n_classes),
            screen: Screen::new(),
            masses: Vec::new(),
            segments: Vec::new(),
            levels: Levels::default(),
            places: Vec::new(),
        }
    }

    /// Counts the known rows, unless they weigh what those of the feature before did.
    fn take_known(&mut self, node: &Node, runs: &Runs<M>) {
        let known = |class: usize| {
            let mut known = M::from_exact(node.totals.classes[class]);
            known -= runs.missing(class);
            known
        };
        if self.known.classes().iter().enumerate().all(|(class, &mass)| mass == known(class)) {
            return;
        }
        self.known.clear();
        for class in 0..node.totals.classes.len() {
            self.known.add(&node.problem.logs, class, known(class));
        }
    }

    /// The partition by all levels.
    fn by_level(&mut self, node: &Node, feature: usize, runs: &Runs<M>) -> Result<Found, Verdict> {
        let logs = &node.problem.logs;
        let branch = &mut self.left;
        let (mut uncertainty, mut branch_logs) = (0, 0);
        let (mut n_filled, mut n_large, mut are_leaves) = (0usize, 0usize, true);
        let min_leaf = node.problem.rules.min_leaf.saturating_sub(WEIGHT_SLACK);
        let mut close = |branch: &mut S, level: u32| {
            uncertainty += branch.uncertainty(logs);
            branch_logs += branch.total().log(logs);
            n_filled += 1;
            let mass = branch.total().exact();
            n_large += usize::from(node.is_large(mass, feature, |code| code == level));
            are_leaves &= mass >= min_leaf;
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
        let useless = || gain <= Self::noise(node, n_filled) && !self.informs(runs);
        if n_large < 2 || !are_leaves || useless() {
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

    /// Holds the split against the minimum gain, takes off what its threshold costs and gives it
    /// its score.
    fn judge(&mut self, node: &Node, feature: usize, runs: &Runs<M>, mut found: Found) -> Verdict {
        if !Self::gains_enough(node, found.gain) {
            return Verdict::Rejected;
        }
        if node.problem.rules.mdl_correction && matches!(found.cut, Cut::Between(..)) {
            match charged(node, feature, runs, found.gain, &mut self.places) {
                None => return Verdict::Rejected,
                Some(rest) => found.gain = rest,
            }
        }
        let score = match node.problem.rules.criterion {
            Criterion::GainRatio => match self.gain_ratio(node, found.gain, found.branch_logs) {
                None => return Verdict::Rejected,
                Some(ratio) => ratio,
            },
            _ => found.gain,
        };
        Verdict::Candidate(Candidate { score: Score::Exact(score), cut: found.cut })
    }

    /// Gain over split information, unknown rows being one more branch, in units of 2^-30.
    pub(super) fn gain_ratio(&self, node: &Node, gain: i64, branch_logs: i64) -> Option<i64> {
        let logs = &node.problem.logs;
        let all = M::from_exact(node.totals.mass);
        let mut unknown = all;
        unknown -= self.known.total();
        let information = all.log(logs) - branch_logs - unknown.log(logs);
        if information <= 0 {
            return None;
        }
        let ratio = (i128::from(gain) << 30).div_euclid(i128::from(information));
        Some(ratio.clamp(i64::MIN.into(), i64::MAX.into()) as i64)
    }

    /// A gain above this is a gain; at or below it rounding may hide that there is none.
    pub(super) fn noise(node: &Node, n_branches: usize) -> i64 {
        (n_branches as i64 + 1) * S::noise(&node.problem.logs, node.problem.n_classes())
    }

    /// Whether a gain, before any charge, is at least the minimum.
    pub(super) fn gains_enough(node: &Node, gain: i64) -> bool {
        let (min_gain, unit) = (node.problem.rules.min_gain, S::unit(&node.problem.logs));
        min_gain <= 0.0 || gain as f64 >= min_gain * weight_of(node.totals.mass) * unit
    }
}
