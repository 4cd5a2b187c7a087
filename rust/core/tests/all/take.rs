//! Rows of a table are the table that these rows would have made.

use crate::common::{Dice, random_table};
use treewright_core::data::{Dataset, Label, RawColumn};

/// The rows handed over anew, as a caller would.
fn handed_over(data: &Dataset, rows: &[i64]) -> Dataset {
    let names = data.schema().features.iter().map(|f| f.name.clone()).collect();
    let levels = data.schema().features.iter().map(|f| f.levels.clone()).collect();
    let columns = data.columns().iter().map(|column| match column.to_raw() {
        RawColumn::Numeric(all) => RawColumn::Numeric(rows.iter().map(|&row| all[row as usize]).collect()),
        RawColumn::Nominal(all) => RawColumn::Nominal(rows.iter().map(|&row| all[row as usize]).collect()),
    });
    let target = data.target().unwrap();
    let target = rows.iter().map(|&row| i32::from(target[row as usize])).collect();
    let weights = data.weights().map(|all| rows.iter().map(|&row| all[row as usize]).collect());
    let alone = Dataset::new(names, columns.collect(), levels, rows.len()).unwrap();
    alone.with_target(target, data.schema().classes.clone(), weights).unwrap()
}

#[test]
fn taking_rows_is_the_same_as_handing_them_over() {
    for seed in 0..300 {
        let mut dice = Dice::new(seed);
        let n_rows = 1 + dice.roll(40);
        let data = random_table(seed, 4, n_rows);
        let rows: Vec<i64> = (0..dice.roll(60)).map(|_| dice.roll(n_rows) as i64).collect();
        assert_eq!(data.take(&rows).unwrap(), handed_over(&data, &rows), "seed {seed}");
    }
}

#[test]
fn ranks_take_the_narrowest_width_again() {
    let n_rows = 70_000;
    let mut dice = Dice::new(5);
    let numbers =
        (0..n_rows).map(|row| if row % 7 == 0 { f64::NAN } else { dice.roll(1 << 30) as f64 - 1e8 });
    let column = RawColumn::Numeric(numbers.collect());
    let data = Dataset::new(vec!["x".to_owned()], vec![column], vec![None], n_rows).unwrap();
    let data = data.with_target(vec![0; n_rows], vec![Label::Int(0)], None).unwrap();
    for n_taken in [1, 200, 300, 65_000, n_rows] {
        let rows: Vec<i64> = (0..n_taken).map(|_| dice.roll(n_rows) as i64).collect();
        assert_eq!(data.take(&rows).unwrap(), handed_over(&data, &rows), "{n_taken} rows");
    }
}
