//! Exact trees for decision tables against brute force over all trees.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::common::Dice;
use crate::common::tables::{Brute, COSTS, all_trees, parts, random_table, words};
use treewright_core::control::Control;
use treewright_core::data::DecisionTable;
use treewright_core::error::Error;
use treewright_core::outcome::Status;
use treewright_core::tables::{FrontPoint, GraphRules, GraphSize, OptimalTrees, SubtableGraph};
use treewright_core::tree::{Combine, Cost};

/// A few hundred tables small enough for all their trees.
fn tiny_tables(n: u64) -> impl Iterator<Item = (Arc<DecisionTable>, u64, Vec<Brute>)> {
    (0..n).map(|seed| {
        let mut dice = Dice::new(seed);
        let (n_rows, n_features) = (1 + dice.roll(7), 1 + dice.roll(4));
        let n_values = 2 + dice.roll(2);
        let n_decisions = 1 + dice.roll(3);
        let table = random_table(&mut dice, n_rows, n_features, n_values, n_decisions);
        let alpha = [0, 0, 1, 2][dice.roll(4)];
        let trees = all_trees(&table, &(0..table.n_rows() as u32).collect::<Vec<_>>(), alpha);
        (table, alpha, trees)
    })
}

fn graph_of(table: &Arc<DecisionTable>, alpha: u64, control: &Control) -> Arc<SubtableGraph> {
    let rules = GraphRules { alpha, ..GraphRules::default() };
    Arc::new(SubtableGraph::build(table, &rules, control).expect("the table is small").value)
}

fn least(trees: &[Brute], of: impl Fn(&Brute) -> u64) -> u64 {
    trees.iter().map(of).min().expect("there is a tree")
}

#[test]
fn minima_and_numbers_of_optimal_trees_are_those_of_all_trees() {
    let control = Control::unlimited();
    for (table, alpha, trees) in tiny_tables(500) {
        let graph = graph_of(&table, alpha, &control);
        for (i, cost) in COSTS.iter().enumerate() {
            let minimum = least(&trees, |tree| tree.costs[i]);
            assert_eq!(graph.minimum(cost, &control).unwrap().value, Some(minimum), "{cost:?}");
            let count = |keep: &dyn Fn(&&Brute) -> bool| trees.iter().filter(keep).count();
            let all = count(&|tree| tree.costs[i] == minimum);
            let every = count(&|tree| tree.every_subtree_is_least[i]);
            assert_eq!(
                graph.count_optimal(cost, false, &control).unwrap().value,
                Some(all.into()),
                "{cost:?}"
            );
            assert_eq!(
                graph.count_optimal(cost, true, &control).unwrap().value,
                Some(every.into()),
                "{cost:?}"
            );
        }
    }
}

#[test]
fn the_enumeration_gives_every_optimal_tree_once() {
    let control = Control::unlimited();
    for (table, alpha, trees) in tiny_tables(300) {
        let graph = graph_of(&table, alpha, &control);
        let schema = Arc::new(table.plain_schema());
        for (i, cost) in COSTS.iter().enumerate() {
            let minimum = least(&trees, |tree| tree.costs[i]);
            let expected: BTreeSet<String> =
                trees.iter().filter(|tree| tree.costs[i] == minimum).map(|tree| tree.words.clone()).collect();
            let mut found =
                OptimalTrees::new(graph.clone(), schema.clone(), *cost, &control).unwrap().value.unwrap();
            let mut seen = BTreeSet::new();
            loop {
                assert_eq!(found.find(3, &control).unwrap().status, Status::Complete);
                let batch = found.drain(3);
                for tree in &batch {
                    assert!(seen.insert(words(tree, 0)), "a tree came twice");
                }
                if batch.len() < 3 {
                    break;
                }
            }
            assert_eq!(seen, expected, "{cost:?}");
        }
    }
}

