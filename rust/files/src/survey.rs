//! What the texts of a column say: whether they are numbers, by which marks, with which unit, or codes.

use crate::column::{Column, Numbers, Store};
use crate::number::{self, Code, Marks};
use crate::texts::Texts;

/// So many examples of a kind are kept.
const MOST_EXAMPLES: usize = 24;

/// A text that shows something, and the first row that has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// What it shows: a mark, a unit, the name of a kind of code.
    pub what: String,
    /// The text.
    pub text: String,
    /// The row.
    pub row: u32,
}

/// What was seen in a column. The lists hold one example of each different thing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Survey {
    /// Different texts that are not missing.
    pub n_known: usize,
    /// Those that are numbers, under some reading and without a unit.
    pub n_numbers: usize,
    /// Those that are numbers with a unit.
    pub n_measured: usize,
    /// Marks that can only be those of decimals.
    pub decimals: Vec<Example>,
    /// Marks that can only be those of thousands.
    pub thousands: Vec<Example>,
    /// Marks that may be either.
    pub eithers: Vec<Example>,
    /// Kinds of codes: `zeros`, `large`, `beyond`.
    pub codes: Vec<Example>,
    /// Units.
    pub units: Vec<Example>,
    /// Texts that are neither numbers nor numbers with a unit, the first few.
    pub others: Vec<Example>,
    /// How many of them there are.
    pub n_others: usize,
    /// Whether the texts are gone, and the numbers were read by this mark of decimals.
    pub read_by: Option<char>,
    /// Whether the column has to be read again, its texts kept.
    pub needs_text: bool,
}

impl Survey {
    /// Looks at the different texts of a column.
    pub fn of(column: &Column) -> Self {
        match &column.store {
            Store::Texts(texts) => Survey::of_texts(texts, column),
            Store::Numbers(numbers) => Survey::of_numbers(numbers),
        }
    }

    fn of_texts(texts: &Texts, column: &Column) -> Self {
        let mut found = Survey::default();
        for (text, &row) in texts.iter().zip(texts.first_rows()) {
            if !column.wish.is_missing(text) {
                found.n_known += 1;
                found.look(text, row);
            }
        }
        found
    }

    fn look(&mut self, text: &str, row: u32) {
        if let Some(marks) = number::marks(text) {
            self.n_numbers += 1;
            return self.note(marks, text, row);
        }
        let parts = number::parts(text);
        let unit = parts.and_then(|(before, _, behind)| number::unit(before, behind));
        match (unit, parts.and_then(|(_, body, _)| number::marks(body))) {
            (Some(unit), Some(marks)) => {
                self.n_measured += 1;
                self.note(marks, text, row);
                note(&mut self.units, unit, text, row);
            }
            _ => {
                self.n_others += 1;
                if self.others.len() < MOST_EXAMPLES {
                    self.others.push(Example { what: String::new(), text: text.to_owned(), row });
                }
            }
        }
    }

    fn note(&mut self, marks: Marks, text: &str, row: u32) {
        let kinds = [
            (&mut self.decimals, marks.decimal),
            (&mut self.thousands, marks.thousands),
            (&mut self.eithers, marks.either),
        ];
        for (examples, mark) in kinds {
            if let Some(mark) = mark {
                note(examples, mark.encode_utf8(&mut [0; 4]), text, row);
            }
        }
        if let Some(code) = marks.code {
            note(&mut self.codes, name(code), text, row);
        }
    }

    fn of_numbers(numbers: &Numbers) -> Self {
        let mark = numbers.reading.decimal;
        let n_numbers = numbers.values.iter().filter(|value| !value.is_nan()).count();
        let decided = numbers.is_decided.then(|| Example { what: mark.into(), text: String::new(), row: 0 });
        let either = numbers.either.clone().map(|(text, row)| {
            let what = text.chars().find(|c| matches!(c, '.' | ',')).into_iter().collect();
            Example { what, text, row }
        });
        Survey {
            n_known: n_numbers,
            n_numbers,
            decimals: decided.into_iter().collect(),
            eithers: either.into_iter().collect(),
            read_by: Some(mark),
            needs_text: numbers.other.is_some(),
            others: numbers.other.iter().map(|(text, row)| other(text, *row)).collect(),
            n_others: numbers.other.iter().len(),
            ..Survey::default()
        }
    }
}

fn other(text: &str, row: u32) -> Example {
    Example { what: String::new(), text: text.to_owned(), row }
}

fn name(code: Code) -> &'static str {
    match code {
        Code::Zeros => "zeros",
        Code::Large => "large",
        Code::Beyond => "beyond",
    }
}

fn note(examples: &mut Vec<Example>, what: &str, text: &str, row: u32) {
    if examples.len() < MOST_EXAMPLES && !examples.iter().any(|example| example.what == what) {
        examples.push(Example { what: what.to_owned(), text: text.to_owned(), row });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::Wish;

    fn survey(texts: &[&str]) -> Survey {
        let mut column = Column::new(Wish { missing: vec!["?".to_owned()], ..Wish::default() });
        for (row, text) in texts.iter().enumerate() {
            column.push(text.as_bytes(), row as u32).unwrap();
        }
        Survey::of(&column)
    }

    fn whats(examples: &[Example]) -> Vec<&str> {
        examples.iter().map(|example| example.what.as_str()).collect()
    }

    #[test]
    fn everything_that_a_column_shows_is_counted() {
        let found = survey(&["1.234,5", "1,234", "?", "", "1,234", "007", "5 kg", "3 g", "x", "y"]);
        assert_eq!((found.n_known, found.n_numbers, found.n_measured, found.n_others), (7, 3, 2, 2));
        assert_eq!((whats(&found.decimals), whats(&found.thousands)), (vec![","], vec!["."]));
        assert_eq!((whats(&found.eithers), whats(&found.codes)), (vec![","], vec!["zeros"]));
        assert_eq!((whats(&found.units), found.units[1].row), (vec!["kg", "g"], 7));
        assert_eq!(found.others[1], Example { what: String::new(), text: "y".to_owned(), row: 9 });
    }
}
