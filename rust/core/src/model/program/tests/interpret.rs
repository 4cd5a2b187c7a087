//! The plain interpreter: walks the expression as it is written and judges the machine.
//!
//! Values carry their types and every use of one is checked, so an ill-typed program would show. The
//! stack is explicit, so a long recursion is no deep recursion here.

use crate::model::program::identities::apply;
use crate::model::program::{
    Expr, Fun, Limits, Node, Prim, Program, ProgramError, Result, Run, Stop, Store, Tag, Value,
};

/// Runs the main function on arguments from a store, which receives the data made on the way.
///
/// # Errors
/// Arguments that do not fit the signature. Running into a limit is a [`Stop`], not an error.
pub fn interpret(
    program: &Program,
    store: &mut Store,
    args: &[Value],
    limits: &Limits,
) -> Result<std::result::Result<Run<Value>, Stop>> {
    check_arguments(program, store, args)?;
    let n_words = store.n_words();
    let mut machine = Machine {
        program,
        store,
        limits,
        n_words,
        steps: 0,
        env: args.to_vec(),
        funs: top_level(program),
        values: Vec::new(),
        todo: vec![Task::Eval(program.main().body)],
    };
    Ok(machine.run().map(|value| Run { value, steps: machine.steps }))
}

fn check_arguments(program: &Program, store: &Store, args: &[Value]) -> Result<()> {
    let (types, params) = (program.types(), program.signature().0);
    if params.len() != args.len() {
        let what = "arguments of the program".to_owned();
        return Err(ProgramError::Arity { what, expected: params.len(), found: args.len() });
    }
    for (k, (&ty, &arg)) in params.iter().zip(args).enumerate() {
        if !store.fits(types, ty, arg) {
            let what = format!("argument {} of the program", k + 1);
            let found = format!("{arg:?}");
            return Err(ProgramError::Mismatch { what, expected: types.name(ty), found });
        }
    }
    Ok(())
}

/// A function in scope: its body, and how many variables are in scope around it.
#[derive(Clone, Copy)]
struct Known {
    fun: Fun,
    body: Expr,
    level: usize,
}

fn top_level(program: &Program) -> Vec<Known> {
    program.definitions().iter().map(|d| Known { fun: d.fun, body: d.body, level: 0 }).collect()
}

/// What is still to be done, the next thing last.
enum Task {
    Eval(Expr),
    /// Apply to the last values.
    Prim(Prim, usize),
    Construct(u8, usize),
    Call(Fun, usize),
    /// Go on in the branch that the last value chooses.
    Branch(Expr),
    /// Bind the last value and go on.
    Bind(Expr),
    /// Forget variables and functions past these numbers.
    Leave(usize, usize),
    /// Go back to the caller's variables and functions.
    Return(Vec<Value>, Vec<Known>),
}

struct Machine<'a> {
    program: &'a Program,
    store: &'a mut Store,
    limits: &'a Limits,
    /// Words in the store before the run.
    n_words: usize,
    steps: u64,
    /// Variables in scope by their levels.
    env: Vec<Value>,
    funs: Vec<Known>,
    values: Vec<Value>,
    todo: Vec<Task>,
}

