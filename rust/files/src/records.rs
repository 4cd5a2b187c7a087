//! Text cut into records and fields.
//!
//! A field may be quoted; a quotation mark inside is written twice. Blanks around an unquoted field, and around
//! the quotation marks of a quoted one, are not part of it. Lines end in `\n`, `\r\n` or `\r`, and a quoted
//! field may go over several of them.

use memchr::memchr;

/// How a file separates what it holds.
#[derive(Debug, Clone)]
pub struct Dialect {
    /// One character.
    pub delimiter: Vec<u8>,
    /// The quotation mark, if there is one.
    pub quote: Option<u8>,
    /// What a line that is no record begins with.
    pub comment: Option<u8>,
}

/// What is wrong with the text of a file, and on which line.
#[derive(Debug, Clone, PartialEq)]
pub enum Fault {
    /// A quoted field that begins on this line never ends, or ends too far away.
    OpenQuote {
        /// The line.
        line: u64,
    },
    /// Text between the end of a quoted field and the next delimiter.
    BehindQuote {
        /// The line.
        line: u64,
        /// The field, from 0.
        column: usize,
    },
    /// A record with another number of fields than the table has columns.
    Ragged {
        /// The line.
        line: u64,
        /// The number of fields.
        found: usize,
        /// The first field too many.
        extra: String,
        /// Whether the line begins with `#`.
        is_marked: bool,
    },
    /// A field that is not UTF-8.
    NotText {
        /// The line.
        line: u64,
        /// The column, from 0.
        column: usize,
        /// The first byte that is none.
        byte: u8,
    },
    /// More rows than a column can number.
    TooManyRows,
}

/// One record of a text: its fields, and the line on which it ends.
pub struct Record<'a> {
    text: &'a [u8],
    unquoted: &'a [u8],
    spans: &'a [Span],
    /// The line on which the record ends, from 1.
    pub line: u64,
}

/// Where a field is: in the text, or where quotation marks written twice were made one.
#[derive(Debug, Clone, Copy)]
struct Span {
    start: usize,
    end: usize,
    is_unquoted: bool,
}

impl Record<'_> {
    /// The number of fields.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether there is no field at all; a record has one at least.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// A field.
    pub fn field(&self, i: usize) -> &[u8] {
        let span = self.spans[i];
        let from = if span.is_unquoted { self.unquoted } else { self.text };
        &from[span.start..span.end]
    }

    /// Copies all fields to the end of `text`; `places` are where each begins and ends there.
    pub fn copy_to(&self, text: &mut Vec<u8>, places: &mut Vec<(usize, usize)>) {
        let is_in_text = self.spans.iter().all(|span| !span.is_unquoted);
        if let ([first, ..], [.., last], true) = (self.spans, self.spans, is_in_text) {
            let start = text.len();
            text.extend_from_slice(&self.text[first.start..last.end]);
            let moved = |place: usize| place - first.start + start;
            places.extend(self.spans.iter().map(|span| (moved(span.start), moved(span.end))));
            return;
        }
        for i in 0..self.len() {
            let start = text.len();
            text.extend_from_slice(self.field(i));
            places.push((start, text.len()));
        }
    }

    /// Whether the line holds nothing.
    fn is_blank(&self) -> bool {
        self.spans.len() == 1 && self.spans[0].start == self.spans[0].end
    }
}

/// Cuts text into records; it knows on which line it is.
pub struct Splitter {
    dialect: Dialect,
    /// Bytes that may end an unquoted field.
    stops: [bool; 256],
    spans: Vec<Span>,
    unquoted: Vec<u8>,
    line: u64,
    n_comments: u64,
}

/// What is behind a field.
#[derive(PartialEq)]
enum Behind {
    Field(usize),
    Line(usize),
    /// The text ends before the record does.
    Nothing,
}

impl Splitter {
    /// Starts on line 1.
    pub fn new(dialect: Dialect) -> Self {
        let mut stops = [false; 256];
        for byte in [b'\n', b'\r', dialect.delimiter[0]] {
            stops[usize::from(byte)] = true;
        }
        Splitter { dialect, stops, spans: Vec::new(), unquoted: Vec::new(), line: 1, n_comments: 0 }
    }

    /// The line that comes next, from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Lines that were left out as comments.
    pub fn n_comments(&self) -> u64 {
        self.n_comments
    }

