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

use super::error::{ProgramError, Result};
use super::lexer::Token;
use super::node::{Branch, Expr};
use super::parser::{Meaning, Parser};
use super::prim::Prim;
use super::types::{Atom, Ty};

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

/// Tightness of a sign or a `not`, and that of names, calls and anything in parentheses.
pub(super) const PREFIX: u8 = 6;
pub(super) const TIGHT: u8 = 7;

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

    /// After `let`: a declaration and what follows it.
    fn declarations_in_let(&mut self) -> Result<Expr> {
        let (line, column) = self.place();
        let before = self.scope.len();
        let expr = if self.accept("val") {
            self.deeper(Parser::value)
        } else if self.accept("fun") {
            let (name, definition) = self.deeper(Parser::function)?;
            self.scope.push((name, Meaning::Fun(definition.fun)));
            let rest = self.deeper(Parser::rest_of_let)?;
            self.arena.bind_fun(definition.fun, &definition.params, definition.body, rest)
        } else {
            return Err(self.unexpected("'val' or 'fun'"));
        };
        self.scope.truncate(before);
        expr.map_err(|error| error.at(line, column))
    }

    fn rest_of_let(&mut self) -> Result<Expr> {
        match self.peek() {
            Token::Word("val" | "fun") => self.declarations_in_let(),
            _ => {
                self.expect("in")?;
                let body = self.expr()?;
                self.expect("end")?;
                Ok(body)
            }
        }
    }

    fn value(&mut self) -> Result<Expr> {
        if *self.peek() == Token::Word("(") {
            let names = self.pattern_names()?;
            self.expect("=")?;
            let subject = self.expr()?;
            let branch = self.branch(subject, 0, names, Parser::rest_of_let)?;
            return self.arena.case(subject, vec![branch]);
        }
        let name = self.pattern_name()?;
        self.expect("=")?;
        let bound = self.expr()?;
        let ty = self.arena.ty(bound);
        let var = self.declare(name, ty);
        let body = self.rest_of_let()?;
        self.arena.bind(var, bound, body)
    }

    fn case(&mut self) -> Result<Expr> {
        let (line, column) = self.place();
        self.expect("case")?;
        let subject = self.expr()?;
        self.expect("of")?;
        self.accept("|");
        let n_branches = self.arena.types().branches(self.arena.ty(subject)).map_or(0, |all| all.len());
        let mut found: Vec<Option<Branch>> = vec![None; n_branches];
        loop {
            let (line, column) = self.place();
            let (k, names) = self.pattern(subject).map_err(|error| error.at(line, column))?;
            self.expect("=>")?;
            let branch = self.branch(subject, k, names, Parser::expr)?;
            if found[k].replace(branch).is_some() {
                let what = "branches for one and the same pattern".to_owned();
                return Err(ProgramError::Arity { what, expected: 1, found: 2 }.at(line, column));
            }
            if !self.accept("|") {
                break;
            }
        }
        let n_found = found.iter().flatten().count();
        let branches: Vec<Branch> = found.into_iter().flatten().collect();
        if n_found < n_branches {
            let what = "branches of 'case', one for every pattern of its type".to_owned();
            return Err(ProgramError::Arity { what, expected: n_branches, found: n_found }.at(line, column));
        }
        self.arena.case(subject, branches).map_err(|error| error.at(line, column))
    }

    /// What follows a pattern, with the pattern's names in scope.
    fn branch(
        &mut self,
        subject: Expr,
        k: usize,
        names: Vec<String>,
        body: impl FnOnce(&mut Self) -> Result<Expr>,
    ) -> Result<Branch> {
        let (line, column) = self.place();
        let types = self.arena.types().branches(self.arena.ty(subject)).unwrap_or_default();
        let binds = types.get(k).cloned().unwrap_or_default();
        if binds.len() != names.len() {
            let what = "names in this pattern".to_owned();
            return Err(
                ProgramError::Arity { what, expected: binds.len(), found: names.len() }.at(line, column)
            );
        }
        let before = self.scope.len();
        let vars = names.into_iter().zip(binds).map(|(name, ty)| self.declare(name, ty)).collect();
        let body = body(self)?;
        self.scope.truncate(before);
        Ok(Branch { vars, body })
    }

    /// The branch that a pattern stands for, and the names it binds.
    fn pattern(&mut self, subject: Expr) -> Result<(usize, Vec<String>)> {
        match self.arena.ty(subject) {
            Ty::BOOL if self.accept("true") => Ok((0, Vec::new())),
            Ty::BOOL if self.accept("false") => Ok((1, Vec::new())),
            Ty::BOOL => Err(self.unexpected("'true' or 'false'")),
            Ty::INT => self.int_pattern(),
            Ty::Atom(Atom::Sum(sum)) => {
                let Token::Constructor(name) = self.peek().clone() else {
                    let name = self.arena.types().sum(sum).name.clone();
                    return Err(self.unexpected(&format!("a constructor of {name}")));
                };
                self.next();
                let tag = self.arena.types().find_constructor(&name).filter(|tag| tag.sum == sum);
                let tag = tag.ok_or(ProgramError::Unbound { what: "constructor of this type", name })?;
                let is_alone = *self.peek() != Token::Word("(");
                Ok((tag.position.into(), if is_alone { Vec::new() } else { self.pattern_names()? }))
            }
            Ty::Tuple(_) => Ok((0, self.pattern_names()?)),
            Ty::FLOAT => Err(ProgramError::Mismatch {
                what: "the subject of 'case'".to_owned(),
                expected: "int, bool, a sum type or a tuple".to_owned(),
                found: "float".to_owned(),
            }),
        }
    }

    fn int_pattern(&mut self) -> Result<(usize, Vec<String>)> {
        if *self.peek() == Token::Int(0) {
            self.next();
            return Ok((0, Vec::new()));
        }
        let expected = "'0' or a pattern such as 'm + 1'";
        let name = self.pattern_name().map_err(|_| self.unexpected(expected))?;
        self.expect("+")?;
        match self.peek() {
            Token::Int(1) => {
                self.next();
                Ok((1, vec![name]))
            }
            _ => Err(self.unexpected("'1'")),
        }
    }

    fn pattern_names(&mut self) -> Result<Vec<String>> {
        self.expect("(")?;
        let mut names = vec![self.pattern_name()?];
        while self.accept(",") {
            names.push(self.pattern_name()?);
        }
        self.expect(")")?;
        Ok(names)
    }

    fn pattern_name(&mut self) -> Result<String> {
        match self.accept("_") {
            true => Ok("_".to_owned()),
            false => self.name("a name or '_'"),
        }
    }
}
