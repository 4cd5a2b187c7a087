//! Two classes: a row of class 1 counts +w, one of class 0 counts -w.
//!
//! With labels 0 left and 1 right of a cut, the wrong rows of a side are N0 + the sum before the cut; with labels 1
//! and 0 they are N1 - that sum. So the extremes of the running sums say all, over all orders together. They start
//! at 0, which is the leaf.
//!
//! Sums are kept in the narrowest numbers that a chunk of rows cannot overflow, and are folded into wide ones after
//! each chunk. The right side's sum is that of all rows less that of the left.

use pulp::NullaryFnOnce;

use super::number::{Lane, mapped};
use super::{Instructions, Kind, LANES, Lanes, Mask, Order, class_of, id_of, is_start};

/// What the rows count: by class where all weigh 1, else one number a row.
#[derive(Clone, Copy)]
pub(in super::super) enum Signs<'a, T> {
    OfClass(&'a [T; super::MOST_CLASSES]),
    OfRow(&'a [T]),
}

/// The least and the largest running sum of either side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Extremes {
    pub left_min: Lanes<i64>,
    pub left_max: Lanes<i64>,
    pub right_min: Lanes<i64>,
    pub right_max: Lanes<i64>,
}

/// The kernel's task.
pub(in super::super) struct Two<'a, T> {
    pub orders: &'a [Order<'a>],
    pub masks: &'a [Mask],
    pub signs: Signs<'a, T>,
    /// Rows whose sums a `T` holds, whatever they weigh.
    pub chunk: usize,
}

/// Extremes in wide numbers.
struct Wide<T> {
    lmin: Lanes<T>,
    lmax: Lanes<T>,
    rmin: Lanes<T>,
    rmax: Lanes<T>,
}

impl<T: Lane> Wide<T> {
    #[inline(always)]
    fn zero() -> Self {
        let zero = [T::ZERO; LANES];
        Wide { lmin: zero, lmax: zero, rmin: zero, rmax: zero }
    }

    fn told(&self) -> Extremes {
        let wide = |lanes: &Lanes<T>| mapped(lanes, T::wide);
        Extremes {
            left_min: wide(&self.lmin),
            left_max: wide(&self.lmax),
            right_min: wide(&self.rmin),
            right_max: wide(&self.rmax),
        }
    }

    /// Takes sums of the left side, and that of all rows.
    #[inline(always)]
    fn include(&mut self, left: &Lanes<T>, all: T) {
        for (j, &left) in left.iter().enumerate() {
            let right = all - left;
            self.lmin[j] = self.lmin[j].min(left);
            self.lmax[j] = self.lmax[j].max(left);
            self.rmin[j] = self.rmin[j].min(right);
            self.rmax[j] = self.rmax[j].max(right);
        }
    }
}

impl Two<'_, i8> {
    /// The extremes, by byte instructions where there are any.
    pub fn in_bytes(self, isa: Instructions) -> Extremes {
        #[cfg(target_arch = "x86_64")]
        if let Some(bytes) = isa.bytes() {
            return isa.run(InBytes { bytes, task: self });
        }
        isa.run(self)
    }
}

/// Extremes of a chunk, and the sums at its end.
struct Chunk<T> {
    extremes: [Lanes<T>; 4],
    left: Lanes<T>,
    all: T,
    has_start: bool,
}

/// What an entry's row counts. No closures here: what they call must be compiled for the same instructions.
trait Sign<T>: Copy {
    fn of(self, e: u32) -> T;
}

#[derive(Clone, Copy)]
struct OfClass<'a, T>(&'a [T; super::MOST_CLASSES]);

#[derive(Clone, Copy)]
struct OfRow<'a, T>(&'a [T]);

impl<T: Copy> Sign<T> for OfClass<'_, T> {
    #[inline(always)]
    fn of(self, e: u32) -> T {
        self.0[class_of(e)]
    }
}

impl<T: Copy> Sign<T> for OfRow<'_, T> {
    #[inline(always)]
    fn of(self, e: u32) -> T {
        self.0[id_of(e)]
    }
}

/// How a chunk is walked over.
trait Walk<T>: Copy {
    fn chunk<S: Sign<T>>(self, entries: &[u32], masks: &[Mask], sign: S) -> Chunk<T>;
}

#[derive(Clone, Copy)]
struct Plainly;

impl<T: Lane> Walk<T> for Plainly {
    #[inline(always)]
    fn chunk<S: Sign<T>>(self, entries: &[u32], masks: &[Mask], sign: S) -> Chunk<T> {
        plain_chunk(entries, masks, sign)
    }
}

impl<T: Lane> NullaryFnOnce for Two<'_, T> {
    type Output = Extremes;

    #[inline(always)]
    fn call(self) -> Extremes {
        match self.signs {
            Signs::OfClass(signs) => over_orders(&self, OfClass(signs), Plainly),
            Signs::OfRow(signs) => over_orders(&self, OfRow(signs), Plainly),
        }
    }
}

#[inline(always)]
fn over_orders<T: Lane, S: Sign<T>, W: Walk<T>>(task: &Two<'_, T>, sign: S, walk: W) -> Extremes {
    let mut wide = Wide::zero();
    for order in task.orders {
        match order.kind {
            Kind::Between => {
                let (mut base, mut all) = ([T::Wide::ZERO; LANES], T::Wide::ZERO);
                for entries in order.entries.chunks(task.chunk) {
                    fold(&mut wide, &mut base, &mut all, &walk.chunk(entries, task.masks, sign));
                }
            }
            Kind::Each | Kind::EachWithFirst => each_group(&mut wide, *order, task.masks, sign),
            Kind::Multiway { .. } => {}
        }
    }
    wide.told()
}

