//! What is proven of subtables: open addressing by the 128-bit key of their rows.

/// What is known of the least cost of one subtable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Proof {
    /// No tree costs less.
    pub lower: u64,
    /// Some tree costs this much; `u64::MAX` while none is known.
    pub upper: u64,
    /// The test at its root; meaningless while there is none.
    pub feature: u32,
}

impl Proof {
    /// Of a subtable never seen.
    pub const NOTHING: Proof = Proof { lower: 0, upper: u64::MAX, feature: 0 };

    pub fn is_exact(&self) -> bool {
        self.lower >= self.upper
    }
}

/// The sum of its rows' keys stands for a subtable. Zero stands for none.
pub(super) type Key = u128;

/// The memo.
#[derive(Debug)]
pub(super) struct Proven {
    keys: Vec<Key>,
    proofs: Vec<Proof>,
    len: usize,
}

/// Bytes a place takes.
const PLACE: usize = size_of::<Key>() + size_of::<Proof>();

impl Proven {
    pub fn new() -> Self {
        let mut this = Proven { keys: Vec::new(), proofs: Vec::new(), len: 0 };
        this.resize(1 << 10);
        this
    }

    pub fn bytes(&self) -> usize {
        self.keys.len() * PLACE
    }

    /// Bytes at the height of taking in one more subtable.
    pub fn bytes_to_grow(&self) -> usize {
        if self.is_full() { 3 * self.bytes() } else { self.bytes() }
    }

    pub fn get(&self, key: Key) -> Option<Proof> {
        let place = self.place(key);
        (self.keys[place] == key).then(|| self.proofs[place])
    }

    pub fn set(&mut self, key: Key, proof: Proof) {
        if self.is_full() {
            self.resize(2 * self.keys.len());
        }
        let place = self.place(key);
        self.len += usize::from(self.keys[place] != key);
        (self.keys[place], self.proofs[place]) = (key, proof);
    }

    fn is_full(&self) -> bool {
        4 * (self.len + 1) > 3 * self.keys.len()
    }

    /// Where a key is or would go.
    fn place(&self, key: Key) -> usize {
        let mask = self.keys.len() - 1;
        let mut place = (key >> 64) as usize & mask;
        while self.keys[place] != key && self.keys[place] != 0 {
            place = (place + 1) & mask;
        }
        place
    }

    fn resize(&mut self, n_places: usize) {
        let keys = std::mem::replace(&mut self.keys, vec![0; n_places]);
        let proofs = std::mem::replace(&mut self.proofs, vec![Proof::NOTHING; n_places]);
        for (key, proof) in keys.into_iter().zip(proofs).filter(|&(key, _)| key != 0) {
            let place = self.place(key);
            (self.keys[place], self.proofs[place]) = (key, proof);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sets::row_key;
    use super::*;

    #[test]
    fn what_was_set_is_found_after_growing() {
        let (keys, mut proven) = ((0..5000).map(row_key).collect::<Vec<_>>(), Proven::new());
        for (i, &key) in keys.iter().enumerate() {
            proven.set(key, Proof { lower: i as u64, ..Proof::NOTHING });
        }
        assert!(keys.iter().enumerate().all(|(i, &key)| proven.get(key).unwrap().lower == i as u64));
        assert_eq!(proven.get(keys[0].wrapping_add(keys[1])), None);
        assert_eq!((proven.len, proven.bytes()), (5000, 8192 * PLACE));
    }
}
