//! Training rows led through a finished tree: how many of each class reach every node, and how their values
//! are spread there.

use super::facts::Histogram;
use super::node::{Node, Tree};
use super::predict::Reader;
use super::split::Split;
use super::walk::{Ballot, cast_votes};
use crate::base::control::Control;
use crate::base::error::Result;
use crate::base::outcome::{Halt, Outcome, Stats, Status};
use crate::model::data::{RawColumn, Weights};

/// Bins of a histogram at the most.
const MOST_BINS: usize = 32;

/// Rows between two checkpoints.
const BATCH: usize = 4096;

impl Tree {
    /// The same tree with raw counts of the rows that weigh something, which go where the tree sends them; what
    /// none of them reaches is marked. Nothing where the control ends the work.
    ///
    /// # Errors
    /// Columns that do not fit the tree.
    pub fn counted(
        self,
        columns: &[RawColumn],
        target: &[u16],
        weights: &Weights,
        control: &Control,
    ) -> Result<Outcome<Option<Tree>>> {
        let n_classes = self.n_classes();
        let mut counts = vec![0.0; self.nodes.len() * n_classes];
        let led = self.lead(columns, weights, control, |node, row, share| {
            counts[node as usize * n_classes + usize::from(target[row])] += share;
        })?;
        let counted = led.map(|()| {
            let mut tree = self.with_counts(counts);
            for id in 1..tree.nodes.len() {
                tree.nodes[id].is_reached =
                    tree.facts.counts[id * n_classes..][..n_classes] != vec![0.0; n_classes];
            }
            tree
        });
        Outcome::all_or_none(counted.map_err(Halt::from), Status::Complete, Stats::time(control.elapsed()))
    }

    /// The same tree with a histogram, of the rows that weigh something, at every node that tests one feature.
    ///
    /// # Errors
    /// Columns that do not fit the tree.
    pub fn with_histograms(
        mut self,
        columns: &[RawColumn],
        target: &[u16],
        weights: &Weights,
        control: &Control,
    ) -> Result<Outcome<Option<Tree>>> {
        let histograms = self.histograms(columns, target, weights, control)?;
        let kept = histograms.map(|histograms| {
            self.facts.histograms = histograms;
            self
        });
        Outcome::all_or_none(kept.map_err(Halt::from), Status::Complete, Stats::time(control.elapsed()))
    }

    fn histograms(
        &self,
        columns: &[RawColumn],
        target: &[u16],
        weights: &Weights,
        control: &Control,
    ) -> Result<std::result::Result<Vec<Option<Histogram>>, Status>> {
        let mut spans = vec![Span::NONE; self.nodes.len()];
        let led = self.lead(columns, weights, control, |node, row, _| {
            if let Some(RawColumn::Numeric(values)) = self.column_at(columns, node) {
                spans[node as usize].include(values[row]);
            }
        })?;
        if let Err(status) = led {
            return Ok(Err(status));
        }
        let empty = |(id, node): (usize, &Node)| self.empty_histogram(id, node, spans[id]);
        let mut histograms: Vec<Option<Histogram>> = self.nodes.iter().enumerate().map(empty).collect();
        let led = self.lead(columns, weights, control, |node, row, share| {
            let Some(histogram) = &mut histograms[node as usize] else { return };
            let place = match self.column_at(columns, node) {
                Some(RawColumn::Numeric(values)) => histogram.bin(values[row]),
                Some(RawColumn::Nominal(codes)) => usize::try_from(codes[row]).ok(),
                None => None,
            };
            if let Some(place) = place {
                histogram.counts[place][usize::from(target[row])] += share;
            }
        })?;
        histograms.iter_mut().flatten().for_each(Histogram::drop_empty_levels);
        Ok(led.map(|()| histograms))
    }

