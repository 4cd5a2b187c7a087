//! Writes programs as text that reads back to the same program.

use std::fmt;

use super::arena::Arena;
use super::closed::{Definition, Program};
use super::lexer;
use super::names::Scope;
use super::node::{Branch, Expr, Node, Var};
use super::parse_expr::{PREFIX, TIGHT, tightness};
use super::prim::Prim;
use super::types::{Ty, Types};

/// Columns of a line.
const WIDTH: usize = 96;

/// Tightness below which everything fits without parentheses.
const LOOSE: u8 = 0;

/// A float as the language writes it.
pub(super) fn float(bits: u64) -> String {
    let value = f64::from_bits(bits);
    if value.is_nan() { "nan".to_owned() } else { format!("{value:?}") }
}

impl fmt::Display for Types {
    /// Declarations, one a line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for sum in self.sums() {
            let constructors = sum.constructors.iter().map(|constructor| {
                let fields: Vec<String> = constructor.fields.iter().map(|&field| self.name(field)).collect();
                match fields.is_empty() {
                    true => constructor.name.clone(),
                    false => format!("{} of {}", constructor.name, fields.join(" * ")),
                }
            });
            writeln!(f, "type {} = {}", sum.name, constructors.collect::<Vec<_>>().join(" | "))?;
        }
        Ok(())
    }
}

impl fmt::Display for Program {
    /// The functions, without the declarations of types.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (arena, definitions) = self.open();
        let mut printer = Printer { arena: &arena, scope: Scope::new(lexer::is_name) };
        for (k, definition) in definitions.iter().enumerate() {
            let name = printer.scope.enter_fun(&arena, definition.fun);
            let text = printer.function(&name, definition, 0);
            f.write_str(if k == 0 { "" } else { "\n" })?;
            f.write_str(&text)?;
        }
        Ok(())
    }
}

impl Program {
    /// The whole text: declarations of types, then functions.
    pub fn to_text(&self) -> String {
        format!("{}{self}\n", self.types())
    }
}

impl Arena {
    /// Whether the text of an expression ends in a `case`, which would take branches that follow.
    pub(super) fn ends_in_case(&self, expr: Expr) -> bool {
        match self.node(expr) {
            Node::Case { subject, branches } => match self.ty(*subject) {
                Ty::BOOL => self.ends_in_case(branches[1].body),
                ty => !matches!(ty, Ty::Tuple(_)),
            },
            _ => false,
        }
    }
}

struct Printer<'a> {
    arena: &'a Arena,
    scope: Scope,
}

/// How tight an infix primitive binds, and how tight its right argument must.
fn infix(prim: Prim) -> Option<(u8, u8)> {
    let tight = tightness(prim.text()).filter(|_| prim.is_infix())?;
    Some((tight, tight + 1))
}

pub(super) fn parenthesised(text: String, needed: bool) -> String {
    if needed { format!("({text})") } else { text }
}

