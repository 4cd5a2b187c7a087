//! The constructors of expressions: each checks the types of its parts, so that an ill-typed
//! expression cannot be made.

use super::arena::{Arena, MAX_PARAMS};
use super::error::{ProgramError, Result};
use super::node::{Branch, Expr, Fun, Node, Var};
use super::prim::Prim;
use super::recursion;
use super::types::{Tag, Ty};

impl Arena {
    pub fn float(&mut self, value: f64) -> Expr {
        self.leaf(Node::float(value), Ty::FLOAT)
    }

    pub fn int(&mut self, value: i64) -> Expr {
        self.leaf(Node::Int(value), Ty::INT)
    }

    pub fn bool(&mut self, value: bool) -> Expr {
        self.leaf(Node::Bool(value), Ty::BOOL)
    }

    pub fn var(&mut self, var: Var) -> Expr {
        self.leaf(Node::Var(var), self.var_ty(var))
    }

    fn leaf(&mut self, node: Node, ty: Ty) -> Expr {
        self.intern(node, ty).expect("a single node is neither large nor deep")
    }

    pub fn prim(&mut self, prim: Prim, args: &[Expr]) -> Result<Expr> {
        self.check(&|| format!("'{}'", prim.text()), prim.arguments(), args)?;
        self.intern(Node::Prim(prim, args.into()), prim.result())
    }

    pub fn construct(&mut self, tag: Tag, args: &[Expr]) -> Result<Expr> {
        let types = self.types().clone();
        let constructor = types.constructor(tag);
        self.check(&|| format!("'{}'", constructor.name), &constructor.fields, args)?;
        self.intern(Node::Construct(tag, args.into()), Ty::sum(tag.sum))
    }

    pub fn tuple(&mut self, args: &[Expr]) -> Result<Expr> {
        let types: Vec<Ty> = args.iter().map(|&arg| self.ty(arg)).collect();
        let ty = Ty::tuple(&types)?;
        self.intern(Node::Tuple(args.into()), ty)
    }

    pub fn call(&mut self, fun: Fun, args: &[Expr]) -> Result<Expr> {
        let (params, result) = self.signature(fun);
        self.check(&|| format!("'{}'", self.fun_name(fun)), params, args)?;
        self.intern(Node::Call(fun, args.into()), result)
    }

    /// A case over every branch of the subject's type, in the order of
    /// [`Types::branches`](super::Types::branches).
    pub fn case(&mut self, subject: Expr, branches: Vec<Branch>) -> Result<Expr> {
        let ty = self.check_branches(subject, &branches)?;
        self.intern(Node::Case { subject, branches: branches.into() }, ty)
    }

    /// A case on a truth value.
    pub fn choose(&mut self, condition: Expr, yes: Expr, no: Expr) -> Result<Expr> {
        self.check_ty(&|| "the condition of 'if'".to_owned(), Ty::BOOL, self.ty(condition))?;
        let branch = |body| Branch { vars: [].into(), body };
        self.case(condition, vec![branch(yes), branch(no)])
    }

    fn check_branches(&self, subject: Expr, branches: &[Branch]) -> Result<Ty> {
        let subject_ty = self.ty(subject);
        let Some(expected) = self.types().branches(subject_ty) else {
            let expected = "int, bool, a sum type or a tuple".to_owned();
            let what = "the subject of 'case'".to_owned();
            return Err(ProgramError::Mismatch { what, expected, found: self.types().name(subject_ty) });
        };
        let what = || format!("branches of a case on {}", self.types().name(subject_ty));
        check_count(&what, expected.len(), branches.len())?;
        let result = self.ty(branches[0].body);
        for (k, (branch, binds)) in branches.iter().zip(&expected).enumerate() {
            self.check_vars(&|| format!("branch {} of 'case'", k + 1), binds, &branch.vars)?;
            let place = || format!("branch {} of 'case', like its first branch,", k + 1);
            self.check_ty(&place, result, self.ty(branch.body))?;
        }
        Ok(result)
    }

