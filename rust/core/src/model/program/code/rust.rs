//! Rust: data behind `Rc`, local functions with what they use from outside as further parameters.

use super::{indented, is_word, local, tightness};
use crate::model::program::arena::Arena;
use crate::model::program::closed::{Definition, Program};
use crate::model::program::names::Scope;
use crate::model::program::node::{Branch, Expr, Fun, Node, Var};
use crate::model::program::parse_expr::{PREFIX, TIGHT};
use crate::model::program::prim::Prim;
use crate::model::program::print::parenthesised;
use crate::model::program::types::{Atom, Ty, Types};

pub(super) fn write(program: &Program) -> String {
    let mut text = enums(program.types());
    let prims = program.prims();
    for (_, helper) in HELPERS.iter().filter(|(prim, _)| prims.contains(prim)) {
        text = text + helper + "\n";
    }
    let (arena, definitions) = program.open();
    let scope = Scope::new(|name| !is_word(WORDS, name));
    let mut writer = Writer { arena: &arena, scope, captured: Vec::new() };
    let functions = definitions.iter().map(|definition| format!("pub {}", writer.function(definition, &[])));
    text + &functions.collect::<Vec<_>>().join("\n\n") + "\n"
}

fn name_of(arena: &Arena, expr: Expr) -> String {
    name(arena.types(), arena.ty(expr))
}

fn number(text: &str) -> String {
    match text {
        "inf" => "f64::INFINITY".to_owned(),
        "-inf" => "f64::NEG_INFINITY".to_owned(),
        "nan" => "f64::NAN".to_owned(),
        text => text.to_owned(),
    }
}

/// Names with their values as one declaration.
fn declared(values: Vec<(String, String)>) -> String {
    let (names, values): (Vec<String>, Vec<String>) = values.into_iter().unzip();
    match names.len() {
        0 => String::new(),
        1 => format!("let {} = {};\n", names[0], values[0]),
        _ => format!("let ({}) = ({});\n", names.join(", "), values.join(", ")),
    }
}

struct Writer<'a> {
    arena: &'a Arena,
    scope: Scope,
    /// Variables that local functions in scope get from outside.
    captured: Vec<(Fun, Vec<Var>)>,
}

