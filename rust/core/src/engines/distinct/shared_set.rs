//! What stores share of a case set: its rows, its scores, and the case sets behind its splits.
//!
//! A case set depends on the path that leads to it and on nothing else, so each is made once and
//! scored once, whichever thread comes first; others wait for it at the set's own lock and take it
//! over. Stores hold on to what they use. A split that some store forgets is made anew when it is
//! asked for again, so forgetting costs time only.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::pure_set::{Child, PureSet};
use super::ranking::{Ranked, Ranking};
use crate::base::bits::{BitSet, Mask};
use crate::base::lock::locked;
use crate::base::ordering::first_largest;
use crate::engines::induce::{Cases, Cut, Growth, Problem, Totals};
use crate::model::tree::Routing;

/// Bytes held by all case sets of a problem, about.
#[derive(Debug, Default)]
pub(super) struct Meter(AtomicUsize);

impl Meter {
    pub fn n_bytes(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    fn add(&self, n: usize) {
        self.0.fetch_add(n, Ordering::Relaxed);
    }

    fn subtract(&self, n: usize) {
        self.0.fetch_sub(n, Ordering::Relaxed);
    }
}

/// The rows at the end of a path of splits, and what was found out about them.
pub(super) struct SharedSet<M: Mask> {
    pub cases: Cases,
    /// Whole validation rows that come here.
    search: Vec<u32>,
    pub totals: Totals,
    pub depth: u32,
    /// Weight of validation rows that are wrong if this is a leaf, in units of 2^-20.
    pub leaf_errors: u64,
    /// Weight of all validation rows that come here, in units of 2^-20.
    pub validation_weight: u64,
    /// A leaf whatever features there are.
    pub closed: bool,
    scores: Mutex<Arc<Ranking<M>>>,
    splits: Mutex<Vec<Arc<SharedSplit<M>>>>,
    meter: Arc<Meter>,
}

/// The case sets behind one split of a case set.
pub(super) struct SharedSplit<M: Mask> {
    pub ranked: Ranked,
    /// Codes up to this one go to branch 0 of a numeric split; right for training rows alone where
    /// there are none to be judged on.
    pub threshold_code: u32,
    /// The codes that go to branch 0 of a group.
    set: Option<Arc<BitSet>>,
    /// Whole validation rows whose value is missing here.
    pub lost: Vec<u32>,
    pub children: Box<[Child<M>]>,
}

impl<M: Mask> SharedSplit<M> {
    /// The branch of a known code.
    #[inline]
    fn branch(&self, code: u32) -> usize {
        match self.ranked.candidate.cut {
            Cut::Group(_) => self.side(code),
            cut => branch_of(cut, self.threshold_code, code),
        }
    }

    /// The side of a group that a known code is on.
    pub fn side(&self, code: u32) -> usize {
        let set = self.set.as_ref().expect("a group has its set");
        usize::from(!set.contains(code as usize))
    }
}

/// The branch that a known code takes at a cut that needs no set.
#[inline]
pub(super) fn branch_of(cut: Cut, threshold_code: u32, code: u32) -> usize {
    match cut {
        Cut::Levels => code as usize,
        Cut::Between(..) => usize::from(code > threshold_code),
        Cut::Group(_) => unreachable!("a group is asked for its set"),
    }
}

/// Validation rows with codes up to this one go to branch 0 of a numeric split.
pub(super) fn threshold_code(problem: &Problem, ranked: Ranked) -> u32 {
    match ranked.candidate.cut {
        Cut::Levels | Cut::Group(_) => 0,
        Cut::Between(low, high) => problem.threshold_code(ranked.feature as usize, low, high),
    }
}

/// What a new set takes from above, and what it begins with.
struct Place<'a, M> {
    parent_class: u16,
    depth: u32,
    live: M,
    unscored: &'a Unscored<M>,
}

