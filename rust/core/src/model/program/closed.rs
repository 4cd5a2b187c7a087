//! Programs: closed, canonical, immutable, and cheap to compare and to share.
//!
//! In a program a variable is known by its level, the number of variables in scope where it is bound,
//! and its type. Programs that differ in bound names only are therefore the same program.

use std::sync::Arc;

use super::arena::{Arena, mix};
use super::copy::{Copier, Fresh, Levels, Names};
use super::error::{ProgramError, Result};
use super::lexer;
use super::node::{Expr, Fun, Var};
use super::types::{Ty, Types};

/// A function of a program, in terms of an arena.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    pub fun: Fun,
    pub params: Box<[Var]>,
    pub body: Expr,
}

/// A closed program: library functions, each of which may use the ones before it, and at last the
/// main function.
#[derive(Debug, Clone)]
pub struct Program(Arc<Closed>);

#[derive(Debug, Clone)]
struct Closed {
    arena: Arena,
    definitions: Vec<Definition>,
    var_levels: Vec<u32>,
    names: Names,
    /// Names of each definition and its parameters.
    heads: Vec<Box<[Arc<str>]>>,
    fingerprint: u128,
}

impl PartialEq for Program {
    /// Equal up to the names of functions and variables.
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (&self.0, &other.0);
        Arc::ptr_eq(a, b)
            || a.fingerprint == b.fingerprint
                && a.arena.nodes() == b.arena.nodes()
                && a.definitions == b.definitions
                && a.arena.types() == b.arena.types()
                && a.var_levels == b.var_levels
                && (a.arena.vars.iter().map(|v| v.ty)).eq(b.arena.vars.iter().map(|v| v.ty))
                && a.arena.funs == b.arena.funs
    }
}

impl Eq for Program {}

impl std::hash::Hash for Program {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.fingerprint as u64);
    }
}

impl Program {
    /// Closes definitions: bodies fit their signatures, nothing is free, recursion is structural.
    pub(crate) fn new(arena: &Arena, definitions: &[Definition]) -> Result<Program> {
        if definitions.is_empty() {
            return Err(ProgramError::Arity { what: "definitions".to_owned(), expected: 1, found: 0 });
        }
        let mut to = Arena::new(arena.types().clone());
        let mut copier = Copier::new(arena, &mut to, Levels::default());
        let mut closed = Vec::with_capacity(definitions.len());
        for definition in definitions {
            arena.check_function(definition.fun, &definition.params, definition.body)?;
            let copy = copier.copy_definition(definition, &arena.head(definition))?;
            // What counts is the copy, in which no two functions in scope are the same one.
            copier.to.check_function(copy.fun, &copy.params, copy.body)?;
            closed.push(copy);
        }
        let Levels { var_levels, names, .. } = copier.renaming;
        let heads = definitions.iter().map(|definition| arena.head(definition)).collect();
        let fingerprint = fingerprint(&to, &closed, &var_levels);
        let definitions = closed;
        Ok(Program(Arc::new(Closed { arena: to, definitions, var_levels, names, heads, fingerprint })))
    }

    /// The program in a new arena with a fresh name for every binder, ready to be changed.
    pub(crate) fn open(&self) -> (Arena, Vec<Definition>) {
        let mut arena = Arena::new(self.types().clone());
        let mut copier =
            Copier { names: Some(&self.0.names), ..Copier::new(&self.0.arena, &mut arena, Fresh) };
        let both = self.0.definitions.iter().zip(&self.0.heads);
        let open = both.map(|(definition, head)| {
            copier.copy_definition(definition, head).expect("a program is closed and well typed")
        });
        let open = open.collect();
        (arena, open)
    }

    /// Names of each definition and its parameters, and those of all binding nodes.
    pub(super) fn named(&self) -> (&[Box<[Arc<str>]>], &Names) {
        (&self.0.heads, &self.0.names)
    }

    pub(super) fn renamed(&self, heads: Vec<Box<[Arc<str>]>>, names: Names) -> Program {
        Program(Arc::new(Closed { heads, names, ..(*self.0).clone() }))
    }

