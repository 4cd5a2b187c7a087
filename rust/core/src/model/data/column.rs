//! One column: codes at the narrowest width, and the numbers behind the ranks of a numeric one.

use super::rank::{NewRanks, rank};
use crate::base::error::{Error, Result};

/// A code for every row. The code equal to the domain's size means missing.
#[derive(Debug, Clone, PartialEq)]
pub enum Codes {
    /// One byte a row.
    U8(Vec<u8>),
    /// Two bytes a row.
    U16(Vec<u16>),
    /// Four bytes a row.
    U32(Vec<u32>),
}

/// A stored code of any width.
pub trait Code: Copy {
    fn wide(self) -> u32;
}

impl Code for u8 {
    #[inline]
    fn wide(self) -> u32 {
        self.into()
    }
}

impl Code for u16 {
    #[inline]
    fn wide(self) -> u32 {
        self.into()
    }
}

impl Code for u32 {
    #[inline]
    fn wide(self) -> u32 {
        self
    }
}

/// Runs `$body` with `$codes` bound to the slice of whatever width it has.
#[macro_export]
#[doc(hidden)]
macro_rules! with_codes {
    ($column:expr, $codes:ident => $body:expr) => {
        match $column {
            $crate::model::data::Codes::U8($codes) => $body,
            $crate::model::data::Codes::U16($codes) => $body,
            $crate::model::data::Codes::U32($codes) => $body,
        }
    };
}

impl Codes {
    /// Stores `codes` of a domain of `domain` values at the narrowest width.
    pub fn narrow(codes: Vec<u32>, domain: usize) -> Self {
        if domain > u16::MAX as usize { Codes::U32(codes) } else { Self::collect(codes.into_iter(), domain) }
    }

    /// Collects codes of a domain of `domain` values at the narrowest width.
    fn collect(codes: impl Iterator<Item = u32>, domain: usize) -> Self {
        if domain <= u8::MAX as usize {
            Codes::U8(codes.map(|c| c as u8).collect())
        } else if domain <= u16::MAX as usize {
            Codes::U16(codes.map(|c| c as u16).collect())
        } else {
            Codes::U32(codes.collect())
        }
    }

