//! Invents nine small programs from examples, each from an empty or identity start.
//!
//! ```text
//! cargo run --release -p treewright-core --example synthesis                 # all, seed 0
//! cargo run --release -p treewright-core --example synthesis -- sort fib     # some
//! cargo run --release -p treewright-core --example synthesis -- --seed 3 --budget 200000 --threads 2
//! ```
//! A program counts as found if it is right on all examples and on larger inputs that the search never
//! saw. What is printed depends on the seed and the budget alone, seconds apart.

mod tasks;

use std::process::ExitCode;
use std::time::Instant;

use tasks::Task;
use treewright_core::control::Control;
use treewright_core::synthesis::{Bench, Plan, Search, judge};

struct Options {
    names: Vec<String>,
    seed: u64,
    budget: Option<u64>,
    n_threads: usize,
}

fn options() -> Result<Options, String> {
    let mut options = Options { names: Vec::new(), seed: 0, budget: None, n_threads: 1 };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || {
            let value = words.next().ok_or_else(|| format!("{word} needs a number"))?;
            value.parse::<u64>().map_err(|_| format!("{word} needs a number, not '{value}'"))
        };
        match &*word {
            "--seed" => options.seed = number()?,
            "--budget" => options.budget = Some(number()?),
            "--threads" => options.n_threads = number()? as usize,
            name => options.names.push(name.to_owned()),
        }
    }
    Ok(options)
}

/// Searches for one program and reports it; whether it was found.
fn solve(task: &Task, options: &Options) -> bool {
    let budget = options.budget.unwrap_or(task.budget);
    let plan = Plan { seed: options.seed, budget, polish: budget / 20, most_bits: task.most_bits };
    let mut search = Search::new(&task.seen, &task.start, plan).expect("a task fits its start");
    let control = Control::unlimited().threads(options.n_threads);
    let started = Instant::now();
    search.run(&control).expect("nothing interrupts an unlimited search");
    let seconds = started.elapsed().as_secs_f64();
    let best = search.best();
    let unseen = judge(&task.unseen, &best.program, &mut Bench::new(&task.unseen), |_, _| false)
        .expect("a run that is never given up has a score");
    let found = best.scored.n_wrong == 0 && unseen.n_wrong == 0;
    println!("{}: {} ({})", task.name, if found { "found" } else { "not found" }, task.what);
    if let Some(at) = search.solved() {
        println!("  first program right on all examples: number {at} of a budget of {budget}");
    }
    println!(
        "  {} programs, {} judged, {seconds:.1} s; {:.0} bits; {} examples wrong, {} of the unseen ones",
        search.n_programs(),
        search.n_judged(),
        best.bits,
        best.scored.n_wrong,
        unseen.n_wrong
    );
    println!("{}", best.program.to_string().lines().map(|line| format!("    {line}\n")).collect::<String>());
    found
}

fn main() -> ExitCode {
    let options = match options() {
        Ok(options) => options,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::FAILURE;
        }
    };
    let mut tasks = tasks::all();
    if !options.names.is_empty() {
        tasks.retain(|task| options.names.iter().any(|name| name == task.name));
    }
    let n_found = tasks.iter().filter(|task| solve(task, &options)).count();
    println!("{n_found} of {} found", tasks.len());
    ExitCode::SUCCESS
}
