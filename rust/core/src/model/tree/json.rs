//! The exact text form of a tree: flat arrays, so depth costs nothing, and numbers that read back
//! to the same bits.
//!
//! Format 1 has no counts, values beside cuts, routes of nodes, histograms, rules and origins, and it asks no
//! questions about sets of values or missing ones. What it has means the same.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::builder::malformed;
use super::decision::{Decision, Probability};
use super::estimates::Estimates;
use super::facts::{CutValues, Facts, Histogram};
use super::node::{Node, Tree};
use super::origin::{Origin, Provenance, Reading};
use super::split::{Plane, Route, Routing, Split};
use crate::base::error::Result;
use crate::model::data::Schema;

/// Number of the format; raised when its meaning changes.
pub const FORMAT: u32 = 2;

/// The formats that are read.
const READ: std::ops::RangeInclusive<u32> = 1..=FORMAT;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    format: String,
    version: u32,
    routing: Routing,
    schema: Schema,
    /// Absent in format 1 only.
    decision: Option<Decision>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    probability: Option<Probability>,
    nodes: Arrays,
    planes: Vec<Plane>,
    /// Levels of the branches of every "listed" node and the set of every "group" node, in node order; absent
    /// where there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    lists: Vec<Vec<u32>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    provenance: Option<Provenance>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reading: Option<Reading>,
}

/// What a document of any version begins with.
#[derive(Deserialize)]
struct Header {
    format: String,
    version: u32,
}

/// One entry a node in every array.
#[derive(Serialize, Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Arrays {
    /// What a node asks.
    kind: Vec<Kind>,
    /// Feature tested, plane number for "linear", null at a leaf.
    test: Vec<Option<u32>>,
    threshold: Vec<Option<f64>>,
    first_child: Vec<Option<u32>>,
    n_children: Vec<u32>,
    class: Vec<u16>,
    weight: Vec<f64>,
    class_weights: Vec<Vec<f64>>,
    /// Raw counts of training rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    class_counts: Vec<Vec<f64>>,
    /// Absent where every node is reached.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    is_reached: Vec<bool>,
    /// The training values beside every cut; absent where they are not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    cut_values: Vec<Option<[Option<f64>; 2]>>,
    /// Where rows without a value go; null where the routing decides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    route: Vec<Option<Route>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    histogram: Vec<Option<Histogram>>,
    /// Estimated error rates; absent in a tree that nothing has pruned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    estimate: Option<Estimates>,
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Leaf,
    Value,
    Threshold,
    Linear,
    Listed,
    Group,
    Missing,
}

impl Tree {
    /// The tree as JSON text.
    pub fn to_json(&self) -> String {
        let document = Document {
            format: "treewright-tree".to_owned(),
            version: FORMAT,
            routing: self.routing,
            schema: (*self.schema).clone(),
            decision: Some(self.decision.clone()),
            probability: Some(self.probability.clone()).filter(|p| *p != Probability::default()),
            nodes: self.arrays(),
            planes: self.planes.clone(),
            lists: self.lists.clone(),
            provenance: self.origin.provenance.clone(),
            reading: self.origin.reading.clone(),
        };
        serde_json::to_string(&document).expect("every number in a tree is finite")
    }

    fn arrays(&self) -> Arrays {
        let mut arrays = Arrays::default();
        for (id, node) in self.nodes.iter().enumerate() {
            let (kind, test) = match node.split {
                Split::Leaf => (Kind::Leaf, None),
                Split::ByValue { feature } => (Kind::Value, Some(feature)),
                Split::Listed { feature, .. } => (Kind::Listed, Some(feature)),
                Split::Group { feature, .. } => (Kind::Group, Some(feature)),
                Split::Threshold { feature, .. } => (Kind::Threshold, Some(feature)),
                Split::Linear { plane } => (Kind::Linear, Some(plane)),
                Split::Missing { feature } => (Kind::Missing, Some(feature)),
            };
            arrays.kind.push(kind);
            arrays.test.push(test);
            arrays.threshold.push(match node.split {
                Split::Threshold { threshold, .. } => Some(threshold),
                _ => None,
            });
            arrays.first_child.push((!node.is_leaf()).then_some(node.first_child));
            arrays.n_children.push(node.children().len() as u32);
            arrays.class.push(node.class);
            arrays.weight.push(node.weight);
            arrays.class_weights.push(self.class_weights_of(id).to_vec());
        }
        self.add_facts(&mut arrays);
        arrays
    }

