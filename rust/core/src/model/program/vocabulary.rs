//! The symbols that programs of a problem may use: all, those that a program's types suggest, those of some
//! words.

use std::collections::BTreeSet;
use std::fmt;

use super::closed::Program;
use super::node::Node;
use super::prim::Prim;
use super::types::{Atom, Tag, Ty, Types};

/// Symbols besides variables and functions, which the place in the program decides.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Vocabulary {
    /// Primitives.
    pub prims: Vec<Prim>,
    /// Constructors that may make data.
    pub constructors: Vec<Tag>,
    /// Types that a `case` may be on; bool stands for `if`.
    pub cases: Vec<Ty>,
    /// Numbers with a point.
    pub float_constants: bool,
    /// Whole numbers.
    pub int_constants: bool,
    /// `true` and `false`.
    pub bool_constants: bool,
    /// `let val`.
    pub values: bool,
    /// `let fun`.
    pub functions: bool,
}

impl Vocabulary {
    /// Scalar rules: float primitives, float constants, and `if` on comparisons.
    pub fn scalar() -> Self {
        let tests = [Prim::LessFloat, Prim::AtMostFloat];
        Vocabulary {
            prims: Prim::FLOAT.iter().copied().chain(tests).collect(),
            cases: vec![Ty::BOOL],
            float_constants: true,
            values: true,
            ..Vocabulary::default()
        }
    }

    /// Everything the language has over these types.
    pub fn all(types: &Types) -> Self {
        Vocabulary {
            prims: Prim::ALL.to_vec(),
            constructors: types.ids().flat_map(|sum| types.tags(sum)).collect(),
            cases: [Ty::BOOL, Ty::INT].into_iter().chain(types.ids().map(Ty::sum)).collect(),
            float_constants: true,
            int_constants: true,
            bool_constants: true,
            values: true,
            functions: true,
        }
    }

    /// Whether constants of the type may be written.
    pub(super) fn has_constants(&self, ty: Ty) -> bool {
        match ty {
            Ty::FLOAT => self.float_constants,
            Ty::INT => self.int_constants,
            Ty::BOOL => self.bool_constants,
            _ => false,
        }
    }

    /// Symbols that make a value of the type, variables, functions and numbers apart; `case` (one for
    /// every type it may be on) and `let` make values of any type.
    pub(super) fn n_symbols(&self, ty: Ty) -> usize {
        let prims = self.prims.iter().filter(|prim| prim.result() == ty).count();
        let made = match ty {
            Ty::BOOL => 2 * usize::from(self.bool_constants),
            Ty::Tuple(_) => 1,
            Ty::Atom(Atom::Sum(sum)) => self.constructors.iter().filter(|tag| tag.sum == sum).count(),
            _ => 0,
        };
        prims + made + self.cases.len() + usize::from(self.values) + usize::from(self.functions)
    }
}

/// A word that names no symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownWord(pub String);

impl fmt::Display for UnknownWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut prims: Vec<&str> = Prim::ALL.iter().map(|prim| prim.text()).collect();
        prims.dedup();
        let prims = prims.iter().collect::<BTreeSet<_>>().into_iter().map(|word| format!("'{word}'"));
        write!(
            f,
            "'{}' is no symbol; use constructors or functions of the program, {}, 'if', 'case', 'case' with \
             a type, 'let', 'fun', 'true', 'false' or 'constants'",
            self.0,
            prims.collect::<Vec<_>>().join(", ")
        )
    }
}

impl std::error::Error for UnknownWord {}

/// Types that a program has to do with, none of them a tuple.
fn types_of(program: &Program) -> BTreeSet<Ty> {
    let arena = program.arena();
    let mut found = BTreeSet::new();
    let signatures = program.definitions().iter().map(|definition| arena.signature(definition.fun));
    for (params, result) in signatures {
        params.iter().for_each(|&ty| add(program.types(), ty, &mut found));
        add(program.types(), result, &mut found);
    }
    for node in arena.nodes() {
        match node {
            Node::Var(var) => add(program.types(), arena.var_ty(*var), &mut found),
            Node::Float(_) => add(program.types(), Ty::FLOAT, &mut found),
            Node::Int(_) => add(program.types(), Ty::INT, &mut found),
            _ => {}
        }
    }
    found
}

