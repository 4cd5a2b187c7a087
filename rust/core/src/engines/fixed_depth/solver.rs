//! What a solver answers.

use super::space::{Joint, Path, Space};
use crate::base::outcome::Status;

/// Something that knows what the best tree below a path is worth.
pub trait Solver<const K: usize> {
    /// The value, where it is above `floor`; else any number from the value up to `floor`.
    ///
    /// # Errors
    /// The control's interrupt; the path is then no longer what it was.
    fn value(&mut self, path: &mut Path, joint: &Joint<K>, floor: f64) -> Result<f64, Status>;

    /// The same of the best tree that tests `feature` first.
    ///
    /// # Errors
    /// As above.
    fn test(&mut self, path: &mut Path, joint: &Joint<K>, feature: u32, floor: f64) -> Result<f64, Status>;

    fn space(&self) -> &Space<K>;

    /// Paths looked at so far.
    fn n_searched(&self) -> u64;
}