    fn add_facts(&self, arrays: &mut Arrays) {
        let facts = &self.facts;
        arrays.class_counts = facts.counts.chunks(self.n_classes()).map(<[f64]>::to_vec).collect();
        if !self.nodes.iter().all(|node| node.is_reached) {
            arrays.is_reached = self.nodes.iter().map(|node| node.is_reached).collect();
        }
        let beside = |cut: &Option<CutValues>| cut.map(|CutValues { below, above }| [below, above]);
        arrays.cut_values = facts.cuts.iter().map(beside).collect();
        arrays.route = facts.routes.clone();
        arrays.histogram = facts.histograms.clone();
        arrays.estimate = self.estimates.clone();
    }

    /// Reads what [`Tree::to_json`] wrote, or an earlier release.
    ///
    /// # Errors
    /// Text that is not JSON, another format or version, arrays that do not make a tree.
    pub fn from_json(text: &str) -> Result<Tree> {
        check_header(text)?;
        let document: Document = serde_json::from_str(text).map_err(|e| malformed(&e.to_string()))?;
        match document.version {
            1 => document.first_format()?.checked()?.with_fitting_decision().decided_by_weight(),
            _ => document.tree()?.checked()?.decided(),
        }
    }

    /// Refuses a node that has weight, and a class that is not the heaviest: format 1 names no other rule.
    fn decided_by_weight(self) -> Result<Tree> {
        let heaviest = |id: usize| self.class_weights_of(id).iter().copied().fold(0.0, f64::max);
        let is_off = |id: &usize| {
            let own = self.class_weights_of(*id)[usize::from(self.nodes[*id].class)];
            own < heaviest(*id) * (1.0 - super::decision::ROUNDING)
        };
        match (0..self.nodes.len()).find(is_off) {
            None => Ok(self),
            Some(id) => Err(malformed(&format!("node {id}: its class is not the heaviest"))),
        }
    }
}

/// Refuses another format and another version, whose fields are unknown; what has neither is told by its fields.
fn check_header(text: &str) -> Result<()> {
    let Ok(Header { format, version }) = serde_json::from_str(text) else { return Ok(()) };
    if format != "treewright-tree" {
        return Err(malformed(&format!("its format is '{format}'")));
    }
    if !READ.contains(&version) {
        let (first, last) = READ.into_inner();
        let found = format!("its version is {version}, and this release reads {first} and {last}");
        return Err(malformed(&found));
    }
    Ok(())
}

impl Document {
    /// The tree of a document of format 1, which must have nothing that came later.
    fn first_format(mut self) -> Result<Tree> {
        let nodes = &self.nodes;
        let is_newer = self.decision.is_some()
            || self.probability.is_some()
            || self.provenance.is_some()
            || self.reading.is_some()
            || !nodes.class_counts.is_empty()
            || !nodes.is_reached.is_empty()
            || !nodes.cut_values.is_empty()
            || !nodes.route.is_empty()
            || !nodes.histogram.is_empty()
            || nodes.kind.iter().any(|kind| matches!(kind, Kind::Group | Kind::Missing))
            || self.schema.features.iter().any(|feature| feature.range.is_some());
        if is_newer {
            return Err(malformed("its version is 1, and it has parts of a later one"));
        }
        self.nodes.is_reached =
            self.nodes.weight.iter().enumerate().map(|(id, &w)| id == 0 || w > 0.0).collect();
        self.decision = Some(Decision::default());
        self.tree()
    }

