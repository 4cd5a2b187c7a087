//! Case sets: made once for each path of splits, kept, and shared by every tree that takes the path.

use rayon::prelude::*;

use super::ranking::{Ranked, Ranking};
use crate::bits::BitSet;
use crate::control::{Control, Interrupt};
use crate::induce::{Cases, Cut, Growth, Problem, Scorer, Totals, Verdict};
use crate::tree::Routing;

/// Index of a case set in its store.
pub type CaseId = u32;

/// A node with at least this many (row, feature) pairs has its features scored in parallel.
const PARALLEL_FROM: usize = 1 << 15;

/// The rows at the end of a path of splits.
pub struct CaseSet {
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
    ranking: Ranking,
    branchings: Vec<Branching>,
}

/// The case sets behind one split of a case set.
pub struct Branching {
    pub feature: u32,
    pub cut: Cut,
    /// Codes up to this one go to branch 0 of a numeric split.
    pub threshold_code: u32,
    pub children: std::ops::Range<CaseId>,
    /// Whole search rows whose value is missing here.
    pub lost: Vec<u32>,
}

impl Branching {
    /// The branch of a known code.
    #[inline]
    pub fn branch(&self, code: u32) -> usize {
        match self.cut {
            Cut::Levels => code as usize,
            Cut::Between(..) => usize::from(code > self.threshold_code),
        }
    }
}

/// All case sets of one problem.
pub struct CaseStore<'p> {
    pub problem: &'p Problem,
    sets: Vec<CaseSet>,
    scorer: Scorer,
    /// Features scored so far, for reporting.
    pub n_scored: u64,
}

impl<'p> CaseStore<'p> {
    /// The store with its root: all training rows, and the rows to be judged on.
    pub fn new(problem: &'p Problem, search: Vec<u32>) -> Self {
        let mut store = CaseStore { problem, sets: Vec::new(), scorer: Scorer::default(), n_scored: 0 };
        let live = BitSet::full(problem.n_features());
        store.add(problem.root_cases(), search, 0, 0, live);
        store
    }

    #[inline]
    pub fn get(&self, id: CaseId) -> &CaseSet {
        &self.sets[id as usize]
    }

    /// The best feature of `allowed` at a case set, `None` where it must be a leaf.
    ///
    /// # Errors
    /// The control's interrupt, before anything is scored.
    pub fn best(
        &mut self,
        id: CaseId,
        allowed: &BitSet,
        control: &Control,
    ) -> Result<Option<Ranked>, Interrupt> {
        if self.get(id).closed {
            return Ok(None);
        }
        while !self.get(id).ranking.is_ready(allowed) {
            let wanted = self.get(id).ranking.to_score(allowed);
            if wanted.is_empty() {
                break;
            }
            control.checkpoint()?;
            let verdicts = self.score(id, &wanted, control);
            self.n_scored += wanted.len() as u64;
            self.sets[id as usize].ranking.take(wanted.into_iter().zip(verdicts));
        }
        Ok(self.get(id).ranking.best(allowed))
    }

    fn score(&mut self, id: CaseId, wanted: &[u32], control: &Control) -> Vec<Verdict> {
        let (problem, scorer) = (self.problem, &mut self.scorer);
        let CaseSet { cases, totals, .. } = &self.sets[id as usize];
        let score =
            |scorer: &mut Scorer, feature: u32| scorer.score(problem, cases, totals, feature as usize);
        if control.is_parallel() && cases.len() * wanted.len() >= PARALLEL_FROM {
            return wanted.par_iter().map_init(Scorer::default, |s, &feature| score(s, feature)).collect();
        }
        wanted.iter().map(|&feature| score(scorer, feature)).collect()
    }

    /// The branching of a case set on a ranked feature, made when first asked for.
    pub fn branch(&mut self, id: CaseId, ranked: Ranked) -> usize {
        let known = self.get(id).branchings.iter().position(|b| b.feature == ranked.feature);
        known.unwrap_or_else(|| self.make_branching(id, ranked))
    }

    /// Branching `index` of a case set.
    #[inline]
    pub fn branching(&self, id: CaseId, index: usize) -> &Branching {
        &self.get(id).branchings[index]
    }

    fn make_branching(&mut self, id: CaseId, Ranked { feature, candidate }: Ranked) -> usize {
        let (problem, cut) = (self.problem, candidate.cut);
        let set = self.get(id);
        let (class, depth) = (set.totals.class, set.depth + 1);
        let mut live = set.ranking.live().clone();
        if problem.rules.growth == Growth::Id3 {
            live.remove(feature as usize);
        }
        let branches = set.cases.split(problem, feature as usize, cut);
        let threshold_code = match cut {
            Cut::Levels => 0,
            Cut::Between(low, high) => problem.threshold_code(feature as usize, low, high),
        };
        let first = self.sets.len() as CaseId;
        let children = first..first + branches.len() as CaseId;
        let mut branching = Branching { feature, cut, threshold_code, children, lost: Vec::new() };
        let searches = self.split_search(id, &mut branching, &branches);
        for (cases, search) in branches.into_iter().zip(searches) {
            self.add(cases, search, class, depth, live.clone());
        }
        let branchings = &mut self.sets[id as usize].branchings;
        branchings.push(branching);
        branchings.len() - 1
    }

    /// Hands the whole search rows to the branches; those whose value is missing follow the routing.
    fn split_search(&self, id: CaseId, branching: &mut Branching, branches: &[Cases]) -> Vec<Vec<u32>> {
        let problem = self.problem;
        let column = problem.data.column(branching.feature as usize);
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
            let heaviest = crate::ordering::first_largest(masses).expect("a split has branches");
            parts[heaviest].append(&mut branching.lost);
        }
        parts
    }

    fn add(&mut self, cases: Cases, search: Vec<u32>, parent_class: u16, depth: u32, live: BitSet) {
        let problem = self.problem;
        let totals = cases.totals(problem, parent_class);
        let wrong = search.iter().filter(|&&row| problem.target[row as usize] != totals.class);
        let leaf_errors = wrong.map(|&row| problem.weights.fine(row)).sum();
        let closed = problem.is_closed(&totals, depth);
        let (cases, live) = if closed { (Cases::default(), BitSet::empty(0)) } else { (cases, live) };
        self.sets.push(CaseSet {
            search: if closed { Vec::new() } else { search },
            weight: Problem::weight(totals.mass),
            depth,
            leaf_errors,
            closed,
            ranking: Ranking::new(live, problem.rules.growth),
            branchings: Vec::new(),
            cases,
            totals,
        });
    }
}