#[test]
fn lexicographic_trees_are_least_among_all() {
    let control = Control::unlimited();
    for (at, (table, alpha, trees)) in tiny_tables(500).enumerate() {
        let graph = graph_of(&table, alpha, &control);
        let schema = Arc::new(table.plain_schema());
        let mut dice = Dice::new(at as u64 + 1000);
        for _ in 0..6 {
            let order: Vec<usize> = (0..1 + dice.roll(4)).map(|_| dice.roll(COSTS.len())).collect();
            let costs: Vec<Cost> = order.iter().map(|&i| COSTS[i]).collect();
            let values = |tree: &Brute| order.iter().map(|&i| tree.costs[i]).collect::<Vec<_>>();
            let expected = trees.iter().map(values).min().expect("there is a tree");
            let tree = graph.tree(&schema, &costs, &control).unwrap().value.unwrap();
            let reaching = tree.rows_reaching(&table, &schema).unwrap();
            let found: Vec<u64> = costs.iter().map(|cost| tree.cost(cost, &reaching) as u64).collect();
            assert_eq!(found, expected, "{costs:?}");
            assert!(
                trees.iter().any(|brute| brute.words == words(&tree, 0)),
                "the tree is none of the table's"
            );
        }
    }
}

#[test]
fn pareto_fronts_are_those_of_all_trees() {
    let control = Control::unlimited();
    for (table, alpha, trees) in tiny_tables(200) {
        let graph = graph_of(&table, alpha, &control);
        let schema = Arc::new(table.plain_schema());
        for (i, j) in [(0, 2), (2, 0), (1, 3), (4, 1), (5, 6), (6, 1), (0, 0)] {
            let pairs: BTreeSet<(u64, u64)> =
                trees.iter().map(|tree| (tree.costs[i], tree.costs[j])).collect();
            let is_bettered =
                |&(a, b): &(u64, u64)| pairs.iter().any(|&o| o != (a, b) && o.0 <= a && o.1 <= b);
            let expected: Vec<_> = pairs.iter().copied().filter(|pair| !is_bettered(pair)).collect();
            let front = graph.pareto_front(&schema, [COSTS[i], COSTS[j]], &control).unwrap().value.unwrap();
            for FrontPoint { costs: [a, b], tree } in &front {
                let reaching = tree.rows_reaching(&table, &schema).unwrap();
                let costs = (tree.cost(&COSTS[i], &reaching), tree.cost(&COSTS[j], &reaching));
                assert_eq!(costs, ((*a).into(), (*b).into()));
            }
            let found: Vec<_> = front.into_iter().map(|point| (point.costs[0], point.costs[1])).collect();
            assert_eq!(found, expected, "costs {i} and {j}");
        }
    }
}

/// The graph in the plainest way: subtables by their rows.
#[derive(Default)]
struct SlowGraph {
    least: BTreeMap<Vec<u32>, [u64; 5]>,
    terminal: BTreeSet<Vec<u32>>,
    n_bundles: u64,
    n_edges: u64,
}

impl SlowGraph {
    fn least(&mut self, table: &DecisionTable, rows: &[u32]) -> [u64; 5] {
        let decisions = table.decisions();
        if rows.iter().all(|&row| decisions[row as usize] == decisions[rows[0] as usize]) {
            self.terminal.insert(rows.to_vec());
            return [0, 0, 1, 0, 1];
        }
        if let Some(known) = self.least.get(rows) {
            return *known;
        }
        let mut best = [u64::MAX; 5];
        for f in 0..table.n_features() {
            let parts = parts(table, rows, f);
            if parts.len() == 1 {
                continue;
            }
            (self.n_bundles, self.n_edges) = (self.n_bundles + 1, self.n_edges + parts.len() as u64);
            let mut sum = [1, rows.len() as u64, 1, 1, 0];
            let mut deepest = 0;
            for (_, part) in parts {
                let below = self.least(table, &part);
                deepest = deepest.max(below[0]);
                (1..5).for_each(|i| sum[i] += below[i]);
            }
            sum[0] += deepest;
            (0..5).for_each(|i| best[i] = best[i].min(sum[i]));
        }
        self.least.insert(rows.to_vec(), best);
        best
    }
}

