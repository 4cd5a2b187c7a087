//! Many drawn sets, each grown once and pruned by every rule.

use std::sync::Mutex;

use super::grow::{Grower, Node, leaf_of};
use super::lanes::{Lanes, LeafRule, Pruned};
use crate::base::control::Control;
use crate::base::error::Error;
use crate::base::lock::locked;
use crate::base::outcome::{Outcome, Stats, Status};
use crate::base::random::Random;
use crate::model::data::{LinearNetwork, LinearSet};

/// Sets a thread works on between two reports.
const CHUNK: usize = 16;

/// Keeps the folds of a set apart from what the set itself is drawn by.
const FOLDS: u64 = 0x666F_6C64_7321;

/// What may be done to a tree.
#[derive(Debug, Clone)]
pub enum StudyRule {
    /// Nothing.
    Keep,
    /// Prunes by an estimate.
    Leaf(LeafRule),
    /// Prunes by the best of some estimates.
    Tuned(TunedRule),
}

/// The candidate with the fewest errors in a cross-validation inside the training rows.
#[derive(Debug, Clone)]
pub struct TunedRule {
    /// In order of preference: the first with the fewest errors is taken.
    pub candidates: Vec<LeafRule>,
    /// Folds of the cross-validation.
    pub n_folds: usize,
    /// Deals the folds.
    pub seed: u64,
}

/// What the rules did on the sets done, in their order: all, or those before the first that was
/// interrupted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Found {
    /// One a set and rule.
    pub pruned: Vec<Pruned>,
    /// Of each set and rule, the candidate chosen; 0 where there is no choice.
    pub chosen: Vec<u32>,
}

/// What is done to the trees of drawn sets.
#[derive(Debug, Clone)]
pub struct StudyPlan {
    /// Draws the sets.
    pub seed: u64,
    /// Number of the first set; each is drawn by its own number.
    pub first: u64,
    /// What is done to every tree.
    pub rules: Vec<StudyRule>,
}

/// Draws, grows and prunes the sets of these networks, numbered in their order from the plan's first on.
///
/// # Errors
/// A network that cannot be drawn from.
pub fn study(
    networks: &[LinearNetwork],
    plan: &StudyPlan,
    control: &Control,
) -> Result<Outcome<Found>, Error> {
    networks.iter().try_for_each(LinearNetwork::check)?;
    let mut found = Found::default();
    let status = study_all(networks, plan, control, &mut found).err().unwrap_or(Status::Complete);
    let n_searched = (found.pruned.len() / plan.rules.len().max(1)) as u64;
    let stats = Stats { n_searched, elapsed: control.elapsed() };
    Ok(Outcome { value: found, status, bound: None, stats })
}

/// Adds the sets to what is found, as far as the control allows.
fn study_all(
    networks: &[LinearNetwork],
    plan: &StudyPlan,
    control: &Control,
    found: &mut Found,
) -> Result<(), Status> {
    let StudyPlan { seed, first, rules } = plan;
    let benches: Vec<_> = (0..control.n_threads()).map(|_| Mutex::new(Bench::new(rules))).collect();
    let numbered: Vec<(u64, &LinearNetwork)> = (*first..).zip(networks).collect();
    let mut n_done = 0;
    for round in numbered.chunks(CHUNK * control.n_threads()) {
        let parts: Vec<_> = round.chunks(CHUNK).zip(&benches).collect();
        let work = |(): &mut (), &(sets, bench): &(&[(u64, &LinearNetwork)], &Mutex<Bench>)| {
            let mut bench = locked(bench);
            let each = |&(number, network): &(u64, &LinearNetwork)| {
                control.checkpoint()?;
                Ok(bench.study(network, number, *seed, rules))
            };
            sets.iter().map(each).collect::<Result<Rows, Status>>()
        };
        for result in control.map(&parts, || (), work) {
            let sets = result?;
            n_done += sets.len() as u64;
            for (pruned, chosen) in sets.into_iter().flatten() {
                found.pruned.push(pruned);
                found.chosen.push(chosen);
            }
        }
        control.report(n_done, networks.len() as u64);
    }
    Ok(())
}

/// Of each set, of each rule: what it left, and the candidate chosen.
type Rows = Vec<Vec<(Pruned, u32)>>;

/// One thread's buffers.
struct Bench {
    grower: Grower,
    plain: Lanes,
    tuned: Vec<Lanes>,
}

impl Bench {
    fn new(rules: &[StudyRule]) -> Self {
        let plain = rules.iter().filter_map(|rule| match rule {
            StudyRule::Leaf(rule) => Some(rule.clone()),
            StudyRule::Keep | StudyRule::Tuned(_) => None,
        });
        let tuned = rules.iter().filter_map(|rule| match rule {
            StudyRule::Tuned(tuned) => Some(Lanes::new(tuned.candidates.clone())),
            StudyRule::Keep | StudyRule::Leaf(_) => None,
        });
        Bench { grower: Grower::default(), plain: Lanes::new(plain.collect()), tuned: tuned.collect() }
    }

    fn study(
        &mut self,
        network: &LinearNetwork,
        number: u64,
        seed: u64,
        rules: &[StudyRule],
    ) -> Vec<(Pruned, u32)> {
        let set = network.draw(&mut Random::stream(seed, number));
        let rows = training_rows(&set);
        let nodes = self.grower.grow(set.n_features, rows.iter().copied()).to_vec();
        let judged = judged(&nodes, &cells(&set));
        let mut plain = self.plain.prune(&nodes, &judged).iter();
        let mut tuned = self.tuned.iter_mut();
        let grower = &mut self.grower;
        let mut apply = |rule: &StudyRule| match rule {
            StudyRule::Keep => (kept(&nodes, &judged), 0),
            StudyRule::Leaf(_) => (*plain.next().expect("a lane for each rule"), 0),
            StudyRule::Tuned(rule) => {
                let lanes = tuned.next().expect("lanes for each rule");
                let folds = folds_of(&rows, rule.n_folds, rule.seed, number);
                let chosen = tune(grower, lanes, set.n_features, &rows, &folds, rule.n_folds);
                (lanes.prune(&nodes, &judged)[chosen], chosen as u32)
            }
        };
        rules.iter().map(&mut apply).collect()
    }
}

