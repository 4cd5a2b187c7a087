//! Where a search stands, as text, and who is given it.
//!
//! The text holds a digest of the rows as the search sees them and of what trees cost, and nothing that could end a
//! search in a panic: trees are priced anew, intervals must be there.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::bounds::{End, Interval};
use super::cuts::Cuts;
use super::front::families;
use super::plan::Plan;
use super::rounds::Open;
use super::rules::ANY;
use super::search::Search;
use super::solve::NO_CUTOFF;
use super::worth::worth;
use crate::base::error::{CheckpointFault, Error};

const FORMAT: &str = "treewright-optimal-search";
const VERSION: u32 = 1;

/// Where a search is to be written down.
pub struct Journal<'a> {
    /// The last entry of a search to go on with, and the name of its place, for messages.
    pub last: Option<(&'a str, &'a str)>,
    /// Time between two entries, which are made between rounds.
    pub every: Duration,
    /// Takes an entry.
    pub keep: &'a mut (dyn FnMut(String) + Send),
}

impl std::fmt::Debug for Journal<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Journal")
            .field("last", &self.last)
            .field("every", &self.every)
            .finish_non_exhaustive()
    }
}

/// All that the rest of a search depends on.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct State {
    /// The depth that is done.
    pub depth: u32,
    pub best: i64,
    pub plan: Plan,
    pub bound: i64,
    pub n_sets: u64,
    /// The best tree that was met in a round that was ended: the rest does not go by it, so that the tree in the end
    /// is that of a search without an end.
    pub better: Option<(i64, Plan)>,
    /// The tests of the root that are open at the next depth.
    pub open: Option<Open>,
}

impl State {
    pub fn new(best: i64, bound: i64) -> Self {
        State { depth: 0, best, plan: Plan::Leaf, bound, n_sets: 0, better: None, open: None }
    }
}

#[derive(Serialize)]
struct Entry<'a> {
    format: &'static str,
    version: u32,
    digest: u64,
    state: &'a State,
}

#[derive(Deserialize)]
struct Read {
    format: String,
    version: u32,
    digest: u64,
    state: State,
}

/// Writes down where a search stands, if somebody asked for it.
pub(super) struct Keeper<'a> {
    journal: Option<Journal<'a>>,
    kept: Instant,
}

impl<'a> Keeper<'a> {
    /// Takes a journal, and what is in it.
    pub fn new(journal: Option<Journal<'a>>, search: &mut Search<'_>) -> Result<Self, Error> {
        if let Some((text, place)) = journal.as_ref().and_then(|journal| journal.last) {
            let fault = |fault| Error::Checkpoint { path: place.to_owned(), fault };
            search.state = read(text, search).map_err(fault)?;
        }
        Ok(Keeper { journal, kept: Instant::now() })
    }

    /// Writes if it is time.
    pub fn look(&mut self, search: &Search<'_>) {
        if self.journal.as_ref().is_none_or(|journal| self.kept.elapsed() < journal.every) {
            return;
        }
        if let (Some(entry), Some(journal)) = (self.entry(search), &mut self.journal) {
            (journal.keep)(entry);
            self.kept = Instant::now();
        }
    }

    /// Where a search stands, if somebody is to know.
    pub fn entry(&self, search: &Search<'_>) -> Option<String> {
        self.journal.as_ref()?;
        let entry = Entry { format: FORMAT, version: VERSION, digest: digest(search), state: &search.state };
        Some(serde_json::to_string(&entry).expect("numbers and text are JSON"))
    }
}

fn read(text: &str, search: &Search<'_>) -> Result<State, CheckpointFault> {
    let unreadable = |detail: String| CheckpointFault::Unreadable { detail };
    let entry: Read = serde_json::from_str(text).map_err(|error| unreadable(error.to_string()))?;
    if entry.format != FORMAT {
        return Err(unreadable(format!("it is a '{}'", entry.format)));
    }
    if entry.version != VERSION {
        return Err(CheckpointFault::OtherVersion { found: entry.version, expected: VERSION });
    }
    if entry.digest != digest(search) {
        return Err(CheckpointFault::OtherWork);
    }
    check(&entry.state, search)?;
    Ok(entry.state)
}

