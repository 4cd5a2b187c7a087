//! Random expressions that bind variables: `case`, `let val`, `let fun`.

use super::{Generator, NEVER, Symbol};
use crate::model::program::node::{Branch, Expr, Var};
use crate::model::program::types::{Atom, Ty};
use crate::model::program::walk::{FunInScope, Open, PartInScope};

impl Generator<'_> {
    pub(super) fn case(&mut self, on: Ty, children: &[Ty], ty: Ty, size: usize) -> Option<Expr> {
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

    pub(super) fn value(&mut self, ty: Ty, size: usize) -> Option<Expr> {
        let of = if self.chance(50) { ty } else { self.any_type() };
        let sizes = self.spread(&[of, ty], size)?;
        let bound = self.make(of, sizes[0])?;
        let var = self.arena.declare_var("v", of);
        let body = self.within(&[var], None, |generator| generator.make(ty, sizes[1]))?;
        self.arena.bind(var, bound, body).ok()
    }

    /// A local function of one to three parameters with this result.
    pub(super) fn function(&mut self, ty: Ty, size: usize) -> Option<Expr> {
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
