//! The nine tasks: types, start, symbols, examples.
//!
//! Examples come from plain Rust functions that say what the right output is; the search sees inputs,
//! outputs and how far an output is from the right one, nothing else.

use treewright_core::evolve::Examples;
use treewright_core::program::{Prim, Program, Store, Ty, Value, Vocabulary};
use treewright_core::random::Random;

/// A program to be invented.
pub struct Task {
    pub name: &'static str,
    pub what: &'static str,
    pub start: Program,
    /// Programs to make in a run at most.
    pub budget: u64,
    /// Largest programs, in bits.
    pub most_bits: f64,
    pub seen: Examples,
    /// Larger inputs: a run counts as successful, and no more are made, if its program is right on these.
    pub check: Examples,
    /// Larger inputs again, looked at once, at the end.
    pub unseen: Examples,
}

/// All tasks.
pub fn all() -> Vec<Task> {
    let mut tasks = vec![reverse(), sort(), sublists(), delete()];
    tasks.extend(sequences());
    tasks.push(primes());
    tasks
}

const LIST: &str = "type list = Nil | Cons of int * list\n";

/// Symbols over the start's types: constructors and cases of all of them, and these primitives.
fn symbols(start: &Program, prims: &[Prim], more_cases: &[Ty]) -> Vocabulary {
    let mut vocabulary = Vocabulary::all(start.types());
    vocabulary.prims = prims.to_vec();
    vocabulary.cases = start.types().ids().map(Ty::sum).chain(more_cases.iter().copied()).collect();
    (vocabulary.float_constants, vocabulary.bool_constants) = (false, false);
    (vocabulary.values, vocabulary.functions) = (false, false);
    vocabulary.int_constants = more_cases.contains(&Ty::INT);
    vocabulary
}

fn list(store: &mut Store, items: &[i64]) -> Value {
    let end = store.data(0, &[]);
    items.iter().rev().fold(end, |rest, &item| store.data(1, &[Value::Int(item), rest]))
}

/// A list of random numbers of each length.
fn lists_of(lengths: &[u32], seed: u64) -> Vec<Vec<i64>> {
    let mut random = Random::stream(seed, 0);
    let mut make = |&length: &u32| (0..length).map(|_| i64::from(random.below(20))).collect();
    lengths.iter().map(&mut make).collect()
}

/// A task from lists to something.
fn on_lists(
    start: &Program,
    vocabulary: &Vocabulary,
    inputs: &[Vec<i64>],
    right: impl Fn(&mut Store, &[i64]) -> Value,
) -> Examples {
    let mut store = Store::new();
    let words: Vec<Vec<Value>> = inputs.iter().map(|items| vec![list(&mut store, items)]).collect();
    let outputs: Vec<Value> = inputs.iter().map(|items| right(&mut store, items)).collect();
    with(Examples::new(start, None, &store, &words, &outputs).expect("examples fit"), vocabulary)
}

fn with(mut examples: Examples, vocabulary: &Vocabulary) -> Examples {
    examples.inputs.vocabulary = vocabulary.clone();
    examples.inputs.limits.steps = 3_000;
    examples
}

/// The same examples with more room for large inputs.
fn roomy(mut examples: Examples) -> Examples {
    examples.inputs.limits = treewright_core::program::Limits::default();
    examples
}

fn reverse() -> Task {
    let start = Program::parse(&format!("{LIST}fun reverse(xs: list): list = xs")).expect("the start reads");
    let vocabulary = symbols(&start, &[], &[]);
    let right = |store: &mut Store, items: &[i64]| {
        let turned: Vec<i64> = items.iter().rev().copied().collect();
        list(store, &turned)
    };
    Task {
        name: "reverse",
        what: "a list from back to front",
        budget: 250_000,
        most_bits: 120.0,
        seen: on_lists(&start, &vocabulary, &lists_of(&[0, 1, 2, 2, 3, 3, 4, 4, 5, 5], 1), right),
        check: roomy(on_lists(
            &start,
            &vocabulary,
            &lists_of(&[6, 6, 6, 7, 7, 7, 8, 8, 8, 9, 9, 9, 10, 10, 10, 11, 11, 11], 4),
            right,
        )),
        unseen: roomy(on_lists(
            &start,
            &vocabulary,
            &lists_of(&[6, 6, 6, 7, 7, 7, 8, 8, 8, 9, 9, 9, 10, 10, 10, 11, 11, 11], 2),
            right,
        )),
        start,
    }
}

