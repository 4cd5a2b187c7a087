//! Numbers as people read them: with as few digits as decide alike.

/// More decimals than any double has.
pub const MAX_DECIMALS: usize = 1100;

/// Digits that give any double exactly.
const ALL_DIGITS: i32 = 17;

/// Digits before the point up to which numbers are written without an exponent.
const WRITTEN_OUT: i32 = 16;

/// Digits up to which a number is written as it is: a person reads them at a glance, and rows to come are
/// decided by the number itself.
const SHORT: usize = 6;

/// Digits from which a number may be rounded to either side.
const BOTH_SIDES_FROM: i32 = 2;

/// A number with as many digits as read back to the same one.
pub fn exact(value: f64) -> String {
    match value == 0.0 || (1e-4..1e16).contains(&value.abs()) {
        true => format!("{}", value + 0.0),
        false => format!("{value:e}"),
    }
}

/// Where a number may be moved: from `low` up to `high`, that excluded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Room {
    /// The least number allowed.
    pub low: f64,
    /// The least that is too large.
    pub high: f64,
}

impl Room {
    /// Room without ends.
    pub const ALL: Room = Room { low: f64::NEG_INFINITY, high: f64::INFINITY };

    fn has(self, value: f64) -> bool {
        self.low <= value && value < self.high
    }

    /// The part that two rooms share.
    pub fn and(self, other: Room) -> Room {
        Room { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    /// `value` if it is short; else the number in this room that has the fewest digits when written, near
    /// `value`, which is in it. Whole digits are not rounded as long as they are written anyway.
    pub fn shortest(self, value: f64) -> f64 {
        if value == 0.0 || !value.is_finite() || !self.has(value) || n_digits(value) <= SHORT {
            return value;
        }
        let first = value.abs().log10().floor() as i32;
        let is_written_out = first < WRITTEN_OUT;
        let from = if is_written_out { -first.min(0) } else { -first };
        let places = is_written_out.then_some(0).into_iter().chain(from..ALL_DIGITS - first);
        let found = places.filter_map(|decimals| self.rounded(value, decimals, first)).next();
        found.unwrap_or(value)
    }

    /// A number in this room with so many decimals: the nearest to `value`, or the one on its other side where
    /// that is as near, or it is about the second digit or a later one.
    fn rounded(self, value: f64, decimals: i32, first: i32) -> Option<f64> {
        let nearest = at_place(value, decimals);
        if self.has(nearest) {
            return Some(nearest + 0.0);
        }
        let is_near = |other: f64| {
            decimals + first + 1 >= BOTH_SIDES_FROM || (other - value).abs() == (nearest - value).abs()
        };
        let step = 10f64.powi(-decimals);
        let from = if nearest.is_finite() { nearest } else { value };
        let others = [from - step, from + step].into_iter().filter(|other| other.is_finite());
        others.map(|other| at_place(other, decimals)).find(|&other| self.has(other) && is_near(other))
    }

    /// A number near `value` in this room, written with so many decimals, or with as many more as it takes.
    pub fn with_decimals(self, value: f64, decimals: usize) -> String {
        let decimals = decimals.min(MAX_DECIMALS);
        let enough = (decimals..MAX_DECIMALS).find_map(|decimals| {
            let (step, nearest) = (10f64.powi(-(decimals as i32)), format!("{value:.decimals$}"));
            let others = [-step, step].map(|step| format!("{:.decimals$}", read(&nearest) + step));
            [nearest].into_iter().chain(others).find(|text| self.has(read(text)))
        });
        unsigned_zero(enough.unwrap_or_else(|| exact(value)))
    }
}

/// A number rounded to a decimal place, before the point where it is negative.
fn at_place(value: f64, decimals: i32) -> f64 {
    if decimals >= 0 {
        return read(&format!("{value:.*}", decimals as usize));
    }
    let first = if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 };
    read(&format!("{value:.*e}", (first + decimals).max(0) as usize))
}

fn read(text: &str) -> f64 {
    text.parse().expect("a number that was written can be read")
}

/// How many digits it takes to write a number.
fn n_digits(value: f64) -> usize {
    format!("{value:e}")
        .split('e')
        .next()
        .map_or(0, |digits| digits.chars().filter(char::is_ascii_digit).count())
}

/// A text without the sign of a number that is 0.
fn unsigned_zero(text: String) -> String {
    match text.strip_prefix('-') {
        Some(size) if size.chars().all(|c| c == '0' || c == '.') => size.to_owned(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(low: f64, value: f64, high: f64) -> String {
        exact(Room { low, high }.shortest(value))
    }

    #[test]
    fn as_few_digits_as_stay_in_the_room() {
        assert_eq!(text(20180130.0, 20180130.5, 20180131.0), "20180130");
        assert_eq!(text(20180130.0, 20180130.0, 20180215.0), "20180130");
        assert_eq!(text(1.0, 1.5, 2.0), "1.5");
        assert_eq!(text(0.6, 0.6, 1.0), "0.6");
        assert_eq!(text(1.9, 1.9, 3.0), "1.9");
        assert_eq!(text(0.1 + 0.2, 0.1 + 0.2, 0.4), "0.31");
        assert_eq!(text(-0.5, -0.25, 0.75), "-0.25");
        assert_eq!(text(-1e-300, -1.23456789e-301, 1e-301), "0");
        assert_eq!(text(1.5e-300, 1.6e-300, 2e-300), "1.6e-300");
        assert_eq!(text(1e300, 1.3333333e300, 2e300), "1e300");
        assert_eq!(text(9007199254740993.0, 9007199254740993.0, 9007199254740994.0), "9007199254740992");
        assert_eq!(text(1.0, 1.0, 1.0 + f64::EPSILON), "1");
        assert_eq!(text(1.0 + f64::EPSILON, 1.0 + f64::EPSILON, 1.5), "1.1");
        assert_eq!(text(f64::MIN, f64::MIN, f64::MAX), "-1.7e308");
    }

    #[test]
    fn decimals_that_are_asked_for_are_the_fewest() {
        let room = Room { low: 0.25, high: 0.3 };
        assert_eq!(room.with_decimals(0.26, 1), "0.26");
        assert_eq!(room.with_decimals(0.26, 3), "0.260");
        assert_eq!(Room::ALL.with_decimals(-0.001, 2), "0.00");
        assert_eq!(Room { low: 0.1 + 0.2, high: 0.4 }.with_decimals(0.1 + 0.2, 2), "0.31");
    }
}