/// Refuses what no search writes.
fn check(state: &State, search: &Search<'_>) -> Result<(), CheckpointFault> {
    let (root, rules) = (&search.space.root, &search.space.rules);
    let impossible = |name: &str| CheckpointFault::Unreadable {
        detail: format!("its '{name}' does not go with the rest of it"),
    };
    let goes = |cost: i64, plan: &Plan| worth(plan, root, rules, search.depth) == Some(cost);
    if !goes(state.best, &state.plan) || state.better.as_ref().is_some_and(|(cost, plan)| !goes(*cost, plan))
    {
        return Err(CheckpointFault::OtherLosses);
    }
    let depth = state.depth.saturating_add(1).min(search.depth);
    let is_known = state.open.as_ref().is_none_or(|open| are_there(open, depth, search));
    let counts = [
        ("depth", state.depth <= search.depth),
        ("bound", is_cost(state.bound)),
        ("n_sets", state.n_sets < u64::MAX / 2),
        ("open", is_known),
    ];
    match counts.iter().find(|(_, is_possible)| !is_possible) {
        Some((name, _)) => Err(impossible(name)),
        None => Ok(()),
    }
}

fn is_cost(cost: i64) -> bool {
    (0..=NO_CUTOFF).contains(&cost)
}

/// Whether all intervals are of tests that there are, and all trees cost what is said.
fn are_there(open: &Open, depth: u32, search: &Search<'_>) -> bool {
    let (root, rules) = (&search.space.root, &search.space.rules);
    let ask = search.asked(depth.max(1));
    let n_families =
        if rules.min_leaf > 0 || ask.leaves == ANY { 1 } else { families(ask.depth, ask.leaves).len() };
    let cuts: Vec<Cuts> = (0..root.axes.len())
        .map(|axis| {
            let mut cuts = Cuts::default();
            if root.axes[axis].is_live() {
                cuts.list(root, axis, rules, false);
            }
            cuts
        })
        .collect();
    let is_end = |end: &End| [end.pos, end.left, end.right].into_iter().all(is_cost);
    let is_there = |interval: &Interval| {
        let n_tests = cuts.get(interval.axis).map_or(0, Cuts::len);
        interval.low <= interval.high
            && interval.high < n_tests
            && interval.family < n_families
            && is_end(&interval.a)
            && is_end(&interval.b)
    };
    let waiting = open.front.queue.iter().chain(&open.front.stack);
    waiting.chain(open.round.iter().map(|place| &place.interval)).all(is_there)
        && open.round.iter().flat_map(|place| &place.looked).all(|looked| {
            let better = looked.better.as_ref();
            is_end(&looked.end)
                && better.is_none_or(|(cost, plan)| worth(plan, root, rules, search.depth) == Some(*cost))
        })
}

/// A number of all that decides what is found.
fn digest(search: &Search<'_>) -> u64 {
    let (root, rules) = (&search.space.root, &search.space.rules);
    let mut sum = 0u64;
    let mut add = |word: u64| sum = (sum ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    let prices = [rules.price.loss as u64, rules.price.leaf as u64, rules.min_leaf];
    let sizes = [u64::from(search.depth), u64::from(search.leaves), root.n as u64];
    prices.into_iter().chain(sizes).for_each(&mut add);
    rules.table.iter().flatten().for_each(|&cost| add(cost as u64));
    root.classes.iter().for_each(|&class| add(class.into()));
    root.weights.iter().for_each(|&weight| add(weight as u64));
    root.masses.iter().for_each(|&mass| add(mass));
    for (axis, of) in root.axes.iter().enumerate().filter(|(_, of)| of.is_live()) {
        add(axis as u64);
        add(of.n_groups().into());
        root.codes(axis).iter().for_each(|&code| add(code.into()));
    }
    sum
}
