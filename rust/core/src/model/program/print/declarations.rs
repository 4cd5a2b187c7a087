//! Writes `let` and functions.

use super::{LOOSE, Printer, WIDTH};
use crate::model::program::closed::Definition;
use crate::model::program::node::{Expr, Node};
use crate::model::program::types::Ty;

impl Printer<'_> {
    /// `let` with all declarations that follow each other.
    pub(super) fn declarations(&mut self, expr: Expr, indent: Option<usize>) -> String {
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

    pub(super) fn function(&mut self, name: &str, definition: &Definition, indent: usize) -> String {
        let mark = self.scope.mark();
        let head = self.signature(name, definition);
        let body = self.expr(definition.body, LOOSE, indent + 2);
        self.scope.leave(mark);
        let short = !body.contains('\n') && indent + head.len() + body.len() < WIDTH;
        let gap = if short { " ".to_owned() } else { format!("\n{}", " ".repeat(indent + 2)) };
        format!("{head}{gap}{body}")
    }
}
