//! Files of text, read into columns: pieces come from Python, coded columns go to the table.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use rayon::prelude::*;
use treewright_core::data::Column;
use treewright_files::column::{self, Misfit, NumberFormat, Store};
use treewright_files::number::Reading;
use treewright_files::records::{Dialect, Fault};
use treewright_files::survey;
use treewright_files::table::Table;

use crate::arrays::Array;
use crate::convert;
use crate::errors::DataError;
use crate::run::{self, Limits};

/// What is known of a column before it is read: `ColumnWish` of Python.
#[derive(FromPyObject)]
struct Wish {
    keeps_text: bool,
    is_numeric: bool,
    missing: Vec<String>,
    decimal: Option<char>,
    thousands: Option<char>,
}

impl From<Wish> for column::Wish {
    fn from(wish: Wish) -> Self {
        let Wish { keeps_text, is_numeric, missing, decimal, thousands } = wish;
        column::Wish { keeps_text, is_numeric, missing, decimal, thousands }
    }
}

/// How a column is coded: `ColumnPlan` of Python. With levels it is nominal.
#[derive(FromPyObject)]
struct Plan {
    position: usize,
    levels: Option<Vec<String>>,
    decimal: char,
    thousands: Option<char>,
    unit: String,
    missing_numbers: Vec<f64>,
}

/// What is wrong with the text of a file.
#[pyclass(frozen, get_all, module = "treewright._core")]
pub struct FileFault {
    /// `open_quote`, `behind_quote`, `ragged`, `not_text` or `too_many_rows`.
    kind: &'static str,
    line: u64,
    /// The column, from 0.
    column: usize,
    /// The number of fields, or the byte.
    found: usize,
    text: String,
    is_marked: bool,
}

impl From<Fault> for FileFault {
    fn from(fault: Fault) -> Self {
        let place = |kind, line, column| FileFault {
            kind,
            line,
            column,
            found: 0,
            text: String::new(),
            is_marked: false,
        };
        match fault {
            Fault::OpenQuote { line } => place("open_quote", line, 0),
            Fault::BehindQuote { line, column } => place("behind_quote", line, column),
            Fault::Ragged { line, found, extra, is_marked } => {
                FileFault { found, text: extra, is_marked, ..place("ragged", line, 0) }
            }
            Fault::NotText { line, column, byte } => {
                FileFault { found: byte.into(), ..place("not_text", line, column) }
            }
            Fault::TooManyRows => place("too_many_rows", 0, 0),
        }
    }
}

/// What was seen in a column; examples are of a thing, the text that shows it, and its first row.
#[pyclass(frozen, get_all, module = "treewright._core")]
pub struct Survey {
    n_known: usize,
    n_numbers: usize,
    n_measured: usize,
    n_others: usize,
    decimals: Vec<(String, String, u32)>,
    thousands: Vec<(String, String, u32)>,
    eithers: Vec<(String, String, u32)>,
    codes: Vec<(String, String, u32)>,
    units: Vec<(String, String, u32)>,
    others: Vec<(String, String, u32)>,
    read_by: Option<char>,
    needs_text: bool,
}

impl From<survey::Survey> for Survey {
    fn from(seen: survey::Survey) -> Self {
        let told = |examples: Vec<survey::Example>| {
            examples.into_iter().map(|one| (one.what, one.text, one.row)).collect()
        };
        Survey {
            n_known: seen.n_known,
            n_numbers: seen.n_numbers,
            n_measured: seen.n_measured,
            n_others: seen.n_others,
            decimals: told(seen.decimals),
            thousands: told(seen.thousands),
            eithers: told(seen.eithers),
            codes: told(seen.codes),
            units: told(seen.units),
            others: told(seen.others),
            read_by: seen.read_by,
            needs_text: seen.needs_text,
        }
    }
}

/// A file that is being read.
#[pyclass(frozen, module = "treewright._core")]
pub struct FileTable {
    inner: Mutex<Table>,
}

impl FileTable {
    fn lock(&self) -> MutexGuard<'_, Table> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn texts<T>(&self, i: usize, of: impl Fn(&treewright_files::texts::Texts) -> T) -> PyResult<T> {
        match self.lock().column(i).map(|column| &column.store) {
            Some(Store::Texts(texts)) => Ok(of(texts)),
            _ => Err(DataError::new_err(format!("column {i} holds no texts"))),
        }
    }
}

#[pymethods]
impl FileTable {
    /// Start on the first line; `wishes` has an entry for each column, None for one that is not wanted.
    #[new]
    #[pyo3(signature = (delimiter, quote, comment, skip_lines, wishes))]
    fn new(
        delimiter: &str,
        quote: Option<char>,
        comment: Option<char>,
        skip_lines: u64,
        wishes: Vec<Option<Wish>>,
    ) -> Self {
        let byte = |mark: Option<char>| mark.and_then(|mark| u8::try_from(mark).ok());
        let dialect = Dialect { delimiter: delimiter.into(), quote: byte(quote), comment: byte(comment) };
        let wishes = wishes.into_iter().map(|wish| wish.map(column::Wish::from)).collect();
        FileTable { inner: Mutex::new(Table::new(dialect, skip_lines, wishes)) }
    }

