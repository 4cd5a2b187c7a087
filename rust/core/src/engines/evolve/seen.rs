//! Rules seen before, by a fingerprint of their values, so that twins are not judged again.

/// Fingerprints remembered; a power of two. A newer one takes the place of an older one.
const N_PLACES: usize = 1 << 15;

/// The smallest size with which each fingerprint was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    places: Vec<(u64, u32)>,
}

impl Default for Seen {
    fn default() -> Self {
        Seen { places: vec![(0, u32::MAX); N_PLACES] }
    }
}

impl Seen {
    /// Whether a rule with these values and no larger was seen.
    pub fn knows(&self, fingerprint: u64, cell: u32) -> bool {
        let (known, smallest) = self.places[place(fingerprint)];
        known == fingerprint && smallest <= cell
    }

    pub fn add(&mut self, fingerprint: u64, cell: u32) {
        let found = &mut self.places[place(fingerprint)];
        let smallest = if found.0 == fingerprint { found.1.min(cell) } else { cell };
        *found = (fingerprint, smallest);
    }

    pub fn clear(&mut self) {
        *self = Seen::default();
    }

    /// What is remembered, to be stored.
    pub fn entries(&self) -> Vec<(u64, u32)> {
        self.places.iter().copied().filter(|(_, cell)| *cell < u32::MAX).collect()
    }

    /// What was stored.
    pub fn from_entries(entries: &[(u64, u32)]) -> Seen {
        let mut seen = Seen::default();
        entries.iter().for_each(|&(fingerprint, cell)| seen.add(fingerprint, cell));
        seen
    }
}

fn place(fingerprint: u64) -> usize {
    (fingerprint >> 32) as usize & (N_PLACES - 1)
}
