//! Backward elimination to its stop, seven rows in ten building and three judging.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use treewright_benches::clock::{self, CpuTime, elements};
use treewright_benches::counters;
use treewright_benches::tables::{Shape, draw};
use treewright_core::bits::BitSet;
use treewright_core::control::Control;
use treewright_core::data::Dataset;
use treewright_core::distinct::{
    Direction, Evaluator, Retrain, Selection, SelectionRules, incremental, select,
};
use treewright_core::induce::{GrowthParams, Problem};
use treewright_core::outcome::Outcome;

const SMALL: Shape = Shape {
    n_rows: 400,
    n_numeric: 60,
    n_nominal: 0,
    n_values: 1 << 40,
    n_levels: 0,
    n_classes: 2,
    missing: 0,
    noise: 10,
};
const WIDE: Shape = Shape { n_rows: 1000, n_numeric: 300, n_values: 500, ..SMALL };
const MIXED: Shape =
    Shape { n_rows: 3000, n_numeric: 10, n_nominal: 20, n_values: 100, n_levels: 4, missing: 3, ..SMALL };

/// From every feature down, trees adapted; and on the small table trees from scratch as well.
fn elimination(criterion: &mut Criterion<CpuTime>) {
    let mut group = criterion.benchmark_group("eliminate");
    for (name, shape) in [("small", SMALL), ("wide", WIDE), ("nominal, missing", MIXED)] {
        let data = draw(shape, 1);
        let (problem, validation) = split(&data);
        let run = || eliminate(&mut *incremental(problem.clone(), validation.clone()), data.n_features());
        let selection = run();
        count(&format!("eliminate/{name}"), &selection);
        group.throughput(elements(selection.stats.n_searched));
        group.bench_function(name, |bencher| bencher.iter(|| black_box(run())));
    }
    let data = draw(SMALL, 1);
    let (problem, validation) = split(&data);
    let run = || eliminate(&mut Retrain::new(problem.clone(), &data, validation.clone()), data.n_features());
    let selection = run();
    count("eliminate/small, from scratch", &selection);
    group.throughput(elements(selection.stats.n_searched));
    group.bench_function("small, from scratch", |bencher| bencher.iter(|| black_box(run())));
    group.finish();
}

/// The training rows as a problem, and the validation rows.
fn split(data: &Dataset) -> (Arc<Problem>, Vec<u32>) {
    let (validation, training) = (0..data.n_rows() as u32).partition(|row| row % 10 >= 7);
    let problem = Problem::new(data, training, &GrowthParams::default());
    (Arc::new(problem.expect("a drawn table can be grown from")), validation)
}

fn eliminate(evaluator: &mut dyn Evaluator, n_features: usize) -> Outcome<Selection> {
    let rules = SelectionRules {
        direction: Direction::Backward,
        floating: false,
        tolerance: 0,
        parsimonious: false,
        min_features: 0,
        max_features: n_features,
        units: (0..n_features).map(|feature| BitSet::of(n_features, [feature])).collect(),
        required: BitSet::empty(n_features),
        start: BitSet::full(n_features),
        per_feature: 0,
    };
    let selected = select(evaluator, &rules, &Control::unlimited()).expect("the rules fit each other");
    selected.map(|selection| selection.expect("nothing ends it before its first tree"))
}

fn count(name: &str, outcome: &Outcome<Selection>) {
    let selection = &outcome.value;
    let counts = [
        ("trees built", outcome.stats.n_searched),
        ("steps", selection.history.len() as u64 - 1),
        ("features tested", selection.used.len() as u64),
        ("nodes", selection.tree.nodes().len() as u64),
    ];
    counters::print(name, &counts);
}

criterion_group! { name = benches; config = clock::criterion(); targets = elimination }
criterion_main!(benches);
