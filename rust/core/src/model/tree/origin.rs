//! Where a tree comes from: what found it, and how the columns that it asks for were made of a file.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::builder::malformed;
use super::node::Tree;
use crate::base::error::Result;

/// What found a tree.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// The command line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The class of the estimator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// Its parameters by name.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub parameters: Map<String, Value>,
    /// The release that found it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The training data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<DataName>,
    /// What is proven of it, by name.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub proven: Map<String, Value>,
}

/// Which data it was.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataName {
    /// What it is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// A hash of its bytes, with the name of the method.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
}

/// How a file was read, and columns were made of it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    /// How the file was read, by name: its separator, decimal comma and the like.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub options: Map<String, Value>,
    /// Columns that the file does not have as they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<DerivedColumn>,
}

/// A feature that was made of a column of the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DerivedColumn {
    /// The feature.
    pub feature: u32,
    /// The column's name in the file.
    pub source: String,
    /// What was done, in order.
    pub steps: Vec<ReadingStep>,
}

/// One step on the way from a field of a file to a value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadingStep {
    /// Its name: a part of a date, a unit, a fill.
    pub step: String,
    /// Its parameters by name.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub parameters: Map<String, Value>,
}

/// What found a tree, and how its columns were read. Trees are equal that ask for the same columns, whatever
/// found them and however their files are written.
#[derive(Debug, Clone, Default)]
pub struct Origin {
    /// What found it.
    pub provenance: Option<Provenance>,
    /// How its columns were read.
    pub reading: Option<Reading>,
}

impl PartialEq for Origin {
    fn eq(&self, other: &Self) -> bool {
        let columns = |origin: &Self| origin.reading.as_ref().map(|reading| reading.columns.clone());
        columns(self).unwrap_or_default() == columns(other).unwrap_or_default()
    }
}

impl Tree {
    /// What found the tree, as JSON.
    pub fn provenance_json(&self) -> Option<String> {
        self.origin().provenance.as_ref().map(written)
    }

    /// How its columns were read, as JSON.
    pub fn reading_json(&self) -> Option<String> {
        self.origin().reading.as_ref().map(written)
    }

    /// The same tree, found and its columns read by what JSON says; what is absent stays.
    ///
    /// # Errors
    /// A text that is no such JSON.
    pub fn with_origin_json(mut self, provenance: Option<&str>, reading: Option<&str>) -> Result<Tree> {
        if let Some(text) = provenance {
            self.origin.provenance = Some(read(text)?);
        }
        if let Some(text) = reading {
            self.origin.reading = Some(read(text)?);
        }
        Ok(self)
    }
}

fn written(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("texts and values are JSON")
}

fn read<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| malformed(&error.to_string()))
}