impl Writer<'_> {
    fn captured(&self, fun: Fun) -> &[Var] {
        self.captured.iter().rev().find(|(known, _)| *known == fun).map_or(&[], |(_, vars)| vars)
    }

    fn function(&mut self, definition: &Definition, captured: &[Var]) -> String {
        let fun = self.scope.enter_fun(self.arena, definition.fun);
        self.captured.push((definition.fun, captured.to_vec()));
        let mark = self.scope.mark();
        let types = self.arena.types();
        // What is captured keeps its name inside.
        let own = definition.params.iter().map(|&param| (self.scope.enter(self.arena, param), param));
        let mut params: Vec<(String, Var)> = own.collect();
        params.extend(captured.iter().map(|&var| (self.var(var), var)));
        let params = params
            .into_iter()
            .map(|(param, var)| format!("{param}: {}", name(types, self.arena.var_ty(var))));
        let params = params.collect::<Vec<_>>().join(", ");
        let result = name(types, self.arena.signature(definition.fun).1);
        let body = indented(&self.block(definition.body), 4);
        self.scope.leave(mark);
        format!("fn {fun}({params}) -> {result} {{\n    {body}\n}}")
    }

    fn var(&self, var: Var) -> String {
        self.scope.var(var).unwrap_or("?").to_owned()
    }

    /// A use of a variable: numbers are copied, the rest is cloned.
    fn used(&self, var: Var) -> String {
        let scalar = matches!(self.arena.var_ty(var), Ty::FLOAT | Ty::INT | Ty::BOOL);
        if scalar { self.var(var) } else { format!("{}.clone()", self.var(var)) }
    }

    fn list(&mut self, args: &[Expr]) -> String {
        args.iter().map(|&arg| self.expr(arg, 0)).collect::<Vec<_>>().join(", ")
    }

    /// Statements and a last expression, without braces.
    fn block(&mut self, expr: Expr) -> String {
        let mark = self.scope.mark();
        let n_captured = self.captured.len();
        let (mut lines, mut rest) = (Vec::new(), expr);
        loop {
            match self.arena.node(rest) {
                Node::Let { var, bound, body } => {
                    let ty = match self.is_typed(*bound) {
                        true => String::new(),
                        false => format!(": {}", name_of(self.arena, *bound)),
                    };
                    let bound = self.expr(*bound, 0);
                    lines.push(format!("let {}{ty} = {bound};", self.scope.enter(self.arena, *var)));
                    rest = *body;
                }
                Node::LetFun { fun, params, body, rest: next } => {
                    let definition = local(*fun, params, *body);
                    let captured = self.captures(&definition);
                    lines.push(self.function(&definition, &captured));
                    rest = *next;
                }
                Node::Case { subject, branches } if matches!(self.arena.ty(*subject), Ty::Tuple(_)) => {
                    let subject = self.expr(*subject, 0);
                    let names = self.scope.enter_branch(self.arena, &branches[0]).join(", ");
                    lines.push(format!("let ({names}) = {subject};"));
                    rest = branches[0].body;
                }
                _ => break,
            }
        }
        lines.push(self.expr(rest, 0));
        self.scope.leave(mark);
        self.captured.truncate(n_captured);
        lines.join("\n")
    }

    fn braced(&mut self, expr: Expr) -> String {
        let block = self.block(expr);
        match block.contains('\n') || block.len() > 40 {
            true => format!("{{\n    {}\n}}", indented(&block, 4)),
            false => format!("{{ {block} }}"),
        }
    }

    /// Variables a local function uses from outside, also through functions that it calls.
    fn captures(&self, definition: &Definition) -> Vec<Var> {
        let mut vars = self.arena.free_vars(definition.body);
        for fun in self.arena.free_funs(definition.body) {
            vars.extend(self.captured(fun));
        }
        vars.into_iter().filter(|var| !definition.params.contains(var)).collect()
    }

    fn expr(&mut self, expr: Expr, least: u8) -> String {
        match self.arena.node(expr) {
            Node::Float(bits) => number(&crate::model::program::print::float(*bits)),
            Node::Int(value) => value.to_string(),
            Node::Bool(value) => value.to_string(),
            Node::Var(var) => self.used(*var),
            Node::Prim(prim, args) => self.prim(*prim, args, least),
            Node::Construct(tag, args) => {
                let sum = camel(&self.arena.types().sum(tag.sum).name);
                let name = self.arena.types().constructor(*tag).name.clone();
                let args = if args.is_empty() { String::new() } else { format!("({})", self.list(args)) };
                format!("Rc::new({sum}::{name}{args})")
            }
            Node::Tuple(args) => format!("({})", self.list(args)),
            Node::Call(fun, args) => {
                let mut args = vec![self.list(args)];
                args.extend(self.captured(*fun).iter().map(|&var| self.used(var)));
                format!("{}({})", self.scope.fun(*fun).unwrap_or("?"), args.join(", "))
            }
            Node::Case { subject, branches } => self.case(expr, *subject, branches, least),
            Node::Let { .. } | Node::LetFun { .. } => parenthesised(self.braced(expr), least > 0),
        }
    }

    /// Whether the type of a number can be seen from its text; a bare literal could be of many.
    fn is_typed(&self, expr: Expr) -> bool {
        match self.arena.node(expr) {
            Node::Var(_) | Node::Call(..) => true,
            Node::Prim(Prim::NegFloat, args) => self.is_typed(args[0]),
            Node::Prim(prim, args) if prim.is_infix() => {
                prim.result() != Ty::FLOAT || args.iter().any(|&arg| self.is_typed(arg))
            }
            Node::Prim(..) => true,
            _ => !matches!(self.arena.ty(expr), Ty::FLOAT | Ty::INT),
        }
    }

    /// A method of numbers, called on the first argument or, where that shows no type, as a function.
    fn method(&mut self, name: &str, args: &[Expr]) -> String {
        match self.is_typed(args[0]) {
            true => format!("{}.{name}({})", self.expr(args[0], TIGHT), self.list(&args[1..])),
            false => format!("{}::{name}({})", name_of(self.arena, args[0]), self.list(args)),
        }
    }

    fn prim(&mut self, prim: Prim, args: &[Expr], least: u8) -> String {
        let method = match prim {
            Prim::Abs => "abs",
            Prim::Sqrt => "sqrt",
            Prim::Log => "ln",
            Prim::Exp => "exp",
            Prim::Tanh => "tanh",
            Prim::AddInt => "wrapping_add",
            Prim::SubInt => "wrapping_sub",
            Prim::MulInt => "wrapping_mul",
            Prim::NegInt => "wrapping_neg",
            Prim::Min => return format!("smaller({})", self.list(args)),
            Prim::Max => return format!("larger({})", self.list(args)),
            Prim::DivInt => return format!("divide({})", self.list(args)),
            Prim::ModInt => return format!("modulo({})", self.list(args)),
            Prim::ToFloat => return format!("({} as f64)", self.expr(args[0], TIGHT)),
            Prim::NegFloat | Prim::Not => {
                let sign = if prim == Prim::Not { "!" } else { "-" };
                return parenthesised(format!("{sign}{}", self.expr(args[0], TIGHT)), least > PREFIX);
            }
            _ => return self.infix(prim, args, least),
        };
        self.method(method, args)
    }

    fn infix(&mut self, prim: Prim, args: &[Expr], least: u8) -> String {
        let word = match prim.text() {
            "=" => "==",
            "and" => "&",
            "or" => "|",
            word => word,
        };
        let tight = tightness(prim);
        // `a & b == c` would read as `a & (b == c)` here, but not to everyone.
        let inner = if tight < 3 { TIGHT } else { tight + u8::from(tight == 3) };
        let (left, right) = (self.expr(args[0], inner), self.expr(args[1], inner.max(tight + 1)));
        parenthesised(format!("{left} {word} {right}"), least > tight)
    }

    fn case(&mut self, expr: Expr, subject: Expr, branches: &[Branch], least: u8) -> String {
        let ty = self.arena.ty(subject);
        let text = match ty {
            Ty::BOOL => {
                let condition = self.expr(subject, 0);
                format!(
                    "if {condition} {} else {}",
                    self.braced(branches[0].body),
                    self.braced(branches[1].body)
                )
            }
            Ty::INT => {
                let (number, zero) = (self.expr(subject, TIGHT), self.braced(branches[0].body));
                let mark = self.scope.mark();
                let name = self.scope.enter_branch(self.arena, &branches[1]).remove(0);
                let more = indented(&self.block(branches[1].body), 4);
                self.scope.leave(mark);
                format!("if {number} <= 0 {zero} else {{\n    let {name} = {number} - 1;\n    {more}\n}}")
            }
            Ty::Tuple(_) => self.braced(expr),
            Ty::Atom(_) => self.sum_case(ty, subject, branches),
        };
        parenthesised(text, least > 0)
    }

    fn sum_case(&mut self, ty: Ty, subject: Expr, branches: &[Branch]) -> String {
        let Ty::Atom(Atom::Sum(sum)) = ty else { unreachable!("a case here is on a sum type") };
        let subject = match self.arena.node(subject) {
            Node::Var(var) => self.var(*var),
            _ => self.expr(subject, TIGHT),
        };
        let sum = self.arena.types().sum(sum).clone();
        let arms = branches.iter().zip(&sum.constructors).map(|(branch, constructor)| {
            let mark = self.scope.mark();
            let names = self.scope.enter_branch(self.arena, branch);
            let kept = branch.vars.iter().zip(&names).filter(|(_, name)| *name != "_");
            let kept = kept.map(|(&var, name)| match self.arena.var_ty(var) {
                Ty::FLOAT | Ty::INT | Ty::BOOL => (name.clone(), format!("*{name}")),
                _ => (name.clone(), format!("{name}.clone()")),
            });
            let kept = declared(kept.collect());
            let body = indented(&format!("{kept}{}", self.block(branch.body)), 8);
            self.scope.leave(mark);
            let names = if names.is_empty() { String::new() } else { format!("({})", names.join(", ")) };
            format!("    {}::{}{names} => {{\n        {body}\n    }}\n", camel(&sum.name), constructor.name)
        });
        let arms: String = arms.collect();
        format!("match &*{subject} {{\n{arms}}}")
    }
}

