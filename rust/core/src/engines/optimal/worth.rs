//! What a tree that is known costs.

use super::lanes::Cond;
use super::part::Part;
use super::plan::Plan;
use super::rules::Rules;
use super::stump::best_stump;

/// What a tree costs; none where it is no tree of these rows, is too deep or has a leaf that weighs too little.
pub(super) fn worth(plan: &Plan, part: &Part, rules: &Rules, depth: u32) -> Option<i64> {
    match plan {
        Plan::Leaf => Some(rules.leaf(&part.totals)),
        Plan::Stump => (depth > 0).then(|| best_stump(part, rules).cost),
        Plan::Split { axis, cond, sides } => {
            let parts = sides_of(part, rules, *axis, *cond, depth)?;
            let [left, right] = [0, 1].map(|i| side(&sides[i], &parts[i], rules, depth - 1));
            Some(left? + right?)
        }
        Plan::Multi { axis, gaps, branches } => {
            let (mut n_rows, mut sum) = (0, 0);
            for (code, plan) in branches {
                let cond = if *gaps == Some(*code) { Cond::IsOrFirst(*code) } else { Cond::Is(*code) };
                let [part, _] = sides_of(part, rules, *axis, cond, depth)?;
                n_rows += part.n;
                sum += side(plan, &part, rules, depth - 1)?;
            }
            (n_rows == part.n).then_some(sum)
        }
    }
}

/// What a branch costs; none where no row reaches it, or too little weight.
fn side(plan: &Plan, part: &Part, rules: &Rules, depth: u32) -> Option<i64> {
    if part.n == 0 || part.mass() < rules.min_leaf { None } else { worth(plan, part, rules, depth) }
}

/// The sides of a test, if there is one.
fn sides_of(part: &Part, rules: &Rules, axis: usize, cond: Cond, depth: u32) -> Option<[Part; 2]> {
    if depth == 0 || axis >= part.axes.len() || !part.axes[axis].is_live() {
        return None;
    }
    let mut sides = [Part::room(part), Part::room(part)];
    part.split(axis, cond, &mut sides, &mut Vec::new());
    sides.iter_mut().filter(|side| side.n > 0).for_each(|side| rules.drop_out_twins(side));
    Some(sides)
}
