//! The features of one case set in the order of their scores, scored when first asked for.

use crate::base::bits::Mask;
use crate::base::ordering::Score;
use crate::engines::induce::{Candidate, Growth, Verdict};

/// Entries kept where not all must be; the rest is scored again in the rare case that it is needed.
const KEPT: usize = 48;

/// Free entries that are not worth a smaller list.
const SLACK: usize = 4;

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
pub struct Ranking<M> {
    ranked: Vec<Ranked>,
    unscored: M,
    evicted: Option<M>,
    /// Features not known to be constant here; what children start from.
    live: M,
    /// All of `ranked`, where all are kept.
    candidates: M,
    sorted: bool,
    keeps_all: bool,
}

impl<M: Mask> Ranking<M> {
    /// Nothing is scored yet; only `live` features ever will be. `none` is the empty set.
    pub fn new(live: M, none: M, growth: Growth, keeps_all: bool) -> Self {
        let sorted = growth != Growth::Id3;
        let unscored = live.clone();
        Ranking { ranked: Vec::new(), unscored, evicted: None, live, candidates: none, sorted, keeps_all }
    }

    /// Features that may be candidates but were not scored.
    #[inline]
    pub fn unscored(&self) -> &M {
        &self.unscored
    }

    /// Features that children may find of use.
    pub fn live(&self) -> &M {
        &self.live
    }

    /// The features of `allowed` that must be scored before [`Ranking::best`] can answer.
    pub fn to_score(&self, allowed: &M) -> Vec<u32> {
        let mut wanted = self.unscored.clone();
        wanted.intersect_with(allowed);
        if let Some(evicted) = &self.evicted
            && wanted.is_empty()
            && self.first_of(allowed).is_none()
        {
            wanted = evicted.clone();
            wanted.intersect_with(allowed);
        }
        let mut list = Vec::new();
        wanted.for_each(|feature| list.push(feature as u32));
        list
    }

    /// Whether [`Ranking::best`] can answer at once.
    #[inline]
    pub fn is_ready(&self, allowed: &M) -> bool {
        !self.unscored.intersects(allowed) && (self.evicted.is_none() || self.first_of(allowed).is_some())
    }

    /// Takes in the verdicts on features that [`Ranking::to_score`] named.
    pub fn take(&mut self, verdicts: impl IntoIterator<Item = (u32, Verdict)>) {
        let verdicts = verdicts.into_iter();
        self.ranked.reserve_exact(verdicts.size_hint().0);
        for (feature, verdict) in verdicts {
            self.unscored.remove(feature as usize);
            if let Some(evicted) = &mut self.evicted {
                evicted.remove(feature as usize);
            }
            match verdict {
                Verdict::Constant => self.live.remove(feature as usize),
                Verdict::Rejected => {}
                Verdict::Candidate(candidate) => {
                    self.ranked.push(Ranked { feature, candidate });
                    if self.keeps_all {
                        self.candidates.insert(feature as usize);
                    }
                }
            }
        }
        if !self.sorted {
            sort_by_feature(&mut self.ranked);
            return;
        }
        sort_by_score(&mut self.ranked);
        if self.ranked.len() > 2 * KEPT && !self.keeps_all {
            self.evict();
        }
        if self.ranked.capacity() > self.ranked.len() + SLACK {
            self.ranked.shrink_to_fit();
        }
    }

    fn evict(&mut self) {
        let fresh = || {
            let mut none = self.unscored.clone();
            none.subtract(&self.unscored);
            none
        };
        let mut evicted = self.evicted.clone().unwrap_or_else(fresh);
        for ranked in self.ranked.drain(KEPT..) {
            evicted.insert(ranked.feature as usize);
        }
        self.evicted = Some(evicted);
    }

    /// The best feature of `allowed`, all of which must be scored.
    #[inline]
    pub fn best(&self, allowed: &M) -> Option<Ranked> {
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

    #[inline]
    fn first_of(&self, allowed: &M) -> Option<Ranked> {
        self.ranked.iter().find(|r| allowed.contains(r.feature as usize)).copied()
    }

    /// The scored features that would be chosen before `chosen`.
    pub fn before(&self, chosen: Ranked, len: usize) -> M {
        if self.sorted {
            let mut set = M::empty(len);
            let better = self.ranked.iter().take_while(|ranked| ranked.feature != chosen.feature);
            better.for_each(|ranked| set.insert(ranked.feature as usize));
            return set;
        }
        let beats = |ranked: &Ranked| match ranked.feature < chosen.feature {
            true => !chosen.candidate.score.beats(ranked.candidate.score),
            false => ranked.candidate.score.beats(chosen.candidate.score),
        };
        self.collect(len, |ranked| ranked.feature != chosen.feature && beats(ranked))
    }

    /// All scored candidates, where all are kept; else none.
    #[inline]
    pub fn candidates(&self) -> &M {
        &self.candidates
    }

    fn collect(&self, len: usize, wanted: impl Fn(&Ranked) -> bool) -> M {
        let mut set = M::empty(len);
        self.ranked.iter().filter(|r| wanted(r)).for_each(|r| set.insert(r.feature as usize));
        set
    }

    /// Bytes held, about.
    pub fn bytes(&self) -> usize {
        let sets = self.live.heap_bytes() + self.unscored.heap_bytes() + self.candidates.heap_bytes();
        size_of::<Self>()
            + self.ranked.capacity() * size_of::<Ranked>()
            + sets
            + self.evicted.as_ref().map_or(0, M::heap_bytes)
    }
}

fn sort_by_feature(ranked: &mut [Ranked]) {
    ranked.sort_unstable_by_key(|ranked| ranked.feature);
}

fn sort_by_score(ranked: &mut [Ranked]) {
    ranked.sort_unstable_by_key(|ranked| (std::cmp::Reverse(exact(ranked)), ranked.feature));
}

fn exact(ranked: &Ranked) -> i64 {
    match ranked.candidate.score {
        Score::Exact(score) => score,
        Score::Nats(_) => unreachable!("ID3's scores are kept in feature order"),
        Score::Gain { .. } => {
            unreachable!("a search refuses growing whose trees depend on untested features")
        }
    }
}
