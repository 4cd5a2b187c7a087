//! Formulas inside the traversal.

use crate::base::error::Error;
use crate::engines::evolve::moves::transplant;
use crate::engines::evolve::tasks::formula::Columns;
use crate::model::program::{Node, Program, examples};

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
/// use treewright_core::evolve;
///
/// let rule = Program::parse(evolve::NAIVE).unwrap();
/// assert_eq!(evolve::full_form(&rule).unwrap(), evolve::naive());
/// ```
pub fn full_form(rule: &Program) -> Result<Program, Error> {
    Columns::of(rule)?;
    let (mut arena, mut definitions) = naive().open();
    let main = &mut definitions[0];
    let Node::LetFun { params, .. } = arena.node(main.body).clone() else {
        unreachable!("the naive program begins with its estimate")
    };
    let formula = rule.main();
    let mut vars = formula.params.iter().copied().zip(params.iter().copied()).collect();
    let new = transplant(&mut arena, rule.arena(), formula.body, &mut vars);
    let new = new.ok_or_else(|| Error::NotAFormula { text: rule.to_text() })?;
    main.body = arena.replace(main.body, &FORMULA, new)?;
    Ok(Program::new(&arena, &definitions)?)
}
