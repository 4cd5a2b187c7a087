//! Python: a formula over floats becomes numpy code that takes numbers and arrays alike; other
//! programs become functions over named tuples with `match`, which go through arrays row by row where
//! they are of floats.

use super::{indented, is_word, local, tightness};
use crate::model::program::arena::Arena;
use crate::model::program::closed::{Definition, Program};
use crate::model::program::names::Scope;
use crate::model::program::node::{Branch, Expr, Node, Var};
use crate::model::program::parse_expr::{PREFIX, TIGHT};
use crate::model::program::prim::Prim;
use crate::model::program::print::parenthesised;
use crate::model::program::types::{Atom, Ty, Types};

pub(super) fn write(program: &Program) -> String {
    let vector = program.is_scalar();
    let by_rows = !vector && program.is_of_floats();
    let mut parts = Vec::new();
    if vector {
        parts.push("import numpy as np\n".to_owned());
    } else {
        let numpy = if by_rows { "\nimport numpy as np\n" } else { "" };
        parts.push(format!("import math\nfrom typing import NamedTuple\n{numpy}"));
        parts.extend(by_rows.then(|| BY_ROWS.to_owned()));
        parts.extend(classes(program.types()));
        let prims = program.prims();
        parts.extend(
            HELPERS.iter().filter(|(prim, _)| prims.contains(prim)).map(|(_, text)| (*text).to_owned()),
        );
    }
    let (arena, definitions) = program.open();
    let scope = Scope::new(|name| !is_word(WORDS, name));
    let mut writer = Writer { arena: &arena, scope, vector, lines: Vec::new() };
    parts.extend(definitions.iter().map(|definition| writer.function(definition) + "\n"));
    if by_rows {
        let main = parts.last_mut().expect("a program has a main function");
        main.insert_str(0, "@by_rows\n");
    }
    parts.join("\n\n")
}

struct Writer<'a> {
    arena: &'a Arena,
    scope: Scope,
    /// Whether numpy functions are used, so that arrays are taken.
    vector: bool,
    /// Statements before the expression being written.
    lines: Vec<String>,
}

