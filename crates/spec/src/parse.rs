//! Parses bytes to JSON and JSON to [`GameSpec`], reporting problems of syntax and structure.

use std::ops::Range;

use jsonc_parser::ast::Value as Json;
use jsonc_parser::errors::ParseErrorKind;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use crate::MAX_BYTES;
use crate::code::Code;
use crate::diagnostic::Diagnostics;
use crate::model::GameSpec;
use crate::place::{At, Place};
use crate::read::Read;

/// Strict JSON, without the parser's extensions.
const STRICT: ParseOptions = ParseOptions {
    allow_comments: false,
    allow_loose_object_property_names: false,
    allow_trailing_commas: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// Decodes the text of a file, or reports why it cannot be read.
pub(crate) fn decode(bytes: &[u8]) -> Result<&str, Diagnostics<'_>> {
    if bytes.len() > MAX_BYTES {
        let message =
            format!("The file has {} bytes; a game file may have at most {MAX_BYTES}.", bytes.len());
        let mut diags = Diagnostics::new("");
        diags.report(Code::FileTooLarge, Place::ROOT, message);
        return Err(diags);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.strip_prefix('\u{feff}').unwrap_or(text)),
        Err(error) => Err(not_utf8(bytes, error.valid_up_to())),
    }
}

/// Reports the first invalid byte, with the line and column where the valid text ends.
fn not_utf8(bytes: &[u8], good: usize) -> Diagnostics<'_> {
    let mut diags = Diagnostics::new(std::str::from_utf8(&bytes[..good]).unwrap_or_default());
    let message = format!("The file is not UTF-8: byte {good} is invalid.");
    diags.report_span(Code::NotUtf8, Place::ROOT, good..good, message, Some("save it as UTF-8".into()));
    diags
}

/// Parses JSON. Returns `None` after reporting a syntax error.
pub(crate) fn document<'s>(text: &'s str, diags: &mut Diagnostics<'_>) -> Option<Json<'s>> {
    match parse_to_ast(text, &CollectOptions::default(), &STRICT) {
        Ok(document) => match (document.value, stray(text)) {
            (Some(json), None) => Some(json),
            (_, Some(stray)) => {
                let message = "JSON does not allow this character here.";
                let help = "escape it within a string, or use a plain space between values";
                diags.report_span(Code::Syntax, Place::ROOT, stray, message, Some(help.into()));
                None
            }
            (None, None) => {
                diags.report(Code::Syntax, Place::ROOT, "The file is empty.");
                None
            }
        },
        Err(error) => {
            let range = error.range();
            let (code, help) = match error.kind() {
                ParseErrorKind::NestingDepthExceeded => (Code::TooDeep, None),
                ParseErrorKind::TrailingCommasNotAllowed => {
                    (Code::Syntax, Some("remove the comma before the closing bracket".to_owned()))
                }
                _ => (Code::Syntax, None),
            };
            diags.report_span(code, Place::ROOT, range.start..range.end, format!("{}.", error.kind()), help);
            None
        }
    }
}

/// Reads the whole file. Returns `None` if it is not an object.
pub(crate) fn read(json: &Json<'_>, diags: &mut Diagnostics<'_>) -> Option<At<GameSpec>> {
    let spec = GameSpec::read_at(json, Place::ROOT, diags);
    spec.known().is_some().then_some(spec)
}

/// Finds the first character that JSON forbids but the parser accepts: a control character in a string, or whitespace
/// other than JSON's four characters between values. The text is otherwise valid.
fn stray(text: &str) -> Option<Range<usize>> {
    let (mut in_string, mut escaped) = (false, false);
    for (at, character) in text.char_indices() {
        let good = match character {
            _ if in_string => character >= ' ',
            '\t' | '\n' | '\r' => true,
            _ => (' '..='~').contains(&character),
        };
        if !good {
            return Some(at..at + character.len_utf8());
        }
        if escaped {
            escaped = false;
        } else if character == '"' {
            in_string = !in_string;
        } else {
            escaped = in_string && character == '\\';
        }
    }
    None
}
