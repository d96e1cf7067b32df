//! Bytes to JSON and JSON to [`GameSpec`], with every fault of text and structure.

use std::ops::Range;

use jsonc_parser::ast::Value as Json;
use jsonc_parser::errors::ParseErrorKind;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use crate::MAX_BYTES;
use crate::code::Code;
use crate::diagnostic::Faults;
use crate::model::GameSpec;
use crate::place::{At, Place};
use crate::read::Read;

/// Strict JSON: none of the parser's leniencies.
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

/// The text of a file, if it is text of a size that we read; else the fault.
pub(crate) fn decode(bytes: &[u8]) -> Result<&str, Faults<'_>> {
    if bytes.len() > MAX_BYTES {
        let message = format!("The file has {} bytes; a game has at most {MAX_BYTES}.", bytes.len());
        let mut faults = Faults::new("");
        faults.report(Code::FileTooLarge, Place::ROOT, message);
        return Err(faults);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.strip_prefix('\u{feff}').unwrap_or(text)),
        Err(error) => Err(not_utf8(bytes, error.valid_up_to())),
    }
}

/// Shown after the bytes that are good, so that line and column are those of the first bad one.
fn not_utf8(bytes: &[u8], good: usize) -> Faults<'_> {
    let mut faults = Faults::new(std::str::from_utf8(&bytes[..good]).unwrap_or_default());
    let message = format!("The file is not UTF-8: byte {good} does not belong there.");
    faults.report_span(Code::NotUtf8, Place::ROOT, good..good, message, Some("save it as UTF-8".into()));
    faults
}

/// The file as JSON; `None` if it is none, and that has been reported.
pub(crate) fn document<'s>(text: &'s str, faults: &mut Faults<'_>) -> Option<Json<'s>> {
    match parse_to_ast(text, &CollectOptions::default(), &STRICT) {
        Ok(document) => match (document.value, stray(text)) {
            (Some(json), None) => Some(json),
            (_, Some(stray)) => {
                let message = "JSON does not allow this character here.";
                let help = "write it as an escape within a string, or as a plain space between values";
                faults.report_span(Code::Syntax, Place::ROOT, stray, message, Some(help.into()));
                None
            }
            (None, None) => {
                faults.report(Code::Syntax, Place::ROOT, "The file is empty.");
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
            faults.report_span(code, Place::ROOT, range.start..range.end, format!("{}.", error.kind()), help);
            None
        }
    }
}

/// Reads the whole file; `None` if it is no game at all.
pub(crate) fn read(json: &Json<'_>, faults: &mut Faults<'_>) -> Option<At<GameSpec>> {
    let spec = GameSpec::read_at(json, Place::ROOT, faults);
    spec.known().is_some().then_some(spec)
}

/// The first character that JSON forbids although the parser has let it through: a control character inside a
/// string, or a blank between values that is none of JSON's four. The text is otherwise known to be good.
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
