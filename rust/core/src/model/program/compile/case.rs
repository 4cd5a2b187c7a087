//! `case`: a fork, its branches, and where they meet again.

use super::{Compiler, To};
use crate::model::program::bytecode::{Op, Slot};
use crate::model::program::node::{Branch, Expr, Var};
use crate::model::program::types::Ty;

impl Compiler<'_> {
    pub(super) fn case(&mut self, subject: Expr, branches: &[Branch], free: Slot, to: To) {
        let ty = self.program.arena().ty(subject);
        let (on, free) = self.operand(subject, free);
        if let Ty::Tuple(_) = ty {
            return self.parts(on, &branches[0], free, to);
        }
        let outer = self.block;
        let mut ends = Vec::new();
        let fork = match ty {
            Ty::BOOL => self.push(Op::JumpUnless { on, to: 0 }),
            Ty::INT => {
                let result = self.reserve(free);
                self.push(Op::Predecessor { of: on, result, to: 0 })
            }
            _ => {
                let table = self.code.tables.len();
                self.code.tables.resize(table + branches.len(), 0);
                self.push(Op::Switch { on, table: table as u32 })
            }
        };
        // The branch of positive integers follows its test, as that of true does.
        let order: Vec<usize> = if ty == Ty::INT { vec![1, 0] } else { (0..branches.len()).collect() };
        for (turn, &k) in order.iter().enumerate() {
            self.arrive(fork, turn, k);
            self.block = self.push(Op::Charge { steps: 0 });
            match ty {
                Ty::INT if k == 1 => self.with_slots(&branches[1].vars, free, free + 1, branches[1].body, to),
                _ => self.parts(on, &branches[k], free, to),
            }
            if turn + 1 < order.len() && matches!(to, To::Slot(_)) {
                ends.push(self.push(Op::Jump { to: 0 }));
            }
        }
        self.block = outer;
        let here = self.here();
        for end in ends {
            self.code.ops[end] = Op::Jump { to: here };
        }
    }

    /// Lets the fork of a case come here for its `k`-th branch.
    fn arrive(&mut self, fork: usize, turn: usize, k: usize) {
        let here = self.here();
        match &mut self.code.ops[fork] {
            Op::Switch { table, .. } => self.code.tables[*table as usize + k] = here,
            Op::JumpUnless { to, .. } | Op::Predecessor { to, .. } if turn == 1 => *to = here,
            _ => {}
        }
    }

    /// A branch with the fields of what it is on.
    fn parts(&mut self, on: Slot, branch: &Branch, free: Slot, to: To) {
        let arena = self.program.arena();
        let n = branch.vars.len() as Slot;
        if branch.vars.iter().any(|&var| arena.mentions(branch.body, var)) {
            self.reserve(free + n - 1);
            self.push(Op::Fields { of: on, first: free, n });
        }
        self.with_slots(&branch.vars, free, free + n, branch.body, to);
    }

    fn with_slots(&mut self, vars: &[Var], first: Slot, free: Slot, body: Expr, to: To) {
        let before = self.slots.len();
        self.slots.extend(vars.iter().copied().zip(first..));
        self.emit(body, free, to);
        self.slots.truncate(before);
    }
}
