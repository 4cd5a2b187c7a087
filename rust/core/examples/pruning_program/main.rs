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
mod report;

use std::process::ExitCode;
use std::time::Instant;

use corpora::Lot;
use options::Options;
use treewright_core::control::Control;
use treewright_core::evolve::{Files, Member, Plan, ProgramSearch, State, naive};

/// Bits that a program may have more than the start.
const MORE_BITS: f64 = 250.0;

/// A search from the naive program, with the seconds it took.
fn searched(train: &Lot, options: &Options) -> Result<(State, f64), String> {
    let start = naive();
    let most_bits = start.bits(&train.problem.inputs.vocabulary) + MORE_BITS;
    let plan = Plan { seed: options.seed, budget: options.budget, polish: 0, patience: None, most_bits };
    let mut search = ProgramSearch::new(&train.problem, &start, plan);
    let started = Instant::now();
    let control = Control::unlimited().threads(options.n_threads);
    let ended = control.in_pool(|| search.run(None, &Files::default(), &control, &mut |_| {}));
    ended.map_err(|error| error.to_string())?;
    let state = search.state.expect("nothing interrupts an unlimited search");
    Ok((state, started.elapsed().as_secs_f64()))
}

/// The program of a population that errs least on the second corpus, of these the smallest.
fn choose<'a>(state: &'a State, validation: &Lot) -> &'a Member {
    let worth = |member: &'a Member| (validation.errors(&member.program), member.bits, member);
    let members = state.population.members().iter().map(worth);
    let best = members.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    best.expect("a population never gets empty").2
}

fn run(options: &Options) -> Result<(), String> {
    let lots = corpora::drawn(options)?;
    let books = corpora::books(&lots)?;
    let [train, validation, _] = &lots;
    report::start(train, &books);
    let (state, seconds) = searched(train, options)?;
    report::population(&state, seconds, [train, validation]);
    report::rules(&lots, &books, choose(&state, validation));
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
