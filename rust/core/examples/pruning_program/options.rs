//! What the command line says.

/// Shares of training rows by the text of the paper, and by its table.
const TEXT: [f64; 4] = [0.2, 0.25, 0.3, 0.35];
const TABLE: [f64; 4] = [0.1, 0.125, 0.15, 0.175];

pub struct Options {
    pub seed: u64,
    pub budget: u64,
    pub n_trees: usize,
    pub n_threads: usize,
    pub shares: [f64; 4],
}

/// Reads the options.
///
/// # Errors
/// A word that is no option, or a value that does not fit.
pub fn read() -> Result<Options, String> {
    let mut options = Options { seed: 0, budget: 4000, n_trees: 120, n_threads: 1, shares: TABLE };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
        let number = || value.parse::<u64>().map_err(|_| format!("{word} needs a number, not '{value}'"));
        match &*word {
            "--seed" => options.seed = number()?,
            "--budget" => options.budget = number()?,
            "--trees" => options.n_trees = number()? as usize,
            "--threads" => options.n_threads = number()? as usize,
            "--preset" if value == "text" => options.shares = TEXT,
            "--preset" if value == "table" => options.shares = TABLE,
            _ => {
                return Err(format!(
                    "{word} {value}: give --seed, --budget, --trees, --threads, or --preset text or table"
                ));
            }
        }
    }
    Ok(options)
}
