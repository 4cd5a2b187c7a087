//! Scalar expressions over many pairs at once.
//!
//! The nodes of an expression become a list of operations on short columns, each distinct node one
//! operation; the list runs over blocks of pairs, so an operation costs a loop, not a branch a pair.
//! Both sides of an `if` are computed: every primitive is total. The operations are those of the plain
//! interpreter, so are the values, bit for bit but for the payload of NaN.

use std::collections::HashMap;

use crate::base::error::Error;
use crate::model::program::{Expr, Node, Prim, Program, Ty, Var, prim};

/// Pairs in a block: columns of a usual rule stay in the fastest cache.
const LANES: usize = 64;

type Column = [f64; LANES];

/// An operation and the columns it reads; truth values are 0 and 1.
#[derive(Debug, Clone, Copy)]
enum Op {
    Constant(f64),
    Prim(Prim, u16, u16),
    Choose(u16, u16, u16),
}

/// A formula over two floats, ready to run over columns of them.
#[derive(Debug, Clone)]
pub struct Columns {
    /// Operation k writes column k + 2; columns 0 and 1 are the arguments.
    ops: Vec<Op>,
    result: u16,
}

/// Columns that a run writes; reused from run to run.
#[derive(Debug, Default)]
pub struct Scratch(Vec<Column>);

impl Columns {
    /// `None` unless the program is one formula, of two floats: no data, no calls.
    pub fn compile(program: &Program) -> Option<Columns> {
        let (params, result) = program.signature();
        if params != [Ty::FLOAT, Ty::FLOAT] || result != Ty::FLOAT || program.definitions().len() != 1 {
            return None;
        }
        let main = program.main();
        let vars = vec![(main.params[0], 0), (main.params[1], 1)];
        let mut compiler = Compiler { program, ops: Vec::new(), known: HashMap::new(), vars };
        let result = compiler.column(main.body)?;
        Some(Columns { ops: compiler.ops, result })
    }

    /// The columns of a pruning rule.
    ///
    /// # Errors
    /// A program that is no formula of two floats.
    pub fn of(rule: &Program) -> Result<Columns, Error> {
        Columns::compile(rule).ok_or_else(|| Error::NotAFormula { text: rule.to_text() })
    }

    /// Work for a pair: weighs operations by how long they take, roughly in additions.
    pub fn cost(&self) -> u64 {
        let cost = |op: &Op| match op {
            Op::Prim(Prim::Log | Prim::Exp | Prim::Tanh, ..) => 30,
            Op::Prim(Prim::DivFloat | Prim::Sqrt, ..) => 5,
            _ => 1,
        };
        self.ops.iter().map(cost).sum()
    }

    /// The values at pairs of arguments.
    ///
    /// # Panics
    /// Panics if the slices differ in length.
    pub fn run(&self, first: &[f64], second: &[f64], values: &mut [f64], scratch: &mut Scratch) {
        assert!(first.len() == second.len() && first.len() == values.len(), "one value a pair");
        scratch.0.resize(self.ops.len() + 2, [0.0; LANES]);
        let columns = &mut scratch.0[..];
        let blocks = first.chunks(LANES).zip(second.chunks(LANES)).zip(values.chunks_mut(LANES));
        for ((first, second), values) in blocks {
            columns[0][..first.len()].copy_from_slice(first);
            columns[1][..second.len()].copy_from_slice(second);
            for (k, op) in self.ops.iter().enumerate() {
                let (before, rest) = columns.split_at_mut(k + 2);
                step(op, before, &mut rest[0]);
            }
            values.copy_from_slice(&columns[self.result as usize][..values.len()]);
        }
    }
}

fn unary(a: &Column, out: &mut Column, of: impl Fn(f64) -> f64) {
    for lane in 0..LANES {
        out[lane] = of(a[lane]);
    }
}

fn binary(a: &Column, b: &Column, out: &mut Column, of: impl Fn(f64, f64) -> f64) {
    for lane in 0..LANES {
        out[lane] = of(a[lane], b[lane]);
    }
}

fn truth(value: bool) -> f64 {
    f64::from(u8::from(value))
}

