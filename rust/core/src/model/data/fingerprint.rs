//! A number for a table: tables that differ have, as good as always, different ones.

use super::dataset::Dataset;
use crate::with_codes;

use super::column::Code;

impl Dataset {
    /// A number that depends on all that a table has: names, levels, classes, every value, and weights.
    ///
    /// The same on every platform. It tells tables apart; it is no protection against one made to collide.
    pub fn fingerprint(&self) -> u64 {
        let mut mixer = Mixer(self.n_rows() as u64);
        for (feature, column) in self.schema().features.iter().zip(self.columns()) {
            mixer.text(&feature.name);
            feature.levels.iter().flatten().for_each(|level| mixer.text(&format!("{level:?}")));
            mixer.number(column.domain() as u64);
            column
                .values()
                .unwrap_or_default()
                .iter()
                .for_each(|&value| mixer.number((value + 0.0).to_bits()));
            with_codes!(&column.codes, codes => codes.iter().for_each(|code| mixer.number(code.wide().into())));
        }
        self.schema().classes.iter().for_each(|class| mixer.text(&format!("{class:?}")));
        let target = self.target().map(|target| &target[..]).unwrap_or_default();
        target.iter().for_each(|&class| mixer.number(class.into()));
        self.weights().unwrap_or_default().iter().for_each(|&weight| mixer.number((weight + 0.0).to_bits()));
        mixer.0
    }
}

/// Takes in one number after another.
struct Mixer(u64);

impl Mixer {
    #[inline]
    fn number(&mut self, number: u64) {
        let mixed = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 32);
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        text.bytes().for_each(|byte| self.number(byte.into()));
    }
}

#[cfg(test)]
mod tests {
    use super::super::column::RawColumn;
    use super::*;

    fn table(numbers: &[f64], target: &[i32]) -> u64 {
        let column = vec![RawColumn::Numeric(numbers.to_vec())];
        let table = Dataset::new(vec!["a".to_owned()], column, vec![None], numbers.len()).unwrap();
        let classes = vec![super::super::Label::Int(0), super::super::Label::Int(1)];
        table.with_target(target.to_vec(), classes, None).unwrap().fingerprint()
    }

    #[test]
    fn tables_that_differ_in_anything_have_other_numbers() {
        let first = table(&[1.0, 2.0, f64::NAN], &[0, 1, 1]);
        assert_eq!(first, table(&[1.0, 2.0, f64::NAN], &[0, 1, 1]));
        assert_eq!(table(&[0.0, 1.0], &[0, 1]), table(&[-0.0, 1.0], &[0, 1]));
        for other in [
            table(&[1.0, 2.5, f64::NAN], &[0, 1, 1]),
            table(&[2.0, 1.0, f64::NAN], &[0, 1, 1]),
            table(&[1.0, 2.0, f64::NAN], &[0, 0, 1]),
            table(&[1.0, 2.0], &[0, 1]),
        ] {
            assert_ne!(first, other);
        }
    }
}
