//! Which rows a lane sends to the left.

use pulp::NullaryFnOnce;

use super::{Instructions, Mask};

/// Codes that go to the left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(in super::super) enum Cond {
    /// Those below.
    Below(u32),
    /// This one.
    Is(u32),
    /// This one and the first one, 0.
    IsOrFirst(u32),
}

impl Cond {
    /// Whether a code goes to the left.
    #[inline(always)]
    pub fn holds(self, code: u32) -> bool {
        match self {
            Cond::Below(cut) => code < cut,
            Cond::Is(value) => code == value,
            Cond::IsOrFirst(value) => code == value || code == 0,
        }
    }
}

/// The test of a lane.
#[derive(Clone, Copy)]
pub(in super::super) struct LaneTest<'a> {
    /// Codes by local id.
    pub codes: &'a [u32],
    pub cond: Cond,
}

/// Writes the masks of all rows; lanes without a test send nothing to the left.
pub(in super::super) fn fill_masks(isa: Instructions, tests: &[LaneTest<'_>], masks: &mut [Mask]) {
    #[cfg(target_arch = "x86_64")]
    if let Some(bytes) = isa.bytes() {
        return isa.run(ByBytes { bytes, tests, masks });
    }
    isa.run(Plainly { tests, masks });
}

/// Rows whose bits are made together.
const BLOCK: usize = 64;

struct Plainly<'a> {
    tests: &'a [LaneTest<'a>],
    masks: &'a mut [Mask],
}

impl NullaryFnOnce for Plainly<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for (block, masks) in self.masks.chunks_mut(BLOCK).enumerate() {
            let bits = bits_of(self.tests, block * BLOCK, masks.len());
            for (mask, bits) in masks.iter_mut().zip(bits) {
                for (part, lanes) in bits.to_le_bytes().into_iter().zip(mask.as_chunks_mut::<8>().0) {
                    for (j, lane) in lanes.iter_mut().enumerate() {
                        let bit = 1u8 << j;
                        *lane = if part & bit == bit { -1 } else { 0 };
                    }
                }
            }
        }
    }
}

/// A bit a lane for some rows, in order.
#[inline(always)]
fn bits_of(tests: &[LaneTest<'_>], first: usize, n: usize) -> [u32; BLOCK] {
    let mut bits = [0u32; BLOCK];
    for (j, test) in tests.iter().enumerate() {
        let codes = &test.codes[first..first + n];
        match test.cond {
            Cond::Below(cut) => or_where(&mut bits, codes, j, |code| code < cut),
            Cond::Is(value) => or_where(&mut bits, codes, j, |code| code == value),
            Cond::IsOrFirst(value) => or_where(&mut bits, codes, j, |code| (code == value) | (code == 0)),
        }
    }
    bits
}

#[inline(always)]
fn or_where(bits: &mut [u32; BLOCK], codes: &[u32], lane: usize, holds: impl Fn(u32) -> bool) {
    for (bits, &code) in bits.iter_mut().zip(codes) {
        *bits |= u32::from(holds(code)) << lane;
    }
}

#[cfg(target_arch = "x86_64")]
struct ByBytes<'a> {
    bytes: pulp::x86::V3,
    tests: &'a [LaneTest<'a>],
    masks: &'a mut [Mask],
}

#[cfg(target_arch = "x86_64")]
impl NullaryFnOnce for ByBytes<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        use std::arch::x86_64::__m256i;
        let (avx2, avx) = (self.bytes.avx2, self.bytes.avx);
        let spread: __m256i = pulp::cast(std::array::from_fn::<u8, 32, _>(|i| (i / 8) as u8));
        let bit: __m256i = pulp::cast(std::array::from_fn::<u8, 32, _>(|i| 1 << (i % 8)));
        for (block, masks) in self.masks.chunks_mut(BLOCK).enumerate() {
            let bits = bits_of(self.tests, block * BLOCK, masks.len());
            for (mask, bits) in masks.iter_mut().zip(bits) {
                let bytes = avx2._mm256_shuffle_epi8(avx._mm256_set1_epi32(bits as i32), spread);
                *mask = pulp::cast(avx2._mm256_cmpeq_epi8(avx2._mm256_and_si256(bytes, bit), bit));
            }
        }
    }
}
