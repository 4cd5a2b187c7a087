//! Case sets under any rules: rows and totals, scored as everywhere else.

use super::cube::{Few, members};
use super::kernel::{Choice, Kernel};
use crate::base::ordering::Score;
use crate::engines::induce::{Candidate, Cases, Problem, Scorer, Totals, Verdict};

/// The case sets of a problem of standard growth.
pub(super) struct Plain<'a>(pub &'a Problem);

/// Rows and what they weigh.
pub(super) struct Counted {
    cases: Cases,
    totals: Totals,
}

/// Buffers of one thread.
#[derive(Default)]
pub(super) struct Bench {
    scorer: Scorer,
    ranked: Vec<(i64, u32, Candidate)>,
}

/// The score of a candidate of standard growth.
pub(super) fn exact(candidate: &Candidate) -> i64 {
    let Score::Exact(score) = candidate.score else {
        unreachable!("only standard growth is counted by cubes")
    };
    score
}

impl Kernel for Plain<'_> {
    type Set = Counted;
    type Bench = Bench;

    fn bench(&self) -> Bench {
        Bench::default()
    }

    fn root(&self) -> Counted {
        let cases = self.0.root_cases();
        Counted { totals: cases.totals(self.0, 0), cases }
    }

    fn is_closed(&self, set: &Counted, depth: u32) -> bool {
        self.0.is_closed(&set.totals, depth)
    }

    fn rank(
        &self,
        bench: &mut Bench,
        set: &Counted,
        features: Few,
        _: Few,
        choices: &mut Vec<Choice>,
    ) -> Few {
        let (mut constant, ranked) = (0, &mut bench.ranked);
        ranked.clear();
        for feature in members(features) {
            match bench.scorer.score(self.0, &set.cases, &set.totals, feature) {
                Verdict::Constant => constant |= 1 << feature,
                Verdict::Rejected => {}
                Verdict::Candidate(candidate) => ranked.push((exact(&candidate), feature as u32, candidate)),
            }
        }
        ranked.sort_unstable_by_key(|&(score, feature, _)| (std::cmp::Reverse(score), feature));
        choices.clear();
        choices.extend(ranked.iter().map(|&(_, feature, candidate)| Choice { feature, cut: candidate.cut }));
        constant
    }

    fn split(&self, _: &mut Bench, set: &Counted, choice: Choice, depth: u32, mut take: impl FnMut(Counted)) {
        for cases in set.cases.split(self.0, choice.feature as usize, choice.cut) {
            let branch = Counted { totals: cases.totals(self.0, set.totals.class), cases };
            if !self.is_closed(&branch, depth) {
                take(branch);
            }
        }
    }

    fn mass(set: &Counted) -> u128 {
        set.totals.mass
    }

    fn n_rows(set: &Counted) -> usize {
        set.cases.len()
    }
}
