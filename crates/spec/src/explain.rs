//! The full description of a diagnostic code: its section of `docs/diagnostics.md`, which is embedded in the binary.

use crate::code::Code;

const DOCUMENT: &str = include_str!("../docs/diagnostics.md");

/// Returns the section of `docs/diagnostics.md` about a code, including its heading.
///
/// A test checks that every code has a section.
///
/// ```
/// use tabiya_spec::code::Code;
///
/// let text = tabiya_spec::explain(Code::ZeroStep);
/// assert!(text.starts_with("### zero-step\n\n*Error.* The step of a move is `[0, 0]`"));
/// ```
pub fn explain(code: Code) -> &'static str {
    section(code.as_str()).unwrap_or_default()
}

fn section(name: &str) -> Option<&'static str> {
    let is_heading = |line: &str| line.strip_prefix("### ").is_some_and(|rest| rest.trim_end() == name);
    let (start, line) = lines().find(|(_, line)| is_heading(line))?;
    let after = start + line.len();
    let end =
        lines().find(|(at, line)| *at >= after && (line.starts_with("### ") || line.starts_with("## ")));
    Some(DOCUMENT[start..end.map_or(DOCUMENT.len(), |(at, _)| at)].trim_end())
}

/// Returns every line of the document with its byte offset.
fn lines() -> impl Iterator<Item = (usize, &'static str)> {
    DOCUMENT.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some((start, line))
    })
}
