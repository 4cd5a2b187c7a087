//! Results by key, in the little memory that millions of subtables leave.
//!
//! A shard is what a thread locks. It holds open-addressed blocks, found by the next bits of the
//! hash; a full block splits in two by one bit more. So growth takes one block and the time to go
//! through it, however large the memo is, and as all blocks of a large memo have one size, what is
//! asked of the allocator is what is used.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

use super::budget::Budget;
use crate::base::lock::locked;
use crate::base::outcome::Status;

const SHARD_BITS: u32 = 6;
const N_SHARDS: usize = 1 << SHARD_BITS;

/// Places of a block that splits; smaller ones double. With five costs a place it is just below
/// 16 KiB, a size that allocators hand out without rounding it up by much.
const BLOCK: usize = 448;
const SMALLEST_BLOCK: usize = 7;

/// Bytes at the most that two memos of a graph use while a block doubles, and not before or after.
pub(super) const MOST_PASSING: usize = 64 * BLOCK;

/// A key and its result; key 0 is an empty place.
#[derive(Clone, Copy)]
struct Place<V> {
    /// Two halves of 64 bits, in words of 32 so that no padding follows the result.
    key: [u32; 4],
    value: V,
}

impl<V: Default> Place<V> {
    fn empty() -> Self {
        Place { key: [0; 4], value: V::default() }
    }
}

/// Places for the keys whose hashes share some bits.
struct Block<V> {
    places: Box<[Place<V>]>,
    n_taken: u32,
    /// Hash bits, after those of the shard, that all keys share.
    n_bits: u32,
}

struct Shard<V> {
    blocks: Vec<Block<V>>,
    /// Block of every value of the next `n_bits` hash bits.
    directory: Vec<u32>,
    n_bits: u32,
}

/// Full blocks that an emptied memo leaves for use again.
///
/// An allocator keeps what another thread freed for that thread; so blocks that are freed and asked for
/// anew would be in memory twice.
type Spare<V> = Mutex<Vec<Box<[Place<V>]>>>;

/// A map from keys to results that only grows, until it is emptied.
pub(super) struct Memo<V> {
    shards: Vec<Mutex<Shard<V>>>,
    spare: Spare<V>,
}

/// Keeps a result of a key in a map of few results.
///
/// # Errors
/// [`Status::MemoryLimit`] where the system has no memory for a larger map.
pub(super) fn keep_in<K: Eq + Hash, V>(map: &mut HashMap<K, V>, key: K, value: V) -> Result<(), Status> {
    map.try_reserve(1).map_err(|_| Status::MemoryLimit)?;
    map.insert(key, value);
    Ok(())
}

/// A memo for one owner or for several threads.
pub(super) enum Access<'a, V> {
    Own(&'a mut Memo<V>),
    Shared(&'a Memo<V>),
}

/// Where the memory of a block comes from.
struct Store<'a, V> {
    spare: &'a Spare<V>,
    budget: &'a Budget,
}

impl<V> Clone for Store<'_, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V> Copy for Store<'_, V> {}

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

/// The leading `n_bits` bits after those of the shard.
#[inline]
fn leading(hash: u64, n_bits: u32) -> usize {
    // Two shifts, as one by 64 is none.
    ((hash << SHARD_BITS) >> 1 >> (63 - n_bits)) as usize
}

impl<V: Copy + Default> Block<V> {
    /// An empty block.
    ///
    /// # Errors
    /// [`Status::MemoryLimit`] where the system has no memory for it.
    fn new(n_places: usize, n_bits: u32, spare: &Spare<V>) -> Result<Self, Status> {
        if let Some(places) = (n_places == BLOCK).then(|| locked(spare).pop()).flatten() {
            return Ok(Block { places, n_taken: 0, n_bits });
        }
        let mut places = Vec::new();
        places.try_reserve_exact(n_places).map_err(|_| Status::MemoryLimit)?;
        places.resize(n_places, Place::empty());
        Ok(Block { places: places.into_boxed_slice(), n_taken: 0, n_bits })
    }