    pub fn bind(&mut self, var: Var, bound: Expr, body: Expr) -> Result<Expr> {
        self.check_ty(
            &|| format!("the value of '{}'", self.var_name(var)),
            self.var_ty(var),
            self.ty(bound),
        )?;
        self.intern(Node::Let { var, bound, body }, self.ty(body))
    }

    /// A local function; recursion must be structural.
    pub fn bind_fun(&mut self, fun: Fun, params: &[Var], body: Expr, rest: Expr) -> Result<Expr> {
        self.check_function(fun, params, body)?;
        self.intern(Node::LetFun { fun, params: params.into(), body, rest }, self.ty(rest))
    }

    /// Whether parameters and body fit the signature, and recursion is structural.
    pub(super) fn check_function(&self, fun: Fun, params: &[Var], body: Expr) -> Result<()> {
        let (types, result) = self.signature(fun);
        if types.is_empty() || types.len() > MAX_PARAMS {
            return Err(ProgramError::Arity {
                what: format!("parameters of '{}', at most {MAX_PARAMS}", self.fun_name(fun)),
                expected: 1,
                found: types.len(),
            });
        }
        self.check_vars(&|| format!("parameters of '{}'", self.fun_name(fun)), types, params)?;
        self.check_ty(&|| format!("the body of '{}'", self.fun_name(fun)), result, self.ty(body))?;
        match recursion::analyse(self, fun, params, body).descending {
            Some(0) => Err(ProgramError::NotStructural { function: self.fun_name(fun).to_owned() }),
            _ => Ok(()),
        }
    }

    fn check_vars(&self, what: &dyn Fn() -> String, expected: &[Ty], vars: &[Var]) -> Result<()> {
        check_count(what, expected.len(), vars.len())?;
        for (&var, &ty) in vars.iter().zip(expected) {
            let place = || format!("'{}' among the {}", self.var_name(var), what());
            self.check_ty(&place, ty, self.var_ty(var))?;
        }
        match (1..vars.len()).find(|&k| vars[..k].contains(&vars[k])) {
            Some(k) => Err(ProgramError::Name {
                what: "variable",
                name: self.var_name(vars[k]).to_owned(),
                detail: "is bound twice at one place",
            }),
            None => Ok(()),
        }
    }

    fn check(&self, what: &dyn Fn() -> String, expected: &[Ty], args: &[Expr]) -> Result<()> {
        check_count(&|| format!("arguments of {}", what()), expected.len(), args.len())?;
        for (k, (&ty, &arg)) in expected.iter().zip(args).enumerate() {
            self.check_ty(&|| format!("argument {} of {}", k + 1, what()), ty, self.ty(arg))?;
        }
        Ok(())
    }

    fn check_ty(&self, what: &dyn Fn() -> String, expected: Ty, found: Ty) -> Result<()> {
        if expected == found {
            return Ok(());
        }
        let name = |ty| self.types().name(ty);
        Err(ProgramError::Mismatch { what: what(), expected: name(expected), found: name(found) })
    }

    /// The node of `expr` above other children, checked like a new one.
    pub fn with_children(&mut self, expr: Expr, children: &[Expr]) -> Result<Expr> {
        let old = self.node(expr);
        check_count(&|| "children of a node".to_owned(), old.children().len(), children.len())?;
        match old.with_children(children) {
            Node::Prim(prim, args) => self.prim(prim, &args),
            Node::Construct(tag, args) => self.construct(tag, &args),
            Node::Tuple(args) => self.tuple(&args),
            Node::Call(fun, args) => self.call(fun, &args),
            Node::Case { subject, branches } => self.case(subject, branches.into()),
            Node::Let { var, bound, body } => self.bind(var, bound, body),
            Node::LetFun { fun, params, body, rest } => self.bind_fun(fun, &params, body, rest),
            Node::Float(_) | Node::Int(_) | Node::Bool(_) | Node::Var(_) => Ok(expr),
        }
    }
}

fn check_count(what: &dyn Fn() -> String, expected: usize, found: usize) -> Result<()> {
    match expected == found {
        true => Ok(()),
        false => Err(ProgramError::Arity { what: what(), expected, found }),
    }
}
