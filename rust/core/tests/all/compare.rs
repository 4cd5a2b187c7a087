//! The study of greedy trees: least costs of small tables, and the same bits for any threads.

use std::sync::Arc;

use treewright_core::control::Control;
use treewright_core::data::DecisionTable;
use treewright_core::outcome::{Outcome, Status};
use treewright_core::tables::{Comparison, Drawn, SearchRules, TableLimits, compare, minimum_bounded};
use treewright_core::tree::Cost;

const SMALL: Drawn = Drawn { n_rows: 40, n_features: 7, n_values: 3, seed: 9 };

fn study(drawn: Drawn, n_tables: usize, limits: TableLimits, control: &Control) -> Outcome<Comparison> {
    compare(n_tables, |number| drawn.table(number as u64).map(Arc::new), &limits, control).unwrap()
}

#[test]
fn least_costs_are_those_of_branch_and_bound() {
    for drawn in
        [SMALL, Drawn { n_rows: 70, n_features: 5, ..SMALL }, Drawn { n_rows: 64, n_values: 2, ..SMALL }]
    {
        let found = study(drawn, 60, TableLimits::default(), &Control::unlimited());
        assert_eq!((found.value.minima.len(), found.status), (60, Status::Complete));
        for (number, minima) in found.value.minima.iter().enumerate() {
            let table = drawn.table(number as u64).unwrap();
            let least = Cost::NAMED.map(|cost| {
                let rules = SearchRules { cost, alpha: 0, node_limit: None, memory_limit: None };
                minimum_bounded(&table, &rules, &Control::unlimited()).unwrap().value.unwrap().cost
            });
            assert_eq!(*minima, least);
        }
        assert!(found.value.differences.iter().flatten().flatten().all(|&difference| difference >= 0.0));
    }
}

#[test]
fn threads_change_nothing() {
    let one = study(SMALL, 100, TableLimits::default(), &Control::unlimited());
    let control = Control::unlimited().threads(3);
    let three = control.in_pool(|| study(SMALL, 100, TableLimits::default(), &control));
    assert_eq!(one.value, three.value);
}

#[test]
fn a_limit_leaves_the_tables_before_it() {
    let limits = TableLimits { node_limit: Some(150), memory_limit: None };
    let found = study(SMALL, 100, limits, &Control::unlimited());
    let all = study(SMALL, 100, TableLimits::default(), &Control::unlimited());
    assert_eq!(found.status, Status::NodeLimit);
    assert!(found.value.minima.len() < 100 && all.value.minima.starts_with(&found.value.minima));
    let late = study(SMALL, 100, TableLimits::default(), &Control::with_time_limit(Some(0.0)));
    assert_eq!((late.value.minima.len(), late.status), (0, Status::TimeLimit));
}

#[test]
fn nothing_to_divide_by_is_no_difference() {
    let table = Arc::new(DecisionTable::new(vec![vec![0, 1]], vec![2], vec![0, 0], 1).unwrap());
    let found = compare(1, |_| Ok(table.clone()), &TableLimits::default(), &Control::unlimited()).unwrap();
    assert_eq!(found.value.minima, [[0, 0, 1, 0, 1]]);
    assert!(found.value.differences.iter().flatten().flatten().all(|&difference| difference == 0.0));
}
