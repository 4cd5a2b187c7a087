//! A tree as text a person reads.

use std::fmt::Write;

use super::node::Tree;
use super::words::Words;
use crate::base::decimals::MAX_DECIMALS;

/// How a tree is printed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TextOptions {
    /// Levels shown below the root; deeper sub-trees are summed up in a line.
    pub max_depth: Option<u32>,
    /// Branches shown of a node; the number of the others stands in their place.
    pub max_branches: Option<usize>,
    /// Rows by class at every leaf, and their weights where these differ.
    pub show_counts: bool,
    /// C4.5's (n) or (n/e) at every leaf: training rows, and those of another class; weights where rows are not
    /// known.
    pub show_errors: bool,
    /// The estimated error rate of every node, where the tree has them.
    pub show_estimates: bool,
    /// The least decimals of thresholds and weights; as few as decide alike where absent.
    pub decimals: Option<usize>,
}

/// A line still to be printed: node (none where it stands for branches left out), and the words of the branch
/// that leads there.
struct Line {
    node: Option<u32>,
    depth: u32,
    branch: String,
}

impl Tree {
    /// One line a branch, indented by `|   `; a leaf's class stands on its branch's line.
    pub fn export_text(&self, options: &TextOptions) -> String {
        let mut text = String::new();
        let words = Words::new(self, options.decimals);
        if self.nodes[0].is_leaf() {
            let _ = writeln!(text, "{}", self.leaf_words(0, &words, options));
            return text;
        }
        let mut pending = self.branches(0, 0, &words, options);
        while let Some(Line { node, depth, branch }) = pending.pop() {
            let indent = indentation(depth);
            let Some(node) = node else {
                let _ = writeln!(text, "{indent}{branch}");
                continue;
            };
            let at = &self.nodes[node as usize];
            if at.is_leaf() {
                let _ = writeln!(text, "{indent}{branch}: {}", self.leaf_words(node, &words, options));
            } else if options.max_depth.is_some_and(|limit| depth + 1 >= limit) {
                let estimate = self.estimate_words(node, options);
                let _ = writeln!(text, "{indent}{branch}: {}{estimate}", self.summary(node));
            } else {
                let _ = writeln!(text, "{indent}{branch}{}", self.estimate_words(node, options));
                pending.extend(self.branches(node, depth + 1, &words, options));
            }
        }
        text
    }

    /// The branches of a node, last first.
    fn branches(&self, node: u32, depth: u32, words: &Words, options: &TextOptions) -> Vec<Line> {
        let (at, n_shown) = (&self.nodes[node as usize], options.max_branches.unwrap_or(usize::MAX));
        let line = |(branch, child): (usize, u32)| Line {
            node: Some(child),
            depth,
            branch: words.of_branch(node as usize, branch, n_shown),
        };
        let mut lines: Vec<Line> = at.children().enumerate().take(n_shown).map(line).collect();
        let n_more = at.children().len() - lines.len();
        if n_more > 0 {
            lines.push(Line { node: None, depth, branch: format!("... {} more", grouped(n_more)) });
        }
        lines.reverse();
        lines
    }

    fn leaf_words(&self, node: u32, words: &Words, options: &TextOptions) -> String {
        let at = &self.nodes[node as usize];
        let mut text = words.class(node as usize).to_owned();
        let (n, errors) = self.rows_or_weight(node as usize);
        if !at.is_reached && (n > 0.0 || !options.show_errors) {
            text.push_str(" (no samples)");
        }
        if options.show_errors {
            let _ = match errors > 0.0 {
                true => write!(text, " ({}/{})", short(n, options), short(errors, options)),
                false => write!(text, " ({})", short(n, options)),
            };
        }
        if options.show_counts {
            let _ = write!(text, " [{}]", self.count_words(node as usize, options));
        }
        text + &self.estimate_words(node, options)
    }

    /// Rows at a node and those that are not of its class; their weights where rows are not known.
    fn rows_or_weight(&self, node: usize) -> (f64, f64) {
        let own = usize::from(self.nodes[node].class);
        match self.counts_of(node) {
            Some(counts) => {
                let others = counts.iter().enumerate().filter(|&(class, _)| class != own).map(|(_, n)| n);
                (counts.iter().sum(), others.sum())
            }
            None => (self.nodes[node].weight, self.errors_of(node)),
        }
    }

    /// Rows by class, and what they weigh where that is something else.
    fn count_words(&self, node: usize, options: &TextOptions) -> String {
        let listed = |of: &[f64]| of.iter().map(|&n| short(n, options)).collect::<Vec<_>>().join(", ");
        let weights = listed(self.class_weights_of(node));
        match self.counts_of(node).map(listed) {
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

/// Levels shown by bars; deeper ones are counted, so that a line stays short.
const BARS: usize = 30;

fn indentation(depth: u32) -> String {
    match depth as usize {
        depth if depth <= BARS => "|   ".repeat(depth),
        depth => format!("{}({depth}) ", "|   ".repeat(BARS)),
    }
}

/// A count with a comma before every three digits.
pub(super) fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let is_start = |place: usize| place > 0 && (digits.len() - place).is_multiple_of(3);
    digits
        .chars()
        .enumerate()
        .flat_map(|(place, digit)| is_start(place).then_some(',').into_iter().chain([digit]))
        .collect()
}

/// A weight in at most as many decimals as asked for, two unless said otherwise.
fn short(value: f64, options: &TextOptions) -> String {
    let text = format!("{value:.*}", options.decimals.unwrap_or(2).min(MAX_DECIMALS));
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}
