//! The conditions and classes of a tree in words: what is printed decides as the tree does.
//!
//! A cut may be written as any number from the largest training value below it up to the smallest above it,
//! that excluded; every training row goes the same way. It has as few digits as that allows. Where the values
//! beside a cut are not known it has as many digits as read back to the same number.

use std::collections::HashSet;
use std::fmt::Write;

use super::facts::CutValues;
use super::node::Tree;
use super::split::{Plane, Split};
use super::text::grouped;
use crate::base::decimals::{Room, exact};
use crate::base::visible::{quoted, visible};
use crate::model::data::{Feature, Label, MissingMode};

/// Values of a group that are written again where a row is not in it; of a larger group one less.
const FEW_VALUES: usize = 4;

/// Texts of a tree, made once.
pub(super) struct Words<'a> {
    tree: &'a Tree,
    decimals: Option<usize>,
    names: Vec<String>,
    levels: Vec<Vec<String>>,
    classes: Vec<String>,
    cuts: Vec<Option<CutRoom>>,
}

impl Tree {
    /// For every node the condition on its branch; empty for the root.
    pub fn branch_texts(&self) -> Vec<String> {
        let words = Words::new(self, None);
        let mut texts = vec![String::new(); self.nodes.len()];
        for (id, node) in self.nodes.iter().enumerate() {
            for (branch, child) in node.children().enumerate() {
                texts[child as usize] = words.of_branch(id, branch, usize::MAX);
            }
        }
        texts
    }
}

impl<'a> Words<'a> {
    /// Numbers get so many decimals, or as many more as it takes.
    pub fn new(tree: &'a Tree, decimals: Option<usize>) -> Self {
        let features = &tree.schema.features;
        Words {
            tree,
            decimals,
            names: features.iter().map(|feature| visible(&feature.name).into_owned()).collect(),
            levels: features.iter().map(level_texts).collect(),
            classes: label_texts(&tree.schema.classes, false),
            cuts: rooms(tree),
        }
    }

    /// The class of a node.
    pub fn class(&self, node: usize) -> &str {
        &self.classes[self.tree.nodes[node].class as usize]
    }

    /// The condition on a branch of a node, with so many values of a group at the most.
    ///
    /// What is not in a group needs fewer of them: they stand at the branch before, too.
    pub fn of_branch(&self, id: usize, branch: usize, most_values: usize) -> String {
        let node = &self.tree.nodes[id];
        let sign = if branch == 0 { "<=" } else { ">" };
        let name = node.split.feature().map_or("", |feature| self.names[feature as usize].as_str());
        let lists = &self.tree.lists;
        match node.split {
            Split::Leaf => String::new(),
            Split::ByValue { feature } => format!("{name} = {}", self.level(feature, branch as u32)),
            Split::Listed { feature, list } => {
                format!("{name} = {}", self.level(feature, lists[list as usize][branch]))
            }
            Split::Group { feature, list } => {
                let values = &lists[list as usize];
                let (is_in, most) = match branch {
                    0 => ("in", most_values),
                    _ if most_values == usize::MAX || values.len() <= FEW_VALUES => ("not in", most_values),
                    _ => ("not in", most_values.min(FEW_VALUES - 1)),
                };
                format!("{name} {is_in} {{{}}}", self.set(feature, values, most))
            }
            Split::Missing { .. } => format!("{name} is {}", if branch == 0 { "missing" } else { "known" }),
            Split::Threshold { threshold: f64::MAX, .. } => {
                format!("{name} is {}", if branch == 0 { "known" } else { "missing" })
            }
            Split::Threshold { threshold, .. } => format!("{name} {sign} {}", self.cut(id, threshold)),
            Split::Linear { plane } => self.side(&self.tree.planes[plane as usize], branch),
        }
    }

    /// A value of a nominal feature; the one after the last is "missing".
    fn level(&self, feature: u32, level: u32) -> &str {
        self.levels[feature as usize].get(level as usize).map_or("missing", String::as_str)
    }

    /// Values side by side; one that has a comma itself is in quotes.
    fn set(&self, feature: u32, levels: &[u32], most: usize) -> String {
        let text = |&level: &u32| match self.level(feature, level) {
            text if text.starts_with(['\'', '"']) || !text.contains([',', '{', '}']) => text.to_owned(),
            text => quoted(text),
        };
        let mut texts: Vec<String> = levels.iter().take(most).map(text).collect();
        if levels.len() > most {
            texts.push(format!("... {} more", grouped(levels.len() - most)));
        }
        texts.join(", ")
    }

    fn cut(&self, node: usize, threshold: f64) -> String {
        let room = self.cuts[node].expect("a cut has its room");
        match (self.decimals, room.is_known) {
            (Some(decimals), _) => room.room.with_decimals(threshold, decimals),
            (None, true) => exact(room.room.shortest(threshold)),
            (None, false) => exact(threshold),
        }
    }

    /// A number of a plane, which may not be moved: the least decimals are those that it has.
    fn number(&self, value: f64) -> String {
        let here = Room { low: value, high: value.next_up() };
        self.decimals.map_or_else(|| exact(value), |decimals| here.with_decimals(value, decimals))
    }

