//! The table itself: columns, target and raw weights, shared by reference.

use std::sync::Arc;

use super::column::{Column, RawColumn};
use super::rank::NewRanks;
use super::schema::{Feature, Label, MissingMode, Schema};
use crate::base::error::{Error, Result};

/// An immutable table. Cheap to clone: columns are shared.
#[derive(Debug, Clone, PartialEq)]
pub struct Dataset {
    schema: Arc<Schema>,
    columns: Vec<Arc<Column>>,
    target: Option<Arc<Vec<u16>>>,
    weights: Option<Arc<Vec<f64>>>,
    n_rows: usize,
}

impl Dataset {
    /// Builds a table from columns as a caller hands them over; `levels[i]` is the domain of a
    /// nominal column.
    ///
    /// # Errors
    /// Columns of unequal length, a code outside its domain, an infinite number.
    pub fn new(
        names: Vec<String>,
        raw: Vec<RawColumn>,
        levels: Vec<Option<Vec<Label>>>,
        n_rows: usize,
    ) -> Result<Self> {
        let lengths_agree = |what: &str, found| check_length(what, raw.len(), found);
        lengths_agree("the list of feature names", names.len())?;
        lengths_agree("the list of levels", levels.len())?;
        let mut columns = Vec::with_capacity(raw.len());
        for (i, (column, name)) in raw.into_iter().zip(&names).enumerate() {
            columns.push(Column::new(column, levels[i].as_ref().map_or(0, Vec::len), name, i)?);
        }
        Self::from_columns(names, columns, levels, n_rows)
    }

    /// Builds a table from columns that are coded already.
    ///
    /// # Errors
    /// Columns of unequal length.
    pub fn from_columns(
        names: Vec<String>,
        columns: Vec<Column>,
        levels: Vec<Option<Vec<Label>>>,
        n_rows: usize,
    ) -> Result<Self> {
        for (i, (column, name)) in columns.iter().zip(&names).enumerate() {
            check_length(&format!("feature '{name}' (column {i})"), n_rows, column.codes.len())?;
        }
        let features = names
            .into_iter()
            .zip(levels)
            .map(|(name, levels)| Feature { name, levels, missing: MissingMode::Unknown, range: None })
            .collect();
        let schema = Arc::new(Schema { features, classes: Vec::new() });
        let columns = columns.into_iter().map(Arc::new).collect();
        Ok(Dataset { schema, columns, target: None, weights: None, n_rows })
    }

    /// The same columns with a target and raw weights.
    ///
    /// # Errors
    /// A wrong length, a class code out of range, too many classes.
    pub fn with_target(
        &self,
        target: Vec<i32>,
        classes: Vec<Label>,
        weights: Option<Vec<f64>>,
    ) -> Result<Self> {
        let n_classes = classes.len();
        if n_classes > u16::MAX as usize {
            return Err(Error::TooManyClasses { n_classes });
        }
        check_length("the target", self.n_rows, target.len())?;
        if let Some(weights) = &weights {
            check_length("the sample weights", self.n_rows, weights.len())?;
        }
        let outside = |code: &i32| usize::try_from(*code).map_or(true, |c| c >= n_classes);
        if let Some(row) = target.iter().position(outside) {
            return Err(Error::ClassOutOfRange { row, code: target[row].into(), n_classes });
        }
        let schema = Schema { classes, ..(*self.schema).clone() };
        Ok(Dataset {
            schema: Arc::new(schema),
            target: Some(Arc::new(target.into_iter().map(|c| c as u16).collect())),
            weights: weights.map(Arc::new),
            ..self.clone()
        })
    }

    /// The table of the given rows, in their order.
    ///
    /// # Errors
    /// A row out of range.
    pub fn take(&self, rows: &[i64]) -> Result<Self> {
        let rows = check_rows("rows", rows, self.n_rows)?;
        let mut ranks = NewRanks::default();
        let columns = self.columns.iter().map(|column| Arc::new(column.take_with(&rows, &mut ranks)));
        Ok(Dataset {
            schema: self.schema.clone(),
            columns: columns.collect(),
            target: self.target.as_ref().map(|all| picked(all, &rows)),
            weights: self.weights.as_ref().map(|all| picked(all, &rows)),
            n_rows: rows.len(),
        })
    }

    /// The same table with some columns, and what their missing values mean, replaced.
    pub(super) fn with_columns(&self, columns: Vec<Arc<Column>>, missing: Vec<MissingMode>) -> Self {
        let mut schema = (*self.schema).clone();
        for (feature, mode) in schema.features.iter_mut().zip(missing) {
            feature.missing = mode;
        }
        Dataset { schema: Arc::new(schema), columns, ..self.clone() }
    }

    /// What the columns and classes are.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The number of rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// The number of features.
    pub fn n_features(&self) -> usize {
        self.columns.len()
    }

    /// The number of classes.
    pub fn n_classes(&self) -> usize {
        self.schema.classes.len()
    }

    /// The columns.
    pub fn columns(&self) -> &[Arc<Column>] {
        &self.columns
    }

    /// The column of a feature.
    #[inline]
    pub fn column(&self, feature: usize) -> &Column {
        &self.columns[feature]
    }

    /// Class codes.
    ///
    /// # Errors
    /// The table has no target.
    pub fn target(&self) -> Result<&Arc<Vec<u16>>> {
        self.target.as_ref().ok_or(Error::NoTarget)
    }

    /// Weights as the caller gave them.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_ref().map(|w| w.as_slice())
    }
}

/// Checks row positions and narrows them.
///
/// # Errors
/// A position outside `0..n_rows`.
pub fn check_rows(what: &'static str, rows: &[i64], n_rows: usize) -> Result<Vec<u32>> {
    let narrow = |(position, &row): (usize, &i64)| match u32::try_from(row) {
        Ok(narrow) if (narrow as usize) < n_rows => Ok(narrow),
        _ => Err(Error::RowOutOfRange { what, position, row, n_rows }),
    };
    rows.iter().enumerate().map(narrow).collect()
}

/// The values of the given rows.
fn picked<T: Copy>(all: &[T], rows: &[u32]) -> Arc<Vec<T>> {
    Arc::new(rows.iter().map(|&row| all[row as usize]).collect())
}

fn check_length(what: &str, expected: usize, found: usize) -> Result<()> {
    if expected == found {
        return Ok(());
    }
    Err(Error::LengthMismatch { what: what.to_owned(), expected, found })
}
