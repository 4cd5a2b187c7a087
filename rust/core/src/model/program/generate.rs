//! Random well-typed expressions of a given type and size.
//!
//! ```text
//! make(type, size): one of the symbols that fit, each as likely
//!     leaves only if nothing larger fits into the size
//!     what the size leaves beyond the smallest arguments is spread over them evenly at random
//! ```
//! So an expression has at most the wished size, and nearly always just that. All choices come from
//! one stream of random numbers.

use std::collections::HashMap;

use super::arena::Arena;
use super::node::{Branch, Expr, Var};
use super::prim::Prim;
use super::types::{Atom, Tag, Ty, Types};
use super::vocabulary::Vocabulary;
use super::walk::{FunInScope, InScope, Open, PartInScope};
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

/// What binds variables: `case`, `let val`, `let fun`.
impl Generator<'_> {
    fn case(&mut self, on: Ty, children: &[Ty], ty: Ty, size: usize) -> Option<Expr> {
        let vars: Vec<Var> =
            self.scope.vars.iter().copied().filter(|&var| self.arena.var_ty(var) == on).collect();
        let sizes = self.spread(children, size)?;
        let subject = match on {
            // Taking apart what was just made is rarely of use.
            Ty::Atom(Atom::Sum(_)) | Ty::INT if !vars.is_empty() && self.chance(80) => {
                let var = vars[self.below(vars.len())];
                self.arena.var(var)
            }
            _ => self.make(on, sizes[0])?,
        };
        self.branches(subject, ty, &sizes[1..])
    }

    /// A case with branches of these sizes.
    fn branches(&mut self, subject: Expr, ty: Ty, sizes: &[usize]) -> Option<Expr> {
        let binds = self.types().branches(self.arena.ty(subject))?;
        let mut branches = Vec::with_capacity(binds.len());
        for (binds, &size) in binds.into_iter().zip(sizes) {
            let vars: Box<[Var]> = binds.into_iter().map(|ty| self.arena.declare_var("v", ty)).collect();
            let body = self.within(&vars, Some(subject), |generator| generator.make(ty, size))?;
            branches.push(Branch { vars, body });
        }
        self.arena.case(subject, branches).ok()
    }

    /// Makes something with more variables in scope, perhaps parts of a subject.
    fn within<T>(
        &mut self,
        vars: &[Var],
        subject: Option<Expr>,
        make: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        let n_vars = self.scope.vars.len();
        let n_parts: Vec<usize> =
            self.scope.funs.iter().map(|f| f.open.as_ref().map_or(0, |open| open.parts.len())).collect();
        self.scope.vars.extend_from_slice(vars);
        for open in self.scope.funs.iter_mut().filter_map(|known| known.open.as_mut()) {
            let whole = |part: &&PartInScope| subject == Some(self.arena.var(part.var));
            if let Some(&PartInScope { param, .. }) = open.parts.iter().rev().find(whole) {
                open.parts.extend(vars.iter().map(|&var| PartInScope { var, param, strict: true }));
            }
        }
        let made = make(self);
        self.scope.vars.truncate(n_vars);
        for (known, n) in self.scope.funs.iter_mut().zip(n_parts) {
            if let Some(open) = &mut known.open {
                open.parts.truncate(n);
            }
        }
        made
    }

    fn any_type(&mut self) -> Ty {
        let types = self.types();
        let mut all = vec![Ty::FLOAT, Ty::INT, Ty::BOOL];
        all.extend(types.ids().map(Ty::sum));
        all.retain(|&ty| self.least_of(ty) < NEVER);
        if all.is_empty() { Ty::FLOAT } else { all[self.below(all.len())] }
    }

    fn value(&mut self, ty: Ty, size: usize) -> Option<Expr> {
        let of = if self.chance(50) { ty } else { self.any_type() };
        let sizes = self.spread(&[of, ty], size)?;
        let bound = self.make(of, sizes[0])?;
        let var = self.arena.declare_var("v", of);
        let body = self.within(&[var], None, |generator| generator.make(ty, sizes[1]))?;
        self.arena.bind(var, bound, body).ok()
    }

    /// A local function of one to three parameters with this result.
    fn function(&mut self, ty: Ty, size: usize) -> Option<Expr> {
        let n_params = 1 + self.below(3);
        let types: Vec<Ty> = (0..n_params).map(|_| self.any_type()).collect();
        let sizes = self.spread(&[ty, ty], size)?;
        let fun = self.arena.declare_fun("g", &types, ty);
        let params: Box<[Var]> = types.iter().map(|&ty| self.arena.declare_var("p", ty)).collect();
        let parts = params.iter().enumerate();
        let parts = parts.map(|(param, &var)| PartInScope { var, param, strict: false }).collect();
        // An outer function is not called from inside: what would be passed as a part is not known.
        let outer = self.scope.funs.clone();
        self.scope.funs.iter_mut().filter_map(|f| f.open.as_mut()).for_each(|open| open.descending = 0);
        self.scope.funs.push(FunInScope { fun, open: Some(Open { parts, descending: u64::MAX }) });
        let body = self.within(&params, None, |generator| generator.function_body(params[0], ty, sizes[0]));
        self.scope.funs = outer;
        let body = body?;
        self.scope.funs.push(FunInScope { fun, open: None });
        let rest = self.make(ty, sizes[1]);
        self.scope.funs.pop();
        self.arena.bind_fun(fun, &params, body, rest?).ok()
    }

    /// A body; every other time a case on the first parameter, from which recursion can start.
    fn function_body(&mut self, first: Var, ty: Ty, size: usize) -> Option<Expr> {
        let on = self.arena.var_ty(first);
        let usual = self.vocabulary.cases.contains(&on) && on != Ty::BOOL && self.chance(50);
        let sizes = match usual {
            true => self.spread(&self.children(Symbol::Case(on), ty), size),
            false => None,
        };
        match sizes {
            Some(sizes) => {
                let subject = self.arena.var(first);
                self.branches(subject, ty, &sizes[1..])
            }
            None => self.make(ty, size),
        }
    }
}

