//! A file that comes piece by piece: the rows below its header, and the columns that are wanted of it.

use std::collections::VecDeque;

use crate::column::{Column, Wish};
use crate::records::{Dialect, Fault, Record, Splitter};

/// So many rows wait until it is known whether the file ends behind them: a total or a note may stand there.
const HELD: usize = 32;

/// The longest record, in bytes; a longer one has a quotation mark that is never closed.
const LONGEST: usize = 1 << 25;

/// A row that waits.
#[derive(Debug, Default)]
pub struct Held {
    text: Vec<u8>,
    places: Vec<(usize, usize)>,
    /// The line on which it ends.
    pub line: u64,
}

impl Held {
    fn fill(&mut self, record: &Record<'_>) {
        self.text.clear();
        self.places.clear();
        self.line = record.line;
        record.copy_to(&mut self.text, &mut self.places);
    }

    /// Its fields.
    pub fn fields(&self) -> impl Iterator<Item = &[u8]> {
        self.places.iter().map(|&(start, end)| &self.text[start..end])
    }
}

/// The lines on which rows end: rows from `0` on are so many lines further down than their number.
#[derive(Debug, Default)]
struct Lines(Vec<(u32, u64)>);

impl Lines {
    fn note(&mut self, row: u32, line: u64) {
        let further = line - u64::from(row);
        if self.0.last().is_none_or(|&(_, last)| last != further) {
            self.0.push((row, further));
        }
    }

    fn line(&self, row: u32) -> u64 {
        let place = self.0.partition_point(|&(first, _)| first <= row);
        u64::from(row) + place.checked_sub(1).map_or(0, |place| self.0[place].1)
    }
}

/// A file that is being read.
pub struct Table {
    splitter: Splitter,
    n_to_skip: u64,
    open: Vec<u8>,
    rows: Rows,
}

/// The rows that were read.
struct Rows {
    columns: Vec<Option<Column>>,
    n_rows: u32,
    lines: Lines,
    held: VecDeque<Held>,
}

impl Table {
    /// A file of a dialect, whose first lines are not looked at, with the columns for which there is a wish.
    pub fn new(dialect: Dialect, n_to_skip: u64, wishes: Vec<Option<Wish>>) -> Self {
        let columns = wishes.into_iter().map(|wish| wish.map(Column::new)).collect();
        let rows = Rows { columns, n_rows: 0, lines: Lines::default(), held: VecDeque::new() };
        Table { splitter: Splitter::new(dialect), n_to_skip, open: Vec::new(), rows }
    }

    /// Takes in the next piece of the file.
    ///
    /// # Errors
    /// Whatever is wrong with its text.
    pub fn feed(&mut self, piece: &[u8], is_last: bool) -> Result<(), Fault> {
        let mut text = std::mem::take(&mut self.open);
        text.extend_from_slice(piece);
        let mut at = self.splitter.skip_lines(&text, &mut self.n_to_skip, is_last);
        if self.n_to_skip == 0 {
            let rows = &mut self.rows;
            at += self.splitter.split(&text[at..], is_last, &mut |record| rows.hold(record))?;
        }
        text.drain(..at);
        if text.len() > LONGEST {
            return Err(Fault::OpenQuote { line: self.splitter.line() });
        }
        self.open = text;
        Ok(())
    }

    /// The last rows of the file, which wait.
    pub fn held(&self) -> impl Iterator<Item = &Held> {
        self.rows.held.iter()
    }

    /// Takes in the rows that wait, the last few of them left out.
    ///
    /// # Errors
    /// A row with a wrong number of fields.
    pub fn close(&mut self, n_left_out: usize) -> Result<(), Fault> {
        let n = self.rows.held.len().saturating_sub(n_left_out);
        for held in std::mem::take(&mut self.rows.held).iter().take(n) {
            self.rows.add(held)?;
        }
        Ok(())
    }

    /// The number of rows so far.
    pub fn n_rows(&self) -> usize {
        self.rows.n_rows as usize
    }

    /// Lines that were left out as comments.
    pub fn n_comments(&self) -> u64 {
        self.splitter.n_comments()
    }