    /// Hands over every whole record of `text`, blank lines and comments left out; returns how many bytes that
    /// took. `is_last` says that no text follows.
    ///
    /// # Errors
    /// A fault of the text, or of `take`.
    pub fn split(
        &mut self,
        text: &[u8],
        is_last: bool,
        take: &mut impl FnMut(&Record<'_>) -> Result<(), Fault>,
    ) -> Result<usize, Fault> {
        let mut at = 0;
        while at < text.len() {
            let first_line = self.line;
            let Some(next) = self.record(text, at, is_last)? else {
                self.line = first_line;
                break;
            };
            let is_comment = self.dialect.comment == Some(text[at]);
            let record = Record { text, unquoted: &self.unquoted, spans: &self.spans, line: self.line };
            if is_comment {
                self.n_comments += 1;
            } else if !record.is_blank() {
                take(&record)?;
            }
            self.line += 1;
            at = next;
        }
        Ok(at)
    }

    /// Passes over lines, whatever is in them; returns how many bytes that took. `n` falls to 0.
    pub fn skip_lines(&mut self, text: &[u8], n: &mut u64, is_last: bool) -> usize {
        let mut at = 0;
        while *n > 0 && at < text.len() {
            let Some(end) = memchr::memchr2(b'\n', b'\r', &text[at..]) else {
                return if is_last { text.len() } else { at };
            };
            let Some(width) = line_end(text, at + end, is_last) else { return at };
            at += end + width;
            *n -= 1;
            self.line += 1;
        }
        at
    }

    /// Finds the fields of the record at a place; returns where the next one starts.
    fn record(&mut self, text: &[u8], mut at: usize, is_last: bool) -> Result<Option<usize>, Fault> {
        self.spans.clear();
        self.unquoted.clear();
        if self.dialect.comment == Some(text[at]) {
            return Ok(self.whole_line(text, at, is_last));
        }
        loop {
            let start = self.past_blanks(text, at);
            let behind = match self.dialect.quote {
                Some(quote) if text.get(start) == Some(&quote) => self.quoted(text, start, quote, is_last)?,
                _ => self.plain(text, start, is_last),
            };
            match behind {
                Behind::Field(next) => at = next,
                Behind::Line(next) => return Ok(Some(next)),
                Behind::Nothing => return Ok(None),
            }
        }
    }

    fn whole_line(&mut self, text: &[u8], at: usize, is_last: bool) -> Option<usize> {
        let end = memchr::memchr2(b'\n', b'\r', &text[at..]).map(|end| at + end);
        match end {
            Some(end) => line_end(text, end, is_last).map(|width| end + width),
            None => is_last.then_some(text.len()),
        }
    }

    fn is_blank(&self, byte: u8) -> bool {
        byte == b' ' && self.dialect.delimiter[0] != b' '
            || byte == b'\t' && self.dialect.delimiter[0] != b'\t'
    }

    fn past_blanks(&self, text: &[u8], mut at: usize) -> usize {
        while text.get(at).is_some_and(|&byte| self.is_blank(byte)) {
            at += 1;
        }
        at
    }

    /// An unquoted field.
    fn plain(&mut self, text: &[u8], start: usize, is_last: bool) -> Behind {
        let mut end = start;
        loop {
            while end < text.len() && !self.stops[usize::from(text[end])] {
                end += 1;
            }
            let behind = self.behind(text, end, is_last);
            if let Some(behind) = behind {
                if behind != Behind::Nothing {
                    self.keep(text, start, end);
                }
                return behind;
            }
            end += 1; // only the first byte of the delimiter
        }
    }

    fn keep(&mut self, text: &[u8], start: usize, mut end: usize) {
        while end > start && self.is_blank(text[end - 1]) {
            end -= 1;
        }
        self.spans.push(Span { start, end, is_unquoted: false });
    }

    /// What is at a place where a field may end; none where it goes on.
    fn behind(&self, text: &[u8], at: usize, is_last: bool) -> Option<Behind> {
        let Some(&byte) = text.get(at) else {
            return Some(if is_last { Behind::Line(at) } else { Behind::Nothing });
        };
        if byte == b'\n' || byte == b'\r' {
            let width = line_end(text, at, is_last);
            return Some(width.map_or(Behind::Nothing, |width| Behind::Line(at + width)));
        }
        let delimiter = &self.dialect.delimiter;
        if text[at..].starts_with(delimiter) {
            return Some(Behind::Field(at + delimiter.len()));
        }
        let is_cut = !is_last && delimiter.starts_with(&text[at..]);
        is_cut.then_some(Behind::Nothing)
    }

    /// A quoted field, whose quotation mark is at `start`.
    fn quoted(&mut self, text: &[u8], start: usize, quote: u8, is_last: bool) -> Result<Behind, Fault> {
        let (first_line, mut from) = (self.line, start + 1);
        let (mut piece, kept) = (from, self.unquoted.len());
        let end = loop {
            let Some(found) = memchr(quote, &text[from..]) else {
                return if is_last {
                    Err(Fault::OpenQuote { line: first_line })
                } else {
                    Ok(Behind::Nothing)
                };
            };
            let end = from + found;
            if end + 1 == text.len() && !is_last {
                return Ok(Behind::Nothing);
            }
            if text.get(end + 1) != Some(&quote) {
                break end;
            }
            self.unquoted.extend_from_slice(&text[piece..=end]);
            from = end + 2;
            piece = from;
        };
        self.line += n_line_ends(&text[start..end]);
        if piece == start + 1 {
            self.spans.push(Span { start: piece, end, is_unquoted: false });
        } else {
            self.unquoted.extend_from_slice(&text[piece..end]);
            self.spans.push(Span { start: kept, end: self.unquoted.len(), is_unquoted: true });
        }
        let wrong = Fault::BehindQuote { line: self.line, column: self.spans.len() - 1 };
        let next = self.past_blanks(text, end + 1);
        self.behind(text, next, is_last).ok_or(wrong)
    }
}

/// How wide the end of a line is; none where it may go on in the text that follows.
fn line_end(text: &[u8], at: usize, is_last: bool) -> Option<usize> {
    match (text[at], text.get(at + 1)) {
        (b'\r', Some(b'\n')) => Some(2),
        (b'\r', None) if !is_last => None,
        _ => Some(1),
    }
}

fn n_line_ends(text: &[u8]) -> u64 {
    let ends = |(i, &byte): (usize, &u8)| byte == b'\n' || byte == b'\r' && text.get(i + 1) != Some(&b'\n');
    text.iter().enumerate().filter(|&place| ends(place)).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn splitter(delimiter: &str) -> Splitter {
        Splitter::new(Dialect { delimiter: delimiter.into(), quote: Some(b'"'), comment: Some(b'#') })
    }

    /// All records of a text that comes in pieces of a size.
    fn records(text: &str, delimiter: &str, size: usize) -> Result<Vec<(u64, Vec<String>)>, Fault> {
        let (mut splitter, mut found, mut open) = (splitter(delimiter), Vec::new(), Vec::new());
        let mut pieces = text.as_bytes().chunks(size).peekable();
        while let Some(piece) = pieces.next() {
            open.extend_from_slice(piece);
            let taken = splitter.split(&open, pieces.peek().is_none(), &mut |record| {
                let text = |i| String::from_utf8_lossy(record.field(i)).into_owned();
                found.push((record.line, (0..record.len()).map(text).collect()));
                Ok(())
            })?;
            open.drain(..taken);
        }
        assert!(open.is_empty());
        Ok(found)
    }

    #[test]
    fn fields_are_the_same_however_the_text_is_cut() {
        let text = "a, b ,\"c, \"\"d\"\"\"\r\n\r\n#x,y\r1,\"two\nlines\" ,3\n  \n4,,\"\"";
        let expected =
            [(1, vec!["a", "b", "c, \"d\""]), (5, vec!["1", "two\nlines", "3"]), (7, vec!["4", "", ""])];
        let expected = expected.map(|(line, fields)| (line, fields.into_iter().map(String::from).collect()));
        for size in 1..=text.len() {
            assert_eq!(records(text, ",", size).unwrap(), expected, "pieces of {size}");
        }
    }

    #[test]
    fn a_delimiter_may_be_any_character() {
        for size in 1..6 {
            let found = records("a\u{a7}b\u{a8}c", "\u{a7}", size).unwrap();
            assert_eq!(found, [(1, vec!["a".to_owned(), "b\u{a8}c".to_owned()])]);
        }
    }

    #[test]
    fn quotation_marks_that_do_not_fit_are_named() {
        assert_eq!(records("a,b\n1,\"2\n3,4\n", ",", 99), Err(Fault::OpenQuote { line: 2 }));
        assert_eq!(records("a,b\n1,\"2\"3\n", ",", 99), Err(Fault::BehindQuote { line: 2, column: 1 }));
        assert_eq!(records("a,5\" pipe", ",", 99).unwrap()[0].1[1], "5\" pipe");
    }

    #[test]
    fn lines_are_passed_over_whole() {
        for size in 1..20 {
            let (mut splitter, mut n, mut open, mut rest) = (splitter(","), 2, Vec::new(), Vec::new());
            for piece in b"title\r\n\"x\ry\nz".chunks(size) {
                open.extend_from_slice(piece);
                let taken = splitter.skip_lines(&open, &mut n, false);
                open.drain(..taken);
                if n == 0 {
                    rest.append(&mut open);
                }
            }
            assert_eq!((rest.as_slice(), splitter.line()), (b"y\nz".as_slice(), 3), "pieces of {size}");
        }
    }
}
