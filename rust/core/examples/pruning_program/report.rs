//! What is printed.

use crate::corpora::Lot;
use treewright_core::evolve::{
    Bench, Material, Member, PROGRAMS, State, full_form, judge, naive, two_constants, vary,
};
use treewright_core::program::Program;
use treewright_core::random::Random;

/// Children of the start that are counted by what becomes of them.
const N_CHILDREN: u64 = 2000;

/// Nodes that a new expression in them has at most.
const LARGEST: usize = 6;

/// The trees and the start: how many of its children are programs, and how many of these prune.
pub fn start(train: &Lot) {
    let (start, problem) = (naive(), &train.problem);
    let bits = start.bits(&problem.inputs.vocabulary);
    println!(
        "{} trees with {} nodes, the largest with {}",
        problem.inputs.words.len(),
        train.n_nodes,
        train.largest
    );
    println!("start: the naive rule with its traversal, {} nodes, {bits:.0} bits", start.size());
    let material = Material { vocabulary: &problem.inputs.vocabulary, largest: LARGEST, mates: &[] };
    let child = |number| vary(&PROGRAMS, &start, &material, &mut Random::stream(0, number));
    let children: Vec<Program> = (0..N_CHILDREN).filter_map(child).collect();
    let bench = &mut Bench::new(problem);
    let mut worth = |program: &Program| {
        judge(problem, program, bench, |_, _| false).expect("a run that is never given up has a score")
    };
    let first = worth(&start);
    let prune = children.iter().filter(|child| train.errors(child).is_some());
    let worths: Vec<_> = prune.map(&mut worth).collect();
    let same = worths.iter().filter(|scored| scored.behaviour == first.behaviour).count();
    let better = worths.iter().filter(|scored| scored.loss < first.loss).count();
    let (n_children, n_prune) = (children.len(), worths.len());
    println!(
        "{N_CHILDREN} changes of the start: {n_children} are programs, {n_prune} of these prune every tree,"
    );
    println!("  {same} just as the start does, {better} with fewer errors");
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

/// The chosen program beside other rules.
pub fn rules(lots: &[Lot; 3], best: &Member) {
    println!("test errors in %, of the trees searched with, of those chosen by, of fresh ones:");
    let row = |name: &str, errors: &dyn Fn(&Lot) -> Option<f64>| {
        let each = lots.each_ref().map(|lot| lot.text(errors(lot)));
        println!("  {} {}", each.join(" "), name);
    };
    for (k, name) in ["no pruning", "naive rule", "C4.5's rule"].into_iter().enumerate() {
        row(name, &|lot| Some(lot.rival(k)));
    }
    let ([a, b], constants) = two_constants(&lots[0].judge);
    let constants = full_form(&constants).expect("it is a formula");
    row(&format!("(e + {a:?} + {b:?} sqrt(e)) / n, constants from the first trees"), &|lot| {
        lot.errors(&constants)
    });
    row(&format!("the program of {:.0} bits", best.bits), &|lot| lot.errors(&best.program));
    println!("{}", best.program);
}
