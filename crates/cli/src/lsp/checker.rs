//! Checks documents on a separate thread, with the code of `tabiya check`. It takes one document at a time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Sender, SyncSender, channel};
use std::thread;

use serde_json::{Value, json};
use tabiya_spec::code::Code;
use tabiya_spec::diagnostic::{Diagnostic, Severity};
use tabiya_spec::{Loaded, MAX_BYTES, editing};

use super::Event;
use super::document::with_loader;
use super::positions::Lines;
use super::{stored_files, uri};

/// A document to check.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) uri: String,
    pub(super) edition: u64,
    /// The text, unless it is too large to be kept.
    pub(super) text: Option<String>,
    /// Whether diagnostics may have links.
    pub(super) links: bool,
}

/// The diagnostics of a document.
#[derive(Debug)]
pub(super) struct Checked {
    pub(super) uri: String,
    pub(super) edition: u64,
    pub(super) diagnostics: Vec<Value>,
}

/// Starts the thread. It ends with the process.
pub(super) fn start(events: SyncSender<Event>) -> Sender<Job> {
    let (sender, jobs) = channel::<Job>();
    thread::spawn(move || {
        for job in jobs {
            // A panic must not end the server.
            let diagnostics = catch_unwind(AssertUnwindSafe(|| check(&job))).unwrap_or_default();
            let checked = Checked { uri: job.uri, edition: job.edition, diagnostics };
            if events.send(Event::Checked(checked)).is_err() {
                return;
            }
        }
    });
    sender
}

fn check(job: &Job) -> Vec<Value> {
    let Some(text) = &job.text else { return vec![too_large()] };
    if !editing::is_game(text) {
        return Vec::new();
    }
    let Loaded { diagnostics, .. } = with_loader(&job.uri, |loader| loader.check_all(text.as_bytes()));
    let lines = Lines::new(text);
    diagnostics.iter().map(|diagnostic| to_json(diagnostic, &lines, job)).collect()
}

/// Returns the diagnostic of a document that is far over the limit.
fn too_large() -> Value {
    json!({
        "range": Lines::new("").whole(),
        "severity": 1,
        "code": Code::FileTooLarge.as_str(),
        "source": "tabiya",
        "message": format!("The document is too large; a game file may have at most {MAX_BYTES} bytes."),
    })
}

fn to_json(diagnostic: &Diagnostic, lines: &Lines<'_>, job: &Job) -> Value {
    let help = diagnostic.help.as_ref().map(|help| format!("\nhelp: {help}"));
    let mut json = json!({
        "range": lines.range(&diagnostic.span),
        "severity": match diagnostic.severity() {
            Severity::Error => 1,
            Severity::Warning => 2,
            Severity::Note => 3,
        },
        "code": diagnostic.code.as_str(),
        "source": "tabiya",
        "message": format!("{}{}", diagnostic.message, help.unwrap_or_default()),
    });
    let game = diagnostic.inherited.as_ref();
    let game = game.and_then(|place| Some((stored_files::inherited(&place.game)?, place.line - 1)));
    if let Some((file, line)) = game {
        let start = json!({ "line": line, "character": 0 });
        let end = json!({ "line": line + 1, "character": 0 });
        json["relatedInformation"] = json!([{
            "location": { "uri": uri::from_path(&file), "range": { "start": start, "end": end } },
            "message": "The problem is in this game, which the file extends.",
        }]);
    }
    let file = job.links.then(|| stored_files::explanation(diagnostic.code)).flatten();
    if let Some(file) = file {
        json["codeDescription"] = json!({ "href": uri::from_path(&file) });
    }
    json
}
