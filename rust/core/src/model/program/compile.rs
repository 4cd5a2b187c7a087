//! Translates programs into instructions of the machine.
//!
//! ```text
//! emit(e, free, to): the value of e into slot `to`; slots from `free` on may be used on the way
//! ```
//! `to` is written last, so it may be `free` itself. A local function gets the variables it uses from
//! around it as further arguments. Every block is charged at its start with the nodes it evaluates
//! for certain, so that steps come out as in the interpreter.

use super::bytecode::{Code, Label, Op, Slot};
use super::closed::{Definition, Program};
use super::node::{Branch, Expr, Fun, Node, Var};
use super::types::Ty;

/// A function in scope.
#[derive(Clone)]
struct Known {
    fun: Fun,
    /// Its number among all functions; calls name it until all beginnings are known.
    number: u32,
    /// Variables from around it, passed after the arguments.
    captured: Vec<Var>,
}

/// Where a value goes.
#[derive(Clone, Copy)]
enum To {
    Slot(Slot),
    /// It is the function's result.
    Return,
}

struct Compiler<'a> {
    program: &'a Program,
    code: Code,
    /// Beginnings of the functions compiled so far, by their numbers.
    begins: Vec<Label>,
    /// Functions in scope, the innermost last.
    known: Vec<Known>,
    /// Variables of the function being compiled, the innermost last.
    slots: Vec<(Var, Slot)>,
    /// The instruction that is charged for the current block.
    block: usize,
    /// Slots the current function needs.
    n_slots: Slot,
    /// Local functions met, to be compiled after the current one, each with its scope.
    waiting: Vec<Waiting>,
}

struct Waiting {
    number: u32,
    definition: Definition,
    captured: Vec<Var>,
    known: Vec<Known>,
}

impl Program {
    /// Compiles the program for a [`Machine`](super::Machine).
    pub fn compile(&self) -> Code {
        let n_params = self.main().params.len();
        let code = Code { ops: Vec::new(), constants: Vec::new(), tables: Vec::new(), main: 0, n_params };
        let mut compiler = Compiler {
            program: self,
            code,
            begins: Vec::new(),
            known: Vec::new(),
            slots: Vec::new(),
            block: 0,
            n_slots: 0,
            waiting: Vec::new(),
        };
        let mut known = Vec::new();
        for definition in self.definitions() {
            let number = compiler.number();
            known.push(Known { fun: definition.fun, number, captured: Vec::new() });
            let (definition, known) = (definition.clone(), known.clone());
            compiler.waiting.push(Waiting { number, definition, captured: Vec::new(), known });
        }
        let main = known.len() - 1;
        while let Some(waiting) = compiler.waiting.pop() {
            compiler.function(waiting);
        }
        compiler.finish(main)
    }
}

