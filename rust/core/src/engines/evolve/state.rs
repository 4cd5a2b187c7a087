//! Where a search stands at the end of a generation, and what it depends on.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::population::{Keep, Member, Population};
use super::task::{Layout, Verdict};

/// Programs for every input that a population has which begins apart.
const SHARE: u64 = 12;

/// Generations between two looks at validation.
const WATCH: u64 = 16;

/// What a search depends on, besides its task and its start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    /// Draws all children.
    pub seed: u64,
    /// Programs to make.
    pub budget: u64,
    /// Programs to make after the first one that is what was looked for, in search of smaller ones.
    pub polish: u64,
    /// Programs that may be made without a better score in validation, where the task has one.
    pub patience: Option<u64>,
    /// Largest programs, in bits.
    pub most_bits: f64,
}

impl Default for Plan {
    /// A hundred thousand programs of at most 500 bits.
    fn default() -> Self {
        Plan { seed: 0, budget: 100_000, polish: 10_000, patience: None, most_bits: 500.0 }
    }
}

/// Where a search stands at the end of a generation.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    pub(super) generation: u64,
    /// Programs made so far, those that turned out to be none or known among them.
    pub n_programs: u64,
    /// They by what became of them.
    pub tally: Tally,
    /// Programs made when the first one was found that is what was looked for.
    pub solved: Option<u64>,
    /// The programs that are kept now.
    pub population: Population,
    /// Populations that began before it.
    pub(super) beginnings: Beginnings,
    /// Programs that no other one beats, of all populations; empty where the population is such a front.
    pub(super) archive: Population,
    pub(super) seen: Seen,
    /// Inputs in use.
    pub(super) n_inputs: usize,
    /// What validation said last.
    pub(super) watch: Watch,
}

impl State {
    /// The state before any program is made.
    pub(super) fn empty(layout: &Layout, n_inputs: usize) -> State {
        State {
            generation: 0,
            n_programs: 0,
            tally: Tally::default(),
            solved: None,
            population: Population::new(layout.keep),
            beginnings: Beginnings::of(layout.n_beginnings),
            archive: Population::new(Keep::Front),
            seen: Seen::new(layout.most_seen),
            n_inputs,
            watch: Watch::none(0, 0),
        }
    }

    /// The programs that no other one beats.
    pub(super) fn front(&self) -> &Population {
        if self.archive.members().is_empty() { &self.population } else { &self.archive }
    }

    /// The program with least loss, of these the smallest.
    pub fn best(&self) -> &Member {
        self.front().best().expect("a population never gets empty")
    }

    /// Whether the present population, one that began apart, had its share.
    pub(super) fn is_beginning_due(&self) -> bool {
        let share = (self.beginnings.n_done + 1) * SHARE * self.n_inputs as u64;
        !self.beginnings.are_over() && self.n_programs >= share
    }

    /// Whether it is time to look at validation.
    pub(super) fn is_watch_due(&self) -> bool {
        self.generation > self.watch.generation && self.generation.is_multiple_of(WATCH)
    }
}

/// Populations that begin apart, one after the other, and are joined then.
///
/// One population alone may settle on a form that no small change leads away from. Several that know nothing
/// of each other settle on several, and go on with the best of all.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Beginnings {
    n_populations: u64,
    /// Populations that had their share.
    pub n_done: u64,
    /// Their programs, until they are joined.
    pub aside: Vec<Member>,
}

impl Beginnings {
    pub(super) fn of(n_populations: u64) -> Beginnings {
        Beginnings { n_populations, ..Beginnings::default() }
    }

    /// Whether the populations are joined.
    pub fn are_over(&self) -> bool {
        self.n_done >= self.n_populations
    }

    /// Ends the present population's share; the programs of all before it if they are to be joined to it.
    pub(super) fn end(&mut self, members: &[Member]) -> Option<Vec<Member>> {
        self.n_done += 1;
        if self.are_over() {
            return Some(std::mem::take(&mut self.aside));
        }
        self.aside.extend_from_slice(members);
        None
    }
}

/// Programs by verdict; the others were given up before they were programs: no place for a change, or too
/// large.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    /// Without a finite loss.
    pub undefined: u64,
    /// As another one that was seen before.
    pub known: u64,
    /// Worse than the bound on the part that screens.
    pub screened: u64,
    /// Worse than the bound on all inputs.
    pub worse: u64,
    /// Looked at to the end.
    pub scored: u64,
}

impl Tally {
    pub(super) fn count(&mut self, verdict: &Verdict) {
        *match verdict {
            Verdict::Undefined => &mut self.undefined,
            Verdict::Known => &mut self.known,
            Verdict::Screened => &mut self.screened,
            Verdict::Worse => &mut self.worse,
            Verdict::Scored(_) => &mut self.scored,
        } += 1;
    }

    pub(super) fn add(&mut self, other: &Tally) {
        self.undefined += other.undefined;
        self.known += other.known;
        self.screened += other.screened;
        self.worse += other.worse;
        self.scored += other.scored;
    }

    /// Different programs that were run.
    pub fn n_judged(&self) -> u64 {
        self.undefined + self.screened + self.worse + self.scored
    }
}

/// Programs seen before, by a number that equal ones share, so that twins are not judged again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// A power of two; a newer program takes the place of an older one. `None` if nothing is forgotten.
    n_places: Option<usize>,
    /// By place the number and the smallest size with which it was seen.
    places: HashMap<u64, (u64, u32)>,
}

impl Seen {
    pub(super) fn new(n_places: Option<usize>) -> Seen {
        Seen { n_places, places: HashMap::new() }
    }

    fn place(&self, number: u64) -> u64 {
        self.n_places.map_or(number, |n_places| number >> 32 & (n_places as u64 - 1))
    }

    /// Whether a program of this number and no larger was seen.
    pub fn knows(&self, number: u64, cell: u32) -> bool {
        let known = self.places.get(&self.place(number));
        known.is_some_and(|&(known, smallest)| known == number && smallest <= cell)
    }

    pub(super) fn add(&mut self, number: u64, cell: u32) {
        let found = self.places.entry(self.place(number)).or_insert((number, cell));
        *found = (number, if found.0 == number { found.1.min(cell) } else { cell });
    }

    pub(super) fn clear(&mut self) {
        self.places.clear();
    }

    /// What is remembered, to be stored.
    pub(super) fn entries(&self) -> Vec<(u64, u32)> {
        let mut entries: Vec<(u64, u32)> = self.places.values().copied().collect();
        entries.sort_unstable();
        entries
    }
}

/// The last look at validation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Watch {
    /// The generation before which it was.
    pub generation: u64,
    /// Programs made by then.
    pub n_programs: u64,
    /// The best score in validation since the inputs became what they are.
    pub best: f64,
    /// Programs made when that was seen first.
    pub improved: u64,
}

impl Watch {
    /// Before the first look, or after the last inputs.
    pub fn none(generation: u64, n_programs: u64) -> Watch {
        Watch { generation, n_programs, best: f64::INFINITY, improved: n_programs }
    }

    /// After another look, at these scores.
    pub fn look(&mut self, generation: u64, n_programs: u64, scores: impl Iterator<Item = f64>) {
        (self.generation, self.n_programs) = (generation, n_programs);
        let best = scores.fold(f64::INFINITY, f64::min);
        if best < self.best {
            (self.best, self.improved) = (best, n_programs);
        }
    }

    /// Whether so many programs have not made validation better.
    pub fn is_stalled(&self, patience: u64) -> bool {
        self.n_programs - self.improved >= patience
    }
}
