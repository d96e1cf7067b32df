//! Small things about words and numbers that several verbs say.

use std::borrow::Cow;

/// A name from a file as it is shown to people: control characters do not reach the terminal.
pub(crate) fn plain(name: &str) -> Cow<'_, str> {
    if name.contains(char::is_control) {
        name.replace(char::is_control, "\u{fffd}").into()
    } else {
        name.into()
    }
}

/// The same for a text of several lines, which it keeps.
pub(crate) fn plain_text(text: &str) -> String {
    text.lines().map(plain).collect::<Vec<_>>().join("\n")
}

/// `1 error`, `2 errors`.
pub(crate) fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// `4,865,609`.
pub(crate) fn thousands(number: u64) -> String {
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

/// `WHITE`, `WHITE and BLACK`, `RED, BLUE and GREEN`.
pub(crate) fn listed<S: AsRef<str>>(words: &[S]) -> String {
    let words: Vec<Cow<'_, str>> = words.iter().map(|word| plain(word.as_ref())).collect();
    match words.split_last() {
        None => "nobody".to_owned(),
        Some((last, [])) => last.to_string(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

/// The word that was probably meant: at most every third letter is wrong, missing, too much or in its neighbour's place.
pub(crate) fn nearest<'w>(word: &str, known: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    // A text of pages is no misspelt name, and comparing it takes long.
    if word.len() > 100 {
        return None;
    }
    let word = word.to_lowercase();
    let wrong = word.chars().count() / 3;
    known
        .map(|other| (strsim::osa_distance(&word, &other.to_lowercase()), other))
        .filter(|(distance, _)| *distance <= wrong)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, other)| other)
}

/// The beginning of a text that may be as long as a book, and `…` if that is not all of it.
pub(crate) fn clip(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((cut, _)) => format!("{}…", &text[..cut]).into(),
        None => text.into(),
    }
}

/// Breaks a text at blanks into lines of at most `width` columns; a longer word has its own line.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if columns(line) + 1 + columns(word) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// How many columns a text takes in a terminal.
pub(crate) fn columns(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        let cases = [(0, "0"), (999, "999"), (1000, "1,000"), (4_865_609, "4,865,609")];
        for (number, text) in cases {
            assert_eq!(thousands(number), text);
        }
        assert_eq!(thousands(u64::MAX), "18,446,744,073,709,551,615");
    }

    #[test]
    fn lists_read_like_sentences() {
        assert_eq!(listed(&["WHITE"]), "WHITE");
        assert_eq!(listed(&["RED", "BLUE", "GREEN"]), "RED, BLUE and GREEN");
    }

    #[test]
    fn lines_are_broken_at_blanks() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("incomprehensible", 3), ["incomprehensible"]);
    }

    #[test]
    fn only_near_misses_are_suggested() {
        let near = |word: &str| nearest(word, ["chess", "no-squares", "random"].into_iter());
        assert_eq!(near("ches"), Some("chess"));
        assert_eq!(near("Chses"), Some("chess"));
        assert_eq!(near("randm"), Some("random"));
        assert_eq!(near("nonsense"), None);
        assert_eq!(near(""), None);
    }

    #[test]
    fn long_texts_are_clipped() {
        assert_eq!(clip("späte", 5), "späte");
        assert_eq!(clip("später", 3), "spä…");
    }

    #[test]
    fn escapes_do_not_reach_the_terminal() {
        assert_eq!(plain("RED\u{1b}[31m"), "RED\u{fffd}[31m");
    }
}
