//! What is done about missing values before growing starts.

use std::sync::Arc;

use super::column::Column;
use super::dataset::Dataset;
use super::schema::{Fill, MissingMode};
use crate::base::error::{Error, Result};

/// The estimator parameter `missing`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MissingPolicy {
    /// A row goes down every branch by its share.
    Distribution,
    /// The column's most frequent value replaces it.
    MostFrequent,
    /// A value of its own.
    Value,
    /// An error.
    Raise,
}

/// Applies `policy` as learned from `training`, the rows a tree is grown from. `weight` is the
/// weight of a row in units that may be added.
///
/// # Errors
/// Under `Raise`, a missing value in a training row.
pub fn resolve_missing(
    data: &Dataset,
    policy: MissingPolicy,
    training: &[u32],
    weight: impl Fn(u32) -> u64,
) -> Result<Dataset> {
    if policy == MissingPolicy::Distribution {
        return Ok(data.clone());
    }
    let mut columns = Vec::with_capacity(data.n_features());
    let mut modes = Vec::with_capacity(data.n_features());
    for (feature, column) in data.columns().iter().enumerate() {
        let (column, mode) = match policy {
            MissingPolicy::Value => as_value(column, training),
            MissingPolicy::MostFrequent => filled(column, training, &weight),
            MissingPolicy::Raise => {
                refuse(data, feature, column, training)?;
                (column.clone(), MissingMode::Unknown)
            }
            MissingPolicy::Distribution => unreachable!("returned above"),
        };
        columns.push(column);
        modes.push(mode);
    }
    Ok(data.with_columns(columns, modes))
}

fn first_missing(column: &Column, training: &[u32]) -> Option<u32> {
    if column.n_missing() == 0 {
        return None;
    }
    let missing = column.domain() as u32;
    training.iter().copied().find(|&row| column.codes.get(row as usize) == missing)
}

fn refuse(data: &Dataset, feature: usize, column: &Column, training: &[u32]) -> Result<()> {
    match first_missing(column, training) {
        None => Ok(()),
        Some(row) => Err(Error::MissingValue {
            feature: data.schema().features[feature].name.clone(),
            column: feature,
            row: row as usize,
        }),
    }
}

/// One more level, or a number above all others.
fn as_value(column: &Arc<Column>, training: &[u32]) -> (Arc<Column>, MissingMode) {
    if first_missing(column, training).is_none() {
        return (column.clone(), MissingMode::Unknown);
    }
    let values = column.values().map(|known| [known, &[f64::INFINITY]].concat());
    let wider = Column::from_codes(column.codes.to_vec(), column.domain() + 1, values);
    (Arc::new(wider), MissingMode::Value)
}

/// The heaviest known value instead, the lowest among equals.
fn filled(column: &Arc<Column>, training: &[u32], weight: impl Fn(u32) -> u64) -> (Arc<Column>, MissingMode) {
    let missing = column.domain() as u32;
    let mut sums = vec![0u64; column.domain() + 1];
    for &row in training {
        sums[column.codes.get(row as usize) as usize] += weight(row);
    }
    sums.pop();
    let Some(best) = sums.iter().copied().max().filter(|&sum| sum > 0) else {
        return (column.clone(), MissingMode::Unknown);
    };
    let fill = sums.iter().position(|&sum| sum == best).expect("the maximum is one of them") as u32;
    let mode = MissingMode::Filled(match column.values() {
        Some(values) => Fill::Number(values[fill as usize]),
        None => Fill::Level(fill),
    });
    if column.n_missing() == 0 {
        return (column.clone(), mode);
    }
    let replaced = column.codes.to_vec().into_iter().map(|c| if c == missing { fill } else { c });
    let values = column.values().map(<[f64]>::to_vec);
    (Arc::new(Column::from_codes(replaced.collect(), column.domain(), values)), mode)
}
