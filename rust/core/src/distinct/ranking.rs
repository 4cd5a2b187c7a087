//! The features of one case set in the order of their scores, scored when first asked for.

use crate::bits::BitSet;
use crate::induce::{Candidate, Growth, Verdict};
use crate::ordering::Score;

/// Entries kept; the rest is scored again in the rare case that it is needed.
const KEPT: usize = 48;

/// A scored feature.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ranked {
    pub feature: u32,
    pub candidate: Candidate,
}

/// What is known of the features at a case set.
///
/// # Invariants
/// `ranked` is sorted by falling score, equal scores by feature (for ID3, by feature alone); every
/// member of `evicted` scores below all of `ranked`; `unscored`, `evicted` and `ranked` are disjoint.
#[derive(Debug, Clone)]
pub struct Ranking {
    ranked: Vec<Ranked>,
    unscored: BitSet,
    evicted: Option<BitSet>,
    /// Features not known to be constant here; what children start from.
    live: BitSet,
    sorted: bool,
}

impl Ranking {
    /// Nothing is scored yet; only `live` features ever will be.
    pub fn new(live: BitSet, growth: Growth) -> Self {
        Ranking {
            ranked: Vec::new(),
            unscored: live.clone(),
            evicted: None,
            live,
            sorted: growth != Growth::Id3,
        }
    }

    /// Features that children may find of use.
    pub fn live(&self) -> &BitSet {
        &self.live
    }

    /// The features of `allowed` that must be scored before [`Ranking::best`] can answer.
    pub fn to_score(&self, allowed: &BitSet) -> Vec<u32> {
        let mut wanted = self.unscored.clone();
        wanted.intersect_with(allowed);
        if let Some(evicted) = &self.evicted {
            if wanted.is_empty() && self.first_of(allowed).is_none() {
                wanted = evicted.clone();
                wanted.intersect_with(allowed);
            }
        }
        wanted.iter().map(|feature| feature as u32).collect()
    }

    /// Whether [`Ranking::best`] can answer at once.
    pub fn is_ready(&self, allowed: &BitSet) -> bool {
        !self.unscored.intersects(allowed) && (self.evicted.is_none() || self.first_of(allowed).is_some())
    }

    /// Takes in the verdicts on features that [`Ranking::to_score`] named.
    pub fn take(&mut self, verdicts: impl IntoIterator<Item = (u32, Verdict)>) {
        for (feature, verdict) in verdicts {
            self.unscored.remove(feature as usize);
            if let Some(evicted) = &mut self.evicted {
                evicted.remove(feature as usize);
            }
            match verdict {
                Verdict::Constant => self.live.remove(feature as usize),
                Verdict::Rejected => {}
                Verdict::Candidate(candidate) => self.ranked.push(Ranked { feature, candidate }),
            }
        }
        if !self.sorted {
            self.ranked.sort_unstable_by_key(|ranked| ranked.feature);
            return;
        }
        self.ranked.sort_unstable_by_key(|ranked| (std::cmp::Reverse(exact(ranked)), ranked.feature));
        if self.ranked.len() > 2 * KEPT {
            self.evict();
        }
        self.ranked.shrink_to_fit();
    }

    fn evict(&mut self) {
        let mut evicted = self.evicted.take().unwrap_or_else(|| self.unscored.same_size());
        for ranked in self.ranked.drain(KEPT..) {
            evicted.insert(ranked.feature as usize);
        }
        self.evicted = Some(evicted);
    }

    /// The best feature of `allowed`, all of which must be scored.
    pub fn best(&self, allowed: &BitSet) -> Option<Ranked> {
        debug_assert!(self.is_ready(allowed) || self.to_score(allowed).is_empty());
        if self.sorted {
            return self.first_of(allowed);
        }
        let mut best: Option<Ranked> = None;
        for ranked in self.ranked.iter().filter(|r| allowed.contains(r.feature as usize)) {
            if best.is_none_or(|top| ranked.candidate.score.beats(top.candidate.score)) {
                best = Some(*ranked);
            }
        }
        best
    }

    fn first_of(&self, allowed: &BitSet) -> Option<Ranked> {
        self.ranked.iter().find(|r| allowed.contains(r.feature as usize)).copied()
    }
}

fn exact(ranked: &Ranked) -> i64 {
    match ranked.candidate.score {
        Score::Exact(score) => score,
        Score::Nats(_) => unreachable!("ID3's scores are kept in feature order"),
    }
}
