//! Sorting small integer keys: the kernel behind columns with many values.

/// Below this many keys a comparison sort wins.
const RADIX_FROM: usize = 512;
const DIGIT_BITS: u32 = 11;

/// Sorts `keys`, all below `2^bits`, ascending.
pub(super) fn sort_keys(keys: &mut Vec<u32>, spare: &mut Vec<u32>, bits: u32) {
    if keys.len() < RADIX_FROM {
        keys.sort_unstable();
        return;
    }
    spare.clear();
    spare.resize(keys.len(), 0);
    for pass in 0..bits.div_ceil(DIGIT_BITS) {
        radix_pass(keys, spare, pass * DIGIT_BITS);
        std::mem::swap(keys, spare);
    }
}

/// One stable pass on the digit that starts at bit `shift`.
fn radix_pass(from: &[u32], to: &mut [u32], shift: u32) {
    const MASK: u32 = (1 << DIGIT_BITS) - 1;
    let mut starts = [0u32; 1 << DIGIT_BITS];
    for &key in from {
        starts[(key >> shift & MASK) as usize] += 1;
    }
    let mut next = 0;
    for start in &mut starts {
        let count = *start;
        *start = next;
        next += count;
    }
    for &key in from {
        let slot = &mut starts[(key >> shift & MASK) as usize];
        to[*slot as usize] = key;
        *slot += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_standard_sort() {
        let mut state = 1u32;
        for len in [0usize, 1, 511, 512, 5000] {
            for bits in [1u32, 11, 12, 31] {
                let mut next = || {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    state >> (32 - bits)
                };
                let mut keys: Vec<u32> = (0..len).map(|_| next()).collect();
                let mut expected = keys.clone();
                expected.sort_unstable();
                sort_keys(&mut keys, &mut Vec::new(), bits);
                assert_eq!(keys, expected, "{len} keys of {bits} bits");
            }
        }
    }
}
