//! Types: float, int, bool, sum types that the user declares, and flat tuples of these.

use std::collections::HashSet;

use super::error::{ProgramError, Result};
use super::lexer;

/// Parts a tuple may have.
pub const MAX_PARTS: usize = 6;

/// Sum types a program may declare, and constructors one of them may have.
const MAX_DECLARED: usize = 200;

/// Number of a declared sum type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SumId(pub u8);

/// A type that is no tuple.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Atom {
    /// `float`.
    Float,
    /// `int`.
    Int,
    /// `bool`.
    Bool,
    /// A declared type.
    Sum(SumId),
}

/// The parts of a tuple type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Parts {
    len: u8,
    parts: [Atom; MAX_PARTS],
}

impl Parts {
    /// The parts, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Ty> + '_ {
        self.parts[..self.len as usize].iter().map(|&atom| Ty::Atom(atom))
    }

    /// How many parts.
    pub fn n_parts(&self) -> usize {
        self.len as usize
    }
}

/// Any type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ty {
    /// No tuple.
    Atom(Atom),
    /// A tuple of its parts.
    Tuple(Parts),
}

impl Ty {
    /// `float`.
    pub const FLOAT: Ty = Ty::Atom(Atom::Float);
    /// `int`.
    pub const INT: Ty = Ty::Atom(Atom::Int);
    /// `bool`.
    pub const BOOL: Ty = Ty::Atom(Atom::Bool);

    /// A declared sum type.
    pub const fn sum(id: SumId) -> Ty {
        Ty::Atom(Atom::Sum(id))
    }

    /// The tuple of these types.
    ///
    /// # Errors
    /// Too few or too many, or a tuple among them.
    pub fn tuple(types: &[Ty]) -> Result<Ty> {
        if types.len() < 2 || types.len() > MAX_PARTS {
            return Err(ProgramError::Tuple { n_parts: types.len(), nested: false });
        }
        let mut parts = [Atom::Float; MAX_PARTS];
        for (part, ty) in parts.iter_mut().zip(types) {
            match ty {
                Ty::Atom(atom) => *part = *atom,
                Ty::Tuple(_) => return Err(ProgramError::Tuple { n_parts: types.len(), nested: true }),
            }
        }
        Ok(Ty::Tuple(Parts { len: types.len() as u8, parts }))
    }

    /// One number a type, for fingerprints; nine bits a part.
    pub(super) fn code(self) -> u64 {
        let atom = |atom: Atom| match atom {
            Atom::Float => 1,
            Atom::Int => 2,
            Atom::Bool => 3,
            Atom::Sum(id) => 4 + u64::from(id.0),
        };
        match self {
            Ty::Atom(a) => atom(a),
            Ty::Tuple(parts) => parts.parts[..parts.n_parts()].iter().fold(1, |code, &a| code << 9 | atom(a)),
        }
    }
}

/// One way to make a value of a sum type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constructor {
    /// What it is called.
    pub name: String,
    /// Types of its fields, none of them a tuple.
    pub fields: Vec<Ty>,
}

/// A declared type: a list, a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SumType {
    /// What it is called.
    pub name: String,
    /// The ways to make a value.
    pub constructors: Vec<Constructor>,
}

/// A constructor by its type and its position there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tag {
    /// The type.
    pub sum: SumId,
    /// The number among its constructors.
    pub position: u8,
}

/// The declared types of a program.
///
/// # Invariants
/// Names of types and constructors are unique; every type has a finite value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Types {
    sums: Vec<SumType>,
}

impl Types {
    /// Checked declarations; [`SumId`]s in them are positions in the list.
    ///
    /// # Errors
    /// Too many of them, names that are taken or none, a type without a finite value.
    pub fn new(sums: Vec<SumType>) -> Result<Types> {
        if sums.len() > MAX_DECLARED || sums.iter().any(|sum| sum.constructors.len() > MAX_DECLARED) {
            return Err(ProgramError::TooMany { what: "types or constructors", limit: MAX_DECLARED });
        }
        let types = Types { sums };
        types.check_names()?;
        types.check_fields()?;
        match types.first_uninhabited() {
            Some(sum) => Err(ProgramError::Uninhabited { name: sum.name.clone() }),
            None => Ok(types),
        }
    }

