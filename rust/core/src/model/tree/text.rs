//! A tree as text a person reads.

use std::fmt::Write;

use super::node::{Node, Tree};
use super::split::{Plane, Split};

/// How a tree is printed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TextOptions {
    /// Levels shown below the root; deeper sub-trees are summed up in a line.
    pub max_depth: Option<u32>,
    /// Rows by class at every leaf, and their weights where these differ.
    pub show_counts: bool,
    /// C4.5's (n) or (n/e): training weight and errors at every leaf.
    pub show_errors: bool,
    /// The estimated error rate of every node, where the tree has them.
    pub show_estimates: bool,
    /// Decimals of thresholds and weights; as many as needed where absent.
    pub decimals: Option<usize>,
}

/// A line still to be printed: node, and the words of the branch that leads there.
struct Line {
    node: u32,
    depth: u32,
    branch: String,
}

impl Tree {
    /// One line a branch, indented by `|   `; a leaf's class stands on its branch's line.
    pub fn export_text(&self, options: &TextOptions) -> String {
        let mut text = String::new();
        let root = &self.nodes[0];
        if root.is_leaf() {
            let _ = writeln!(text, "{}", self.leaf_words(0, options).trim_start_matches(": "));
            return text;
        }
        let mut pending = self.branches(0, 0, options);
        while let Some(Line { node, depth, branch }) = pending.pop() {
            let indent = indentation(depth);
            let at = &self.nodes[node as usize];
            if at.is_leaf() {
                let _ = writeln!(text, "{indent}{branch}{}", self.leaf_words(node, options));
            } else if options.max_depth.is_some_and(|limit| depth + 1 >= limit) {
                let estimate = self.estimate_words(node, options);
                let _ = writeln!(text, "{indent}{branch}: {}{estimate}", self.summary(node));
            } else {
                let _ = writeln!(text, "{indent}{branch}{}", self.estimate_words(node, options));
                pending.extend(self.branches(node, depth + 1, options));
            }
        }
        text
    }

    /// The branches of a node, last first.
    fn branches(&self, node: u32, depth: u32, options: &TextOptions) -> Vec<Line> {
        let at = &self.nodes[node as usize];
        let line = |(branch, node): (usize, u32)| Line {
            node,
            depth,
            branch: self.branch_words(at, branch, options),
        };
        let mut lines: Vec<Line> = at.children().enumerate().map(line).collect();
        lines.reverse();
        lines
    }

    fn branch_words(&self, node: &Node, branch: usize, options: &TextOptions) -> String {
        let sign = if branch == 0 { "<=" } else { ">" };
        match node.split {
            Split::Leaf => String::new(),
            Split::ByValue { feature } => {
                let feature = &self.schema.features[feature as usize];
                format!("{} = {}", feature.name, feature.level_text(branch))
            }
            Split::Listed { feature, list } => {
                let (feature, levels) = (&self.schema.features[feature as usize], &self.lists[list as usize]);
                format!("{} = {}", feature.name, feature.level_text(levels[branch] as usize))
            }
            Split::Group { feature, list } => {
                let (feature, levels) = (&self.schema.features[feature as usize], &self.lists[list as usize]);
                let set: Vec<String> =
                    levels.iter().map(|&level| feature.level_text(level as usize)).collect();
                let is_in = if branch == 0 { "in" } else { "not in" };
                format!("{} {is_in} {{{}}}", feature.name, set.join(", "))
            }
            Split::Missing { feature } => {
                let name = &self.schema.features[feature as usize].name;
                format!("{name} is {}", if branch == 0 { "missing" } else { "known" })
            }
            Split::Threshold { feature, threshold } => {
                let name = &self.schema.features[feature as usize].name;
                if threshold == f64::MAX {
                    return format!("{name} is {}", if branch == 0 { "known" } else { "missing" });
                }
                format!("{name} {sign} {}", number(threshold, options.decimals))
            }
            Split::Linear { plane } => {
                let plane = &self.planes[plane as usize];
                format!(
                    "{} {sign} {}",
                    self.sum_words(plane, options),
                    number(plane.offset, options.decimals)
                )
            }
        }
    }