#[allow(clippy::float_cmp)]
fn step(op: &Op, columns: &[Column], out: &mut Column) {
    let column = |k: u16| &columns[k as usize];
    let (prim, a, b) = match *op {
        Op::Constant(value) => {
            *out = [value; LANES];
            return;
        }
        Op::Choose(condition, yes, no) => {
            let (condition, yes, no) = (column(condition), column(yes), column(no));
            for lane in 0..LANES {
                out[lane] = if condition[lane] == 0.0 { no[lane] } else { yes[lane] };
            }
            return;
        }
        Op::Prim(prim, a, b) => (prim, column(a), column(b)),
    };
    match prim {
        Prim::AddFloat => binary(a, b, out, |a, b| a + b),
        Prim::SubFloat => binary(a, b, out, |a, b| a - b),
        Prim::MulFloat => binary(a, b, out, |a, b| a * b),
        Prim::DivFloat => binary(a, b, out, |a, b| a / b),
        Prim::Min => binary(a, b, out, prim::min),
        Prim::Max => binary(a, b, out, prim::max),
        Prim::NegFloat => unary(a, out, |a| -a),
        Prim::Abs => unary(a, out, f64::abs),
        // Rounded correctly, as that of libm is.
        Prim::Sqrt => unary(a, out, f64::sqrt),
        Prim::Log => unary(a, out, libm::log),
        Prim::Exp => unary(a, out, libm::exp),
        Prim::Tanh => unary(a, out, libm::tanh),
        Prim::LessFloat => binary(a, b, out, |a, b| truth(a < b)),
        Prim::AtMostFloat => binary(a, b, out, |a, b| truth(a <= b)),
        Prim::EqualFloat => binary(a, b, out, |a, b| truth(a == b)),
        Prim::Not => unary(a, out, |a| 1.0 - a),
        Prim::And => binary(a, b, out, |a, b| a * b),
        Prim::Or => binary(a, b, out, prim::max),
        _ => unreachable!("'{}' is of integers and was not compiled", prim.text()),
    }
}

struct Compiler<'a> {
    program: &'a Program,
    ops: Vec<Op>,
    /// Columns of expressions that are computed already and mean the same here.
    known: HashMap<Expr, u16>,
    /// Columns of the variables in scope.
    vars: Vec<(Var, u16)>,
}

impl Compiler<'_> {
    fn push(&mut self, op: Op) -> Option<u16> {
        self.ops.push(op);
        u16::try_from(self.ops.len() + 1).ok()
    }

    /// The column of an expression.
    fn column(&mut self, expr: Expr) -> Option<u16> {
        if let Some(&column) = self.known.get(&expr) {
            return Some(column);
        }
        let column = self.computed(expr)?;
        self.known.insert(expr, column);
        Some(column)
    }

    fn computed(&mut self, expr: Expr) -> Option<u16> {
        let program = self.program;
        match program.arena().node(expr) {
            Node::Float(bits) => self.push(Op::Constant(f64::from_bits(*bits))),
            Node::Bool(value) => self.push(Op::Constant(truth(*value))),
            Node::Var(var) => self.vars.iter().rev().find(|(known, _)| known == var).map(|known| known.1),
            Node::Prim(prim, args) => {
                if prim.arguments().contains(&Ty::INT) {
                    return None;
                }
                let first = self.column(args[0])?;
                let second = args.get(1).map_or(Some(first), |&arg| self.column(arg))?;
                self.push(Op::Prim(*prim, first, second))
            }
            Node::Case { subject, branches } if program.arena().ty(*subject) == Ty::BOOL => {
                let condition = self.column(*subject)?;
                let yes = self.column(branches[0].body)?;
                let no = self.column(branches[1].body)?;
                self.push(Op::Choose(condition, yes, no))
            }
            Node::Let { var, bound, body } => {
                let column = self.column(*bound)?;
                // Under another binding of the same name a body means something else.
                let outside = self.known.clone();
                self.vars.push((*var, column));
                let result = self.column(*body)?;
                self.vars.pop();
                self.known = outside;
                Some(result)
            }
            _ => None,
        }
    }
}
