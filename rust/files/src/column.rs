//! A column of a file: its texts while there are few different ones, and numbers alone once there are many.

use treewright_core::data;

use crate::number::{self, Marks, Reading};
use crate::texts::Texts;

/// So many different texts are kept before a column is asked whether it can do with numbers.
const MANY: usize = 4096;

/// What is known of a column before it is read.
#[derive(Debug, Clone, Default)]
pub struct Wish {
    /// Its texts are needed: it is nominal, or holds the classes.
    pub keeps_text: bool,
    /// It is numeric whatever its texts look like.
    pub is_numeric: bool,
    /// Texts of missing values.
    pub missing: Vec<String>,
    /// The mark of decimals in the file, where that is known.
    pub decimal: Option<char>,
    /// The mark between thousands, where that is known.
    pub thousands: Option<char>,
}

impl Wish {
    /// Whether a text stands for a missing value.
    pub fn is_missing(&self, text: &str) -> bool {
        text.is_empty() || self.missing.iter().any(|missing| missing == text)
    }
}

/// The numbers of a column, of which the texts are gone.
pub struct Numbers {
    /// A number for each row, NaN where it is missing.
    pub values: Vec<f64>,
    /// How they were read.
    pub reading: Reading,
    /// Whether some value says which mark is which.
    pub is_decided: bool,
    /// The first text with a mark that may be that of decimals or of thousands, and its row.
    pub either: Option<(String, u32)>,
    /// The first text that is no such number, and its row: the column has to be read again as text.
    pub other: Option<(String, u32)>,
}

/// What a column holds.
pub enum Store {
    /// Its different texts.
    Texts(Texts),
    /// Numbers.
    Numbers(Numbers),
}

/// A column that is being read.
pub struct Column {
    /// What is known of it.
    pub wish: Wish,
    /// What it holds.
    pub store: Store,
    may_turn: bool,
}

/// A text that is no number, and the first row that has it.
#[derive(Debug, PartialEq)]
pub struct Misfit {
    /// The text.
    pub text: String,
    /// The row.
    pub row: u32,
}

/// How the texts of a numeric column are read.
#[derive(Debug, Clone)]
pub struct NumberFormat {
    /// The marks.
    pub reading: Reading,
    /// The unit of every number, empty for none.
    pub unit: String,
    /// Numbers that stand for missing values.
    pub missing: Vec<f64>,
}

impl Column {
    /// A column without a row.
    pub fn new(wish: Wish) -> Self {
        let may_turn = !wish.keeps_text;
        Column { wish, store: Store::Texts(Texts::default()), may_turn }
    }

    /// Adds the field of the next row.
    ///
    /// # Errors
    /// The first byte that is not UTF-8.
    pub fn push(&mut self, field: &[u8], row: u32) -> Result<(), u8> {
        match &mut self.store {
            Store::Numbers(numbers) => numbers.push(field, row, &self.wish),
            Store::Texts(texts) => {
                texts.push(field, row)?;
                if self.may_turn && texts.len() > MANY {
                    self.turn();
                }
                Ok(())
            }
        }
    }

    /// Keeps numbers alone from here on, if all texts so far are numbers of one reading.
    fn turn(&mut self) {
        self.may_turn = false;
        let Store::Texts(texts) = &self.store else { return };
        if let Some(numbers) = Numbers::of(texts, &self.wish) {
            self.store = Store::Numbers(numbers);
        }
    }

    /// The column as numbers, ranked.
    ///
    /// # Errors
    /// The first text that is no number.
    pub fn numeric(self, format: &NumberFormat) -> Result<data::Column, Misfit> {
        let is_missing = |value: f64| value.is_nan() || format.missing.contains(&value);
        match self.store {
            Store::Numbers(Numbers { other: Some((text, row)), .. }) => Err(Misfit { text, row }),
            Store::Numbers(mut numbers) => {
                if !format.missing.is_empty() {
                    let gaps = numbers.values.iter_mut().filter(|value| is_missing(**value));
                    gaps.for_each(|value| *value = f64::NAN);
                }
                let ranked = data::Column::numeric(numbers.values, "", 0);
                Ok(ranked.expect("no number is infinite: `strict` leaves those out"))
            }
            Store::Texts(texts) => {
                let of_code = values(&texts, &self.wish, format)?;
                Ok(ranked(
                    &texts,
                    of_code.into_iter().map(|x| if is_missing(x) { f64::NAN } else { x }).collect(),
                ))
            }
        }
    }