    fn sum_words(&self, plane: &Plane, options: &TextOptions) -> String {
        let mut text = String::new();
        for (i, &(feature, weight)) in plane.weights.iter().enumerate() {
            let sign = match (i, weight < 0.0) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            };
            let feature = &self.schema.features[feature as usize];
            let size = number(weight.abs(), options.decimals);
            let _ = match plane.level(i) {
                None => write!(text, "{sign}{size}*{}", feature.name),
                Some(level) => {
                    write!(text, "{sign}{size}*[{} = {}]", feature.name, feature.level_text(level as usize))
                }
            };
        }
        if text.is_empty() { "0".to_owned() } else { text }
    }

    fn leaf_words(&self, node: u32, options: &TextOptions) -> String {
        let at = &self.nodes[node as usize];
        let mut text = format!(": {}", self.schema.classes[at.class as usize]);
        if options.show_errors {
            let (weight, errors) = (short(at.weight, options), self.errors_of(node as usize));
            let _ = match errors > 0.0 {
                true => write!(text, " ({weight}/{})", short(errors, options)),
                false => write!(text, " ({weight})"),
            };
        }
        if options.show_counts {
            let _ = write!(text, " [{}]", self.count_words(node as usize, options));
        }
        text + &self.estimate_words(node, options)
    }

    /// Rows by class, and what they weigh where that is something else.
    fn count_words(&self, node: usize, options: &TextOptions) -> String {
        let listed = |of: &[f64]| of.iter().map(|&n| short(n, options)).collect::<Vec<_>>().join(", ");
        let weights = listed(self.class_weights_of(node));
        match self.facts().counts.chunks_exact(self.n_classes()).nth(node).map(listed) {
            Some(counts) if counts != weights => format!("{counts}; weights {weights}"),
            _ => weights,
        }
    }

    /// The estimated error rate in braces, to four decimals unless said otherwise.
    fn estimate_words(&self, node: u32, options: &TextOptions) -> String {
        match &self.estimates {
            Some(estimates) if options.show_estimates => {
                let decimals = options.decimals.unwrap_or(4).min(MAX_DECIMALS);
                format!(" {{{}}}", estimates.words(node as usize, decimals))
            }
            _ => String::new(),
        }
    }

    fn summary(&self, node: u32) -> String {
        let (mut n_leaves, mut n_nodes) = (0usize, 0usize);
        let mut pending = vec![node];
        while let Some(id) = pending.pop() {
            n_nodes += 1;
            let at = &self.nodes[id as usize];
            n_leaves += usize::from(at.is_leaf());
            pending.extend(at.children());
        }
        format!("... ({n_nodes} nodes, {n_leaves} leaves)")
    }
}

/// More decimals than any double has.
const MAX_DECIMALS: usize = 1100;

/// Levels shown by bars; deeper ones are counted, so that a line stays short.
const BARS: usize = 30;

fn indentation(depth: u32) -> String {
    match depth as usize {
        depth if depth <= BARS => "|   ".repeat(depth),
        depth => format!("{}({depth}) ", "|   ".repeat(BARS)),
    }
}

/// A weight in at most as many decimals as asked for, two unless said otherwise.
fn short(value: f64, options: &TextOptions) -> String {
    let text = format!("{value:.*}", options.decimals.unwrap_or(2).min(MAX_DECIMALS));
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// A threshold, by default with as many digits as read back to the same number.
fn number(value: f64, decimals: Option<usize>) -> String {
    match decimals {
        Some(decimals) => format!("{value:.*}", decimals.min(MAX_DECIMALS)),
        None if value == 0.0 || (1e-4..1e16).contains(&value.abs()) => format!("{value}"),
        None => format!("{value:e}"),
    }
}