    /// Take in the next bytes of UTF-8; returns what is wrong with them.
    fn feed(&self, py: Python<'_>, piece: &[u8], is_last: bool) -> Option<FileFault> {
        py.detach(|| self.lock().feed(piece, is_last)).err().map(FileFault::from)
    }

    /// The last rows, which wait until it is known whether they belong to the table: line and fields.
    fn held(&self) -> Vec<(u64, Vec<String>)> {
        let text = |field: &[u8]| String::from_utf8_lossy(field).into_owned();
        self.lock().held().map(|row| (row.line, row.fields().map(text).collect())).collect()
    }

    /// Take in the rows that wait, the last `n_left_out` left out; returns what is wrong with them.
    fn close(&self, n_left_out: usize) -> Option<FileFault> {
        self.lock().close(n_left_out).err().map(FileFault::from)
    }

    #[getter]
    fn n_rows(&self) -> usize {
        self.lock().n_rows()
    }

    #[getter]
    fn n_comments(&self) -> u64 {
        self.lock().n_comments()
    }

    /// The line on which a row ends, from 1.
    fn line(&self, row: u32) -> u64 {
        self.lock().line(row)
    }

    /// What is seen in each column that is wanted.
    fn surveys(&self, py: Python<'_>, n_columns: usize, n_threads: usize) -> PyResult<Vec<Option<Survey>>> {
        let seen = run::detached(py, &Limits::none(n_threads), |control| {
            let table = self.lock();
            let columns: Vec<_> = (0..n_columns).map(|i| table.column(i)).collect();
            control.map(&columns, || (), |(), column| column.map(survey::Survey::of))
        })?;
        Ok(seen.into_iter().map(|survey| survey.map(Survey::from)).collect())
    }

    /// The different texts of a column, in the order in which they come.
    fn column_texts(&self, i: usize) -> PyResult<Vec<String>> {
        self.texts(i, |texts| texts.iter().map(str::to_owned).collect())
    }

    /// The first row of each different text of a column.
    fn first_rows(&self, i: usize) -> PyResult<Array<i64>> {
        self.texts(i, |texts| Array::new(texts.first_rows().iter().map(|&row| row.into()).collect()))
    }

    /// The position of each row's text among the different ones.
    fn text_codes(&self, i: usize) -> PyResult<Array<i32>> {
        self.texts(i, |texts| Array::new(texts.coded(&(0..texts.len() as i32).collect::<Vec<_>>())))
    }

    /// Code columns, which leave the file; a text that is no number comes with its row instead.
    fn coded(&self, py: Python<'_>, plans: Vec<Plan>, n_threads: usize) -> PyResult<Vec<Coded>> {
        run::detached(py, &Limits::none(n_threads), |control| {
            let mut table = self.lock();
            let work: Vec<_> = plans.into_iter().map(|plan| (table.take(plan.position), plan)).collect();
            let code = |(column, plan)| match control.checkpoint() {
                Ok(()) => coded(column, plan),
                Err(_) => Coded::Misfit(<(String, u32)>::default()), // what was raised is told instead
            };
            work.into_par_iter().map(code).collect()
        })
    }
}

/// A coded column, or a text that is no number and its row.
#[derive(IntoPyObject)]
enum Coded {
    Column(CodedColumn),
    Misfit((String, u32)),
}

fn coded(column: Option<column::Column>, plan: Plan) -> Coded {
    let column = column.expect("a plan names a column that is there");
    if let Some(levels) = plan.levels {
        return Coded::Column(CodedColumn::new(column.nominal(&levels)));
    }
    let reading = Reading { decimal: plan.decimal, thousands: plan.thousands };
    let format = NumberFormat { reading, unit: plan.unit, missing: plan.missing_numbers };
    match column.numeric(&format) {
        Ok(column) => Coded::Column(CodedColumn::new(column)),
        Err(Misfit { text, row }) => Coded::Misfit((text, row)),
    }
}

/// A column of a file in the form engines read, on its way to a table.
#[pyclass(frozen, module = "treewright._core")]
pub struct CodedColumn {
    inner: Mutex<Option<Column>>,
}

impl CodedColumn {
    fn new(column: Column) -> Self {
        CodedColumn { inner: Mutex::new(Some(column)) }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Column>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The column, which is gone then.
    pub fn take(&self) -> PyResult<Column> {
        self.lock().take().ok_or_else(gone)
    }
}

fn gone() -> PyErr {
    DataError::new_err("the column is in a table already")
}

#[pymethods]
impl CodedColumn {
    /// Numbers, NaN where missing; or codes, -1 where missing.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let raw = self.lock().as_ref().map(Column::to_raw).ok_or_else(gone)?;
        convert::column_array(py, raw)
    }
}
