//! What a field may be as a number, and its value.
//!
//! `1,5` and `1.234.567` say by themselves which mark is which; `1,234` may be 1234 or 1.234, and does not.
//! A mark of thousands has one to three digits before it, the first not 0, and three behind it.

/// The marks by which numbers are read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reading {
    /// `.` or `,`.
    pub decimal: char,
    /// The mark between thousands, if there is one.
    pub thousands: Option<char>,
}

impl Reading {
    /// Decimal points, and nothing between thousands.
    pub const PLAIN: Reading = Reading { decimal: '.', thousands: None };
}

/// The marks in the text of a number.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Marks {
    /// The mark that can only be that of decimals.
    pub decimal: Option<char>,
    /// The mark that can only be that of thousands.
    pub thousands: Option<char>,
    /// A point or a comma that may be either.
    pub either: Option<char>,
    /// Why the text may be a code.
    pub code: Option<Code>,
}

/// Why digits may be a code, of which the value says little.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Code {
    /// `007`.
    Zeros,
    /// A whole number above 2^53, which a 64-bit float cannot tell from its neighbours.
    Large,
    /// A number beyond all 64-bit floats, such as `101E010031`.
    Beyond,
}

/// Whole numbers up to this one are told apart by 64-bit floats.
const LARGEST_WHOLE: u128 = 1 << 53;

/// The text without the blanks around it.
fn trimmed(text: &str) -> &str {
    text.trim_matches([' ', '\t', '\u{a0}'])
}

/// The text behind a sign.
fn unsigned(text: &str) -> &str {
    text.strip_prefix(['-', '+', '\u{2212}']).unwrap_or(text)
}

/// Whether a character may stand between thousands.
fn is_thousands_mark(mark: char) -> bool {
    matches!(mark, '.' | ',' | '\'' | '\u{2019}' | ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}')
}

/// The digits before the exponent, and whether there is one; none where it is no exponent.
fn mantissa(text: &str) -> Option<(&str, bool)> {
    let Some(at) = text.find(['e', 'E']) else { return Some((text, false)) };
    let power = text[at + 1..].strip_prefix(['-', '+']).unwrap_or(&text[at + 1..]);
    let is_power = !power.is_empty() && power.bytes().all(|byte| byte.is_ascii_digit());
    is_power.then_some((&text[..at], true))
}

/// The marks in a number; none where the text is no number under any reading.
pub fn marks(text: &str) -> Option<Marks> {
    let text = trimmed(text);
    let (digits, has_power) = mantissa(unsigned(text))?;
    let is_other = |c: char| !c.is_ascii_digit();
    let mut found = digits.matches(is_other).filter_map(|mark| mark.chars().next());
    let mut groups = digits.split(is_other).map(str::len);
    let head = groups.next()?;
    let mut marks = match found.next() {
        None if head > 0 => Marks::default(),
        None => return None,
        Some(first) => marked(digits, head, first, found, groups, has_power)?,
    };
    marks.code = code(text, digits, has_power, marks);
    Some(marks)
}

/// The same of digits that have a mark.
fn marked(
    digits: &str,
    head: usize,
    first: char,
    mut others: impl Iterator<Item = char>,
    mut groups: impl Iterator<Item = usize>,
    has_power: bool,
) -> Option<Marks> {
    let is_decimal = |mark| mark == '.' || mark == ',';
    let may_group = is_thousands_mark(first) && (1..=3).contains(&head) && !digits.starts_with('0');
    let behind = groups.next()?;
    let Some(second) = others.next() else {
        let is_group = may_group && behind == 3 && !has_power;
        return match is_decimal(first) {
            true if is_group => Some(Marks { either: Some(first), ..Marks::default() }),
            true => (head + behind > 0).then_some(Marks { decimal: Some(first), ..Marks::default() }),
            false => is_group.then_some(Marks { thousands: Some(first), ..Marks::default() }),
        };
    };
    let (mut next, mut group) = (second, groups.next()?);
    let mut is_whole = may_group && behind == 3;
    while next == first {
        is_whole &= group == 3;
        match (others.next(), groups.next()) {
            (Some(mark), Some(digits)) => (next, group) = (mark, digits),
            _ => {
                return (is_whole && !has_power)
                    .then_some(Marks { thousands: Some(first), ..Marks::default() });
            }
        }
    }
    let is_last = is_decimal(next) && others.next().is_none();
    let marks = Marks { decimal: Some(next), thousands: Some(first), ..Marks::default() };
    (is_whole && is_last).then_some(marks)
}

