//! Names for what is in scope, each different from the others and allowed in the language written.

use super::arena::Arena;
use super::node::{Branch, Fun, Var};

/// Stands for no variable of any arena.
const NAMELESS: Var = Var(u32::MAX);

/// Names in scope, the innermost last.
pub(super) struct Scope {
    vars: Vec<(Var, String)>,
    funs: Vec<(Fun, String)>,
    /// Whether the language written allows a name.
    allowed: fn(&str) -> bool,
}

impl Scope {
    pub fn new(allowed: fn(&str) -> bool) -> Self {
        Scope { vars: Vec::new(), funs: Vec::new(), allowed }
    }

    pub fn var(&self, var: Var) -> Option<&str> {
        self.vars.iter().rev().find(|(known, _)| *known == var).map(|(_, name)| &**name)
    }

    pub fn fun(&self, fun: Fun) -> Option<&str> {
        self.funs.iter().rev().find(|(known, _)| *known == fun).map(|(_, name)| &**name)
    }

    /// Where the scope stands, to leave to it later.
    pub fn mark(&self) -> (usize, usize) {
        (self.vars.len(), self.funs.len())
    }

    pub fn leave(&mut self, (n_vars, n_funs): (usize, usize)) {
        self.vars.truncate(n_vars);
        self.funs.truncate(n_funs);
    }

    /// The wished name, or its stem with the first number that is free.
    fn free(&self, wish: &str) -> String {
        let taken = |name: &str| {
            let vars = self.vars.iter().map(|(_, known)| known);
            let mut all = vars.chain(self.funs.iter().map(|(_, known)| known));
            name == "_" || all.any(|known| known == name) || !(self.allowed)(name)
        };
        if !taken(wish) {
            return wish.to_owned();
        }
        let stem = wish.trim_end_matches(|c: char| c.is_ascii_digit());
        let stem = if stem.is_empty() || stem == "_" { "v" } else { stem };
        let mut names = (1..).map(|k| format!("{stem}{k}"));
        names.find(|name| !taken(name)).expect("some number is free")
    }

    pub fn enter(&mut self, arena: &Arena, var: Var) -> String {
        let name = self.free(arena.var_name(var));
        self.vars.push((var, name.clone()));
        name
    }

    /// A variable of a pattern; `_` if it was called so and is not used.
    pub fn enter_pattern(&mut self, arena: &Arena, var: Var, used: bool) -> String {
        match arena.var_name(var) {
            "_" if !used => "_".to_owned(),
            _ => self.enter(arena, var),
        }
    }

    /// Names of the variables of a branch; `_` for those that it does not use.
    pub fn enter_branch(&mut self, arena: &Arena, branch: &Branch) -> Vec<String> {
        let names = branch.vars.iter().map(|&var| match arena.mentions(branch.body, var) {
            true => self.enter(arena, var),
            false => "_".to_owned(),
        });
        names.collect()
    }

    /// A name for the value of an expression that has none, in scope like a variable.
    pub fn enter_new(&mut self, wish: &str) -> String {
        let name = self.free(wish);
        self.vars.push((NAMELESS, name.clone()));
        name
    }

    pub fn enter_fun(&mut self, arena: &Arena, fun: Fun) -> String {
        let name = self.free(arena.fun_name(fun));
        self.funs.push((fun, name.clone()));
        name
    }
}
