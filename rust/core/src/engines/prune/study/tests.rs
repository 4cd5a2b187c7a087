//! A unit test, for the fast grower is private: it grows the trees that the general engine does.

use treewright_core::random::Random;
use treewright_core::tree::Split;

use super::{Grower, training_rows};
use crate::common::drawn::{id3, networks};

#[test]
fn trees_are_those_of_the_general_engine() {
    let mut grower = Grower::default();
    for (number, network) in networks().iter().enumerate() {
        let set = network.draw(&mut Random::stream(5, number as u64));
        let rows = training_rows(&set);
        let nodes = grower.grow(set.n_features, rows.iter().copied());
        let tree = id3(set.n_features, &rows);
        assert_eq!(nodes.len(), tree.nodes().len(), "{network:?}");
        for (id, (fast, slow)) in nodes.iter().zip(tree.nodes()).enumerate() {
            match slow.split {
                Split::ByValue { feature } => {
                    assert_eq!((u32::from(fast.feature), fast.first_child), (feature, slow.first_child));
                }
                _ => assert!(fast.is_leaf(), "node {id} of {network:?}"),
            }
            assert_eq!(u16::from(fast.class), slow.class, "node {id} of {network:?}");
            let weights = fast.rows.map(f64::from);
            assert_eq!(weights, &tree.class_weights()[2 * id..][..2], "node {id} of {network:?}");
        }
    }
}