fn sort() -> Task {
    let start = Program::parse(&format!("{LIST}fun sort(xs: list): list = xs")).expect("the start reads");
    let vocabulary = symbols(&start, &[Prim::AtMostInt], &[Ty::BOOL]);
    let right = |store: &mut Store, items: &[i64]| {
        let mut sorted = items.to_vec();
        sorted.sort_unstable();
        list(store, &sorted)
    };
    Task {
        name: "sort",
        what: "a list in ascending order, the insertion invented",
        budget: 250_000,
        most_bits: 130.0,
        seen: on_lists(
            &start,
            &vocabulary,
            &[
                lists_of(&[0, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5], 1),
                lists_of(&[8, 12, 16], 3),
            ]
            .concat(),
            right,
        ),
        check: roomy(on_lists(&start, &vocabulary, &lists_of(&[10, 20, 25, 30], 4), right)),
        unseen: roomy(on_lists(&start, &vocabulary, &lists_of(&[10, 20, 25, 30], 2), right)),
        start,
    }
}

fn sublists() -> Task {
    let types = format!("{LIST}type lists = None | More of list * lists\n");
    let text = format!("{types}fun sublists(xs: list): lists = None");
    let start = Program::parse(&text).expect("the start reads");
    let vocabulary = symbols(&start, &[], &[]);
    // Those of the rest by turns without and with the first item.
    fn all(items: &[i64]) -> Vec<Vec<i64>> {
        let Some((&first, rest)) = items.split_first() else { return vec![Vec::new()] };
        let with_first = |kept: Vec<i64>| [kept.clone(), [vec![first], kept].concat()];
        all(rest).into_iter().flat_map(with_first).collect()
    }
    let right = |store: &mut Store, items: &[i64]| {
        let end = store.data(0, &[]);
        let found = all(items);
        found.iter().rev().fold(end, |rest, kept| {
            let kept = list(store, kept);
            store.data(1, &[kept, rest])
        })
    };
    Task {
        name: "sublists",
        what: "all lists that a list becomes by leaving items out",
        budget: 250_000,
        most_bits: 120.0,
        seen: on_lists(&start, &vocabulary, &lists_of(&[0, 1, 3, 4, 5], 1), right),
        check: roomy(on_lists(&start, &vocabulary, &lists_of(&[5, 5, 6, 6, 7, 7], 4), right)),
        unseen: roomy(on_lists(&start, &vocabulary, &lists_of(&[5, 5, 6, 6, 7, 7], 2), right)),
        start,
    }
}

/// A search tree, as Rust holds it.
enum Tree {
    Leaf,
    Node(Box<Tree>, i64, Box<Tree>),
}

impl Tree {
    fn insert(self, key: i64) -> Tree {
        match self {
            Tree::Leaf => Tree::Node(Box::new(Tree::Leaf), key, Box::new(Tree::Leaf)),
            Tree::Node(left, own, right) if key < own => Tree::Node(Box::new(left.insert(key)), own, right),
            Tree::Node(left, own, right) if key > own => Tree::Node(left, own, Box::new(right.insert(key))),
            node => node,
        }
    }

    fn value(&self, store: &mut Store) -> Value {
        match self {
            Tree::Leaf => store.data(0, &[]),
            Tree::Node(left, key, right) => {
                let (left, right) = (left.value(store), right.value(store));
                store.data(1, &[left, Value::Int(*key), right])
            }
        }
    }

    fn keys(&self) -> Vec<i64> {
        match self {
            Tree::Leaf => Vec::new(),
            Tree::Node(left, key, right) => [left.keys(), vec![*key], right.keys()].concat(),
        }
    }
}

const TREE: &str = "type tree = Leaf | Node of tree * int * tree\n";

/// What counts of a tree: its keys from left to right, so that every search tree of these is right.
const KEYS: &str = "fun keys(t: tree): list =
    let fun onto(t: tree, done: list): list = case t of Leaf => done
        | Node(left, key, right) => onto(left, Cons(key, onto(right, done)))
    in onto(t, Nil) end";

fn deletions(start: &Program, vocabulary: &Vocabulary, n: u64, largest: u32, seed: u64) -> Examples {
    let view = Program::parse_with(start.types(), KEYS).expect("the view reads");
    let mut store = Store::new();
    let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
    for k in 0..n {
        let mut random = Random::stream(seed, k);
        let n_keys = random.below(largest + 1);
        let tree = (0..n_keys).fold(Tree::Leaf, |tree, _| tree.insert(random.below(20).into()));
        let keys = tree.keys();
        let out = match keys.len() {
            0 => 7,
            n if k % 6 > 0 => keys[random.below(n as u32) as usize],
            _ => i64::from(random.below(20)),
        };
        let left: Vec<i64> = keys.into_iter().filter(|&key| key != out).collect();
        inputs.push(vec![Value::Int(out), tree.value(&mut store)]);
        outputs.push(list(&mut store, &left));
    }
    let examples = Examples::new(start, Some(&view), &store, &inputs, &outputs);
    with(examples.expect("examples fit"), vocabulary)
}

