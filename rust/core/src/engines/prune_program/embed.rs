//! Formulas inside the traversal.

use crate::engines::evolve::{EvolveError, compiled};
use crate::model::program::{Arena, Expr, Node, Program, ProgramError, Ty, Var, examples};

/// The way from the naive program's body to its formula: the body of the local function that
/// estimates, and there what follows `else`.
const FORMULA: [u32; 2] = [0, 2];

/// The naive rule with its traversal.
pub fn naive() -> Program {
    Program::parse(examples::NAIVE).expect("the shipped program reads")
}

/// A scalar rule, a formula of c and n, in the traversal of the naive one: the program that prunes
/// every tree as the columns of the rule do.
///
/// # Errors
/// A program that is no formula of two floats, or one too deep to stand inside another.
///
/// # Examples
/// ```
/// use treewright_core::program::Program;
/// use treewright_core::{evolve, prune_program};
///
/// let rule = Program::parse(evolve::NAIVE).unwrap();
/// assert_eq!(prune_program::full_form(&rule).unwrap(), prune_program::naive());
/// ```
pub fn full_form(rule: &Program) -> Result<Program, EvolveError> {
    compiled(rule)?;
    let (mut arena, mut definitions) = naive().open();
    let main = &mut definitions[0];
    let Node::LetFun { params, .. } = arena.node(main.body).clone() else {
        unreachable!("the naive program begins with its estimate")
    };
    let formula = rule.main();
    let mut vars = formula.params.iter().copied().zip(params.iter().copied()).collect();
    let new = copy(rule.arena(), formula.body, &mut vars, &mut arena)?;
    main.body = arena.replace(main.body, &FORMULA, new)?;
    Ok(Program::new(&arena, &definitions)?)
}

/// A scalar expression in another arena, with these variables for its own.
fn copy(from: &Arena, expr: Expr, vars: &mut Vec<(Var, Var)>, to: &mut Arena) -> Result<Expr, ProgramError> {
    match from.node(expr) {
        Node::Float(bits) => Ok(to.float(f64::from_bits(*bits))),
        Node::Bool(value) => Ok(to.bool(*value)),
        Node::Var(var) => {
            let bound = vars.iter().rev().find(|(old, _)| old == var);
            Ok(to.var(bound.expect("a program is closed").1))
        }
        Node::Prim(prim, args) => {
            let args = args.iter().map(|&arg| copy(from, arg, vars, to));
            let args = args.collect::<Result<Vec<Expr>, ProgramError>>()?;
            to.prim(*prim, &args)
        }
        Node::Case { subject, branches } => {
            let condition = copy(from, *subject, vars, to)?;
            let yes = copy(from, branches[0].body, vars, to)?;
            let no = copy(from, branches[1].body, vars, to)?;
            to.choose(condition, yes, no)
        }
        Node::Let { var, bound, body } => {
            let bound = copy(from, *bound, vars, to)?;
            let new = to.declare_var(from.var_name(*var), to.ty(bound));
            vars.push((*var, new));
            let body = copy(from, *body, vars, to)?;
            vars.pop();
            to.bind(new, bound, body)
        }
        node => unreachable!("{node:?} of type {:?} is in no formula", Ty::FLOAT),
    }
}