    /// The line on which a row ends, from 1.
    pub fn line(&self, row: u32) -> u64 {
        self.rows.lines.line(row)
    }

    /// A column, if it is wanted.
    pub fn column(&self, i: usize) -> Option<&Column> {
        self.rows.columns.get(i)?.as_ref()
    }

    /// A column, which leaves the table.
    pub fn take(&mut self, i: usize) -> Option<Column> {
        self.rows.columns.get_mut(i)?.take()
    }
}

impl Rows {
    fn hold(&mut self, record: &Record<'_>) -> Result<(), Fault> {
        let mut last = Held::default();
        if self.held.len() == HELD {
            last = self.held.pop_front().expect("the queue is full");
            self.add(&last)?;
        }
        last.fill(record);
        self.held.push_back(last);
        Ok(())
    }

    fn add(&mut self, held: &Held) -> Result<(), Fault> {
        let (row, n_fields) = (self.n_rows, held.places.len());
        if n_fields != self.columns.len() {
            self.check_length(held)?;
        }
        for (i, (column, field)) in self.columns.iter_mut().zip(held.fields()).enumerate() {
            if let Some(column) = column {
                let fault = |byte| Fault::NotText { line: held.line, column: i, byte };
                column.push(field, row).map_err(fault)?;
            }
        }
        self.lines.note(row, held.line);
        self.n_rows = row.checked_add(1).filter(|&n| n < u32::MAX).ok_or(Fault::TooManyRows)?;
        Ok(())
    }

    /// Refuses a row with too few fields, and one with too many that are not all empty.
    fn check_length(&self, held: &Held) -> Result<(), Fault> {
        let extra = held.fields().skip(self.columns.len()).find(|field| !field.is_empty());
        if held.places.len() > self.columns.len() && extra.is_none() {
            return Ok(());
        }
        let extra = extra.map(String::from_utf8_lossy).unwrap_or_default().into_owned();
        let is_marked = held.fields().next().is_some_and(|field| field.starts_with(b"#"));
        let found = held.places.len();
        Err(Fault::Ragged { line: held.line, found, extra, is_marked })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::Survey;

    fn table(n_columns: usize) -> Table {
        let dialect = Dialect { delimiter: vec![b';'], quote: Some(b'"'), comment: None };
        Table::new(dialect, 1, vec![Some(Wish::default()); n_columns])
    }

    #[test]
    fn rows_are_read_in_pieces_and_the_last_ones_wait() {
        for size in [1, 3, 7, 1000] {
            let mut table = table(2);
            let text: String = (0..100).map(|i| format!("{i};\"a\n{i}\"\n")).collect();
            let text = format!("n;t\n{text}\nTotal;\n");
            text.as_bytes().chunks(size).for_each(|piece| table.feed(piece, false).unwrap());
            table.feed(b"", true).unwrap();
            let last: Vec<&[u8]> = table.held().last().unwrap().fields().collect();
            assert_eq!((table.n_rows(), last), (69, vec![&b"Total"[..], b""]));
            table.close(1).unwrap();
            assert_eq!((table.n_rows(), table.line(0), table.line(99)), (100, 3, 201));
            assert_eq!(Survey::of(table.column(0).unwrap()).n_numbers, 100);
        }
    }

    #[test]
    fn rows_of_another_length_are_refused_and_empty_ends_are_not() {
        let mut fine = table(2);
        fine.feed(b"h\n1;2;\n3;4;;\n", true).unwrap();
        fine.close(0).unwrap();
        for (text, found, extra) in [("1;2;x", 3, "x"), ("1", 1, "")] {
            let mut table = table(2);
            table.feed(format!("h\n1;2\n{text}\n").as_bytes(), true).unwrap();
            let fault = Fault::Ragged { line: 3, found, extra: extra.to_owned(), is_marked: false };
            assert_eq!(table.close(0), Err(fault));
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_named() {
        let mut table = table(2);
        table.feed(b"h\n1;\xe4\n", true).unwrap();
        assert_eq!(table.close(0), Err(Fault::NotText { line: 2, column: 1, byte: 0xe4 }));
    }
}
