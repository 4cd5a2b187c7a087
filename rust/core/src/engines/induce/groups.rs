//! The best set of values of a nominal feature against its other values.
//!
//! ```text
//! best group of a node's known rows:
//!     one value asked for:     every level against the rest
//!     two classes:             levels in the order of their share of one class, every prefix
//!     more, up to 8 levels:    every set
//!     more, beyond:            every level, and for every class the prefixes in the order of its share
//! ```
//! Of two classes some prefix is the best of all sets: the uncertainty of a side is concave in what it holds
//! of the classes, so moving a level past another of smaller share from side to side gains nothing (Breiman et
//! al. 1984, section 4.2.2; for any concave measure and any weights). Gain over split information is a
//! quotient of a convex and a concave function of the same two masses, so the same order serves. A limit takes
//! that away: where the best prefix is not admissible, all sets of up to 8 levels are tried.
//!
//! A split is told by its side of fewer levels, or of equally many by the side that lacks the lowest: yes, not
//! no. Levels that do not occur go with the other side. Of equal splits the one whose set has fewer levels is kept, then the one with the lowest levels.
//!
//! # Source
//! Breiman, Friedman, Olshen, Stone, "Classification and Regression Trees", 1984, theorem 4.5.
//!
//! # Complexity
//! Sorting the levels that occur; at most 127 sets where all are tried.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use super::criterion::Criterion;
use super::rules::NominalSplits;
use super::runs::{Gather, Runs};
use super::scorer::{Bench, Cut, Found, Node, Verdict};
use crate::base::bits::BitSet;
use crate::model::score::{Mass, Side, compare_shares, proportional};

/// All sets of so many levels are tried.
const MOST_FOR_ALL: usize = 8;

/// Every set that was found, by number, so that a cut stays small.
#[derive(Debug, Default)]
pub struct Sets {
    known: RwLock<Known>,
}

#[derive(Debug, Default)]
struct Known {
    /// By size of the domain and codes: a set of a smaller domain has no room for the codes of a larger one.
    numbers: HashMap<(usize, Vec<u32>), u32>,
    sets: Vec<Arc<BitSet>>,
}

impl Sets {
    /// The number of a set of ascending codes out of `domain`.
    pub fn number(&self, codes: Vec<u32>, domain: usize) -> u32 {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let set = (domain, codes);
        if let Some(&number) = known.numbers.get(&set) {
            return number;
        }
        let number = known.sets.len() as u32;
        known.sets.push(Arc::new(BitSet::of(domain, set.1.iter().map(|&code| code as usize))));
        known.numbers.insert(set, number);
        number
    }

    /// The set of a number.
    pub fn get(&self, number: u32) -> Arc<BitSet> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).sets[number as usize].clone()
    }
}

/// The levels that occur at a node, ascending, and their known mass by class; buffers.
#[derive(Default)]
pub(super) struct Levels<M> {
    codes: Vec<u32>,
    masses: Vec<M>,
    order: Vec<usize>,
}

impl<M: Gather> Levels<M> {
    fn fill(&mut self, runs: &Runs<M>, n_classes: usize) {
        self.codes.clear();
        self.masses.clear();
        runs.for_each(|code, class, mass| {
            if self.codes.last() != Some(&code) {
                self.codes.push(code);
                self.masses.resize(self.codes.len() * n_classes, M::default());
            }
            let at = (self.codes.len() - 1) * n_classes + class;
            self.masses[at] += mass;
        });
    }

    fn of(&self, level: usize, n_classes: usize) -> &[M] {
        &self.masses[level * n_classes..(level + 1) * n_classes]
    }

    /// Orders the levels by their share of a class; equal ones stay in the order of their codes.
    fn sort_by_share(&mut self, class: usize, n_classes: usize) {
        let part = |own: &[M]| (own[class].exact(), own.iter().map(|mass| mass.exact()).sum());
        let parts: Vec<(u128, u128)> = self.masses.chunks_exact(n_classes).map(part).collect();
        self.order.clear();
        self.order.extend(0..self.codes.len());
        sort_by_shares(&mut self.order, &parts);
    }
}

