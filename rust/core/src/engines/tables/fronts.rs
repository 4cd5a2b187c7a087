//! The Pareto front of two costs: all pairs that some tree has and no other tree betters.
//!
//! A front is sorted by the first cost and falls in the second. A bundle joins the fronts of its
//! parts one by one and drops what is bettered at every step; a subtable merges those of its bundles.

use std::collections::HashMap;
use std::sync::Arc;

use super::explore::{Column, Explorer, Fold, Joined, Shape, Subtable};
use super::least::answer;
use super::memo::keep_in;
use super::plant::plant;
use super::sets::{Part, Sets};
use super::subtables::{SubtableGraph, split};
use super::tier::with_sets;
use crate::base::control::Control;
use crate::base::error::Error;
use crate::base::outcome::{Halt, Outcome, Status};
use crate::model::data::Schema;
use crate::model::tree::{Cost, Tree};

/// Values of the two costs.
type Pair = (u64, u64);

type Front = Arc<[Pair]>;

/// Joined pairs between two looks at the control.
const PAIRS_PER_CHECK: usize = 1 << 16;

/// A pair of costs that no tree betters in both, and a tree that has it.
#[derive(Debug, Clone)]
pub struct FrontPoint {
    /// Its costs.
    pub costs: [u64; 2],
    /// The tree.
    pub tree: Tree,
}

impl SubtableGraph {
    /// The undominated pairs of two costs by ascending first cost, each with a tree that has it.
    ///
    /// # Errors
    /// An unfinished graph, an interrupt, a cost too large to be summed.
    pub fn pareto_front(
        &self,
        schema: &Arc<Schema>,
        costs: [Cost; 2],
        control: &Control,
    ) -> Result<Outcome<Option<Vec<FrontPoint>>>, Error> {
        answer(self.front(schema, costs, control), control)
    }

    fn front(
        &self,
        schema: &Arc<Schema>,
        costs: [Cost; 2],
        control: &Control,
    ) -> Result<Vec<FrontPoint>, Halt> {
        if !self.is_complete() {
            return Err(self.unfinished().into());
        }
        for cost in &costs {
            cost.check(self.table().n_rows(), self.table().n_features())?;
        }
        if self.is_leaf() {
            let leaf: Result<Tree, Halt> = plant(self.table(), schema, (), &mut |_, ()| Ok(None));
            return Ok(vec![FrontPoint { costs: costs.map(|cost| cost.leaf), tree: leaf? }]);
        }
        with_sets!(&**self.table(), sets => self.front_by(sets, schema, costs, control))
    }

    fn front_by<T: Sets>(
        &self,
        sets: &T,
        schema: &Arc<Schema>,
        costs: [Cost; 2],
        control: &Control,
    ) -> Result<Vec<FrontPoint>, Halt> {
        let mut fronts = Fronts { costs, kept: HashMap::new(), control };
        let front = Explorer::new(sets, self.alpha()).value(sets.all(), (), &mut fronts, control)?;
        let tree = |&pair: &Pair| -> Result<FrontPoint, Halt> {
            let tree = plant(self.table(), schema, pair, &mut |rows, pair| {
                control.checkpoint()?;
                fronts.choose(sets, self.alpha(), rows, pair)
            });
            Ok(FrontPoint { costs: [pair.0, pair.1], tree: tree? })
        };
        front.iter().map(tree).collect()
    }
}

/// The fold of fronts.
struct Fronts<'a> {
    costs: [Cost; 2],
    kept: HashMap<u128, Front>,
    control: &'a Control,
}

