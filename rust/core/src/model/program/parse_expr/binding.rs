//! Reads what binds names: `let` and `case` with its patterns.

use crate::model::program::error::{ProgramError, Result};
use crate::model::program::lexer::Token;
use crate::model::program::node::{Branch, Expr};
use crate::model::program::parser::{Meaning, Parser};
use crate::model::program::types::{Atom, Ty};

impl Parser {
    /// After `let`: a declaration and what follows it.
    pub(super) fn declarations_in_let(&mut self) -> Result<Expr> {
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

    pub(super) fn case(&mut self) -> Result<Expr> {
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