/// Tables for every tier, with columns that others repeat and constant ones.
fn medium_tables() -> impl Iterator<Item = Arc<DecisionTable>> {
    [40, 64, 100, 128, 180, 256, 300, 700, 1100].into_iter().flat_map(|n_rows| {
        (0..4u64).map(move |seed| {
            let mut dice = Dice::new(seed + n_rows as u64);
            let table = random_table(&mut dice, n_rows, 5, 5, 3);
            let mut columns: Vec<Vec<u32>> = (0..5).map(|f| table.column(f).to_vec()).collect();
            columns.push(vec![2; table.n_rows()]);
            columns.push(columns[1].iter().map(|value| 300 - value).collect());
            let decisions = table.decisions().to_vec();
            let arities = vec![5, 5, 5, 5, 5, 3, 301];
            Arc::new(DecisionTable::new(columns, arities, decisions, 3).expect("the rows stay different"))
        })
    })
}

#[test]
fn every_tier_and_number_of_threads_builds_the_plain_graph() {
    for table in medium_tables() {
        let mut slow = SlowGraph::default();
        let rows: Vec<u32> = (0..table.n_rows() as u32).collect();
        let least = slow.least(&table, &rows);
        let size = GraphSize {
            n_nonterminal: slow.least.len() as u64,
            n_terminal: slow.terminal.len() as u64,
            n_bundles: slow.n_bundles,
            n_edges: slow.n_edges,
        };
        for n_threads in [1, 3] {
            let control = Control::unlimited().threads(n_threads);
            let graph = control.in_pool(|| graph_of(&table, 0, &control));
            assert_eq!((graph.size(), graph.least()), (size, Some(least)), "{n_threads} threads");
        }
    }
}

#[test]
fn a_duplicate_column_multiplies_the_trees_and_changes_no_minimum() {
    let control = Control::unlimited();
    let xor = |n_twice: usize| {
        let bit = |f: u32| (0..8u32).map(|row| row >> f & 1).collect::<Vec<_>>();
        let columns: Vec<Vec<u32>> = (0..3).chain(0..n_twice as u32).map(bit).collect();
        let (n, decisions) = (columns.len(), (0..8u32).map(|row| row.count_ones() % 2).collect());
        Arc::new(DecisionTable::new(columns, vec![2; n], decisions, 2).expect("the rows differ"))
    };
    // All orders of three bits: 3 * 2^2 trees; a bit named twice stands for two in each of its places.
    let once = graph_of(&xor(0), 0, &control);
    let twice = graph_of(&xor(3), 0, &control);
    assert_eq!(once.count_optimal(&Cost::N_NODES, false, &control).unwrap().value, Some(12u32.into()));
    assert_eq!(
        twice.count_optimal(&Cost::N_NODES, false, &control).unwrap().value,
        Some((12u32 * 128).into())
    );
    assert_eq!(once.least(), twice.least());
    assert_eq!(once.least(), Some([3, 24, 15, 7, 8]));
}

#[test]
fn limits_end_a_graph_with_a_status() {
    let mut dice = Dice::new(11);
    let table = random_table(&mut dice, 500, 9, 3, 2);
    let control = Control::unlimited();
    let whole = graph_of(&table, 0, &control);
    for n_threads in [1, 2] {
        let control = Control::unlimited().threads(n_threads);
        let build = |rules: GraphRules| {
            control
                .in_pool(|| SubtableGraph::build(&table, &rules, &control).expect("the table is small"))
                .value
        };
        let few = build(GraphRules { node_limit: 1000, ..GraphRules::default() });
        assert_eq!((few.status(), few.least()), (Status::NodeLimit, None));
        assert!(few.size().n_nonterminal <= 1000);
        let refused = few.minimum(&Cost::N_NODES, &control);
        assert!(
            matches!(
                refused,
                Err(Error::UnfinishedGraph { status: Status::NodeLimit, n_subtables: 1000, .. })
            ),
            "{refused:?}"
        );
        let (floor, reached) = (few.floor(), few.reached());
        for (i, least) in whole.least().expect("no limit").into_iter().enumerate() {
            assert!(floor[i] <= least && reached.is_none_or(|reached| least <= reached[i]));
        }
        let exact = GraphRules { node_limit: whole.size().n_nonterminal, ..GraphRules::default() };
        assert!(build(exact).is_complete());
        let small = build(GraphRules { memory_limit: 400_000, ..GraphRules::default() });
        assert_eq!(small.status(), Status::MemoryLimit);
        assert!(small.bytes() <= 400_000, "{}", small.bytes());
    }
    let late = Control::with_time_limit(Some(0.0));
    let slow = SubtableGraph::build(&table, &GraphRules::default(), &late).expect("the table is small");
    assert_eq!((slow.status, slow.value.status()), (Status::TimeLimit, Status::TimeLimit));
}