    /// A side of a plane; of a plane over one number, where the number is.
    fn side(&self, plane: &Plane, branch: usize) -> String {
        if let Some((feature, weight, cut)) = plane.lone_cut() {
            let sign = match (branch, weight < 0.0) {
                (0, false) => "<=",
                (0, true) => ">=",
                (_, false) => ">",
                (_, true) => "<",
            };
            return format!("{} {sign} {}", self.names[feature as usize], self.number(cut));
        }
        let sign = if branch == 0 { "<=" } else { ">" };
        format!("{} {sign} {}", self.sum(plane), self.number(plane.offset))
    }

    fn sum(&self, plane: &Plane) -> String {
        let mut text = String::new();
        for (i, &(feature, weight)) in plane.weights.iter().enumerate() {
            let sign = match (i, weight < 0.0) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            };
            let (name, size) = (&self.names[feature as usize], self.number(weight.abs()));
            let _ = match plane.level(i) {
                None => write!(text, "{sign}{size}*{name}"),
                Some(level) => write!(text, "{sign}{size}*[{name} = {}]", self.level(feature, level)),
            };
        }
        if text.is_empty() { "0".to_owned() } else { text }
    }
}

/// The values of a nominal feature, no two alike.
fn level_texts(feature: &Feature) -> Vec<String> {
    let levels = feature.levels.as_deref().unwrap_or_default();
    label_texts(levels, feature.missing == MissingMode::Value)
}

/// Labels as texts, no two alike: a text that looks like a number, a truth value or "missing" beside it is in
/// quotes.
pub fn label_texts(labels: &[Label], may_miss: bool) -> Vec<String> {
    let is_text = |label: &&Label| matches!(label, Label::Text(_));
    let mut taken: HashSet<String> =
        labels.iter().filter(|label| !is_text(label)).map(Label::to_string).collect();
    if may_miss {
        taken.insert("missing".to_owned());
    }
    let text = |label: &Label| match label {
        Label::Text(text) if taken.contains(text) => quoted(text),
        Label::Text(text) => visible(text).into_owned(),
        other => other.to_string(),
    };
    labels.iter().map(text).collect()
}

/// Where the number of a cut may be moved.
#[derive(Clone, Copy)]
struct CutRoom {
    /// So that every training row goes where it goes, and different cuts of a feature stay in their order.
    room: Room,
    /// Whether the training values beside the cut are known; else only its neighbours bound the room.
    is_known: bool,
}

/// A cut of a feature.
struct Cut {
    feature: u32,
    threshold: f64,
    at: CutRoom,
    nodes: Vec<usize>,
}

/// The room of every node's cut.
fn rooms(tree: &Tree) -> Vec<Option<CutRoom>> {
    let mut cuts = distinct_cuts(tree);
    for i in 1..cuts.len() {
        let (before, after) = cuts.split_at_mut(i);
        keep_apart(&mut before[i - 1], &mut after[0]);
    }
    let mut rooms = vec![None; tree.nodes.len()];
    for cut in &cuts {
        cut.nodes.iter().for_each(|&node| rooms[node] = Some(cut.at));
    }
    rooms
}

/// The cuts of all features, those that are equal as one, ascending.
fn distinct_cuts(tree: &Tree) -> Vec<Cut> {
    let mut cuts = Vec::new();
    for (id, node) in tree.nodes.iter().enumerate() {
        if let Split::Threshold { feature, threshold } = node.split {
            cuts.push(Cut { feature, threshold, at: tree.own_room(id, threshold), nodes: vec![id] });
        }
    }
    let order = |a: &Cut, b: &Cut| (a.feature, a.threshold).partial_cmp(&(b.feature, b.threshold));
    cuts.sort_by(|a, b| order(a, b).expect("no cut is NaN"));
    cuts.dedup_by(|next, cut| {
        let is_same = (next.feature, next.threshold) == (cut.feature, cut.threshold);
        if is_same {
            cut.at.room = cut.at.room.and(next.at.room);
            cut.at.is_known &= next.at.is_known;
            cut.nodes.append(&mut next.nodes);
        }
        is_same
    });
    cuts
}

impl Tree {
    /// Where the number of one node may be moved by the training values beside it; a side that is not known
    /// stays where it is.
    fn own_room(&self, node: usize, threshold: f64) -> CutRoom {
        match self.cut_values(node) {
            None => CutRoom { room: Room::ALL, is_known: false },
            Some(CutValues { below, above }) => {
                let (low, high) = (below.unwrap_or(threshold), above.unwrap_or(threshold.next_up()));
                CutRoom { room: Room { low, high }, is_known: true }
            }
        }
    }
}

/// Parts the rooms of two neighbouring cuts half way where they overlap.
fn keep_apart(before: &mut Cut, after: &mut Cut) {
    if before.feature != after.feature || before.at.room.high <= after.at.room.low {
        return;
    }
    let middle = before.threshold / 2.0 + after.threshold / 2.0;
    let middle = if before.threshold < middle { middle.min(after.threshold) } else { after.threshold };
    before.at.room = before.at.room.and(Room { high: middle, ..Room::ALL });
    after.at.room = after.at.room.and(Room { low: middle, ..Room::ALL });
}
