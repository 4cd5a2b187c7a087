//! Reads programs: declarations of types, then functions, the last one the main function.
//!
//! ```text
//! program  = { "type" name "=" Name [ "of" type ] { "|" Name [ "of" type ] } } function { function }
//! function = "fun" name "(" name ":" type { "," name ":" type } ")" ":" type "=" expr
//! type     = name { "*" name }
//! ```
//! Comments stand between `(*` and `*)`. Expressions: see `parse_expr.rs`.

use std::sync::Arc;

use super::arena::{Arena, MAX_DEPTH};
use super::closed::{Definition, Program};
use super::error::{ProgramError, Result};
use super::lexer::{self, Placed, Token};
use super::node::{Fun, Var};
use super::types::{Constructor, SumId, SumType, Ty, Types};

/// What a name stands for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Meaning {
    Var(Var),
    Fun(Fun),
}

pub(super) struct Parser {
    tokens: Vec<Placed>,
    position: usize,
    depth: usize,
    pub arena: Arena,
    /// Names in scope, the innermost last.
    pub scope: Vec<(String, Meaning)>,
}

impl Program {
    /// Reads a program with its declarations of types.
    ///
    /// # Errors
    /// Text that is no program; the error says where.
    pub fn parse(text: &str) -> Result<Program> {
        let tokens = lexer::tokens(text)?;
        let mut parser = Parser::new(tokens, Arc::default());
        let types = Arc::new(parser.declarations()?);
        parser.arena = Arena::new(types);
        parser.functions()
    }

    /// Reads functions over types that are declared elsewhere.
    ///
    /// # Errors
    /// As for [`Program::parse`].
    pub fn parse_with(types: &Arc<Types>, text: &str) -> Result<Program> {
        Parser::new(lexer::tokens(text)?, types.clone()).functions()
    }
}

impl Parser {
    fn new(tokens: Vec<Placed>, types: Arc<Types>) -> Self {
        Parser { tokens, position: 0, depth: 0, arena: Arena::new(types), scope: Vec::new() }
    }

    pub fn peek(&self) -> &Token {
        &self.tokens[self.position].token
    }

    /// Whether the token after the next is a number that follows without a space.
    pub fn number_joined(&self) -> bool {
        self.tokens.get(self.position + 1).is_some_and(|next| {
            let number = matches!(next.token, Token::Int(_) | Token::Float(_) | Token::Word("inf"));
            next.joined && number
        })
    }

    pub fn place(&self) -> (usize, usize) {
        (self.tokens[self.position].line, self.tokens[self.position].column)
    }

    pub fn next(&mut self) -> Token {
        let token = self.tokens[self.position].token.clone();
        self.position = (self.position + 1).min(self.tokens.len() - 1);
        token
    }

