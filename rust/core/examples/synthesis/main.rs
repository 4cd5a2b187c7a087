//! Invents nine small programs from examples, each from an empty or identity start.
//!
//! ```text
//! cargo run --release -p treewright-core --example synthesis                 # all, seed 0
//! cargo run --release -p treewright-core --example synthesis -- sort fib     # some
//! cargo run --release -p treewright-core --example synthesis -- --seed 3 --budget 200000 --threads 2
//! ```
//! A task gets up to four runs from different seeds, each with the task's budget of 250 000 programs.
//! The first run whose program is also right on larger inputs, set apart to check it, is the last. A
//! program counts as found if it is right on all examples and on further inputs, looked at once. What is printed depends on the seed and the budget alone, seconds apart.

mod tasks;

use std::process::ExitCode;
use std::time::Instant;

use tasks::Task;
use treewright_core::control::Control;
use treewright_core::evolve::{Examples, Files, Plan, ProgramSearch, State, score};

/// Runs of a task at most.
const RUNS: u64 = 4;

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
    let control = Control::unlimited().threads(options.n_threads);
    let started = Instant::now();
    let mut runs = Vec::new();
    for run in 0..RUNS {
        let seed = options.seed * RUNS + run;
        let plan = Plan { seed, budget, polish: budget / 10, patience: None, most_bits: task.most_bits };
        let mut search = ProgramSearch::new(&task.seen, &task.start, plan);
        let ended = control.in_pool(|| search.run(None, &Files::default(), &control, &mut |_| {}));
        ended.expect("a task fits its start");
        let state = search.state.expect("nothing interrupts an unlimited search");
        let done = n_wrong(&task.check, &state) == 0;
        runs.push(state);
        if done {
            break;
        }
    }
    report(task, &runs, started.elapsed().as_secs_f64())
}

/// Examples on which the best program of a run is wrong.
fn n_wrong(examples: &Examples, run: &State) -> u32 {
    score(examples, &run.best().program).n_wrong
}

fn report(task: &Task, runs: &[State], seconds: f64) -> bool {
    let run = runs
        .iter()
        .min_by(|a, b| {
            let by_loss = a.best().scored.loss.total_cmp(&b.best().scored.loss);
            by_loss.then(n_wrong(&task.check, a).cmp(&n_wrong(&task.check, b)))
        })
        .expect("there is a run");
    let (best, wrong_unseen) = (run.best(), n_wrong(&task.unseen, run));
    let found = best.scored.n_wrong == 0 && wrong_unseen == 0;
    println!("{}: {} ({})", task.name, if found { "found" } else { "not found" }, task.what);
    let made: u64 = runs.iter().map(|run| run.n_programs).sum();
    let judged: u64 = runs.iter().map(|run| run.tally.n_judged()).sum();
    if let Some(at) = run.solved {
        println!("  right on all examples: program {at} of its run");
    }
    println!("  {made} programs in {} runs, {judged} different ones judged, {seconds:.1} s", runs.len());
    let wrong = best.scored.n_wrong;
    println!("  {:.0} bits; {wrong} examples wrong, {wrong_unseen} of the unseen ones", best.bits);
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
