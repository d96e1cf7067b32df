//! The examples of `docs/diagnostics.md` are valid: every code has a section, and every example produces its
//! diagnostic.

mod support;

use std::collections::BTreeSet;

use support::{Section, base, changed, line_and_column, sections};
use tabiya_spec::code::Code;
use tabiya_spec::diagnostic::{Diagnostic, Severity};
use tabiya_spec::{MAX_BYTES, check_all, explain, load};

/// Returns all diagnostics of a file.
fn diagnose(bytes: &[u8]) -> Vec<Diagnostic> {
    check_all(bytes).diagnostics
}

/// Formats each diagnostic as its code and pointer.
fn summary(diagnostics: &[Diagnostic]) -> Vec<String> {
    diagnostics.iter().map(|diagnostic| format!("{} at `{}`", diagnostic.code, diagnostic.pointer)).collect()
}

#[test]
fn base_game_has_no_diagnostics() {
    assert_eq!(summary(&diagnose(base().as_bytes())), [""; 0]);
}

#[test]
fn every_code_has_one_section_and_every_section_is_a_code() {
    let names: Vec<String> = sections().into_iter().map(|section| section.name).collect();
    let unique: BTreeSet<&str> = names.iter().map(String::as_str).collect();
    assert_eq!(unique.len(), names.len(), "two sections have the same heading");
    let codes: BTreeSet<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(unique, codes);
}

#[test]
fn sections_start_with_the_severity() {
    for section in sections() {
        let first = match code(&section).severity() {
            Severity::Error => "\n*Error.* ",
            Severity::Warning => "\n*Warning.* ",
            Severity::Note => "\n*Note.* ",
        };
        assert!(section.text.starts_with(first), "{} does not open with{first}", section.name);
    }
}

#[test]
fn sections_are_short() {
    for section in sections() {
        let lines = section.text.lines().filter(|line| !line.trim().is_empty()).count();
        assert!((5..=18).contains(&lines), "{} has {lines} lines", section.name);
    }
}

#[test]
fn explain_prints_the_section() {
    for section in sections() {
        let text = explain(code(&section));
        assert_eq!(text, format!("### {}\n{}", section.name, section.text).trim_end());
    }
}

#[test]
fn examples_report_exactly_what_their_section_says() {
    let mut wrong = Vec::new();
    for section in sections() {
        let pointer = section.pointer().unwrap_or_else(|| panic!("{} has no place", section.name));
        let found = summary(&diagnose(&example(&section)));
        let expected = format!("{} at `{pointer}`", section.name);
        if found != [expected.clone()] {
            wrong.push(format!("expected {expected}, found {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn messages_are_sentences_and_help_is_not() {
    for section in sections() {
        for diagnostic in diagnose(&example(&section)) {
            assert!(diagnostic.message.ends_with('.'), "{}: {}", diagnostic.code, diagnostic.message);
            assert!(
                diagnostic.help.is_none_or(|help| !help.is_empty() && !help.ends_with('.')),
                "{}",
                diagnostic.code
            );
        }
    }
}

#[test]
fn unrelated_problems_are_all_reported_at_their_places() {
    let diagnostics = [
        ("\"dimensions\": [5, 6]", "\"dimensions\": [5, 6], \"colour\": 1", "\"colour\"", "unknown-key"),
        ("[[1, 0]]", "[[1, 9]]", "[1, 9]", "square-off-board"),
        ("\"DOWN\"", "[[2, 0], [0, 1]]", "[[2, 0], [0, 1]]", "bad-direction"),
        (
            "\"id\": 1, \"step\": [1, 0]",
            "\"id\": 3, \"step\": [1, 0]",
            "3, \"step\": [-1, 0]",
            "duplicate-move-id",
        ),
        ("[\"ROOK\"]", "[\"ROOK\", \"QUEEN\"]", "\"QUEEN\"", "unknown-piece"),
    ];
    let text = diagnostics.iter().fold(base(), |text, (old, new, _, _)| text.replacen(old, new, 1));
    let expected: Vec<(usize, usize, &str)> = diagnostics
        .iter()
        .map(|(_, _, shown, code)| {
            let (line, column) = line_and_column(&text, text.find(shown).expect("the change was made"));
            (line, column, *code)
        })
        .collect();
    let diagnostics = diagnose(text.as_bytes());
    let found: Vec<_> = diagnostics
        .iter()
        .map(|diagnostic| (diagnostic.line, diagnostic.column, diagnostic.code.as_str()))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn literal_castling_is_playable_with_a_warning() {
    let text = include_bytes!("fixtures/castling-literal.json");
    let loaded = load(text);
    assert!(loaded.game.is_some());
    assert_eq!(summary(&loaded.diagnostics), ["castling-without-rook at `/pieces/3/moves/8/side_effects/0`"]);
}

#[test]
fn library_games_have_no_diagnostics() {
    for game in tabiya_spec::library::games() {
        assert_eq!(summary(&diagnose(game.json.as_bytes())), [""; 0], "{}", game.name);
    }
}

fn code(section: &Section) -> Code {
    Code::find(&section.name).unwrap_or_else(|| panic!("{} is not a code", section.name))
}

/// Returns the file that a section shows, or generates one that cannot be shown.
fn example(section: &Section) -> Vec<u8> {
    match code(section) {
        Code::NotUtf8 => [base().as_bytes(), b"\xff"].concat(),
        Code::FileTooLarge => vec![b' '; MAX_BYTES + 1],
        Code::TooDeep => "[".repeat(1000).into_bytes(),
        _ => shown(section).into_bytes(),
    }
}

fn shown(section: &Section) -> String {
    assert!(!section.blocks.is_empty(), "{} has no example", section.name);
    if let [only] = section.blocks.as_slice()
        && only.info == "json whole"
    {
        return only.body.clone();
    }
    changed(section.blocks.iter().map(|block| {
        let pointer = block.info.strip_prefix("json at ").expect("a block of a section says where it goes");
        (pointer, block.body.as_str())
    }))
}
