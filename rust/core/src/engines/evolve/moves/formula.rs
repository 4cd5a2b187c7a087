//! R in a formula: the replacement of a subexpression by another that may contain the old one.

use super::draft::{Draft, any, application, choice};
use crate::base::random::Random;
use crate::model::program::{Expr, Node, Path, Prim, Program, Ty, Vocabulary, random_float};

/// A kind of replacement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A new expression in place of an old one.
    Replace,
    /// A new expression around the old one.
    Insert,
    /// Two expressions of the formula joined.
    Combine,
    /// A part in place of the whole.
    Hoist,
    /// A part of another formula in place of one's own.
    Cross,
    /// Another primitive of the same type.
    Exchange,
}

/// Replaces something at a random place; `None` if there is no place for it.
pub fn replace(
    draft: &mut Draft,
    kind: Kind,
    mate: &Program,
    vocabulary: &Vocabulary,
    random: &mut Random,
) -> Option<()> {
    match kind {
        Kind::Replace => renew(draft, vocabulary, random),
        Kind::Insert => insert(draft, vocabulary, random),
        Kind::Combine => combine(draft, random),
        Kind::Hoist => hoist(draft, random),
        Kind::Cross => cross(draft, mate, random),
        Kind::Exchange => exchange(draft, vocabulary, random),
    }
}

/// Sizes of new expressions: small ones are likelier.
fn new_size(random: &mut Random) -> usize {
    [1, 1, 1, 2, 2, 3, 3, 3, 4, 5][random.below(10) as usize]
}

fn renew(draft: &mut Draft, vocabulary: &Vocabulary, random: &mut Random) -> Option<()> {
    let (path, old) = draft.pick_any(random)?;
    let ty = draft.arena.ty(old);
    let new = draft.generate(ty, new_size(random), &path, vocabulary, random)?;
    draft.put(&path, new)
}

fn insert(draft: &mut Draft, vocabulary: &Vocabulary, random: &mut Random) -> Option<()> {
    let (path, old) = draft.pick_any(random)?;
    let ty = draft.arena.ty(old);
    if random.below(8) == 0 {
        let condition =
            draft.generate(Ty::BOOL, 3 + 2 * random.below(2) as usize, &path, vocabulary, random)?;
        let other = draft.generate(ty, new_size(random), &path, vocabulary, random)?;
        let new = match random.below(2) {
            0 => draft.arena.choose(condition, old, other),
            _ => draft.arena.choose(condition, other, old),
        };
        return draft.put(&path, new.ok()?);
    }
    let prim = prim_with(vocabulary, ty, random)?;
    let place = random.below(prim.arguments().len() as u32) as usize;
    let mut args = Vec::new();
    for (k, &argument) in prim.arguments().iter().enumerate() {
        args.push(match k == place {
            true => old,
            false => draft.generate(argument, new_size(random), &path, vocabulary, random)?,
        });
    }
    let new = draft.arena.prim(prim, &args).ok()?;
    draft.put(&path, new)
}

/// A primitive of which the result and all arguments are of one type.
fn prim_with(vocabulary: &Vocabulary, ty: Ty, random: &mut Random) -> Option<Prim> {
    let mut prims = vocabulary.prims.clone();
    prims.retain(|prim| prim.result() == ty && prim.arguments().iter().all(|&argument| argument == ty));
    any(&prims, random).copied()
}

fn combine(draft: &mut Draft, random: &mut Random) -> Option<()> {
    let (path, old) = draft.pick(random, |arena, expr| arena.ty(expr) == Ty::FLOAT)?;
    let (_, other) =
        draft.pick(random, |arena, expr| arena.ty(expr) == Ty::FLOAT && draft.is_global(expr))?;
    let prims = [Prim::AddFloat, Prim::SubFloat, Prim::MulFloat, Prim::DivFloat, Prim::Min, Prim::Max];
    let prim = *any(&prims, random)?;
    let args = if random.below(2) == 0 { [old, other] } else { [other, old] };
    let new = draft.arena.prim(prim, &args).ok()?;
    draft.put(&path, new)
}

fn hoist(draft: &mut Draft, random: &mut Random) -> Option<()> {
    let (path, old) = draft.pick(random, |arena, expr| !arena.node(expr).children().is_empty())?;
    draft.hoist(&path, old, random)
}

fn cross(draft: &mut Draft, mate: &Program, random: &mut Random) -> Option<()> {
    let mate = Draft::open(mate);
    let (path, old) = draft.pick_any(random)?;
    let ty = draft.arena.ty(old);
    let (_, other) = mate.pick(random, |arena, expr| arena.ty(expr) == ty)?;
    let vars = mate.main.params.iter().copied().zip(draft.main.params.iter().copied()).collect();
    let new = draft.arena.copy_from(&mate.arena, other, vars).ok()?;
    draft.put(&path, new)
}

fn exchange(draft: &mut Draft, vocabulary: &Vocabulary, random: &mut Random) -> Option<()> {
    let (path, old) = draft
        .pick(random, |arena, expr| application(arena, expr).is_some() || choice(arena, expr).is_some())?;
    let new = match application(&draft.arena, old) {
        Some((prim, mut args)) => {
            if args.len() == 2 && random.below(3) == 0 {
                args.reverse();
                draft.arena.prim(prim, &args).ok()?
            } else {
                let mut others = vocabulary.prims.clone();
                others.retain(|&other| {
                    let same = other.arguments() == prim.arguments() && other.result() == prim.result();
                    same && other != prim
                });
                let other = others.get(random.below(others.len().max(1) as u32) as usize)?;
                draft.arena.prim(*other, &args).ok()?
            }
        }
        None => {
            let (condition, yes, no) = choice(&draft.arena, old)?;
            draft.arena.choose(condition, no, yes).ok()?
        }
    };
    draft.put(&path, new)
}

/// Another value of a constant.
pub fn perturb(draft: &mut Draft, random: &mut Random) -> Option<()> {
    let (path, old) = any(&constants(draft), random)?.clone();
    let step = [0.5, 0.2, 0.1, 0.05, 0.02][random.below(5) as usize];
    let new = match random.below(5) {
        0 => random_float(random),
        1 => -old,
        2 => old * (1.0 + step),
        3 => old * (1.0 - step),
        _ => old + if random.below(2) == 0 { step } else { -step },
    };
    let new = draft.arena.float(few_digits(new, 4));
    draft.put(&path, new)
}

/// Places and values of the constants.
pub fn constants(draft: &Draft) -> Vec<(Path, f64)> {
    let constant = |(path, expr): (Path, Expr)| match draft.arena.node(expr) {
        Node::Float(bits) => Some((path, f64::from_bits(*bits))),
        _ => None,
    };
    draft.places().into_iter().filter_map(constant).collect()
}

/// A formula with another value of its `k`-th constant, if there is one and `change` gives one for it.
pub fn with_constant(
    program: &Program,
    k: usize,
    change: impl FnOnce(f64) -> Option<f64>,
) -> Option<Program> {
    let mut draft = Draft::open(program);
    let (path, old) = constants(&draft).get(k).cloned()?;
    let new = draft.arena.float(change(old)?);
    draft.put(&path, new)?;
    draft.close()
}

/// The number with so many significant digits.
pub fn few_digits(value: f64, n_digits: usize) -> f64 {
    let text = format!("{:.*e}", n_digits.saturating_sub(1), value);
    text.parse().unwrap_or(value)
}
