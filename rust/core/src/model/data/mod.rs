//! Layer 1: the table that engines read. Columns hold small integer codes; a numeric column's
//! code is the rank of its value.

mod column;
mod dataset;
mod fingerprint;
mod generate;
mod missing;
mod rank;
mod schema;
mod table;
mod weights;

pub(crate) use column::Code;
pub use column::{Codes, Column, RawColumn};
pub use dataset::{Dataset, check_rows};
pub use generate::{LinearNetwork, LinearSet};
pub use missing::MissingPolicy;
pub(crate) use missing::resolve_missing;
pub use schema::{Feature, Fill, Label, MissingMode, Schema};
pub use table::{DecisionTable, OnConflict};
pub use weights::{Counted, GivenWeights, Weights};
pub(crate) use weights::{FULL_SHARE, MASS_ONE};
