//! What C4.5 makes of one feature at one node.

use super::sides::Sides;
use crate::induce::cuts::CutJudge;
use crate::induce::runs::{Gather, Runs};
use crate::induce::scorer::{Bench, Candidate, Found, Node, Verdict, gains_enough};
use crate::induce::screen::SCREEN_FROM;
use crate::ordering::Score;
use crate::score::Side;

impl<M: Gather, S: Side<M>> Bench<M, S> {
    /// Gain and split information of a feature.
    pub(in crate::induce) fn c45_verdict(
        &mut self,
        node: &Node,
        feature: usize,
        runs: &Runs<M>,
    ) -> Result<Verdict, Verdict> {
        let (found, charge) = match node.problem.data.column(feature).is_numeric() {
            false => (self.levels(node, feature, runs)?, None),
            true => {
                let (found, n_tried) = self.tried_cuts(node, feature, runs)?;
                (found, Some(node.problem.logs.of_count(n_tried)))
            }
        };
        let gain = found.gain - charge.unwrap_or(0);
        if !gains_enough(node, found.gain) || (charge.is_some() && gain <= 0) {
            return Err(Verdict::Rejected);
        }
        let information = self.split_information(node, &found);
        Ok(Verdict::Candidate(Candidate { score: Score::Gain { gain, information }, cut: found.cut }))
    }

    /// The cut of largest gain among those tried, the lowest among equals, and how many these are.
    fn tried_cuts(&mut self, node: &Node, feature: usize, runs: &Runs<M>) -> Result<(Found, usize), Verdict> {
        let Some(sides) = Sides::of(node, feature, self.known.total().exact()) else {
            return Err(Verdict::Rejected);
        };
        let screens = M::DEAR_LOGS && node.cases.len() >= SCREEN_FROM;
        let tried = if screens { self.try_likely(node, runs, &sides) } else { None };
        match tried.unwrap_or_else(|| self.try_all(node, runs, &sides)) {
            (Some(found), n_tried) => Ok((found, n_tried)),
            (None, _) if runs.is_constant() => Err(Verdict::Constant),
            (None, _) => Err(Verdict::Rejected),
        }
    }

    /// Scores the cuts that a quick look leaves; `None` where one of them gains nothing, so that the
    /// quick look may have been led astray.
    fn try_likely(&mut self, node: &Node, runs: &Runs<M>, sides: &Sides) -> Option<(Option<Found>, usize)> {
        let allow = |masses, codes| sides.allow(masses, codes);
        let n_tried = self.screen.look_at_allowed(runs, self.known.classes(), allow);
        if n_tried == 0 {
            return Some((None, 0));
        }
        let mut judge = CutJudge::new(node, self.known.uncertainty(&node.problem.logs), |_, _, _| true);
        self.score_likely(runs, &mut judge);
        (!judge.turned_down).then_some((judge.best, n_tried))
    }

    fn try_all(&mut self, node: &Node, runs: &Runs<M>, sides: &Sides) -> (Option<Found>, usize) {
        let logs = &node.problem.logs;
        self.left.clear();
        self.right.copy_from(&self.known);
        let (left, right) = (&mut self.left, &mut self.right);
        let mut judge = CutJudge::new(node, self.known.uncertainty(logs), |_, _, _| true);
        let (mut n_tried, mut last) = (0, None);
        runs.for_each(|code, class, mass| {
            if let Some(low) = last.filter(|&low| low != code) {
                if sides.allow((left.total().exact(), right.total().exact()), (low, code)) {
                    n_tried += 1;
                    judge.consider(left, right, low, code);
                }
            }
            last = Some(code);
            left.add(logs, class, mass);
            right.remove(logs, class, mass);
        });
        (judge.best, n_tried)
    }
}
