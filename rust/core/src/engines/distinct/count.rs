//! Counting the distinct trees, with the certificate that none is missing and none came twice.

use std::sync::Arc;

use super::calls::Call;
use super::crew::count_together;
use super::cubes;
use super::enumerate::{Enumerator, Order};
use super::visitor::{Found, Visitor};
use crate::base::bits::{BitSet, Mask};
use crate::base::control::Control;
use crate::base::error::Error;
use crate::base::ordering::first_largest;
use crate::base::outcome::{Halt, Outcome, Status};
use crate::engines::induce::Problem;

/// What an enumeration may use and how it goes.
#[derive(Debug, Clone)]
pub struct EnumerationRules {
    /// Order in which features are taken away.
    pub order: Order,
    /// Bytes kept, about.
    pub cap: usize,
    /// Trees built at the most.
    pub node_limit: u64,
    /// R of the first call: features that every tree tests.
    pub required: Vec<usize>,
}

/// Sums over distinct trees. Sums of parts of the search space add up to those of the whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    /// Trees built.
    pub n_built: u64,
    /// Entry k: distinct trees that use k features.
    pub by_n_features: Vec<u64>,
    /// Entry k: distinct trees that 2^k subsets give.
    pub by_log_subsets: Vec<u64>,
    /// Fewest validation errors met, in units of 2^-20, and how many trees have them.
    pub fewest_errors: u64,
    /// Trees with so many errors.
    pub n_fewest: u64,
}

impl Tally {
    /// Nothing counted, for `n` features.
    pub fn new(n: usize) -> Self {
        let zeros = vec![0; n + 1];
        Tally {
            n_built: 0,
            by_n_features: zeros.clone(),
            by_log_subsets: zeros,
            fewest_errors: u64::MAX,
            n_fewest: 0,
        }
    }

    /// Counts a tree.
    #[inline]
    pub fn add<M: Mask>(&mut self, found: &Found<M>) {
        self.note(found.used.len(), found.blocked.len(), found.value);
    }

    /// Counts a tree of so many used and blocked features.
    #[inline]
    pub(super) fn note(&mut self, n_used: usize, n_blocked: usize, errors: u64) {
        self.by_n_features[n_used] += 1;
        let last = self.by_log_subsets.len() - 1;
        self.by_log_subsets[last - n_used - n_blocked] += 1;
        self.note_errors(errors, 1);
    }

    fn note_errors(&mut self, errors: u64, n_trees: u64) {
        if errors < self.fewest_errors {
            (self.fewest_errors, self.n_fewest) = (errors, 0);
        }
        if errors == self.fewest_errors {
            self.n_fewest += n_trees;
        }
    }

    /// Adds the sums of another part.
    pub fn merge(&mut self, other: &Tally) {
        self.n_built += other.n_built;
        let add =
            |mine: &mut Vec<u64>, theirs: &[u64]| mine.iter_mut().zip(theirs).for_each(|(a, b)| *a += b);
        add(&mut self.by_n_features, &other.by_n_features);
        add(&mut self.by_log_subsets, &other.by_log_subsets);
        if other.n_fewest > 0 {
            self.note_errors(other.fewest_errors, other.n_fewest);
        }
    }

    /// Distinct trees counted.
    pub fn n_distinct(&self) -> u64 {
        self.by_n_features.iter().sum()
    }
}

/// Counts all distinct trees, or as many as the limits allow; searched are trees built.
///
/// # Errors
/// None so far: what cannot be searched is refused when the problem is made.
pub fn count(
    problem: Arc<Problem>,
    validation: Vec<u32>,
    rules: &EnumerationRules,
    control: &Control,
) -> Result<Outcome<Tally>, Error> {
    if rules.required.is_empty() && validation.is_empty() && cubes::is_of_use(&problem, rules, control) {
        let (tally, status) = cubes::count_by_cubes(&problem, rules.order, control);
        let stats = control.stats(tally.n_built);
        return Ok(Outcome { value: tally, status, bound: None, stats });
    }
    let first = Call::requiring(&rules.required, problem.n_features());
    let parts = count_parts(problem, validation, rules, &[first], control)?;
    Ok(parts.map(|mut sums| sums.pop().expect("one part was asked for")))
}

