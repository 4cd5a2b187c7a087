//! Values as text, written and read with a stack of their own: they may be of any depth.

use super::error::{ProgramError, Result};
use super::lexer::{self, Placed, Token};
use super::node::Node;
use super::types::{Atom, Ty, Types};
use super::value::{Store, Value};

impl Store {
    /// A value of this type as the language writes it.
    pub fn text(&self, types: &Types, ty: Ty, value: Value) -> String {
        enum Part {
            Value(Ty, Value),
            Mark(&'static str),
        }
        let mut out = String::new();
        let mut todo = vec![Part::Value(ty, value)];
        while let Some(part) = todo.pop() {
            let (ty, cell) = match part {
                Part::Mark(mark) => {
                    out += mark;
                    continue;
                }
                Part::Value(_, Value::Float(x)) => {
                    let Node::Float(bits) = Node::float(x) else { unreachable!("a float makes a float") };
                    out += &super::print::float(bits);
                    continue;
                }
                Part::Value(_, Value::Int(x)) => {
                    out += &x.to_string();
                    continue;
                }
                Part::Value(_, Value::Bool(x)) => {
                    out += &x.to_string();
                    continue;
                }
                Part::Value(ty, Value::Data(cell)) => (ty, cell),
            };
            if let Ty::Atom(Atom::Sum(sum)) = ty {
                out += &types.sum(sum).constructors[self.position(cell) as usize].name;
            }
            let binds = types.branches(ty).unwrap_or_default().swap_remove(self.position(cell) as usize);
            if binds.is_empty() {
                continue;
            }
            todo.push(Part::Mark(")"));
            for (k, (ty, &field)) in binds.into_iter().zip(self.fields(cell)).enumerate().rev() {
                todo.push(Part::Value(ty, field));
                todo.push(Part::Mark(if k == 0 { "(" } else { ", " }));
            }
        }
        out
    }

    /// Reads a value of this type, as [`Store::text`] writes it.
    pub fn parse(&mut self, types: &Types, ty: Ty, text: &str) -> Result<Value> {
        let tokens = lexer::tokens(text)?;
        let mut reader = Reader { types, tokens: &tokens, position: 0, open: Vec::new() };
        let mut next = ty;
        loop {
            let Some(mut value) = reader.begin(self, next)? else {
                next = reader.field_type();
                continue;
            };
            loop {
                match reader.end(self, value)? {
                    Ended::All => return Ok(value),
                    Ended::Data(data) => value = data,
                    Ended::Field => break,
                }
            }
            next = reader.field_type();
        }
    }
}

/// Data of which not all fields have been read.
struct Open {
    position: u8,
    types: Vec<Ty>,
    fields: Vec<Value>,
}

/// What comes to its end with a value.
enum Ended {
    /// A field; more follow.
    Field,
    /// The last field of data.
    Data(Value),
    /// The text.
    All,
}

struct Reader<'a> {
    types: &'a Types,
    tokens: &'a [Placed],
    position: usize,
    open: Vec<Open>,
}

impl Reader<'_> {
    fn peek(&self) -> &Token {
        &self.tokens[self.position].token
    }

    fn accept(&mut self, token: &Token) -> bool {
        let found = self.peek() == token;
        self.position = (self.position + usize::from(found)).min(self.tokens.len() - 1);
        found
    }

    fn error(&self, expected: &str) -> ProgramError {
        let Placed { token, line, column, .. } = &self.tokens[self.position];
        let (expected, found) = (expected.to_owned(), token.describe());
        ProgramError::Syntax { line: *line, column: *column, expected, found }
    }

    fn expect(&mut self, word: &'static str) -> Result<()> {
        match self.accept(&Token::Word(word)) {
            true => Ok(()),
            false => Err(self.error(&format!("'{word}'"))),
        }
    }

    /// Type of the next field of the innermost open data.
    fn field_type(&self) -> Ty {
        let open = self.open.last().expect("data with fields to come are open");
        open.types[open.fields.len()]
    }

    /// A number or data without fields; `None` after data with fields have been opened.
    fn begin(&mut self, store: &mut Store, ty: Ty) -> Result<Option<Value>> {
        let position = match ty {
            Ty::Atom(Atom::Sum(sum)) => {
                let Token::Constructor(name) = self.peek() else {
                    return Err(self.error(&format!("a constructor of {}", self.types.name(ty))));
                };
                let tag = self.types.find_constructor(name).filter(|tag| tag.sum == sum);
                let tag =
                    tag.ok_or_else(|| self.error(&format!("a constructor of {}", self.types.name(ty))))?;
                self.position += 1;
                tag.position
            }
            Ty::Tuple(_) => 0,
            _ => return self.number(ty).map(Some),
        };
        let types = self.types.branches(ty).unwrap_or_default().swap_remove(position.into());
        if types.is_empty() {
            return Ok(Some(store.data(position, &[])));
        }
        self.expect("(")?;
        self.open.push(Open { position, types, fields: Vec::new() });
        Ok(None)
    }

    fn number(&mut self, ty: Ty) -> Result<Value> {
        let error = self.error(&format!("a value of type {}", self.types.name(ty)));
        let negative = ty != Ty::BOOL && self.accept(&Token::Word("-"));
        let sign = |value: f64| Value::Float(if negative { -value } else { value });
        let value = match (ty, self.peek()) {
            (Ty::FLOAT, Token::Float(value)) => sign(*value),
            (Ty::FLOAT, Token::Word("inf")) => sign(f64::INFINITY),
            (Ty::FLOAT, Token::Word("nan")) => sign(f64::NAN),
            (Ty::BOOL, Token::Word(word @ ("true" | "false"))) => Value::Bool(*word == "true"),
            (Ty::INT, Token::Int(value)) => {
                let value = if negative { -i128::from(*value) } else { i128::from(*value) };
                Value::Int(i64::try_from(value).map_err(|_| error)?)
            }
            _ => return Err(error),
        };
        self.position += 1;
        Ok(value)
    }

    /// Puts a value where it belongs.
    fn end(&mut self, store: &mut Store, value: Value) -> Result<Ended> {
        let Some(open) = self.open.last_mut() else {
            let end = *self.peek() == Token::End;
            return if end { Ok(Ended::All) } else { Err(self.error("the end of the text")) };
        };
        open.fields.push(value);
        if open.fields.len() < open.types.len() {
            self.expect(",")?;
            return Ok(Ended::Field);
        }
        self.expect(")")?;
        let Open { position, fields, .. } = self.open.pop().expect("it was just looked at");
        Ok(Ended::Data(store.data(position, &fields)))
    }
}