fn code(text: &str, digits: &str, has_power: bool, marks: Marks) -> Option<Code> {
    let bytes = digits.as_bytes();
    if bytes.len() > 1 && bytes[0] == b'0' && bytes[1].is_ascii_digit() {
        return Some(Code::Zeros);
    }
    if !has_power && bytes.len() <= 15 {
        return None;
    }
    if marks.decimal.is_none() && marks.either.is_none() && !has_power {
        let whole: String = digits.chars().filter(char::is_ascii_digit).collect();
        let is_large = whole.parse::<u128>().map_or(true, |whole| whole > LARGEST_WHOLE);
        return is_large.then_some(Code::Large);
    }
    let reading = Reading { decimal: marks.decimal.unwrap_or('.'), thousands: marks.thousands };
    value(text, reading).is_some_and(f64::is_infinite).then_some(Code::Beyond)
}

/// Whether marks are those of a reading.
pub fn fit(marks: Marks, reading: Reading) -> bool {
    let is_either = |mark| mark == reading.decimal || Some(mark) == reading.thousands;
    marks.decimal.is_none_or(|mark| mark == reading.decimal)
        && marks.thousands.is_none_or(|mark| Some(mark) == reading.thousands)
        && marks.either.is_none_or(is_either)
}

/// The nearest 64-bit float to a number; none where the text is no number under this reading.
pub fn number(text: &str, reading: Reading) -> Option<f64> {
    if reading == Reading::PLAIN && is_plain(text.as_bytes()) {
        return text.parse().ok();
    }
    let text = trimmed(text);
    marks(text).filter(|&found| fit(found, reading)).and_then(|_| value(text, reading))
}

/// Whether a text holds nothing but digits, a sign, a point and a power, so that the standard library reads it.
fn is_plain(text: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'-' | b'+');
    let body = if matches!(text.first(), Some(b'-' | b'+')) { &text[1..] } else { text };
    body.first().is_some_and(|&first| first.is_ascii_digit() || first == b'.') && body.iter().all(is_part)
}

/// The value of a text whose marks fit.
fn value(text: &str, reading: Reading) -> Option<f64> {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\u{2212}' => plain.push('-'),
            c if c == reading.decimal => plain.push('.'),
            c if Some(c) == reading.thousands => {}
            c => plain.push(c),
        }
    }
    plain.parse().ok()
}

/// A number with what stands before and behind it: `("$", "5", "")`, `("", "12", "kg")`.
pub fn parts(text: &str) -> Option<(&str, &str, &str)> {
    let text = trimmed(text);
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let before = text[..start].trim_end_matches(['-', '+', '\u{2212}', '.', ',']);
    let rest = &text[before.len()..];
    let end = rest.len() - number_end(rest).len();
    let body = rest[..end].trim_end_matches(|c: char| !c.is_ascii_digit() && c != '.' && c != ',');
    Some((before.trim_end(), body, &rest[body.len()..]))
}

/// What is behind the digits, marks and power that a text begins with.
fn number_end(text: &str) -> &str {
    let is_part = |c: char| c.is_ascii_digit() || is_thousands_mark(c) || matches!(c, '-' | '+' | '\u{2212}');
    let rest = text.trim_start_matches(is_part);
    let power = rest.strip_prefix(['e', 'E']).map(|power| power.strip_prefix(['-', '+']).unwrap_or(power));
    match power {
        Some(power) if power.starts_with(|c: char| c.is_ascii_digit()) => {
            power.trim_start_matches(|c: char| c.is_ascii_digit())
        }
        _ => rest,
    }
}

/// Signs of money, which may stand before a number or behind it.
const MONEY: [&str; 21] = [
    "$", "€", "£", "¥", "₹", "₽", "₩", "₺", "₴", "₫", "₱", "฿", "₦", "₪", "¢", "US$", "EUR", "USD", "GBP",
    "CHF", "Fr.",
];

/// Units that may follow a number at once; others follow behind a blank.
const UNITS: [&str; 60] = [
    "%", "‰", "°", "°C", "°F", "kg", "g", "mg", "µg", "μg", "ug", "ng", "lb", "lbs", "oz", "km", "m", "cm",
    "mm", "µm", "μm", "nm", "mi", "ft", "l", "ml", "mL", "dl", "dL", "cl", "h", "hrs", "min", "s", "sec",
    "ms", "kW", "kWh", "MW", "Hz", "kHz", "MHz", "GHz", "Pa", "hPa", "kPa", "bar", "mmHg", "kJ", "kcal",
    "KB", "kB", "MB", "GB", "TB", "px", "pt", "km/h", "mg/dl", "mg/dL",
];

/// The unit of a number, from what stands before and behind it; none where that is no unit.
pub fn unit<'a>(before: &'a str, behind: &'a str) -> Option<&'a str> {
    let is_apart = behind.starts_with([' ', '\u{a0}', '\u{202f}']);
    let behind = behind.trim_start_matches([' ', '\u{a0}', '\u{202f}']);
    match (before, behind) {
        (before, "") if MONEY.contains(&before) => Some(before),
        ("", behind) if MONEY.contains(&behind) || UNITS.contains(&behind) => Some(behind),
        ("", behind) if is_apart && is_word(behind) => Some(behind),
        _ => None,
    }
}