    pub fn accept(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Token::Word(next) if *next == word);
        if found {
            self.next();
        }
        found
    }

    pub fn expect(&mut self, word: &str) -> Result<()> {
        match self.accept(word) {
            true => Ok(()),
            false => Err(self.unexpected(&format!("'{word}'"))),
        }
    }

    pub fn unexpected(&self, expected: &str) -> ProgramError {
        let (line, column) = self.place();
        ProgramError::Syntax { line, column, expected: expected.to_owned(), found: self.peek().describe() }
    }

    pub fn name(&mut self, what: &str) -> Result<String> {
        match self.peek() {
            Token::Name(_) => match self.next() {
                Token::Name(name) => Ok(name),
                _ => unreachable!("the token was just looked at"),
            },
            _ => Err(self.unexpected(what)),
        }
    }

    /// One level deeper, if there is one.
    pub fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == MAX_DEPTH {
            let (line, column) = self.place();
            return Err(ProgramError::TooLarge { what: "depth", limit: MAX_DEPTH }.at(line, column));
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    fn declarations(&mut self) -> Result<Types> {
        let names = self.declared_names();
        let mut sums = Vec::new();
        while self.accept("type") {
            sums.push(self.declaration(&names)?);
        }
        Types::new(sums)
    }

    /// Types may be used before they are declared.
    fn declared_names(&self) -> Vec<String> {
        let pairs = self.tokens.windows(2).filter_map(|pair| match (&pair[0].token, &pair[1].token) {
            (Token::Word("type"), Token::Name(name)) => Some(name.clone()),
            _ => None,
        });
        pairs.take(usize::from(u8::MAX)).collect()
    }

    fn declaration(&mut self, names: &[String]) -> Result<SumType> {
        let name = self.name("the name of a type")?;
        self.expect("=")?;
        let mut constructors = Vec::new();
        loop {
            let Token::Constructor(constructor) = self.peek().clone() else {
                return Err(self.unexpected("a constructor, which starts with a capital letter"));
            };
            self.next();
            let fields = if self.accept("of") { self.atoms(names)? } else { Vec::new() };
            constructors.push(Constructor { name: constructor, fields });
            if !self.accept("|") {
                return Ok(SumType { name, constructors });
            }
        }
    }

    fn atoms(&mut self, names: &[String]) -> Result<Vec<Ty>> {
        let mut atoms = vec![self.atom(names)?];
        while self.accept("*") {
            atoms.push(self.atom(names)?);
        }
        Ok(atoms)
    }

    fn atom(&mut self, names: &[String]) -> Result<Ty> {
        let (line, column) = self.place();
        match self.next() {
            Token::Word("float") => Ok(Ty::FLOAT),
            Token::Word("int") => Ok(Ty::INT),
            Token::Word("bool") => Ok(Ty::BOOL),
            Token::Name(name) => match names.iter().position(|known| *known == name) {
                Some(k) => Ok(Ty::sum(SumId(k as u8))),
                None => Err(ProgramError::Unbound { what: "type", name }.at(line, column)),
            },
            token => {
                let expected = "a type".to_owned();
                Err(ProgramError::Syntax { line, column, expected, found: token.describe() })
            }
        }
    }

    fn ty(&mut self) -> Result<Ty> {
        let (line, column) = self.place();
        let types = self.arena.types().clone();
        let names: Vec<String> = types.sums().iter().map(|sum| sum.name.clone()).collect();
        match self.atoms(&names)?[..] {
            [atom] => Ok(atom),
            ref atoms => Ty::tuple(atoms).map_err(|error| error.at(line, column)),
        }
    }

    fn functions(&mut self) -> Result<Program> {
        let mut definitions = Vec::new();
        loop {
            self.expect("fun")?;
            let (line, column) = self.place();
            let (name, definition) = self.function()?;
            self.scope.push((name, Meaning::Fun(definition.fun)));
            let checked = self.arena.check_function(definition.fun, &definition.params, definition.body);
            checked.map_err(|error| error.at(line, column))?;
            definitions.push(definition);
            if *self.peek() == Token::End {
                return Program::new(&self.arena, &definitions);
            }
        }
    }

    /// A function after the word `fun`; its name is in scope in its own body only.
    pub fn function(&mut self) -> Result<(String, Definition)> {
        let name = self.name("the name of a function")?;
        self.expect("(")?;
        let mut params: Vec<(String, Ty)> = Vec::new();
        loop {
            let param = self.name("the name of a parameter")?;
            self.expect(":")?;
            params.push((param, self.ty()?));
            if !self.accept(",") {
                break;
            }
        }
        self.expect(")")?;
        self.expect(":")?;
        let result = self.ty()?;
        self.expect("=")?;
        let types: Vec<Ty> = params.iter().map(|(_, ty)| *ty).collect();
        let fun = self.arena.declare_fun(&name, &types, result);
        let before = self.scope.len();
        self.scope.push((name.clone(), Meaning::Fun(fun)));
        let vars = params.into_iter().map(|(param, ty)| self.declare(param, ty)).collect();
        let body = self.expr()?;
        self.scope.truncate(before);
        Ok((name, Definition { fun, params: vars, body }))
    }

    /// A new variable, in scope from now on.
    pub fn declare(&mut self, name: String, ty: Ty) -> Var {
        let var = self.arena.declare_var(&name, ty);
        self.scope.push((name, Meaning::Var(var)));
        var
    }
}
