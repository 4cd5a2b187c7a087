//! Sets of small non-negative integers as bit strings.

/// A subset of `0..len`, one bit a member.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct BitSet {
    words: Box<[u64]>,
}

impl BitSet {
    /// The empty subset of `0..len`.
    pub fn empty(len: usize) -> Self {
        BitSet { words: vec![0; len.div_ceil(64)].into_boxed_slice() }
    }

    /// All of `0..len`.
    pub fn full(len: usize) -> Self {
        let mut set = Self::empty(len);
        for (i, word) in set.words.iter_mut().enumerate() {
            let left = len - 64 * i;
            *word = if left >= 64 { u64::MAX } else { (1 << left) - 1 };
        }
        set
    }

    /// The members of `items` in `0..len`.
    pub fn of(len: usize, items: impl IntoIterator<Item = usize>) -> Self {
        let mut set = Self::empty(len);
        for item in items {
            set.insert(item);
        }
        set
    }

    /// Whether `item` is a member.
    #[inline]
    pub fn contains(&self, item: usize) -> bool {
        self.words[item / 64] >> (item % 64) & 1 == 1
    }

    /// Adds a member.
    #[inline]
    pub fn insert(&mut self, item: usize) {
        self.words[item / 64] |= 1 << (item % 64);
    }

    /// Removes a member.
    #[inline]
    pub fn remove(&mut self, item: usize) {
        self.words[item / 64] &= !(1 << (item % 64));
    }

    /// Adds the members of `other`.
    #[inline]
    pub fn union_with(&mut self, other: &BitSet) {
        for (a, b) in self.words.iter_mut().zip(&other.words) {
            *a |= b;
        }
    }

    /// Keeps the members of `other` only.
    pub fn intersect_with(&mut self, other: &BitSet) {
        for (a, b) in self.words.iter_mut().zip(&other.words) {
            *a &= b;
        }
    }

    /// Removes the members of `other`.
    pub fn subtract(&mut self, other: &BitSet) {
        for (a, b) in self.words.iter_mut().zip(&other.words) {
            *a &= !b;
        }
    }

    /// Whether some member is shared with `other`.
    #[inline]
    pub fn intersects(&self, other: &BitSet) -> bool {
        self.words.iter().zip(&other.words).any(|(a, b)| a & b != 0)
    }

    /// Whether every member is one of `other`.
    pub fn is_subset(&self, other: &BitSet) -> bool {
        self.words.iter().zip(&other.words).all(|(a, b)| a & !b == 0)
    }

    /// The empty set of the same range.
    pub fn same_size(&self) -> BitSet {
        BitSet { words: vec![0; self.words.len()].into_boxed_slice() }
    }

    /// The set with these bits.
    pub fn from_words(words: &[u64]) -> Self {
        BitSet { words: words.into() }
    }

    /// The bits, 64 a word, lowest first.
    #[inline]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Bytes held on the heap.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.words)
    }

    /// The number of members.
    pub fn len(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&w| w == 0)
    }

    /// Members in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(i, &word)| {
            std::iter::successors((word != 0).then_some(word), |w| {
                let rest = w & (w - 1);
                (rest != 0).then_some(rest)
            })
            .map(move |w| 64 * i + w.trailing_zeros() as usize)
        })
    }

    /// The largest member not above `item`.
    pub fn last_up_to(&self, item: usize) -> Option<usize> {
        let (at, bit) = (item / 64, item % 64);
        let mask = u64::MAX >> (63 - bit);
        std::iter::once(self.words[at] & mask)
            .chain(self.words[..at].iter().rev().copied())
            .zip((0..=at).rev())
            .find(|&(word, _)| word != 0)
            .map(|(word, i)| 64 * i + 63 - word.leading_zeros() as usize)
    }
}

/// A set of features that trees carry by the million: one word where that is enough.
pub trait Mask: Clone + PartialEq + Send + Sync + 'static {
    fn empty(len: usize) -> Self;
    fn of_set(set: &BitSet) -> Self;
    fn to_set(&self, len: usize) -> BitSet;
    fn contains(&self, item: usize) -> bool;
    fn insert(&mut self, item: usize);
    fn remove(&mut self, item: usize);
    fn union_with(&mut self, other: &Self);
    fn intersect_with(&mut self, other: &Self);
    fn subtract(&mut self, other: &Self);
    fn intersects(&self, other: &Self) -> bool;
    fn is_subset(&self, other: &Self) -> bool;
    fn is_empty(&self) -> bool;
    fn len(&self) -> usize;
    /// The lowest member.
    fn first(&self) -> Option<usize>;
    /// Calls `visit` on the members in ascending order.
    fn for_each(&self, visit: impl FnMut(usize));
    /// Bytes held on the heap.
    fn heap_bytes(&self) -> usize;
}

