//! LaTeX: one aligned equation a definition, cases where a program decides.

use super::{local, tightness};
use crate::model::program::arena::Arena;
use crate::model::program::closed::{Definition, Program};
use crate::model::program::names::Scope;
use crate::model::program::node::{Branch, Expr, Node};
use crate::model::program::parse_expr::{PREFIX, TIGHT};
use crate::model::program::prim::Prim;
use crate::model::program::types::{Atom, Ty};

pub(super) fn write(program: &Program) -> String {
    let (arena, definitions) = program.open();
    let mut writer = Writer { arena: &arena, scope: Scope::new(|_| true), lines: Vec::new() };
    definitions.iter().for_each(|definition| writer.function(definition));
    format!("\\begin{{aligned}}\n{}\n\\end{{aligned}}\n", writer.lines.join(" \\\\\n"))
}

/// A name in italics with trailing digits below the line; longer ones upright.
fn symbol(name: &str) -> String {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &name[stem.len()..];
    let stem = stem.replace('_', "\\_");
    let stem = if stem.chars().count() == 1 { stem } else { format!("\\mathrm{{{stem}}}") };
    if digits.is_empty() { stem } else { format!("{stem}_{{{digits}}}") }
}

fn number(value: f64) -> String {
    if value.is_nan() {
        return "\\mathrm{NaN}".to_owned();
    }
    if value.is_infinite() {
        return (if value > 0.0 { "\\infty" } else { "-\\infty" }).to_owned();
    }
    let text = format!("{value:?}");
    match text.split_once('e') {
        Some(("1", exponent)) => format!("10^{{{exponent}}}"),
        Some((digits, exponent)) => format!("{digits} \\cdot 10^{{{exponent}}}"),
        None => text.trim_end_matches(".0").to_owned(),
    }
}

fn parenthesised(text: String, needed: bool) -> String {
    if needed { format!("\\left({text}\\right)") } else { text }
}

struct Writer<'a> {
    arena: &'a Arena,
    scope: Scope,
    /// Equations, the main one last.
    lines: Vec<String>,
}