    /// The code of a row.
    #[inline]
    pub fn get(&self, row: usize) -> u32 {
        match self {
            Codes::U8(codes) => codes[row].into(),
            Codes::U16(codes) => codes[row].into(),
            Codes::U32(codes) => codes[row],
        }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        with_codes!(self, codes => codes.len())
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes held on the heap.
    pub fn bytes(&self) -> usize {
        with_codes!(self, codes => size_of_val(&codes[..]))
    }

    /// All codes at full width.
    pub fn to_vec(&self) -> Vec<u32> {
        with_codes!(self, codes => codes.iter().map(|c| c.wide()).collect())
    }
}

/// A column as a caller hands it over, and as new data is predicted.
#[derive(Debug, Clone, PartialEq)]
pub enum RawColumn {
    /// NaN is missing.
    Numeric(Vec<f64>),
    /// -1 is missing.
    Nominal(Vec<i32>),
}

impl RawColumn {
    /// The number of rows.
    pub fn len(&self) -> usize {
        match self {
            RawColumn::Numeric(values) => values.len(),
            RawColumn::Nominal(codes) => codes.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A column as engines read it.
///
/// # Invariants
/// Codes are at most `domain()`; `values` is strictly ascending and every value occurs somewhere
/// in the data set it was first ranked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// The code of every row.
    pub codes: Codes,
    domain: usize,
    values: Option<Vec<f64>>,
    n_missing: usize,
}

impl Column {
    /// Codes a column as it was handed over; `n_levels` is the domain of a nominal one.
    ///
    /// # Errors
    /// An infinite number, a code outside the domain.
    pub fn new(raw: RawColumn, n_levels: usize, name: &str, column: usize) -> Result<Self> {
        match raw {
            RawColumn::Numeric(values) => Column::numeric(values, name, column),
            RawColumn::Nominal(codes) => Column::nominal(codes, n_levels, name, column),
        }
    }

    /// Ranks a numeric column. `-0.0` and `0.0` are one value.
    pub fn numeric(raw: Vec<f64>, name: &str, column: usize) -> Result<Self> {
        if let Some(row) = raw.iter().position(|v| v.is_infinite()) {
            let (feature, value) = (name.to_owned(), raw[row]);
            return Err(Error::NotFinite { feature, column, row, value });
        }
        let (codes, values) = rank(raw);
        Ok(Column::from_codes(codes, values.len(), Some(values)))
    }

    /// Takes nominal codes of a domain of `n_levels`.
    pub fn nominal(raw: Vec<i32>, n_levels: usize, name: &str, column: usize) -> Result<Self> {
        let outside = |code: &i32| *code < -1 || i64::from(*code) >= n_levels as i64;
        if let Some(row) = raw.iter().position(outside) {
            let (feature, code) = (name.to_owned(), raw[row].into());
            return Err(Error::CodeOutOfRange { feature, column, row, code, n_levels });
        }
        let codes = raw.iter().map(|&c| if c < 0 { n_levels as u32 } else { c as u32 }).collect();
        Ok(Column::from_codes(codes, n_levels, None))
    }

    /// A column of ready codes; `values` are the numbers of a numeric one.
    pub fn from_codes(codes: Vec<u32>, domain: usize, values: Option<Vec<f64>>) -> Self {
        let n_missing = codes.iter().filter(|&&c| c as usize == domain).count();
        Column { codes: Codes::narrow(codes, domain), domain, values, n_missing }
    }

    /// Number of values a code can stand for; this number itself stands for missing.
    #[inline]
    pub fn domain(&self) -> usize {
        self.domain
    }

    /// The numbers in ascending order, `None` for a nominal column.
    pub fn values(&self) -> Option<&[f64]> {
        self.values.as_deref()
    }

    /// Whether it holds numbers.
    pub fn is_numeric(&self) -> bool {
        self.values.is_some()
    }

    /// Rows without a value.
    pub fn n_missing(&self) -> usize {
        self.n_missing
    }

    /// The column of the given rows: the same as if they had been handed over alone.
    ///
    /// A nominal domain stays. Numbers that no row has leave, and the others move up; since they are in
    /// order already, nothing is sorted.
    ///
    /// # Complexity
    /// Linear in the number of rows and the size of the domain.
    pub fn take(&self, rows: &[u32]) -> Self {
        self.take_with(rows, &mut NewRanks::default())
    }

    /// As [`Column::take`], with memory that is used again for the next column.
    pub(super) fn take_with(&self, rows: &[u32], ranks: &mut NewRanks) -> Self {
        with_codes!(&self.codes, codes => self.taken(|| rows.iter().map(|&row| codes[row as usize].wide()), ranks))
    }

    /// The column of codes that are listed anew at every call.
    fn taken<I: Iterator<Item = u32>>(&self, codes: impl Fn() -> I, ranks: &mut NewRanks) -> Self {
        let n_missing = match self.n_missing {
            0 => 0,
            _ => codes().filter(|&code| code as usize == self.domain).count(),
        };
        let Some(values) = &self.values else {
            let codes = Codes::collect(codes(), self.domain);
            return Column { codes, domain: self.domain, values: None, n_missing };
        };
        let values = ranks.learn(codes(), values);
        let domain = values.len();
        let codes = Codes::collect(codes().map(|code| ranks.get(code)), domain);
        Column { codes, domain, values: Some(values), n_missing }
    }

    /// The column as it was handed over.
    pub fn to_raw(&self) -> RawColumn {
        let codes = self.codes.to_vec();
        match &self.values {
            Some(values) => RawColumn::Numeric(
                codes.iter().map(|&c| values.get(c as usize).copied().unwrap_or(f64::NAN)).collect(),
            ),
            None => RawColumn::Nominal(
                codes.iter().map(|&c| if c as usize == self.domain { -1 } else { c as i32 }).collect(),
            ),
        }
    }
}
