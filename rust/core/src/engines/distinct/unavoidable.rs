//! Errors that every tree makes on the validation rows.

use std::collections::HashMap;

use crate::engines::induce::Problem;

/// Weight of the validation rows that some other validation row, alike in every value, outvotes, in units of
/// 2^-20: rows alike are predicted alike, whatever the tree.
pub(super) fn unavoidable_errors(problem: &Problem, search: &[u32]) -> u64 {
    let mut groups: HashMap<Vec<u32>, Vec<u64>> = HashMap::new();
    for &row in search {
        let values = problem.data.columns().iter().map(|column| column.codes.get(row as usize)).collect();
        let classes = groups.entry(values).or_insert_with(|| vec![0; problem.n_classes()]);
        classes[problem.class_of(row)] += problem.weights.fine(row);
    }
    let outvoted = |classes: &Vec<u64>| classes.iter().sum::<u64>() - classes.iter().max().unwrap_or(&0);
    groups.values().map(outvoted).sum()
}