fn delete() -> Task {
    let text = format!("{LIST}{TREE}fun delete(key: int, t: tree): tree = t");
    let start = Program::parse(&text).expect("the start reads");
    let mut vocabulary = symbols(&start, &[Prim::LessInt, Prim::EqualInt], &[Ty::BOOL]);
    // Lists are for the view alone.
    let tree = start.types().find("tree").expect("the type is declared");
    vocabulary.constructors.retain(|tag| tag.sum == tree);
    vocabulary.cases.retain(|&ty| ty == Ty::BOOL || ty == Ty::sum(tree));
    Task {
        name: "delete",
        what: "a search tree without a key",
        budget: 250_000,
        most_bits: 220.0,
        seen: deletions(&start, &vocabulary, 60, 7, 1),
        check: roomy(deletions(&start, &vocabulary, 60, 12, 4)),
        unseen: roomy(deletions(&start, &vocabulary, 60, 12, 2)),
        start,
    }
}

const NUMBERS: &[Prim] =
    &[Prim::AddInt, Prim::SubInt, Prim::MulInt, Prim::DivInt, Prim::ModInt, Prim::LessInt, Prim::EqualInt];

fn on_numbers(
    start: &Program,
    vocabulary: &Vocabulary,
    numbers: std::ops::Range<i64>,
    right: impl Fn(&mut Store, i64) -> Value,
) -> Examples {
    let mut store = Store::new();
    let inputs: Vec<Vec<Value>> = numbers.clone().map(|n| vec![Value::Int(n)]).collect();
    let outputs: Vec<Value> = numbers.map(|n| right(&mut store, n)).collect();
    with(Examples::new(start, None, &store, &inputs, &outputs).expect("examples fit"), vocabulary)
}

/// Name, what it is, and its n-th number.
type Sequence = (&'static str, &'static str, fn(i64) -> i64);

fn sequences() -> Vec<Task> {
    let all: [Sequence; 4] = [
        ("triangular", "1 + 2 + ... + n", |n| n * (n + 1) / 2),
        ("fibonacci", "0, 1, 1, 2, 3, 5, 8, ...", |n| (0..n).fold((0, 1), |(a, b), _| (b, a + b)).0),
        ("alternating", "1 - 2 + 3 - ... n", |n| (1..=n).map(|k| if k % 2 == 1 { k } else { -k }).sum()),
        ("powers", "1, 2, 4, 8, ...", |n| 1 << n),
    ];
    let task = |(name, what, right): Sequence| {
        let start = Program::parse("fun f(n: int): int = n").expect("the start reads");
        let vocabulary = symbols(&start, NUMBERS, &[Ty::INT, Ty::BOOL]);
        let value = |_: &mut Store, n: i64| Value::Int(right(n));
        let seen = on_numbers(&start, &vocabulary, 0..10, value);
        let check = roomy(on_numbers(&start, &vocabulary, 10..14, value));
        let unseen = roomy(on_numbers(&start, &vocabulary, 14..18, value));
        Task { name, what, budget: 250_000, most_bits: 100.0, seen, check, unseen, start }
    };
    all.into_iter().map(task).collect()
}

fn primes() -> Task {
    let start = Program::parse(&format!("{LIST}fun primes(n: int): list = Nil")).expect("the start reads");
    let vocabulary = symbols(&start, NUMBERS, &[Ty::INT, Ty::BOOL]);
    let right = |store: &mut Store, n: i64| {
        let is_prime = |n: i64| n > 1 && (2..n).all(|d| n % d != 0);
        let found: Vec<i64> = (0..n).rev().filter(|&k| is_prime(k)).collect();
        list(store, &found)
    };
    Task {
        name: "primes",
        what: "the primes below n, from large to small",
        budget: 250_000,
        most_bits: 160.0,
        seen: on_numbers(&start, &vocabulary, 0..26, right),
        check: roomy(on_numbers(&start, &vocabulary, 40..50, right)),
        unseen: roomy(on_numbers(&start, &vocabulary, 50..60, right)),
        start,
    }
}