impl Printer<'_> {
    fn var(&self, var: Var) -> String {
        self.scope.var(var).unwrap_or_else(|| self.arena.var_name(var)).to_owned()
    }

    /// On one line if it fits there, else broken at the outermost place.
    fn expr(&mut self, expr: Expr, least: u8, indent: usize) -> String {
        let flat = self.flat(expr, least);
        if flat.len() + indent <= WIDTH {
            return flat;
        }
        match self.arena.node(expr) {
            Node::Let { .. } | Node::LetFun { .. } => self.declarations(expr, Some(indent)),
            Node::Case { subject, branches } => match self.arena.ty(*subject) {
                Ty::Tuple(_) => self.declarations(expr, Some(indent)),
                Ty::BOOL => parenthesised(self.choice(*subject, branches, indent), least > LOOSE),
                _ => parenthesised(self.case(*subject, branches, Some(indent)), least > LOOSE),
            },
            Node::Prim(prim, args) if infix(*prim).is_some() => self.long_infix(*prim, args, least, indent),
            Node::Prim(_, args) | Node::Construct(_, args) | Node::Tuple(args) | Node::Call(_, args) => {
                let head = self.head(expr);
                if head.is_empty() {
                    let args: Vec<String> =
                        args.iter().map(|&arg| self.expr(arg, LOOSE, indent + 1)).collect();
                    return format!("({})", args.join(&format!(",\n{} ", " ".repeat(indent))));
                }
                let inner = indent + 2;
                let args: Vec<String> = args.iter().map(|&arg| self.expr(arg, LOOSE, inner)).collect();
                let pad = " ".repeat(inner);
                format!("{head}(\n{pad}{})", args.join(&format!(",\n{pad}")))
            }
            Node::Float(_) | Node::Int(_) | Node::Bool(_) | Node::Var(_) => flat,
        }
    }

    /// What stands before the parenthesis of an application.
    fn head(&self, expr: Expr) -> String {
        match self.arena.node(expr) {
            Node::Prim(prim, _) => prim.text().to_owned(),
            Node::Construct(tag, _) => self.arena.types().constructor(*tag).name.clone(),
            Node::Call(fun, _) => self.scope.fun(*fun).unwrap_or(self.arena.fun_name(*fun)).to_owned(),
            _ => String::new(),
        }
    }

    fn flat(&mut self, expr: Expr, least: u8) -> String {
        match self.arena.node(expr) {
            Node::Float(bits) => float(*bits),
            Node::Int(value) => value.to_string(),
            Node::Bool(value) => value.to_string(),
            Node::Var(var) => self.var(*var),
            Node::Prim(prim, args) => match (infix(*prim), &args[..]) {
                (Some((tight, right)), &[a, b]) => {
                    let text = format!(
                        "{} {} {}",
                        self.flat(a, tight + u8::from(tight == 3)),
                        prim.text(),
                        self.flat(b, right)
                    );
                    parenthesised(text, least > tight)
                }
                (_, &[a]) if matches!(prim.text(), "-" | "not") => {
                    parenthesised(self.sign(*prim, a), least > PREFIX)
                }
                _ => self.application(expr, args),
            },
            Node::Construct(_, args) if args.is_empty() => self.head(expr),
            Node::Construct(_, args) | Node::Tuple(args) | Node::Call(_, args) => {
                self.application(expr, args)
            }
            Node::Let { .. } | Node::LetFun { .. } => self.declarations(expr, None),
            Node::Case { subject, branches } => match self.arena.ty(*subject) {
                Ty::Tuple(_) => self.declarations(expr, None),
                Ty::BOOL => {
                    let parts = [*subject, branches[0].body, branches[1].body];
                    let [condition, yes, no] = parts.map(|part| self.flat(part, LOOSE));
                    parenthesised(format!("if {condition} then {yes} else {no}"), least > LOOSE)
                }
                _ => parenthesised(self.case(*subject, branches, None), least > LOOSE),
            },
        }
    }

    fn application(&mut self, expr: Expr, args: &[Expr]) -> String {
        let head = self.head(expr);
        let args: Vec<String> = args.iter().map(|&arg| self.flat(arg, LOOSE)).collect();
        format!("{head}({})", args.join(", "))
    }

    /// A minus before a number would be part of the number.
    fn sign(&mut self, prim: Prim, argument: Expr) -> String {
        let text = self.flat(argument, PREFIX);
        match prim.text() {
            "-" if text.starts_with(|c: char| c.is_ascii_digit()) || text == "inf" => format!("-({text})"),
            "-" => format!("-{text}"),
            word => format!("{word} {text}"),
        }
    }

    fn long_infix(&mut self, prim: Prim, args: &[Expr], least: u8, indent: usize) -> String {
        let (tight, right) = infix(prim).expect("the caller asked");
        let inner = indent + usize::from(least > tight);
        let first = self.expr(args[0], tight + u8::from(tight == 3), inner);
        let second = self.expr(args[1], right, inner + prim.text().len() + 1);
        let text = format!("{first}\n{}{} {second}", " ".repeat(inner), prim.text());
        parenthesised(text, least > tight)
    }

    fn choice(&mut self, condition: Expr, branches: &[Branch], indent: usize) -> String {
        let pad = " ".repeat(indent);
        let condition = self.expr(condition, LOOSE, indent + 3);
        let yes = self.expr(branches[0].body, LOOSE, indent + 2);
        let no = self.expr(branches[1].body, LOOSE, indent + 2);
        format!("if {condition} then\n{pad}  {yes}\n{pad}else\n{pad}  {no}")
    }

    /// `case` with its branches, one a line where an indent is given.
    fn case(&mut self, subject: Expr, branches: &[Branch], indent: Option<usize>) -> String {
        let ty = self.arena.ty(subject);
        let subject = self.expr_or_flat(subject, LOOSE, indent.map(|i| i + 5));
        let mut text = format!("case {subject} of");
        for (k, branch) in branches.iter().enumerate() {
            let mark = self.scope.mark();
            let pattern = self.pattern(ty, k, branch);
            // A case inside would take the branches that follow.
            let least =
                if k + 1 < branches.len() && self.arena.ends_in_case(branch.body) { TIGHT } else { LOOSE };
            let body = self.expr_or_flat(branch.body, least, indent.map(|i| i + 4));
            self.scope.leave(mark);
            text += &match indent {
                None => format!(" {}{pattern} => {body}", if k == 0 { "" } else { "| " }),
                Some(indent) => {
                    let pad = " ".repeat(indent);
                    let bar = if k == 0 { "  " } else { "| " };
                    let short = !body.contains('\n') && indent + pattern.len() + body.len() + 6 <= WIDTH;
                    let gap = if short { " ".to_owned() } else { format!("\n{pad}    ") };
                    format!("\n{pad}{bar}{pattern} =>{gap}{body}")
                }
            };
        }
        text
    }

    fn expr_or_flat(&mut self, expr: Expr, least: u8, indent: Option<usize>) -> String {
        match indent {
            Some(indent) => self.expr(expr, least, indent),
            None => self.flat(expr, least),
        }
    }

    /// The pattern of a branch, its variables in scope from now on.
    fn pattern(&mut self, ty: Ty, k: usize, branch: &Branch) -> String {
        let used = |var: Var| self.arena.mentions(branch.body, var);
        let names: Vec<String> =
            branch.vars.iter().map(|&var| self.scope.enter_pattern(self.arena, var, used(var))).collect();
        let list = names.join(", ");
        match ty {
            Ty::BOOL => (if k == 0 { "true" } else { "false" }).to_owned(),
            Ty::INT if k == 0 => "0".to_owned(),
            Ty::INT => format!("{list} + 1"),
            Ty::Atom(super::types::Atom::Sum(sum)) => {
                let name = &self.arena.types().sum(sum).constructors[k].name;
                if names.is_empty() { name.clone() } else { format!("{name}({list})") }
            }
            _ => format!("({list})"),
        }
    }

    /// `let` with all declarations that follow each other.
    fn declarations(&mut self, expr: Expr, indent: Option<usize>) -> String {
        let mark = self.scope.mark();
        let mut declared = Vec::new();
        let mut rest = expr;
        let inner = indent.map(|i| i + 2);
        while let Some((text, next)) = self.declaration(rest, inner) {
            declared.push(text);
            rest = next;
        }
        let body = self.expr_or_flat(rest, LOOSE, inner);
        self.scope.leave(mark);
        match indent {
            None => format!("let {} in {body} end", declared.join(" ")),
            Some(indent) => {
                let pad = " ".repeat(indent);
                let lines = declared.join(&format!("\n{pad}  "));
                format!("let\n{pad}  {lines}\n{pad}in\n{pad}  {body}\n{pad}end")
            }
        }
    }

    /// One declaration and the expression after it, its names in scope from now on.
    fn declaration(&mut self, expr: Expr, indent: Option<usize>) -> Option<(String, Expr)> {
        let (pattern, bound, rest) = match self.arena.node(expr) {
            Node::LetFun { fun, params, body, rest } => {
                let name = self.scope.enter_fun(self.arena, *fun);
                let definition = Definition { fun: *fun, params: params.clone(), body: *body };
                let text = match indent {
                    Some(indent) => self.function(&name, &definition, indent),
                    None => self.flat_function(&name, &definition),
                };
                return Some((text, *rest));
            }
            Node::Let { var, bound, body } => {
                let text = self.expr_or_flat(*bound, LOOSE, indent.map(|i| i + 4));
                let used = self.arena.mentions(*body, *var);
                (self.scope.enter_pattern(self.arena, *var, used), text, *body)
            }
            Node::Case { subject, branches } if matches!(self.arena.ty(*subject), Ty::Tuple(_)) => {
                let text = self.expr_or_flat(*subject, LOOSE, indent.map(|i| i + 4));
                (self.pattern(self.arena.ty(*subject), 0, &branches[0]), text, branches[0].body)
            }
            _ => return None,
        };
        let broken =
            bound.contains('\n') || indent.is_some_and(|i| i + pattern.len() + bound.len() + 7 > WIDTH);
        let gap = match indent {
            Some(indent) if broken => format!("\n{}", " ".repeat(indent + 4)),
            _ => " ".to_owned(),
        };
        Some((format!("val {pattern} ={gap}{bound}"), rest))
    }

    /// `fun name(parameters): result =`, the parameters in scope from now on.
    fn signature(&mut self, name: &str, definition: &Definition) -> String {
        let types = self.arena.types();
        let params = definition.params.iter().map(|&param| {
            let name = self.scope.enter(self.arena, param);
            format!("{name}: {}", types.name(self.arena.var_ty(param)))
        });
        let params: Vec<String> = params.collect();
        let result = types.name(self.arena.signature(definition.fun).1);
        format!("fun {name}({}): {result} =", params.join(", "))
    }

    fn flat_function(&mut self, name: &str, definition: &Definition) -> String {
        let mark = self.scope.mark();
        let head = self.signature(name, definition);
        let body = self.flat(definition.body, LOOSE);
        self.scope.leave(mark);
        format!("{head} {body}")
    }

    fn function(&mut self, name: &str, definition: &Definition, indent: usize) -> String {
        let mark = self.scope.mark();
        let head = self.signature(name, definition);
        let body = self.expr(definition.body, LOOSE, indent + 2);
        self.scope.leave(mark);
        let short = !body.contains('\n') && indent + head.len() + body.len() < WIDTH;
        let gap = if short { " ".to_owned() } else { format!("\n{}", " ".repeat(indent + 2)) };
        format!("{head}{gap}{body}")
    }
}