    /// The column that a node tests, if it tests one.
    fn column_at<'a>(&self, columns: &'a [RawColumn], node: u32) -> Option<&'a RawColumn> {
        self.nodes[node as usize].split.feature().map(|feature| &columns[feature as usize])
    }

    fn empty_histogram(&self, id: usize, node: &Node, span: Span) -> Option<Histogram> {
        let feature = &self.schema.features[node.split.feature()? as usize];
        let row = vec![0.0; self.n_classes()];
        if let Some(levels) = &feature.levels {
            let levels = 0..levels.len() as u32;
            return Some(Histogram {
                edges: vec![],
                counts: vec![row; levels.len()],
                levels: levels.collect(),
            });
        }
        let cut = match node.split {
            Split::Threshold { threshold, .. } => Some(threshold),
            _ => None,
        };
        debug_assert!(id < self.nodes.len());
        let edges = span.edges(cut)?;
        Some(Histogram { counts: vec![row; edges.len() - 1], edges, levels: vec![] })
    }

    /// Leads rows that weigh something to their leaves; `visit` sees every node that a row reaches, and its share there.
    fn lead(
        &self,
        columns: &[RawColumn],
        weights: &Weights,
        control: &Control,
        mut visit: impl FnMut(u32, usize, f64),
    ) -> Result<std::result::Result<(), Status>> {
        let reader = Reader::new(self, columns)?;
        let n_rows = columns.first().map_or(0, RawColumn::len);
        let mut ballot = Ballot::default();
        for row in 0..n_rows {
            if row % BATCH == 0
                && let Err(status) = control.checkpoint()
            {
                return Ok(Err(status));
            }
            if weights.fine(row as u32) > 0 {
                cast_votes(&reader, 0, row, &mut ballot, |node, share| visit(node, row, share));
            }
        }
        Ok(Ok(()))
    }
}

/// The smallest and the largest number at a node.
#[derive(Clone, Copy)]
struct Span {
    low: f64,
    high: f64,
}

impl Span {
    const NONE: Span = Span { low: f64::INFINITY, high: f64::NEG_INFINITY };

    fn include(&mut self, value: f64) {
        if value.is_finite() {
            self.low = self.low.min(value);
            self.high = self.high.max(value);
        }
    }

    /// The ends of bins of about equal width, of which one is the cut, so that no bin lies on both sides.
    fn edges(self, cut: Option<f64>) -> Option<Vec<f64>> {
        let Span { low, high } = self;
        if low > high {
            return None;
        }
        let Some(cut) = cut.filter(|cut| (low..high).contains(cut)) else {
            return Some(evenly(low, high, MOST_BINS));
        };
        let share = (cut / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0);
        let n_left = ((share * MOST_BINS as f64).round() as usize).clamp(1, MOST_BINS - 1);
        let mut edges = evenly(low, cut, n_left);
        edges.extend_from_slice(&evenly(cut, high, MOST_BINS - n_left)[1..]);
        Some(edges)
    }
}

/// The ends of `n` bins of equal width, or of one where they are not to be told apart.
fn evenly(low: f64, high: f64, n: usize) -> Vec<f64> {
    let at = |i: usize| low + (high / n as f64 - low / n as f64) * i as f64;
    let edges: Vec<f64> = (0..n).map(at).chain([high]).collect();
    match edges.windows(2).all(|pair| pair[0] < pair[1]) {
        true => edges,
        false => vec![low, high],
    }
}

impl Histogram {
    /// The bin of a number; `None` of what is none.
    fn bin(&self, value: f64) -> Option<usize> {
        let is_inside = (self.edges[0]..=self.edges[self.edges.len() - 1]).contains(&value);
        is_inside.then(|| self.edges[1..].partition_point(|&end| end < value))
    }

    fn drop_empty_levels(&mut self) {
        if self.levels.is_empty() {
            return;
        }
        let (levels, counts) = (std::mem::take(&mut self.levels), std::mem::take(&mut self.counts));
        let occurs = |(_, counts): &(u32, Vec<f64>)| counts.iter().any(|&count| count > 0.0);
        (self.levels, self.counts) = levels.into_iter().zip(counts).filter(occurs).unzip();
    }
}
