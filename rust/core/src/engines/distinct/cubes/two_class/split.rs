//! Handing the rows of a case set to the branches of a split.

use super::{Item, ONE, Part, Rows, TwoClass, class_of, exact_mass};
use crate::base::ordering::{WEIGHT_SLACK, first_largest};
use crate::engines::distinct::cubes::kernel::Choice;
use crate::engines::induce::Cut;
use crate::model::data::FULL_SHARE;

/// Buffers of one thread.
#[derive(Default)]
pub(super) struct Splitter {
    /// The branch of every row.
    places: Vec<u16>,
    whole: Sorted<Item>,
    part: Sorted<Part>,
    masses: Vec<[u64; 2]>,
    /// What every branch gets of rows whose value is missing.
    received: Vec<Vec<Part>>,
}

/// Things in the order of their branches; the last is for those without one.
struct Sorted<T> {
    things: Vec<T>,
    /// Where every branch ends.
    ends: Vec<u32>,
}

impl<T> Default for Sorted<T> {
    fn default() -> Self {
        Sorted { things: Vec::new(), ends: Vec::new() }
    }
}

impl<T: Copy> Sorted<T> {
    /// Sorts `things` by their places, keeping the order of those in one place.
    #[inline]
    fn sort(&mut self, things: &[T], places: &mut Vec<u16>, n_places: usize, place: impl Fn(&T) -> usize) {
        self.ends.clear();
        self.ends.resize(n_places, 0);
        if places.len() < things.len() {
            places.resize(things.len(), 0);
        }
        let (ends, places) = (&mut self.ends[..], &mut places[..things.len()]);
        for (thing, at) in things.iter().zip(&mut *places) {
            let place = place(thing);
            *at = place as u16;
            ends[place] += 1;
        }
        let mut start = 0;
        for end in &mut *ends {
            start += std::mem::replace(end, start);
        }
        if self.things.len() < things.len() {
            self.things.resize(things.len(), things[0]);
        }
        let sorted = &mut self.things[..things.len()];
        for (&thing, &place) in things.iter().zip(&*places) {
            let next = &mut ends[usize::from(place)];
            sorted[*next as usize] = thing;
            *next += 1;
        }
    }

    fn of(&self, place: usize) -> &[T] {
        let start = if place == 0 { 0 } else { self.ends[place - 1] };
        &self.things[start as usize..self.ends[place] as usize]
    }
}

/// What two classes of rows weigh.
fn masses_of(whole: &[Item], part: &[Part]) -> [u64; 2] {
    let n_second = whole.iter().map(|&item| u64::from(item & 1)).sum::<u64>();
    let mut masses = [(whole.len() as u64 - n_second) * ONE, n_second * ONE];
    part.iter().for_each(|part| masses[class_of(part.item)] += u64::from(part.share));
    masses
}

impl TwoClass<'_> {
    /// Whether rows of these masses are a leaf whatever features there are.
    pub(super) fn must_be_leaf(&self, masses: [u64; 2], depth: u32) -> bool {
        let rules = &self.problem.rules;
        masses[0] == 0
            || masses[1] == 0
            || exact_mass(masses[0] + masses[1]) + WEIGHT_SLACK < rules.min_split
            || depth >= rules.max_depth
    }

    pub(super) fn split_rows(
        &self,
        splitter: &mut Splitter,
        set: &Rows,
        choice: Choice,
        depth: u32,
        mut take: impl FnMut(Rows),
    ) {
        let (feature, column) = (choice.feature as usize, self.columns[choice.feature as usize]);
        let n_branches = choice.cut.n_branches(column.domain);
        let place = |item: Item| {
            let code = self.code(item, feature);
            match choice.cut {
                Cut::Levels => code, // a missing one is one past the last
                Cut::Group(_) => unreachable!("groups are left to the plain kernel"),
                Cut::Between(low, _) => usize::from(code > low as usize) + usize::from(code == column.domain),
            }
        };
        let places = &mut splitter.places;
        splitter.whole.sort(&set.whole, places, n_branches + 1, |&item| place(item));
        splitter.part.sort(&set.part, places, n_branches + 1, |part| place(part.item));
        splitter.masses.clear();
        let (whole, part) = (&splitter.whole, &splitter.part);
        splitter.masses.extend((0..n_branches).map(|branch| masses_of(whole.of(branch), part.of(branch))));
        if column.has_missing && !(whole.of(n_branches).is_empty() && part.of(n_branches).is_empty()) {
            return self.split_unknown(splitter, n_branches, depth, take);
        }
        for (branch, &masses) in splitter.masses.iter().enumerate() {
            if !self.must_be_leaf(masses, depth) {
                let (whole, part) = (whole.of(branch).to_vec(), part.of(branch).to_vec());
                take(Rows { whole, part, masses });
            }
        }
    }

    /// The branches where rows whose value is missing go to all of them.
    fn split_unknown(
        &self,
        splitter: &mut Splitter,
        n_branches: usize,
        depth: u32,
        mut take: impl FnMut(Rows),
    ) {
        splitter.share_out(n_branches);
        for branch in 0..n_branches {
            let received = &splitter.received[branch];
            let mut masses = splitter.masses[branch];
            for part in received {
                masses[class_of(part.item)] += u64::from(part.share);
            }
            if self.must_be_leaf(masses, depth) {
                continue;
            }
            let mut whole = splitter.whole.of(branch).to_vec();
            let mut part = splitter.part.of(branch).to_vec();
            for &new in received {
                match new.share {
                    FULL_SHARE => whole.insert(whole.partition_point(|&item| item < new.item), new.item),
                    _ => part.push(new),
                }
            }
            part.sort_unstable_by_key(|part| part.item);
            take(Rows { whole, part, masses });
        }
    }
}

impl Splitter {
    /// Gives every branch its share of the rows whose value is missing, as `Cases::split` does.
    fn share_out(&mut self, n_branches: usize) {
        let masses: Vec<u64> = self.masses.iter().map(|masses| masses[0] + masses[1]).collect();
        let known = masses.iter().sum::<u64>() as f64;
        let largest = first_largest(masses.iter().copied()).expect("a split has branches");
        self.received.resize(n_branches.max(self.received.len()), Vec::new());
        self.received.iter_mut().for_each(Vec::clear);
        let whole = self.whole.of(n_branches).iter().map(|&item| Part { item, share: FULL_SHARE });
        for Part { item, share } in whole.chain(self.part.of(n_branches).iter().copied()) {
            let mut rest = share;
            for (branch, &mass) in masses.iter().enumerate() {
                if branch == largest || mass == 0 {
                    continue;
                }
                let given = (f64::from(share) * mass as f64 / known) as u32;
                rest -= given;
                if given > 0 {
                    self.received[branch].push(Part { item, share: given });
                }
            }
            if rest > 0 {
                self.received[largest].push(Part { item, share: rest });
            }
        }
    }
}
