//! A column as its different texts, in the order in which they come, and a code for each row.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

/// Codes in as few bytes as they need so far.
#[derive(Debug)]
enum Narrow {
    One(Vec<u8>),
    Two(Vec<u16>),
    Four(Vec<u32>),
}

impl Narrow {
    fn push(&mut self, code: u32) {
        match self {
            Narrow::One(codes) if code <= u8::MAX.into() => codes.push(code as u8),
            Narrow::Two(codes) if code <= u16::MAX.into() => codes.push(code as u16),
            Narrow::Four(codes) => codes.push(code),
            _ => {
                self.widen();
                self.push(code);
            }
        }
    }

    fn widen(&mut self) {
        *self = match self {
            Narrow::One(codes) => Narrow::Two(codes.iter().map(|&code| code.into()).collect()),
            Narrow::Two(codes) => Narrow::Four(codes.iter().map(|&code| code.into()).collect()),
            Narrow::Four(_) => return,
        };
    }
}

/// The different texts of a column, and which of them each row has.
pub struct Texts {
    arena: Vec<u8>,
    /// Where each text ends in the arena.
    ends: Vec<usize>,
    first_rows: Vec<u32>,
    codes: Narrow,
    table: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl Default for Texts {
    fn default() -> Self {
        Texts {
            arena: Vec::new(),
            ends: Vec::new(),
            first_rows: Vec::new(),
            codes: Narrow::One(Vec::new()),
            table: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
        }
    }
}

impl Texts {
    /// Adds the text of the next row.
    ///
    /// # Errors
    /// The first byte that is not UTF-8.
    pub fn push(&mut self, text: &[u8], row: u32) -> Result<(), u8> {
        let hash = self.hasher.hash_one(text);
        let (arena, ends) = (&self.arena, &self.ends);
        let code = match self.table.find(hash, |&code| bytes(arena, ends, code) == text) {
            Some(&code) => code,
            None => self.add(text, hash, row)?,
        };
        self.codes.push(code);
        Ok(())
    }

    fn add(&mut self, text: &[u8], hash: u64, row: u32) -> Result<u32, u8> {
        if let Err(error) = std::str::from_utf8(text) {
            return Err(text[error.valid_up_to()]);
        }
        let code = self.ends.len() as u32;
        self.arena.extend_from_slice(text);
        self.ends.push(self.arena.len());
        self.first_rows.push(row);
        let (arena, ends, hasher) = (&self.arena, &self.ends, &self.hasher);
        self.table.insert_unique(hash, code, |&code| hasher.hash_one(bytes(arena, ends, code)));
        Ok(code)
    }

    /// The number of different texts.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// A text by its code.
    pub fn text(&self, code: u32) -> &str {
        std::str::from_utf8(bytes(&self.arena, &self.ends, code))
            .expect("texts are UTF-8: `add` looks at each")
    }

    /// All texts, in the order of their codes.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len() as u32).map(|code| self.text(code))
    }

    /// The first row of each text.
    pub fn first_rows(&self) -> &[u32] {
        &self.first_rows
    }

    /// What stands for the code of each row.
    pub fn coded<T: Copy>(&self, of_code: &[T]) -> Vec<T> {
        match &self.codes {
            Narrow::One(codes) => codes.iter().map(|&code| of_code[usize::from(code)]).collect(),
            Narrow::Two(codes) => codes.iter().map(|&code| of_code[usize::from(code)]).collect(),
            Narrow::Four(codes) => codes.iter().map(|&code| of_code[code as usize]).collect(),
        }
    }
}

fn bytes<'a>(arena: &'a [u8], ends: &[usize], code: u32) -> &'a [u8] {
    let code = code as usize;
    let start = if code == 0 { 0 } else { ends[code - 1] };
    &arena[start..ends[code]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_text_is_kept_once() {
        let mut texts = Texts::default();
        let rows: Vec<String> = (0..70_000u32).map(|row| (row % 66_000).to_string()).collect();
        for (row, text) in rows.iter().enumerate() {
            texts.push(text.as_bytes(), row as u32).unwrap();
        }
        let all: Vec<String> = texts.iter().map(str::to_owned).collect();
        assert_eq!((all.len(), texts.first_rows()[65_999]), (66_000, 65_999));
        let codes: Vec<u32> = (0..66_000).collect();
        let codes = texts.coded(&codes);
        assert!(rows.iter().zip(codes).all(|(text, code)| all[code as usize] == *text));
    }

    #[test]
    fn what_is_no_text_is_refused() {
        assert_eq!(Texts::default().push(b"a\xe4b", 0), Err(0xe4));
    }
}
