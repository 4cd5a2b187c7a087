//! What a search goes by, whatever set of rows it looks at.

use std::sync::Arc;

use super::bits::Bits;
use super::lanes::{Instructions, Kind, class_of, id_of};
use super::part::Part;
use super::price::{Losses, Price};

/// Leaves without limit.
pub(super) const ANY: u32 = u32::MAX;

/// What a search goes by.
#[derive(Debug, Clone)]
pub(super) struct Rules {
    pub instructions: Instructions,
    pub losses: Losses,
    pub price: Price,
    /// How every axis is cut.
    pub kinds: Vec<Kind>,
    /// By class, what no answer costs more than, for each unit of weight.
    pub most: Vec<i64>,
    /// Whether adding rows to a set adds at most what they may lose: not where a new value needs a new leaf.
    pub adds_at_most: bool,
    /// What every leaf weighs at the least; 0 without limit.
    pub min_leaf: u64,
    /// By class and answer.
    pub table: Vec<Vec<i64>>,
    /// Axes that repeat others in a set where no row lacks a value.
    pub twins: Vec<Twin>,
    /// The whole set as bits, where that is the better way.
    pub bits: Option<Arc<dyn Bits>>,
}

/// An axis that is of use only where rows lack a value, and its code for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Twin {
    pub axis: usize,
    pub gap: u32,
}

impl Rules {
    /// Whether every wrong answer loses a unit for each unit of weight.
    #[inline]
    pub fn is_plain(&self) -> bool {
        self.losses == Losses::Wrong
    }

    /// What an entry's row costs at the most.
    #[inline(always)]
    pub fn reach(&self, part: &Part, e: u32) -> i64 {
        self.most[class_of(e)] * part.weight(id_of(e))
    }

    /// What all rows cost at the most.
    pub fn reach_of_all(&self, part: &Part) -> i64 {
        part.totals.iter().zip(&self.most).map(|(weight, most)| weight * most).sum()
    }

    /// The cost of a set of rows as one leaf.
    pub fn leaf(&self, totals: &[i64]) -> i64 {
        self.price.of(self.losses.of_leaf(totals), 1)
    }

    /// A set as bits, if it is the whole one and taken so.
    pub fn bits_of(&self, part: &Part) -> Option<&dyn Bits> {
        self.bits.as_deref().filter(|bits| bits.n_rows() == part.n)
    }

    /// Axes on which rows of a set differ.
    pub fn live_axes(&self, part: &Part) -> Vec<usize> {
        (0..part.axes.len()).filter(|&axis| part.axes[axis].is_live()).collect()
    }

    /// Leaves out of a set the axes on which others say all.
    pub fn drop_out_twins(&self, part: &mut Part) {
        for &Twin { axis, gap } in &self.twins {
            if !part.axes[axis].is_live() {
                continue;
            }
            let entries = part.entries(axis);
            let end = if gap == 0 { entries[0] } else { entries[entries.len() - 1] };
            let has_gaps = part.codes(axis)[id_of(end)] == gap;
            if !has_gaps || part.axes[axis].n_groups() < 3 {
                part.axes[axis].drop_out();
            }
        }
    }

    /// How an axis is cut in a set.
    pub fn kind_in(&self, part: &Part, axis: usize) -> Kind {
        match self.kinds[axis] {
            Kind::Multiway { has_gaps: true } => Kind::Multiway { has_gaps: part.first_code(axis) == 0 },
            kind => kind,
        }
    }
}
