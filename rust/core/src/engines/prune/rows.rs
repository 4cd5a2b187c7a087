//! The rows that are led into an existing tree: columns, classes and weights.

use std::sync::Arc;

use crate::base::error::{Error, Result};
use crate::model::data::{Dataset, GivenWeights, RawColumn, Schema, Weights};
use crate::model::tree::Tree;

/// Rows in the form a tree reads them.
pub struct Rows {
    pub(super) columns: Vec<RawColumn>,
    pub(super) target: Arc<Vec<u16>>,
    pub(super) weights: Weights,
}

impl Rows {
    /// All rows of a data set whose features and classes are those of the tree, each weight times
    /// the factor of its class.
    ///
    /// # Errors
    /// No target, no rows, other columns, levels or classes than the tree's, weights that cannot be counted.
    pub fn new(tree: &Tree, data: &Dataset, class_weight: Option<&[f64]>) -> Result<Self> {
        let target = data.target()?.clone();
        if data.n_rows() == 0 {
            return Err(Error::NoRows);
        }
        same_domains(tree.schema(), data.schema())?;
        let given = GivenWeights { raw: data.weights(), factors: class_weight, classes: &target };
        let weights = given.counted()?.weights;
        let columns = data.columns().iter().map(|column| column.to_raw()).collect();
        Ok(Rows { columns, target, weights })
    }

    pub(super) fn len(&self) -> usize {
        self.target.len()
    }
}

/// Whether codes mean the same to both; numbers and kinds of columns are checked where rows and tree
/// are put together.
fn same_domains(tree: &Schema, rows: &Schema) -> Result<()> {
    if tree.classes != rows.classes {
        return Err(Error::OtherDomain { what: "their classes".to_owned() });
    }
    for (column, (own, theirs)) in tree.features.iter().zip(&rows.features).enumerate() {
        if own.levels.is_some() && theirs.levels.is_some() && own.levels != theirs.levels {
            let what = format!("the levels of feature '{}' (column {column})", own.name);
            return Err(Error::OtherDomain { what });
        }
    }
    Ok(())
}