    /// The column as codes among these levels; any other text is missing.
    ///
    /// # Panics
    /// If its texts were not kept.
    pub fn nominal(self, levels: &[String]) -> data::Column {
        let Store::Texts(texts) = self.store else { panic!("a nominal column keeps its texts") };
        let mut order: Vec<u32> = (0..levels.len() as u32).collect();
        order.sort_unstable_by_key(|&level| &levels[level as usize]);
        let code = |text: &str| {
            let place = order.binary_search_by(|&level| levels[level as usize].as_str().cmp(text));
            place.map_or(levels.len() as u32, |place| order[place])
        };
        let of_code: Vec<u32> = texts.iter().map(code).collect();
        data::Column::from_codes(texts.coded(&of_code), levels.len(), None)
    }
}

/// The value of each different text.
fn values(texts: &Texts, wish: &Wish, format: &NumberFormat) -> Result<Vec<f64>, Misfit> {
    let value = |(code, text): (usize, &str)| {
        if wish.is_missing(text) {
            return Ok(f64::NAN);
        }
        let value = measured(text, format).filter(|value| value.is_finite());
        value.ok_or_else(|| Misfit { text: text.to_owned(), row: texts.first_rows()[code] })
    };
    texts.iter().enumerate().map(value).collect()
}

/// A number with the unit that it must have.
fn measured(text: &str, format: &NumberFormat) -> Option<f64> {
    if format.unit.is_empty() {
        return number::number(text, format.reading);
    }
    let (before, body, behind) = number::parts(text)?;
    let unit = number::unit(before, behind)?;
    (unit == format.unit).then(|| number::number(body, format.reading)).flatten()
}

/// Ranks a column by the values of its different texts.
fn ranked(texts: &Texts, of_code: Vec<f64>) -> data::Column {
    let mut order: Vec<u32> = (0..of_code.len() as u32).filter(|&i| !of_code[i as usize].is_nan()).collect();
    order.sort_unstable_by(|&a, &b| of_code[a as usize].total_cmp(&(of_code[b as usize])));
    let (mut values, mut ranks): (Vec<f64>, _) = (Vec::new(), vec![u32::MAX; of_code.len()]);
    for code in order {
        let value = of_code[code as usize] + 0.0; // -0.0 is 0.0
        if values.last() != Some(&value) {
            values.push(value);
        }
        ranks[code as usize] = values.len() as u32 - 1;
    }
    let n_values = values.len();
    ranks.iter_mut().for_each(|rank| *rank = (*rank).min(n_values as u32));
    data::Column::from_codes(texts.coded(&ranks), n_values, Some(values))
}

impl Numbers {
    /// The numbers of a column so far; none where some text is no number, or may be a code, or nothing says
    /// which mark is which.
    fn of(texts: &Texts, wish: &Wish) -> Option<Self> {
        let known: Vec<&str> = texts.iter().filter(|text| !wish.is_missing(text)).collect();
        let reading = reading_of(&known, wish)?;
        let mut found = Numbers { values: Vec::new(), reading, is_decided: false, either: None, other: None };
        let mut of_code = Vec::with_capacity(texts.len());
        for (text, &row) in texts.iter().zip(texts.first_rows()) {
            let value = if wish.is_missing(text) { Some(f64::NAN) } else { found.strict(text, row, wish) };
            of_code.push(value?);
        }
        found.values = texts.coded(&of_code);
        Some(found)
    }

    fn push(&mut self, field: &[u8], row: u32, wish: &Wish) -> Result<(), u8> {
        let text = std::str::from_utf8(field).map_err(|error| field[error.valid_up_to()])?;
        let value = if text.is_empty() { Some(f64::NAN) } else { self.strict(text, row, wish) };
        let value = value.or_else(|| wish.is_missing(text).then_some(f64::NAN));
        if value.is_none() && self.other.is_none() {
            self.other = Some((text.to_owned(), row));
        }
        self.values.push(value.unwrap_or(f64::NAN));
        Ok(())
    }

    /// The number of a text; none if it may be a code.
    fn strict(&mut self, text: &str, row: u32, wish: &Wish) -> Option<f64> {
        if !self.is_decided && text.contains(|c: char| !c.is_ascii_digit()) {
            self.note(number::marks(text)?, text, row);
        }
        let is_suspect = !wish.is_numeric && self.may_be_code(text.as_bytes());
        if is_suspect && number::marks(text)?.code.is_some() {
            return None;
        }
        number::number(text, self.reading).filter(|value| value.is_finite())
    }

    /// Whether the text of a number is worth a closer look: zeros in front, or too many digits for a whole number.
    fn may_be_code(&self, text: &[u8]) -> bool {
        let digits = if matches!(text.first(), Some(b'-' | b'+')) { &text[1..] } else { text };
        let is_whole = || self.reading.thousands.is_some() || !text.contains(&(self.reading.decimal as u8));
        digits.len() > 1 && digits[0] == b'0' && digits[1].is_ascii_digit() || text.len() > 15 && is_whole()
    }