    /// Where a key stands, or the empty place where it would.
    #[inline]
    fn find(&self, hash: u64, key: [u32; 4]) -> usize {
        let n_places = self.places.len();
        let mut at = ((u64::from(hash as u32) * n_places as u64) >> 32) as usize;
        while self.places[at].key != key && self.places[at].key != [0; 4] {
            at = if at + 1 == n_places { 0 } else { at + 1 };
        }
        at
    }

    fn put(&mut self, hash: u64, place: Place<V>) {
        let at = self.find(hash, place.key);
        self.places[at] = place;
        self.n_taken += 1;
    }

    fn is_full(&self) -> bool {
        4 * (self.n_taken as usize + 1) > 3 * self.places.len()
    }
}

const fn bytes<V>(n_places: usize) -> usize {
    n_places * size_of::<Place<V>>() + size_of::<Block<V>>()
}

impl<V: Copy + Default> Shard<V> {
    #[inline]
    fn block(&self, hash: u64) -> Option<usize> {
        self.directory.get(leading(hash, self.n_bits)).map(|&block| block as usize)
    }

    #[inline]
    fn get(&self, hash: u64, key: [u32; 4]) -> Option<V> {
        let block = &self.blocks[self.block(hash)?];
        let place = &block.places[block.find(hash, key)];
        (place.key == key).then_some(place.value)
    }

    /// True where the key is new.
    #[inline]
    fn insert(
        &mut self,
        hash: u64,
        (key, value): ([u32; 4], V),
        store: Store<'_, V>,
    ) -> Result<bool, Status> {
        loop {
            let Some(at) = self.block(hash) else {
                store.budget.take(bytes::<V>(SMALLEST_BLOCK))?;
                self.blocks.push(Block::new(SMALLEST_BLOCK, 0, store.spare)?);
                self.directory.push(0);
                continue;
            };
            let block = &mut self.blocks[at];
            let place = block.find(hash, key);
            if block.places[place].key == key {
                return Ok(false);
            }
            if !block.is_full() {
                block.places[place] = Place { key, value };
                block.n_taken += 1;
                return Ok(true);
            }
            match block.places.len() < BLOCK {
                true => self.double(at, store)?,
                false => self.split(at, store)?,
            }
        }
    }

    fn double(&mut self, at: usize, store: Store<'_, V>) -> Result<(), Status> {
        let (n_places, n_bits) = (self.blocks[at].places.len(), self.blocks[at].n_bits);
        store.budget.take(bytes::<V>(2 * n_places))?;
        let larger = Block::new(2 * n_places, n_bits, store.spare)?;
        let before = std::mem::replace(&mut self.blocks[at], larger);
        for (hash, place) in taken(&before.places) {
            self.blocks[at].put(hash, place);
        }
        store.budget.give_back(bytes::<V>(n_places));
        Ok(())
    }

    /// Parts the keys of a block by one bit more of their hashes.
    fn split(&mut self, at: usize, store: Store<'_, V>) -> Result<(), Status> {
        let n_bits = self.blocks[at].n_bits + 1;
        let widens = n_bits > self.n_bits;
        let directory = if widens { 4 * self.directory.len() } else { 0 };
        store.budget.take(bytes::<V>(BLOCK) + directory)?;
        let (one, two) = (Block::new(BLOCK, n_bits, store.spare)?, Block::new(BLOCK, n_bits, store.spare)?);
        if widens {
            self.directory = self.directory.iter().flat_map(|&block| [block, block]).collect();
            self.n_bits = n_bits;
        }
        let other = self.blocks.len();
        let before = std::mem::replace(&mut self.blocks[at], one);
        self.blocks.push(two);
        for (hash, place) in taken(&before.places) {
            let is_other = leading(hash, n_bits) & 1 == 1;
            self.blocks[if is_other { other } else { at }].put(hash, place);
        }
        let shift = self.n_bits - n_bits;
        for (bits, block) in self.directory.iter_mut().enumerate() {
            if *block as usize == at && bits >> shift & 1 == 1 {
                *block = other as u32;
            }
        }
        Ok(())
    }
}

