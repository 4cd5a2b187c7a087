//! C4.5's pruning with grafting, against a plain version that walks and copies.

use std::collections::BTreeMap;

use crate::common::{grow_tree, numbers_and_names, random_table};
use treewright_core::bits::BitSet;
use treewright_core::control::Control;
use treewright_core::data::{Dataset, RawColumn};
use treewright_core::error::Error;
use treewright_core::induce::{Growth, GrowthParams};
use treewright_core::outcome::Status;
use treewright_core::prune::{
    Action, ErrorLimit, Estimator, Grafting, Limit, Pruned, Rows, Slack, prune_grafting,
};
use treewright_core::tree::{Split, Tree};

fn prune(tree: &Tree, rates: &[f64], slack: Slack) -> Result<Pruned, Error> {
    let pruned = treewright_core::prune::prune(tree, tree, rates, slack, &Control::unlimited());
    pruned.map(|outcome| outcome.value.expect("nothing ends it"))
}

const LIMITS: [Limit; 4] = [Limit::C45, Limit::Weka, Limit::Exact, Limit::Wilson];

fn grafting(tree: &Tree, data: &Dataset, limit: ErrorLimit, grafts: bool) -> Pruned {
    let rows = Rows::new(tree, data, None).unwrap();
    prune_grafting(tree, &rows, Grafting { limit, grafts }, &Control::unlimited()).unwrap().value.unwrap()
}

/// A subtree as the plain version holds it.
#[derive(Debug, Clone)]
struct Sub {
    origin: usize,
    class: usize,
    children: Vec<Sub>,
}

/// Rows with their weights.
type Weighted = Vec<(usize, f64)>;

struct Plain<'a> {
    tree: &'a Tree,
    columns: Vec<RawColumn>,
    target: Vec<usize>,
    limit: ErrorLimit,
}

impl Plain<'_> {
    fn sub(&self, node: usize) -> Sub {
        let at = &self.tree.nodes()[node];
        let children = at.children().map(|child| self.sub(child as usize)).collect();
        Sub { origin: node, class: at.class.into(), children }
    }

    fn branch(&self, node: usize, row: usize) -> Option<usize> {
        match (self.tree.nodes()[node].split, &self.columns) {
            (Split::ByValue { feature }, columns) => match &columns[feature as usize] {
                RawColumn::Nominal(codes) => usize::try_from(codes[row]).ok(),
                RawColumn::Numeric(_) => unreachable!(),
            },
            (Split::Threshold { feature, threshold }, columns) => match &columns[feature as usize] {
                RawColumn::Numeric(values) if values[row].is_nan() => None,
                RawColumn::Numeric(values) => Some(usize::from(values[row] > threshold)),
                RawColumn::Nominal(_) => unreachable!(),
            },
            _ => unreachable!("these trees have no other splits"),
        }
    }

    /// Rows of every branch, and the branch with most known weight, the last among equals.
    fn split(&self, sub: &Sub, rows: &Weighted) -> (Vec<Weighted>, usize) {
        let mut parts = vec![Weighted::new(); sub.children.len()];
        let mut unknown = Weighted::new();
        for &(row, weight) in rows {
            match self.branch(sub.origin, row) {
                Some(branch) => parts[branch].push((row, weight)),
                None => unknown.push((row, weight)),
            }
        }
        let known: Vec<f64> = parts.iter().map(|part| part.iter().map(|r| r.1).sum()).collect();
        let total: f64 = known.iter().sum();
        for (part, own) in parts.iter_mut().zip(&known).filter(|(_, own)| **own > 0.0) {
            part.extend(unknown.iter().map(|&(row, weight)| (row, weight * own / total)));
        }
        let largest = (0..known.len()).max_by(|&a, &b| {
            let close = (known[a] - known[b]).abs() < 1e-6;
            if close { a.cmp(&b) } else { known[a].total_cmp(&known[b]) }
        });
        (parts, largest.unwrap())
    }

    /// Expected errors of a leaf, and its class.
    fn leaf(&self, rows: &Weighted, before: usize) -> (f64, usize) {
        let mut classes = BTreeMap::new();
        rows.iter().for_each(|&(row, weight)| *classes.entry(self.target[row]).or_insert(0.0) += weight);
        let n: f64 = classes.values().sum();
        let most = classes.values().copied().fold(0.0, f64::max);
        let ties = |class: &usize| classes.get(class).is_some_and(|own| most - own < 1e-6);
        let class = if ties(&before) { before } else { *classes.keys().find(|class| ties(class)).unwrap() };
        let e = if n - most < 1e-9 { 0.0 } else { n - most };
        (e + self.limit.extra(n, e), class)
    }

    fn errors(&self, sub: &Sub, rows: &Weighted) -> f64 {
        if rows.is_empty() {
            return 0.0;
        }
        if sub.children.is_empty() {
            return self.leaf(rows, sub.class).0;
        }
        let (parts, _) = self.split(sub, rows);
        sub.children.iter().zip(&parts).map(|(child, part)| self.errors(child, part)).sum()
    }

    fn prune(&self, sub: &mut Sub, rows: &Weighted) -> f64 {
        if rows.is_empty() {
            return 0.0;
        }
        let (leaf_errors, class) = self.leaf(rows, sub.class);
        sub.class = class;
        if sub.children.is_empty() {
            return leaf_errors;
        }
        let (parts, largest) = self.split(sub, rows);
        let pairs = sub.children.iter_mut().zip(&parts);
        let tree_errors: f64 = pairs.map(|(child, part)| self.prune(child, part)).sum();
        let branch_errors = self.errors(&sub.children[largest], rows);
        if leaf_errors <= branch_errors + 0.1 && leaf_errors <= tree_errors + 0.1 {
            sub.children.clear();
            return leaf_errors;
        }
        if branch_errors <= tree_errors + 0.1 {
            *sub = sub.children[largest].clone();
            return self.prune(sub, rows);
        }
        tree_errors
    }
}

