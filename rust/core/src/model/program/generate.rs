//! Random well-typed expressions of a given type and size.
//!
//! ```text
//! make(type, size): one of the symbols that fit, each as likely
//!     leaves only if nothing larger fits into the size
//!     what the size leaves beyond the smallest arguments is spread over them evenly at random
//! ```
//! So an expression has at most the wished size, and nearly always just that. All choices come from
//! one stream of random numbers.

mod binding;
mod sizes;

use std::collections::HashMap;

use super::arena::Arena;
use super::node::{Expr, Var};
use super::prim::Prim;
use super::types::{Tag, Ty, Types};
use super::vocabulary::Vocabulary;
use super::walk::{InScope, PartInScope};
use crate::base::random::Random;

/// A size no expression has.
const NEVER: usize = usize::MAX / 64;

/// A sum that stays at [`NEVER`].
fn sum(sizes: impl Iterator<Item = usize>) -> usize {
    sizes.fold(0, usize::saturating_add).min(NEVER)
}

/// A symbol for the root of an expression.
#[derive(Clone, Copy)]
enum Symbol {
    Prim(Prim),
    Construct(Tag),
    Tuple,
    Call(usize),
    Case(Ty),
    Value,
    Function,
}

struct Generator<'a> {
    arena: &'a mut Arena,
    vocabulary: &'a Vocabulary,
    random: &'a mut Random,
    scope: InScope,
    /// The smallest expressions of types, with what was in scope at first.
    smallest: HashMap<Ty, usize>,
}

impl Arena {
    /// A random expression of at most this size; `None` if the scope and the vocabulary have no
    /// expression of the type that is so small.
    pub fn generate(
        &mut self,
        ty: Ty,
        size: usize,
        scope: &InScope,
        vocabulary: &Vocabulary,
        random: &mut Random,
    ) -> Option<Expr> {
        let scope = scope.clone();
        let mut generator = Generator { arena: self, vocabulary, random, scope, smallest: HashMap::new() };
        generator.find_smallest();
        generator.make(ty, size)
    }
}

impl Generator<'_> {
    fn below(&mut self, n: usize) -> usize {
        self.random.below(n as u32) as usize
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.random.below(100) < percent
    }

    fn types(&self) -> std::sync::Arc<Types> {
        self.arena.types().clone()
    }

    fn make(&mut self, ty: Ty, size: usize) -> Option<Expr> {
        let mut symbols = self.symbols(ty, size);
        symbols.retain(|&symbol| self.least(symbol, ty) > 1);
        if size > 1 && !symbols.is_empty() {
            let symbol = symbols[self.below(symbols.len())];
            if let Some(expr) = self.compound(symbol, ty, size) {
                return Some(expr);
            }
        }
        self.leaf(ty).or_else(|| {
            let smallest = symbols.iter().copied().min_by_key(|&symbol| self.least(symbol, ty))?;
            self.compound(smallest, ty, self.least(smallest, ty).min(size))
        })
    }

    /// A variable, a constant or a constructor without fields, each as likely; numbers as one.
    fn leaf(&mut self, ty: Ty) -> Option<Expr> {
        let vars: Vec<Var> =
            self.scope.vars.iter().copied().filter(|&var| self.arena.var_ty(var) == ty).collect();
        let types = self.types();
        let alone = |tag: &&Tag| Ty::sum(tag.sum) == ty && types.constructor(**tag).fields.is_empty();
        let tags: Vec<Tag> = self.vocabulary.constructors.iter().filter(alone).copied().collect();
        let n_constants = usize::from(self.vocabulary.has_constants(ty));
        let n = vars.len() + tags.len() + n_constants;
        if n == 0 {
            return None;
        }
        let k = self.below(n);
        if k < vars.len() {
            return Some(self.arena.var(vars[k]));
        }
        match tags.get(k - vars.len()) {
            Some(&tag) => self.arena.construct(tag, &[]).ok(),
            None => Some(self.constant(ty)),
        }
    }

    fn constant(&mut self, ty: Ty) -> Expr {
        match ty {
            Ty::BOOL => {
                let value = self.chance(50);
                self.arena.bool(value)
            }
            Ty::INT => {
                let value =
                    self.below(4) as i64 + if self.chance(20) { self.below(20) as i64 - 10 } else { 0 };
                self.arena.int(value)
            }
            _ => {
                let value = random_float(self.random);
                self.arena.float(value)
            }
        }
    }

    fn compound(&mut self, symbol: Symbol, ty: Ty, size: usize) -> Option<Expr> {
        let children = self.children(symbol, ty);
        match symbol {
            Symbol::Case(on) => self.case(on, &children, ty, size),
            Symbol::Value => self.value(ty, size),
            Symbol::Function => self.function(ty, size),
            _ => {
                let sizes = self.spread(&children, size)?;
                let args = children.iter().zip(sizes).map(|(&child, size)| self.make(child, size));
                let mut args = args.collect::<Option<Vec<Expr>>>()?;
                match symbol {
                    Symbol::Prim(prim) => self.arena.prim(prim, &args),
                    Symbol::Construct(tag) => self.arena.construct(tag, &args),
                    Symbol::Call(k) => {
                        let fun = self.scope.funs[k].fun;
                        self.descend(k, &mut args)?;
                        self.arena.call(fun, &args)
                    }
                    _ => self.arena.tuple(&args),
                }
                .ok()
            }
        }
    }

    /// Makes the arguments of a recursive call descend.
    fn descend(&mut self, k: usize, args: &mut [Expr]) -> Option<()> {
        let known = &self.scope.funs[k];
        let Some(open) = &known.open else { return Some(()) };
        let descents: Vec<PartInScope> = self.arena.descents(known.fun, open).collect();
        if descents.is_empty() {
            return None;
        }
        let part = descents[self.below(descents.len())];
        args[part.param] = self.arena.var(part.var);
        if let Some(open) = &mut self.scope.funs[k].open {
            open.descending &= 1 << part.param;
        }
        Some(())
    }
}

/// A float such as rules hold: small whole numbers, simple fractions, and anything of few digits.
pub fn random_float(random: &mut Random) -> f64 {
    match random.below(3) {
        0 => f64::from(random.below(11)),
        1 => f64::from(random.below(20) + 1) / [2.0, 4.0, 10.0][random.below(3) as usize],
        _ => {
            let digits = f64::from(random.below(1999)) - 999.0;
            digits / [10.0, 100.0, 1000.0][random.below(3) as usize]
        }
    }
}