impl Writer<'_> {
    fn function(&mut self, definition: &Definition) -> String {
        let name = self.scope.enter_fun(self.arena, definition.fun);
        let mark = self.scope.mark();
        let types = self.arena.types();
        let names: Vec<String> =
            definition.params.iter().map(|&param| self.scope.enter(self.arena, param)).collect();
        let outer = std::mem::take(&mut self.lines);
        let value = self.finish(definition.body);
        let body = std::mem::replace(&mut self.lines, outer);
        self.scope.leave(mark);
        if self.vector {
            let list = names.join(", ");
            let arrays = names.iter().map(|name| format!("np.asarray({name}, dtype=float)"));
            let arrays = arrays.collect::<Vec<_>>().join(", ");
            let body = body.into_iter().chain([format!("return {value}")]).collect::<Vec<_>>().join("\n");
            return format!(
                "def {name}({list}):\n    {list} = {arrays}\n    with np.errstate(all=\"ignore\"):\n        {}",
                indented(&body, 8)
            );
        }
        let params = names.iter().zip(&definition.params);
        let params =
            params.map(|(name, &var)| format!("{name}: {}", annotation(types, self.arena.var_ty(var))));
        let params = params.collect::<Vec<_>>().join(", ");
        let result = annotation(types, self.arena.signature(definition.fun).1);
        let body = if value.is_empty() {
            body
        } else {
            body.into_iter().chain([format!("return {value}")]).collect()
        };
        format!("def {name}({params}) -> {result}:\n    {}", indented(&body.join("\n"), 4))
    }

    /// The value of a function's body; empty if statements have returned it already.
    fn finish(&mut self, expr: Expr) -> String {
        let mut rest = expr;
        while let Some(next) = self.declare(rest) {
            rest = next;
        }
        match self.arena.node(rest) {
            Node::Case { subject, branches } if !self.vector => {
                self.fork(*subject, branches, None);
                String::new()
            }
            _ => self.expr(rest, 0),
        }
    }

    /// A declaration as a statement, and what comes after it.
    fn declare(&mut self, expr: Expr) -> Option<Expr> {
        match self.arena.node(expr) {
            Node::Let { var, bound, body } => {
                self.assign(*var, *bound);
                Some(*body)
            }
            Node::LetFun { fun, params, body, rest } => {
                let text = self.function(&local(*fun, params, *body));
                self.lines.push(text);
                Some(*rest)
            }
            Node::Case { subject, branches } if matches!(self.arena.ty(*subject), Ty::Tuple(_)) => {
                let subject = self.expr(*subject, 0);
                let names = self.scope.enter_branch(self.arena, &branches[0]).join(", ");
                self.lines.push(format!("{names} = {subject}"));
                Some(branches[0].body)
            }
            _ => None,
        }
    }

    /// The value of an expression in a variable, in scope from now on.
    fn assign(&mut self, var: Var, bound: Expr) {
        match self.arena.node(bound) {
            Node::Case { subject, branches } if matches!(self.arena.ty(*subject), Ty::Atom(Atom::Sum(_))) => {
                let name = self.scope.enter(self.arena, var);
                self.fork(*subject, branches, Some(&name));
            }
            _ => {
                let bound = self.expr(bound, 0);
                let name = self.scope.enter(self.arena, var);
                self.lines.push(format!("{name} = {bound}"));
            }
        }
    }

    /// Statements for every branch, which assign the value to a name or return it.
    fn fork(&mut self, subject: Expr, branches: &[Branch], target: Option<&str>) {
        let ty = self.arena.ty(subject);
        let on = self.expr(subject, if ty == Ty::INT { TIGHT } else { 0 });
        let mut arms = Vec::new();
        for (k, branch) in branches.iter().enumerate() {
            let mark = self.scope.mark();
            let outer = std::mem::take(&mut self.lines);
            let names = self.scope.enter_branch(self.arena, branch);
            if let (Ty::INT, Some(name)) = (ty, names.first().filter(|name| *name != "_")) {
                self.lines.push(format!("{name} = {on} - 1"));
            }
            let value = match target {
                None => self.finish(branch.body),
                Some(_) => self.expr(branch.body, 0),
            };
            match target {
                Some(target) => self.lines.push(format!("{target} = {value}")),
                None if !value.is_empty() => self.lines.push(format!("return {value}")),
                None => {}
            }
            let body = indented(&std::mem::replace(&mut self.lines, outer).join("\n"), 4);
            self.scope.leave(mark);
            let head = match ty {
                Ty::BOOL if k == 0 => format!("if {on}"),
                Ty::INT if k == 0 => format!("if {on} <= 0"),
                Ty::Atom(Atom::Sum(sum)) => {
                    let constructor = &self.arena.types().sum(sum).constructors[k].name;
                    format!("case {}({})", class(constructor), names.join(", "))
                }
                _ => "else".to_owned(),
            };
            arms.push(format!("{head}:\n    {body}"));
        }
        let text = match ty {
            Ty::Atom(Atom::Sum(_)) => format!("match {on}:\n    {}", indented(&arms.join("\n"), 4)),
            _ => arms.join("\n"),
        };
        self.lines.push(text);
    }

    fn list(&mut self, args: &[Expr]) -> String {
        args.iter().map(|&arg| self.expr(arg, 0)).collect::<Vec<_>>().join(", ")
    }

    fn expr(&mut self, expr: Expr, least: u8) -> String {
        match self.arena.node(expr) {
            Node::Float(bits) => self.number(f64::from_bits(*bits)),
            Node::Int(value) => value.to_string(),
            Node::Bool(value) => (if *value { "True" } else { "False" }).to_owned(),
            Node::Var(var) => self.scope.var(*var).unwrap_or("?").to_owned(),
            Node::Prim(prim, args) => self.prim(*prim, args, least),
            Node::Construct(tag, args) => {
                let name = class(&self.arena.types().constructor(*tag).name);
                format!("{name}({})", self.list(args))
            }
            Node::Tuple(args) => format!("({})", self.list(args)),
            Node::Call(fun, args) => {
                let args = self.list(args);
                format!("{}({args})", self.scope.fun(*fun).unwrap_or("?"))
            }
            Node::Case { subject, branches } => match self.arena.ty(*subject) {
                Ty::Tuple(_) => self.after_declarations(expr, least),
                Ty::BOOL => self.choice(*subject, branches, least),
                _ => self.forked(*subject, branches),
            },
            Node::Let { .. } | Node::LetFun { .. } => self.after_declarations(expr, least),
        }
    }

    fn after_declarations(&mut self, expr: Expr, least: u8) -> String {
        let mut rest = expr;
        while let Some(next) = self.declare(rest) {
            rest = next;
        }
        self.expr(rest, least)
    }

    fn number(&self, value: f64) -> String {
        let module = if self.vector { "np" } else { "math" };
        match value {
            _ if value.is_nan() => format!("{module}.nan"),
            f64::INFINITY => format!("{module}.inf"),
            f64::NEG_INFINITY => format!("(-{module}.inf)"),
            _ => crate::model::program::print::float(value.to_bits()),
        }
    }

    fn choice(&mut self, subject: Expr, branches: &[Branch], least: u8) -> String {
        let bodies = [branches[0].body, branches[1].body];
        if self.vector {
            let parts = [subject, bodies[0], bodies[1]];
            return format!("np.where({})", self.list(&parts));
        }
        // Statements of a branch must not run for the other one.
        if bodies.iter().any(|&body| self.has_statements(body)) {
            return self.forked(subject, branches);
        }
        let (condition, yes, no) = (self.expr(subject, 1), self.expr(bodies[0], 1), self.expr(bodies[1], 0));
        parenthesised(format!("{yes} if {condition} else {no}"), least > 0)
    }

    fn has_statements(&self, expr: Expr) -> bool {
        let node = self.arena.node(expr);
        let own = match node {
            Node::Let { .. } | Node::LetFun { .. } => true,
            Node::Case { subject, .. } => self.arena.ty(*subject) != Ty::BOOL,
            _ => false,
        };
        own || node.children().into_iter().any(|child| self.has_statements(child))
    }

    /// The value of a case by statements, in a name of its own.
    fn forked(&mut self, subject: Expr, branches: &[Branch]) -> String {
        let target = self.scope.enter_new("value");
        self.fork(subject, branches, Some(&target));
        target
    }

    fn prim(&mut self, prim: Prim, args: &[Expr], least: u8) -> String {
        let vector = self.vector;
        let function = match prim {
            Prim::Min => ["smaller", "np.minimum"],
            Prim::Max => ["larger", "np.maximum"],
            Prim::Abs => ["abs", "np.abs"],
            Prim::Sqrt => ["sqrt", "np.sqrt"],
            Prim::Log => ["log", "np.log"],
            Prim::Exp => ["exp", "np.exp"],
            Prim::Tanh => ["math.tanh", "np.tanh"],
            Prim::ToFloat => ["float", "float"],
            Prim::And if vector => ["", "np.logical_and"],
            Prim::Or if vector => ["", "np.logical_or"],
            Prim::Not if vector => ["", "np.logical_not"],
            Prim::DivFloat if !vector => ["divide", ""],
            Prim::DivInt => ["divide_int", ""],
            Prim::ModInt => ["modulo", ""],
            Prim::NegFloat | Prim::NegInt => {
                return parenthesised(format!("-{}", self.expr(args[0], TIGHT)), least > PREFIX);
            }
            Prim::Not => return parenthesised(format!("not {}", self.expr(args[0], TIGHT)), least > 2),
            _ => {
                let word = if prim.text() == "=" { "==" } else { prim.text() };
                let tight = tightness(prim);
                let left = self.expr(args[0], tight + u8::from(tight == 3));
                let right = self.expr(args[1], tight + 1);
                return parenthesised(format!("{left} {word} {right}"), least > tight);
            }
        };
        format!("{}({})", function[usize::from(vector)], self.list(args))
    }
}

