//! Wording: words that usually hide a plainer sentence.
//!
//! Comments and string literals of Rust files are checked, and the whole text of other files. `xtask/words-allowed.txt` lists
//! legitimate uses, one per line: a file or folder, a colon, and the words that are allowed there.

use std::path::Path;

use super::{read, tracked};
use crate::shell::{self, Result};

/// Words and phrases, each with what to write instead.
const WORDS: &[(&str, &str)] = &[
    ("tell", "say, report, show"),
    ("tells", "says, reports, shows"),
    ("told", "said, reported, shown"),
    ("telling", "saying, reporting, showing"),
    ("nobody", "no player, no client, nothing"),
    ("somebody", "a player, a client"),
    ("everybody", "all players, every client"),
    ("whoever", "the player that"),
    ("whatever", "name the thing"),
    ("whichever", "the one that"),
    ("so many", "the number of, at most N"),
    ("so much", "the amount of"),
    ("of its own", "its own, separate"),
    ("of their own", "their own, separate"),
    ("by itself", "automatically, alone"),
    ("for good", "permanently"),
    ("for ever", "forever, without end"),
    ("papers", "documents, docs"),
    ("mend", "fix"),
    ("mends", "fixes"),
    ("mended", "fixed"),
    ("men", "pieces"),
    ("man", "piece"),
    ("fresh eyes", "a new reader"),
    ("hang on", "depend on"),
    ("hangs on", "depends on"),
    ("hang upon", "depend on"),
    ("as it is", "unchanged"),
    ("at all", "leave it out"),
    ("is no", "is not a, there is no"),
    ("he", "it, the player, they"),
    ("his", "its, the player's, their"),
    ("him", "it, the player, them"),
];

/// Text that is checked; generated and data files are not.
const PATTERNS: &[&str] = &["*.rs", "*.md", "*.py", "*.pyi", "*.js", "*.html", "*.toml", "*.yml"];

const ALLOWED: &str = "xtask/words-allowed.txt";

/// Checks every file.
pub(super) fn check(breaches: &mut Vec<String>) -> Result {
    let allowed = shell::read(ALLOWED)?;
    for file in tracked(PATTERNS)? {
        let name = file.display().to_string();
        // This file is the list.
        if name == "xtask/src/tidy/words.rs" {
            continue;
        }
        let text = read(&file)?;
        let prose = if is_rust(&file) { prose(&text) } else { text };
        for (line, word, advice) in find(&prose) {
            if !is_allowed(&allowed, &name, word) {
                breaches.push(format!("{name}:{line}: `{word}`: say {advice}, or list it in {ALLOWED}"));
            }
        }
    }
    Ok(())
}

fn is_rust(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "rs")
}

fn is_allowed(allowed: &str, file: &str, word: &str) -> bool {
    let lines = allowed.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(':')).any(|(prefix, words)| {
        file.starts_with(prefix.trim()) && words.split(',').any(|it| it.trim() == word)
    })
}

/// Finds words of the list: the line, the word, the advice. A phrase may run over the end of a line.
fn find(text: &str) -> Vec<(usize, &'static str, &'static str)> {
    let mut words: Vec<(usize, String)> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let split = line
            .split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '_')
            .filter(|word| !word.is_empty());
        words.extend(split.map(|word| (number + 1, word.to_lowercase())));
    }
    let mut found = Vec::new();
    for (at, (line, _)) in words.iter().enumerate() {
        for (phrase, advice) in WORDS {
            let mut parts = phrase.split(' ').enumerate();
            let is_here =
                parts.all(|(offset, part)| words.get(at + offset).is_some_and(|(_, word)| word == part));
            if is_here && !(*phrase == "is no" && is_good_negation(&words, at)) {
                found.push((*line, *phrase, *advice));
            }
        }
    }
    found
}

/// Whether "is no" stands in "there is no …" or "is no longer …".
fn is_good_negation(words: &[(usize, String)], at: usize) -> bool {
    let word = |at: Option<usize>| at.and_then(|at| words.get(at)).map_or("", |(_, word)| word.as_str());
    word(at.checked_sub(1)) == "there" || ["longer", "more", "less"].contains(&word(at.checked_add(2)))
}

/// Returns the comments and string literals of Rust code, each on its own line number; other code becomes a separator.
fn prose(code: &str) -> String {
    let mut prose = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if first == '"' {
            string_end(rest)
        } else if let Some(end) = raw_string_end(rest) {
            end
        } else {
            // A character literal may hold a quote.
            let code = if rest.starts_with("'\"'") { 3 } else { first.len_utf8() };
            prose.push(if first == '\n' { '\n' } else { '.' });
            rest = &rest[code..];
            continue;
        };
        prose.push_str(&rest[..length].replace("\\n", " "));
        rest = &rest[length..];
    }
    prose
}

/// The end of the string literal at the start of this code.
fn string_end(code: &str) -> usize {
    let mut is_escaped = false;
    for (at, character) in code.char_indices().skip(1) {
        match character {
            '"' if !is_escaped => return at + 1,
            '\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    code.len()
}

/// The end of the raw string at the start of this code, if there is one.
fn raw_string_end(code: &str) -> Option<usize> {
    let after = code.strip_prefix('r')?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    let body = after[hashes..].strip_prefix('"')?;
    let close = format!("\"{}", "#".repeat(hashes));
    let end = body.find(&close)?;
    Some(1 + hashes + 1 + end + close.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_strings_are_prose() {
        let code = "// a comment\nlet men = \"a \\\"man\\\"\"; // end\nlet s = r#\"so \"many\"#; let c = '\"'; told();\n";
        let words: Vec<(usize, &str)> =
            find(&prose(code)).into_iter().map(|(line, word, _)| (line, word)).collect();
        assert_eq!(words, [(2, "man"), (3, "so many")]);
    }

    #[test]
    fn phrases_run_over_lines() {
        let found: Vec<(usize, &str)> =
            find("told so\nmany; mankind").into_iter().map(|it| (it.0, it.1)).collect();
        assert_eq!(found, [(1, "told"), (1, "so many")]);
    }

    #[test]
    fn the_list_of_allowed_words_names_files_or_folders() {
        let allowed = "# reason\ncrates/server/: men, he\n";
        assert!(is_allowed(allowed, "crates/server/src/wire.rs", "men"));
        assert!(!is_allowed(allowed, "crates/cli/src/main.rs", "men"));
    }
}
