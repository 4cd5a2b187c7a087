//! Random programs and inputs.

use std::sync::Arc;

use crate::base::random::Random;
use crate::model::program::walk::{Open, PartInScope};
use crate::model::program::{
    Arena, Atom, Definition, Expr, FunInScope, InScope, Program, Store, Ty, Types, Value, Vocabulary,
};

/// Types with lists, trees, an enumeration and mutual recursion.
pub fn types() -> Arc<Types> {
    let text = "type list = Nil | Cons of int * list
        type color = Red | Green | Blue
        type tree = Leaf of float | Node of color * forest
        type forest = Empty | More of tree * forest
        fun f(x: int): int = x";
    Program::parse(text).expect("the declarations are sound").types().clone()
}

/// Any type a parameter may have.
pub fn random_type(types: &Types, random: &mut Random) -> Ty {
    let mut all = vec![Ty::FLOAT, Ty::INT, Ty::BOOL];
    all.extend(types.ids().map(Ty::sum));
    let pick = |random: &mut Random| all[random.below(all.len() as u32) as usize];
    match random.below(6) {
        0 => {
            let parts: Vec<Ty> = (0..2 + random.below(2)).map(|_| pick(random)).collect();
            Ty::tuple(&parts).expect("two or three parts make a tuple")
        }
        _ => pick(random),
    }
}

/// A program of one function whose body has about this size, or none if the draw was unlucky.
pub fn random_program(types: &Arc<Types>, size: usize, random: &mut Random) -> Option<Program> {
    let n_params = 1 + random.below(3);
    let params: Vec<Ty> = (0..n_params).map(|_| random_type(types, random)).collect();
    let result = random_type(types, random);
    let mut arena = Arena::new(types.clone());
    let fun = arena.declare_fun("f", &params, result);
    let params = params.into_iter().map(|ty| arena.declare_var("x", ty)).collect();
    let mut definition = Definition { fun, params, body: arena.bool(true) };
    definition.body = random_body(&mut arena, &definition, size, random)?;
    Some(Program::new(&arena, &[definition]).expect("what is generated is well typed and structural"))
}

fn random_body(arena: &mut Arena, head: &Definition, size: usize, random: &mut Random) -> Option<Expr> {
    let parts = head.params.iter().enumerate();
    let parts = parts.map(|(param, &var)| PartInScope { var, param, strict: false }).collect();
    let open = Some(Open { parts, descending: u64::MAX });
    let scope = InScope { vars: head.params.to_vec(), funs: vec![FunInScope { fun: head.fun, open }] };
    let mut vocabulary = Vocabulary::all(arena.types());
    // Fewer primitives leave more room for recursion.
    vocabulary.prims.retain(|_| random.below(4) == 0);
    let result = arena.signature(head.fun).1;
    arena.generate(result, size, &scope, &vocabulary, random)
}

/// A value of this type with about this many constructors.
pub fn random_value(store: &mut Store, types: &Types, ty: Ty, size: u32, random: &mut Random) -> Value {
    match ty {
        Ty::FLOAT => Value::Float(crate::model::program::random_float(random)),
        Ty::INT => Value::Int(i64::from(random.below(9)) - 2),
        Ty::BOOL => Value::Bool(random.below(2) == 0),
        Ty::Tuple(parts) => {
            let parts: Vec<Value> =
                parts.iter().map(|part| random_value(store, types, part, size, random)).collect();
            store.data(0, &parts)
        }
        Ty::Atom(Atom::Sum(sum)) => {
            let all = &types.sum(sum).constructors;
            // The first constructor of every type here ends the value.
            let position = if size == 0 { 0 } else { random.below(all.len() as u32) };
            let fields = all[position as usize].fields.clone();
            let share = if fields.is_empty() { 0 } else { size.saturating_sub(1) };
            let fields: Vec<Value> =
                fields.into_iter().map(|ty| random_value(store, types, ty, share, random)).collect();
            store.data(position as u8, &fields)
        }
    }
}

/// Recursive programs over [`types`], to start changing from.
pub const RECURSIVE: &[&str] = &[
    "fun sum(xs: list): int = case xs of Nil => 0 | Cons(x, rest) => x + sum(rest)",
    "fun sort(xs: list): list =
       let fun insert(ys: list, x: int): list = case ys of Nil => Cons(x, Nil)
         | Cons(y, rest) => if x <= y then Cons(x, ys) else Cons(y, insert(rest, x))
       in case xs of Nil => Nil | Cons(x, rest) => insert(sort(rest), x) end",
    "fun reverse(xs: list): list =
       let fun onto(xs: list, done: list): list = case xs of Nil => done
         | Cons(x, rest) => onto(rest, Cons(x, done)) in onto(xs, Nil) end",
    "fun fib(n: int): int =
       let fun two(n: int): int * int = case n of 0 => (0, 1)
         | m + 1 => let val (a, b) = two(m) in (b, a + b) end
       in let val (a, b) = two(n) in a end end",
    "fun weigh(t: tree, w: float): tree * float = case t of
         Leaf(x) => (Leaf(x * w), x * w)
       | Node(c, ts) =>
           let fun all(ts: forest): forest * float = case ts of Empty => (Empty, 0.0)
                 | More(t, others) => let val (t1, x) = weigh(t, w / 2.0) val (more, y) = all(others)
                     in (More(t1, more), max(x, y)) end
               val (new, most) = all(ts)
           in (case c of Red => Leaf(most) | Green => t | Blue => Node(Red, new), most + 1.0) end",
];

/// The program with the expression at a random place replaced by a random one; none if recursion would
/// not be structural any more.
pub fn replaced(program: &Program, random: &mut Random) -> Option<Program> {
    let (mut arena, mut definitions) = program.open();
    let vocabulary = Vocabulary::all(program.types());
    let n_library = definitions.len() - 1;
    let (library, main) = definitions.split_at_mut(n_library);
    let library: Vec<_> = library.iter().map(|definition| definition.fun).collect();
    let places = arena.places(main[0].body);
    let (path, old) = &places[random.below(places.len() as u32) as usize];
    let scope = arena.in_scope(&library, &main[0], path);
    let size = 1 + random.below(8) as usize;
    let new = arena.generate(arena.ty(*old), size, &scope, &vocabulary, random)?;
    main[0].body = arena.replace(main[0].body, path, new).ok()?;
    Program::new(&arena, &definitions).ok()
}
