//! The case sets that the trees of one forest reach, by number.
//!
//! The rows and scores behind them are shared with the stores of other threads; the numbers, and
//! what blocks a split, are the store's own.

use std::ops::Range;
use std::sync::Arc;

use super::closed::Settled;
use super::judging::{Judged, Judging, Price, Pruning};
use super::pure_set::Child;
use super::ranking::{Ranked, Ranking};
use super::shared_set::{SharedSet, SharedSplit, Unscored, branch_of};
use crate::base::bits::{BitSet, Mask};
use crate::base::control::Control;
use crate::base::outcome::Status;
use crate::engines::induce::{Cut, Problem, Scorer, Verdict};

/// Index of a case set in its store.
pub type CaseId = u32;

/// Leaves that a bound counts at the most where something is yet to be grown. More would make some bounds
/// larger, and most of them take longer.
pub(super) const MOST_LEAVES: u64 = 4;

/// A node with at least this many (row, feature) pairs has its features scored in parallel.
const PARALLEL_FROM: usize = 1 << 15;

/// A case set as one store sees it.
pub struct CaseSet<M: Mask> {
    pub(super) shared: Child<M>,
    /// The scores this store knows of.
    ranking: Arc<Ranking<M>>,
    /// What `ranking` knows, at hand: features without a score, and scored candidates.
    unscored: M,
    candidates: M,
    closed: bool,
    /// In units of 2^-50.
    pub mass: u128,
    pub weight: f64,
    /// What pruning goes by, where trees are pruned.
    pub(super) judged: Judged,
    /// What this counts as a leaf: its wrong validation rows, and a leaf.
    pub leaf_value: u64,
    /// What no bound on what is grown here counts more than.
    pub most: u64,
    pub(super) branchings: Vec<Branching<M>>,
    /// What splits settle at once, as far as asked for.
    pub(super) settled: Vec<Settled>,
}

/// The case sets behind one split of a case set.
pub struct Branching<M: Mask> {
    ranked: Ranked,
    threshold_code: u32,
    pub first_child: CaseId,
    pub n_children: u32,
    /// Scored features that would have been chosen before this one.
    pub blocked: M,
    shared: Arc<SharedSplit<M>>,
}

impl<M: Mask> CaseSet<M> {
    fn of(shared: Child<M>, unscored: &Unscored<M>, price: Price) -> Self {
        let closed = shared.is_closed();
        let ranking = match closed {
            true => unscored.closed.clone(),
            false => shared.mixed().scores().clone(),
        };
        let mass = shared.mass();
        let leaf_value = price.value(shared.errors(), 1);
        CaseSet {
            unscored: ranking.unscored().clone(),
            candidates: ranking.candidates().clone(),
            ranking,
            closed,
            mass,
            weight: Problem::weight(mass),
            judged: Judged::default(),
            leaf_value,
            most: if closed { leaf_value } else { price.value(shared.validation_weight(), MOST_LEAVES) },
            branchings: Vec::new(),
            settled: Vec::new(),
            shared,
        }
    }

    /// Goes by newer scores.
    fn rerank(&mut self, ranking: &Arc<Ranking<M>>) {
        self.ranking = ranking.clone();
        self.unscored = ranking.unscored().clone();
        self.candidates = ranking.candidates().clone();
    }

    /// Whether this is a leaf whatever features there are.
    #[inline]
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    #[inline]
    pub fn class(&self) -> u16 {
        self.shared.class()
    }

    /// Weight of one class.
    pub fn class_weight(&self, class: usize) -> f64 {
        Problem::weight(self.shared.class_mass(class))
    }

    /// Candidates scored so far: each of them would make a split of a leaf.
    #[inline]
    pub fn leaf_blocked(&self) -> &M {
        &self.candidates
    }

    /// What becomes of the set under `allowed` features as far as its branchings tell, all of whose
    /// blocking features must be known.
    #[inline]
    fn known(&self, allowed: &M) -> Known {
        if self.unscored.intersects(allowed) {
            return Known::Nothing;
        }
        if !self.candidates.intersects(allowed) {
            return Known::Leaf;
        }
        let stands =
            |b: &Branching<M>| allowed.contains(b.feature() as usize) && !b.blocked.intersects(allowed);
        self.branchings.iter().position(stands).map_or(Known::Nothing, Known::Branching)
    }
}

impl<M: Mask> Branching<M> {
    #[inline]
    pub fn feature(&self) -> u32 {
        self.ranked.feature
    }

    #[inline]
    pub fn cut(&self) -> Cut {
        self.ranked.candidate.cut
    }

    /// Whole validation rows whose value is missing here.
    pub fn lost(&self) -> &[u32] {
        &self.shared.lost
    }

    /// The branch of a known code.
    #[inline]
    pub fn branch(&self, code: u32) -> usize {
        match self.cut() {
            Cut::Group(_) => self.shared.side(code),
            cut => branch_of(cut, self.threshold_code, code),
        }
    }
}

