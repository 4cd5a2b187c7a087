//! Names and values as people see them: what cannot be seen is escaped, and nothing steers a terminal.

use std::borrow::Cow;
use std::fmt::Write;

/// A text as it is, or in quotes and escaped where something in it or at its ends cannot be seen, or where it
/// looks as if it were in quotes.
pub fn visible(text: &str) -> Cow<'_, str> {
    match is_plain(text) {
        true => Cow::Borrowed(text),
        false => Cow::Owned(quoted(text)),
    }
}

/// A text in quotes, with escapes as Python writes them.
pub fn quoted(text: &str) -> String {
    let mark = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut written = String::with_capacity(text.len() + 2);
    written.push(mark);
    for character in text.chars() {
        match character {
            '\\' => written.push_str("\\\\"),
            _ if character == mark => written.extend(['\\', mark]),
            _ if is_visible(character) => written.push(character),
            _ => escape(character, &mut written),
        }
    }
    written.push(mark);
    written
}

/// Whether a text shows itself.
fn is_plain(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with([' ', '\'', '"'])
        && !text.ends_with(' ')
        && text.chars().all(is_visible)
}

/// Whether a character can be seen; a blank can, a mark on the character before it too.
fn is_visible(character: char) -> bool {
    match character {
        ' ' | '\'' | '"' | '\\' => true,
        _ if character.is_ascii() => !character.is_ascii_control(),
        // after another character, as a mark on it is no more to be escaped than that
        _ => !format!("a{character}").escape_debug().skip(1).eq(character.escape_unicode()),
    }
}

fn escape(character: char, written: &mut String) {
    let code = u32::from(character);
    let _ = match character {
        '\n' => write!(written, "\\n"),
        '\r' => write!(written, "\\r"),
        '\t' => write!(written, "\\t"),
        _ if code < 0x100 => write!(written, "\\x{code:02x}"),
        _ if code < 0x10000 => write!(written, "\\u{code:04x}"),
        _ => write!(written, "\\U{code:08x}"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_escaped() {
        for plain in ["age", "petal length (cm)", "größe", "e\u{301}te\u{301}", "it's", "a\\n", "年齢", "😀"]
        {
            assert_eq!(visible(plain), plain);
        }
        let odd = [
            ("", "''"),
            ("  ", "'  '"),
            (" a", "' a'"),
            ("a\nb", "'a\\nb'"),
            ("\u{1b}[31mred", "'\\x1b[31mred'"),
            ("a\u{200b}b", "'a\\u200bb'"),
            ("a\u{202e}b", "'a\\u202eb'"),
            ("\u{a0}", "'\\xa0'"),
            ("'1'", "\"'1'\""),
            ("it's\t\"", "'it\\'s\\t\"'"),
            ("a\0\\", "'a\\x00\\\\'"),
        ];
        for (text, shown) in odd {
            assert_eq!(visible(text), shown);
        }
    }
}
