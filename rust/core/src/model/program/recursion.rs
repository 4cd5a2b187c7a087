//! Structural recursion: a function calls itself only with strict parts of one of its parameters.
//!
//! A strict part is a variable that a `case` on the parameter, or on a strict part of it, binds; for
//! an integer n > 0 that is n - 1. Values are finite, so every call comes to an end.
//!
//! Parts pass through local functions: a parameter of a local function is a part of the outer
//! function's parameter if it gets one in every call. So a function over a tree may map a local
//! function, which calls it back, over the list of children.
//!
//! ```text
//! check(f, body): walk(body) with the parameters of f as parts of themselves
//! walk(fun g(ps) = b in rest):
//!     walk(rest), noting what the calls of g pass
//!     repeat: walk(b) with ps as the parts that all calls so far pass
//!     until no call in b passes less
//! walk(f(args)): keep the positions at which args is a strict part of the parameter there
//! ```

use std::collections::HashMap;

use super::arena::Arena;
use super::node::{Expr, Fun, Node, Var};

/// What a variable is a part of: the position of a parameter, and whether a strict part.
pub(super) type Origin = Option<(usize, bool)>;

/// Nodes walked before a function counts as not structural: many functions inside each other, each
/// weakening the next, would take exponentially long.
const MAX_WALKED: usize = 1 << 18;

/// What is known of a function's recursion.
pub(super) struct Recursion {
    /// Bits of the parameters on which every recursive call descends; `None` without such calls.
    pub descending: Option<u64>,
    /// Parts of the outer parameters that the parameters of local functions are.
    pub params: HashMap<Fun, Vec<Origin>>,
}

struct Check<'a> {
    arena: &'a Arena,
    fun: Fun,
    /// Variables in scope, the innermost last.
    scope: Vec<(Var, Origin)>,
    found: Recursion,
    n_walked: usize,
}

pub(super) fn analyse(arena: &Arena, fun: Fun, params: &[Var], body: Expr) -> Recursion {
    let found = Recursion { descending: None, params: HashMap::new() };
    let mut check = Check { arena, fun, scope: own_parameters(params).collect(), found, n_walked: 0 };
    check.walk(body);
    if check.n_walked > MAX_WALKED {
        check.found.descending = Some(0);
    }
    check.found
}

/// The parameters of a function, each a part of itself.
pub(super) fn own_parameters(params: &[Var]) -> impl Iterator<Item = (Var, Origin)> + '_ {
    params.iter().enumerate().map(|(k, &param)| (param, Some((k, false))))
}

/// Origin of what a `case` on something of this origin binds.
pub(super) fn part(subject: Origin) -> Origin {
    subject.map(|(param, _)| (param, true))
}

/// Origin of an expression: a variable's, else none.
pub(super) fn origin(arena: &Arena, scope: &[(Var, Origin)], expr: Expr) -> Origin {
    let Node::Var(var) = arena.node(expr) else { return None };
    scope.iter().rev().find(|(bound, _)| bound == var).and_then(|(_, origin)| *origin)
}

/// What both are.
fn weaker(a: Origin, b: Origin) -> Origin {
    match (a, b) {
        (Some((k, strict)), Some((l, strict_too))) if k == l => Some((k, strict && strict_too)),
        _ => None,
    }
}

impl Check<'_> {
    fn walk(&mut self, expr: Expr) {
        self.n_walked += 1;
        if self.n_walked > MAX_WALKED {
            return;
        }
        let arena = self.arena;
        match arena.node(expr) {
            Node::Call(fun, args) => self.call(*fun, args),
            Node::Case { subject, branches } => {
                self.walk(*subject);
                let origin = part(origin(arena, &self.scope, *subject));
                for branch in branches {
                    self.within(branch.vars.iter().map(|&var| (var, origin)), branch.body);
                }
            }
            Node::Let { var, bound, body } => {
                self.walk(*bound);
                let origin = origin(arena, &self.scope, *bound);
                self.within([(*var, origin)], *body);
            }
            Node::LetFun { fun, params, body, rest } => {
                self.found.params.remove(fun);
                self.walk(*rest);
                self.local_function(*fun, params, *body);
            }
            node => node.children().into_iter().for_each(|child| self.walk(child)),
        }
    }

    fn local_function(&mut self, fun: Fun, params: &[Var], body: Expr) {
        let mut passed = self.found.params.get(&fun).cloned().unwrap_or_else(|| vec![None; params.len()]);
        loop {
            self.within(params.iter().copied().zip(passed.iter().copied()), body);
            let now = self.found.params.entry(fun).or_insert_with(|| passed.clone());
            let both = passed.iter().zip(now.iter()).map(|(&before, &now)| weaker(before, now)).collect();
            if passed == both || self.n_walked > MAX_WALKED {
                return;
            }
            passed = both;
        }
    }

    fn within(&mut self, vars: impl IntoIterator<Item = (Var, Origin)>, body: Expr) {
        let before = self.scope.len();
        self.scope.extend(vars);
        self.walk(body);
        self.scope.truncate(before);
    }

    fn call(&mut self, fun: Fun, args: &[Expr]) {
        let origins: Vec<Origin> = args.iter().map(|&arg| origin(self.arena, &self.scope, arg)).collect();
        if fun == self.fun {
            let bits = (0..args.len()).filter(|&k| origins[k] == Some((k, true)));
            let bits = bits.fold(0, |bits, k| bits | 1 << k);
            self.found.descending = Some(self.found.descending.unwrap_or(u64::MAX) & bits);
        } else {
            let passed = self.found.params.entry(fun).or_insert_with(|| origins.clone());
            passed.iter_mut().zip(&origins).for_each(|(known, &new)| *known = weaker(*known, new));
        }
        args.iter().for_each(|&arg| self.walk(arg));
    }
}
