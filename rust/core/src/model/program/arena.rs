//! The only place where expressions are made: every node is checked and stored once.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use super::error::{ProgramError, Result};
use super::node::{Expr, Fun, Node, Var};
use super::types::{Ty, Types};

/// Nodes an expression may have, shared ones counted as often as they are written.
pub const MAX_SIZE: usize = 1 << 16;

/// Nodes on the longest path of an expression: every walk may recurse.
pub const MAX_DEPTH: usize = 200;

/// Parameters of a function.
pub const MAX_PARAMS: usize = 32;

/// Hands the hash of a node, mixed already, to the map.
#[derive(Default)]
struct Ready(u64);

impl Hasher for Ready {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = mix(self.0, word);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

pub(super) fn mix(state: u64, word: u64) -> u64 {
    let mut z = (state.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z ^= z >> 32;
    z.wrapping_mul(0xBF58_476D_1CE4_E5B9)
}

#[derive(Debug, Clone)]
pub(super) struct VarInfo {
    pub name: Arc<str>,
    pub ty: Ty,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct FunInfo {
    pub name: Arc<str>,
    pub params: Box<[Ty]>,
    pub result: Ty,
}

/// What is known of an expression without walking it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Facts {
    ty: Ty,
    size: u32,
    depth: u32,
}

/// Expressions over one set of declared types.
///
/// # Invariants
/// Every stored expression is well typed; equal nodes are stored once; a child's number is smaller
/// than its parent's. Variables may still be free: [`Program::new`](super::Program::new) checks that.
#[derive(Debug, Clone, Default)]
pub struct Arena {
    types: Arc<Types>,
    nodes: Vec<Node>,
    facts: Vec<Facts>,
    index: HashMap<u64, Expr, BuildHasherDefault<Ready>>,
    pub(super) vars: Vec<VarInfo>,
    pub(super) funs: Vec<FunInfo>,
}

impl Arena {
    pub fn new(types: Arc<Types>) -> Self {
        Arena { types, ..Arena::default() }
    }

    pub fn types(&self) -> &Arc<Types> {
        &self.types
    }

    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    pub fn node(&self, expr: Expr) -> &Node {
        &self.nodes[expr.0 as usize]
    }

    pub fn ty(&self, expr: Expr) -> Ty {
        self.facts[expr.0 as usize].ty
    }

    /// Nodes of the expression, written out as a tree.
    pub fn size(&self, expr: Expr) -> usize {
        self.facts[expr.0 as usize].size as usize
    }

    /// Nodes on the longest path.
    pub fn depth(&self, expr: Expr) -> usize {
        self.facts[expr.0 as usize].depth as usize
    }

    /// A new variable, different from every other.
    pub fn declare_var(&mut self, name: &str, ty: Ty) -> Var {
        self.add_var(name.into(), ty)
    }

    pub(super) fn add_var(&mut self, name: Arc<str>, ty: Ty) -> Var {
        self.vars.push(VarInfo { name, ty });
        Var(self.vars.len() as u32 - 1)
    }

    /// A new function symbol, different from every other.
    pub fn declare_fun(&mut self, name: &str, params: &[Ty], result: Ty) -> Fun {
        self.add_fun(name.into(), params.into(), result)
    }

    pub(super) fn add_fun(&mut self, name: Arc<str>, params: Box<[Ty]>, result: Ty) -> Fun {
        self.funs.push(FunInfo { name, params, result });
        Fun(self.funs.len() as u32 - 1)
    }

    pub fn var_name(&self, var: Var) -> &str {
        &self.vars[var.0 as usize].name
    }

    pub fn var_ty(&self, var: Var) -> Ty {
        self.vars[var.0 as usize].ty
    }

    pub fn fun_name(&self, fun: Fun) -> &str {
        &self.funs[fun.0 as usize].name
    }

    /// Types of the parameters and of the result.
    pub fn signature(&self, fun: Fun) -> (&[Ty], Ty) {
        let info = &self.funs[fun.0 as usize];
        (&info.params, info.result)
    }

    /// Stores a node whose type has been found by the caller.
    pub(super) fn intern(&mut self, node: Node, ty: Ty) -> Result<Expr> {
        let mut hash = 0;
        node.words(&mut |word| hash = mix(hash, word));
        while let Some(&found) = self.index.get(&hash) {
            if *self.node(found) == node {
                return Ok(found);
            }
            hash = hash.wrapping_add(1);
        }
        let facts = self.measure(&node, ty)?;
        let expr = Expr(self.nodes.len() as u32);
        self.nodes.push(node);
        self.facts.push(facts);
        self.index.insert(hash, expr);
        Ok(expr)
    }

    fn measure(&self, node: &Node, ty: Ty) -> Result<Facts> {
        let children = node.children();
        let size = 1 + children.iter().map(|&child| self.size(child)).sum::<usize>();
        let depth = 1 + children.iter().map(|&child| self.depth(child)).max().unwrap_or(0);
        if size > MAX_SIZE {
            return Err(ProgramError::TooLarge { what: "size", limit: MAX_SIZE });
        }
        if depth > MAX_DEPTH {
            return Err(ProgramError::TooLarge { what: "depth", limit: MAX_DEPTH });
        }
        Ok(Facts { ty, size: size as u32, depth: depth as u32 })
    }
}
