//! Programs: run by the machine, simplified, compiled.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use treewright_benches::clock::{self, CpuTime, elements};
use treewright_benches::counters;
use treewright_core::program::{Heap, Limits, Machine, Program, Store, Value, examples};
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
    }
    group.finish();
}

/// A rule and a pruner opened, simplified and closed again; and compiled.
fn changing(criterion: &mut Criterion<CpuTime>) {
    let mut group = criterion.benchmark_group("programs");
    group.throughput(elements(1));
    for (name, text) in [("rule", examples::PUBLISHED), ("pruner", examples::NAIVE)] {
        let program = Program::parse(text).expect("the program is sound");
        group.bench_function(format!("simplify a {name}"), |bencher| {
            bencher.iter(|| black_box(program.simplify()));
        });
        group.bench_function(format!("compile a {name}"), |bencher| {
            bencher.iter(|| black_box(program.compile()));
        });
    }
    group.finish();
}

criterion_group! { name = benches; config = clock::criterion(); targets = running, changing }
criterion_main!(benches);
