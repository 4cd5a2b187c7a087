//! Algorithm 2 over the notes: which trees it would have built, and which of them are new.

use super::cube::{Few, members};
use super::notes::Notes;
use crate::engines::distinct::count::Tally;
use crate::engines::distinct::enumerate::Order;

/// The sums that the enumeration in an order would have come to.
pub(super) fn replay(notes: &Notes, order: Order) -> Tally {
    let mut tally = Tally::new(notes.n_features());
    call(notes, order, 0, (1 << notes.n_features()) - 1, &mut tally);
    tally
}

/// The call (R, S) and all below.
fn call(notes: &Notes, order: Order, mut required: Few, mut optional: Few, tally: &mut Tally) {
    let subset = required | optional;
    let used = notes.used(subset);
    tally.n_built += 1;
    if required & !used == 0 {
        note(notes, used, subset, tally);
    }
    let going = in_order(notes, order, subset, optional & used);
    required |= optional & used;
    optional &= !used;
    for feature in going {
        required &= !(1 << feature);
        call(notes, order, required, optional, tally);
        optional |= 1 << feature;
    }
}

fn in_order(notes: &Notes, order: Order, subset: Few, going: Few) -> Vec<u32> {
    let mut going: Vec<u32> = members(going).map(|feature| feature as u32).collect();
    order.arrange(&mut going, &|feature| notes.frontier(subset, feature as usize));
    going
}

fn note(notes: &Notes, used: Few, subset: Few, tally: &mut Tally) {
    tally.note(used.count_ones() as usize, notes.blocked(subset).count_ones() as usize, 0);
}

/// The sums over the trees of the subsets that are `known`, each of them built.
pub(super) fn count_known(notes: &Notes, known: &[bool]) -> Tally {
    let mut tally = Tally::new(notes.n_features());
    for (subset, _) in (0..).zip(known).filter(|&(_, &known)| known) {
        tally.n_built += 1;
        if notes.used(subset) == subset {
            note(notes, subset, subset, &mut tally);
        }
    }
    tally
}
