//! The exact text form of a tree: flat arrays, so depth costs nothing, and numbers that read back
//! to the same bits.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::builder::malformed;
use super::estimates::Estimates;
use super::node::{Node, Plane, Routing, Split, Tree};
use crate::base::error::Result;
use crate::model::data::Schema;

/// Number of the format; raised when its meaning changes.
pub const FORMAT: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    format: String,
    version: u32,
    routing: Routing,
    schema: Schema,
    nodes: Arrays,
    planes: Vec<Plane>,
    /// Levels of the branches of every "listed" node, in node order; absent where there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    lists: Vec<Vec<u32>>,
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
    /// "leaf", "value", "threshold", "linear" or "listed".
    kind: Vec<Kind>,
    /// Feature tested, plane number for "linear", null at a leaf.
    test: Vec<Option<u32>>,
    threshold: Vec<Option<f64>>,
    first_child: Vec<Option<u32>>,
    n_children: Vec<u32>,
    class: Vec<u16>,
    weight: Vec<f64>,
    class_weights: Vec<Vec<f64>>,
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
}

impl Tree {
    /// The tree as JSON text.
    pub fn to_json(&self) -> String {
        let document = Document {
            format: "treewright-tree".to_owned(),
            version: FORMAT,
            routing: self.routing,
            schema: (*self.schema).clone(),
            nodes: self.arrays(),
            planes: self.planes.clone(),
            lists: self.lists.clone(),
        };
        serde_json::to_string(&document).expect("every number in a tree is finite")
    }

    fn arrays(&self) -> Arrays {
        let mut arrays = Arrays::default();
        for (id, node) in self.nodes.iter().enumerate() {
            let (kind, test, threshold) = match node.split {
                Split::Leaf => (Kind::Leaf, None, None),
                Split::ByValue { feature } => (Kind::Value, Some(feature), None),
                Split::Listed { feature, .. } => (Kind::Listed, Some(feature), None),
                Split::Threshold { feature, threshold } => (Kind::Threshold, Some(feature), Some(threshold)),
                Split::Linear { plane } => (Kind::Linear, Some(plane), None),
            };
            arrays.kind.push(kind);
            arrays.test.push(test);
            arrays.threshold.push(threshold);
            arrays.first_child.push((!node.is_leaf()).then_some(node.first_child));
            arrays.n_children.push(node.children().len() as u32);
            arrays.class.push(node.class);
            arrays.weight.push(node.weight);
            arrays.class_weights.push(self.class_weights_of(id).to_vec());
        }
        arrays.estimate = self.estimates.clone();
        arrays
    }

    /// Reads what [`Tree::to_json`] wrote.
    ///
    /// # Errors
    /// Text that is not JSON, another format or version, arrays that do not make a tree.
    pub fn from_json(text: &str) -> Result<Tree> {
        check_header(text)?;
        let document: Document = serde_json::from_str(text).map_err(|e| malformed(&e.to_string()))?;
        let nodes = document.nodes.nodes()?;
        let class_weights: Vec<f64> = document.nodes.class_weights.concat();
        let schema = Arc::new(document.schema);
        let Document { routing, planes, lists, nodes: Arrays { estimate: estimates, .. }, .. } = document;
        Tree { schema, routing, nodes, class_weights, planes, lists, estimates }.checked()
    }
}

/// Refuses another format and another version, whose fields are unknown; what has neither is told by its fields.
fn check_header(text: &str) -> Result<()> {
    let Ok(Header { format, version }) = serde_json::from_str(text) else { return Ok(()) };
    if format != "treewright-tree" {
        return Err(malformed(&format!("its format is '{format}'")));
    }
    if version != FORMAT {
        return Err(malformed(&format!("its version is {version}, and this release reads {FORMAT}")));
    }
    Ok(())
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
        ];
        if lengths.iter().any(|&length| length != n_nodes) {
            return Err(malformed("its node arrays differ in length"));
        }
        let mut nodes = (0..n_nodes).map(|id| self.node(id)).collect::<Result<Vec<Node>>>()?;
        for (list, node) in nodes.iter_mut().filter(|node| node.is_listed()).enumerate() {
            if let Split::Listed { list: own, .. } = &mut node.split {
                *own = list as u32;
            }
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
        let test = || self.test[id].ok_or_else(|| malformed(&format!("node {id} tests nothing")));
        let split = match self.kind[id] {
            Kind::Leaf => Split::Leaf,
            Kind::Value => Split::ByValue { feature: test()? },
            Kind::Threshold => {
                let threshold =
                    self.threshold[id].ok_or_else(|| malformed(&format!("node {id} has no threshold")))?;
                Split::Threshold { feature: test()?, threshold }
            }
            Kind::Linear => Split::Linear { plane: test()? },
            Kind::Listed => Split::Listed { feature: test()?, list: 0 },
        };
        let first_child = self.first_child[id].unwrap_or(0);
        let n_children = self.n_children[id];
        first_child
            .checked_add(n_children)
            .ok_or_else(|| malformed(&format!("node {id} has too many children")))?;
        Ok(Node {
            split,
            first_child,
            n_children,
            parent: 0,
            depth: 0,
            class: self.class[id],
            weight: self.weight[id],
        })
    }
}