/// Orders levels by a part and the whole of each.
fn sort_by_shares(levels: &mut [usize], parts: &[(u128, u128)]) {
    levels.sort_by(|&a, &b| compare_shares(parts[a], parts[b]));
}

impl<M: Gather, S: Side<M>> Bench<M, S> {
    /// The best split into a set of levels and the others.
    #[inline(never)] // beside it, the search for cuts would be slower
    pub(super) fn best_group(
        &mut self,
        node: &Node,
        feature: usize,
        runs: &Runs<M>,
    ) -> Result<Found, Verdict> {
        let n_classes = self.known.classes().len();
        let mut levels = std::mem::take(&mut self.levels);
        levels.fill(runs, n_classes);
        let mut search = Search { bench: self, node, feature, levels: &mut levels, n_classes, best: None };
        search.run();
        let best = search.best.take();
        let found = match best {
            _ if levels.codes.len() < 2 => Err(Verdict::Constant),
            None => Err(Verdict::Rejected),
            Some(Best { codes, gain, branch_logs, .. }) => {
                let domain = node.problem.data.column(feature).domain();
                let cut = Cut::Group(node.problem.sets.number(codes, domain));
                Ok(Found { cut, gain, branch_logs })
            }
        };
        self.levels = levels;
        found
    }
}

/// The codes of a set by positions, or of all others: the smaller, or else the one without the lowest.
fn told(mut set: Vec<usize>, codes: &[u32]) -> Vec<u32> {
    set.sort_unstable();
    let is_smaller = (2 * set.len()).cmp(&codes.len());
    let keeps = is_smaller.then((set[0] == 0).cmp(&false)) != Ordering::Greater;
    let is_in = |level: &usize| set.binary_search(level).is_ok() == keeps;
    (0..codes.len()).filter(is_in).map(|level| codes[level]).collect()
}

/// Whether a set goes before an equally good one: it has fewer levels, or as many and lower ones.
fn comes_first(codes: &[u32], others: &[u32]) -> bool {
    (codes.len(), codes) < (others.len(), others)
}

/// The best set met so far, told by its codes.
struct Best {
    codes: Vec<u32>,
    score: i64,
    gain: i64,
    branch_logs: i64,
    /// Whether it gains enough, and both sides are large enough.
    gains: bool,
    is_large: bool,
}

impl Best {
    fn is_admissible(&self) -> bool {
        self.gains && self.is_large
    }
}

struct Search<'a, M: Mass, S: Side<M>> {
    bench: &'a mut Bench<M, S>,
    node: &'a Node<'a>,
    feature: usize,
    levels: &'a mut Levels<M>,
    n_classes: usize,
    best: Option<Best>,
}