    fn tree(self) -> Result<Tree> {
        let nodes = self.nodes.nodes()?;
        let decision = self.decision.ok_or_else(|| malformed("it has no decision"))?;
        let Arrays { class_weights, class_counts, cut_values, route, histogram, estimate, .. } = self.nodes;
        let n_classes = self.schema.classes.len();
        if class_weights.iter().chain(&class_counts).any(|row| row.len() != n_classes) {
            return Err(malformed("its class weights and counts are not one a class"));
        }
        let beside = |cut: Option<[Option<f64>; 2]>| cut.map(|[below, above]| CutValues { below, above });
        let facts = Facts {
            counts: class_counts.concat(),
            cuts: cut_values.into_iter().map(beside).collect(),
            routes: route,
            histograms: histogram,
        };
        Ok(Tree {
            schema: Arc::new(self.schema),
            routing: self.routing,
            nodes,
            class_weights: class_weights.concat(),
            planes: self.planes,
            lists: self.lists,
            estimates: estimate,
            facts,
            decision,
            probability: self.probability.unwrap_or_default(),
            origin: Origin { provenance: self.provenance, reading: self.reading },
        })
    }
}

impl Arrays {
    fn nodes(&self) -> Result<Vec<Node>> {
        let n_nodes = self.kind.len();
        let lengths = [
            self.test.len(),
            self.threshold.len(),
            self.first_child.len(),
            self.n_children.len(),
            self.class.len(),
            self.weight.len(),
            self.class_weights.len(),
            if self.is_reached.is_empty() { n_nodes } else { self.is_reached.len() },
        ];
        if lengths.iter().any(|&length| length != n_nodes) {
            return Err(malformed("its node arrays differ in length"));
        }
        let mut nodes = (0..n_nodes).map(|id| self.node(id)).collect::<Result<Vec<Node>>>()?;
        for (list, node) in nodes.iter_mut().filter(|node| node.has_list()).enumerate() {
            node.split = node.split.renumbered(list as u32);
        }
        for id in 0..n_nodes {
            let (children, depth) = (nodes[id].children(), nodes[id].depth);
            for child in children.filter(|&child| child as usize > id && (child as usize) < n_nodes) {
                nodes[child as usize].parent = id as u32;
                nodes[child as usize].depth = depth + 1;
            }
        }
        Ok(nodes)
    }

    fn node(&self, id: usize) -> Result<Node> {
        let first_child = self.first_child[id].unwrap_or(0);
        let n_children = self.n_children[id];
        first_child
            .checked_add(n_children)
            .ok_or_else(|| malformed(&format!("node {id} has too many children")))?;
        Ok(Node {
            split: self.split(id)?,
            first_child,
            n_children,
            parent: 0,
            depth: 0,
            class: self.class[id],
            weight: self.weight[id],
            is_reached: self.is_reached.get(id).copied().unwrap_or(true),
        })
    }

    /// The question of a node, which must have what its kind asks for and nothing else.
    fn split(&self, id: usize) -> Result<Split> {
        let fault = |what: &str| malformed(&format!("node {id} {what}"));
        let kind = self.kind[id];
        if (kind == Kind::Threshold) != self.threshold[id].is_some() {
            return Err(fault(if kind == Kind::Threshold {
                "has no threshold"
            } else {
                "needs no threshold"
            }));
        }
        if (kind == Kind::Leaf) == self.test[id].is_some() {
            return Err(fault(if kind == Kind::Leaf {
                "is a leaf and tests something"
            } else {
                "tests nothing"
            }));
        }
        if (kind == Kind::Leaf) == self.first_child[id].is_some() {
            return Err(fault(if kind == Kind::Leaf {
                "is a leaf and has children"
            } else {
                "has no children"
            }));
        }
        let test = self.test[id].unwrap_or(0);
        Ok(match kind {
            Kind::Leaf => Split::Leaf,
            Kind::Value => Split::ByValue { feature: test },
            Kind::Threshold => Split::Threshold {
                feature: test,
                threshold: self.threshold[id].expect("it was checked above"),
            },
            Kind::Linear => Split::Linear { plane: test },
            Kind::Listed => Split::Listed { feature: test, list: 0 },
            Kind::Group => Split::Group { feature: test, list: 0 },
            Kind::Missing => Split::Missing { feature: test },
        })
    }
}
