//! EMB: a local function gets one more parameter, or one more part of its result.
//!
//! # Keeps the meaning
//! Always: nothing reads the new parameter or part until a later R does.

use super::draft::{Draft, any, map_calls};
use crate::base::random::Random;
use crate::model::program::{Branch, Expr, Fun, Node, Path, Ty, Var, Vocabulary};

/// Size of the first value of a new parameter or part.
const MOST_NODES: u32 = 3;

/// A local function with the place of its declaration.
struct Local {
    path: Path,
    fun: Fun,
    params: Vec<Var>,
    body: Expr,
    rest: Expr,
}

fn pick_local(draft: &Draft, random: &mut Random) -> Option<Local> {
    let (path, expr) = draft.pick(random, |arena, expr| matches!(arena.node(expr), Node::LetFun { .. }))?;
    let Node::LetFun { fun, params, body, rest } = draft.arena.node(expr) else { return None };
    Some(Local { path, fun: *fun, params: params.to_vec(), body: *body, rest: *rest })
}

/// A type of values that the program can do something with.
fn useful_type(vocabulary: &Vocabulary, draft: &Draft, random: &mut Random) -> Option<Ty> {
    let mut types: Vec<Ty> = vocabulary.cases.iter().copied().filter(|&ty| ty != Ty::BOOL).collect();
    types.extend(vocabulary.prims.iter().map(|prim| prim.result()).filter(|&ty| ty != Ty::BOOL));
    types.push(draft.arena.ty(draft.main.body));
    types.sort_unstable();
    types.dedup();
    types.retain(|ty| matches!(ty, Ty::Atom(_)));
    any(&types, random).copied()
}

/// One more parameter: what the calls from outside pass is new, the function hands it on to itself.
pub fn widen_argument(draft: &mut Draft, vocabulary: &Vocabulary, random: &mut Random) -> Option<()> {
    let local = pick_local(draft, random)?;
    let ty = useful_type(vocabulary, draft, random)?;
    let size = 1 + random.below(MOST_NODES) as usize;
    let first = draft.generate(ty, size, &local.path, &[], vocabulary, random)?;
    let (types, result) = draft.arena.signature(local.fun);
    let types = [types, &[ty]].concat();
    let fun = draft.arena.declare_fun("g", &types, result);
    let param = draft.arena.declare_var("w", ty);
    let handed_on = draft.arena.var(param);
    let with = |draft: &mut Draft, expr: Expr, more: Expr| {
        map_calls(&mut draft.arena, expr, local.fun, &mut |arena, mut args| {
            args.push(more);
            arena.call(fun, &args).ok()
        })
    };
    let body = with(draft, local.body, handed_on)?;
    let rest = with(draft, local.rest, first)?;
    let params = [local.params, vec![param]].concat();
    let new = draft.arena.bind_fun(fun, &params, body, rest).ok()?;
    draft.put_focused(local.path, new, &[])
}

/// One more part of the result: calls go on with the old part alone.
pub fn widen_result(draft: &mut Draft, vocabulary: &Vocabulary, random: &mut Random) -> Option<()> {
    let local = pick_local(draft, random)?;
    let more = useful_type(vocabulary, draft, random)?;
    let (types, result) = draft.arena.signature(local.fun);
    let (types, pair) = (types.to_vec(), Ty::tuple(&[result, more]).ok()?);
    let inside = [&local.path[..], &[0]].concat();
    let size = 1 + random.below(MOST_NODES) as usize;
    let second = draft.generate(more, size, &inside, &[], vocabulary, random)?;
    if draft.arena.free_funs(second).contains(&local.fun) {
        return None;
    }
    let fun = draft.arena.declare_fun("g", &types, pair);
    let first_of = |draft: &mut Draft, expr: Expr| {
        map_calls(&mut draft.arena, expr, local.fun, &mut |arena, args| {
            let call = arena.call(fun, &args).ok()?;
            let vars = [arena.declare_var("a", result), arena.declare_var("b", more)];
            let body = arena.var(vars[0]);
            arena.case(call, vec![Branch { vars: vars.into(), body }]).ok()
        })
    };
    let body = first_of(draft, local.body)?;
    let rest = first_of(draft, local.rest)?;
    let body = draft.arena.tuple(&[body, second]).ok()?;
    let new = draft.arena.bind_fun(fun, &local.params, body, rest).ok()?;
    draft.put_focused(local.path, new, &[])
}