/// What fits into a size: the smallest expressions of types and symbols.
impl Generator<'_> {
    /// Least fixed point over types without tuples.
    fn find_smallest(&mut self) {
        let types = self.types();
        let all: Vec<Ty> =
            [Ty::FLOAT, Ty::INT, Ty::BOOL].into_iter().chain(types.ids().map(Ty::sum)).collect();
        loop {
            let found: Vec<usize> = all.iter().map(|&ty| self.smallest_now(ty)).collect();
            let better = |(ty, &size): (&Ty, &usize)| self.smallest.get(ty).is_none_or(|&known| size < known);
            if !all.iter().zip(&found).any(better) {
                return;
            }
            self.smallest.extend(all.iter().copied().zip(found));
        }
    }

    fn smallest_now(&self, ty: Ty) -> usize {
        if self.vocabulary.has_constants(ty) {
            return 1;
        }
        let symbols = self.symbols(ty, NEVER);
        let sizes = symbols.iter().map(|&symbol| self.least(symbol, ty));
        sizes.min().unwrap_or(NEVER).min(self.least_of(ty))
    }

    /// Size of the smallest expression of a type that is known.
    fn least_of(&self, ty: Ty) -> usize {
        if self.scope.vars.iter().any(|&var| self.arena.var_ty(var) == ty) {
            return 1;
        }
        match ty {
            Ty::Tuple(parts) => 1 + sum(parts.iter().map(|part| self.least_of(part))),
            _ => self.smallest.get(&ty).copied().unwrap_or(NEVER),
        }
    }

    /// Types of the children that a symbol needs, without those that it is free to choose.
    fn children(&self, symbol: Symbol, ty: Ty) -> Vec<Ty> {
        match symbol {
            Symbol::Prim(prim) => prim.arguments().to_vec(),
            Symbol::Construct(tag) => self.arena.types().constructor(tag).fields.clone(),
            Symbol::Tuple => match ty {
                Ty::Tuple(parts) => parts.iter().collect(),
                Ty::Atom(_) => Vec::new(),
            },
            Symbol::Call(k) => self.arena.signature(self.scope.funs[k].fun).0.to_vec(),
            Symbol::Case(on) => {
                let n = self.arena.types().branches(on).map_or(0, |branches| branches.len());
                std::iter::once(on).chain(std::iter::repeat_n(ty, n)).collect()
            }
            Symbol::Value | Symbol::Function => vec![ty, ty],
        }
    }

    /// Size of the smallest expression with this symbol at its root.
    fn least(&self, symbol: Symbol, ty: Ty) -> usize {
        let children = self.children(symbol, ty);
        1 + sum(children.into_iter().map(|child| self.least_of(child)))
    }

    /// Symbols with arguments that fit into a size; for [`NEVER`], all that need no `case` or `let`.
    fn symbols(&self, ty: Ty, size: usize) -> Vec<Symbol> {
        let vocabulary = self.vocabulary;
        let prims =
            vocabulary.prims.iter().filter(|prim| prim.result() == ty).map(|&prim| Symbol::Prim(prim));
        let tags = vocabulary.constructors.iter().filter(|tag| Ty::sum(tag.sum) == ty);
        let calls = (0..self.scope.funs.len()).filter(|&k| self.callable(&self.scope.funs[k], ty));
        let mut found: Vec<Symbol> = prims.collect();
        found.extend(tags.map(|&tag| Symbol::Construct(tag)));
        found.extend(calls.map(Symbol::Call));
        if matches!(ty, Ty::Tuple(_)) {
            found.push(Symbol::Tuple);
        }
        if size != NEVER {
            found.extend(vocabulary.cases.iter().map(|&on| Symbol::Case(on)));
            found.extend(vocabulary.values.then_some(Symbol::Value));
            found.extend(vocabulary.functions.then_some(Symbol::Function));
            found.retain(|&symbol| self.least(symbol, ty) <= size);
        }
        found
    }

    fn callable(&self, known: &FunInScope, ty: Ty) -> bool {
        let open = known.open.as_ref();
        self.arena.signature(known.fun).1 == ty
            && open.is_none_or(|open| self.arena.descents(known.fun, open).next().is_some())
    }

    /// Sizes for children, together one less than `size`; `None` if it is too small.
    fn spread(&mut self, children: &[Ty], size: usize) -> Option<Vec<usize>> {
        let mut sizes: Vec<usize> = children.iter().map(|&child| self.least_of(child)).collect();
        let rest = (size - 1).checked_sub(sum(sizes.iter().copied()))?;
        // Cuts of a line of `rest` units: every division as likely.
        let mut cuts: Vec<usize> = (1..sizes.len()).map(|_| self.below(rest + 1)).collect();
        cuts.sort_unstable();
        cuts.push(rest);
        let mut before = 0;
        for (size, cut) in sizes.iter_mut().zip(cuts) {
            *size += cut - before;
            before = cut;
        }
        Some(sizes)
    }
}