#[inline(always)]
fn plain_chunk<T: Lane, S: Sign<T>>(entries: &[u32], masks: &[Mask], sign: S) -> Chunk<T> {
    let (mut left, mut all, mut has_start) = ([T::ZERO; LANES], T::ZERO, false);
    let (mut lmin, mut lmax) = ([T::MOST; LANES], [T::LEAST; LANES]);
    let (mut rmin, mut rmax) = (lmin, lmax);
    for &e in entries {
        if is_start(e) {
            has_start = true;
            for j in 0..LANES {
                let right = all - left[j];
                lmin[j] = lmin[j].min(left[j]);
                lmax[j] = lmax[j].max(left[j]);
                rmin[j] = rmin[j].min(right);
                rmax[j] = rmax[j].max(right);
            }
        }
        let s = sign.of(e);
        let mask = &masks[id_of(e)];
        for j in 0..LANES {
            left[j] += T::of_byte(mask[j]) & s;
        }
        all += s;
    }
    Chunk { extremes: [lmin, lmax, rmin, rmax], left, all, has_start }
}

#[inline(always)]
fn sum<T: Lane>(base: T::Wide, more: T) -> T::Wide {
    let mut sum = base;
    sum += more.widened();
    sum
}

/// Takes a chunk that follows sums of the left side and of all rows.
#[inline(always)]
fn fold<T: Lane>(wide: &mut Wide<T::Wide>, base: &mut Lanes<T::Wide>, all: &mut T::Wide, chunk: &Chunk<T>) {
    let [lmin, lmax, rmin, rmax] = &chunk.extremes;
    if chunk.has_start {
        for j in 0..LANES {
            let right = *all - base[j];
            wide.lmin[j] = wide.lmin[j].min(sum(base[j], lmin[j]));
            wide.lmax[j] = wide.lmax[j].max(sum(base[j], lmax[j]));
            wide.rmin[j] = wide.rmin[j].min(sum(right, rmin[j]));
            wide.rmax[j] = wide.rmax[j].max(sum(right, rmax[j]));
        }
    }
    for (j, base) in base.iter_mut().enumerate() {
        *base += chunk.left[j].widened();
    }
    *all += chunk.all.widened();
}

/// Sums of single groups, each with those of the first where that goes along.
#[inline(always)]
fn each_group<T: Lane, S: Sign<T>>(wide: &mut Wide<T::Wide>, order: Order<'_>, masks: &[Mask], sign: S) {
    let zero = ([T::Wide::ZERO; LANES], T::Wide::ZERO);
    let (mut start, mut is_first) = (zero, order.kind == Kind::EachWithFirst);
    let (mut left, mut all) = zero;
    for &e in order.entries {
        if is_start(e) {
            if is_first {
                (start, is_first) = ((left, all), false);
            } else {
                wide.include(&left, all);
            }
            (left, all) = start;
        }
        let s = sign.of(e).widened();
        let mask = &masks[id_of(e)];
        for j in 0..LANES {
            left[j] += T::Wide::of_byte(mask[j]) & s;
        }
        all += s;
    }
    if !is_first {
        wide.include(&left, all);
    }
}

#[cfg(target_arch = "x86_64")]
struct InBytes<'a> {
    bytes: pulp::x86::V3,
    task: Two<'a, i8>,
}

#[cfg(target_arch = "x86_64")]
impl NullaryFnOnce for InBytes<'_> {
    type Output = Extremes;

    #[inline(always)]
    fn call(self) -> Extremes {
        let InBytes { bytes, task } = self;
        match task.signs {
            Signs::OfClass(signs) => over_orders(&task, OfClass(signs), Bytewise(bytes)),
            Signs::OfRow(signs) => over_orders(&task, OfRow(signs), Bytewise(bytes)),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
struct Bytewise(pulp::x86::V3);

#[cfg(target_arch = "x86_64")]
impl Walk<i8> for Bytewise {
    #[inline(always)]
    fn chunk<S: Sign<i8>>(self, entries: &[u32], masks: &[Mask], sign: S) -> Chunk<i8> {
        byte_chunk(self.0, entries, masks, sign)
    }
}

/// As [`plain_chunk`], all lanes in one register.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn byte_chunk<S: Sign<i8>>(isa: pulp::x86::V3, entries: &[u32], masks: &[Mask], sign: S) -> Chunk<i8> {
    let (avx2, avx) = (isa.avx2, isa.avx);
    let zero = avx._mm256_setzero_si256();
    let (mut left, mut all, mut starts) = (zero, zero, 0);
    let (mut lmin, mut lmax) = (avx._mm256_set1_epi8(i8::MAX), avx._mm256_set1_epi8(i8::MIN));
    let (mut rmin, mut rmax) = (lmin, lmax);
    for &e in entries {
        starts |= e & 1;
        if is_start(e) {
            let right = avx2._mm256_sub_epi8(all, left);
            lmin = avx2._mm256_min_epi8(lmin, left);
            lmax = avx2._mm256_max_epi8(lmax, left);
            rmin = avx2._mm256_min_epi8(rmin, right);
            rmax = avx2._mm256_max_epi8(rmax, right);
        }
        let s = avx._mm256_set1_epi8(sign.of(e));
        left = avx2._mm256_add_epi8(left, avx2._mm256_and_si256(s, pulp::cast(masks[id_of(e)])));
        all = avx2._mm256_add_epi8(all, s);
    }
    let (left, all): (Mask, Mask) = (pulp::cast(left), pulp::cast(all));
    let extremes = mapped(&[lmin, lmax, rmin, rmax], |lanes| -> Mask { pulp::cast(lanes) });
    Chunk { extremes, left, all: all[0], has_start: starts != 0 }
}
