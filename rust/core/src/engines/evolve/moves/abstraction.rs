//! ABSTR: a local function invented from an expression, and the whole program as a local function; and
//! the way back, which makes what was found smaller. EMB: a local function gets one more parameter, or one
//! more part of its result.
//!
//! # Keeps the meaning
//! Always: arguments are computed before the body instead of within it or the other way round, every
//! program ends, and nothing reads a new parameter or part until a later R does. Only steps and memory may
//! differ.

use super::draft::{Draft, any, map_calls};
use crate::base::random::Random;
use crate::model::program::{Arena, Branch, Expr, Fun, Node, Path, Ty, Var, Vocabulary};

/// Parameters of an invented function.
const MOST_PARAMS: u32 = 3;

/// The expression at a place becomes the body of a new function, some of its parts the arguments; the
/// focus goes to the body.
pub fn abstract_part(draft: &mut Draft, random: &mut Random) -> Option<()> {
    let natural = random.below(3) == 0;
    let (path, old) = draft.pick(random, |arena, expr| match natural {
        true => looks_at_computed(arena, expr),
        false => arena.size(expr) > 1,
    })?;
    let chosen =
        if natural { vec![(vec![0], draft.arena.at(old, &[0])?)] } else { arguments(draft, old, random) };
    if chosen.is_empty() {
        return None;
    }
    let mut body = old;
    let (mut params, mut args) = (Vec::new(), Vec::new());
    for (down, part) in chosen {
        let param = draft.arena.declare_var("p", draft.arena.ty(part));
        let var = draft.arena.var(param);
        body = draft.arena.replace(body, &down, var).ok()?;
        params.push(param);
        args.push(part);
    }
    let types: Vec<_> = params.iter().map(|&param| draft.arena.var_ty(param)).collect();
    let fun = draft.arena.declare_fun("g", &types, draft.arena.ty(old));
    let call = draft.arena.call(fun, &args).ok()?;
    let new = draft.arena.bind_fun(fun, &params, body, call).ok()?;
    draft.put_focused(path, new, &[0])
}

/// Whether it is a `case` on what is no variable: with this as the argument, the function can walk over it.
fn looks_at_computed(arena: &Arena, expr: Expr) -> bool {
    match arena.node(expr) {
        Node::Case { subject, .. } => arena.ty(*subject) != Ty::BOOL && arena.size(*subject) > 1,
        _ => false,
    }
}

/// Parts that make sense outside of an expression, none inside another; one time in four the whole
/// expression, so that the function begins as the identity.
fn arguments(draft: &Draft, expr: Expr, random: &mut Random) -> Vec<(Path, Expr)> {
    if random.below(4) == 0 {
        return vec![(Path::new(), expr)];
    }
    let with_numbers = random.below(3) == 0;
    let mut parts = draft.closed_parts(expr);
    parts.retain(|(path, part)| {
        let is_number = matches!(draft.arena.node(*part), Node::Int(_) | Node::Float(_) | Node::Bool(_));
        !path.is_empty() && (with_numbers || !is_number)
    });
    let mut chosen: Vec<(Path, Expr)> = Vec::new();
    for _ in 0..1 + random.below(MOST_PARAMS) {
        let Some((path, part)) = any(&parts, random).cloned() else { break };
        parts.retain(|(other, _)| !other.starts_with(&path) && !path.starts_with(other));
        chosen.push((path, part));
    }
    chosen
}

/// The main function becomes a local one that calls itself, and is called once; then its parameters
/// and result may be widened. The focus goes to the local function.
pub fn localize(draft: &mut Draft) -> Option<()> {
    let main = draft.main.clone();
    let (types, result) = draft.arena.signature(main.fun);
    let types = types.to_vec();
    let local = draft.arena.declare_fun("g", &types, result);
    let params: Vec<Var> = types.iter().map(|&ty| draft.arena.declare_var("p", ty)).collect();
    let both = main.params.iter().zip(&params);
    let values: Vec<(Var, Expr)> = both.map(|(&old, &new)| (old, draft.arena.var(new))).collect();
    let body =
        map_calls(&mut draft.arena, main.body, main.fun, &mut |arena, args| arena.call(local, &args).ok())?;
    let body = draft.arena.put(body, &values).ok()?;
    let args: Vec<Expr> = main.params.iter().map(|&param| draft.arena.var(param)).collect();
    let call = draft.arena.call(local, &args).ok()?;
    let new = draft.arena.bind_fun(local, &params, body, call).ok()?;
    draft.put_focused(Path::new(), new, &[])
}

/// A declaration goes, and what it declared stands wherever it was used: the inverse of
/// [`abstract_part`].
pub fn inline(draft: &mut Draft, random: &mut Random) -> Option<()> {
    let (path, old) = draft.pick(random, |arena, expr| match arena.node(expr) {
        Node::LetFun { fun, body, .. } => !arena.free_funs(*body).contains(fun),
        node => matches!(node, Node::Let { .. }),
    })?;
    let new = match draft.arena.node(old).clone() {
        Node::Let { var, bound, body } => draft.arena.put(body, &[(var, bound)]).ok()?,
        Node::LetFun { fun, params, body, rest } => {
            map_calls(&mut draft.arena, rest, fun, &mut |arena, args| {
                let body = arena.refresh(body).ok()?;
                let values: Vec<(Var, Expr)> = params.iter().copied().zip(args).collect();
                arena.put(body, &values).ok()
            })?
        }
        _ => return None,
    };
    draft.put_focused(path, new, &[])
}

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
    let first = draft.generate(ty, size, &local.path, vocabulary, random)?;
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
    let second = draft.generate(more, size, &inside, vocabulary, random)?;
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