    fn note(&mut self, marks: Marks, text: &str, row: u32) {
        self.is_decided = marks.decimal.is_some() || marks.thousands.is_some();
        if marks.either.is_some() && self.either.is_none() {
            self.either = Some((text.to_owned(), row));
        }
    }
}

/// The reading that the texts of a column ask for; none where they do not say, or say different ones.
fn reading_of(known: &[&str], wish: &Wish) -> Option<Reading> {
    let (mut decimal, mut thousands, mut has_either) = (wish.decimal, wish.thousands, false);
    for text in known {
        let marks = number::marks(text)?;
        decimal = decimal.or(marks.decimal);
        thousands = thousands.or(marks.thousands);
        has_either |= marks.either.is_some();
    }
    let decimal = decimal.or_else(|| thousands.map(|mark| if mark == '.' { ',' } else { '.' }));
    if has_either && decimal.is_none() {
        return None;
    }
    Some(Reading { decimal: decimal.unwrap_or('.'), thousands })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(texts: impl IntoIterator<Item = String>, wish: Wish) -> Column {
        let mut column = Column::new(wish);
        for (row, text) in texts.into_iter().enumerate() {
            column.push(text.as_bytes(), row as u32).unwrap();
        }
        column
    }

    fn numbers(column: &Column) -> Option<&Numbers> {
        match &column.store {
            Store::Numbers(numbers) => Some(numbers),
            Store::Texts(_) => None,
        }
    }

    fn format(decimal: char, unit: &str) -> NumberFormat {
        let reading = Reading { decimal, thousands: None };
        NumberFormat { reading, unit: unit.to_owned(), missing: vec![-9.0] }
    }

    #[test]
    fn a_column_of_many_numbers_gives_the_same_as_its_texts() {
        let rows = || {
            (0..10_000i32).map(|i| if i % 7 == 0 { String::new() } else { format!("{},5", i % 5000 - 2500) })
        };
        let turned = column(rows(), Wish::default());
        assert!(
            numbers(&turned).is_some_and(|n| n.is_decided && n.other.is_none() && n.reading.decimal == ',')
        );
        let kept = column(rows(), Wish { keeps_text: true, ..Wish::default() });
        assert!(numbers(&kept).is_none());
        let both = [turned, kept].map(|column| column.numeric(&format(',', "")).unwrap());
        assert_eq!(both[0], both[1]);
    }

    #[test]
    fn what_is_no_number_or_a_code_is_remembered() {
        for odd in ["x", "007", "1e999", "12345678901234567890"] {
            let rows = (0..5000).map(|i| i.to_string()).chain([odd.to_owned(), "8".to_owned()]);
            let column = column(rows, Wish::default());
            assert_eq!(numbers(&column).unwrap().other, Some((odd.to_owned(), 5000)));
            let misfit = column.numeric(&format('.', "")).unwrap_err();
            assert_eq!(misfit, Misfit { text: odd.to_owned(), row: 5000 });
        }
    }

    #[test]
    fn nothing_is_guessed_of_marks() {
        let rows = || (1000..6000).map(|i| format!("1,{}", i % 900 + 100 + i / 1_000_000));
        assert!(numbers(&column(rows(), Wish::default())).is_none());
        let rows = (1000..9999).map(|i| format!("{},{:03}", i / 1000, i % 1000));
        let undecided = column(rows, Wish { decimal: Some('.'), thousands: Some(','), ..Wish::default() });
        assert!(numbers(&undecided).is_some_and(|n| !n.is_decided && n.either.is_some()));
    }

    #[test]
    fn gaps_units_and_levels_are_coded() {
        let rows = ["5 kg", "", "-9 kg", "3 kg"].map(str::to_owned);
        let coded = column(rows.clone(), Wish::default()).numeric(&format('.', "kg")).unwrap();
        assert_eq!((coded.values(), coded.codes.to_vec()), (Some(&[3.0, 5.0][..]), vec![1, 2, 2, 0]));
        let misfit = column(rows.clone(), Wish::default()).numeric(&format('.', "")).unwrap_err();
        assert_eq!(misfit, Misfit { text: "5 kg".to_owned(), row: 0 });
        let levels = ["5 kg".to_owned(), "3 kg".to_owned()];
        let coded = column(rows, Wish::default()).nominal(&levels);
        assert_eq!(coded.codes.to_vec(), [0, 2, 2, 1]);
    }

    #[test]
    fn texts_of_one_number_are_one() {
        let rows = ["1", "1.0", "-0", "0"].map(str::to_owned);
        let coded = column(rows, Wish::default()).numeric(&format('.', "")).unwrap();
        assert_eq!(coded.values(), Some(&[0.0, 1.0][..]));
    }
}
