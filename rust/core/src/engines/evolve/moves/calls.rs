//! Calls of functions in scope, those around the place above all: recursion in one step.
//!
//! # Keeps the meaning
//! Never on purpose.

use super::draft::{Draft, any};
use super::replacement::holes;
use crate::base::random::Random;
use crate::model::program::{Expr, FunInScope, InScope, Var, Vocabulary};

/// Largest argument that is new.
const MOST_NODES: u32 = 3;

/// An expression becomes a call of a function in scope, which may get the expression itself and parts of
/// it. Functions around the place pass on parts of their own parameters, so that they come to an end.
pub fn call(draft: &mut Draft, vocabulary: &Vocabulary, random: &mut Random) -> Option<()> {
    let (path, old) = draft.pick_any(random)?;
    let scope = draft.scope_at(&path);
    let known = callee(draft, &scope, old, random)?.clone();
    let holes = holes(draft, old, random);
    let args = arguments(draft, &scope, &known, &holes, vocabulary, random)?;
    let new = draft.arena.call(known.fun, &args).ok()?;
    draft.put_filled(path, old, new, &holes)
}

/// A function with the result that the place needs: two times in three the innermost one around it.
fn callee<'a>(draft: &Draft, scope: &'a InScope, old: Expr, random: &mut Random) -> Option<&'a FunInScope> {
    let fits = |known: &&FunInScope| {
        let open = known.open.as_ref();
        draft.arena.signature(known.fun).1 == draft.arena.ty(old)
            && open.is_none_or(|open| draft.arena.descents(known.fun, open).next().is_some())
    };
    let fitting: Vec<&FunInScope> = scope.funs.iter().filter(fits).collect();
    let innermost = fitting.iter().rev().find(|known| known.open.is_some()).copied();
    match innermost.filter(|_| random.below(3) > 0) {
        Some(known) => Some(known),
        None => any(&fitting, random).copied(),
    }
}

fn arguments(
    draft: &mut Draft,
    scope: &InScope,
    known: &FunInScope,
    holes: &[(Var, Expr)],
    vocabulary: &Vocabulary,
    random: &mut Random,
) -> Option<Vec<Expr>> {
    let types = draft.arena.signature(known.fun).0.to_vec();
    let descents = known.open.iter().flat_map(|open| draft.arena.descents(known.fun, open));
    let descent = any(&descents.collect::<Vec<_>>(), random).copied();
    let mut args = Vec::with_capacity(types.len());
    for (k, &ty) in types.iter().enumerate() {
        let own = known.open.as_ref().and_then(|open| {
            open.parts.iter().find(|part| part.param == k && !part.strict).map(|part| part.var)
        });
        let passed = match descent {
            Some(part) if part.param == k => Some(part.var),
            _ => own.filter(|_| random.below(2) == 0),
        };
        let arg = match passed {
            Some(var) => draft.arena.var(var),
            None => {
                let size = 1 + random.below(MOST_NODES) as usize;
                let vars: Vec<Var> = holes.iter().map(|&(var, _)| var).collect();
                draft.generate_in(ty, size, scope, &vars, vocabulary, random)?
            }
        };
        args.push(arg);
    }
    Some(args)
}
