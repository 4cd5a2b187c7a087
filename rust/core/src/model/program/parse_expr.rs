//! Reads expressions, and finds their types on the way.
//!
//! ```text
//! expr    = "if" expr "then" expr "else" expr
//!         | "case" expr "of" pattern "=>" expr { "|" pattern "=>" expr } | operation
//! primary = number | "true" | "false" | name | name "(" expr { "," expr } ")"
//!         | Name [ "(" expr { "," expr } ")" ] | "(" expr { "," expr } ")"
//!         | "let" { "val" pattern "=" expr | function } "in" expr "end"
//! pattern = name | "_" | Name [ "(" name { "," name } ")" ] | "(" name { "," name } ")"
//!         | "true" | "false" | "0" | name "+" "1"
//! ```
//! Operations, from loose to tight: or; and; < <= = > >= <>; + -; * / div mod; - not.

mod binding;

use super::error::{ProgramError, Result};
use super::lexer::Token;
use super::node::Expr;
use super::parser::{Meaning, Parser};
use super::prim::Prim;
use super::print::PREFIX;
use super::types::Ty;

/// How tight an infix operation binds; comparisons do not chain.
pub(super) fn tightness(word: &str) -> Option<u8> {
    Some(match word {
        "or" => 1,
        "and" => 2,
        "<" | "<=" | "=" | ">" | ">=" | "<>" => 3,
        "+" | "-" => 4,
        "*" | "/" | "div" | "mod" => 5,
        _ => return None,
    })
}

impl Parser {
    pub fn expr(&mut self) -> Result<Expr> {
        self.deeper(|parser| match parser.peek() {
            Token::Word("if") => parser.choice(),
            Token::Word("case") => parser.case(),
            _ => parser.operation(1),
        })
    }

    fn choice(&mut self) -> Result<Expr> {
        let (line, column) = self.place();
        self.expect("if")?;
        let condition = self.expr()?;
        self.expect("then")?;
        let yes = self.expr()?;
        self.expect("else")?;
        let no = self.expr()?;
        self.arena.choose(condition, yes, no).map_err(|error| error.at(line, column))
    }

    /// An operation whose operators bind at least so tight.
    fn operation(&mut self, least: u8) -> Result<Expr> {
        let mut left = self.prefix()?;
        while let Token::Word(word) = *self.peek() {
            let Some(tight) = tightness(word).filter(|&tight| tight >= least) else { break };
            let (line, column) = self.place();
            self.next();
            let right = self.deeper(|parser| parser.operation(tight + 1))?;
            left = self.binary(word, left, right).map_err(|error| error.at(line, column))?;
            if tight == 3 && matches!(self.peek(), Token::Word(next) if tightness(next) == Some(3)) {
                return Err(self.unexpected("no second comparison; put one in parentheses"));
            }
        }
        Ok(left)
    }

    fn binary(&mut self, word: &str, left: Expr, right: Expr) -> Result<Expr> {
        match word {
            ">" => self.apply("<", &[right, left]),
            ">=" => self.apply("<=", &[right, left]),
            "<>" => {
                let equal = self.apply("=", &[left, right])?;
                self.arena.prim(Prim::Not, &[equal])
            }
            word => self.apply(word, &[left, right]),
        }
    }

    /// The primitive of this name that fits the arguments; the last one named so reports a misfit.
    fn apply(&mut self, word: &str, args: &[Expr]) -> Result<Expr> {
        let types: Vec<Ty> = args.iter().map(|&arg| self.arena.ty(arg)).collect();
        let named = || Prim::ALL.iter().copied().filter(|prim| prim.text() == word);
        let near = named().find(|prim| prim.arguments().first() == types.first());
        let prim = Prim::find(word, &types).or(near).or_else(|| named().next());
        self.arena.prim(prim.expect("a word of a primitive names one"), args)
    }

