//! Complete wrapper selection: the distinct trees with the fewest validation errors, by branch and bound.
//!
//! A tree is better than another with fewer errors, with equal errors if it uses fewer features, and
//! then if its list of features comes first. A sub-space is skipped when its bounds leave no tree
//! better than the worst of the best kept: one on the errors of all its trees, and one on those of its
//! trees that use no more features than that worst one does. Bounds look ahead one split, then two,
//! and so on, until they are large enough or the look ahead is at its end.
//!
//! Where leaves have a price, *errors* are errors and leaves together, as they are priced. Where there are folds, a
//! tree is those of all folds together.
//!
//! Where features have a price too, trees are compared by errors and the price of the features that they use. All
//! trees of a sub-space use its required features, and pay for them. Those that use n more pay for these as well:
//! so their errors need be bounded by less, and from some n on by nothing. This is shown for the tree of exactly
//! the required features, whose bound is the closest, for those of one more feature, and so on.
//!
//! # Source
//! distinct-trees, section 5; bounds after "Complete Search for Feature Selection in Decision Trees"
//! (JMLR 20, 2019).

use std::collections::HashMap;
use std::sync::Arc;

use super::bound::{Query, Space};
use super::case_store::Keeping;
use super::enumerate::{Enumerator, Order};
use super::folds::Folds;
use super::forest::{Forest, TreeId};
use super::grove::{FoldForests, Grove};
use super::incremental::incremental_within;
use super::judging::Judging;
use super::select::{Direction, SelectionRules, selected};
use super::visitor::{Found, Visitor};
use crate::base::bits::{BitSet, Mask};
use crate::base::control::Control;
use crate::base::error::Error;
use crate::base::outcome::{Outcome, Status};
use crate::engines::induce::Problem;
use crate::model::tree::Tree;

/// Splits that a bound looks ahead at the most; it looks as far as it must.
const LOOK_AHEAD: u32 = 6;

/// What a complete search is after, and what it may use.
#[derive(Debug, Clone)]
pub struct CompleteRules {
    /// Order in which features are taken away.
    pub order: Order,
    /// Bytes kept, about.
    pub cap: usize,
    /// By how much the answer may be above the least value.
    pub tolerance: u64,
    /// Features that a tree may use.
    pub max_features: usize,
    /// How many trees are kept.
    pub n_best: usize,
    /// Whether all trees with the fewest errors are counted.
    pub counts_ties: bool,
    /// What a feature counts that the tree tests.
    pub per_feature: u64,
}

impl CompleteRules {
    /// Checks that the rules fit each other.
    ///
    /// # Errors
    /// A tolerance where an exact ranking or count is asked for; no tree to keep.
    pub fn check(&self) -> Result<(), Error> {
        if self.n_best == 0 {
            return Err(Error::Parameter { name: "n_best", found: 0usize.into(), allowed: "at least 1" });
        }
        if self.tolerance > 0 && (self.n_best > 1 || self.counts_ties) {
            let allowed = "0 when several best trees or their number are asked for";
            return Err(Error::Parameter { name: "tolerance", found: "above 0".to_owned().into(), allowed });
        }
        Ok(())
    }
}

/// One of the best trees.
#[derive(Debug, Clone)]
pub struct BestTree {
    /// Features it tests.
    pub used: BitSet,
    /// Features that would change the tree if they came.
    pub blocked: BitSet,
    /// In units of 2^-20.
    pub errors: u64,
    /// What errors, leaves and the features used count together.
    pub value: u64,
    /// The tree of every fold.
    pub trees: Vec<Tree>,
}

/// The best of all distinct trees.
#[derive(Debug, Clone)]
pub struct BestTrees {
    /// Best first.
    pub trees: Vec<BestTree>,
    /// Distinct trees found with the fewest errors, the best one included; all there are if these were
    /// counted to the end.
    pub n_ties: Option<u64>,
}

/// The best trees, with a bound on the value of any tree.
type Ranked = Outcome<BestTrees, u64>;

/// A problem, and how its trees are judged.
type Fold = (Arc<Problem>, Judging);

/// Searches all feature subsets. No tree has a lower value than the bound; no value where the work is cancelled
/// before the first tree. Searched are the trees built by the search itself and by the eliminations that it starts
/// from. The value of a tree is its errors in units of 2^-20, unless leaves or features have a price.
///
/// # Errors
/// Rules that do not fit each other.
pub fn complete(
    problem: Arc<Problem>,
    judging: impl Into<Judging>,
    rules: &CompleteRules,
    control: &Control,
) -> Result<Outcome<Option<BestTrees>, u64>, Error> {
    complete_by_folds(vec![(problem, judging.into())], rules, control)
}

