//! Changes of form that keep every value, bit for bit where it is a number.
//!
//! A rule that is at its best with respect to one replacement need not be in another form of the same
//! rule. Only identities that rounding leaves alone are used.

use super::draft::{Draft, any, application, choice};
use crate::base::random::Random;
use crate::model::program::{Arena, Expr, Node, Prim, Ty};

/// The kinds of neutral moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Neutral {
    /// a + b = b + a, a * b = b * a.
    Commute,
    /// a - b = a + -b, and back.
    Subtract,
    /// x + x = 2 * x, and back.
    Double,
    /// f(if p then a else b) = if p then f(a) else f(b).
    Distribute,
    /// The way back.
    Collect,
    /// A subexpression that occurs more than once gets a name.
    Share,
    /// A name gives way to what it stands for.
    Inline,
}

impl Neutral {
    pub const ALL: [Neutral; 7] = [
        Neutral::Commute,
        Neutral::Subtract,
        Neutral::Double,
        Neutral::Distribute,
        Neutral::Collect,
        Neutral::Share,
        Neutral::Inline,
    ];
}

/// Makes one of the moves, each as likely; `None` if there is no place for it.
pub fn apply(draft: &mut Draft, random: &mut Random) -> Option<()> {
    let kind = *any(&Neutral::ALL, random)?;
    apply_kind(draft, kind, random)
}

/// Makes a move of this kind at a random place.
pub fn apply_kind(draft: &mut Draft, kind: Neutral, random: &mut Random) -> Option<()> {
    if kind == Neutral::Share {
        return share(draft, random);
    }
    let places = draft.places();
    let mut found = Vec::new();
    for (path, expr) in places {
        if let Some(new) = rewrite(&mut draft.arena, kind, expr) {
            found.push((path, new));
        }
    }
    let (path, new) = any(&found, random)?;
    draft.put(path, *new)
}

fn rewrite(arena: &mut Arena, kind: Neutral, expr: Expr) -> Option<Expr> {
    match kind {
        Neutral::Commute => commute(arena, expr),
        Neutral::Subtract => subtract(arena, expr),
        Neutral::Double => double(arena, expr),
        Neutral::Distribute => distribute(arena, expr),
        Neutral::Collect => collect(arena, expr),
        Neutral::Inline => inline(arena, expr),
        Neutral::Share => None,
    }
}

fn commute(arena: &mut Arena, expr: Expr) -> Option<Expr> {
    let (prim, args) = application(arena, expr)?;
    match prim.commutes() && args[0] != args[1] {
        true => arena.prim(prim, &[args[1], args[0]]).ok(),
        false => None,
    }
}

fn subtract(arena: &mut Arena, expr: Expr) -> Option<Expr> {
    let (prim, args) = application(arena, expr)?;
    match prim {
        Prim::SubFloat => {
            let negative = arena.prim(Prim::NegFloat, &[args[1]]).ok()?;
            arena.prim(Prim::AddFloat, &[args[0], negative]).ok()
        }
        Prim::AddFloat => match application(arena, args[1])? {
            (Prim::NegFloat, inner) => arena.prim(Prim::SubFloat, &[args[0], inner[0]]).ok(),
            _ => None,
        },
        _ => None,
    }
}

fn double(arena: &mut Arena, expr: Expr) -> Option<Expr> {
    let (prim, args) = application(arena, expr)?;
    let two = arena.float(2.0);
    match prim {
        Prim::AddFloat if args[0] == args[1] => arena.prim(Prim::MulFloat, &[two, args[0]]).ok(),
        Prim::MulFloat if args[0] == two => arena.prim(Prim::AddFloat, &[args[1], args[1]]).ok(),
        _ => None,
    }
}

fn distribute(arena: &mut Arena, expr: Expr) -> Option<Expr> {
    let (prim, args) = application(arena, expr)?;
    let (k, (condition, yes, no)) =
        args.iter().enumerate().find_map(|(k, &arg)| Some((k, choice(arena, arg)?)))?;
    let mut way = |part: Expr| {
        let mut args = args.clone();
        args[k] = part;
        arena.prim(prim, &args).ok()
    };
    let (yes, no) = (way(yes)?, way(no)?);
    arena.choose(condition, yes, no).ok()
}

fn collect(arena: &mut Arena, expr: Expr) -> Option<Expr> {
    let (condition, yes, no) = choice(arena, expr)?;
    let ((prim, yes), (other, no)) = (application(arena, yes)?, application(arena, no)?);
    let differ: Vec<usize> = (0..yes.len().min(no.len())).filter(|&k| yes[k] != no[k]).collect();
    let [k] = differ[..] else { return None };
    if prim != other {
        return None;
    }
    let mut args = yes.clone();
    args[k] = arena.choose(condition, yes[k], no[k]).ok()?;
    arena.prim(prim, &args).ok()
}

fn inline(arena: &mut Arena, expr: Expr) -> Option<Expr> {
    let Node::Let { var, bound, body } = *arena.node(expr) else { return None };
    arena.substitute(body, &[(var, bound)]).ok()
}

/// Names a float subexpression over the parameters that occurs more than once, in front of everything.
fn share(draft: &mut Draft, random: &mut Random) -> Option<()> {
    let mut places = draft.places();
    places.retain(|(_, expr)| draft.arena.size(*expr) > 1 && draft.arena.ty(*expr) == Ty::FLOAT);
    let often = |expr: Expr| places.iter().filter(|(_, other)| *other == expr).count() > 1;
    let mut found: Vec<Expr> = places.iter().map(|(_, expr)| *expr).collect();
    found.retain(|&expr| often(expr) && draft.is_global(expr));
    let shared = *any(&found, random)?;
    let var = draft.arena.declare_var("v", Ty::FLOAT);
    let name = draft.arena.var(var);
    let body = draft.arena.map(draft.main.body, &|_, part| (part == shared).then_some(name)).ok()?;
    draft.main.body = draft.arena.bind(var, shared, body).ok()?;
    Some(())
}
