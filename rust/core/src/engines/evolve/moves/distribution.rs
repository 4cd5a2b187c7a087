//! CASE-DIST, the motion of `let` and local functions, and DUPL.
//!
//! # Keeps the meaning
//! Always: a node around a `case` goes into its branches, a declaration moves to where it still sees
//! what it uses, and a copy stands beside its original. Only steps and memory may differ.

use super::draft::{Draft, any};
use crate::base::random::Random;
use crate::model::program::{Arena, Branch, Expr, Node, Path, Ty, Var, Vocabulary};

/// Largest condition of a duplication.
const MOST_NODES: u32 = 4;

/// Children that are always computed where the node is, before anything it binds.
fn strict_children(node: &Node) -> usize {
    match node {
        Node::Prim(..) | Node::Construct(..) | Node::Tuple(_) | Node::Call(..) => node.children().len(),
        Node::Case { .. } | Node::Let { .. } => 1,
        _ => 0,
    }
}

/// h(case e of p => a | q => b) becomes case e of p => h(a) | q => h(b).
pub fn distribute(draft: &mut Draft, random: &mut Random) -> Option<()> {
    let is_case = |arena: &Arena, expr: Expr| matches!(arena.node(expr), Node::Case { .. });
    let place = |arena: &Arena, expr: Expr| {
        let node = arena.node(expr);
        node.children()[..strict_children(node)].iter().any(|&child| is_case(arena, child))
    };
    let (path, outer) = draft.pick(random, place)?;
    let children = draft.arena.node(outer).children();
    let strict = strict_children(draft.arena.node(outer));
    let cases: Vec<usize> = (0..strict).filter(|&k| is_case(&draft.arena, children[k])).collect();
    let k = *any(&cases, random)?;
    let Node::Case { subject, branches } = draft.arena.node(children[k]).clone() else { return None };
    let mut moved = Vec::with_capacity(branches.len());
    for branch in branches {
        let mut inner = children.clone();
        inner[k] = branch.body;
        let body = draft.arena.with_children(outer, &inner).ok()?;
        moved.push(Branch { vars: branch.vars, body });
    }
    let new = draft.arena.case(subject, moved).ok()?;
    draft.put_focused(path, new, &[])
}

/// Variables and functions that a declaration uses besides what it binds itself.
fn declaration_fits(arena: &Arena, declaration: &Node, parent: &Node, k: usize) -> bool {
    let (uses, params) = match declaration {
        Node::Let { bound, .. } => (*bound, &[][..]),
        Node::LetFun { body, params, .. } => (*body, &params[..]),
        _ => return false,
    };
    let bound: Vec<Var> = parent.binds(k).collect();
    let sees_vars = arena.free_vars(uses).iter().all(|var| params.contains(var) || !bound.contains(var));
    let sees_funs = match parent {
        Node::LetFun { fun, .. } => !arena.free_funs(uses).contains(fun),
        _ => true,
    };
    sees_vars && sees_funs
}

/// h(let d in e) becomes let d in h(e), out of a branch or a function as well.
pub fn move_out(draft: &mut Draft, random: &mut Random) -> Option<()> {
    let mut moves: Vec<(Path, usize)> = Vec::new();
    for (path, expr) in draft.places() {
        let parent = draft.arena.node(expr);
        for (k, child) in parent.children().into_iter().enumerate() {
            if declaration_fits(&draft.arena, draft.arena.node(child), parent, k) {
                moves.push((path.clone(), k));
            }
        }
    }
    let (path, k) = any(&moves, random)?.clone();
    let outer = draft.arena.at(draft.main.body, &path)?;
    let mut children = draft.arena.node(outer).children();
    let declaration = children[k];
    let mut parts = draft.arena.node(declaration).children();
    children[k] = parts[1];
    parts[1] = draft.arena.with_children(outer, &children).ok()?;
    let new = draft.arena.with_children(declaration, &parts).ok()?;
    draft.put_focused(path, new, &[])
}

/// let d in h(a, e) becomes h(a, let d in e) where only e uses d: the inverse of [`move_out`].
pub fn move_in(draft: &mut Draft, random: &mut Random) -> Option<()> {
    let (path, declaration) = draft
        .pick(random, |arena, expr| matches!(arena.node(expr), Node::Let { .. } | Node::LetFun { .. }))?;
    let mut parts = draft.arena.node(declaration).children();
    let inner = parts[1];
    let mut children = draft.arena.node(inner).children();
    let uses = |child: Expr| match draft.arena.node(declaration) {
        Node::Let { var, .. } => draft.arena.mentions(child, *var),
        Node::LetFun { fun, .. } => draft.arena.free_funs(child).contains(fun),
        _ => false,
    };
    let users: Vec<usize> = (0..children.len()).filter(|&k| uses(children[k])).collect();
    let [k] = users[..] else { return None };
    parts[1] = children[k];
    children[k] = draft.arena.with_children(declaration, &parts).ok()?;
    let new = draft.arena.with_children(inner, &children).ok()?;
    draft.put_focused(path, new, &[])
}

/// e becomes case v of p => e | q => e or if c then e else e; the focus goes to one of the copies.
pub fn duplicate(draft: &mut Draft, vocabulary: &Vocabulary, random: &mut Random) -> Option<()> {
    let (path, old) = draft.pick_any(random)?;
    let mut subjects: Vec<Var> = draft.scope_at(&path).vars;
    subjects.retain(|&var| {
        let ty = draft.arena.var_ty(var);
        vocabulary.cases.contains(&ty) && ty != Ty::BOOL
    });
    let by_condition = vocabulary.cases.contains(&Ty::BOOL) && (subjects.is_empty() || random.below(2) == 0);
    let subject = match by_condition {
        true => {
            let size = 1 + random.below(MOST_NODES) as usize;
            draft.generate(Ty::BOOL, size, &path, vocabulary, random)?
        }
        false => {
            let var = *any(&subjects, random)?;
            draft.arena.var(var)
        }
    };
    let binds = draft.arena.types().branches(draft.arena.ty(subject))?;
    let n = binds.len() as u32;
    let branches = binds.into_iter().map(|binds| {
        let vars = binds.into_iter().map(|ty| draft.arena.declare_var("v", ty)).collect();
        Branch { vars, body: old }
    });
    let branches = branches.collect();
    let new = draft.arena.case(subject, branches).ok()?;
    draft.put_focused(path, new, &[])?;
    draft.focus.push(1 + random.below(n));
    Some(())
}
