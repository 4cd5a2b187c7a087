//! The best cut of a numeric feature.
//!
//! Rows pass from the right branch to the left in the order of their values; every place between two
//! values is a cut. Where logarithms are dear, only the cuts that a quick look leaves are scored.

use super::runs::{Gather, Runs};
use super::scorer::{Bench, Cut, Found, Node, Verdict};
use super::screen::SCREEN_FROM;
use super::segments;
use crate::model::score::{Mass, Side, proportional};

impl<M: Gather, S: Side<M>> Bench<M, S> {
    /// The cut of largest gain, the lowest among equals.
    pub(super) fn best_cut(&mut self, node: &Node, feature: usize, runs: &Runs<M>) -> Result<Found, Verdict> {
        if M::DEAR_LOGS
            && S::IS_ENTROPY
            && node.cases.len() >= SCREEN_FROM
            && let Some(found) = self.best_of_likely(node, feature, runs)
        {
            return Ok(found);
        }
        self.best_of_all(node, feature, runs)
    }

    /// The best of the cuts that a quick look leaves; `None` where one of them is not admissible, so
    /// that the quick look may have been led astray.
    fn best_of_likely(&mut self, node: &Node, feature: usize, runs: &Runs<M>) -> Option<Found> {
        let likely = self.screen.likely_cuts(node, runs, self.known.classes());
        let logs = &node.problem.logs;
        let mut judge = CutJudge {
            node,
            feature,
            whole: self.known.uncertainty(logs),
            noise: Self::noise(node, 2),
            best: None,
            turned_down: false,
        };
        let masses = &mut self.masses;
        masses.clear();
        masses.resize(self.known.classes().len(), M::default());
        let (mut n_met, mut last) = (0, None);
        runs.for_each(|code, class, mass| {
            if let Some(low) = last.filter(|&low| low != code)
                && likely.get(n_met) == Some(&low)
            {
                n_met += 1;
                self.left.clear();
                self.right.clear();
                for (class, &part) in masses.iter().enumerate() {
                    let mut rest = self.known.classes()[class];
                    rest -= part;
                    self.left.add(logs, class, part);
                    self.right.add(logs, class, rest);
                }
                judge.consider(&self.left, &self.right, low, code);
            }
            last = Some(code);
            masses[class] += mass;
        });
        judge.best.filter(|_| !judge.turned_down)
    }

    fn best_of_all(&mut self, node: &Node, feature: usize, runs: &Runs<M>) -> Result<Found, Verdict> {
        let logs = &node.problem.logs;
        self.left.clear();
        self.right.copy_from(&self.known);
        let whole = self.known.uncertainty(logs);
        let mut judge =
            CutJudge { node, feature, whole, noise: Self::noise(node, 2), best: None, turned_down: false };
        match S::IS_ENTROPY && segments::suffice(node, self.known.total()) {
            true => self.consider_between_segments(runs, &mut judge),
            false => self.consider_all(runs, &mut judge),
        }
        match judge.best {
            Some(found) => Ok(found),
            None if runs.is_constant() => Err(Verdict::Constant),
            None => Err(Verdict::Rejected),
        }
    }

    fn consider_all(&mut self, runs: &Runs<M>, judge: &mut CutJudge) {
        let (logs, left, right) = (&judge.node.problem.logs, &mut self.left, &mut self.right);
        let mut last: Option<u32> = None;
        runs.for_each(|code, class, mass| {
            if let Some(low) = last.filter(|&low| low != code) {
                judge.consider(left, right, low, code);
            }
            last = Some(code);
            left.add(logs, class, mass);
            right.remove(logs, class, mass);
        });
    }

    fn consider_between_segments(&mut self, runs: &Runs<M>, judge: &mut CutJudge) {
        let (logs, left, right) = (&judge.node.problem.logs, &mut self.left, &mut self.right);
        segments::gather(runs, &mut self.segments);
        let mut last: Option<u32> = None;
        for segment in &self.segments {
            if let Some(low) = last.filter(|_| !segment.shares_value) {
                judge.consider(left, right, low, segment.low);
            }
            last = Some(segment.high);
            left.add(logs, segment.class, segment.mass);
            right.remove(logs, segment.class, segment.mass);
        }
    }
}

/// Keeps the best admissible cut met so far.
struct CutJudge<'a> {
    node: &'a Node<'a>,
    feature: usize,
    whole: i64,
    noise: i64,
    best: Option<Found>,
    /// Whether a cut that would have been the best was not admissible.
    turned_down: bool,
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
        } else {
            self.turned_down = true;
        }
    }

    fn is_admissible<M: Mass, S: Side<M>>(&self, left: &S, right: &S, gain: i64, low: u32) -> bool {
        let large = |side: &S, holds: &dyn Fn(u32) -> bool| {
            self.node.is_large_side(side.total().exact(), self.feature, holds)
        };
        if !large(left, &|code| code <= low) || !large(right, &|code| code > low) {
            return false;
        }
        let (part, rest) = (left.total().exact(), right.total().exact());
        let alike = |(a, b): (&M, &M)| proportional(a.exact(), rest, b.exact(), part);
        gain > self.noise || !left.classes().iter().zip(right.classes()).all(alike)
    }
}
