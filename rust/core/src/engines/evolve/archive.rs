//! The rules that no other one beats in errors, size and run time all at once.
//!
//! The population looks at size alone, since that is what a search goes by; what is quicker than all that
//! are as good and no larger is kept here, for the front. It gets no children.
//!
//! # Invariants
//! No rule here is matched by another one in all three; sorted by size, then by run time.

use super::judge::{Bounds, SCREEN_SLACK};
use super::population::Member;

/// Rules of which none is beaten.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Archive {
    members: Vec<Member>,
}

impl Archive {
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// What a rule must reach to be kept: that of the best one that is no larger and no slower.
    pub fn bounds(&self, bits: f64, cost: u32) -> Bounds {
        let small = self.members.iter().filter(|member| member.bits <= bits && member.cost <= cost);
        let best = small.min_by(|a, b| a.scored.whole.total_cmp(&b.scored.whole));
        best.map_or(Bounds::NONE, |best| Bounds {
            screen: best.scored.screen * SCREEN_SLACK,
            whole: best.scored.whole,
        })
    }

    /// Takes a rule in unless one here matches it; those that it matches leave.
    pub fn offer(&mut self, new: &Member) {
        if self.members.iter().any(|old| matches(old, new)) {
            return;
        }
        self.members.retain(|old| !matches(new, old));
        let place = self.members.partition_point(|old| (old.bits, old.cost) < (new.bits, new.cost));
        self.members.insert(place, new.clone());
    }
}

/// Whether one rule is as good, as small and as quick as another.
fn matches(one: &Member, other: &Member) -> bool {
    one.scored.whole <= other.scored.whole && one.bits <= other.bits && one.cost <= other.cost
}