/// Adds a type and all that its values are made of.
fn add(types: &Types, ty: Ty, found: &mut BTreeSet<Ty>) {
    let mut todo = vec![ty];
    while let Some(ty) = todo.pop() {
        match ty {
            Ty::Tuple(parts) => todo.extend(parts.iter()),
            Ty::Atom(Atom::Sum(sum)) if found.insert(ty) => {
                todo.extend(types.sum(sum).constructors.iter().flat_map(|c| &c.fields));
            }
            Ty::Atom(_) => drop(found.insert(ty)),
        }
    }
}

/// Whether a primitive works on these types; a truth value may always come in between.
fn fits(prim: Prim, types: &BTreeSet<Ty>) -> bool {
    let known = |ty: &Ty| *ty == Ty::BOOL || types.contains(ty);
    prim.arguments().iter().all(known) && known(&prim.result())
}

impl Vocabulary {
    /// Everything that a program's types allow, declarations apart: these come by transformations.
    pub fn of(program: &Program) -> Vocabulary {
        if program.is_scalar() {
            return Vocabulary { values: false, ..Vocabulary::scalar() };
        }
        let types = types_of(program);
        let all = Vocabulary::all(program.types());
        Vocabulary {
            prims: all.prims.into_iter().filter(|&prim| fits(prim, &types)).collect(),
            constructors: all.constructors.into_iter().filter(|t| types.contains(&Ty::sum(t.sum))).collect(),
            cases: all.cases.into_iter().filter(|ty| *ty == Ty::BOOL || types.contains(ty)).collect(),
            float_constants: types.contains(&Ty::FLOAT),
            int_constants: types.contains(&Ty::INT),
            bool_constants: types.contains(&Ty::BOOL),
            ..Vocabulary::default()
        }
    }

    /// The symbols of these names: primitives, constructors, `if`, `case` on any type or on one, `let`,
    /// `fun`, `true`, `false`, `constants`. Functions of the program may be named, and are in scope anyway.
    ///
    /// A primitive written for several types stands for those that the program has.
    ///
    /// # Errors
    /// A word that names none of these.
    pub fn named(program: &Program, words: &[String]) -> Result<Vocabulary, UnknownWord> {
        let mut types = types_of(program);
        let mut prims: BTreeSet<Prim> = BTreeSet::new();
        for word in words {
            let all = || Prim::ALL.iter().copied().filter(|prim| prim.text() == word);
            let fitting: Vec<Prim> = all().filter(|&prim| fits(prim, &types)).collect();
            let chosen = if fitting.is_empty() { all().collect() } else { fitting };
            let met = chosen.iter().flat_map(|prim| {
                prim.arguments().iter().chain([prim.result()].iter()).copied().collect::<Vec<_>>()
            });
            types.extend(met.filter(|ty| *ty != Ty::BOOL));
            prims.extend(chosen);
        }
        let mut vocabulary = Vocabulary { prims: prims.into_iter().collect(), ..Vocabulary::default() };
        for word in words {
            vocabulary.add(program, &types, word)?;
        }
        vocabulary.cases.sort_unstable();
        vocabulary.cases.dedup();
        vocabulary.constructors.sort_unstable();
        vocabulary.constructors.dedup();
        Ok(vocabulary)
    }

    /// What a word stands for, primitives apart.
    fn add(&mut self, program: &Program, types: &BTreeSet<Ty>, word: &str) -> Result<(), UnknownWord> {
        let declared = program.types();
        let apart = |ty: &Ty| !matches!(*ty, Ty::FLOAT | Ty::BOOL);
        match word {
            "if" => self.cases.push(Ty::BOOL),
            "case" => self.cases.extend(types.iter().filter(|ty| apart(ty))),
            "let" => self.values = true,
            "fun" => self.functions = true,
            "true" | "false" => self.bool_constants = true,
            "constants" => {
                self.float_constants |= types.contains(&Ty::FLOAT);
                self.int_constants |= types.contains(&Ty::INT);
            }
            _ => {
                let unknown = || UnknownWord(word.to_owned());
                let on = |name: &str| match name {
                    "int" => Some(Ty::INT),
                    _ => declared.find(name).map(Ty::sum),
                };
                if let Some(name) = word.strip_prefix("case ") {
                    self.cases.push(on(name.trim()).ok_or_else(unknown)?);
                } else if let Some(tag) = declared.find_constructor(word) {
                    self.constructors.push(tag);
                } else if !Prim::is_word(word) && !has_function(program, word) {
                    return Err(unknown());
                }
            }
        }
        Ok(())
    }
}

fn has_function(program: &Program, word: &str) -> bool {
    program.named().0.iter().any(|head| &*head[0] == word)
}