    /// The types that it declares.
    pub fn types(&self) -> &Arc<Types> {
        self.0.arena.types()
    }

    /// The canonical arena: a variable for every level and type.
    pub(crate) fn arena(&self) -> &Arena {
        &self.0.arena
    }

    /// Library functions and at last the main function, in terms of [`Program::arena`].
    pub(crate) fn definitions(&self) -> &[Definition] {
        &self.0.definitions
    }

    /// The main function, in terms of [`Program::arena`].
    pub(crate) fn main(&self) -> &Definition {
        self.0.definitions.last().expect("a program has a main function")
    }

    /// Types of the main function's parameters and of its result.
    pub fn signature(&self) -> (&[Ty], Ty) {
        self.0.arena.signature(self.main().fun)
    }

    /// Name of the main function.
    pub fn name(&self) -> &str {
        &self.0.heads[self.0.heads.len() - 1][0]
    }

    /// Nodes of the main function's body, written out as a tree.
    pub fn size(&self) -> usize {
        self.0.arena.size(self.main().body)
    }

    /// A number that equal programs share and different ones do not.
    pub fn fingerprint(&self) -> u128 {
        self.0.fingerprint
    }

    /// Variables in scope where this one is bound, in the canonical arena.
    #[cfg(test)]
    pub(crate) fn level(&self, var: Var) -> usize {
        self.0.var_levels[var.0 as usize] as usize
    }
}

impl<R: super::copy::Renaming> Copier<'_, R> {
    fn copy_definition(&mut self, definition: &Definition, head: &[Arc<str>]) -> Result<Definition> {
        let fun = self.enter_fun(definition.fun, &head[0]);
        let params = self.enter(&definition.params, &head[1..]);
        let body = self.copy(definition.body)?;
        self.leave(params.len());
        Ok(Definition { fun, params, body })
    }
}

impl Arena {
    /// Names of a definition and its parameters.
    fn head(&self, definition: &Definition) -> Box<[Arc<str>]> {
        let params = definition.params.iter().map(|param| self.vars[param.0 as usize].name.clone());
        std::iter::once(self.funs[definition.fun.0 as usize].name.clone()).chain(params).collect()
    }
}

fn fingerprint(arena: &Arena, definitions: &[Definition], levels: &[u32]) -> u128 {
    let (mut low, mut high) = (1, 2);
    let mut add = |word: u64| {
        low = mix(low, word);
        high = mix(high, word ^ 0x5851_F42D_4C95_7F2D);
    };
    arena.nodes().iter().for_each(|node| node.words(&mut add));
    arena.vars.iter().zip(levels).for_each(|(var, &level)| (add(var.ty.code()), add(level.into())).0);
    for fun in &arena.funs {
        fun.params.iter().for_each(|param| add(param.code()));
        add(fun.result.code());
    }
    for definition in definitions {
        add(u64::from(definition.fun.0) << 32 | u64::from(definition.body.0));
    }
    u128::from(high) << 64 | u128::from(low)
}

/// Names of all that a program binds: they do not count when programs are compared, but text is written with
/// them.
impl Program {
    /// Names of functions, parameters and variables, in an order that equal programs share.
    pub fn binders(&self) -> Vec<&str> {
        let (heads, names) = self.named();
        heads.iter().chain(names.values()).flatten().map(|name| &**name).collect()
    }

    /// The same program with other names, as [`Program::binders`] lists them; `None` if they are not as
    /// many, or no names.
    pub fn with_binders(&self, binders: &[String]) -> Option<Program> {
        let is_name = |name: &String| name == "_" || lexer::is_name(name);
        if binders.len() != self.binders().len() || !binders.iter().all(is_name) {
            return None;
        }
        let (mut heads, mut names) = (self.named().0.to_vec(), self.named().1.clone());
        let places = heads.iter_mut().chain(names.values_mut()).flatten();
        places.zip(binders).for_each(|(place, name)| *place = Arc::from(name.as_str()));
        Some(self.renamed(heads, names))
    }
}