impl Fronts<'_> {
    fn of_leaf(&self) -> Front {
        Arc::from([(self.costs[0].leaf, self.costs[1].leaf)])
    }

    fn of_part(&self, part: &Part) -> Front {
        if part.is_terminal { self.of_leaf() } else { self.kept[&part.key].clone() }
    }

    fn join(&self, a: Pair, b: Pair) -> Pair {
        (self.costs[0].join(a.0, b.0), self.costs[1].join(a.1, b.1))
    }

    fn join_fronts(&self, a: &[Pair], b: &[Pair]) -> Result<Vec<Pair>, Status> {
        let mut joined = Vec::with_capacity(a.len() * b.len());
        for &x in a {
            joined.extend(b.iter().map(|&y| self.join(x, y)));
            if joined.len() > PAIRS_PER_CHECK {
                self.control.checkpoint()?;
                keep_undominated(&mut joined);
            }
        }
        keep_undominated(&mut joined);
        Ok(joined)
    }

    fn own(&self, n_rows: u64) -> Pair {
        (self.costs[0].own(n_rows), self.costs[1].own(n_rows))
    }

    /// The lowest feature by which a subtable has a pair of its front, and the pairs of its parts.
    fn choose<T: Sets>(
        &self,
        sets: &T,
        alpha: u64,
        rows: &[u32],
        pair: Pair,
    ) -> Result<Option<(usize, Vec<Pair>)>, Halt> {
        let set = sets.of_rows(rows);
        if !self.kept.contains_key(&sets.key(&set)) {
            return Ok(None);
        }
        let own = self.own(rows.len() as u64);
        let Some(below) = pair.0.checked_sub(own.0).zip(pair.1.checked_sub(own.1)) else {
            unreachable!("a node of the front pays its own share")
        };
        for f in 0..sets.table().n_features() {
            let parts = split(sets, &set, f, alpha);
            if parts.len() > 1
                && let Some(pairs) = self.unjoin(&parts, below)?
            {
                return Ok(Some((f, pairs)));
            }
        }
        unreachable!("some bundle has every pair of the front")
    }

    /// Pairs of the parts that join to `below`, the lowest first.
    fn unjoin(&self, parts: &[Part], below: Pair) -> Result<Option<Vec<Pair>>, Status> {
        let fronts: Vec<Front> = parts.iter().map(|part| self.of_part(part)).collect();
        let mut joined: Vec<Vec<Pair>> = vec![fronts[0].to_vec()];
        for front in &fronts[1..] {
            let so_far = joined.last().expect("it begins with one");
            joined.push(self.join_fronts(so_far, front)?);
        }
        let (mut pairs, mut rest) = (vec![], below);
        if !joined[fronts.len() - 1].contains(&below) {
            return Ok(None);
        }
        for at in (1..fronts.len()).rev() {
            let options = joined[at - 1].iter().flat_map(|&a| fronts[at].iter().map(move |&b| (a, b)));
            let found = options.into_iter().find(|&(a, b)| self.join(a, b) == rest);
            let (before, own) = found.expect("what is in a joined front was joined");
            pairs.push(own);
            rest = before;
        }
        pairs.push(rest);
        pairs.reverse();
        Ok(Some(pairs))
    }
}

/// Sorts pairs by the first cost and drops those that another is no worse than in both.
fn keep_undominated(pairs: &mut Vec<Pair>) {
    pairs.sort_unstable();
    let mut least = u64::MAX;
    let mut is_first = true;
    pairs.retain(|&(_, second)| {
        let better = is_first || second < least;
        (is_first, least) = (false, least.min(second));
        better
    });
}

impl Fold for Fronts<'_> {
    type State = ();
    type Value = Front;
    type Bundle = Joined<Vec<Pair>>;

    fn known(&mut self, key: u128, (): &()) -> Option<Front> {
        self.kept.get(&key).cloned()
    }

    fn leaf(&mut self, _: &Part) -> Result<Front, Status> {
        Ok(self.of_leaf())
    }

    fn empty(&self) -> Front {
        Arc::from([])
    }

    fn open(&mut self, at: &Subtable<'_, ()>, _: &[Part], _: Column) -> Option<Joined<Vec<Pair>>> {
        Some(Joined::new(at.n_rows))
    }

    fn add(&mut self, bundle: &mut Joined<Vec<Pair>>, front: &Front) -> Result<(), Status> {
        bundle.below = Some(match &bundle.below {
            None => front.to_vec(),
            Some(below) => self.join_fronts(below, front)?,
        });
        Ok(())
    }

    fn close(&mut self, best: &mut Front, bundle: Joined<Vec<Pair>>) {
        let own = self.own(bundle.n_rows);
        let mut all = best.to_vec();
        let below = bundle.below.expect("a bundle has parts");
        all.extend(below.into_iter().map(|(a, b)| (a + own.0, b + own.1)));
        keep_undominated(&mut all);
        *best = Arc::from(all);
    }

    fn keep(&mut self, at: &Subtable<'_, ()>, _: Shape, best: &mut Front) -> Result<(), Status> {
        keep_in(&mut self.kept, at.key, best.clone())
    }
}
