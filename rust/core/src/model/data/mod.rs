//! Layer 1: the table that engines read. Columns hold small integer codes; a numeric column's
//! code is the rank of its value.

mod column;
mod dataset;
mod generate;
mod missing;
mod rank;
mod schema;
mod table;
mod weights;

pub use column::{Code, Codes, Column, RawColumn};
pub use dataset::{Dataset, check_rows};
pub use generate::{LinearNetwork, LinearSet, MOST_INPUTS};
pub use missing::{MissingPolicy, resolve_missing};
pub use schema::{Feature, Fill, Label, MissingMode, Schema};
pub use table::{DecisionTable, OnConflict};
pub use weights::{FULL_SHARE, MASS_ONE, Weights};
