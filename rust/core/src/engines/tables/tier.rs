//! Which tier holds the subtables of a table.

/// Runs `$body` with `$sets` bound to the tier for `$table`.
macro_rules! with_sets {
    ($table:expr, $sets:ident => $body:expr) => {{
        use $crate::engines::tables::{rows::Rows, sets::Bits};
        let table: &$crate::model::data::DecisionTable = $table;
        match table.n_rows() {
            ..=64 => {
                let $sets = &Bits::<1>::new(table);
                $body
            }
            ..=128 => {
                let $sets = &Bits::<2>::new(table);
                $body
            }
            ..=256 => {
                let $sets = &Bits::<4>::new(table);
                $body
            }
            ..=512 => {
                let $sets = &Bits::<8>::new(table);
                $body
            }
            _ => {
                let $sets = &Rows::new(table);
                $body
            }
        }
    }};
}

pub(super) use with_sets;
