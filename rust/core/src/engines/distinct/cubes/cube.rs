//! The subsets that hold some features and none of some others.

/// A set of at most `MAX_FEATURES` features.
pub(super) type Few = u32;

/// Most features for which every subset has its notes.
pub(super) const MAX_FEATURES: usize = 16;

/// The subsets that hold all features `inside` and none `outside`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cube {
    pub inside: Few,
    pub outside: Few,
    /// Every feature.
    pub all: Few,
}

impl Cube {
    /// All subsets of `n_features`.
    pub fn whole(n_features: usize) -> Self {
        Cube { inside: 0, outside: 0, all: (1 << n_features) - 1 }
    }

    /// Those of the cube with a feature.
    pub fn with(self, feature: u32) -> Self {
        Cube { inside: self.inside | 1 << feature, ..self }
    }

    /// Those of the cube without a feature.
    pub fn without(self, feature: u32) -> Self {
        Cube { outside: self.outside | 1 << feature, ..self }
    }

    pub fn n_subsets(self) -> u64 {
        1 << (self.all & !self.inside & !self.outside).count_ones()
    }

    /// Calls `visit` with every subset.
    #[inline]
    pub fn for_each(self, mut visit: impl FnMut(usize)) {
        let free = self.all & !self.inside & !self.outside;
        let mut taken = free;
        loop {
            visit((self.inside | taken) as usize);
            if taken == 0 {
                return;
            }
            taken = (taken - 1) & free;
        }
    }
}

/// Calls `visit` with every member, ascending.
#[inline]
pub(super) fn members(set: Few) -> impl Iterator<Item = usize> {
    let next = |rest: &Few| Some(rest & (rest - 1)).filter(|&rest| rest != 0);
    std::iter::successors(Some(set).filter(|&set| set != 0), next).map(|rest| rest.trailing_zeros() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cube_holds_what_its_sides_allow() {
        let cube = Cube::whole(5).with(1).without(4);
        let mut seen = Vec::new();
        cube.for_each(|subset| seen.push(subset));
        seen.sort_unstable();
        let expected: Vec<usize> = (0..32).filter(|subset| subset & 0b10010 == 0b10).collect();
        assert_eq!((seen, cube.n_subsets()), (expected, 8));
    }

    #[test]
    fn members_are_ascending() {
        assert_eq!(members(0b1_0110).collect::<Vec<_>>(), [1, 2, 4]);
        assert_eq!(members(0).count(), 0);
    }
}