/// What is no name.
const WORDS: &str = "\
    abstract as async await become box break const continue crate do dyn else enum extern false \
    final fn for gen if impl in let loop macro match mod move mut override priv pub ref return \
    self static struct super trait true try type typeof unsafe unsized use virtual where while \
    yield smaller larger divide modulo";

const HELPERS: &[(Prim, &str)] = &[
    (Prim::Min, "fn smaller(a: f64, b: f64) -> f64 {\n    if b < a || b.is_nan() { b } else { a }\n}\n"),
    (Prim::Max, "fn larger(a: f64, b: f64) -> f64 {\n    if b > a || b.is_nan() { b } else { a }\n}\n"),
    (
        Prim::DivInt,
        "fn divide(a: i64, b: i64) -> i64 {\n    let exact = b == 0 || a.wrapping_rem(b) == 0;\n    \
         if b == 0 { 0 } else { a.wrapping_div(b) - i64::from(!exact && (a < 0) != (b < 0)) }\n}\n",
    ),
    (
        Prim::ModInt,
        "fn modulo(a: i64, b: i64) -> i64 {\n    let rest = if b == 0 { a } else { a.wrapping_rem(b) };\n    \
         if b != 0 && rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }\n}\n",
    ),
];

/// A type's name with a capital first letter and none below a line.
fn camel(name: &str) -> String {
    let words = name.split('_').map(|word| {
        let mut chars = word.chars();
        chars.next().map_or(String::new(), |first| first.to_uppercase().collect::<String>() + chars.as_str())
    });
    words.collect()
}

fn name(types: &Types, ty: Ty) -> String {
    match ty {
        Ty::FLOAT => "f64".to_owned(),
        Ty::INT => "i64".to_owned(),
        Ty::BOOL => "bool".to_owned(),
        Ty::Atom(Atom::Sum(sum)) => format!("Rc<{}>", camel(&types.sum(sum).name)),
        Ty::Tuple(parts) => {
            format!("({})", parts.iter().map(|part| name(types, part)).collect::<Vec<_>>().join(", "))
        }
    }
}

fn enums(types: &Types) -> String {
    let sums = types.sums().iter().map(|sum| {
        let constructors = sum.constructors.iter().map(|constructor| {
            let fields: Vec<String> = constructor.fields.iter().map(|&field| name(types, field)).collect();
            let fields = if fields.is_empty() { String::new() } else { format!("({})", fields.join(", ")) };
            format!("    {}{fields},\n", constructor.name)
        });
        let constructors: String = constructors.collect();
        format!("#[derive(Debug, Clone, PartialEq)]\npub enum {} {{\n{constructors}}}\n\n", camel(&sum.name))
    });
    let sums: String = sums.collect();
    if sums.is_empty() { sums } else { format!("use std::rc::Rc;\n\n{sums}") }
}
