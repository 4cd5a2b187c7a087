//! Places in expressions: what is there, what is in scope there, and expressions with another one put
//! there.

use std::collections::BTreeSet;

use super::arena::Arena;
use super::closed::Definition;
use super::copy::{Copier, Fresh};
use super::error::{ProgramError, Result};
use super::node::{Expr, Fun, Node, Var};
use super::recursion;

/// Positions of children on the way down from a root.
pub type Path = Vec<u32>;

/// A variable that is a parameter of an open function, or a part of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartInScope {
    pub var: Var,
    /// Position of the parameter.
    pub param: usize,
    /// Whether a strict part, so that a recursive call may descend to it.
    pub strict: bool,
}

/// A function around a place, in whose body the place lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Open {
    /// Parameters and their parts among the variables in scope.
    pub parts: Vec<PartInScope>,
    /// Bits of the positions at which all recursive calls so far descend; a further one must do so at
    /// one of them.
    pub descending: u64,
}

/// A function in scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunInScope {
    pub fun: Fun,
    /// Set inside the function's own body, where a call must descend.
    pub open: Option<Open>,
}

/// What may be used at a place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InScope {
    pub vars: Vec<Var>,
    pub funs: Vec<FunInScope>,
}

impl Arena {
    /// Free variables of an expression.
    pub fn free_vars(&self, expr: Expr) -> BTreeSet<Var> {
        let mut free = BTreeSet::new();
        self.collect_free(expr, &mut Vec::new(), &mut |var| {
            free.insert(var);
        });
        free
    }

    /// Whether a variable occurs free.
    pub fn mentions(&self, expr: Expr, var: Var) -> bool {
        let mut found = false;
        self.collect_free(expr, &mut Vec::new(), &mut |free| found |= free == var);
        found
    }

    fn collect_free(&self, expr: Expr, bound: &mut Vec<Var>, found: &mut impl FnMut(Var)) {
        let node = self.node(expr);
        match node {
            Node::Var(var) if !bound.contains(var) => found(*var),
            _ => {
                for (k, child) in node.children().into_iter().enumerate() {
                    let before = bound.len();
                    bound.extend(node.binds(k));
                    self.collect_free(child, bound, found);
                    bound.truncate(before);
                }
            }
        }
    }

    /// Functions that an expression calls and does not declare.
    pub fn free_funs(&self, expr: Expr) -> BTreeSet<Fun> {
        let node = self.node(expr);
        let mut free: BTreeSet<Fun> = BTreeSet::new();
        node.children().into_iter().for_each(|child| free.extend(self.free_funs(child)));
        match node {
            Node::Call(fun, _) => drop(free.insert(*fun)),
            Node::LetFun { fun, .. } => drop(free.remove(fun)),
            _ => {}
        }
        free
    }

    /// All places below a root, the root first, parents before children, from left to right.
    pub fn places(&self, root: Expr) -> Vec<(Path, Expr)> {
        let mut found = vec![(Path::new(), root)];
        let mut next = 0;
        while next < found.len() {
            let (path, expr) = found[next].clone();
            let children = self.node(expr).children();
            let below = children.into_iter().enumerate().map(|(k, child)| {
                let mut path = path.clone();
                path.push(k as u32);
                (path, child)
            });
            let after = next + 1;
            found.splice(after..after, below);
            next += 1;
        }
        found
    }

    /// The expression at a place.
    pub fn at(&self, root: Expr, path: &[u32]) -> Option<Expr> {
        path.iter().try_fold(root, |expr, &k| self.node(expr).children().get(k as usize).copied())
    }

    /// `root` with another expression at a place.
    pub fn replace(&mut self, root: Expr, path: &[u32], new: Expr) -> Result<Expr> {
        let Some((&first, rest)) = path.split_first() else { return Ok(new) };
        let mut children = self.node(root).children();
        let Some(&child) = children.get(first as usize) else {
            let what = "children on the path".to_owned();
            return Err(ProgramError::Arity { what, expected: first as usize + 1, found: children.len() });
        };
        children[first as usize] = self.replace(child, rest, new)?;
        self.with_children(root, &children)
    }

