//! Copies expressions from one arena to another while the bound names change: to levels, which makes
//! equal programs equal, or to fresh names, which makes them safe to move about.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::arena::Arena;
use super::error::{ProgramError, Result};
use super::node::{Branch, Expr, Fun, Node, Var};
use super::types::Ty;

/// Names that the binding nodes of a canonical arena had in the text: variables of a `let` or `case`
/// in order, a function's name and then its parameters.
pub(super) type Names = BTreeMap<Expr, Box<[Arc<str>]>>;

/// Signature of a function: parameters, result.
type Signature = (Box<[Ty]>, Ty);

/// How the variables and functions of a copy come about.
pub(super) trait Renaming {
    fn var(&mut self, to: &mut Arena, level: usize, name: Arc<str>, ty: Ty) -> Var;
    fn fun(&mut self, to: &mut Arena, level: usize, name: Arc<str>, signature: Signature) -> Fun;
    fn keep(&mut self, expr: Expr, names: Vec<Arc<str>>);
}

/// Every binder anew.
pub(super) struct Fresh;

impl Renaming for Fresh {
    fn var(&mut self, to: &mut Arena, _: usize, name: Arc<str>, ty: Ty) -> Var {
        to.add_var(name, ty)
    }

    fn fun(&mut self, to: &mut Arena, _: usize, name: Arc<str>, (params, result): Signature) -> Fun {
        to.add_fun(name, params, result)
    }

    fn keep(&mut self, _: Expr, _: Vec<Arc<str>>) {}
}

/// One variable for every level and type, one function for every level and signature; the level is
/// the number of variables (functions) already in scope.
#[derive(Default)]
pub(super) struct Levels {
    vars: HashMap<(usize, Ty), Var>,
    funs: HashMap<(usize, Signature), Fun>,
    pub var_levels: Vec<u32>,
    pub names: Names,
}

impl Renaming for Levels {
    fn var(&mut self, to: &mut Arena, level: usize, _: Arc<str>, ty: Ty) -> Var {
        *self.vars.entry((level, ty)).or_insert_with(|| {
            self.var_levels.push(level as u32);
            to.declare_var("v", ty)
        })
    }

    fn fun(&mut self, to: &mut Arena, level: usize, _: Arc<str>, signature: Signature) -> Fun {
        let new = |key: &(usize, Signature)| to.declare_fun("g", &key.1.0, key.1.1);
        *self.funs.entry((level, signature)).or_insert_with_key(new)
    }

    fn keep(&mut self, expr: Expr, names: Vec<Arc<str>>) {
        self.names.entry(expr).or_insert(names.into());
    }
}

pub(super) struct Copier<'a, R> {
    pub from: &'a Arena,
    /// Names of the binders in `from`; without, the variables' own.
    pub names: Option<&'a Names>,
    pub to: &'a mut Arena,
    pub renaming: R,
    /// Variables in scope, old and new, the innermost last.
    pub vars: Vec<(Var, Var)>,
    pub funs: Vec<(Fun, Fun)>,
    /// Whether variables and functions that are not in scope stay as they are.
    pub open: bool,
}

impl<'a, R: Renaming> Copier<'a, R> {
    /// A copier of closed expressions.
    pub fn new(from: &'a Arena, to: &'a mut Arena, renaming: R) -> Self {
        Copier { from, names: None, to, renaming, vars: Vec::new(), funs: Vec::new(), open: false }
    }

    /// New variables for old ones, in scope from now on.
    pub fn enter(&mut self, vars: &[Var], names: &[Arc<str>]) -> Box<[Var]> {
        let new = vars.iter().zip(names).map(|(&var, name)| {
            let new = self.renaming.var(self.to, self.vars.len(), name.clone(), self.from.var_ty(var));
            self.vars.push((var, new));
            new
        });
        new.collect()
    }

    /// A new function for an old one, in scope from now on.
    pub fn enter_fun(&mut self, fun: Fun, name: &Arc<str>) -> Fun {
        let (params, result) = self.from.signature(fun);
        let new = self.renaming.fun(self.to, self.funs.len(), name.clone(), (params.into(), result));
        self.funs.push((fun, new));
        new
    }

