//! Standard ML: the language that programs resemble most.

use super::{indented, is_word, local, tightness};
use crate::model::program::arena::Arena;
use crate::model::program::closed::{Definition, Program};
use crate::model::program::names::Scope;
use crate::model::program::node::{Branch, Expr, Node};
use crate::model::program::parse_expr::{PREFIX, TIGHT};
use crate::model::program::prim::Prim;
use crate::model::program::print::parenthesised;
use crate::model::program::types::{Atom, Ty, Types};

/// What is no name.
const WORDS: &str = "\
    abstype and andalso as case datatype do else end eqtype exception fn fun functor handle if \
    in include infix infixr let local nonfix of op open orelse raise rec sharing sig signature \
    struct structure then type val where while with withtype div mod o before not abs real \
    divide modulo smaller larger";

/// Helpers for primitives that would raise an exception.
const HELPERS: &[(Prim, &str)] = &[
    (Prim::Min, "fun smaller(a: real, b: real) = if b < a orelse Real.isNan b then b else a\n"),
    (Prim::Max, "fun larger(a: real, b: real) = if b > a orelse Real.isNan b then b else a\n"),
    (Prim::DivInt, "fun divide(a: int, b: int) = if b = 0 then 0 else a div b\n"),
    (Prim::ModInt, "fun modulo(a: int, b: int) = if b = 0 then a else a mod b\n"),
];

pub(super) fn write(program: &Program) -> String {
    let mut text = datatypes(program.types());
    let prims = program.prims();
    HELPERS.iter().filter(|(prim, _)| prims.contains(prim)).for_each(|(_, helper)| text += helper);
    if !text.is_empty() {
        text.push('\n');
    }
    let (arena, definitions) = program.open();
    let mut writer = Writer { arena: &arena, scope: Scope::new(|name| !is_word(WORDS, name)) };
    let functions: Vec<String> = definitions.iter().map(|definition| writer.function(definition)).collect();
    text + &functions.join("\n\n") + "\n"
}

fn name(types: &Types, ty: Ty) -> String {
    types
        .name(ty)
        .split(' ')
        .map(|word| if word == "float" { "real" } else { word })
        .collect::<Vec<_>>()
        .join(" ")
}

fn datatypes(types: &Types) -> String {
    let sums = types.sums().iter().map(|sum| {
        let constructors = sum.constructors.iter().map(|constructor| {
            let fields: Vec<String> = constructor.fields.iter().map(|&field| name(types, field)).collect();
            let of = if fields.is_empty() { "" } else { " of " };
            format!("{}{of}{}", constructor.name, fields.join(" * "))
        });
        format!("{} = {}", sum.name, constructors.collect::<Vec<_>>().join(" | "))
    });
    let sums: Vec<String> = sums.collect();
    if sums.is_empty() { String::new() } else { format!("datatype {}\n", sums.join("\nand ")) }
}

fn number(text: &str) -> String {
    match text {
        "inf" => "Real.posInf".to_owned(),
        "-inf" => "Real.negInf".to_owned(),
        "nan" => "(Real.posInf - Real.posInf)".to_owned(),
        text => text.replace('-', "~"),
    }
}

struct Writer<'a> {
    arena: &'a Arena,
    scope: Scope,
}

