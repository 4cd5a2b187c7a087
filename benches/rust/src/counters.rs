//! What a piece of work did, printed beside its time: the same on every machine.

/// Prints the counters of one benchmark on one line.
pub fn print(name: &str, counters: &[(&str, u64)]) {
    let counters: Vec<String> = counters.iter().map(|(what, n)| format!("{what} {n}")).collect();
    println!("{name}: {}", counters.join(", "));
}
