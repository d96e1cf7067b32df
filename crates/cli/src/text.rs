//! Formats words and numbers for messages.

use std::borrow::Cow;

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

/// Returns the known word nearest to a misspelt one, by edit distance, if at most a third of its letters are wrong.
pub(crate) fn nearest_word<'w>(word: &str, known: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    // Longer texts are not misspelt names, and comparing them takes long.
    const MAX_BYTES: usize = 100;
    if word.len() > MAX_BYTES {
        return None;
    }
    let word = word.to_lowercase();
    let max_distance = word.chars().count() / 3;
    known
        .map(|other| (strsim::osa_distance(&word, &other.to_lowercase()), other))
        .filter(|(distance, _)| *distance <= max_distance)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, other)| other)
}

/// Returns the end of a message about an unknown word: a suggestion, or nothing.
pub(crate) fn did_you_mean<'w>(word: &str, known: impl Iterator<Item = &'w str>) -> String {
    nearest_word(word, known).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default()
}

/// Truncates a text to `max` characters and marks the cut with `…`.
pub(crate) fn truncate(text: &str, max: usize) -> Cow<'_, str> {
    match text.char_indices().nth(max) {
        Some((cut, _)) => format!("{}…", &text[..cut]).into(),
        None => text.into(),
    }
}

/// Wraps a text into lines of at most `width` columns. A longer word gets a line to itself.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let options =
        textwrap::Options::new(width).break_words(false).word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::wrap(text, options).into_iter().map(Cow::into_owned).filter(|line| !line.is_empty()).collect()
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
    fn only_near_misses_are_suggested() {
        let near = |word: &str| nearest_word(word, ["chess", "no-squares", "random"].into_iter());
        assert_eq!(near("ches"), Some("chess"));
        assert_eq!(near("Chses"), Some("chess"));
        assert_eq!(near("randm"), Some("random"));
        assert_eq!(near("nonsense"), None);
        assert_eq!(near(""), None);
    }

    #[test]
    fn long_texts_are_truncated() {
        assert_eq!(truncate("späte", 5), "späte");
        assert_eq!(truncate("später", 3), "spä…");
    }

    #[test]
    fn control_characters_are_replaced() {
        assert_eq!(sanitize("RED\u{1b}[31m"), "RED\u{fffd}[31m");
    }
}