impl Writer<'_> {
    fn function(&mut self, definition: &Definition) -> String {
        let name_of = self.scope.enter_fun(self.arena, definition.fun);
        let mark = self.scope.mark();
        let types = self.arena.types();
        let params = definition.params.iter().map(|&param| {
            format!("{}: {}", self.scope.enter(self.arena, param), name(types, self.arena.var_ty(param)))
        });
        let params = params.collect::<Vec<_>>().join(", ");
        let result = name(types, self.arena.signature(definition.fun).1);
        let body = self.expr(definition.body, 0);
        self.scope.leave(mark);
        format!("fun {name_of}({params}): {result} =\n  {}", indented(&body, 2))
    }

    fn list(&mut self, args: &[Expr]) -> String {
        let args: Vec<String> = args.iter().map(|&arg| self.expr(arg, 0)).collect();
        format!("({})", args.join(", "))
    }

    fn expr(&mut self, expr: Expr, least: u8) -> String {
        match self.arena.node(expr) {
            Node::Float(bits) => number(&crate::model::program::print::float(*bits)),
            Node::Int(value) => number(&value.to_string()),
            Node::Bool(value) => value.to_string(),
            Node::Var(var) => self.scope.var(*var).unwrap_or("?").to_owned(),
            Node::Prim(prim, args) => self.prim(*prim, args, least),
            Node::Construct(tag, args) => {
                let name = self.arena.types().constructor(*tag).name.clone();
                if args.is_empty() { name } else { format!("{name}{}", self.list(args)) }
            }
            Node::Tuple(args) => self.list(args),
            Node::Call(fun, args) => {
                format!("{}{}", self.scope.fun(*fun).unwrap_or("?").to_owned(), self.list(args))
            }
            Node::Case { subject, .. } if matches!(self.arena.ty(*subject), Ty::Tuple(_)) => {
                self.declarations(expr)
            }
            Node::Case { subject, branches } => self.case(*subject, branches, least),
            Node::Let { .. } | Node::LetFun { .. } => self.declarations(expr),
        }
    }

    fn prim(&mut self, prim: Prim, args: &[Expr], least: u8) -> String {
        let function = match prim {
            Prim::Min => "smaller",
            Prim::Max => "larger",
            Prim::Abs => "Real.abs",
            Prim::Sqrt => "Math.sqrt",
            Prim::Log => "Math.ln",
            Prim::Exp => "Math.exp",
            Prim::Tanh => "Math.tanh",
            Prim::ToFloat => "Real.fromInt",
            Prim::EqualFloat => "Real.==",
            Prim::DivInt => "divide",
            Prim::ModInt => "modulo",
            Prim::NegFloat | Prim::NegInt | Prim::Not => {
                let sign = if prim == Prim::Not { "not" } else { "~" };
                return parenthesised(format!("{sign} {}", self.expr(args[0], TIGHT)), least > PREFIX);
            }
            _ => {
                let word = match prim {
                    Prim::And => "andalso",
                    Prim::Or => "orelse",
                    _ => prim.text(),
                };
                let tight = tightness(prim);
                let (left, right) =
                    (self.expr(args[0], tight + u8::from(tight == 3)), self.expr(args[1], tight + 1));
                return parenthesised(format!("{left} {word} {right}"), least > tight);
            }
        };
        format!("{function}{}", self.list(args))
    }

    fn case(&mut self, subject: Expr, branches: &[Branch], least: u8) -> String {
        let ty = self.arena.ty(subject);
        let text = match ty {
            Ty::BOOL => {
                let condition = self.expr(subject, 0);
                let (yes, no) = (self.expr(branches[0].body, 0), self.expr(branches[1].body, 0));
                format!("if {condition} then {}\nelse {}", indented(&yes, 2), indented(&no, 2))
            }
            Ty::INT => {
                let number = self.expr(subject, TIGHT);
                let zero = self.expr(branches[0].body, 0);
                let mark = self.scope.mark();
                let name = self.scope.enter(self.arena, branches[1].vars[0]);
                let more = indented(&self.expr(branches[1].body, 0), 5);
                self.scope.leave(mark);
                format!(
                    "if {number} <= 0 then {zero}\nelse let val {name} = {number} - 1 in\n     {more}\n     end"
                )
            }
            _ => {
                let (subject, last) = (self.expr(subject, 0), branches.len() - 1);
                let branches = branches.iter().enumerate().map(|(k, branch)| {
                    let mark = self.scope.mark();
                    let pattern = self.pattern(ty, k, branch);
                    let least = u8::from(k < last && self.arena.ends_in_case(branch.body));
                    let body = indented(&self.expr(branch.body, least), 4);
                    self.scope.leave(mark);
                    format!("{pattern} =>\n    {body}")
                });
                format!("case {subject} of\n  {}", branches.collect::<Vec<_>>().join("\n| "))
            }
        };
        parenthesised(text, least > 0)
    }

    fn pattern(&mut self, ty: Ty, k: usize, branch: &Branch) -> String {
        let names = self.scope.enter_branch(self.arena, branch);
        let name = match ty {
            Ty::Atom(Atom::Sum(sum)) => &self.arena.types().sum(sum).constructors[k].name,
            _ => "",
        };
        if names.is_empty() { name.to_owned() } else { format!("{name}({})", names.join(", ")) }
    }

    fn declarations(&mut self, expr: Expr) -> String {
        let mark = self.scope.mark();
        let (mut declared, mut rest) = (Vec::new(), expr);
        loop {
            match self.arena.node(rest) {
                Node::Let { var, bound, body } => {
                    let bound = indented(&self.expr(*bound, 0), 2);
                    declared.push(format!("val {} = {bound}", self.scope.enter(self.arena, *var)));
                    rest = *body;
                }
                Node::Case { subject, branches } if matches!(self.arena.ty(*subject), Ty::Tuple(_)) => {
                    let bound = indented(&self.expr(*subject, 0), 2);
                    let pattern = self.pattern(self.arena.ty(*subject), 0, &branches[0]);
                    declared.push(format!("val {pattern} = {bound}"));
                    rest = branches[0].body;
                }
                Node::LetFun { fun, params, body, rest: next } => {
                    declared.push(self.function(&local(*fun, params, *body)));
                    rest = *next;
                }
                _ => break,
            }
        }
        let declared: Vec<String> = declared.iter().map(|text| indented(text, 2)).collect();
        let body = indented(&self.expr(rest, 0), 2);
        self.scope.leave(mark);
        format!("let\n  {}\nin\n  {body}\nend", declared.join("\n  "))
    }
}
