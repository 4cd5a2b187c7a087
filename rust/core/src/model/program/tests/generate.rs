//! Random expressions: of the wished type and size, the same for the same stream, and of every kind.

use std::collections::BTreeMap;

use super::programs::{RECURSIVE, random_program, random_type, types};
use crate::base::random::Random;
use crate::model::program::walk::{Open, PartInScope};
use crate::model::program::{
    Arena, Definition, Expr, FunInScope, InScope, Node, Prim, Program, Ty, Var, Vocabulary,
};

fn scalar_scope(arena: &mut Arena) -> InScope {
    let vars = ["c", "n"].iter().map(|name| arena.declare_var(name, Ty::FLOAT)).collect();
    InScope { vars, funs: Vec::new() }
}

#[test]
fn formulas_have_the_wished_size() {
    let vocabulary = Vocabulary { cases: vec![], values: false, ..Vocabulary::scalar() };
    for size in 1..40 {
        for seed in 0..20 {
            let mut arena = Arena::default();
            let scope = scalar_scope(&mut arena);
            let mut random = Random::stream(size, seed);
            let expr = arena.generate(Ty::FLOAT, size as usize, &scope, &vocabulary, &mut random).unwrap();
            assert_eq!(arena.size(expr), size as usize, "{:?}", arena.node(expr));
            assert_eq!(arena.ty(expr), Ty::FLOAT);
        }
    }
}

#[test]
fn expressions_of_every_type_keep_to_the_size() {
    let types = types();
    let vocabulary = Vocabulary::all(&types);
    let (mut n_made, mut n_full) = (0, 0);
    for seed in 0..600 {
        let mut random = Random::stream(11, seed);
        let mut arena = Arena::new(types.clone());
        let ty = random_type(&types, &mut random);
        let size = 1 + random.below(30) as usize;
        match arena.generate(ty, size, &InScope::default(), &vocabulary, &mut random) {
            Some(expr) => {
                n_made += 1;
                n_full += usize::from(arena.size(expr) + 3 >= size);
                assert!(arena.size(expr) <= size, "{:?} of {size}", arena.node(expr));
                assert_eq!(arena.ty(expr), ty);
                assert!(arena.free_vars(expr).is_empty() && arena.free_funs(expr).is_empty());
            }
            // Two parts of a pair need three nodes, and a tree of one leaf two.
            None => assert!(size < 8),
        }
    }
    assert!(n_made > 550 && n_full > 300, "{n_made} {n_full}");
}

#[test]
fn the_same_stream_gives_the_same_program() {
    let types = types();
    for seed in 0..50 {
        let draw = |seed| random_program(&types, 25, &mut Random::stream(2, seed)).map(|p| p.to_text());
        assert_eq!(draw(seed), draw(seed));
    }
    let all: Vec<_> =
        (0..50).filter_map(|seed| random_program(&types, 25, &mut Random::stream(2, seed))).collect();
    let distinct: std::collections::HashSet<u128> = all.iter().map(Program::fingerprint).collect();
    assert_eq!(distinct.len(), all.len());
}

fn prims(arena: &Arena, expr: Expr, counts: &mut BTreeMap<Prim, usize>) {
    if let Node::Prim(prim, _) = arena.node(expr) {
        *counts.entry(*prim).or_default() += 1;
    }
    arena.node(expr).children().into_iter().for_each(|child| prims(arena, child, counts));
}

#[test]
fn every_primitive_is_about_as_likely_at_a_root() {
    let vocabulary = Vocabulary { cases: vec![], values: false, ..Vocabulary::scalar() };
    let mut counts = BTreeMap::new();
    for seed in 0..2_400 {
        let mut arena = Arena::default();
        let scope = scalar_scope(&mut arena);
        let expr = arena.generate(Ty::FLOAT, 3, &scope, &vocabulary, &mut Random::stream(4, seed)).unwrap();
        let Node::Prim(prim, _) = arena.node(expr) else {
            panic!("three nodes have an operation at the root")
        };
        *counts.entry(*prim).or_insert(0) += 1;
    }
    assert_eq!(counts.len(), Prim::FLOAT.len());
    assert!(counts.values().all(|&n: &i32| (n - 200).abs() < 60), "{counts:?}");
}

