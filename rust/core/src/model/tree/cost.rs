//! What a tree costs on a table: depth, total path length, numbers of nodes, and costs of the
//! user's own.

use std::ops::Add;

use super::node::Tree;
use super::split::Split;
use crate::base::error::{Error, Result};
use crate::model::data::{DecisionTable, Feature, MissingMode, Schema};

/// How the costs of a node's children join.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Combine {
    /// Their sum.
    Sum,
    /// The largest.
    Max,
}

/// A cost: `leaf` at a leaf; elsewhere `per_node + per_row * rows` and the sum or the largest of
/// the children's costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cost {
    /// Of a leaf.
    pub leaf: u64,
    /// Of an internal node, for each of its rows.
    pub per_row: u64,
    /// Of an internal node.
    pub per_node: u64,
    /// How the costs of children join.
    pub combine: Combine,
}

impl Cost {
    /// Edges on the longest path.
    pub const DEPTH: Cost = Cost::of(0, 0, 1, Combine::Max);
    /// Edges from the root to a row's leaf, summed over the rows.
    pub const TOTAL_PATH_LENGTH: Cost = Cost::of(0, 1, 0, Combine::Sum);
    /// Number of nodes.
    pub const N_NODES: Cost = Cost::of(1, 0, 1, Combine::Sum);
    /// Number of internal nodes.
    pub const N_INTERNAL: Cost = Cost::of(0, 0, 1, Combine::Sum);
    /// Number of leaves.
    pub const N_LEAVES: Cost = Cost::of(1, 0, 0, Combine::Sum);

    /// The five named costs, in the order of every array of five.
    pub const NAMED: [Cost; 5] =
        [Cost::DEPTH, Cost::TOTAL_PATH_LENGTH, Cost::N_NODES, Cost::N_INTERNAL, Cost::N_LEAVES];

    /// Names of [`Cost::NAMED`].
    pub const NAMES: [&str; 5] = ["depth", "total_path_length", "n_nodes", "n_internal", "n_leaves"];

    /// A cost of these weights.
    pub const fn of(leaf: u64, per_row: u64, per_node: u64, combine: Combine) -> Cost {
        Cost { leaf, per_row, per_node, combine }
    }

    /// What a node of `rows` rows adds to its children's costs.
    #[inline]
    pub fn own(&self, rows: u64) -> u64 {
        self.per_node + self.per_row * rows
    }

    /// Joins two children's costs.
    #[inline]
    pub fn join<T: Ord + Add<Output = T>>(&self, a: T, b: T) -> T {
        match self.combine {
            Combine::Sum => a + b,
            Combine::Max => a.max(b),
        }
    }

    /// Where the cost stands in [`Cost::NAMED`].
    pub fn position(&self) -> Option<usize> {
        Cost::NAMED.iter().position(|named| named == self)
    }

    /// Refuses a cost whose sums over trees for `n_rows` rows and `n_features` columns could leave
    /// 63 bits.
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn check(&self, n_rows: usize, n_features: usize) -> Result<()> {
        let n = n_rows as u128;
        let asked = n * (n_features as u128).min(n);
        let largest =
            n * (u128::from(self.leaf) + u128::from(self.per_node)) + asked * u128::from(self.per_row);
        match largest < 1 << 63 {
            true => Ok(()),
            false => Err(Error::Parameter {
                name: "cost",
                found: format!("{self:?}").into(),
                allowed: "small enough for its sums over a tree to stay below 2**63; divide its numbers by a \
                          common factor",
            }),
        }
    }
}

impl Tree {
    /// Rows of a table that reach each node. Features are matched by position, values by their
    /// labels; a row whose value has no branch ends at the node that asked for it.
    ///
    /// # Errors
    /// Another number of features, a tree that asks a numeric question.
    pub fn rows_reaching(&self, table: &DecisionTable, schema: &Schema) -> Result<Vec<u64>> {
        let (own, theirs) = (&self.schema.features, &schema.features);
        if own.len() != theirs.len() {
            let what = "the table's list of columns".to_owned();
            return Err(Error::LengthMismatch { what, expected: own.len(), found: theirs.len() });
        }
        let levels = own.iter().zip(theirs).enumerate().map(|(column, (own, theirs))| match own.levels {
            Some(_) => Ok((0..theirs.n_branches()).map(|code| code_of(own, theirs, code)).collect()),
            None => Err(Error::ColumnKind { feature: own.name.clone(), column, expected: "numeric" }),
        });
        let levels: Vec<Vec<Option<u32>>> = levels.collect::<Result<_>>()?;
        let mut reaching = vec![0; self.nodes.len()];
        for row in 0..table.n_rows() {
            let mut at = Some(0);
            while let Some(node) = at {
                reaching[node] += 1;
                at = self.branch(node, |f| levels[f][table.column(f)[row] as usize])?;
            }
        }
        Ok(reaching)
    }

    /// The child of a node that a row of these codes goes to.
    fn branch(&self, node: usize, code: impl Fn(usize) -> Option<u32>) -> Result<Option<usize>> {
        let at = &self.nodes[node];
        let branch = match at.split {
            Split::Leaf => None,
            Split::ByValue { feature } => code(feature as usize),
            Split::Listed { feature, list } => code(feature as usize).and_then(|code| {
                let levels = &self.lists[list as usize];
                levels.binary_search(&code).ok().map(|branch| branch as u32)
            }),
            Split::Group { feature, list } => code(feature as usize)
                .map(|code| u32::from(self.lists[list as usize].binary_search(&code).is_err())),
            Split::Missing { feature } => Some(u32::from(code(feature as usize).is_some())),
            Split::Threshold { .. } | Split::Linear { .. } => unreachable!("every feature is nominal"),
        };
        Ok(branch.map(|branch| (at.first_child + branch) as usize))
    }

    /// A cost of the tree, given the rows that reach each node.
    pub fn cost(&self, cost: &Cost, reaching: &[u64]) -> u128 {
        let mut costs = vec![0u128; self.nodes.len()];
        for (id, node) in self.nodes.iter().enumerate().rev() {
            let below = node.children().map(|child| costs[child as usize]).reduce(|a, b| cost.join(a, b));
            costs[id] = match below {
                None => cost.leaf.into(),
                Some(below) => {
                    below + u128::from(cost.per_node) + u128::from(cost.per_row) * u128::from(reaching[id])
                }
            };
        }
        costs[0]
    }

    /// The five named costs of the tree for a table.
    ///
    /// # Errors
    /// As in [`Tree::rows_reaching`].
    pub fn costs(&self, table: &DecisionTable, schema: &Schema) -> Result<[u128; 5]> {
        let reaching = self.rows_reaching(table, schema)?;
        Ok(Cost::NAMED.map(|cost| self.cost(&cost, &reaching)))
    }
}

/// The code a feature of the tree has for a value of the table.
fn code_of(own: &Feature, theirs: &Feature, code: usize) -> Option<u32> {
    let levels = own.levels.as_ref()?;
    let found = match theirs.levels.as_ref()?.get(code) {
        Some(label) => levels.iter().position(|level| level == label),
        None => (own.missing == MissingMode::Value).then_some(levels.len()),
    };
    found.map(|code| code as u32)
}