/// The same by the trees of several folds, one or more, whose errors are summed. The features that some of them
/// tests are those of all.
///
/// # Errors
/// Rules that do not fit each other.
pub fn complete_by_folds(
    folds: Vec<(Arc<Problem>, Judging)>,
    rules: &CompleteRules,
    control: &Control,
) -> Result<Outcome<Option<BestTrees>, u64>, Error> {
    rules.check()?;
    let ranked = match folds[0].0.n_features() <= 64 {
        true => complete_with::<u64>(folds, rules, control),
        false => complete_with::<BitSet>(folds, rules, control),
    };
    Ok(Outcome::of(ranked, control.stats(0)))
}

fn complete_with<M: Mask>(
    folds: Vec<Fold>,
    rules: &CompleteRules,
    control: &Control,
) -> Result<Ranked, Status> {
    let n_features = folds[0].0.n_features();
    let mut guide = Guide::<M> {
        unavoidable: folds.iter().map(unavoidable).sum(),
        rules,
        control,
        best: Vec::new(),
        n_ties: 0,
        skipped: u64::MAX,
    };
    let n_built_to_start = start(&mut guide, &folds, n_features)?;
    let forests = folds.into_iter().map(|(problem, judging)| Forest::new(problem, judging, Keeping::All));
    let mut forests: Vec<Forest<M>> = forests.collect();
    match forests.len() {
        1 => search(guide, forests.remove(0), n_built_to_start),
        _ => search(guide, FoldForests::new(forests), n_built_to_start),
    }
}

fn search<M: Mask, F: Grove<M>>(
    mut guide: Guide<'_, M>,
    grove: F,
    n_built_to_start: u64,
) -> Result<Ranked, Status> {
    let (rules, control) = (guide.rules, guide.control);
    let mut enumerator = Enumerator::over(grove, rules.order, rules.cap);
    let ended = enumerator.run_with(control, &mut guide).expect("the guide never pauses");
    let (status, to_come) = match ended {
        Status::Complete if rules.tolerance == 0 => (Status::Optimal, u64::MAX),
        Status::Complete => (Status::Complete, u64::MAX),
        status => (status, control.essential(|| enumerator.bound_to_come(rules.per_feature, control))?),
    };
    let bound = to_come.min(guide.skipped).max(guide.unavoidable).min(guide.least());
    let trees = guide.best.iter().map(|kept| best_tree(&mut enumerator, kept, control));
    let value = BestTrees {
        trees: trees.collect::<Result<_, _>>()?,
        n_ties: rules.counts_ties.then_some(guide.n_ties.max(1)),
    };
    let stats = control.stats(enumerator.n_built + n_built_to_start);
    Ok(Outcome { value, status, bound: Some(bound), stats })
}

/// A tree that was kept, grown again.
fn best_tree<M: Mask, F: Grove<M>>(
    enumerator: &mut Enumerator<M, F>,
    kept: &Kept<M>,
    control: &Control,
) -> Result<BestTree, Status> {
    let look = |grove: &mut F, tree| {
        let n_features = grove.n_features();
        Ok(BestTree {
            used: kept.used.to_set(n_features),
            blocked: grove.blocked(tree, control)?.to_set(n_features),
            errors: grove.errors(tree),
            value: kept.value,
            trees: grove.to_trees(tree),
        })
    };
    control.essential(|| enumerator.look_at(&kept.used, control, look))
}

/// What any tree counts: the loss of the validation rows if all that are alike in every value had their best
/// answer, since rows alike are predicted alike, and a leaf.
fn unavoidable((problem, judging): &Fold) -> u64 {
    let mut groups: HashMap<Vec<u32>, Vec<u64>> = HashMap::new();
    for &row in &judging.validation {
        let values = problem.data.columns().iter().map(|column| column.codes.get(row as usize)).collect();
        let classes = groups.entry(values).or_insert_with(|| vec![0; problem.n_classes()]);
        classes[problem.class_of(row)] += problem.weights.fine(row);
    }
    let answered = |classes: &Vec<u64>, answer: usize| -> u64 {
        classes.iter().enumerate().map(|(class, weight)| weight * problem.cost(class, answer)).sum()
    };
    let least = |classes: &Vec<u64>| (0..classes.len()).map(|answer| answered(classes, answer)).min();
    judging.price.value(groups.values().filter_map(least).sum(), 1)
}

