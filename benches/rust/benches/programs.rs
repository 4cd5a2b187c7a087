//! Programs: run by the machine, judged by the interpreter, opened and closed again, changed.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use treewright_benches::clock::{self, CpuTime, elements};
use treewright_benches::counters;
use treewright_core::program::{
    Definition, Heap, Limits, Machine, Program, Store, Ty, Value, Vocabulary, examples, interpret,
};
use treewright_core::random::Random;

const LIMITS: Limits = Limits { steps: u64::MAX, heap: 1 << 26, stack: 1 << 22 };

const SORT: &str = "type list = Nil | Cons of int * list
    fun sort(n: int): list =
      let fun make(n: int, xs: list): list =
            case n of 0 => xs | m + 1 => make(m, Cons(n * 7919 mod 1009, xs))
          fun sorted(xs: list): list =
            let fun insert(ys: list, x: int): list = case ys of Nil => Cons(x, Nil)
                  | Cons(y, rest) => if x <= y then Cons(x, ys) else Cons(y, insert(rest, x))
            in case xs of Nil => Nil | Cons(x, rest) => insert(sorted(rest), x) end
      in sorted(make(n, Nil)) end";

const FIBONACCI: &str =
    "fun f(n: int): int = case n of 0 => 1 | m + 1 => case m of 0 => 1 | k + 1 => f(m) + f(k)";

/// A binary decision tree of this depth over so many rows.
fn tree(store: &mut Store, depth: usize, rows: f64, random: &mut Random) -> Value {
    let right = (rows * (0.5 + f64::from(random.below(50)) / 100.0)).floor();
    let mark = store.data(0, &[Value::Int(depth as i64)]);
    let head = [mark, Value::Float(right), Value::Float(rows)];
    if depth == 0 {
        return store.data(0, &head);
    }
    let half = (rows / 2.0).floor();
    let children = [half, rows - half].map(|rows| tree(store, depth - 1, rows, random));
    let end = store.data(0, &[]);
    let list = children.into_iter().fold(end, |rest, child| store.data(1, &[child, rest]));
    store.data(1, &[head[0], head[1], head[2], list])
}

/// Basic steps of recursive programs, on integers, on lists, on decision trees.
fn running(criterion: &mut Criterion<CpuTime>) {
    let mut store = Store::new();
    let decisions = tree(&mut store, 8, 500.0, &mut Random::stream(1, 1));
    let cases = [
        ("fibonacci", FIBONACCI, Value::Int(20)),
        ("sort", SORT, Value::Int(300)),
        ("naive pruner", examples::NAIVE, decisions),
    ];
    let mut group = criterion.benchmark_group("program");
    for (name, text, argument) in cases {
        let program = Program::parse(text).expect("the program is sound");
        let (code, mut machine, mut heap) = (program.compile(), Machine::new(), Heap::new());
        let word = heap.load(&store, argument);
        let n_words = heap.n_words();
        let mut run = || {
            heap.truncate(n_words);
            machine.run(&code, &mut heap, &[word], &LIMITS).expect("the limits are wide").steps
        };
        let n_steps = run();
        counters::print(
            &format!("program/{name}"),
            &[("steps", n_steps), ("instructions", code.n_ops() as u64)],
        );
        group.throughput(elements(n_steps));
        group.bench_function(name, |bencher| bencher.iter(|| black_box(run())));
        group.bench_function(format!("{name}, interpreted"), |bencher| {
            bencher.iter(|| {
                let mut store = store.clone();
                black_box(interpret(&program, &mut store, &[argument], &LIMITS).expect("the argument fits"))
            });
        });
    }
    group.finish();
}

/// A child of the published rule: opened, a random place replaced, closed; and compiling.
fn changing(criterion: &mut Criterion<CpuTime>) {
    let rule = Program::parse(examples::PUBLISHED).expect("the program is sound");
    let pruner = Program::parse(examples::NAIVE).expect("the program is sound");
    let mut group = criterion.benchmark_group("programs");
    group.throughput(elements(1));
    for (name, program) in [("rule", &rule), ("pruner", &pruner)] {
        group.bench_function(format!("open and close a {name}"), |bencher| {
            bencher.iter(|| {
                let (arena, definitions) = program.open();
                black_box(Program::new(&arena, &definitions).expect("it was a program"))
            });
        });
        group.bench_function(format!("compile a {name}"), |bencher| {
            bencher.iter(|| black_box(program.compile()));
        });
    }
    let (vocabulary, mut stream) = (Vocabulary::scalar(), 0);
    group.bench_function("a child of a rule", |bencher| {
        bencher.iter(|| {
            stream += 1;
            black_box(child(&rule, &vocabulary, &mut Random::stream(1, stream)))
        });
    });
    group.finish();
}

fn child(rule: &Program, vocabulary: &Vocabulary, random: &mut Random) -> Option<Program> {
    let (mut arena, definitions) = rule.open();
    let main = &definitions[0];
    let places = arena.places(main.body);
    let (path, _) = &places[random.below(places.len() as u32) as usize];
    let scope = arena.in_scope(&[], main, path);
    let new = arena.generate(Ty::FLOAT, 6, &scope, vocabulary, random)?;
    let body = arena.replace(main.body, path, new).ok()?;
    Program::new(&arena, &[Definition { body, ..main.clone() }]).ok()
}

criterion_group! { name = benches; config = clock::criterion(); targets = running, changing }
criterion_main!(benches);
