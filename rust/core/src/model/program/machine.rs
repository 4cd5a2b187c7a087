//! The machine that runs compiled programs, with its limits.

use super::bytecode::{Code, Op};
use super::heap::Heap;
use super::limits::{Limits, Run, Stop};
use super::prim::{self, Prim};

/// Words of stack that a call takes besides its frame.
const FRAME_WORDS: usize = 2;

/// Stack of a machine; one is enough for any number of runs, one after the other.
#[derive(Debug, Clone, Default)]
pub struct Machine {
    stack: Vec<u64>,
    /// Where every caller goes on, and where its frame begins.
    callers: Vec<(u32, u32)>,
}

impl Machine {
    /// A machine that has not run.
    pub fn new() -> Self {
        Machine::default()
    }

    /// Runs the main function on words of the heap, which receives the data made on the way.
    ///
    /// # Errors
    /// The limit that it ran into.
    ///
    /// # Panics
    /// If the number of arguments is not that of the main function's parameters. Words that are not of
    /// the parameters' types give meaningless results.
    pub fn run(
        &mut self,
        code: &Code,
        heap: &mut Heap,
        args: &[u64],
        limits: &Limits,
    ) -> Result<Run<u64>, Stop> {
        assert_eq!(args.len(), code.n_params, "one word for every parameter");
        self.callers.clear();
        if self.stack.len() < args.len() {
            self.stack.resize(args.len(), 0);
        }
        self.stack[..args.len()].copy_from_slice(args);
        let heap_limit = heap.n_words().saturating_add(limits.heap);
        let mut left = limits.steps;
        let (mut pc, mut base) = (code.main as usize, 0);
        loop {
            let op = code.ops[pc];
            pc += 1;
            match op {
                Op::Enter { n_slots, steps } => {
                    let end = base + n_slots as usize;
                    if end + FRAME_WORDS * self.callers.len() > limits.stack {
                        return Err(Stop::Memory);
                    }
                    if end > self.stack.len() {
                        self.stack.resize(end.next_power_of_two(), 0);
                    }
                    left = left.checked_sub(steps.into()).ok_or(Stop::Steps)?;
                }
                Op::Charge { steps } => left = left.checked_sub(steps.into()).ok_or(Stop::Steps)?,
                Op::Const { to, constant } => {
                    self.stack[base + to as usize] = code.constants[constant as usize];
                }
                Op::Move { to, from } => self.stack[base + to as usize] = self.stack[base + from as usize],
                Op::Unary { prim, to, a } => {
                    self.stack[base + to as usize] = unary(prim, self.stack[base + a as usize]);
                }
                Op::Binary { prim, to, a, b } => {
                    let (a, b) = (self.stack[base + a as usize], self.stack[base + b as usize]);
                    self.stack[base + to as usize] = binary(prim, a, b);
                }
                Op::Data { position, to, first, n } => {
                    let first = base + first as usize;
                    if heap.n_words() + n as usize > heap_limit {
                        return Err(Stop::Memory);
                    }
                    let word = heap.data(position, &self.stack[first..first + n as usize]);
                    self.stack[base + to as usize] = word;
                }
                Op::Fields { of, first, n } => {
                    let (first, n) = (base + first as usize, n as usize);
                    let fields = heap.fields(self.stack[base + of as usize], n);
                    self.stack[first..first + n].copy_from_slice(fields);
                }
                Op::Switch { on, table } => {
                    let position = Heap::position(self.stack[base + on as usize]);
                    pc = code.tables[table as usize + position as usize] as usize;
                }
                Op::JumpUnless { on, to } => {
                    if self.stack[base + on as usize] == 0 {
                        pc = to as usize;
                    }
                }
                Op::Predecessor { of, result, to } => match self.stack[base + of as usize] as i64 {
                    n if n > 0 => self.stack[base + result as usize] = (n - 1) as u64,
                    _ => pc = to as usize,
                },
                Op::Jump { to } => pc = to as usize,
                Op::Call { function, first } => {
                    self.callers.push((pc as u32, base as u32));
                    base += first as usize;
                    pc = function as usize;
                }
                Op::TailCall { function, first, n } => {
                    let first = base + first as usize;
                    self.stack.copy_within(first..first + n as usize, base);
                    pc = function as usize;
                }
                Op::Return { from } => {
                    let value = self.stack[base + from as usize];
                    let Some((caller_pc, caller_base)) = self.callers.pop() else {
                        return Ok(Run { value, steps: limits.steps - left });
                    };
                    self.stack[base] = value;
                    (pc, base) = (caller_pc as usize, caller_base as usize);
                }
            }
        }
    }
}

#[inline]
fn unary(prim: Prim, a: u64) -> u64 {
    match prim {
        Prim::NegInt => (a as i64).wrapping_neg() as u64,
        Prim::ToFloat => (a as i64 as f64).to_bits(),
        Prim::Not => a ^ 1,
        _ => prim::float_unary(prim, f64::from_bits(a)).map_or(0, f64::to_bits),
    }
}

#[inline]
fn binary(prim: Prim, a: u64, b: u64) -> u64 {
    let (x, y) = (f64::from_bits(a), f64::from_bits(b));
    let (i, j) = (a as i64, b as i64);
    match prim {
        Prim::AddFloat => (x + y).to_bits(),
        Prim::SubFloat => (x - y).to_bits(),
        Prim::MulFloat => (x * y).to_bits(),
        Prim::DivFloat => (x / y).to_bits(),
        Prim::Min => prim::min(x, y).to_bits(),
        Prim::Max => prim::max(x, y).to_bits(),
        Prim::LessFloat => (x < y).into(),
        Prim::AtMostFloat => (x <= y).into(),
        Prim::EqualFloat => prim::float_test(prim, x, y).map_or(0, u64::from),
        Prim::And => a & b,
        Prim::Or => a | b,
        Prim::LessInt | Prim::AtMostInt | Prim::EqualInt => prim::int_test(prim, i, j).map_or(0, u64::from),
        _ => prim::int_binary(prim, i, j).map_or(0, |value| value as u64),
    }
}
