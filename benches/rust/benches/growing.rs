//! One full tree, from a table that is ranked already.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use treewright_benches::clock::{self, CpuTime, elements};
use treewright_benches::counters;
use treewright_benches::tables::{Shape, draw};
use treewright_core::bits::BitSet;
use treewright_core::control::Control;
use treewright_core::data::Dataset;
use treewright_core::induce::{GrowthParams, Problem, grow};

const LETTERS: Shape = Shape {
    n_rows: 20_000,
    n_numeric: 16,
    n_nominal: 0,
    n_values: 16,
    n_levels: 0,
    n_classes: 26,
    missing: 0,
    noise: 20,
};
const MEASURED: Shape = Shape { n_values: 1 << 40, n_classes: 2, noise: 10, ..LETTERS };
const CENSUS: Shape =
    Shape { n_numeric: 6, n_nominal: 8, n_values: 1000, n_levels: 12, n_classes: 2, missing: 2, ..LETTERS };

/// Twenty thousand rows, whose features have few values, all different ones, or levels with gaps.
fn growing(criterion: &mut Criterion<CpuTime>) {
    let mut group = criterion.benchmark_group("grow");
    for (name, shape) in [("few values", LETTERS), ("many values", MEASURED), ("nominal, missing", CENSUS)] {
        let data = draw(shape, 1);
        let problem = problem(&data);
        let (all, control) = (BitSet::full(data.n_features()), Control::unlimited());
        count(name, &problem, &all, &control);
        group.throughput(elements((shape.n_rows * data.n_features()) as u64));
        group.bench_function(name, |bencher| bencher.iter(|| black_box(grow(&problem, &all, &control))));
    }
    group.finish();
}

/// Ranking the columns: what comes before the first tree of a table.
fn ranking(criterion: &mut Criterion<CpuTime>) {
    let raw: Vec<_> = draw(MEASURED, 1).columns().iter().map(|column| column.to_raw()).collect();
    let names: Vec<String> = (0..raw.len()).map(|i| format!("x{i}")).collect();
    let mut group = criterion.benchmark_group("rank");
    group.throughput(elements((MEASURED.n_rows * raw.len()) as u64));
    group.bench_function("many values", |bencher| {
        bencher.iter(|| Dataset::new(names.clone(), raw.clone(), vec![None; raw.len()], MEASURED.n_rows));
    });
    group.finish();
}

fn problem(data: &Dataset) -> Arc<Problem> {
    let rows = (0..data.n_rows() as u32).collect();
    Arc::new(Problem::new(data, rows, &GrowthParams::default()).expect("a drawn table can be grown from"))
}

fn count(name: &str, problem: &Problem, all: &BitSet, control: &Control) {
    let tree = grow(problem, all, control).expect("the problem is sound").found().expect("nothing ends it");
    counters::print(&format!("grow/{name}"), &[("nodes", tree.nodes().len() as u64)]);
}

criterion_group! { name = benches; config = clock::criterion(); targets = growing, ranking }
criterion_main!(benches);