impl Compiler<'_> {
    fn number(&mut self) -> u32 {
        self.begins.push(0);
        self.begins.len() as u32 - 1
    }

    /// Puts beginnings in place of function numbers.
    fn finish(mut self, main: usize) -> Code {
        for op in &mut self.code.ops {
            if let Op::Call { function, .. } | Op::TailCall { function, .. } = op {
                *function = self.begins[*function as usize];
            }
        }
        self.code.main = self.begins[main];
        self.code
    }

    fn function(&mut self, waiting: Waiting) {
        let Waiting { number, definition, captured, known } = waiting;
        self.begins[number as usize] = self.here();
        self.known = known;
        self.slots = definition.params.iter().chain(&captured).copied().zip(0..).collect();
        self.n_slots = self.slots.len() as Slot;
        let enter = self.code.ops.len();
        self.push(Op::Enter { n_slots: 0, steps: 0 });
        self.block = enter;
        self.emit(definition.body, self.slots.len() as Slot, To::Return);
        let n = self.n_slots;
        if let Op::Enter { n_slots, .. } = &mut self.code.ops[enter] {
            *n_slots = n;
        }
    }

    fn here(&self) -> Label {
        self.code.ops.len() as Label
    }

    fn push(&mut self, op: Op) -> usize {
        self.code.ops.push(op);
        self.code.ops.len() - 1
    }

    fn slot(&self, var: Var) -> Slot {
        let found = self.slots.iter().rev().find(|(known, _)| *known == var);
        found.expect("a function has or captures its variables").1
    }

    /// One more node in the current block.
    fn charge(&mut self) {
        match &mut self.code.ops[self.block] {
            Op::Enter { steps, .. } | Op::Charge { steps } => *steps += 1,
            op => unreachable!("{op:?} begins no block"),
        }
    }

    /// The slot where an operation puts its value, which must be in a frame.
    fn reserve(&mut self, slot: Slot) -> Slot {
        self.n_slots = self.n_slots.max(slot + 1);
        slot
    }

    /// Runs an operation that writes a slot, and returns if that was the function's result.
    fn write(&mut self, free: Slot, to: To, op: impl FnOnce(Slot) -> Op) {
        match to {
            To::Slot(slot) => {
                let slot = self.reserve(slot);
                self.push(op(slot));
            }
            To::Return => {
                let slot = self.reserve(free);
                self.push(op(slot));
                self.push(Op::Return { from: slot });
            }
        }
    }

    fn emit(&mut self, expr: Expr, free: Slot, to: To) {
        let program = self.program;
        self.charge();
        match program.arena().node(expr) {
            Node::Float(bits) => self.constant(*bits, free, to),
            Node::Int(value) => self.constant(*value as u64, free, to),
            Node::Bool(value) => self.constant((*value).into(), free, to),
            Node::Var(var) => match (self.slot(*var), to) {
                (from, To::Return) => drop(self.push(Op::Return { from })),
                (from, to) => self.write(free, to, |to| Op::Move { to, from }),
            },
            Node::Prim(prim, args) => match args[..] {
                [a] => {
                    let (a, _) = self.operand(a, free);
                    self.write(free, to, |to| Op::Unary { prim: *prim, to, a });
                }
                [a, b] => {
                    let (a, next) = self.operand(a, free);
                    let (b, _) = self.operand(b, next);
                    self.write(free, to, |to| Op::Binary { prim: *prim, to, a, b });
                }
                _ => unreachable!("a primitive takes one or two arguments"),
            },
            Node::Construct(tag, args) => self.data(tag.position, args, free, to),
            Node::Tuple(args) => self.data(0, args, free, to),
            Node::Call(fun, args) => self.call(*fun, args, free, to),
            Node::Case { subject, branches } => self.case(*subject, branches, free, to),
            Node::Let { var, bound, body } => {
                let (slot, next) = self.operand(*bound, free);
                self.slots.push((*var, slot));
                self.emit(*body, next, to);
                self.slots.pop();
            }
            Node::LetFun { fun, params, body, rest } => {
                let definition = Definition { fun: *fun, params: params.clone(), body: *body };
                self.declare(definition);
                self.emit(*rest, free, to);
                self.known.pop();
            }
        }
    }

    fn constant(&mut self, word: u64, free: Slot, to: To) {
        let constants = &mut self.code.constants;
        let found = constants.iter().position(|&known| known == word);
        let constant = found.unwrap_or_else(|| {
            constants.push(word);
            constants.len() - 1
        });
        self.write(free, to, |to| Op::Const { to, constant: constant as u32 });
    }

    /// A slot with the value, and the first free slot after it.
    fn operand(&mut self, expr: Expr, free: Slot) -> (Slot, Slot) {
        if let Node::Var(var) = self.program.arena().node(expr) {
            self.charge();
            return (self.slot(*var), free);
        }
        self.emit(expr, free, To::Slot(free));
        (free, free + 1)
    }

    /// Values side by side from `free` on.
    fn list(&mut self, args: &[Expr], free: Slot) {
        for (&arg, slot) in args.iter().zip(free..) {
            self.emit(arg, slot, To::Slot(slot));
        }
    }

    fn data(&mut self, position: u8, args: &[Expr], free: Slot, to: To) {
        if args.is_empty() {
            return self.constant(position.into(), free, to);
        }
        self.list(args, free);
        self.write(free, to, |to| Op::Data { position, to, first: free, n: args.len() as u32 });
    }

    fn call(&mut self, fun: Fun, args: &[Expr], free: Slot, to: To) {
        self.list(args, free);
        let known =
            self.known.iter().rev().find(|known| known.fun == fun).expect("a program is closed").clone();
        let mut next = free + args.len() as Slot;
        for &var in &known.captured {
            let from = self.slot(var);
            let to = self.reserve(next);
            self.push(Op::Move { to, from });
            next += 1;
        }
        match to {
            To::Return => {
                self.push(Op::TailCall { function: known.number, first: free, n: next - free });
            }
            To::Slot(slot) => {
                self.push(Op::Call { function: known.number, first: free });
                if slot != free {
                    let to = self.reserve(slot);
                    self.push(Op::Move { to, from: free });
                }
            }
        }
    }

    /// A local function: found now, compiled later.
    fn declare(&mut self, definition: Definition) {
        let arena = self.program.arena();
        let mut captured = arena.free_vars(definition.body);
        for fun in arena.free_funs(definition.body) {
            if let Some(known) = self.known.iter().rev().find(|known| known.fun == fun) {
                captured.extend(&known.captured);
            }
        }
        captured.retain(|var| !definition.params.contains(var));
        let captured: Vec<Var> = captured.into_iter().collect();
        let number = self.number();
        self.known.push(Known { fun: definition.fun, number, captured: captured.clone() });
        let known = self.known.clone();
        self.waiting.push(Waiting { number, definition, captured, known });
    }

    /// A fork, its branches, and where they meet again.
    fn case(&mut self, subject: Expr, branches: &[Branch], free: Slot, to: To) {
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
