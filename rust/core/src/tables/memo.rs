//! Results by key, in the little memory that millions of subtables leave.
//!
//! Open addressing in shards: a shard grows by itself, so growth needs little room beside the table
//! and little time, and threads lock one shard at a time.

use std::sync::{Mutex, PoisonError};

use super::budget::{Budget, Stop};

/// So many that one of them grows within 50 ms even where the memo holds gigabytes.
const N_SHARDS: usize = 1 << SHARD_BITS;

const SHARD_BITS: u32 = 8;

/// A key and its result; key 0 is an empty place.
#[derive(Clone, Copy)]
struct Place<V> {
    /// Two halves of 64 bits, in words of 32 so that no padding follows the result.
    key: [u32; 4],
    value: V,
}

#[derive(Default)]
struct Shard<V> {
    places: Vec<Place<V>>,
    n_taken: usize,
}

/// A map from keys to results that only grows.
pub(super) struct Memo<V> {
    shards: Vec<Mutex<Shard<V>>>,
}

/// A memo for one owner or for several threads.
pub(super) enum Access<'a, V> {
    Own(&'a mut Memo<V>),
    Shared(&'a Memo<V>),
}

fn words(key: u128) -> [u32; 4] {
    let key = key.max(1);
    [key as u32, (key >> 32) as u32, (key >> 64) as u32, (key >> 96) as u32]
}

#[inline]
fn mix(key: u128) -> u64 {
    let (low, high) = (key as u64, (key >> 64) as u64);
    let product =
        u128::from(low ^ 0x9E37_79B9_7F4A_7C15) * u128::from(high.rotate_left(32) ^ 0xD1B5_4A32_D192_ED03);
    let folded = product as u64 ^ (product >> 64) as u64 ^ low;
    let product = u128::from(folded) * 0xBF58_476D_1CE4_E5B9_u128;
    product as u64 ^ (product >> 64) as u64
}

impl<V: Copy + Default> Shard<V> {
    /// Where a key stands, or the empty place where it would.
    #[inline]
    fn find(&self, hash: u64, key: [u32; 4]) -> usize {
        let capacity = self.places.len();
        let mut at = ((u128::from(hash << SHARD_BITS) * capacity as u128) >> 64) as usize;
        while self.places[at].key != key && self.places[at].key != [0; 4] {
            at = if at + 1 == capacity { 0 } else { at + 1 };
        }
        at
    }

    #[inline]
    fn get(&self, hash: u64, key: [u32; 4]) -> Option<V> {
        if self.places.is_empty() {
            return None;
        }
        let place = &self.places[self.find(hash, key)];
        (place.key == key).then_some(place.value)
    }

    /// True where the key is new.
    #[inline]
    fn insert(&mut self, hash: u64, key: [u32; 4], value: V, budget: &Budget) -> Result<bool, Stop> {
        if 4 * (self.n_taken + 1) > 3 * self.places.len() {
            self.grow(budget)?;
        }
        let at = self.find(hash, key);
        if self.places[at].key == key {
            return Ok(false);
        }
        self.places[at] = Place { key, value };
        self.n_taken += 1;
        Ok(true)
    }

    fn grow(&mut self, budget: &Budget) -> Result<(), Stop> {
        let (old, new) = (self.places.len(), self.places.len() * 3 / 2 + 8);
        let bytes = |n: usize| n * size_of::<Place<V>>();
        budget.take(bytes(new))?;
        let empty = Place { key: [0; 4], value: V::default() };
        let before = std::mem::replace(&mut self.places, vec![empty; new]);
        for place in before.into_iter().filter(|place| place.key != [0; 4]) {
            let key = place.key.iter().rev().fold(0, |key, &word| key << 32 | u128::from(word));
            let at = self.find(mix(key), place.key);
            self.places[at] = place;
        }
        budget.give_back(bytes(old));
        Ok(())
    }
}

impl<V: Copy + Default> Memo<V> {
    pub fn new() -> Self {
        let shard = || Mutex::new(Shard { places: Vec::new(), n_taken: 0 });
        Memo { shards: std::iter::repeat_with(shard).take(N_SHARDS).collect() }
    }

    /// The result of a key.
    pub fn get(&self, key: u128) -> Option<V> {
        let hash = mix(key.max(1));
        let shard =
            self.shards[(hash >> (64 - SHARD_BITS)) as usize].lock().unwrap_or_else(PoisonError::into_inner);
        shard.get(hash, words(key))
    }

    /// Bytes held.
    #[cfg(test)]
    pub fn bytes(&self) -> usize {
        let of = |shard: &Mutex<Shard<V>>| {
            shard.lock().unwrap_or_else(PoisonError::into_inner).places.len() * size_of::<Place<V>>()
        };
        self.shards.iter().map(of).sum()
    }
}

impl<V: Copy + Default> Access<'_, V> {
    #[inline]
    pub fn get(&mut self, key: u128) -> Option<V> {
        match self {
            Access::Own(memo) => {
                let hash = mix(key.max(1));
                let shard = memo.shards[(hash >> (64 - SHARD_BITS)) as usize].get_mut();
                shard.unwrap_or_else(PoisonError::into_inner).get(hash, words(key))
            }
            Access::Shared(memo) => memo.get(key),
        }
    }

    /// Keeps a result; true where the key is new.
    #[inline]
    pub fn insert(&mut self, key: u128, value: V, budget: &Budget) -> Result<bool, Stop> {
        let hash = mix(key.max(1));
        match self {
            Access::Own(memo) => {
                let shard = memo.shards[(hash >> (64 - SHARD_BITS)) as usize].get_mut();
                shard.unwrap_or_else(PoisonError::into_inner).insert(hash, words(key), value, budget)
            }
            Access::Shared(memo) => {
                let shard = memo.shards[(hash >> (64 - SHARD_BITS)) as usize].lock();
                shard.unwrap_or_else(PoisonError::into_inner).insert(hash, words(key), value, budget)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_kept_is_found_and_nothing_else() {
        let (budget, mut memo) = (Budget::unlimited(), Memo::<u32>::new());
        let mut access = Access::Own(&mut memo);
        for i in 0..10_000u32 {
            assert_eq!(access.insert(u128::from(i) << 40, i, &budget), Ok(true));
        }
        assert_eq!(access.insert(5 << 40, 7, &budget), Ok(false));
        for i in 0..10_000u32 {
            assert_eq!(access.get(u128::from(i) << 40), Some(i));
        }
        assert_eq!(access.get(3), None);
        assert_eq!(memo.bytes(), budget.bytes());
    }

    #[test]
    fn growth_stops_below_the_limit() {
        let (budget, mut memo) = (Budget::new(u64::MAX, 50_000), Memo::<u32>::new());
        let mut access = Access::Own(&mut memo);
        let stopped = (1..10_000).find_map(|i| access.insert(i, 0, &budget).err());
        assert_eq!(stopped, Some(Stop::MemoryLimit));
        assert!((25_000..=50_000).contains(&memo.bytes()), "{}", memo.bytes());
    }
}