/// The folds of the training rows of set `number`, in their order.
pub fn folds_of(rows: &[(u16, bool)], n_folds: usize, seed: u64, number: u64) -> Vec<u16> {
    let classes: Vec<bool> = rows.iter().map(|&(_, class)| class).collect();
    deal(&classes, n_folds, &mut Random::stream(seed ^ FOLDS, number))
}

/// The training rows as the bits of their features, with their class.
pub fn training_rows(set: &LinearSet) -> Vec<(u16, bool)> {
    let features = (1u32 << set.n_features) - 1;
    let all = (0u32..).zip(&set.classes).zip(&set.is_training);
    all.filter(|(_, training)| **training)
        .map(|((row, &class), _)| ((row & features) as u16, class))
        .collect()
}

/// Of every combination of values, the test rows of each class.
pub fn cells(set: &LinearSet) -> Vec<[u32; 2]> {
    let mut cells = vec![[0; 2]; 1 << set.n_features];
    let features = cells.len() - 1;
    for (row, (&class, &training)) in set.classes.iter().zip(&set.is_training).enumerate() {
        cells[row & features][usize::from(class)] += u32::from(!training);
    }
    cells
}

/// Counts the rows of each class that come to every node, `cells[row]` of each row.
pub fn judged(nodes: &[Node], cells: &[[u32; 2]]) -> Vec<[u32; 2]> {
    let mut judged = vec![[0; 2]; nodes.len()];
    for (row, counts) in cells.iter().enumerate().filter(|(_, counts)| **counts != [0, 0]) {
        let leaf = &mut judged[leaf_of(nodes, row as u16)];
        (0..2).for_each(|class| leaf[class] += counts[class]);
    }
    sum_up(nodes, &mut judged);
    judged
}

/// Gives inner nodes what their branches have.
fn sum_up(nodes: &[Node], judged: &mut [[u32; 2]]) {
    for (id, node) in nodes.iter().enumerate().rev().filter(|(_, node)| !node.is_leaf()) {
        let first = node.first_child as usize;
        let (left, right) = (judged[first], judged[first + 1]);
        judged[id] = [left[0] + right[0], left[1] + right[1]];
    }
}

/// The whole tree.
fn kept(nodes: &[Node], judged: &[[u32; 2]]) -> Pruned {
    let leaves = nodes.iter().zip(judged).filter(|(node, _)| node.is_leaf());
    let n_errors = leaves.map(|(node, rows)| rows[1 - node.class as usize]).sum();
    Pruned { n_nodes: nodes.len() as u32, n_errors }
}

/// The candidate with the fewest errors over all folds, the first among equals.
fn tune(
    grower: &mut Grower,
    lanes: &mut Lanes,
    n_features: u32,
    rows: &[(u16, bool)],
    folds: &[u16],
    n_folds: usize,
) -> usize {
    let mut errors = vec![0; lanes.rules().len()];
    let mut judged = Vec::new();
    for fold in 0..n_folds as u16 {
        let part = |held_out: bool| {
            let of_fold = move |(_, of): &(_, &u16)| (**of == fold) == held_out;
            rows.iter().zip(folds).filter(of_fold).map(|(&row, _)| row)
        };
        let nodes = grower.grow(n_features, part(false));
        judged.clear();
        judged.resize(nodes.len(), [0; 2]);
        part(true).for_each(|(row, class)| judged[leaf_of(nodes, row)][usize::from(class)] += 1);
        sum_up(nodes, &mut judged);
        let pruned = lanes.prune(nodes, &judged);
        errors.iter_mut().zip(pruned).for_each(|(sum, pruned)| *sum += pruned.n_errors);
    }
    let least = *errors.iter().min().expect("a tuned rule has candidates");
    errors.iter().position(|&n| n == least).expect("the least is one of them")
}

/// The fold of each row: every class is put in random order and dealt out in turn, one class going
/// on where the one before ended, so that folds differ by one row at most, and by one of each class.
fn deal(classes: &[bool], n_folds: usize, random: &mut Random) -> Vec<u16> {
    let mut folds = vec![0; classes.len()];
    let mut next = 0;
    for class in [false, true] {
        let mut rows: Vec<usize> = (0..classes.len()).filter(|&row| classes[row] == class).collect();
        for place in (1..rows.len()).rev() {
            rows.swap(place, random.below(place as u32 + 1) as usize);
        }
        for row in rows {
            folds[row] = (next % n_folds) as u16;
            next += 1;
        }
    }
    folds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_are_even_in_every_class() {
        let classes: Vec<bool> = (0..103).map(|i| i % 3 == 0).collect();
        let folds = deal(&classes, 10, &mut Random::stream(0, 0));
        for wanted in [vec![false], vec![true], vec![false, true]] {
            let mut sizes = [0; 10];
            let rows = classes.iter().zip(&folds).filter(|(class, _)| wanted.contains(class));
            rows.for_each(|(_, &fold)| sizes[fold as usize] += 1);
            assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1, "{sizes:?}");
        }
        assert_ne!(folds, deal(&classes, 10, &mut Random::stream(0, 1)));
    }
}