/// The rankings that new sets begin with.
pub(super) struct Unscored<M> {
    /// That of a leaf whatever features there are: most sets are that.
    pub closed: Arc<Ranking<M>>,
    growth: Growth,
    keeps_all: bool,
    /// Whether there are rows to be judged on.
    judges: bool,
    none: M,
}

impl<M: Mask> Unscored<M> {
    pub fn new(problem: &Problem, keeps_all: bool, judges: bool) -> Self {
        let (none, growth) = (M::empty(problem.n_features()), problem.rules.growth);
        let closed = Arc::new(Ranking::new(none.clone(), none.clone(), growth, keeps_all));
        Unscored { closed, growth, keeps_all, judges, none }
    }

    /// The same for another thread, so that the two do not count references in one place.
    pub fn afresh(&self) -> Self {
        let closed = Arc::new(Ranking::clone(&self.closed));
        Unscored { closed, none: self.none.clone(), ..*self }
    }

    fn ranking(&self, live: M) -> Arc<Ranking<M>> {
        Arc::new(Ranking::new(live, self.none.clone(), self.growth, self.keeps_all))
    }
}

impl<M: Mask> SharedSet<M> {
    /// All training rows, and the rows to be judged on.
    pub fn root(problem: &Problem, search: Vec<u32>, live: M, unscored: &Unscored<M>) -> Arc<Self> {
        let place = Place { parent_class: 0, depth: 0, live, unscored };
        Self::new(problem, problem.root_cases(), search, &place, Arc::default())
    }

    fn new(
        problem: &Problem,
        cases: Cases,
        search: Vec<u32>,
        place: &Place<M>,
        meter: Arc<Meter>,
    ) -> Arc<Self> {
        let totals = cases.totals(problem, place.parent_class);
        let leaf_errors = search.iter().map(|&row| problem.loss(row, totals.class)).sum();
        let validation_weight = search.iter().map(|&row| problem.largest_loss(row)).sum();
        let closed = problem.is_closed(&totals, place.depth);
        let (cases, search, ranking) = match closed {
            true => (Cases::default(), Vec::new(), place.unscored.closed.clone()),
            false => (cases, search, place.unscored.ranking(place.live.clone())),
        };
        let set = SharedSet {
            cases,
            search,
            depth: place.depth,
            leaf_errors,
            validation_weight,
            closed,
            scores: Mutex::new(ranking),
            splits: Mutex::default(),
            totals,
            meter,
        };
        set.meter.add(set.own_bytes() + if closed { 0 } else { locked(&set.scores).bytes() });
        Arc::new(set)
    }

    /// Whole validation rows that come here; none where that is a leaf in any case.
    pub fn search(&self) -> &[u32] {
        &self.search
    }

    pub fn meter(&self) -> &Meter {
        &self.meter
    }