impl Machine<'_> {
    fn run(&mut self) -> std::result::Result<Value, Stop> {
        while let Some(task) = self.todo.pop() {
            match task {
                Task::Eval(expr) => self.eval(expr)?,
                Task::Prim(prim, n) => {
                    let args = self.pop(n);
                    self.values.push(apply(prim, &args));
                }
                Task::Construct(position, n) => self.construct(position, n)?,
                Task::Call(fun, n) => self.call(fun, n),
                Task::Branch(expr) => self.branch(expr),
                Task::Bind(body) => {
                    let value = self.pop(1);
                    self.go_on(&value, body);
                }
                Task::Leave(n_vars, n_funs) => {
                    self.env.truncate(n_vars);
                    self.funs.truncate(n_funs);
                }
                Task::Return(env, funs) => (self.env, self.funs) = (env, funs),
            }
            if self.todo.len() > self.limits.stack {
                return Err(Stop::Memory);
            }
        }
        Ok(self.values.pop().expect("a program leaves its value"))
    }

    fn pop(&mut self, n: usize) -> Vec<Value> {
        self.values.split_off(self.values.len() - n)
    }

    fn eval(&mut self, expr: Expr) -> std::result::Result<(), Stop> {
        self.steps += 1;
        if self.steps > self.limits.steps {
            return Err(Stop::Steps);
        }
        let program = self.program;
        let then = |task: Task, args: &[Expr], todo: &mut Vec<Task>| {
            todo.push(task);
            todo.extend(args.iter().rev().map(|&arg| Task::Eval(arg)));
        };
        match program.arena().node(expr) {
            Node::Float(bits) => self.values.push(Value::Float(f64::from_bits(*bits))),
            Node::Int(value) => self.values.push(Value::Int(*value)),
            Node::Bool(value) => self.values.push(Value::Bool(*value)),
            Node::Var(var) => self.values.push(self.env[program.level(*var)]),
            Node::Prim(prim, args) => then(Task::Prim(*prim, args.len()), args, &mut self.todo),
            Node::Construct(Tag { position, .. }, args) => {
                then(Task::Construct(*position, args.len()), args, &mut self.todo);
            }
            Node::Tuple(args) => then(Task::Construct(0, args.len()), args, &mut self.todo),
            Node::Call(fun, args) => then(Task::Call(*fun, args.len()), args, &mut self.todo),
            Node::Case { subject, .. } => then(Task::Branch(expr), &[*subject], &mut self.todo),
            Node::Let { bound, body, .. } => then(Task::Bind(*body), &[*bound], &mut self.todo),
            Node::LetFun { fun, body, rest, .. } => {
                self.todo.push(Task::Leave(self.env.len(), self.funs.len()));
                self.funs.push(Known { fun: *fun, body: *body, level: self.env.len() });
                self.todo.push(Task::Eval(*rest));
            }
        }
        Ok(())
    }

    fn construct(&mut self, position: u8, n: usize) -> std::result::Result<(), Stop> {
        if self.store.n_words() - self.n_words + n > self.limits.heap {
            return Err(Stop::Memory);
        }
        let fields = self.pop(n);
        let value = self.store.data(position, &fields);
        self.values.push(value);
        Ok(())
    }

    fn call(&mut self, fun: Fun, n: usize) {
        let position = self.funs.iter().rposition(|known| known.fun == fun).expect("a program is closed");
        let known = self.funs[position];
        let mut env = self.env[..known.level].to_vec();
        env.extend(self.pop(n));
        let funs = self.funs[..=position].to_vec();
        let caller = (std::mem::replace(&mut self.env, env), std::mem::replace(&mut self.funs, funs));
        self.todo.push(Task::Return(caller.0, caller.1));
        self.todo.push(Task::Eval(known.body));
    }

    fn branch(&mut self, case: Expr) {
        let program = self.program;
        let Node::Case { branches, .. } = program.arena().node(case) else {
            unreachable!("only a case waits for a branch")
        };
        let (k, binds) = match self.pop(1)[0] {
            Value::Bool(value) => (usize::from(!value), Vec::new()),
            Value::Int(value) if value <= 0 => (0, Vec::new()),
            Value::Int(value) => (1, vec![Value::Int(value - 1)]),
            Value::Data(cell) => (self.store.position(cell).into(), self.store.fields(cell).to_vec()),
            Value::Float(value) => panic!("no case on the float {value}"),
        };
        assert_eq!(branches[k].vars.len(), binds.len(), "a branch binds the parts of its value");
        self.go_on(&binds, branches[k].body);
    }

    /// Evaluates `body` with more variables.
    fn go_on(&mut self, binds: &[Value], body: Expr) {
        self.todo.push(Task::Leave(self.env.len(), self.funs.len()));
        self.env.extend_from_slice(binds);
        self.todo.push(Task::Eval(body));
    }
}