/// What a case set can tell without a look at its scores.
enum Known {
    Leaf,
    Branching(usize),
    Nothing,
}

/// What is kept of the scores of a case set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keeping {
    /// The best ones; what is needed beyond is scored again.
    Best,
    /// All, so that it can be told what blocks a tree.
    All,
}

/// The case sets of one problem that one forest has come to.
pub struct CaseStore<M: Mask> {
    pub problem: Arc<Problem>,
    keeping: Keeping,
    pub(super) sets: Vec<CaseSet<M>>,
    scorer: Scorer,
    unscored: Unscored<M>,
    /// What prunes trees.
    pub(super) pruning: Option<Arc<Pruning>>,
    /// What errors and leaves count.
    pub(super) price: Price,
    /// Whether several threads may score the features of one set.
    scores_in_parallel: bool,
    /// Features scored so far, for reporting.
    pub n_scored: u64,
    /// Entries in the sets' lists of what splits settle.
    pub(super) n_settled: usize,
}

impl<M: Mask> CaseStore<M> {
    /// The store with its root: all training rows, and the rows to be judged on.
    pub fn new(problem: Arc<Problem>, judging: Judging, keeping: Keeping) -> Self {
        let live = M::of_set(&BitSet::full(problem.n_features()));
        let Judging { validation, pruning, price } = judging;
        let unscored = Unscored::new(&problem, keeping == Keeping::All, !validation.is_empty());
        let root = SharedSet::root(&problem, validation, live, &unscored);
        let mut store = Self::over(problem, root, unscored, price, keeping, true);
        let rule = pruning.map(|rule| Pruning::new(rule, &store.problem, store.get(0)));
        store.prune_by(rule.map(Arc::new));
        store
    }

    /// A store for another thread over the same rows and scores.
    pub fn beside(&self) -> Self {
        let root = self.root().clone();
        let unscored = self.unscored.afresh();
        let mut store = Self::over(self.problem.clone(), root, unscored, self.price, self.keeping, false);
        store.prune_by(self.pruning.clone());
        store
    }

    fn prune_by(&mut self, pruning: Option<Arc<Pruning>>) {
        self.pruning = pruning;
        self.judge_from(0);
    }

    /// Says of new case sets what pruning goes by.
    fn judge_from(&mut self, first: usize) {
        if let Some(pruning) = &self.pruning {
            pruning.judge(&mut self.sets[first..]);
        }
    }

    fn over(
        problem: Arc<Problem>,
        root: Arc<SharedSet<M>>,
        unscored: Unscored<M>,
        price: Price,
        keeping: Keeping,
        scores_in_parallel: bool,
    ) -> Self {
        CaseStore {
            sets: vec![CaseSet::of(Child::Mixed(root), &unscored, price)],
            unscored,
            pruning: None,
            price,
            problem,
            keeping,
            scorer: Scorer::default(),
            scores_in_parallel,
            n_scored: 0,
            n_settled: 0,
        }
    }

    #[inline]
    pub fn get(&self, id: CaseId) -> &CaseSet<M> {
        &self.sets[id as usize]
    }

    /// The best feature of `allowed` at a case set, `None` where it must be a leaf.
    ///
    /// # Errors
    /// The control's status, before anything is scored.
    #[inline]
    pub fn best(&mut self, id: CaseId, allowed: &M, control: &Control) -> Result<Option<Ranked>, Status> {
        let set = self.get(id);
        if set.closed {
            return Ok(None);
        }
        if !set.ranking.is_ready(allowed) {
            self.make_ready(id, allowed, control)?;
        }
        Ok(self.get(id).ranking.best(allowed))
    }

    /// The branching that `allowed` features give a case set, `None` where it must be a leaf.
    ///
    /// # Errors
    /// The control's status, before anything is scored.
    #[inline]
    pub fn choose(&mut self, id: CaseId, allowed: &M, control: &Control) -> Result<Option<usize>, Status> {
        let set = self.get(id);
        if set.closed {
            return Ok(None);
        }
        if self.keeping == Keeping::All {
            match set.known(allowed) {
                Known::Leaf => return Ok(None),
                Known::Branching(index) => return Ok(Some(index)),
                Known::Nothing => {}
            }
        }
        let best = self.best(id, allowed, control)?;
        Ok(best.map(|ranked| self.branch(id, ranked)))
    }

    fn make_ready(&mut self, id: CaseId, allowed: &M, control: &Control) -> Result<(), Status> {
        loop {
            let wanted = self.get(id).ranking.to_score(allowed);
            if wanted.is_empty() {
                return Ok(());
            }
            self.score(id, wanted, control)?;
            if self.get(id).ranking.is_ready(allowed) {
                return Ok(());
            }
        }
    }

    /// Whether a case set is a leaf whatever features there are.
    #[inline]
    pub fn is_closed(&self, id: CaseId) -> bool {
        self.get(id).is_closed()
    }

    /// Features that may be candidates at a case set but were not scored.
    #[inline]
    pub fn unscored(&self, id: CaseId) -> &M {
        &self.get(id).unscored
    }