    /// The latest scores; whoever holds them may add to them.
    pub fn scores(&self) -> MutexGuard<'_, Arc<Ranking<M>>> {
        locked(&self.scores)
    }

    /// Tells of a change of the scores' size.
    pub fn rescored(&self, before: usize, after: usize) {
        self.meter.add(after);
        self.meter.subtract(before);
    }

    /// The split on a ranked feature, made when first asked for; `live` are the features that may
    /// be of use below.
    pub fn split(
        &self,
        problem: &Problem,
        ranked: Ranked,
        mut live: M,
        unscored: &Unscored<M>,
    ) -> Arc<SharedSplit<M>> {
        let mut splits = locked(&self.splits);
        if let Some(known) = splits.iter().find(|split| split.ranked.feature == ranked.feature) {
            return known.clone();
        }
        if problem.rules.growth == Growth::Id3 {
            live.remove(ranked.feature as usize);
        }
        let place = Place { parent_class: self.totals.class, depth: self.depth + 1, live, unscored };
        let split = Arc::new(self.make_split(problem, ranked, &place));
        self.meter.add(split_bytes(&split));
        splits.push(split.clone());
        split
    }

    /// Forgets a split; stores that use it keep it.
    pub fn forget(&self, feature: u32) {
        let mut splits = locked(&self.splits);
        if let Some(at) = splits.iter().position(|split| split.ranked.feature == feature) {
            let gone = splits.swap_remove(at);
            drop(splits);
            self.meter.subtract(split_bytes(&gone));
        }
    }

    fn make_split(&self, problem: &Problem, ranked: Ranked, place: &Place<M>) -> SharedSplit<M> {
        let (feature, cut) = (ranked.feature as usize, ranked.candidate.cut);
        let branches = self.cases.split(problem, feature, cut);
        let mut split = SharedSplit {
            ranked,
            threshold_code: match cut {
                Cut::Between(low, _) if !place.unscored.judges => low, // the training rows' own
                _ => threshold_code(problem, ranked),
            },
            set: match cut {
                Cut::Group(number) => Some(problem.sets.get(number)),
                _ => None,
            },
            lost: Vec::new(),
            children: Box::default(),
        };
        let searches = self.split_search(problem, &mut split, &branches);
        let children = branches.into_iter().zip(searches);
        split.children = children
            .map(|(cases, search)| match PureSet::of(problem, &cases, &search, place.parent_class) {
                Some(pure) => Child::Pure(pure),
                None => Child::Mixed(Self::new(problem, cases, search, place, self.meter.clone())),
            })
            .collect();
        split
    }

    /// Hands the whole validation rows to the branches; those whose value is missing follow the routing.
    fn split_search(
        &self,
        problem: &Problem,
        split: &mut SharedSplit<M>,
        branches: &[Cases],
    ) -> Vec<Vec<u32>> {
        let column = problem.data.column(split.ranked.feature as usize);
        let mut parts = vec![Vec::new(); branches.len()];
        for &row in &self.search {
            let code = column.codes.get(row as usize);
            if code as usize == column.domain() {
                split.lost.push(row);
            } else {
                parts[split.branch(code)].push(row);
            }
        }
        if problem.routing != Routing::Distribute && !split.lost.is_empty() {
            let masses = branches.iter().map(|cases| cases.mass(problem));
            let heaviest = first_largest(masses).expect("a split has branches");
            parts[heaviest].append(&mut split.lost);
        }
        parts
    }

    /// Bytes of the set itself, without scores and splits.
    fn own_bytes(&self) -> usize {
        let rows =
            (self.cases.whole.capacity() + self.search.capacity()) * 4 + self.cases.part.capacity() * 8;
        size_of::<Self>() + rows + size_of_val(&*self.totals.classes)
    }
}

fn split_bytes<M: Mask>(split: &SharedSplit<M>) -> usize {
    size_of::<SharedSplit<M>>() + split.lost.capacity() * 4 + size_of_val(&*split.children)
}

impl<M: Mask> Drop for SharedSet<M> {
    /// Sets below go one after the other, not one inside the other: paths may be long.
    fn drop(&mut self) {
        let mut going = Vec::new();
        self.let_go(&mut going);
        while let Some(set) = going.pop() {
            if let Some(mut set) = Arc::into_inner(set) {
                set.let_go(&mut going);
            }
        }
    }
}

impl<M: Mask> SharedSet<M> {
    /// Gives up what the set holds; the sets below that nobody else has go to `going`.
    fn let_go(&mut self, going: &mut Vec<Arc<Self>>) {
        let scores = self.scores.get_mut().unwrap_or_else(PoisonError::into_inner);
        let scores = if self.closed { 0 } else { scores.bytes() };
        let splits = std::mem::take(self.splits.get_mut().unwrap_or_else(PoisonError::into_inner));
        if !self.totals.classes.is_empty() {
            self.meter.subtract(self.own_bytes() + scores);
            self.totals.classes = Box::default(); // told once
        }
        for split in splits {
            self.meter.subtract(split_bytes(&split));
            if let Some(split) = Arc::into_inner(split) {
                going.extend(split.children.into_iter().filter_map(|child| match child {
                    Child::Mixed(set) => Some(set),
                    Child::Pure(_) => None,
                }));
            }
        }
    }
}