    /// What may be used at a place in the body of a function; its library functions are not known
    /// here and come first.
    pub fn in_scope(&self, library: &[Fun], definition: &Definition, path: &[u32]) -> InScope {
        let mut found = InScope {
            vars: definition.params.to_vec(),
            funs: library.iter().map(|&fun| FunInScope { fun, open: None }).collect(),
        };
        found.funs.push(FunInScope { fun: definition.fun, open: Some(self.opened(definition, path)) });
        let mut expr = definition.body;
        for (depth, &k) in path.iter().enumerate() {
            let node = self.node(expr);
            if let Node::LetFun { fun, params, body, .. } = node {
                let local = Definition { fun: *fun, params: params.clone(), body: *body };
                let open = (k == 0).then(|| self.opened(&local, &path[depth + 1..]));
                found.funs.push(FunInScope { fun: *fun, open });
            }
            found.vars.extend(node.binds(k as usize));
            expr = node.children()[k as usize];
        }
        found
    }

    /// Strict parts by which a call of a function in its own body may descend.
    pub fn descents<'a>(&'a self, fun: Fun, open: &'a Open) -> impl Iterator<Item = PartInScope> + 'a {
        let params = self.signature(fun).0;
        open.parts.iter().copied().filter(move |part| {
            let fits = self.var_ty(part.var) == params[part.param];
            part.strict && open.descending >> part.param & 1 == 1 && fits
        })
    }

    /// Parts of a function's parameters among the variables at a place in its body.
    fn opened(&self, definition: &Definition, path: &[u32]) -> Open {
        let known = recursion::analyse(self, definition.fun, &definition.params, definition.body);
        let mut scope: Vec<_> = recursion::own_parameters(&definition.params).collect();
        let mut expr = definition.body;
        for &k in path {
            let node = self.node(expr);
            let binds = node.binds(k as usize);
            match node {
                Node::Case { subject, .. } => {
                    let origin = recursion::part(recursion::origin(self, &scope, *subject));
                    scope.extend(binds.map(|var| (var, origin)));
                }
                Node::Let { bound, .. } => {
                    let origin = recursion::origin(self, &scope, *bound);
                    scope.extend(binds.map(|var| (var, origin)));
                }
                Node::LetFun { fun, .. } => {
                    let passed = known.params.get(fun);
                    let origin = |i: usize| passed.and_then(|passed| passed[i]);
                    scope.extend(binds.enumerate().map(|(i, var)| (var, origin(i))));
                }
                _ => {}
            }
            expr = node.children()[k as usize];
        }
        let parts = scope
            .into_iter()
            .filter_map(|(var, origin)| origin.map(|(param, strict)| PartInScope { var, param, strict }));
        Open { parts: parts.collect(), descending: known.descending.unwrap_or(u64::MAX) }
    }

    /// The expression with a fresh variable or function for everything it binds.
    pub fn refresh(&mut self, expr: Expr) -> Result<Expr> {
        let from = self.clone();
        Copier { open: true, ..Copier::new(&from, self, Fresh) }.copy(expr)
    }

    /// A copy of an expression of another arena, with these variables for its free ones.
    pub fn copy_from(&mut self, from: &Arena, expr: Expr, vars: Vec<(Var, Var)>) -> Result<Expr> {
        Copier { vars, ..Copier::new(from, self, Fresh) }.copy(expr)
    }

    /// The expression with other expressions for free variables; what it binds is made fresh, so
    /// nothing is captured.
    pub fn substitute(&mut self, expr: Expr, values: &[(Var, Expr)]) -> Result<Expr> {
        let fresh = self.refresh(expr)?;
        self.put(fresh, values)
    }

    /// Like `substitute`, for expressions in which nothing is bound twice.
    pub fn put(&mut self, expr: Expr, values: &[(Var, Expr)]) -> Result<Expr> {
        self.map(expr, &|arena, part| match arena.node(part) {
            Node::Var(var) => values.iter().find(|(old, _)| old == var).map(|(_, value)| *value),
            _ => None,
        })
    }

    /// The expression with what `new` says in place of a part, where it says something.
    pub fn map(&mut self, expr: Expr, new: &dyn Fn(&Arena, Expr) -> Option<Expr>) -> Result<Expr> {
        if let Some(new) = new(self, expr) {
            return Ok(new);
        }
        let children = self.node(expr).children();
        let changed = children.iter().map(|&child| self.map(child, new)).collect::<Result<Vec<_>>>()?;
        if changed == children { Ok(expr) } else { self.with_children(expr, &changed) }
    }
}

impl Node {
    /// Variables that come into scope in the `k`-th child.
    pub fn binds(&self, k: usize) -> impl Iterator<Item = Var> + '_ {
        let vars: &[Var] = match self {
            Node::Case { branches, .. } if k > 0 => &branches[k - 1].vars,
            Node::Let { var, .. } if k == 1 => std::slice::from_ref(var),
            Node::LetFun { params, .. } if k == 0 => params,
            _ => &[],
        };
        vars.iter().copied()
    }
}
