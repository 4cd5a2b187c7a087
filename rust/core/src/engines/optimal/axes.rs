//! What the axes are: every feature in the orders and groups by which tests may part rows.
//!
//! | feature | axes |
//! | --- | --- |
//! | numeric, or nominal with an order | its order; with missing values two, these first and these last |
//! | nominal, one value | every value against the rest, "missing" too; with missing values also every value with them |
//! | nominal, groups | every set of values that parts them, "missing" being one more value |
//! | nominal, multiway | a branch for every value; "missing" against the rest |

use super::lanes::Kind;
use super::params::NominalTests;
use crate::base::error::{Error, Result};
use crate::model::data::Column;

/// Values of a feature of which every set is tried, at the most.
pub(super) const MOST_GROUPED: usize = 8;

/// What an axis is of, and how its codes come from those of the column.
#[derive(Debug, Clone)]
pub(super) struct AxisOf {
    pub feature: usize,
    pub kind: Kind,
    pub coding: Coding,
    /// The code of missing values, where the axis is of no use without them.
    pub twin_gap: Option<u32>,
}

/// How codes of an axis come from those of a column.
#[derive(Debug, Clone)]
pub(super) enum Coding {
    /// They are the same; that of missing values is the last one.
    Same,
    /// That of missing values is 0.
    GapsFirst,
    /// 0 for missing values, else 1.
    Missing,
    /// 0 for the values of a set, else 1.
    Set(Vec<bool>),
    /// 0 where another coding has this code or one above, else 1.
    Turned(Box<Coding>, u32),
}

impl Coding {
    /// The code of a value in a column of `domain` values.
    pub fn code(&self, raw: u32, domain: u32) -> u32 {
        match self {
            Coding::Same => raw,
            Coding::GapsFirst if raw == domain => 0,
            Coding::GapsFirst => raw + 1,
            Coding::Missing => u32::from(raw != domain),
            Coding::Set(set) => u32::from(!set[raw as usize]),
            Coding::Turned(inner, from) => u32::from(inner.code(raw, domain) < *from),
        }
    }

    /// Codes are below this.
    pub fn n_codes(&self, domain: usize) -> usize {
        match self {
            Coding::Same | Coding::GapsFirst => domain + 1,
            Coding::Missing | Coding::Set(_) | Coding::Turned(..) => 2,
        }
    }
}

/// The axes of a feature whose rows have these codes.
///
/// # Errors
/// More values than all sets of which can be tried.
pub(super) fn axes_of(
    feature: usize,
    name: &str,
    column: &Column,
    codes: &[u32],
    is_ordered: bool,
    tests: NominalTests,
) -> Result<Vec<AxisOf>> {
    let domain = column.domain() as u32;
    let mut present: Vec<u32> = codes.to_vec();
    present.sort_unstable();
    present.dedup();
    let has_gaps = present.last() == Some(&domain);
    let n_values = present.len() - usize::from(has_gaps);
    let axis = |kind, coding, twin_gap| AxisOf { feature, kind, coding, twin_gap };
    if present.len() < 2 {
        return Ok(Vec::new());
    }
    if column.is_numeric() || is_ordered || (n_values == 2 && !has_gaps) {
        return Ok(match has_gaps {
            false => vec![axis(Kind::Between, Coding::Same, None)],
            true => vec![
                axis(Kind::Between, Coding::GapsFirst, None),
                axis(Kind::Between, Coding::Same, Some(domain)),
            ],
        });
    }
    Ok(match tests {
        NominalTests::OneValue if has_gaps => {
            vec![axis(Kind::Each, Coding::Same, None), axis(Kind::EachWithFirst, Coding::GapsFirst, Some(0))]
        }
        NominalTests::OneValue => vec![axis(Kind::Each, Coding::Same, None)],
        NominalTests::Multiway if has_gaps => vec![
            axis(Kind::Multiway { has_gaps }, Coding::GapsFirst, None),
            axis(Kind::Between, Coding::Missing, None),
        ],
        NominalTests::Multiway => vec![axis(Kind::Multiway { has_gaps }, Coding::Same, None)],
        NominalTests::Groups if n_values > MOST_GROUPED => {
            let (feature, column) = (name.to_owned(), feature);
            return Err(Error::TooManyValues { feature, column, n_values, most: MOST_GROUPED });
        }
        NominalTests::Groups => {
            sets_of(&present, domain).map(|set| axis(Kind::Between, Coding::Set(set), None)).collect()
        }
    })
}

/// Every set of values that parts them, that with the first value of each pair.
fn sets_of(present: &[u32], domain: u32) -> impl Iterator<Item = Vec<bool>> {
    (0..(1u32 << (present.len() - 1)) - 1).map(move |others| {
        let mut set = vec![false; domain as usize + 1];
        set[present[0] as usize] = true;
        for (i, &value) in present.iter().skip(1).enumerate() {
            set[value as usize] = others >> i & 1 == 1;
        }
        set
    })
}