    /// Names of what a node binds.
    fn binder_names(&self, expr: Expr) -> Vec<Arc<str>> {
        if let Some(names) = self.names.and_then(|names| names.get(&expr)) {
            return names.to_vec();
        }
        let var = |var: &Var| self.from.vars[var.0 as usize].name.clone();
        match self.from.node(expr) {
            Node::Case { branches, .. } => branches.iter().flat_map(|b| &b.vars).map(var).collect(),
            Node::Let { var: bound, .. } => vec![var(bound)],
            Node::LetFun { fun, params, .. } => {
                let name = self.from.funs[fun.0 as usize].name.clone();
                std::iter::once(name).chain(params.iter().map(var)).collect()
            }
            _ => Vec::new(),
        }
    }

    pub fn copy(&mut self, expr: Expr) -> Result<Expr> {
        let from = self.from;
        match from.node(expr) {
            Node::Float(bits) => Ok(self.to.float(f64::from_bits(*bits))),
            Node::Int(value) => Ok(self.to.int(*value)),
            Node::Bool(value) => Ok(self.to.bool(*value)),
            Node::Var(var) => {
                let var = self.renamed_var(*var)?;
                Ok(self.to.var(var))
            }
            Node::Prim(prim, args) => {
                let args = self.copy_all(args)?;
                self.to.prim(*prim, &args)
            }
            Node::Construct(tag, args) => {
                let args = self.copy_all(args)?;
                self.to.construct(*tag, &args)
            }
            Node::Tuple(args) => {
                let args = self.copy_all(args)?;
                self.to.tuple(&args)
            }
            Node::Call(fun, args) => {
                let fun = self.renamed_fun(*fun)?;
                let args = self.copy_all(args)?;
                self.to.call(fun, &args)
            }
            Node::Case { .. } | Node::Let { .. } | Node::LetFun { .. } => self.copy_binding(expr),
        }
    }

    fn copy_binding(&mut self, expr: Expr) -> Result<Expr> {
        let from = self.from;
        let names = self.binder_names(expr);
        let copy = match from.node(expr) {
            Node::Case { subject, branches } => self.copy_case(*subject, branches, &names),
            Node::Let { var, bound, body } => {
                let bound = self.copy(*bound)?;
                let vars = self.enter(&[*var], &names);
                let body = self.copy(*body)?;
                self.leave(1);
                self.to.bind(vars[0], bound, body)
            }
            Node::LetFun { fun, params, body, rest } => {
                let fun = self.enter_fun(*fun, &names[0]);
                let vars = self.enter(params, &names[1..]);
                let body = self.copy(*body)?;
                self.leave(vars.len());
                let rest = self.copy(*rest)?;
                self.funs.pop();
                self.to.bind_fun(fun, &vars, body, rest)
            }
            node => unreachable!("{node:?} binds nothing"),
        }?;
        if !names.is_empty() {
            self.renaming.keep(copy, names);
        }
        Ok(copy)
    }

    fn copy_case(&mut self, subject: Expr, branches: &[Branch], names: &[Arc<str>]) -> Result<Expr> {
        let subject = self.copy(subject)?;
        let mut copies = Vec::with_capacity(branches.len());
        let mut names = names;
        for branch in branches {
            let (own, rest) = names.split_at(branch.vars.len());
            names = rest;
            let vars = self.enter(&branch.vars, own);
            let body = self.copy(branch.body)?;
            self.leave(vars.len());
            copies.push(Branch { vars, body });
        }
        self.to.case(subject, copies)
    }

    fn copy_all(&mut self, args: &[Expr]) -> Result<Vec<Expr>> {
        args.iter().map(|&arg| self.copy(arg)).collect()
    }

    pub fn leave(&mut self, n_vars: usize) {
        self.vars.truncate(self.vars.len() - n_vars);
    }

    fn renamed_var(&self, var: Var) -> Result<Var> {
        self.renamed(&self.vars, var).ok_or_else(|| {
            let name = self.from.var_name(var).to_owned();
            ProgramError::Unbound { what: "variable", name }
        })
    }

    fn renamed_fun(&self, fun: Fun) -> Result<Fun> {
        self.renamed(&self.funs, fun).ok_or_else(|| {
            let name = self.from.fun_name(fun).to_owned();
            ProgramError::Unbound { what: "function", name }
        })
    }

    fn renamed<T: Copy + PartialEq>(&self, scope: &[(T, T)], old: T) -> Option<T> {
        let found = scope.iter().rev().find(|(known, _)| *known == old).map(|(_, new)| *new);
        found.or(self.open.then_some(old))
    }
}
