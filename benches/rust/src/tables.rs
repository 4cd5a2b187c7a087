//! Tables drawn from a seed: the class follows a few of the features, the rest is noise.

use treewright_core::data::{Dataset, Label, RawColumn};

/// What a table looks like.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    pub n_rows: usize,
    pub n_numeric: usize,
    pub n_nominal: usize,
    /// Distinct values of a numeric feature at the most.
    pub n_values: u64,
    pub n_levels: u64,
    pub n_classes: u64,
    /// Share of the nominal values that are missing, in percent.
    pub missing: u64,
    /// Share of the rows whose class is drawn at random, in percent.
    pub noise: u64,
}

/// Features of either kind that the class follows.
const N_INFORMATIVE: usize = 5;

/// A generator of repeatable numbers (splitmix64).
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Dice(seed)
    }

    /// A number in `0..n`.
    pub fn roll(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % n
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.roll(100) < percent
    }
}

/// Draws the table of a shape.
pub fn draw(shape: Shape, seed: u64) -> Dataset {
    let mut dice = Dice::new(seed);
    let numeric = columns(&mut dice, shape.n_numeric, shape.n_rows, shape.n_values);
    let nominal = columns(&mut dice, shape.n_nominal, shape.n_rows, shape.n_levels);
    let target = classes(&mut dice, shape, &numeric, &nominal);
    let n_features = shape.n_numeric + shape.n_nominal;
    let levels: Vec<Label> = (0..shape.n_levels as i64).map(Label::Int).collect();
    let mut raw: Vec<RawColumn> = numeric.into_iter().map(numbers).collect();
    raw.extend(nominal.into_iter().map(|codes| with_missing(&mut dice, codes, shape.missing)));
    let names = (0..n_features).map(|i| format!("x{i}")).collect();
    let domains = (0..n_features).map(|i| (i >= shape.n_numeric).then(|| levels.clone())).collect();
    let labels = (0..shape.n_classes as i64).map(Label::Int).collect();
    let data = Dataset::new(names, raw, domains, shape.n_rows).expect("drawn columns fit");
    data.with_target(target, labels, None).expect("the drawn target fits")
}

fn columns(dice: &mut Dice, n_columns: usize, n_rows: usize, domain: u64) -> Vec<Vec<u64>> {
    (0..n_columns).map(|_| (0..n_rows).map(|_| dice.roll(domain)).collect()).collect()
}

/// Each informative feature prefers a class: a numeric one on either side of its middle, a nominal
/// one for each level; the class with the most votes wins.
fn classes(dice: &mut Dice, shape: Shape, numeric: &[Vec<u64>], nominal: &[Vec<u64>]) -> Vec<i32> {
    let n_parts = shape.n_levels.max(2);
    let prefers: Vec<u64> =
        (0..2 * N_INFORMATIVE as u64 * n_parts).map(|_| dice.roll(shape.n_classes)).collect();
    let prefers = |feature: usize, part: u64| prefers[feature * n_parts as usize + part as usize];
    let class = |row: usize| {
        let mut votes = vec![0u32; shape.n_classes as usize];
        for (i, column) in numeric.iter().take(N_INFORMATIVE).enumerate() {
            votes[prefers(i, u64::from(column[row] * 2 >= shape.n_values)) as usize] += 1;
        }
        for (i, column) in nominal.iter().take(N_INFORMATIVE).enumerate() {
            votes[prefers(N_INFORMATIVE + i, column[row]) as usize] += 1;
        }
        let most = votes.iter().max().expect("there is a class");
        votes.iter().position(|n| n == most).expect("it is one of them") as i32
    };
    let clean: Vec<i32> = (0..shape.n_rows).map(class).collect();
    let redraw = |class| if dice.chance(shape.noise) { dice.roll(shape.n_classes) as i32 } else { class };
    clean.into_iter().map(redraw).collect()
}

fn numbers(codes: Vec<u64>) -> RawColumn {
    RawColumn::Numeric(codes.into_iter().map(|code| code as f64 / 8.0).collect())
}

fn with_missing(dice: &mut Dice, codes: Vec<u64>, percent: u64) -> RawColumn {
    RawColumn::Nominal(codes.into_iter().map(|c| if dice.chance(percent) { -1 } else { c as i32 }).collect())
}
