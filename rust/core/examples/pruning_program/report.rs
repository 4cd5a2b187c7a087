//! What is printed.

use crate::corpora::Lot;
use treewright_core::evolve::{Evolved, Member, State, naive};

/// The trees and the start.
pub fn start(train: &Lot, books: &Evolved) {
    let (start, problem) = (naive(), &train.problem);
    let (n_trees, n_nodes) = (train.trees.n_trees, books.extents[0].n_nodes);
    println!("{n_trees} trees with {n_nodes} nodes, the largest with {}", train.largest);
    let bits = start.bits(&problem.inputs.vocabulary);
    println!("start: the naive rule with its traversal, {} nodes, {bits:.0} bits", start.size());
}

/// How the search went, and the programs that it ends with.
pub fn population(state: &State, seconds: f64, lots: [&Lot; 2]) {
    let (n_programs, n_judged) = (state.n_programs, state.tally.n_judged());
    let rate = n_programs as f64 / seconds;
    println!("{n_programs} programs, {n_judged} different ones run, {seconds:.1} s, {rate:.0} a second");
    println!("the population: test errors in % of the trees searched with and of others, bits, number");
    for member in state.population.members() {
        let percents = lots.map(|lot| lot.text(lot.errors(&member.program)));
        println!("  {} {:5.0} {:8}", percents.join(" "), member.bits, member.born);
    }
}

/// The chosen program beside the rules of the books.
pub fn rules(lots: &[Lot; 3], books: &Evolved, best: &Member) {
    println!("test errors in %, of the trees searched with, of those chosen by, of fresh ones:");
    let row = |name: &str, errors: [f64; 3]| {
        let each: Vec<String> = lots.iter().zip(errors).map(|(lot, errors)| lot.text(errors)).collect();
        println!("  {} {}", each.join(" "), name);
    };
    let [a, b] = books.constants;
    let constants = format!("(e + {a:?} + {b:?} sqrt(e)) / n, constants from the first trees");
    for (name, found) in ["no pruning", "naive rule", "C4.5's rule", &constants].into_iter().zip(&books.rows)
    {
        row(name, [&found.train, &found.validation, &found.test].map(|errors| errors.iter().sum()));
    }
    let errors = lots.each_ref().map(|lot| lot.errors(&best.program));
    row(&format!("the program of {:.0} bits", best.bits), errors);
    println!("{}", best.program);
}
