//! From choices to a tree: who knows the feature of every subtable has the tree.

use std::sync::Arc;

use crate::base::error::Error;
use crate::base::ordering::first_largest;
use crate::model::data::{DecisionTable, Schema};
use crate::model::tree::{Routing, Tree, TreeBuilder};

/// The rows of each value that feature `f` takes among `rows`, by ascending value.
pub fn parts(table: &DecisionTable, rows: &[u32], f: usize) -> Vec<(u32, Vec<u32>)> {
    let column = table.column(f);
    let mut parts: Vec<(u32, Vec<u32>)> = Vec::new();
    for &row in rows {
        let value = column[row as usize];
        match parts.binary_search_by_key(&value, |part| part.0) {
            Ok(at) => parts[at].1.push(row),
            Err(at) => parts.insert(at, (value, vec![row])),
        }
    }
    parts
}

/// A subtable whose node stands and is still to be split.
struct Pending<S> {
    node: u32,
    rows: Vec<u32>,
    state: S,
}

/// Nothing for a leaf, or a feature and the states of its parts.
type Choose<'a, S, E> = dyn FnMut(&[u32], S) -> Result<Option<(usize, Vec<S>)>, E> + 'a;

/// Grows a tree from the whole table. `choose` is given the rows of a subtable, ascending, and a
/// state that its parent's choice left for it, in preorder; it answers with nothing for a leaf, or with a feature
/// and the states of at least as many parts as [`parts`] makes.
///
/// Every node has the most common decision, the smallest among equals; a value without a branch
/// stops at the node that asks for it.
///
/// # Errors
/// Whatever `choose` fails with.
pub fn plant<S, E>(
    table: &DecisionTable,
    schema: &Arc<Schema>,
    state: S,
    choose: &mut Choose<S, E>,
) -> Result<Tree, E> {
    let rows: Vec<u32> = (0..table.n_rows() as u32).collect();
    let (class, weights) = majority(table, &rows);
    let mut builder = TreeBuilder::new(schema.clone(), Routing::Stop, class, rows.len() as f64, &weights);
    let mut pending = vec![Pending { node: 0, rows, state }];
    while let Some(Pending { node, rows, state }) = pending.pop() {
        let Some((feature, states)) = choose(&rows, state)? else { continue };
        let parts = parts(table, &rows, feature);
        debug_assert!(parts.len() > 1 && states.len() >= parts.len());
        let levels = parts.iter().map(|part| part.0).collect();
        builder.split_listed(node, feature as u32, levels);
        let first = pending.len();
        for ((_, rows), state) in parts.into_iter().zip(states) {
            let (class, weights) = majority(table, &rows);
            let child = builder.child(node, class, rows.len() as f64, weights);
            pending.push(Pending { node: child, rows, state });
        }
        pending[first..].reverse();
    }
    let tree = builder.finish();
    let counts = tree.class_weights().to_vec(); // every row weighs 1
    Ok(tree.with_counts(counts))
}

/// The tree whose nodes have these features, in preorder, branches by ascending value; none is a leaf.
///
/// # Errors
/// A list that is no tree for the table: too short or too long, or a feature that does not vary where it stands.
pub fn planted(
    table: &DecisionTable,
    schema: &Arc<Schema>,
    features: &[Option<usize>],
) -> Result<Tree, Error> {
    let wrong = || Error::Parameter {
        name: "features",
        found: format!("{} features", features.len()).into(),
        allowed: "the features of all nodes of a tree in preorder, which vary where they stand",
    };
    let mut nodes = features.iter();
    let mut choose = |rows: &[u32], ()| match nodes.next() {
        None => Err(wrong()),
        Some(None) => Ok(None),
        Some(&Some(feature)) if feature < table.n_features() && parts(table, rows, feature).len() > 1 => {
            Ok(Some((feature, vec![(); table.arity(feature) as usize])))
        }
        Some(_) => Err(wrong()),
    };
    let tree = plant(table, schema, (), &mut choose)?;
    if nodes.next().is_none() { Ok(tree) } else { Err(wrong()) }
}

/// The most common decision of some rows, the smallest among equals, and how many rows have each.
fn majority(table: &DecisionTable, rows: &[u32]) -> (u16, Vec<f64>) {
    let counts = table.decision_counts(rows);
    let most_common = first_largest(counts.iter().copied()).expect("there is a decision");
    (most_common as u16, counts.into_iter().map(f64::from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::control::Control;
    use crate::model::data::RawColumn;
    use crate::model::tree::Cost;

    /// Value 2 of x0 occurs in no row; the tree asks x0, then x1 under value 3.
    fn planted() -> (DecisionTable, Tree) {
        let columns = vec![vec![3, 0, 3, 1], vec![0, 0, 1, 1]];
        let table = DecisionTable::new(columns, vec![4, 2], vec![0, 1, 1, 1], 2).unwrap();
        let schema = Arc::new(table.plain_schema());
        let mut choose = |rows: &[u32], _: ()| -> Result<_, ()> {
            Ok(match rows {
                [0, 1, 2, 3] => Some((0, vec![(); 3])),
                [0, 2] => Some((1, vec![(); 2])),
                _ => None,
            })
        };
        let tree = plant(&table, &schema, (), &mut choose).unwrap();
        (table, tree)
    }

    #[test]
    fn a_planted_tree_has_the_chosen_costs_and_answers() {
        let (table, tree) = planted();
        assert_eq!(tree.costs(&table, tree.schema()), Ok([2, 6, 6, 2, 4]));
        let own = Cost { leaf: 5, per_row: 2, per_node: 3, combine: crate::model::tree::Combine::Max };
        let reaching = tree.rows_reaching(&table, tree.schema()).unwrap();
        assert_eq!(tree.cost(&own, &reaching), (3 + 8) + (3 + 4) + 5);
        assert_eq!(tree.feature_importances().len(), 2);
        assert_eq!(tree.used_features().len(), 2);
        let text = tree.export_text(&Default::default());
        assert_eq!(text, "x0 = 0: 1\nx0 = 1: 1\nx0 = 3\n|   x1 = 0: 0\n|   x1 = 1: 1\n");
    }

    #[test]
    fn a_value_without_a_branch_stops_at_its_node() {
        let (_, tree) = planted();
        let columns = [RawColumn::Nominal(vec![3, 2, -1, 3]), RawColumn::Nominal(vec![0, 0, 0, -1])];
        let classes = tree.predict(&columns, &Control::unlimited()).unwrap().value.unwrap();
        assert_eq!(classes, [0, 1, 1, 0]);
        let leaves = tree.apply(&columns, &Control::unlimited()).unwrap().value.unwrap();
        assert_eq!(leaves[1], 0);
    }

    #[test]
    fn listed_nodes_read_back_from_json() {
        let (_, tree) = planted();
        let text = tree.to_json();
        assert_eq!(Tree::from_json(&text).unwrap(), tree);
        let damaged = text.replace("\"lists\":[[0,1,3]", "\"lists\":[[0,3,1]");
        assert_ne!(damaged, text);
        assert!(Tree::from_json(&damaged).is_err());
    }
}