/// What a block holds, with the hashes.
fn taken<V: Copy>(places: &[Place<V>]) -> impl Iterator<Item = (u64, Place<V>)> {
    places.iter().filter(|place| place.key != [0; 4]).map(|&place| {
        let key = place.key.iter().rev().fold(0, |key, &word| key << 32 | u128::from(word));
        (mix(key), place)
    })
}

impl<V: Copy + Default> Memo<V> {
    pub fn new() -> Self {
        let shard = || Mutex::new(Shard { blocks: vec![], directory: vec![], n_bits: 0 });
        let shards = std::iter::repeat_with(shard).take(N_SHARDS).collect();
        Memo { shards, spare: Mutex::new(vec![]) }
    }

    /// Forgets all results; the memory of full blocks is used again.
    pub fn clear(&mut self) {
        let spare = self.spare.get_mut().unwrap_or_else(PoisonError::into_inner);
        for shard in &mut self.shards {
            let shard = shard.get_mut().unwrap_or_else(PoisonError::into_inner);
            let full = shard.blocks.drain(..).map(|block| block.places).filter(|p| p.len() == BLOCK);
            spare.extend(full.map(|mut places| {
                places.fill(Place::empty());
                places
            }));
            (shard.directory, shard.n_bits) = (vec![], 0);
        }
    }

    /// The result of a key.
    pub fn get(&self, key: u128) -> Option<V> {
        let hash = mix(key.max(1));
        locked(&self.shards[(hash >> (64 - SHARD_BITS)) as usize]).get(hash, words(key))
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
    pub fn insert(&mut self, key: u128, value: V, budget: &Budget) -> Result<bool, Status> {
        let hash = mix(key.max(1));
        match self {
            Access::Own(memo) => {
                let shard = memo.shards[(hash >> (64 - SHARD_BITS)) as usize].get_mut();
                let store = Store { spare: &memo.spare, budget };
                shard.unwrap_or_else(PoisonError::into_inner).insert(hash, (words(key), value), store)
            }
            Access::Shared(memo) => {
                let store = Store { spare: &memo.spare, budget };
                let mut shard = locked(&memo.shards[(hash >> (64 - SHARD_BITS)) as usize]);
                shard.insert(hash, (words(key), value), store)
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
        for i in 0..200_000u32 {
            assert_eq!(access.insert(u128::from(i) << 40, i, &budget), Ok(true));
        }
        assert_eq!(access.insert(5 << 40, 7, &budget), Ok(false));
        for i in 0..200_000u32 {
            assert_eq!(access.get(u128::from(i) << 40), Some(i));
        }
        assert_eq!(access.get(3), None);
        let per_key = budget.bytes() as f64 / 200_000.0;
        assert!((26.0..60.0).contains(&per_key), "{per_key} bytes a key");
    }

    #[test]
    fn what_was_cleared_is_forgotten_and_its_blocks_are_used_again() {
        let (budget, mut memo) = (Budget::unlimited(), Memo::<u32>::new());
        let fill = |memo: &mut Memo<u32>, by: u32| {
            let mut access = Access::Own(memo);
            (1..50_000u32).all(|i| access.insert(u128::from(i), by * i, &budget) == Ok(true))
        };
        assert!(fill(&mut memo, 1));
        memo.clear();
        let n_spare = locked(&memo.spare).len();
        assert!(n_spare > 50_000 / BLOCK);
        assert_eq!(memo.get(7), None);
        assert!(fill(&mut memo, 2));
        assert_eq!(memo.get(7), Some(14));
        assert_eq!(locked(&memo.spare).len(), 0);
    }

    #[test]
    fn growth_stops_below_the_limit() {
        for limit in [50_000, 5_000_000] {
            let (budget, mut memo) = (Budget::new(u64::MAX, limit), Memo::<u32>::new());
            let mut access = Access::Own(&mut memo);
            let stopped = (1..1_000_000).find_map(|i| access.insert(i, 0, &budget).err());
            assert_eq!(stopped, Some(Status::MemoryLimit));
            assert!((limit / 2..=limit).contains(&budget.bytes()), "{}", budget.bytes());
        }
    }
}