#[test]
fn what_is_not_in_the_vocabulary_is_not_used() {
    let vocabulary =
        Vocabulary { prims: vec![Prim::AddFloat, Prim::Sqrt], cases: vec![], ..Vocabulary::scalar() };
    let mut counts = BTreeMap::new();
    for seed in 0..200 {
        let mut arena = Arena::default();
        let scope = scalar_scope(&mut arena);
        let expr = arena.generate(Ty::FLOAT, 12, &scope, &vocabulary, &mut Random::stream(5, seed)).unwrap();
        prims(&arena, expr, &mut counts);
    }
    assert_eq!(counts.keys().copied().collect::<Vec<_>>(), [Prim::AddFloat, Prim::Sqrt]);
    let none = Vocabulary { float_constants: false, ..vocabulary };
    let nothing =
        Arena::default().generate(Ty::FLOAT, 9, &InScope::default(), &none, &mut Random::stream(0, 0));
    assert!(nothing.is_none(), "without constants and variables there is no float");
}

#[test]
fn a_place_knows_what_is_in_scope() {
    let program = Program::parse_with(&types(), RECURSIVE[1]).unwrap();
    let (arena, definitions) = program.open();
    let main = &definitions[0];
    // sort: the body of insert, in the branch of a cons.
    let path = [0, 2];
    let scope = arena.in_scope(&[], main, &path);
    let names: Vec<&str> = scope.vars.iter().map(|&var| arena.var_name(var)).collect();
    assert_eq!(names, ["xs", "ys", "x", "y", "rest"]);
    let parts = |known: &FunInScope| -> Vec<(String, usize, bool)> {
        let open = known.open.as_ref().expect("the place is in its body");
        let part = |p: &PartInScope| (arena.var_name(p.var).to_owned(), p.param, p.strict);
        open.parts.iter().map(part).collect()
    };
    assert_eq!(parts(&scope.funs[0])[0], ("xs".to_owned(), 0, false));
    let insert = &scope.funs[1];
    assert_eq!(
        parts(insert),
        [
            ("ys".to_owned(), 0, false),
            ("x".to_owned(), 1, false),
            ("y".to_owned(), 0, true),
            ("rest".to_owned(), 0, true)
        ]
    );
    assert_eq!(insert.open.as_ref().map(|open| open.descending), Some(1), "insert descends on its first");
    let outside = arena.in_scope(&[], main, &[1]);
    assert_eq!(outside.funs.iter().filter(|known| known.open.is_none()).count(), 1);
}

#[test]
fn recursion_is_made_where_it_is_allowed() {
    let types = types();
    let vocabulary = Vocabulary::all(&types);
    let mut n_recursive = 0;
    for seed in 0..300 {
        let mut random = Random::stream(6, seed);
        let mut arena = Arena::new(types.clone());
        let fun = arena.declare_fun("f", &[Ty::INT], Ty::INT);
        let params: Box<[Var]> = [arena.declare_var("n", Ty::INT)].into();
        let parts = vec![PartInScope { var: params[0], param: 0, strict: false }];
        let open = Some(Open { parts, descending: u64::MAX });
        let scope = InScope { vars: params.to_vec(), funs: vec![FunInScope { fun, open }] };
        let Some(body) = arena.generate(Ty::INT, 30, &scope, &vocabulary, &mut random) else { continue };
        n_recursive += usize::from(arena.free_funs(body).contains(&fun));
        Program::new(&arena, &[Definition { fun, params, body }]).expect("recursion is structural");
    }
    assert!(n_recursive > 10, "{n_recursive}");
}