/// Old node and class of every node, in preorder.
fn listed(tree: &Tree, origin: &[u32]) -> Vec<(usize, usize)> {
    let (mut found, mut pending) = (Vec::new(), vec![0u32]);
    while let Some(node) = pending.pop() {
        let at = &tree.nodes()[node as usize];
        found.push((origin[node as usize] as usize, at.class.into()));
        pending.extend(at.children().rev());
    }
    found
}

fn plainly_listed(sub: &Sub, found: &mut Vec<(usize, usize)>) {
    found.push((sub.origin, sub.class));
    sub.children.iter().for_each(|child| plainly_listed(child, found));
}

#[test]
fn grafting_is_what_the_plain_version_does() {
    let (mut n_grafted, mut n_fractional) = (0, 0);
    for seed in 0..800 {
        let data = random_table(seed, 2 + seed as usize % 3, 20 + seed as usize % 60);
        let tree = grow_tree(&data, &GrowthParams::default(), &BitSet::full(data.n_features()), 1);
        let limit = ErrorLimit::new(LIMITS[seed as usize % 4], [0.25, 0.1, 0.4][seed as usize % 3]).unwrap();
        let plain = Plain {
            tree: &tree,
            columns: data.columns().iter().map(|column| column.to_raw()).collect(),
            target: data.target().unwrap().iter().map(|&class| class.into()).collect(),
            limit,
        };
        let weight = |row: usize| data.weights().map_or(1.0, |weights| weights[row]);
        let rows = (0..data.n_rows()).map(|row| (row, weight(row))).collect();
        let mut sub = plain.sub(0);
        let errors = plain.prune(&mut sub, &rows);
        let mut expected = Vec::new();
        plainly_listed(&sub, &mut expected);
        let pruned = grafting(&tree, &data, limit, true);
        assert_eq!(listed(&pruned.tree, &pruned.origin), expected, "seed {seed}");
        let found = pruned.tree.estimates().unwrap()[0] * pruned.tree.nodes()[0].weight;
        assert!((found - errors).abs() < 1e-5, "seed {seed}: {found} {errors}");
        n_grafted += pruned.action.iter().filter(|&&action| action == Action::Grafted).count();
        n_fractional += usize::from(data.columns().iter().any(|column| column.n_missing() > 0));
    }
    assert!(n_grafted > 50 && n_fractional > 50, "{n_grafted} {n_fractional}");
}

#[test]
fn without_grafting_it_is_error_based_pruning_node_for_node() {
    for seed in 0..200 {
        let data = random_table(seed, 4, 80);
        let tree = grow_tree(&data, &GrowthParams::default(), &BitSet::full(4), 1);
        for kind in LIMITS {
            let limit = ErrorLimit::new(kind, 0.25).unwrap();
            let grafted = grafting(&tree, &data, limit, false);
            let estimator = Estimator::ErrorBased(limit);
            let own = |id: usize| tree.class_weights_of(id)[tree.nodes()[id].class as usize];
            let rate = |id: usize| estimator.rate(own(id), tree.nodes()[id].weight);
            let rates: Vec<f64> = (0..tree.nodes().len()).map(rate).collect();
            let plain = prune(&tree, &rates, Slack { errors: 0.1, rate: 0.0 }).unwrap();
            assert_eq!(grafted.action, plain.action, "{seed} {kind:?}");
            assert_eq!(grafted.origin, plain.origin);
            let pairs = grafted.tree.estimates().unwrap().iter().zip(plain.tree.estimates().unwrap());
            pairs.for_each(|(a, b)| assert!((a - b).abs() < 1e-12));
        }
    }
}

#[test]
fn a_second_pass_never_grows_the_tree_and_row_order_is_nothing() {
    let limit = ErrorLimit::new(Limit::C45, 0.25).unwrap();
    for seed in 0..100 {
        let data = random_table(seed, 4, 80);
        let id3 = GrowthParams { growth: Growth::Id3, ..GrowthParams::default() };
        let nominal = data.columns().iter().all(|column| !column.is_numeric());
        let params = if nominal { id3 } else { GrowthParams::default() };
        let tree = grow_tree(&data, &params, &BitSet::full(4), 1);
        let once = grafting(&tree, &data, limit, true);
        let twice = grafting(&once.tree, &data, limit, true);
        assert!(twice.tree.nodes().len() <= once.tree.nodes().len());
        let backwards = data.take(&(0..80).rev().collect::<Vec<i64>>()).unwrap();
        let other = grafting(&tree, &backwards, limit, true);
        assert_eq!((other.tree, other.origin, other.action), (once.tree, once.origin, once.action));
    }
}

#[test]
fn half_a_tree_is_no_result() {
    let data = numbers_and_names(0, 20_000, 2000);
    let tree = grow_tree(&data, &GrowthParams::default(), &BitSet::full(2), 1);
    let rows = Rows::new(&tree, &data, None).unwrap();
    let params = Grafting { limit: ErrorLimit::new(Limit::C45, 0.25).unwrap(), grafts: true };
    let control = Control::with_time_limit(Some(0.0));
    let late = prune_grafting(&tree, &rows, params, &control).unwrap();
    assert_eq!((late.value, late.status), (None, Status::TimeLimit));
}