/// Offers what backward elimination finds, what is left when it goes on to drop features that make
/// no difference, and the single leaf, so that there is something to bound by from the start.
/// Returns the trees built.
fn start<M: Mask>(guide: &mut Guide<M>, folds: &[Fold], n_features: usize) -> Result<u64, Status> {
    let (none, all) = (BitSet::empty(n_features), BitSet::full(n_features));
    let mut elimination = SelectionRules {
        direction: Direction::Backward,
        floating: false,
        tolerance: 0,
        parsimonious: false,
        min_features: 0,
        max_features: n_features,
        units: (0..n_features).map(|feature| BitSet::of(n_features, [feature])).collect(),
        required: none.clone(),
        start: all,
        per_feature: guide.rules.per_feature,
    };
    let cap = guide.rules.cap / folds.len();
    let folds =
        folds.iter().map(|(problem, judging)| incremental_within(cap, problem.clone(), judging.clone()));
    let mut evaluator = Folds::new(folds.collect());
    let found = selected(&mut evaluator, &elimination, guide.control)?;
    (elimination.start, elimination.parsimonious, elimination.floating) =
        (found.value.selected.clone(), true, true);
    let fewer = selected(&mut evaluator, &elimination, guide.control)?;
    (elimination.start, elimination.parsimonious, elimination.floating) = (none, false, false);
    elimination.units.clear();
    let leaf = selected(&mut evaluator, &elimination, guide.control)?;
    for tree in [&found, &fewer, &leaf] {
        if tree.value.used.len() <= guide.rules.max_features {
            guide.offer(tree.value.value, &M::of_set(&tree.value.used));
        }
    }
    Ok([found, fewer, leaf].iter().map(|tree| tree.stats.n_searched).sum())
}

/// A tree kept, named by the features it uses.
#[derive(Debug, Clone)]
struct Kept<M> {
    value: u64,
    used: M,
}

impl<M: Mask> Kept<M> {
    /// Whether this tree comes before one of this value that uses the features of `used`.
    fn precedes(&self, value: u64, used: &M) -> bool {
        let (mine, other) = ((self.value, self.used.len()), (value, used.len()));
        mine < other || (mine == other && comes_first(&self.used, used))
    }
}

/// Whether the ascending list of `a` comes before that of `b`, both of equal length.
fn comes_first<M: Mask>(a: &M, b: &M) -> bool {
    let (mut only_a, mut only_b) = (a.clone(), b.clone());
    only_a.subtract(b);
    only_b.subtract(a);
    match (only_a.first(), only_b.first()) {
        (Some(first_a), Some(first_b)) => first_a < first_b,
        _ => false,
    }
}

/// The best trees so far, and which sub-spaces can hold a better one.
struct Guide<'a, M> {
    rules: &'a CompleteRules,
    control: &'a Control,
    /// In order, at most as many as asked for.
    best: Vec<Kept<M>>,
    /// Trees seen by the enumeration with the fewest errors.
    n_ties: u64,
    /// No tree at all has fewer errors.
    unavoidable: u64,
    /// No tree of a skipped space that may be the answer has fewer errors.
    skipped: u64,
}

