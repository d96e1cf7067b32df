//! Formats words and numbers for messages.

use std::borrow::Cow;

pub(crate) use tabiya_notation::clip;
pub(crate) use tabiya_spec::suggest::did_you_mean;

/// Replaces control characters, so that names from files cannot control the terminal.
pub(crate) fn sanitize(name: &str) -> Cow<'_, str> {
    if name.contains(char::is_control) {
        name.replace(char::is_control, "\u{fffd}").into()
    } else {
        name.into()
    }
}

/// Replaces control characters but keeps line breaks.
pub(crate) fn sanitize_lines(text: &str) -> String {
    text.lines().map(sanitize).collect::<Vec<_>>().join("\n")
}

/// Formats a count with its noun: `1 error`, `2 errors`.
pub(crate) fn pluralize(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Groups digits by thousands: `4,865,609`.
pub(crate) fn group_digits(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// Joins words to a list: `WHITE`, `WHITE and BLACK`, `RED, BLUE and GREEN`. An empty list is `none`.
pub(crate) fn join_and<S: AsRef<str>>(words: &[S]) -> String {
    let words: Vec<Cow<'_, str>> = words.iter().map(|word| sanitize(word.as_ref())).collect();
    match words.split_last() {
        None => "none".to_owned(),
        Some((last, [])) => last.to_string(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

/// Wraps a text into lines of at most `width` columns. A longer word gets a line to itself.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let options =
        textwrap::Options::new(width).break_words(false).word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::wrap(text, options).into_iter().map(Cow::into_owned).filter(|line| !line.is_empty()).collect()
}

/// Breaks a line between words if it is longer than `width` columns. Continuation lines keep its indentation.
pub(crate) fn fit(line: &str, width: usize) -> String {
    let indent = &line[..line.len() - line.trim_start().len()];
    let rest = width.saturating_sub(indent.len()).max(20);
    if textwrap::core::display_width(line) <= width {
        return line.to_owned();
    }
    wrap(line.trim_start(), rest).iter().map(|part| format!("{indent}{part}")).collect::<Vec<_>>().join("\n")
}

/// Returns how many terminal columns a text occupies.
pub(crate) fn display_width(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_by_thousands() {
        let cases = [(0, "0"), (999, "999"), (1000, "1,000"), (4_865_609, "4,865,609")];
        for (number, text) in cases {
            assert_eq!(group_digits(number), text);
        }
        assert_eq!(group_digits(u64::MAX), "18,446,744,073,709,551,615");
    }

    #[test]
    fn lists_are_joined_with_and() {
        assert_eq!(join_and(&["WHITE"]), "WHITE");
        assert_eq!(join_and(&["RED", "BLUE", "GREEN"]), "RED, BLUE and GREEN");
    }

    #[test]
    fn lines_wrap_at_blanks() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("incomprehensible", 3), ["incomprehensible"]);
    }

    #[test]
    fn long_lines_break_between_words() {
        assert_eq!(fit("  one two three four five six", 22), "  one two three four\n  five six");
        assert_eq!(fit("\u{1b}[1mone two three four\u{1b}[0m", 18), "\u{1b}[1mone two three four\u{1b}[0m");
        assert_eq!(fit("", 10), "");
    }

    #[test]
    fn control_characters_are_replaced() {
        assert_eq!(sanitize("RED\u{1b}[31m"), "RED\u{fffd}[31m");
    }
}
