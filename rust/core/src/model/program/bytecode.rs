//! Instructions of the machine.
//!
//! A frame is a window of the stack: parameters, captured variables, then room for what is being
//! computed. A call's arguments lie where the callee's window begins, so nothing is copied, and the
//! result comes back in the first of these places.

use super::prim::Prim;

/// A place in the frame.
pub(super) type Slot = u32;

/// A position in [`Code::ops`].
pub(super) type Label = u32;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Op {
    /// Room for a frame, and the steps of the block that begins here.
    Enter { n_slots: u32, steps: u32 },
    /// The steps of the block that begins here.
    Charge { steps: u32 },
    /// A constant by its number.
    Const { to: Slot, constant: u32 },
    /// A copy.
    Move { to: Slot, from: Slot },
    /// A primitive of one argument.
    Unary { prim: Prim, to: Slot, a: Slot },
    /// A primitive of two arguments.
    Binary { prim: Prim, to: Slot, a: Slot, b: Slot },
    /// Data from fields side by side.
    Data { position: u8, to: Slot, first: Slot, n: u32 },
    /// Fields of data, side by side.
    Fields { of: Slot, first: Slot, n: u32 },
    /// Goes where the constructor of `on` says: a place in [`Code::tables`].
    Switch { on: Slot, table: u32 },
    /// Goes on where `on` is true, else jumps.
    JumpUnless { on: Slot, to: Label },
    /// Goes on with `n - 1` for a positive integer n, else jumps.
    Predecessor { of: Slot, result: Slot, to: Label },
    /// Goes on elsewhere.
    Jump { to: Label },
    /// A call, its arguments from `first` on.
    Call { function: Label, first: Slot },
    /// A call whose result is the caller's: takes over the frame.
    TailCall { function: Label, first: Slot, n: u32 },
    /// Goes back to the caller.
    Return { from: Slot },
}

/// A compiled program.
#[derive(Debug, Clone, PartialEq)]
pub struct Code {
    pub(super) ops: Vec<Op>,
    pub(super) constants: Vec<u64>,
    pub(super) tables: Vec<Label>,
    /// Where the main function begins.
    pub(super) main: Label,
    pub(super) n_params: usize,
}

impl Code {
    /// Number of instructions.
    pub fn n_ops(&self) -> usize {
        self.ops.len()
    }
}