    fn prefix(&mut self) -> Result<Expr> {
        let (line, column) = self.place();
        match *self.peek() {
            Token::Word("-") if self.number_joined() => {
                self.next();
                self.number(true)
            }
            Token::Word(word @ ("-" | "not")) => {
                self.next();
                let argument = self.deeper(|parser| parser.operation(PREFIX))?;
                self.apply(word, &[argument]).map_err(|error| error.at(line, column))
            }
            _ => self.primary(),
        }
    }

    fn number(&mut self, negative: bool) -> Result<Expr> {
        let (line, column) = self.place();
        let sign = |value: f64| if negative { -value } else { value };
        match self.next() {
            Token::Float(value) => Ok(self.arena.float(sign(value))),
            Token::Word("inf") => Ok(self.arena.float(sign(f64::INFINITY))),
            Token::Int(value) => {
                let signed = if negative { -i128::from(value) } else { i128::from(value) };
                let error = || ProgramError::Syntax {
                    line,
                    column,
                    expected: "an integer of at most 64 bits".to_owned(),
                    found: signed.to_string(),
                };
                Ok(self.arena.int(i64::try_from(signed).map_err(|_| error())?))
            }
            _ => unreachable!("the caller looked at the token"),
        }
    }

    fn primary(&mut self) -> Result<Expr> {
        let (line, column) = self.place();
        match self.peek().clone() {
            Token::Int(_) | Token::Float(_) | Token::Word("inf") => self.number(false),
            Token::Word("nan") => {
                self.next();
                Ok(self.arena.float(f64::NAN))
            }
            Token::Word(word @ ("true" | "false")) => {
                self.next();
                Ok(self.arena.bool(word == "true"))
            }
            Token::Word("(") => self.parenthesis().map_err(|error| error.at(line, column)),
            Token::Word("let") => {
                self.next();
                self.declarations_in_let()
            }
            Token::Word(word) if Prim::is_word(word) && word.starts_with(char::is_alphabetic) => {
                self.next();
                let args = self.arguments()?;
                self.apply(word, &args).map_err(|error| error.at(line, column))
            }
            Token::Name(name) => {
                self.next();
                self.named(&name).map_err(|error| error.at(line, column))
            }
            Token::Constructor(name) => {
                self.next();
                self.constructed(&name).map_err(|error| error.at(line, column))
            }
            _ => Err(self.unexpected("an expression")),
        }
    }

    fn parenthesis(&mut self) -> Result<Expr> {
        match self.arguments()?[..] {
            [single] => Ok(single),
            ref parts => self.arena.tuple(parts),
        }
    }

    /// One or more expressions in parentheses.
    fn arguments(&mut self) -> Result<Vec<Expr>> {
        self.expect("(")?;
        let mut args = vec![self.expr()?];
        while self.accept(",") {
            args.push(self.expr()?);
        }
        match self.accept(")") {
            true => Ok(args),
            false => Err(self.unexpected("',' or ')'")),
        }
    }

    fn named(&mut self, name: &str) -> Result<Expr> {
        let is_call = *self.peek() == Token::Word("(");
        let meaning = self
            .scope
            .iter()
            .rev()
            .find(|(known, meaning)| known == name && matches!(meaning, Meaning::Fun(_)) == is_call);
        match meaning {
            Some(&(_, Meaning::Var(var))) => Ok(self.arena.var(var)),
            Some(&(_, Meaning::Fun(fun))) => {
                let args = self.arguments()?;
                self.arena.call(fun, &args)
            }
            None => {
                let what = if is_call { "function" } else { "variable" };
                Err(ProgramError::Unbound { what, name: name.to_owned() })
            }
        }
    }

    fn constructed(&mut self, name: &str) -> Result<Expr> {
        let tag = self.arena.types().find_constructor(name);
        let tag = tag.ok_or_else(|| ProgramError::Unbound { what: "constructor", name: name.to_owned() })?;
        let args = if *self.peek() == Token::Word("(") { self.arguments()? } else { Vec::new() };
        self.arena.construct(tag, &args)
    }
}
