//! Names, domains and classes: what a tree must know of the table it was grown from.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A nominal level or class label, with the type the user gave it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Label {
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A real number.
    Float(f64),
    /// A text.
    Text(String),
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Label::Bool(true) => f.write_str("True"),
            Label::Bool(false) => f.write_str("False"),
            Label::Int(value) => write!(f, "{value}"),
            Label::Float(value) => write!(f, "{value:?}"),
            Label::Text(text) => f.write_str(text),
        }
    }
}

/// The value that stands in for a missing one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fill {
    /// A number.
    Number(f64),
    /// A level.
    Level(u32),
}

/// What a missing value of one feature means to a tree.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MissingMode {
    /// Unknown: the tree's routing decides.
    #[default]
    Unknown,
    /// A value of its own: one more level, or above every number.
    Value,
    /// Replaced before anything is asked.
    Filled(Fill),
}

/// One input column. Two are equal of the same name and domain, whatever numbers rows had.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Feature {
    /// What it is called.
    pub name: String,
    /// The domain in its order; `None` for a numeric feature.
    pub levels: Option<Vec<Label>>,
    /// What becomes of missing values.
    pub missing: MissingMode,
    /// The smallest and the largest number of the training rows, where they are known.
    pub range: Option<[f64; 2]>,
}

impl PartialEq for Feature {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.levels == other.levels && self.missing == other.missing
    }
}

/// A feature as JSON has it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: String,
    /// Absent in a tree of format 1.
    kind: Option<Kind>,
    levels: Option<Vec<Label>>,
    #[serde(default)]
    missing: MissingMode,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    range: Option<[f64; 2]>,
}

/// What the values of a feature are.
#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Numeric,
    Nominal,
}

impl From<Feature> for Written {
    fn from(Feature { name, levels, missing, range }: Feature) -> Self {
        let kind = if levels.is_some() { Kind::Nominal } else { Kind::Numeric };
        Written { name, kind: Some(kind), levels, missing, range }
    }
}

impl TryFrom<Written> for Feature {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        let Written { name, kind, levels, missing, range } = written;
        let is_nominal = levels.is_some();
        match kind.is_none_or(|kind| (kind == Kind::Nominal) == is_nominal) {
            true => Ok(Feature { name, levels, missing, range }),
            false => Err(format!("the kind of feature '{name}' does not fit its levels")),
        }
    }
}

impl Feature {
    /// How many branches a split by value has, the level "missing" included.
    pub fn n_branches(&self) -> usize {
        let declared = self.levels.as_ref().map_or(0, Vec::len);
        declared + usize::from(self.missing == MissingMode::Value)
    }

    /// The text of level `code`.
    pub fn level_text(&self, code: usize) -> String {
        match self.levels.as_ref().and_then(|levels| levels.get(code)) {
            Some(level) => level.to_string(),
            None => "missing".to_owned(),
        }
    }
}

/// Features and classes in their order.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schema {
    /// The features.
    pub features: Vec<Feature>,
    /// The classes.
    pub classes: Vec<Label>,
}