impl<M: Mask> Guide<'_, M> {
    fn least(&self) -> u64 {
        self.best.first().map_or(u64::MAX, |kept| kept.value)
    }

    /// Takes a tree in if it is among the best.
    fn offer(&mut self, value: u64, used: &M) {
        let at = self.best.partition_point(|kept| kept.precedes(value, used));
        if at >= self.rules.n_best || self.best.get(at).is_some_and(|kept| kept.used == *used) {
            return;
        }
        if value < self.least() {
            self.n_ties = 0;
            self.control.report_best(crate::base::units::Fine(value).weight());
        }
        self.best.insert(at, Kept { value, used: used.clone() });
        self.best.truncate(self.rules.n_best);
    }

    /// What must all be shown of a space to skip it; nothing would do while too few trees are known.
    fn goals(&self, space: &Space<M>) -> Option<[Goal; 2]> {
        let worst = self.best.last().filter(|_| self.best.len() == self.rules.n_best)?;
        let max_features = self.rules.max_features;
        let mut value = worst.value.saturating_sub(self.rules.tolerance);
        if self.rules.counts_ties {
            value = value.max(self.least().saturating_add(1));
        }
        let any_tree = Goal { value, max_used: max_features };
        if self.rules.tolerance > 0 {
            return Some([any_tree; 2]);
        }
        let max_used = max_features.min(most_used_of_equals(worst, space));
        Some([any_tree, Goal { value: worst.value.saturating_add(1), max_used }])
    }

    /// What a goal asks for, shown of a space whose errors are `known` to be no fewer: a bound on the values of its
    /// trees. None where it cannot be shown.
    fn shown<F: Grove<M>>(
        &self,
        known: u64,
        Goal { value, max_used }: Goal,
        forest: &mut F,
        parent: TreeId,
        space: &Space<M>,
        control: &Control,
    ) -> Result<Option<u64>, Status> {
        let price = |n_used: usize| self.price(n_used);
        let mut shown = u64::MAX;
        let mut n_used = match self.rules.per_feature {
            0 => max_used,
            _ => space.required.len(),
        };
        let max_used = if self.rules.per_feature > 0 { max_used.min(space.allowed.len()) } else { max_used };
        while n_used <= max_used {
            let enough = value.saturating_sub(price(n_used));
            if enough <= known {
                return Ok(Some(shown.min(known.saturating_add(price(n_used)))));
            }
            let space = Space { max_used: n_used, ..space.clone() };
            let bound = self.bound(known, enough, forest, parent, &space, control)?;
            if bound < enough {
                return Ok(None);
            }
            shown = shown.min(bound.saturating_add(price(n_used)));
            n_used += 1;
        }
        Ok(Some(shown))
    }

    /// What so many features count.
    fn price(&self, n_used: usize) -> u64 {
        self.rules.per_feature.saturating_mul(n_used as u64)
    }

    /// A bound on the errors of a space, `known` so far, that is looked at until it is at least
    /// `enough` or the look ahead is at its end.
    fn bound<F: Grove<M>>(
        &self,
        known: u64,
        enough: u64,
        forest: &mut F,
        parent: TreeId,
        space: &Space<M>,
        control: &Control,
    ) -> Result<u64, Status> {
        let mut bound = known;
        for depth in 0..=LOOK_AHEAD {
            if bound >= enough {
                break;
            }
            bound = bound.max(forest.bound(parent, space, Query::whether(enough, depth, control))?);
        }
        Ok(bound)
    }
}

/// What must be shown of a space: that its trees which use at most so many features have at least
/// so large a value.
#[derive(Debug, Clone, Copy)]
struct Goal {
    value: u64,
    max_used: usize,
}

/// The most features that a tree of the space may use and, its value being that of `worst`, come
/// before it.
fn most_used_of_equals<M: Mask>(worst: &Kept<M>, space: &Space<M>) -> usize {
    let n_used = worst.used.len();
    let (mut first, mut optional) = (space.required.clone(), space.allowed.clone());
    optional.subtract(&space.required);
    let mut n_free = n_used.saturating_sub(first.len());
    while let Some(feature) = optional.first().filter(|_| n_free > 0) {
        first.insert(feature);
        optional.remove(feature);
        n_free -= 1;
    }
    if comes_first(&first, &worst.used) { n_used } else { n_used.saturating_sub(1) }
}

impl<M: Mask, F: Grove<M>> Visitor<M, F> for Guide<'_, M> {
    const WANTS_BLOCKED: bool = false;

    fn visit(&mut self, found: &Found<M, F>) -> bool {
        if found.used.len() <= self.rules.max_features {
            let value = found.value.saturating_add(self.price(found.used.len()));
            self.offer(value, found.used);
            self.n_ties += u64::from(value == self.least());
        }
        true
    }

    fn skips(
        &mut self,
        forest: &mut F,
        parent: TreeId,
        space: &Space<M>,
        control: &Control,
    ) -> Result<bool, Status> {
        if space.required.len() > self.rules.max_features {
            return Ok(true);
        }
        let Some(goals) = self.goals(space) else { return Ok(false) };
        let mut known = self.unavoidable;
        if self.rules.per_feature > 0 {
            known = known.max(forest.bound(parent, space, Query::exact(0, control))?);
        }
        let [any_tree, equals] = goals;
        let Some(bound) = self.shown(known, any_tree, forest, parent, space, control)? else {
            return Ok(false);
        };
        if space.required.len() <= equals.max_used {
            if self.rules.per_feature == 0 {
                known = bound;
            }
            if self.shown(known, equals, forest, parent, space, control)?.is_none() {
                return Ok(false);
            }
        }
        self.skipped = self.skipped.min(bound);
        Ok(true)
    }
}