/// Whether a text is a single word that may be a unit.
fn is_word(text: &str) -> bool {
    let is_part =
        |c: char| c.is_alphabetic() || matches!(c, '%' | '‰' | '°' | '/' | '²' | '³' | '·' | '^' | '.');
    let is_start = |c: char| c.is_alphabetic() || matches!(c, '%' | '‰' | '°');
    let letters = text.trim_end_matches(|c: char| c.is_ascii_digit());
    text.chars().count() <= 12 && letters.starts_with(is_start) && letters.chars().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMA: Reading = Reading { decimal: ',', thousands: Some('.') };

    type Told = (Option<char>, Option<char>, Option<char>, Option<Code>);

    fn told(text: &str) -> Option<Told> {
        marks(text).map(|m| (m.decimal, m.thousands, m.either, m.code))
    }

    #[test]
    fn marks_say_which_they_are_or_that_they_do_not() {
        for plain in ["0", "12", "-5", "+5", "\u{2212}5", "1e5", "123456789012345"] {
            assert_eq!(told(plain), Some((None, None, None, None)), "{plain}");
        }
        for (text, decimal) in
            [("1.5", '.'), ("1,5", ','), (".5", '.'), ("5.", '.'), ("0,123", ','), ("1234.567", '.')]
        {
            assert_eq!(told(text), Some((Some(decimal), None, None, None)), "{text}");
        }
        assert_eq!(told("1.234e5"), Some((Some('.'), None, None, None)));
        assert_eq!(told("1,234"), Some((None, None, Some(','), None)));
        assert_eq!(told("-123.456"), Some((None, None, Some('.'), None)));
        for (text, decimal, thousands) in [
            ("1.234.567", None, '.'),
            ("1,234.5", Some('.'), ','),
            ("12.345.678,", Some(','), '.'),
            ("1'000", None, '\''),
            ("1 000 000,25", Some(','), ' '),
        ] {
            assert_eq!(told(text), Some((decimal, Some(thousands), None, None)), "{text}");
        }
    }

    #[test]
    fn what_is_no_number_under_any_reading_is_none() {
        let texts =
            ["", " ", "-", ".", "x", "1x", "nan", "inf", "1_000", "17.05.2023", "1.2.3", "1,23,456", "1'00"];
        for text in
            texts.into_iter().chain(["0.123.456", "1..5", "1,234,56.7", "1e", "e5", "--1", "1.5e2.5", "1 2"])
        {
            assert_eq!(told(text), None, "{text}");
        }
    }

    #[test]
    fn codes_are_known() {
        for (text, code) in [
            ("007", Code::Zeros),
            ("-01", Code::Zeros),
            ("9007199254740993", Code::Large),
            ("101E010031", Code::Beyond),
            ("1e999", Code::Beyond),
        ] {
            assert_eq!(marks(text).unwrap().code, Some(code), "{text}");
        }
        for text in ["0", "0.5", "0,5", "9007199254740992", "1e308", "3.141592653589793238462643"] {
            assert_eq!(marks(text).unwrap().code, None, "{text}");
        }
    }

    #[test]
    fn numbers_are_read_by_their_marks() {
        for (text, value) in [("1.234.567,5", 1_234_567.5), ("1.234", 1234.0), ("-0,5", -0.5), (" 7 ", 7.0)] {
            assert_eq!(number(text, COMMA), Some(value), "{text}");
        }
        for text in ["1.5", "1,234.5", "", "nan", "inf"] {
            assert_eq!(number(text, COMMA), None, "{text}");
        }
        assert_eq!(number("\u{2212}1.5", Reading::PLAIN), Some(-1.5));
        assert_eq!(number("1e5", Reading::PLAIN), Some(1e5));
        assert_eq!(number("1,5", Reading::PLAIN), None);
    }

    #[test]
    fn units_are_told_from_numbers() {
        let told = |text| {
            parts(text).and_then(|(before, body, behind)| unit(before, behind).map(|unit| (body, unit)))
        };
        for (text, body, unit) in [
            ("5%", "5", "%"),
            ("-1,5 %", "-1,5", "%"),
            ("$5", "5", "$"),
            ("€ 1.234,50", "1.234,50", "€"),
            ("12 kg", "12", "kg"),
            ("12kg", "12", "kg"),
            ("1 000 m2", "1 000", "m2"),
            ("5e3 Jahre", "5e3", "Jahre"),
        ] {
            assert_eq!(told(text), Some((body, unit)), "{text}");
        }
        for text in ["A12", "1A", "5", "12 long words here", "5 kg 300", "x"] {
            assert_eq!(told(text), None, "{text}");
        }
    }
}
