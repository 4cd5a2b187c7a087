//! Case sets: made once for each path of splits, kept, and shared by every tree that takes the path.

use std::sync::Arc;

use rayon::prelude::*;

use super::ranking::{Ranked, Ranking};
use crate::bits::{BitSet, Mask};
use crate::control::{Control, Interrupt};
use crate::induce::{Cases, Cut, Growth, Problem, Scorer, Totals, Verdict};
use crate::ordering::first_largest;
use crate::tree::Routing;

/// Index of a case set in its store.
pub type CaseId = u32;

/// A node with at least this many (row, feature) pairs has its features scored in parallel.
const PARALLEL_FROM: usize = 1 << 15;

/// The rows at the end of a path of splits.
pub struct CaseSet<M> {
    cases: Cases,
    /// Whole search rows that come here.
    search: Vec<u32>,
    pub totals: Totals,
    pub weight: f64,
    pub depth: u32,
    /// Weight of search rows that are wrong if this is a leaf, in units of 2^-20.
    pub leaf_errors: u64,
    /// A leaf whatever features there are.
    closed: bool,
    /// Candidates scored so far: each of them would make a split of a leaf.
    pub leaf_blocked: M,
    ranking: Ranking<M>,
    branchings: Vec<Branching<M>>,
}

/// The case sets behind one split of a case set.
pub struct Branching<M> {
    ranked: Ranked,
    /// Codes up to this one go to branch 0 of a numeric split.
    pub threshold_code: u32,
    pub first_child: CaseId,
    pub n_children: u32,
    /// Scored features that would have been chosen before this one.
    pub blocked: M,
    /// Whole search rows whose value is missing here.
    pub lost: Vec<u32>,
}

impl<M> Branching<M> {
    #[inline]
    pub fn feature(&self) -> u32 {
        self.ranked.feature
    }

    #[inline]
    pub fn cut(&self) -> Cut {
        self.ranked.candidate.cut
    }

    /// The branch of a known code.
    #[inline]
    pub fn branch(&self, code: u32) -> usize {
        match self.cut() {
            Cut::Levels => code as usize,
            Cut::Between(..) => usize::from(code > self.threshold_code),
        }
    }
}

/// What is kept of the scores of a case set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keeping {
    /// The best ones; what is needed beyond is scored again.
    Best,
    /// All, so that it can be told what blocks a tree.
    All,
}

/// How far a store had grown, to cut it back to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoreMark {
    n_sets: usize,
    n_branchings: usize,
}

/// All case sets of one problem.
pub struct CaseStore<M> {
    pub problem: Arc<Problem>,
    keeping: Keeping,
    sets: Vec<CaseSet<M>>,
    /// The case set of every branching, in the order they were made.
    journal: Vec<CaseId>,
    scorer: Scorer,
    n_bytes: usize,
    /// Features scored so far, for reporting.
    pub n_scored: u64,
}

impl<M: Mask> CaseStore<M> {
    /// The store with its root: all training rows, and the rows to be judged on.
    pub fn new(problem: Arc<Problem>, search: Vec<u32>, keeping: Keeping) -> Self {
        let (root, live) = (problem.root_cases(), M::of_set(&BitSet::full(problem.n_features())));
        let mut store = CaseStore {
            problem,
            keeping,
            sets: Vec::new(),
            journal: Vec::new(),
            scorer: Scorer::default(),
            n_bytes: 0,
            n_scored: 0,
        };
        store.add(root, search, 0, 0, live);
        store
    }

    #[inline]
    pub fn get(&self, id: CaseId) -> &CaseSet<M> {
        &self.sets[id as usize]
    }

    /// The best feature of `allowed` at a case set, `None` where it must be a leaf.
    ///
    /// # Errors
    /// The control's interrupt, before anything is scored.
    #[inline]
    pub fn best(&mut self, id: CaseId, allowed: &M, control: &Control) -> Result<Option<Ranked>, Interrupt> {
        let set = self.get(id);
        if set.closed {
            return Ok(None);
        }
        if !set.ranking.is_ready(allowed) {
            self.make_ready(id, allowed, control)?;
        }
        Ok(self.get(id).ranking.best(allowed))
    }

    fn make_ready(&mut self, id: CaseId, allowed: &M, control: &Control) -> Result<(), Interrupt> {
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
        self.get(id).closed
    }

    /// Features that may be candidates at a case set but were not scored.
    #[inline]
    pub fn unscored(&self, id: CaseId) -> &M {
        self.get(id).ranking.unscored()
    }

    /// Scores those of `features` that were not.
    ///
    /// # Errors
    /// The control's interrupt, before anything is scored.
    pub fn score_too(&mut self, id: CaseId, features: &M, control: &Control) -> Result<(), Interrupt> {
        let mut wanted = self.unscored(id).clone();
        wanted.intersect_with(features);
        let mut list = Vec::new();
        wanted.for_each(|feature| list.push(feature as u32));
        if list.is_empty() { Ok(()) } else { self.score(id, list, control) }
    }

    fn score(&mut self, id: CaseId, wanted: Vec<u32>, control: &Control) -> Result<(), Interrupt> {
        let verdicts = self.verdicts(id, &wanted, control)?;
        self.n_scored += wanted.len() as u64;
        let n_features = self.problem.n_features();
        let set = &mut self.sets[id as usize];
        self.n_bytes -= set.ranking.heap_bytes();
        set.ranking.take(wanted.into_iter().zip(verdicts));
        self.n_bytes += set.ranking.heap_bytes();
        if self.keeping == Keeping::All {
            set.leaf_blocked = set.ranking.candidates(n_features);
            for branching in &mut set.branchings {
                branching.blocked = set.ranking.before(branching.ranked, n_features);
            }
        }
        Ok(())
    }