/// What is no name.
const WORDS: &str = "\
    False None True and as assert async await break case class continue def del elif else except \
    finally for from global if import in is lambda match nonlocal not or pass raise return try \
    type while with yield np by_rows math abs float divide divide_int modulo smaller larger sqrt log exp";

/// What lets a function of floats take arrays.
const BY_ROWS: &str = "\
def by_rows(function):
    rows = np.vectorize(function, otypes=[float])

    def of_columns(*columns):
        with np.errstate(all=\"ignore\"):
            return rows(*(np.asarray(column, dtype=float) for column in columns))

    return of_columns
";

/// Helpers for primitives that would raise an exception.
const HELPERS: &[(Prim, &str)] = &[
    (
        Prim::DivFloat,
        "def divide(a, b):\n    if b != 0:\n        return a / b\n    \
         return math.copysign(1, a) * math.copysign(math.inf, b) if a == a and a != 0 else math.nan\n",
    ),
    (Prim::Sqrt, "def sqrt(a):\n    return math.sqrt(a) if not a < 0 else math.nan\n"),
    (Prim::Log, "def log(a):\n    return math.log(a) if not a <= 0 else -math.inf if a == 0 else math.nan\n"),
    (
        Prim::Exp,
        "def exp(a):\n    try:\n        return math.exp(a)\n    except OverflowError:\n        return math.inf\n",
    ),
    (Prim::Min, "def smaller(a, b):\n    return b if b < a or b != b else a\n"),
    (Prim::Max, "def larger(a, b):\n    return b if b > a or b != b else a\n"),
    (Prim::DivInt, "def divide_int(a, b):\n    return a // b if b else 0\n"),
    (Prim::ModInt, "def modulo(a, b):\n    return a % b if b else a\n"),
];

fn classes(types: &Types) -> Vec<String> {
    let constructors = types.sums().iter().flat_map(|sum| sum.constructors.iter().map(move |c| (sum, c)));
    let classes = constructors.map(|(sum, constructor)| {
        let name = class(&constructor.name);
        let doc = format!("    \"\"\"A constructor of type {}.\"\"\"\n", sum.name);
        let fields = constructor.fields.iter().enumerate();
        let fields = fields.map(|(k, &field)| format!("    part{}: {}\n", k + 1, annotation(types, field)));
        let fields: String = fields.collect();
        let gap = if fields.is_empty() { "" } else { "\n" };
        format!("class {name}(NamedTuple):\n{doc}{gap}{fields}")
    });
    classes.collect()
}

fn annotation(types: &Types, ty: Ty) -> String {
    match ty {
        Ty::FLOAT | Ty::INT | Ty::BOOL => types.name(ty),
        // Types refer to each other, so one is named by its constructors in quotes.
        Ty::Atom(Atom::Sum(sum)) => {
            let names: Vec<String> = types.sum(sum).constructors.iter().map(|c| class(&c.name)).collect();
            format!("\"{}\"", names.join(" | "))
        }
        _ => {
            let Ty::Tuple(parts) = ty else { unreachable!("single types came before") };
            format!(
                "tuple[{}]",
                parts.iter().map(|part| annotation(types, part)).collect::<Vec<_>>().join(", ")
            )
        }
    }
}

fn class(constructor: &str) -> String {
    if is_word(WORDS, constructor) { format!("{constructor}_") } else { constructor.to_owned() }
}