impl<M: Gather, S: Side<M>> Search<'_, M, S> {
    fn run(&mut self) {
        let n_levels = self.levels.codes.len();
        if n_levels < 2 {
            return;
        }
        let present: Vec<usize> =
            (0..self.n_classes).filter(|&class| self.bench.known.classes()[class] != M::default()).collect();
        if self.node.problem.rules.nominal_splits == NominalSplits::OneValue {
            return self.single_levels(true);
        }
        if present.len() <= 2 {
            return self.two_classes(present.last().copied().unwrap_or(0));
        }
        if n_levels <= MOST_FOR_ALL {
            return self.all_sets();
        }
        self.single_levels(true);
        present.into_iter().for_each(|class| self.prefixes(class, true));
    }

    /// The best prefix of all, and where that is not admissible the best set that is.
    fn two_classes(&mut self, class: usize) {
        self.prefixes(class, false);
        let goes_by_gain = self.node.problem.rules.criterion != Criterion::GainRatio;
        match self.best.take_if(|best| !best.is_admissible()) {
            None => {}
            Some(best) if goes_by_gain && !best.gains => {} // no other set gains more
            Some(_) if self.levels.codes.len() <= MOST_FOR_ALL => self.all_sets(),
            Some(_) => self.prefixes(class, true),
        }
    }

    /// Every level against the rest.
    fn single_levels(&mut self, admissible_only: bool) {
        for level in 0..self.levels.codes.len() {
            self.start();
            self.pass(level, true);
            self.consider(|_| vec![level], admissible_only);
        }
    }

    /// Every prefix of the levels in the order of their share of a class.
    fn prefixes(&mut self, class: usize, admissible_only: bool) {
        self.levels.sort_by_share(class, self.n_classes);
        self.start();
        for n in 1..self.levels.codes.len() {
            self.pass(self.levels.order[n - 1], true);
            self.consider(|levels| levels.order[..n].to_vec(), admissible_only);
        }
    }

    /// Every set without the last level, one level coming or going at a time.
    fn all_sets(&mut self) {
        let n_levels = self.levels.codes.len();
        self.start();
        let mut set = 0u32;
        for step in 1..1u32 << (n_levels - 1) {
            let level = step.trailing_zeros();
            set ^= 1 << level;
            self.pass(level as usize, set >> level & 1 == 1);
            self.consider(|_| (0..n_levels).filter(|level| set >> level & 1 == 1).collect(), true);
        }
    }

    fn start(&mut self) {
        let Bench { known, left, right, .. } = &mut *self.bench;
        left.clear();
        right.copy_from(known);
    }

    /// Moves a level to the left, or back.
    fn pass(&mut self, level: usize, comes: bool) {
        let logs = &self.node.problem.logs;
        let Bench { left, right, .. } = &mut *self.bench;
        for (class, &mass) in self.levels.of(level, self.n_classes).iter().enumerate() {
            if mass == M::default() {
                continue;
            }
            let (to, from) = if comes { (&mut *left, &mut *right) } else { (&mut *right, &mut *left) };
            to.add(logs, class, mass);
            from.remove(logs, class, mass);
        }
    }

    /// Takes the set on the left if it beats the best, and is admissible where it must be.
    fn consider(&mut self, set: impl Fn(&Levels<M>) -> Vec<usize>, admissible_only: bool) {
        let logs = &self.node.problem.logs;
        let Bench { known, left, right, .. } = &*self.bench;
        let gain = known.uncertainty(logs) - left.uncertainty(logs) - right.uncertainty(logs);
        let branch_logs = left.total().log(logs) + right.total().log(logs);
        let score = match self.node.problem.rules.criterion {
            Criterion::GainRatio => match self.bench.gain_ratio(self.node, gain, branch_logs) {
                None => return,
                Some(ratio) => ratio,
            },
            _ => gain,
        };
        let codes = || told(set(self.levels), &self.levels.codes);
        let is_beaten = |best: &Best| match score.cmp(&best.score) {
            Ordering::Equal => !comes_first(&codes(), &best.codes),
            ordering => ordering == Ordering::Less,
        };
        if self.best.as_ref().is_some_and(is_beaten) {
            return;
        }
        let (gains, is_large) = (self.gains(gain), self.are_large(&|| set(self.levels)));
        if (gains && is_large) || !admissible_only {
            self.best = Some(Best { codes: codes(), score, gain, branch_logs, gains, is_large });
        }
    }

    /// Whether both sides are as large as they must be.
    fn are_large(&self, set: &impl Fn() -> Vec<usize>) -> bool {
        let inside = |code: u32| set().iter().any(|&level| self.levels.codes[level] == code);
        let is_large = |side: &S, holds: bool| {
            self.node.is_large_side(side.total().exact(), self.feature, |code| inside(code) == holds)
        };
        is_large(&self.bench.left, true) && is_large(&self.bench.right, false)
    }

    /// Whether the two sides differ, and by as much as they must.
    fn gains(&self, gain: i64) -> bool {
        let Bench { left, right, .. } = &*self.bench;
        let (part, rest) = (left.total().exact(), right.total().exact());
        let alike = |(a, b): (&M, &M)| proportional(a.exact(), rest, b.exact(), part);
        let noise = Bench::<M, S>::noise(self.node, 2);
        let differ = gain > noise || !left.classes().iter().zip(right.classes()).all(alike);
        differ && Bench::<M, S>::gains_enough(self.node, gain)
    }
}
