//! Thirty-two tests at a time: what the best single test below each side of every test is worth.
//!
//! A lane is one test that sends some rows of a set to the left. The kernels walk once over every order of the
//! rows and keep, for all lanes at once, what the best cut of the left and of the right rows is. Masks say which
//! rows a lane sends to the left: -1 or 0, a byte a lane.
//!
//! The instruction set is chosen at run time; every one gives the same numbers.

mod costs;
mod limited;
mod many;
mod masks;
mod multi;
mod number;
mod two;

pub(super) use costs::Costs;
pub(super) use limited::Limited;
pub(super) use many::Many;
pub(super) use masks::{Cond, LaneTest, fill_masks};
pub(super) use multi::{Branches, Multi};
pub(super) use number::{Lane, mapped, narrow_lanes};
pub(super) use two::{Extremes, Signs, Two};

use pulp::NullaryFnOnce;

/// Tests that go through the rows together.
pub(super) const LANES: usize = 32;

/// A number for every lane.
pub(super) type Lanes<T> = [T; LANES];

/// For a row, -1 in every lane whose test sends it to the left, else 0.
pub(super) type Mask = Lanes<i8>;

/// How an order of rows is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Between any two groups.
    Between,
    /// One group against all others.
    Each,
    /// One group, with the first one, against all others.
    EachWithFirst,
    /// Every group by itself; rows of the first one, which have no value, go with one of the others.
    Multiway {
        /// Whether the first group is of rows without a value.
        has_gaps: bool,
    },
}

/// Rows of a set by the codes of an axis: local id, class, and whether a group starts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Order<'a> {
    pub entries: &'a [u32],
    pub kind: Kind,
    /// Groups of the set; rows of one class follow one another in each.
    pub n_groups: u32,
}

/// Bits of an entry: id above, then seven of the class, then the start.
pub(super) const CLASS_BITS: u32 = 7;
/// Classes that an entry can tell apart.
pub(super) const MOST_CLASSES: usize = 1 << CLASS_BITS;
/// Rows that an entry can tell apart.
pub(super) const MOST_ROWS: usize = 1 << (u32::BITS - CLASS_BITS - 1);

/// An entry of a row.
#[inline(always)]
pub(super) fn entry(id: u32, class: u8, is_start: bool) -> u32 {
    id << (CLASS_BITS + 1) | u32::from(class) << 1 | u32::from(is_start)
}

/// The local id of an entry.
#[inline(always)]
pub(super) fn id_of(entry: u32) -> usize {
    (entry >> (CLASS_BITS + 1)) as usize
}

/// The class of an entry.
#[inline(always)]
pub(super) fn class_of(entry: u32) -> usize {
    (entry >> 1) as usize & (MOST_CLASSES - 1)
}

/// Class and start of an entry: equal for rows of one class that follow one another in a group.
#[inline(always)]
pub(super) fn run_of(entry: u32) -> u32 {
    entry & ((1 << (CLASS_BITS + 1)) - 1)
}

/// Whether a group starts with an entry that is not the first.
#[inline(always)]
pub(super) fn is_start(entry: u32) -> bool {
    entry & 1 == 1
}

/// What the kernels are compiled for.
#[derive(Debug, Clone, Copy)]
pub enum Instructions {
    /// Whatever every machine of the kind has.
    Plain,
    /// AVX2.
    #[cfg(target_arch = "x86_64")]
    Avx2(pulp::x86::V3),
    /// AVX-512.
    #[cfg(target_arch = "x86_64")]
    Avx512(pulp::x86::V4),
}

impl Instructions {
    /// All that this machine has, the best one last.
    pub fn available() -> Vec<Self> {
        #[allow(unused_mut)]
        let mut found = vec![Instructions::Plain];
        #[cfg(target_arch = "x86_64")]
        {
            found.extend(pulp::x86::V3::try_new().map(Instructions::Avx2));
            found.extend(pulp::x86::V4::try_new().map(Instructions::Avx512));
        }
        found
    }

    /// The best that this machine has.
    pub fn best() -> Self {
        *Self::available().last().expect("the plain one is always there")
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Instructions::Plain => "plain",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512(_) => "avx512",
        }
    }

    /// Runs what was compiled for these instructions.
    pub(super) fn run<Op: NullaryFnOnce>(self, op: Op) -> Op::Output {
        match self {
            Instructions::Plain => op.call(),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(isa) => pulp::Simd::vectorize(isa, op),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512(isa) => pulp::Simd::vectorize(isa, op),
        }
    }

    /// The byte instructions of AVX2, which AVX-512 has too.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn bytes(self) -> Option<pulp::x86::V3> {
        match self {
            Instructions::Plain => None,
            Instructions::Avx2(isa) => Some(isa),
            Instructions::Avx512(isa) => Some(*isa),
        }
    }
}
