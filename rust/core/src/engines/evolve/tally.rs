//! What became of the rules that a run made.

use serde::{Deserialize, Serialize};

use super::judge::Verdict;

/// Rules by verdict; the others were given up before they were rules: no place for a change, or too large.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    pub undefined: u64,
    pub known: u64,
    pub screened: u64,
    pub worse: u64,
    pub scored: u64,
}

impl Tally {
    pub fn count(&mut self, verdict: &Verdict) {
        *match verdict {
            Verdict::Undefined => &mut self.undefined,
            Verdict::Known => &mut self.known,
            Verdict::Screened => &mut self.screened,
            Verdict::Worse => &mut self.worse,
            Verdict::Scored(_) => &mut self.scored,
        } += 1;
    }

    pub fn add(&mut self, other: &Tally) {
        self.undefined += other.undefined;
        self.known += other.known;
        self.screened += other.screened;
        self.worse += other.worse;
        self.scored += other.scored;
    }
}
