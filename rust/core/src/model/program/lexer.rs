//! Splits the text of a program into tokens, each with its place.

use super::error::{ProgramError, Result};
use super::prim::Prim;

/// Words that cannot be names, besides those of the primitives.
const WORDS: &[&str] = &[
    "type", "of", "fun", "let", "val", "in", "end", "case", "if", "then", "else", "true", "false", "int",
    "bool", "inf", "nan",
];

/// Marks, longer ones first.
const MARKS: &[&str] =
    &["=>", "<=", ">=", "<>", "(", ")", ",", ":", "|", "=", "<", ">", "+", "-", "*", "/", "_"];

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    /// A variable, function or type.
    Name(String),
    Constructor(String),
    /// A word of the language or a mark.
    Word(&'static str),
    /// Digits, not yet signed.
    Int(u64),
    Float(f64),
    End,
}

impl Token {
    /// As a reader would name it.
    pub fn describe(&self) -> String {
        match self {
            Token::Name(text) | Token::Constructor(text) => format!("'{text}'"),
            Token::Word(text) => format!("'{text}'"),
            Token::Int(value) => format!("'{value}'"),
            Token::Float(value) => format!("'{value:?}'"),
            Token::End => "the end of the text".to_owned(),
        }
    }
}

/// A token with its place; lines and columns count from 1.
#[derive(Debug, Clone)]
pub(super) struct Placed {
    pub token: Token,
    pub line: usize,
    pub column: usize,
    /// Whether it follows the token before without a space.
    pub joined: bool,
}

fn word(text: &str) -> Option<&'static str> {
    let prims = Prim::ALL.iter().map(|prim| prim.text()).filter(|text| text.chars().all(char::is_alphabetic));
    WORDS.iter().copied().chain(prims).find(|&word| word == text)
}

fn is_word_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Whether the text can name a variable, function or type.
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(is_word_char)
        && word(text).is_none()
}

/// Whether the text can name a constructor.
pub(super) fn is_constructor(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_uppercase()) && text.chars().all(is_word_char)
}

struct Lexer<'a> {
    rest: &'a str,
    line: usize,
    column: usize,
}

/// All tokens, with [`Token::End`] as the last.
pub(super) fn tokens(text: &str) -> Result<Vec<Placed>> {
    let mut lexer = Lexer { rest: text, line: 1, column: 1 };
    let mut found = Vec::new();
    loop {
        let before = lexer.rest.len();
        lexer.skip_space()?;
        let joined = lexer.rest.len() == before;
        let (line, column) = (lexer.line, lexer.column);
        let token = lexer.next()?;
        let end = token == Token::End;
        found.push(Placed { token, line, column, joined });
        if end {
            return Ok(found);
        }
    }
}

impl<'a> Lexer<'a> {
    fn take(&mut self, n_bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(n_bytes);
        for c in taken.chars() {
            (self.line, self.column) =
                if c == '\n' { (self.line + 1, 1) } else { (self.line, self.column + 1) };
        }
        self.rest = rest;
        taken
    }

    fn error(&self, expected: &str, found: &str) -> ProgramError {
        let (expected, found) = (expected.to_owned(), found.to_owned());
        ProgramError::Syntax { line: self.line, column: self.column, expected, found }
    }

    /// Spaces and comments, which may nest.
    fn skip_space(&mut self) -> Result<()> {
        loop {
            let n_spaces = self.rest.len() - self.rest.trim_start().len();
            self.take(n_spaces);
            if !self.rest.starts_with("(*") {
                return Ok(());
            }
            self.skip_comment()?;
        }
    }

    fn skip_comment(&mut self) -> Result<()> {
        let start = self.error("'*)' after this comment", "the end of the text");
        let mut open = 0;
        loop {
            if self.rest.starts_with("(*") {
                open += 1;
                self.take(2);
            } else if self.rest.starts_with("*)") {
                open -= 1;
                self.take(2);
            } else {
                let c = self.rest.chars().next().ok_or_else(|| start.clone())?;
                self.take(c.len_utf8());
            }
            if open == 0 {
                return Ok(());
            }
        }
    }

    fn next(&mut self) -> Result<Token> {
        let Some(first) = self.rest.chars().next() else { return Ok(Token::End) };
        if first.is_ascii_digit() {
            return self.number();
        }
        if first.is_ascii_alphabetic() {
            let length = self.rest.find(|c| !is_word_char(c)).unwrap_or(self.rest.len());
            let text = self.take(length);
            return Ok(match word(text) {
                Some(word) => Token::Word(word),
                None if is_constructor(text) => Token::Constructor(text.to_owned()),
                None => Token::Name(text.to_owned()),
            });
        }
        match MARKS.iter().find(|mark| self.rest.starts_with(**mark)) {
            Some(mark) => {
                self.take(mark.len());
                Ok(Token::Word(mark))
            }
            None => Err(self.error("a name, a number or a mark of the language", &format!("'{first}'"))),
        }
    }

    fn number(&mut self) -> Result<Token> {
        let bytes = self.rest.as_bytes();
        let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let at = |k: usize| bytes.get(k).copied().unwrap_or(b' ');
        let mut length = digits(0);
        let whole = length;
        if at(length) == b'.' && at(length + 1).is_ascii_digit() {
            length += 1 + digits(length + 1);
        }
        if at(length) == b'e' {
            let sign = usize::from(matches!(at(length + 1), b'-' | b'+'));
            if at(length + 1 + sign).is_ascii_digit() {
                length += 1 + sign + digits(length + 1 + sign);
            }
        }
        let text = &self.rest[..length];
        let token = match length == whole {
            true => Token::Int(text.parse().map_err(|_| self.error("a number of at most 64 bits", text))?),
            false => Token::Float(text.parse().expect("digits with a point or an exponent are a float")),
        };
        self.take(length);
        Ok(token)
    }
}
