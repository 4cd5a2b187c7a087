//! The one generator of random numbers: splitmix64, the same on every platform.

/// A stream of random numbers.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// Stream `stream` of a seed: streams of one seed do not depend on each other, so work can be cut
    /// up for any number of threads.
    pub fn stream(seed: u64, stream: u64) -> Self {
        let mut mixer = Random(seed);
        let start = mixer.next_u64();
        Random(Random(start ^ stream).next_u64())
    }

    /// Any 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// One of `0..n`, each as likely: draws that would favour small numbers are drawn again.
    pub fn below(&mut self, n: u32) -> u32 {
        let n = u64::from(n);
        loop {
            let wide = (self.next_u64() >> 32) * n;
            if wide & 0xFFFF_FFFF >= (1 << 32) % n {
                return (wide >> 32) as u32;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_repeat_and_differ() {
        let draw =
            |seed, stream| (0..20).map(|_| Random::stream(seed, stream).next_u64()).collect::<Vec<_>>();
        assert_eq!(draw(1, 2), draw(1, 2));
        assert_ne!(draw(1, 2), draw(1, 3));
        assert_ne!(draw(1, 2), draw(2, 2));
    }

    #[test]
    fn all_numbers_are_about_as_likely() {
        let (mut random, mut seen) = (Random::stream(0, 0), [0; 3]);
        (0..30_000).for_each(|_| seen[random.below(3) as usize] += 1);
        assert!(seen.iter().all(|&n: &i32| (n - 10_000).abs() < 400), "{seen:?}");
        assert_eq!(random.below(1), 0);
    }
}