#[test]
fn a_cost_whose_sums_could_overflow_is_refused() {
    let control = Control::unlimited();
    let table = random_table(&mut Dice::new(1), 20, 4, 3, 2);
    let huge = Cost { leaf: u64::MAX / 2, per_row: 0, per_node: 0, combine: Combine::Sum };
    let refused = graph_of(&table, 0, &control).minimum(&huge, &control);
    assert!(matches!(refused, Err(Error::Parameter { .. })), "{refused:?}");
}

/// All that a graph says of itself.
fn told(graph: &SubtableGraph) -> (Status, GraphSize, usize, Option<[u64; 5]>) {
    (graph.status(), graph.size(), graph.bytes(), graph.reached())
}

#[test]
fn what_a_limit_leaves_of_a_graph_is_the_same_for_every_number_of_threads() {
    let mut n_cut = [0; 2];
    for seed in 0..30 {
        let mut dice = Dice::new(seed);
        let n_rows = [20, 60, 100, 200, 400, 600][seed as usize % 6];
        let table = random_table(&mut dice, n_rows, 5, 3, 3);
        let alpha = [0, 0, 3][dice.roll(3)];
        let build = |node_limit, memory_limit, n_threads| {
            let control = Control::unlimited().threads(n_threads);
            let rules = GraphRules { alpha, node_limit, memory_limit };
            control.in_pool(|| told(&SubtableGraph::build(&table, &rules, &control).unwrap().value))
        };
        let (_, size, n_bytes, _) = build(u64::MAX, usize::MAX, 1);
        for share in [10, 60, 99, 100, 101, 120] {
            let limits =
                [(size.n_nonterminal * share / 100, usize::MAX), (u64::MAX, n_bytes * share as usize / 100)];
            for (number, (nodes, bytes)) in limits.into_iter().enumerate() {
                let alone = build(nodes, bytes, 1);
                n_cut[number] += usize::from(alone.0 != Status::Complete);
                for n_threads in [2, 4] {
                    assert_eq!(build(nodes, bytes, n_threads), alone, "seed {seed}, {nodes} and {bytes}");
                }
            }
        }
    }
    assert!(n_cut.iter().all(|&n| n > 60), "{n_cut:?}");
}

#[test]
fn the_graph_written_out_has_every_bundle_and_the_least_costs() {
    let control = Control::unlimited();
    for (table, alpha, trees) in tiny_tables(300) {
        let graph = graph_of(&table, alpha, &control);
        let unrolled = graph.unroll(&control).unwrap().value.expect("nothing ends it");
        let size = graph.size();
        assert_eq!(unrolled.n_rows.len() as u64, size.n_nonterminal + 1);
        assert_eq!(unrolled.features.len() as u64, size.n_bundles);
        assert_eq!(unrolled.children.len() as u64, size.n_edges);
        for (i, cost) in COSTS.iter().enumerate() {
            let mut least = vec![cost.leaf];
            let (mut bundle, mut edge) = (0, 0);
            for at in 1..unrolled.n_rows.len() {
                let mut best = u64::MAX;
                while bundle < unrolled.ends[at] as usize {
                    let end = unrolled.edge_ends[bundle] as usize;
                    let below = unrolled.children[edge..end].iter().map(|&child| least[child as usize]);
                    let joined = match cost.combine {
                        Combine::Sum => below.sum(),
                        Combine::Max => below.max().expect("a bundle has edges"),
                    };
                    let own = cost.per_node + cost.per_row * u64::from(unrolled.n_rows[at]);
                    best = best.min(own + joined);
                    (bundle, edge) = (bundle + 1, end);
                }
                least.push(best);
            }
            let minimum = trees.iter().map(|tree| tree.costs[i]).min();
            assert_eq!(least.last().copied(), minimum, "{cost:?}");
        }
    }
}