    /// One verdict a feature, with a look at the control before each.
    fn verdicts(&mut self, id: CaseId, wanted: &[u32], control: &Control) -> Result<Vec<Verdict>, Interrupt> {
        let (problem, scorer) = (&*self.problem, &mut self.scorer);
        let CaseSet { cases, totals, .. } = &self.sets[id as usize];
        let score = |scorer: &mut Scorer, &feature: &u32| {
            control.checkpoint()?;
            Ok(scorer.score(problem, cases, totals, feature as usize))
        };
        if control.is_parallel() && cases.len() * wanted.len() >= PARALLEL_FROM {
            return wanted.par_iter().map_init(Scorer::default, score).collect();
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

    fn make_branching(&mut self, id: CaseId, ranked: Ranked) -> usize {
        let (problem, feature) = (self.problem.clone(), ranked.feature as usize);
        let (set, cut) = (self.get(id), ranked.candidate.cut);
        let (class, depth) = (set.totals.class, set.depth + 1);
        let mut live = set.ranking.live().clone();
        if problem.rules.growth == Growth::Id3 {
            live.remove(feature);
        }
        let branches = set.cases.split(&problem, feature, cut);
        let mut branching = Branching {
            ranked,
            threshold_code: match cut {
                Cut::Levels => 0,
                Cut::Between(low, high) => problem.threshold_code(feature, low, high),
            },
            first_child: self.sets.len() as CaseId,
            n_children: branches.len() as u32,
            blocked: set.ranking.before(ranked, problem.n_features()),
            lost: Vec::new(),
        };
        let searches = self.split_search(id, &mut branching, &branches);
        for (cases, search) in branches.into_iter().zip(searches) {
            self.add(cases, search, class, depth, live.clone());
        }
        self.n_bytes += branching.bytes();
        self.journal.push(id);
        let branchings = &mut self.sets[id as usize].branchings;
        branchings.push(branching);
        branchings.len() - 1
    }

    /// Hands the whole search rows to the branches; those whose value is missing follow the routing.
    fn split_search(&self, id: CaseId, branching: &mut Branching<M>, branches: &[Cases]) -> Vec<Vec<u32>> {
        let problem = &self.problem;
        let column = problem.data.column(branching.feature() as usize);
        let mut parts = vec![Vec::new(); branches.len()];
        for &row in &self.get(id).search {
            let code = column.codes.get(row as usize);
            if code as usize == column.domain() {
                branching.lost.push(row);
            } else {
                parts[branching.branch(code)].push(row);
            }
        }
        if problem.routing != Routing::Distribute && !branching.lost.is_empty() {
            let masses = branches.iter().map(|cases| cases.mass(problem));
            let heaviest = first_largest(masses).expect("a split has branches");
            parts[heaviest].append(&mut branching.lost);
        }
        parts
    }

    fn add(&mut self, cases: Cases, search: Vec<u32>, parent_class: u16, depth: u32, live: M) {
        let problem = &self.problem;
        let n_features = problem.n_features();
        let totals = cases.totals(problem, parent_class);
        let wrong = search.iter().filter(|&&row| problem.target[row as usize] != totals.class);
        let leaf_errors = wrong.map(|&row| problem.weights.fine(row)).sum();
        let closed = problem.is_closed(&totals, depth);
        let (cases, live) = if closed { (Cases::default(), M::empty(n_features)) } else { (cases, live) };
        let set = CaseSet {
            search: if closed { Vec::new() } else { search },
            weight: Problem::weight(totals.mass),
            depth,
            leaf_errors,
            closed,
            leaf_blocked: M::empty(n_features),
            ranking: Ranking::new(live, problem.rules.growth, self.keeping == Keeping::All),
            branchings: Vec::new(),
            cases,
            totals,
        };
        self.n_bytes += set.bytes();
        self.sets.push(set);
    }

    /// Bytes held by case sets, about.
    pub fn n_bytes(&self) -> usize {
        self.n_bytes
    }

    /// Where the store stands.
    pub fn mark(&self) -> StoreMark {
        StoreMark { n_sets: self.sets.len(), n_branchings: self.journal.len() }
    }

    /// Forgets the case sets made since `mark`; no tree may hold one any more.
    pub fn cut_back(&mut self, mark: StoreMark) {
        for &id in &self.journal[mark.n_branchings..] {
            if (id as usize) < mark.n_sets {
                let gone = self.sets[id as usize].branchings.pop();
                self.n_bytes -= gone.expect("the journal names one entry a branching").bytes();
            }
        }
        self.journal.truncate(mark.n_branchings);
        let gone = self.sets[mark.n_sets..].iter().map(CaseSet::all_bytes).sum::<usize>();
        self.n_bytes -= gone;
        self.sets.truncate(mark.n_sets);
    }
}

impl<M: Mask> Branching<M> {
    fn bytes(&self) -> usize {
        size_of::<Self>() + self.lost.capacity() * size_of::<u32>() + self.blocked.heap_bytes()
    }
}

impl<M: Mask> CaseSet<M> {
    /// Bytes of the set itself, its ranking included, its branchings left out.
    fn bytes(&self) -> usize {
        let rows =
            (self.cases.whole.capacity() + self.search.capacity()) * 4 + self.cases.part.capacity() * 8;
        size_of::<Self>() + rows + size_of_val(&*self.totals.classes) + self.ranking.heap_bytes()
    }

    fn all_bytes(&self) -> usize {
        self.bytes() + self.branchings.iter().map(Branching::bytes).sum::<usize>()
    }
}
