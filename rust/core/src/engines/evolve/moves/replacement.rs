//! Replacement: new expressions in place of old ones, which they may contain.
//!
//! The cut-out part and parts of it are offered to the generator as variables, so that they are as
//! likely as a variable wherever their type fits. One time in ten a part of it replaces the
//! whole instead; of the others, one in four makes it an argument of something small.
//!
//! # Keeps the meaning
//! Never on purpose.

use super::draft::{Draft, any};
use crate::base::random::Random;
use crate::model::program::{
    Arena, Expr, Fun, FunInScope, InScope, Node, Path, Prim, Tag, Ty, Var, Vocabulary,
};

/// Parts of the cut-out expression that are offered besides itself.
const MOST_PARTS: usize = 2;

/// Largest new argument beside the old expression.
const MOST_NODES: u32 = 4;

/// R: another expression at one place.
pub fn replace(
    draft: &mut Draft,
    vocabulary: &Vocabulary,
    largest: usize,
    random: &mut Random,
) -> Option<()> {
    let (path, old) = draft.pick_any(random)?;
    if random.below(10) == 0 {
        return draft.hoist(&path, old, random);
    }
    if random.below(4) == 0 {
        return wrap(draft, path, old, vocabulary, random);
    }
    let ty = draft.arena.ty(old);
    let holes = if random.below(3) > 0 { holes(draft, old, random) } else { Vec::new() };
    let mut scope = draft.scope_at(&path);
    scope.vars.extend(holes.iter().map(|&(var, _)| var));
    let new = draft.arena.generate(ty, new_size(largest, random), &scope, vocabulary, random)?;
    draft.put_filled(path, old, new, &holes)
}

/// Half of the sizes are drawn evenly, half are the smaller of two.
fn new_size(largest: usize, random: &mut Random) -> usize {
    let size = 1 + random.below(largest as u32);
    let size = if random.below(2) == 0 { size } else { size.min(1 + random.below(largest as u32)) };
    size as usize
}

/// Variables for the cut-out part and for some parts of it that make sense outside.
fn holes(draft: &mut Draft, old: Expr, random: &mut Random) -> Vec<(Var, Expr)> {
    let mut parts = vec![old];
    let mut below = draft.closed_parts(old);
    below.retain(|(path, part)| !path.is_empty() && draft.arena.size(*part) > 1);
    let n_parts = random.below(MOST_PARTS as u32 + 1);
    parts.extend((0..n_parts).filter_map(|_| any(&below, random).map(|(_, part)| *part)));
    // A variable is in scope as it is.
    parts.retain(|&part| !matches!(draft.arena.node(part), Node::Var(_)));
    let named = parts.into_iter().map(|part| {
        let ty = draft.arena.ty(part);
        (draft.arena.declare_var("hole", ty), part)
    });
    named.collect()
}

/// The old expression as an argument of a constructor, a primitive or a function that makes the same type.
fn wrap(
    draft: &mut Draft,
    path: Path,
    old: Expr,
    vocabulary: &Vocabulary,
    random: &mut Random,
) -> Option<()> {
    let ty = draft.arena.ty(old);
    let scope = draft.scope_at(&path);
    let wrapper = *any(&wrappers(draft, ty, &scope, vocabulary), random)?;
    let types = wrapper.arguments(&draft.arena);
    let fitting: Vec<usize> = (0..types.len()).filter(|&k| types[k] == ty).collect();
    let place = *any(&fitting, random)?;
    let mut args = Vec::with_capacity(types.len());
    for (k, &ty) in types.iter().enumerate() {
        let size = 1 + random.below(MOST_NODES) as usize;
        let arg = match k == place {
            true => old,
            false => draft.arena.generate(ty, size, &scope, vocabulary, random)?,
        };
        args.push(arg);
    }
    let new = wrapper.around(&mut draft.arena, &args)?;
    draft.put_focused(path, new, &[])
}

/// What an expression can be an argument of.
#[derive(Clone, Copy)]
enum Wrapper {
    Prim(Prim),
    Construct(Tag),
    Call(Fun),
}