impl Mask for u64 {
    fn empty(len: usize) -> Self {
        debug_assert!(len <= 64);
        0
    }

    fn of_set(set: &BitSet) -> Self {
        set.words().first().copied().unwrap_or(0)
    }

    fn to_set(&self, len: usize) -> BitSet {
        BitSet::from_words(&[*self][..len.div_ceil(64)])
    }

    #[inline]
    fn contains(&self, item: usize) -> bool {
        self >> item & 1 == 1
    }

    #[inline]
    fn insert(&mut self, item: usize) {
        *self |= 1 << item;
    }

    #[inline]
    fn remove(&mut self, item: usize) {
        *self &= !(1 << item);
    }

    #[inline]
    fn union_with(&mut self, other: &Self) {
        *self |= other;
    }

    #[inline]
    fn intersect_with(&mut self, other: &Self) {
        *self &= other;
    }

    #[inline]
    fn subtract(&mut self, other: &Self) {
        *self &= !other;
    }

    #[inline]
    fn intersects(&self, other: &Self) -> bool {
        self & other != 0
    }

    #[inline]
    fn is_subset(&self, other: &Self) -> bool {
        self & !other == 0
    }

    #[inline]
    fn is_empty(&self) -> bool {
        *self == 0
    }

    #[inline]
    fn len(&self) -> usize {
        self.count_ones() as usize
    }

    fn first(&self) -> Option<usize> {
        (*self != 0).then(|| self.trailing_zeros() as usize)
    }

    #[inline]
    fn for_each(&self, mut visit: impl FnMut(usize)) {
        let mut rest = *self;
        while rest != 0 {
            visit(rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }

    fn heap_bytes(&self) -> usize {
        0
    }
}

impl Mask for BitSet {
    fn empty(len: usize) -> Self {
        BitSet::empty(len)
    }

    fn of_set(set: &BitSet) -> Self {
        set.clone()
    }

    fn to_set(&self, _: usize) -> BitSet {
        self.clone()
    }

    fn contains(&self, item: usize) -> bool {
        BitSet::contains(self, item)
    }

    fn insert(&mut self, item: usize) {
        BitSet::insert(self, item);
    }

    fn remove(&mut self, item: usize) {
        BitSet::remove(self, item);
    }

    fn union_with(&mut self, other: &Self) {
        BitSet::union_with(self, other);
    }

    fn intersect_with(&mut self, other: &Self) {
        BitSet::intersect_with(self, other);
    }

    fn subtract(&mut self, other: &Self) {
        BitSet::subtract(self, other);
    }

    fn intersects(&self, other: &Self) -> bool {
        BitSet::intersects(self, other)
    }

    fn is_subset(&self, other: &Self) -> bool {
        BitSet::is_subset(self, other)
    }

    fn is_empty(&self) -> bool {
        BitSet::is_empty(self)
    }

    fn len(&self) -> usize {
        BitSet::len(self)
    }

    fn first(&self) -> Option<usize> {
        self.iter().next()
    }

    fn for_each(&self, visit: impl FnMut(usize)) {
        self.iter().for_each(visit);
    }

    fn heap_bytes(&self) -> usize {
        self.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_come_back_in_order() {
        let set = BitSet::of(200, [199, 0, 64, 63]);
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 63, 64, 199]);
        assert_eq!(set.len(), 4);
        assert!(set.contains(64) && !set.contains(65));
    }

    #[test]
    fn full_holds_just_its_range() {
        for len in [0, 1, 63, 64, 65, 130] {
            assert_eq!(BitSet::full(len).iter().collect::<Vec<_>>(), (0..len).collect::<Vec<_>>());
        }
    }

    #[test]
    fn last_up_to_agrees_with_a_scan() {
        let set = BitSet::of(200, [3, 64, 130]);
        for item in 0..200 {
            let expected = (0..=item).rev().find(|&i| set.contains(i));
            assert_eq!(set.last_up_to(item), expected, "up to {item}");
        }
    }

    #[test]
    fn a_word_and_a_string_of_bits_are_the_same_mask() {
        fn trace<M: Mask>() -> Vec<usize> {
            let (mut a, mut b) = (M::empty(64), M::of_set(&BitSet::of(64, [0, 5, 63])));
            a.insert(5);
            a.insert(7);
            let mut seen = vec![a.len(), usize::from(a.intersects(&b)), usize::from(a.is_subset(&b))];
            b.subtract(&a);
            a.union_with(&b);
            a.remove(0);
            a.for_each(|i| seen.push(i));
            b.intersect_with(&a);
            seen.extend(b.to_set(64).iter());
            seen.push(usize::from(b.is_empty()) + usize::from(b.contains(63)));
            seen
        }
        assert_eq!(trace::<u64>(), trace::<BitSet>());
    }
}
