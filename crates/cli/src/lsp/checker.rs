//! Checks documents on a separate thread, with the code of `tabiya check`. It takes one document at a time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use crossbeam_channel::{Sender, unbounded};
use gen_lsp_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, Position, Range,
    Uri,
};
use tabiya_spec::code::Code;
use tabiya_spec::diagnostic::{self, Severity};
use tabiya_spec::{Loaded, MAX_BYTES, editing};

use super::document::with_loader;
use super::positions::Lines;
use super::{stored_files, uri};

/// A document to check.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) uri: Uri,
    pub(super) edition: u64,
    /// The text, unless it is too large to be kept.
    pub(super) text: Option<String>,
    /// Whether diagnostics may have links.
    pub(super) links: bool,
}

/// The diagnostics of a document.
#[derive(Debug)]
pub(super) struct Checked {
    pub(super) uri: Uri,
    pub(super) edition: u64,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// Starts the thread. It ends with the process.
pub(super) fn start(results: Sender<Checked>) -> Sender<Job> {
    let (sender, jobs) = unbounded::<Job>();
    thread::spawn(move || {
        for job in jobs {
            // A panic must not end the server.
            let diagnostics = catch_unwind(AssertUnwindSafe(|| check(&job))).unwrap_or_default();
            let checked = Checked { uri: job.uri, edition: job.edition, diagnostics };
            if results.send(checked).is_err() {
                return;
            }
        }
    });
    sender
}

fn check(job: &Job) -> Vec<Diagnostic> {
    let Some(text) = &job.text else { return vec![too_large()] };
    if !editing::is_game(text) {
        return Vec::new();
    }
    let Loaded { diagnostics, .. } = with_loader(&job.uri, |loader| loader.check_all(text.as_bytes()));
    let lines = Lines::new(text);
    diagnostics.iter().map(|diagnostic| to_protocol(diagnostic, &lines, job)).collect()
}

/// Returns the diagnostic of a document that is far over the limit.
fn too_large() -> Diagnostic {
    let message = format!("The document is too large; a game file may have at most {MAX_BYTES} bytes.");
    Diagnostic {
        severity: Some(DiagnosticSeverity::Error),
        code: Some(Code::FileTooLarge.as_str().into()),
        source: Some("tabiya".into()),
        message: message.into(),
        ..Default::default()
    }
}

fn to_protocol(diagnostic: &diagnostic::Diagnostic, lines: &Lines<'_>, job: &Job) -> Diagnostic {
    let help = diagnostic.help.as_ref().map(|help| format!("\nhelp: {help}"));
    let inherited = diagnostic.inherited.as_ref().and_then(|place| {
        let line = place.line as u32;
        let at = |line| Position { line, character: 0 };
        let uri = uri::from_path(&stored_files::inherited(&place.game)?);
        Some(vec![DiagnosticRelatedInformation {
            location: Location { uri, range: Range { start: at(line - 1), end: at(line) } },
            message: "The problem is in this game, which the file extends.".into(),
        }])
    });
    let explanation = job.links.then(|| stored_files::explanation(diagnostic.code)).flatten();
    Diagnostic {
        range: lines.range(&diagnostic.span),
        severity: Some(match diagnostic.severity() {
            Severity::Error => DiagnosticSeverity::Error,
            Severity::Warning => DiagnosticSeverity::Warning,
            Severity::Note => DiagnosticSeverity::Information,
        }),
        code: Some(diagnostic.code.as_str().into()),
        code_description: explanation.map(|file| CodeDescription { href: uri::from_path(&file) }),
        source: Some("tabiya".into()),
        message: format!("{}{}", diagnostic.message, help.unwrap_or_default()).into(),
        related_information: inherited,
        ..Default::default()
    }
}
