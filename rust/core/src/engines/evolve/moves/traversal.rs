//! Where recursion over data can start: a `case` on what an expression computes, and the walk over a
//! value that makes it anew.
//!
//! # Keeps the meaning
//! Always: in a branch, the pattern is another name for the subject; a value taken apart and put
//! together again is the same. Only steps and memory may differ.

use super::draft::{Draft, any};
use crate::base::random::Random;
use crate::model::program::{Arena, Atom, Branch, Expr, Node, SumId, Tag, Ty, Var, Vocabulary};

/// An expression that uses some part s becomes a `case` on s of which every branch is the expression,
/// most often with the pattern in place of s. The focus goes to one of the branches.
pub fn split(draft: &mut Draft, vocabulary: &Vocabulary, random: &mut Random) -> Option<()> {
    let (path, old) = draft.pick_any(random)?;
    let subject = subject(draft, old, vocabulary, random)?;
    let ty = draft.arena.ty(subject);
    let named = matches!(ty, Ty::Atom(Atom::Sum(_))) && random.below(4) > 0;
    let binds = draft.arena.types().branches(ty)?;
    let n = binds.len() as u32;
    let mut branches = Vec::with_capacity(binds.len());
    for (k, binds) in binds.into_iter().enumerate() {
        let vars: Box<[Var]> = binds.into_iter().map(|ty| draft.arena.declare_var("v", ty)).collect();
        let body = match ty {
            Ty::Atom(Atom::Sum(sum)) if named => {
                let pattern = pattern(&mut draft.arena, sum, k, &vars)?;
                draft.arena.map(old, &|_, part| (part == subject).then_some(pattern)).ok()?
            }
            _ => old,
        };
        branches.push(Branch { vars, body });
    }
    let new = draft.arena.case(subject, branches).ok()?;
    draft.put_focused(path, new, &[])?;
    draft.focus.push(1 + random.below(n));
    Some(())
}

/// A part to look at, computed from what is in scope outside.
fn subject(draft: &Draft, expr: Expr, vocabulary: &Vocabulary, random: &mut Random) -> Option<Expr> {
    let arena = &draft.arena;
    let mut parts: Vec<Expr> = draft.closed_parts(expr).into_iter().map(|(_, part)| part).collect();
    parts.retain(|&part| {
        let ty = arena.ty(part);
        let open = !matches!(arena.node(part), Node::Construct(..) | Node::Int(_));
        open && ty != Ty::BOOL && vocabulary.cases.contains(&ty)
    });
    parts.sort_unstable();
    parts.dedup();
    any(&parts, random).copied()
}

fn pattern(arena: &mut Arena, sum: SumId, k: usize, vars: &[Var]) -> Option<Expr> {
    let fields: Vec<Expr> = vars.iter().map(|&var| arena.var(var)).collect();
    let tag: Tag = arena.types().tags(sum).nth(k)?;
    arena.construct(tag, &fields).ok()
}

/// Data become what a new local function makes of them, which takes them apart and makes them anew, part
/// by part. The focus goes to its body.
pub fn rebuild(draft: &mut Draft, vocabulary: &Vocabulary, random: &mut Random) -> Option<()> {
    let types = draft.arena.types().clone();
    let recursive = |ty: Ty| match ty {
        Ty::Atom(Atom::Sum(sum)) => {
            types.tags(sum).any(|tag| types.constructor(tag).fields.contains(&ty))
                && types.tags(sum).all(|tag| vocabulary.constructors.contains(&tag))
                && vocabulary.cases.contains(&ty)
        }
        _ => false,
    };
    let (path, old) = draft.pick(random, |arena, expr| recursive(arena.ty(expr)))?;
    let ty = draft.arena.ty(old);
    let Ty::Atom(Atom::Sum(sum)) = ty else { return None };
    let fun = draft.arena.declare_fun("g", &[ty], ty);
    let param = draft.arena.declare_var("p", ty);
    let mut branches = Vec::new();
    for (tag, binds) in types.tags(sum).zip(types.branches(ty)?) {
        let vars: Box<[Var]> = binds.into_iter().map(|ty| draft.arena.declare_var("v", ty)).collect();
        let mut fields = Vec::with_capacity(vars.len());
        for &var in &vars {
            let field = draft.arena.var(var);
            let again = draft.arena.var_ty(var) == ty;
            fields.push(if again { draft.arena.call(fun, &[field]).ok()? } else { field });
        }
        let body = draft.arena.construct(tag, &fields).ok()?;
        branches.push(Branch { vars, body });
    }
    let walked = draft.arena.var(param);
    let body = draft.arena.case(walked, branches).ok()?;
    let call = draft.arena.call(fun, &[old]).ok()?;
    let new = draft.arena.bind_fun(fun, &[param], body, call).ok()?;
    draft.put_focused(path, new, &[0])
}
