//! What fits into a size: the smallest expressions of types and symbols.

use super::{Generator, NEVER, Symbol, sum};
use crate::model::program::types::Ty;
use crate::model::program::walk::FunInScope;

impl Generator<'_> {
    /// Least fixed point over types without tuples.
    pub(super) fn find_smallest(&mut self) {
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
    pub(super) fn least_of(&self, ty: Ty) -> usize {
        if self.scope.vars.iter().any(|&var| self.arena.var_ty(var) == ty) {
            return 1;
        }
        match ty {
            Ty::Tuple(parts) => 1 + sum(parts.iter().map(|part| self.least_of(part))),
            _ => self.smallest.get(&ty).copied().unwrap_or(NEVER),
        }
    }

    /// Types of the children that a symbol needs, without those that it is free to choose.
    pub(super) fn children(&self, symbol: Symbol, ty: Ty) -> Vec<Ty> {
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
    pub(super) fn least(&self, symbol: Symbol, ty: Ty) -> usize {
        let children = self.children(symbol, ty);
        1 + sum(children.into_iter().map(|child| self.least_of(child)))
    }

    /// Symbols with arguments that fit into a size; for [`NEVER`], all that need no `case` or `let`.
    pub(super) fn symbols(&self, ty: Ty, size: usize) -> Vec<Symbol> {
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
    pub(super) fn spread(&mut self, children: &[Ty], size: usize) -> Option<Vec<usize>> {
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