/// Counts the trees of some calls, one after the other, each by itself; at a limit the last sums are
/// those so far, and the parts after it have none.
///
/// # Errors
/// As for [`count`].
pub fn count_parts(
    problem: Arc<Problem>,
    validation: Vec<u32>,
    rules: &EnumerationRules,
    parts: &[Call<BitSet>],
    control: &Control,
) -> Result<Outcome<Vec<Tally>>, Error> {
    let (value, status) = match problem.n_features() <= 64 {
        true => count_with::<u64>(problem, validation, rules, parts, control),
        false => count_with::<BitSet>(problem, validation, rules, parts, control),
    };
    let n_searched = value.iter().map(|tally| tally.n_built).sum();
    Ok(Outcome { value, status, bound: None, stats: control.stats(n_searched) })
}

fn count_with<M: Mask>(
    problem: Arc<Problem>,
    validation: Vec<u32>,
    rules: &EnumerationRules,
    parts: &[Call<BitSet>],
    control: &Control,
) -> (Vec<Tally>, Status) {
    let mut enumerator = Enumerator::<M>::new(problem, validation, rules.order, rules.cap);
    let mut sums = Vec::new();
    for part in parts {
        let (tally, status) = count_part(&mut enumerator, part.narrowed(), rules, control);
        sums.push(tally);
        if status != Status::Complete {
            return (sums, status);
        }
    }
    (sums, Status::Complete)
}

fn count_part<M: Mask>(
    enumerator: &mut Enumerator<M>,
    part: Call<M>,
    rules: &EnumerationRules,
    control: &Control,
) -> (Tally, Status) {
    // Which trees a limit on their number leaves out would depend on the threads.
    if control.is_parallel() && rules.node_limit == u64::MAX {
        return count_together(enumerator, part, control);
    }
    let (mut tally, before) = (Tally::new(enumerator.n_features()), enumerator.n_built);
    enumerator.restart(part);
    enumerator.limit(rules.node_limit);
    let ended = enumerator.run_with(control, &mut Sums(&mut tally));
    tally.n_built = enumerator.n_built - before;
    (tally, ended.expect("nobody pauses a count"))
}

/// Parts of the search space.
#[derive(Debug, Clone)]
pub struct SearchParts {
    /// Sums of the calls around the parts.
    pub around: Tally,
    /// Calls that can be counted anywhere in any order.
    pub calls: Vec<Call<BitSet>>,
}

/// Cuts the search space into parts; none where the work ends before that is done.
///
/// The call with the most optional features is opened in turn, until there are `n_parts` or all
/// are small. The parts depend on nothing but the problem, the order and `n_parts`.
///
/// # Errors
/// As for [`count`].
pub fn split_search(
    problem: Arc<Problem>,
    validation: Vec<u32>,
    rules: &EnumerationRules,
    n_parts: usize,
    control: &Control,
) -> Result<Outcome<Option<SearchParts>>, Error> {
    let parts = match problem.n_features() <= 64 {
        true => split_with::<u64>(problem, validation, rules, n_parts, control),
        false => split_with::<BitSet>(problem, validation, rules, n_parts, control),
    };
    let n_searched = parts.as_ref().map_or(0, |parts| parts.around.n_built);
    Outcome::all_or_none(parts.map_err(Halt::from), Status::Complete, control.stats(n_searched))
}

/// A call with fewer optional features is left whole.
const SMALL: usize = 6;

fn split_with<M: Mask>(
    problem: Arc<Problem>,
    validation: Vec<u32>,
    rules: &EnumerationRules,
    n_parts: usize,
    control: &Control,
) -> Result<SearchParts, Status> {
    let n_features = problem.n_features();
    let mut enumerator = Enumerator::<M>::new(problem, validation, rules.order, rules.cap);
    let mut tally = Tally::new(n_features);
    let mut parts = vec![Call::requiring(&rules.required, n_features)];
    while parts.len() < n_parts {
        control.checkpoint()?;
        let sizes = parts.iter().map(|part: &Call<M>| part.optional.len());
        let Some(largest) = first_largest(sizes).filter(|&at| parts[at].optional.len() >= SMALL) else {
            break;
        };
        let inside = enumerator.open(parts[largest].clone(), control, &mut Sums(&mut tally))?;
        parts.splice(largest..=largest, inside);
    }
    tally.n_built = enumerator.n_built;
    let calls = parts.iter().map(|part| part.widened(n_features)).collect();
    Ok(SearchParts { around: tally, calls })
}

/// Adds every tree to a tally.
struct Sums<'a>(&'a mut Tally);

impl<M: Mask> Visitor<M> for Sums<'_> {
    fn visit(&mut self, found: &Found<M>) -> bool {
        self.0.add(found);
        true
    }
}