impl Wrapper {
    fn arguments(self, arena: &Arena) -> Vec<Ty> {
        match self {
            Wrapper::Prim(prim) => prim.arguments().to_vec(),
            Wrapper::Construct(tag) => arena.types().constructor(tag).fields.clone(),
            Wrapper::Call(fun) => arena.signature(fun).0.to_vec(),
        }
    }

    fn around(self, arena: &mut Arena, args: &[Expr]) -> Option<Expr> {
        match self {
            Wrapper::Prim(prim) => arena.prim(prim, args),
            Wrapper::Construct(tag) => arena.construct(tag, args),
            Wrapper::Call(fun) => arena.call(fun, args),
        }
        .ok()
    }
}

/// Those that take the type and make it; functions around the place are for recursion.
fn wrappers(draft: &Draft, ty: Ty, scope: &InScope, vocabulary: &Vocabulary) -> Vec<Wrapper> {
    let arena = &draft.arena;
    let prims = vocabulary.prims.iter().filter(|prim| prim.result() == ty).map(|&prim| Wrapper::Prim(prim));
    let tags = vocabulary.constructors.iter().filter(|tag| Ty::sum(tag.sum) == ty);
    let funs = scope.funs.iter().filter(|f| f.open.is_none() && arena.signature(f.fun).1 == ty);
    let mut found: Vec<Wrapper> = prims.collect();
    found.extend(tags.map(|&tag| Wrapper::Construct(tag)));
    found.extend(funs.map(|known| Wrapper::Call(known.fun)));
    found.retain(|wrapper| wrapper.arguments(arena).contains(&ty));
    found
}

/// Another value of a number.
pub fn perturb(draft: &mut Draft, random: &mut Random) -> Option<()> {
    let (path, old) =
        draft.pick(random, |arena, expr| matches!(arena.node(expr), Node::Int(_) | Node::Float(_)))?;
    let new = match *draft.arena.node(old) {
        Node::Int(value) => {
            let near = [value.wrapping_add(1), value.wrapping_sub(1), value.wrapping_neg(), value / 2];
            draft.arena.int(near[random.below(4) as usize])
        }
        Node::Float(bits) => {
            let step = [0.5, 0.2, 0.1, 0.05, 0.02][random.below(5) as usize];
            let value = f64::from_bits(bits);
            let near = [value * (1.0 + step), value * (1.0 - step), value + step, value - step];
            draft.arena.float(near[random.below(4) as usize])
        }
        _ => return None,
    };
    draft.put(&path, new)
}

/// Exchange: two expressions of the same type, neither inside the other, change places.
pub fn exchange(draft: &mut Draft, random: &mut Random) -> Option<()> {
    let places = draft.places();
    let (path, one) = any(&places, random)?.clone();
    let arena = &draft.arena;
    let others: Vec<&(Path, Expr)> = places
        .iter()
        .filter(|(other, expr)| {
            let apart = !other.starts_with(&path) && !path.starts_with(other);
            apart && *expr != one && arena.ty(*expr) == arena.ty(one)
        })
        .collect();
    let (other, two) = (*any(&others, random)?).clone();
    draft.put(&path, two)?;
    draft.put(&other, one)
}

/// Largest argument of a call that is new.
const MOST_OF_A_CALL: u32 = 3;

/// An expression becomes a call of a function in scope, which may get the expression itself and parts of
/// it. Functions around the place pass on parts of their own parameters, so that they come to an end.
pub fn call(draft: &mut Draft, vocabulary: &Vocabulary, random: &mut Random) -> Option<()> {
    let (path, old) = draft.pick_any(random)?;
    let mut scope = draft.scope_at(&path);
    let known = callee(draft, &scope, old, random)?.clone();
    let holes = holes(draft, old, random);
    scope.vars.extend(holes.iter().map(|&(var, _)| var));
    let args = arguments(draft, &scope, &known, vocabulary, random)?;
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
                let size = 1 + random.below(MOST_OF_A_CALL) as usize;
                draft.arena.generate(ty, size, scope, vocabulary, random)?
            }
        };
        args.push(arg);
    }
    Some(args)
}