    /// Scores those of `features` that were not.
    ///
    /// # Errors
    /// The control's status, before anything is scored.
    pub fn score_too(&mut self, id: CaseId, features: &M, control: &Control) -> Result<(), Status> {
        let mut wanted = self.unscored(id).clone();
        wanted.intersect_with(features);
        let mut list = Vec::new();
        wanted.for_each(|feature| list.push(feature as u32));
        if list.is_empty() { Ok(()) } else { self.score(id, list, control) }
    }

    /// Scores features that this store has no scores of, unless another has them already.
    fn score(&mut self, id: CaseId, mut wanted: Vec<u32>, control: &Control) -> Result<(), Status> {
        let shared = self.get(id).shared.mixed().clone();
        let mut latest = shared.scores();
        if !Arc::ptr_eq(&latest, &self.get(id).ranking) {
            wanted.retain(|&feature| latest.unscored().contains(feature as usize));
        }
        if !wanted.is_empty() {
            let verdicts = self.verdicts(&shared, &wanted, control)?;
            self.n_scored += wanted.len() as u64;
            // Held by nobody else, most rankings can change in place.
            self.sets[id as usize].ranking = self.unscored.closed.clone();
            let mut ranking = std::mem::replace(&mut *latest, self.unscored.closed.clone());
            let before = ranking.bytes();
            Arc::make_mut(&mut ranking).take(wanted.into_iter().zip(verdicts));
            shared.rescored(before, ranking.bytes());
            *latest = ranking;
        }
        let set = &mut self.sets[id as usize];
        set.rerank(&latest);
        if self.keeping == Keeping::All {
            for branching in &mut set.branchings {
                branching.blocked = set.ranking.before(branching.ranked, self.problem.n_features());
            }
        }
        Ok(())
    }

    /// One verdict a feature, with a look at the control before each.
    fn verdicts(
        &mut self,
        set: &SharedSet<M>,
        wanted: &[u32],
        control: &Control,
    ) -> Result<Vec<Verdict>, Status> {
        let (problem, scorer) = (&*self.problem, &mut self.scorer);
        let (cases, totals) = (&set.cases, &set.totals);
        let score = |scorer: &mut Scorer, &feature: &u32| {
            control.checkpoint()?;
            Ok(scorer.score(problem, cases, totals, feature as usize))
        };
        let parallel = self.scores_in_parallel && control.is_parallel();
        if parallel && cases.len() * wanted.len() >= PARALLEL_FROM {
            return control.map(wanted, Scorer::default, score).into_iter().collect();
        }
        wanted.iter().map(|feature| score(scorer, feature)).collect()
    }

    /// The branching of a case set on a ranked feature, made when first asked for.
    #[inline]
    pub fn branch(&mut self, id: CaseId, ranked: Ranked) -> usize {
        let known = self.get(id).branchings.iter().position(|b| b.feature() == ranked.feature);
        known.unwrap_or_else(|| self.make_branching(id, ranked))
    }

    /// Branching `index` of a case set.
    #[inline]
    pub fn branching(&self, id: CaseId, index: usize) -> &Branching<M> {
        &self.get(id).branchings[index]
    }

    /// The case sets behind a split of a case set.
    pub(super) fn branches(&mut self, id: CaseId, ranked: Ranked) -> Range<CaseId> {
        let index = self.branch(id, ranked);
        let &Branching { first_child, n_children, .. } = self.branching(id, index);
        first_child..first_child + n_children
    }

    fn make_branching(&mut self, id: CaseId, ranked: Ranked) -> usize {
        let set = self.get(id);
        let live = set.ranking.live().clone();
        let shared = set.shared.mixed().split(&self.problem, ranked, live, &self.unscored);
        let branching = Branching {
            ranked,
            threshold_code: shared.threshold_code,
            first_child: self.sets.len() as CaseId,
            n_children: shared.children.len() as u32,
            blocked: set.ranking.before(ranked, self.problem.n_features()),
            shared,
        };
        let children = branching.shared.children.iter().cloned();
        let first = self.sets.len();
        self.sets.extend(children.map(|child| CaseSet::of(child, &self.unscored, self.price)));
        self.judge_from(first);
        let branchings = &mut self.sets[id as usize].branchings;
        if branchings.is_empty() {
            branchings.reserve_exact(1); // most sets never have another
        }
        branchings.push(branching);
        branchings.len() - 1
    }

    fn root(&self) -> &Arc<SharedSet<M>> {
        self.sets[0].shared.mixed()
    }

    /// Bytes held by case sets, those of stores beside this one included, about.
    pub fn n_bytes(&self) -> usize {
        let own = size_of::<CaseSet<M>>() + size_of::<Branching<M>>() / 2;
        let n_bytes = self.root().meter().n_bytes() + self.sets.len() * own;
        let n_bytes = n_bytes + self.n_settled * size_of::<Settled>();
        n_bytes + n_bytes / 4 // what an allocator adds
    }
}
