//! Which rows a lane sends to the left.

use pulp::NullaryFnOnce;

use super::{Instructions, LANES, Mask};

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

/// Rows whose bits are made together: as many as one register holds or two.
const BLOCK: usize = 16;

/// Codes of a lane's axis, in blocks, and those that do not fill one.
type Blocks<'a> = (&'a [[u32; BLOCK]], &'a [u32]);

/// The tests of all lanes by what they ask, each with its bit.
struct Asked<'a> {
    cuts: Vec<(u32, u32, Blocks<'a>)>,
    /// One of two codes.
    values: Vec<([u32; 2], u32, Blocks<'a>)>,
}

impl<'a> Asked<'a> {
    fn new(tests: &[LaneTest<'a>], n: usize) -> Self {
        let mut asked = Asked { cuts: Vec::with_capacity(tests.len()), values: Vec::new() };
        for (j, test) in tests.iter().enumerate() {
            let (bit, codes) = (1 << j, test.codes[..n].as_chunks());
            match test.cond {
                Cond::Below(cut) => asked.cuts.push((cut, bit, codes)),
                Cond::Is(value) => asked.values.push(([value, value], bit, codes)),
                Cond::IsOrFirst(value) => asked.values.push(([value, 0], bit, codes)),
            }
        }
        asked
    }

    /// A bit a lane for every row of a block. Rows outside, lanes inside: the bits stay in registers.
    #[inline(always)]
    fn bits(&self, block: usize) -> [u32; BLOCK] {
        let mut bits = [0; BLOCK];
        for &(cut, bit, (codes, _)) in &self.cuts {
            let codes = &codes[block];
            for row in 0..BLOCK {
                bits[row] |= if codes[row] < cut { bit } else { 0 };
            }
        }
        for &([one, other], bit, (codes, _)) in &self.values {
            let codes = &codes[block];
            for row in 0..BLOCK {
                bits[row] |= if (codes[row] == one) | (codes[row] == other) { bit } else { 0 };
            }
        }
        bits
    }

    /// The same of a row behind the last block.
    #[inline(always)]
    fn bits_behind(&self, row: usize) -> u32 {
        let below = self.cuts.iter().filter(|(cut, _, (_, codes))| codes[row] < *cut).map(|(_, bit, _)| bit);
        let equal = self.values.iter().filter(|(two, _, (_, codes))| two.contains(&codes[row]));
        below.chain(equal.map(|(_, bit, _)| bit)).sum()
    }
}

/// How bits become bytes.
trait Spread: Copy {
    fn mask(self, bits: u32) -> Mask;
}

#[inline(always)]
fn fill<S: Spread>(tests: &[LaneTest<'_>], masks: &mut [Mask], spread: S) {
    let asked = Asked::new(tests, masks.len());
    let (blocks, rest) = masks.as_chunks_mut::<BLOCK>();
    for (block, masks) in blocks.iter_mut().enumerate() {
        let bits = asked.bits(block);
        for (row, mask) in masks.iter_mut().enumerate() {
            *mask = spread.mask(bits[row]);
        }
    }
    for (row, mask) in rest.iter_mut().enumerate() {
        *mask = spread.mask(asked.bits_behind(row));
    }
}

struct Plainly<'a> {
    tests: &'a [LaneTest<'a>],
    masks: &'a mut [Mask],
}

#[derive(Clone, Copy)]
struct ByParts;

impl Spread for ByParts {
    #[inline(always)]
    fn mask(self, bits: u32) -> Mask {
        let mut mask = [0; LANES];
        let parts = bits.to_le_bytes();
        for (lanes, part) in mask.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            for (j, lane) in part.iter_mut().enumerate() {
                let bit = 1u8 << j;
                *lane = if parts[lanes] & bit == bit { -1 } else { 0 };
            }
        }
        mask
    }
}

impl NullaryFnOnce for Plainly<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        fill(self.tests, self.masks, ByParts);
    }
}

#[cfg(target_arch = "x86_64")]
struct ByBytes<'a> {
    bytes: pulp::x86::V3,
    tests: &'a [LaneTest<'a>],
    masks: &'a mut [Mask],
}

/// All lanes of a row in one register.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
struct InRegister {
    bytes: pulp::x86::V3,
    /// For every lane the byte that its bit is in, and the bit.
    place: std::arch::x86_64::__m256i,
    bit: std::arch::x86_64::__m256i,
}

#[cfg(target_arch = "x86_64")]
impl Spread for InRegister {
    #[inline(always)]
    fn mask(self, bits: u32) -> Mask {
        let (avx2, avx) = (self.bytes.avx2, self.bytes.avx);
        let parts = avx2._mm256_shuffle_epi8(avx._mm256_set1_epi32(bits as i32), self.place);
        pulp::cast(avx2._mm256_cmpeq_epi8(avx2._mm256_and_si256(parts, self.bit), self.bit))
    }
}

#[cfg(target_arch = "x86_64")]
impl NullaryFnOnce for ByBytes<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let place = pulp::cast(std::array::from_fn::<u8, LANES, _>(|i| (i / 8) as u8));
        let bit = pulp::cast(std::array::from_fn::<u8, LANES, _>(|i| 1 << (i % 8)));
        fill(self.tests, self.masks, InRegister { bytes: self.bytes, place, bit });
    }
}
