//! Improves the naive pruning program, traversal and all, on the test errors of a corpus of trees.
//!
//! ```text
//! cargo run --release -p treewright-core --example pruning_program
//! cargo run --release -p treewright-core --example pruning_program -- --seed 3 --budget 4000 --trees 60
//! cargo run --release -p treewright-core --example pruning_program -- --preset text --threads 2
//! ```
//! Of the programs that a search ends with, the one with fewest errors on a second corpus is held beside
//! other rules on a third, which is looked at once. What is printed depends on the options alone,
//! seconds and programs a second apart.

mod corpora;
mod options;

use std::process::ExitCode;
use std::time::Instant;

use corpora::Lot;
use options::Options;
use treewright_core::control::Control;
use treewright_core::evolve::two_constants;
use treewright_core::program::Program;
use treewright_core::prune_program::{TreePruning, full_form, naive};
use treewright_core::random::Random;
use treewright_core::synthesis::{Bench, Member, Plan, Problem, Search, judge, vary};

/// Bits that a program may have more than the start.
const MORE_BITS: f64 = 250.0;

/// Children of the start that are counted by what becomes of them.
const N_CHILDREN: u64 = 2000;

/// Says how many children are programs, and how many of these prune every tree.
fn report_children(problem: &TreePruning, start: &Program) {
    let bench = &mut Bench::new(problem);
    let mut worth = |program: &Program| {
        let scored = judge(problem, program, bench, |_, _| false).expect("it is not given up");
        let code = program.compile();
        let prunes = (0..problem.n_inputs()).all(|k| {
            let n_words = bench.heap.n_words();
            let run = bench.machine.run(&code, &mut bench.heap, problem.input(k), problem.limits());
            let errors = run.ok().and_then(|run| problem.errors(k, &bench.heap, run.value));
            bench.heap.truncate(n_words);
            errors.is_some()
        });
        (prunes, scored)
    };
    let (_, first) = worth(start);
    let child = |number| vary(start, problem.vocabulary(), 6, &mut Random::stream(0, number));
    let children: Vec<Program> = (0..N_CHILDREN).filter_map(child).collect();
    let worths: Vec<_> = children.iter().map(&mut worth).filter(|(prunes, _)| *prunes).collect();
    let same = worths.iter().filter(|(_, scored)| scored.behaviour == first.behaviour).count();
    let better = worths.iter().filter(|(_, scored)| scored.loss < first.loss).count();
    println!(
        "{N_CHILDREN} children of the start: {} are programs, {} of these prune every tree,",
        children.len(),
        worths.len()
    );
    println!("  {same} as the start does, {better} with fewer errors");
}

/// The program of a population that errs least on the second corpus, of these the smallest.
fn choose<'a>(search: &'a Search, validation: &Lot) -> &'a Member {
    let members = search.population().members().iter();
    let key = |member: &&Member| (validation.errors(&member.program).unwrap_or(f64::INFINITY), member.bits);
    members
        .min_by(|a, b| {
            let (a, b) = (key(a), key(b));
            a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
        })
        .expect("a population never gets empty")
}

fn run(options: &Options) -> Result<(), String> {
    let [train, validation, test] = corpora::drawn(options)?;
    let start = naive();
    let problem = &train.problem;
    let bits = start.bits(problem.vocabulary());
    println!("{} trees with {} nodes, the largest with {}", options.n_trees, train.n_nodes, train.largest);
    println!("start: the naive rule with its traversal, {} nodes, {bits:.0} bits", start.size());
    report_children(problem, &start);

    let plan = Plan { seed: options.seed, budget: options.budget, polish: 0, most_bits: bits + MORE_BITS };
    let mut search = problem.search(&start, plan).map_err(|error| error.to_string())?;
    let started = Instant::now();
    let control = Control::unlimited().threads(options.n_threads);
    search.run(&control).expect("nothing interrupts an unlimited search");
    let seconds = started.elapsed().as_secs_f64();
    let rate = search.n_programs() as f64 / seconds;
    println!(
        "{} programs, {} different ones run, {seconds:.1} s, {rate:.0} a second",
        search.n_programs(),
        search.n_judged()
    );

    println!("the population: test errors in % of the trees searched with and of others, bits, born as");
    for member in search.population().members() {
        let percents = [&train, &validation].map(|lot| lot.text(lot.errors(&member.program)));
        println!("  {} {} {:5.0} {:8}", percents[0], percents[1], member.bits, member.born);
    }
    let best = choose(&search, &validation);
    let ([a, b], constants) = two_constants(&train.judge);
    let constants = full_form(&constants).expect("it is a formula");
    println!("test errors in %, on the trees searched with, those chosen by, and fresh ones:");
    let row = |name: &str, errors: &dyn Fn(&Lot) -> Option<f64>| {
        let each = [&train, &validation, &test].map(|lot| lot.text(errors(lot)));
        println!("  {} {}", each.join(" "), name);
    };
    for (k, name) in ["no pruning", "naive rule", "C4.5's rule"].into_iter().enumerate() {
        row(name, &|lot| Some(lot.rivals(k)));
    }
    row(&format!("(e + {a:?} + {b:?} sqrt(e)) / n, the best constants of the first"), &|lot| {
        lot.errors(&constants)
    });
    row(&format!("the program of {:.0} bits", best.bits), &|lot| lot.errors(&best.program));
    println!("{}", best.program);
    Ok(())
}

fn main() -> ExitCode {
    match options::read().and_then(|options| run(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
