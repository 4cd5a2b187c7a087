//! The symbols that programs of a problem may use.

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