impl Writer<'_> {
    /// Equations of the values that a body declares first, then the function's own.
    fn function(&mut self, definition: &Definition) {
        let name = self.scope.enter_fun(self.arena, definition.fun);
        let mark = self.scope.mark();
        let params: Vec<String> =
            definition.params.iter().map(|&param| symbol(&self.scope.enter(self.arena, param))).collect();
        let mut rest = definition.body;
        loop {
            match self.arena.node(rest) {
                Node::Let { var, bound, body } => {
                    let bound = self.expr(*bound, 0);
                    let var = symbol(&self.scope.enter(self.arena, *var));
                    self.lines.push(format!("{var} &= {bound}"));
                    rest = *body;
                }
                Node::LetFun { fun, params, body, rest: next } => {
                    self.function(&local(*fun, params, *body));
                    rest = *next;
                }
                _ => break,
            }
        }
        let body = self.expr(rest, 0);
        self.scope.leave(mark);
        self.lines.push(format!("{}({}) &= {body}", symbol(&name), params.join(", ")));
    }

    fn list(&mut self, args: &[Expr]) -> String {
        args.iter().map(|&arg| self.expr(arg, 0)).collect::<Vec<_>>().join(", ")
    }

    fn expr(&mut self, expr: Expr, least: u8) -> String {
        match self.arena.node(expr) {
            Node::Float(bits) => {
                let text = number(f64::from_bits(*bits));
                let tight = if text.starts_with('-') { 4 } else { 5 };
                let bare = text.chars().all(|c| c.is_ascii_digit() || c == '.');
                parenthesised(text, least > tight && !bare)
            }
            Node::Int(value) => parenthesised(value.to_string(), *value < 0 && least > 4),
            Node::Bool(value) => format!("\\mathrm{{{value}}}"),
            Node::Var(var) => symbol(self.scope.var(*var).unwrap_or("?")),
            Node::Prim(prim, args) => self.prim(*prim, args, least),
            Node::Construct(tag, args) => {
                let name =
                    format!("\\mathrm{{{}}}", self.arena.types().constructor(*tag).name.replace('_', "\\_"));
                if args.is_empty() { name } else { format!("{name}({})", self.list(args)) }
            }
            Node::Tuple(args) => format!("({})", self.list(args)),
            Node::Call(fun, args) => {
                let args = self.list(args);
                format!("{}({args})", symbol(self.scope.fun(*fun).unwrap_or("?")))
            }
            Node::Case { subject, branches } => self.case(*subject, branches),
            Node::Let { var, bound, body } => {
                let bound = self.expr(*bound, 0);
                let mark = self.scope.mark();
                let var = symbol(&self.scope.enter(self.arena, *var));
                let body = self.expr(*body, 0);
                self.scope.leave(mark);
                parenthesised(format!("{body} \\text{{ where }} {var} = {bound}"), least > 0)
            }
            Node::LetFun { fun, params, body, rest } => {
                self.function(&local(*fun, params, *body));
                self.expr(*rest, least)
            }
        }
    }

    fn prim(&mut self, prim: Prim, args: &[Expr], least: u8) -> String {
        let name = match prim {
            Prim::Sqrt => return format!("\\sqrt{{{}}}", self.expr(args[0], 0)),
            Prim::Exp => return format!("e^{{{}}}", self.expr(args[0], 0)),
            Prim::Abs => return format!("\\left|{}\\right|", self.expr(args[0], 0)),
            Prim::DivFloat => {
                return format!("\\frac{{{}}}{{{}}}", self.expr(args[0], 0), self.expr(args[1], 0));
            }
            Prim::DivInt => {
                let (a, b) = (self.expr(args[0], 5), self.expr(args[1], 5));
                return format!("\\left\\lfloor {a} / {b} \\right\\rfloor");
            }
            Prim::ToFloat => return self.expr(args[0], least),
            Prim::NegFloat | Prim::NegInt => {
                return parenthesised(format!("-{}", self.expr(args[0], PREFIX)), least > 4);
            }
            Prim::Not => {
                return parenthesised(format!("\\neg {}", self.expr(args[0], TIGHT)), least > PREFIX);
            }
            Prim::Min => "min",
            Prim::Max => "max",
            Prim::Log => "ln",
            Prim::Tanh => "tanh",
            _ => return self.infix(prim, args, least),
        };
        format!("\\{name}\\left({}\\right)", self.list(args))
    }

    fn infix(&mut self, prim: Prim, args: &[Expr], least: u8) -> String {
        let word = match prim.text() {
            "*" => "\\cdot",
            "<=" => "\\le",
            "and" => "\\wedge",
            "or" => "\\vee",
            "mod" => "\\bmod",
            word => word,
        };
        let tight = tightness(prim);
        let (left, right) = (self.expr(args[0], tight + u8::from(tight == 3)), self.expr(args[1], tight + 1));
        parenthesised(format!("{left} {word} {right}"), least > tight)
    }

    fn case(&mut self, subject: Expr, branches: &[Branch]) -> String {
        let ty = self.arena.ty(subject);
        let on = self.expr(subject, 0);
        let mut arms = Vec::new();
        for (k, branch) in branches.iter().enumerate() {
            let mark = self.scope.mark();
            let names = self.scope.enter_branch(self.arena, branch).into_iter();
            let names: Vec<String> =
                names.map(|name| if name == "_" { "\\_".to_owned() } else { symbol(&name) }).collect();
            let condition = match ty {
                Ty::BOOL if k == 0 => format!("\\text{{if }} {on}"),
                Ty::INT if k == 0 => format!("\\text{{if }} {on} \\le 0"),
                Ty::INT => format!("\\text{{if }} {on} = {} + 1", names[0]),
                Ty::Atom(Atom::Sum(sum)) => {
                    let name = self.arena.types().sum(sum).constructors[k].name.replace('_', "\\_");
                    let list =
                        if names.is_empty() { String::new() } else { format!("({})", names.join(", ")) };
                    format!("\\text{{if }} {on} = \\mathrm{{{name}}}{list}")
                }
                Ty::Tuple(_) => format!("\\text{{where }} ({}) = {on}", names.join(", ")),
                _ => "\\text{otherwise}".to_owned(),
            };
            arms.push(format!("{} & {condition}", self.expr(branch.body, 0)));
            self.scope.leave(mark);
        }
        match ty {
            Ty::Tuple(_) => arms.remove(0).replacen(" & \\text{where }", " \\text{ where }", 1),
            _ => format!("\\begin{{cases}} {} \\end{{cases}}", arms.join(" \\\\ ")),
        }
    }
}
