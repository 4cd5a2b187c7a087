//! Whether a rule is finite wherever a leaf could be: it may have a pole between the leaves that were seen.

use super::columns::{Columns, Scratch};
use super::judge::is_value;
use crate::base::control::Control;
use crate::base::outcome::Status;

/// The largest leaf up to which [`is_finite_on_all`] looks at every one: some two million pairs, more than
/// the generated sets have.
pub const WHOLE_GRID: f64 = 2048.0;

/// Rows between two looks at the control.
const BETWEEN: u32 = 64;

/// Whether a rule is finite at all whole numbers 1 <= c <= n up to some n that are small, and at pairs spread
/// over the larger ones: quick enough for every rule that is kept.
pub fn is_finite_up_to(rule: &Columns, largest: f64, scratch: &mut Scratch) -> bool {
    let (mut cs, mut ns) = (Vec::new(), Vec::new());
    let mut n = 1.0;
    while n <= largest {
        let step = (n / 48.0_f64).max(1.0).floor();
        let mut c = 1.0;
        while c <= n {
            cs.push(c);
            ns.push(n);
            c += step;
        }
        n += (n / 48.0_f64).max(1.0).floor();
    }
    let mut values = vec![0.0; cs.len()];
    rule.run(&cs, &ns, &mut values, scratch);
    values.iter().all(is_value)
}

/// The same at all whole numbers up to `largest`, those past `WHOLE_GRID` excepted: for the rules that are
/// shown.
pub fn is_finite_on_all(
    rule: &Columns,
    largest: f64,
    scratch: &mut Scratch,
    control: &Control,
) -> Result<bool, Status> {
    let last = largest.min(WHOLE_GRID) as u32;
    let cs: Vec<f64> = (1..=last).map(f64::from).collect();
    let (mut ns, mut values) = (vec![0.0; cs.len()], vec![0.0; cs.len()]);
    for n in 1..=last {
        if n % BETWEEN == 0 {
            control.checkpoint()?;
        }
        let row = n as usize;
        ns[..row].fill(f64::from(n));
        rule.run(&cs[..row], &ns[..row], &mut values[..row], scratch);
        if !values[..row].iter().all(is_value) {
            return Ok(false);
        }
    }
    Ok(is_finite_up_to(rule, largest, scratch))
}
