//! Random programs and inputs.

use std::sync::Arc;

use treewright_core::program::{
    Arena, Atom, Definition, Expr, FunInScope, InScope, Open, PartInScope, Program, Store, Ty, Types, Value,
    Vocabulary,
};
use treewright_core::random::Random;

/// Types with lists, trees, an enumeration and mutual recursion.
pub fn types() -> Arc<Types> {
    let text = "type list = Nil | Cons of int * list
        type color = Red | Green | Blue
        type tree = Leaf of float | Node of color * forest
        type forest = Empty | More of tree * forest";
    Arc::new(Types::parse(text).expect("the declarations are sound"))
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
        Ty::FLOAT => Value::Float(treewright_core::program::random_float(random)),
        Ty::INT => Value::Int(i64::from(random.below(9)) - 2),
        Ty::BOOL => Value::Bool(random.below(2) == 0),
        Ty::Tuple(parts) => {
            let parts: Vec<Value> =
                parts.iter().map(|part| random_value(store, types, part, size, random)).collect();
            store.tuple(&parts)
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