    fn check_names(&self) -> Result<()> {
        let mut seen = HashSet::new();
        let types = self.sums.iter().map(|sum| ("type", &sum.name, lexer::is_name(&sum.name)));
        let constructors = self.sums.iter().flat_map(|sum| &sum.constructors);
        let constructors = constructors.map(|c| ("constructor", &c.name, lexer::is_constructor(&c.name)));
        for (what, name, fits) in types.chain(constructors) {
            let detail = match (fits, seen.insert(name)) {
                (true, true) => continue,
                (false, _) if what == "type" => {
                    "must start with a small letter and be no word of the language"
                }
                (false, _) => "must start with a capital letter",
                (true, false) => "is declared twice; rename one",
            };
            return Err(ProgramError::Name { what, name: name.clone(), detail });
        }
        Ok(())
    }

    fn check_fields(&self) -> Result<()> {
        for constructor in self.sums.iter().flat_map(|sum| &sum.constructors) {
            for field in &constructor.fields {
                match field {
                    Ty::Tuple(parts) => {
                        return Err(ProgramError::Tuple { n_parts: parts.n_parts(), nested: true });
                    }
                    Ty::Atom(Atom::Sum(id)) if id.0 as usize >= self.sums.len() => {
                        return Err(ProgramError::Unbound { what: "type", name: id.0.to_string() });
                    }
                    Ty::Atom(_) => {}
                }
            }
        }
        Ok(())
    }

    /// The first type that is no least fixed point of its own declaration.
    fn first_uninhabited(&self) -> Option<&SumType> {
        let mut inhabited = vec![false; self.sums.len()];
        loop {
            let has_value = |ty: &Ty| match ty {
                Ty::Atom(Atom::Sum(id)) => inhabited[id.0 as usize],
                _ => true,
            };
            let next = |sum: &SumType| sum.constructors.iter().any(|c| c.fields.iter().all(has_value));
            let found: Vec<bool> = self.sums.iter().map(next).collect();
            if found == inhabited {
                return self.sums.iter().zip(&inhabited).find(|(_, has)| !**has).map(|(sum, _)| sum);
            }
            inhabited = found;
        }
    }

    /// All declared types.
    pub fn sums(&self) -> &[SumType] {
        &self.sums
    }

    /// The type of this number.
    pub fn sum(&self, id: SumId) -> &SumType {
        &self.sums[id.0 as usize]
    }

    /// Constructors of a sum type, in their order.
    pub fn tags(&self, sum: SumId) -> impl Iterator<Item = Tag> + '_ {
        (0..self.sum(sum).constructors.len()).map(move |position| Tag { sum, position: position as u8 })
    }

    /// The constructor that a tag stands for.
    pub fn constructor(&self, tag: Tag) -> &Constructor {
        &self.sum(tag.sum).constructors[tag.position as usize]
    }

    /// The sum type of this name.
    pub fn find(&self, name: &str) -> Option<SumId> {
        self.sums.iter().position(|sum| sum.name == name).map(|k| SumId(k as u8))
    }

    /// The constructor of this name.
    pub fn find_constructor(&self, name: &str) -> Option<Tag> {
        self.ids().flat_map(|sum| self.tags(sum)).find(|&tag| self.constructor(tag).name == name)
    }

    /// All sum types, in their order.
    pub fn ids(&self) -> impl Iterator<Item = SumId> + use<> {
        (0..self.sums.len() as u8).map(SumId)
    }

    /// A type as it is written.
    pub fn name(&self, ty: Ty) -> String {
        match ty {
            Ty::FLOAT => "float".to_owned(),
            Ty::INT => "int".to_owned(),
            Ty::BOOL => "bool".to_owned(),
            Ty::Atom(Atom::Sum(id)) => self.sum(id).name.clone(),
            Ty::Tuple(parts) => parts.iter().map(|part| self.name(part)).collect::<Vec<_>>().join(" * "),
        }
    }

    /// What a `case` on this type binds, branch by branch; none for a float.
    ///
    /// bool: true, false. int: 0 and anything below, then m + 1 with its m. A sum type: its
    /// constructors. A tuple: one branch with all parts.
    pub fn branches(&self, ty: Ty) -> Option<Vec<Vec<Ty>>> {
        match ty {
            Ty::FLOAT => None,
            Ty::INT => Some(vec![vec![], vec![Ty::INT]]),
            Ty::BOOL => Some(vec![vec![], vec![]]),
            Ty::Atom(Atom::Sum(id)) => {
                Some(self.sum(id).constructors.iter().map(|constructor| constructor.fields.clone()).collect())
            }
            Ty::Tuple(parts) => Some(vec![parts.iter().collect()]),
        }
    }
}
