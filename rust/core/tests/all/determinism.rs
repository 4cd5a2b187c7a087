//! The same bits for every number of threads, and trees as deep as the data ask for.

use crate::common::{grow_tree, random_table};
use treewright_core::bits::BitSet;
use treewright_core::control::Control;
use treewright_core::data::{Dataset, Label, RawColumn};
use treewright_core::induce::GrowthParams;
use treewright_core::tree::{TextOptions, Tree};

#[test]
fn the_number_of_threads_changes_nothing() {
    let data = random_table(7, 12, 6000);
    let params = GrowthParams::default();
    let one = grow_tree(&data, &params, &BitSet::full(12), 1);
    for n_threads in [2, 4] {
        assert_eq!(grow_tree(&data, &params, &BitSet::full(12), n_threads), one);
    }
}

/// Alternating classes along one number: every split takes off the lowest row.
fn chain(n_rows: usize) -> Dataset {
    let raw = vec![RawColumn::Numeric((0..n_rows).map(|i| i as f64).collect())];
    let data = Dataset::new(vec!["x".to_owned()], raw, vec![None], n_rows).unwrap();
    let target = (0..n_rows).map(|i| (i % 2) as i32).collect();
    data.with_target(target, vec![Label::Int(0), Label::Int(1)], None).unwrap()
}

#[test]
fn a_deep_tree_is_grown_printed_and_read_back() {
    let data = chain(3000);
    let tree = grow_tree(&data, &GrowthParams::default(), &BitSet::full(1), 1);
    assert!(tree.max_depth() > 1000, "depth {}", tree.max_depth());
    assert_eq!(Tree::from_json(&tree.to_json()).unwrap(), tree);
    let text = tree.export_text(&TextOptions::default());
    assert_eq!(text.lines().count(), tree.nodes().len() - 1);
    let columns = [RawColumn::Numeric(vec![0.0, 1.0, 2999.0])];
    let predicted = tree.predict(&columns, &Control::unlimited()).unwrap().value.unwrap();
    assert_eq!(predicted, [0, 1, 1]);
}
