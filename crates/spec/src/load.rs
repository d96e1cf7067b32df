//! From the bytes of a file to a game, with every fault on the way; and all games that a file can be, checked at once.

use std::collections::HashSet;

use jsonc_parser::ast::Value as Json;

use crate::choices::{Choices, Chosen, Offer, is_about_use, offers, resolve, variants};
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Faults, MAX_FAULTS};
use crate::game::{ContentHash, Game, suspect_start};
use crate::place::Place;
use crate::{check, limits, parse};

/// A file that was read: its faults, and the game if there is no error among them.
#[derive(Debug)]
pub struct Loaded {
    /// Every fault, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// How many more there were than are kept.
    pub left_out: usize,
    /// The game, if it can be played (warnings may remain).
    pub game: Option<Game>,
}

/// Reads a file, from bytes to rules, and reports every fault at once. Whatever it leaves open is as the file says
/// itself.
///
/// ```
/// let loaded = tabiya_spec::load(br#"{ "name": "NOTHING", "bord": {} }"#);
/// assert!(loaded.game.is_none());
/// assert_eq!(loaded.diagnostics[0].code.as_str(), "missing-key");
/// assert_eq!(loaded.diagnostics.last().unwrap().help.as_deref(), Some("did you mean `board`?"));
/// ```
pub fn load(bytes: &[u8]) -> Loaded {
    load_with(bytes, &Choices::default())
}

/// The same with a choice among what the file leaves open.
///
/// ```
/// use tabiya_spec::{Choices, library};
///
/// let choices = Choices { layout: Some("upside down".into()), ..Choices::default() };
/// let loaded = library::find("chess").unwrap().load_with(&choices);
/// assert_eq!(loaded.diagnostics[0].message, "There is no layout `upside down`.");
/// ```
pub fn load_with(bytes: &[u8], choices: &Choices) -> Loaded {
    let file = match File::open(bytes) {
        Ok(file) => file,
        Err(faults) => return finish(faults, None),
    };
    let mut loaded = file.load(choices);
    loaded.diagnostics.retain(|fault| !file.may_be_used(fault));
    loaded
}

/// Reads a file and checks every game that it can be: with each layout, each preset and each value of each option. The
/// game is that of the file itself.
///
/// ```
/// let chess = tabiya_spec::library::find("chess").unwrap();
/// assert!(tabiya_spec::check_all(chess.json.as_bytes()).diagnostics.is_empty());
/// ```
pub fn check_all(bytes: &[u8]) -> Loaded {
    let file = match File::open(bytes) {
        Ok(file) => file,
        Err(faults) => return finish(faults, None),
    };
    let mut whole = file.load(&Choices::default());
    if file.offers {
        for choices in variants(&file.json) {
            merge(&mut whole, file.load(&choices), &choices);
        }
        whole.diagnostics.sort_by_key(|fault| (fault.span.start, fault.severity()));
        whole.diagnostics.retain(|fault| !file.may_be_used(fault));
    }
    whole
}

/// Adds the faults that a choice has and nothing before it had.
fn merge(whole: &mut Loaded, variant: Loaded, choices: &Choices) {
    let place = |fault: &Diagnostic| (fault.code, fault.pointer.clone(), fault.span.clone());
    let known: HashSet<_> = whole.diagnostics.iter().map(place).collect();
    for mut fault in variant.diagnostics.into_iter().filter(|fault| !known.contains(&place(fault))) {
        if whole.diagnostics.len() >= MAX_FAULTS {
            whole.left_out += 1;
            continue;
        }
        fault.message = format!("{} So it is with {}.", fault.message, told(choices));
        whole.diagnostics.push(fault);
    }
    whole.left_out = whole.left_out.max(variant.left_out);
    if variant.game.is_none() {
        whole.game = None;
    }
}

/// A choice in words.
fn told(choices: &Choices) -> String {
    let preset = choices.preset.iter().map(|name| format!("the preset `{}`", crate::read::shorten(name)));
    let chosen = Chosen { layout: choices.layout.clone(), options: choices.options.clone() };
    let parts = Some(chosen.to_string()).filter(|text| !text.is_empty());
    let parts = parts.iter().map(|text| format!("`{}`", crate::read::shorten(text)));
    preset.chain(parts).collect::<Vec<_>>().join(" and ")
}

/// A file that is JSON.
struct File<'s> {
    text: &'s str,
    /// Bytes before the text: a byte-order mark.
    skipped: usize,
    json: Json<'s>,
    /// Whether it leaves anything open.
    offers: bool,
}

impl<'s> File<'s> {
    fn open(bytes: &'s [u8]) -> Result<Self, Faults<'s>> {
        let text = parse::decode(bytes)?;
        let skipped = bytes.len() - text.len();
        let mut faults = Faults::new(text).after(skipped);
        let Some(json) = parse::document(text, &mut faults) else { return Err(faults) };
        let offers = offers(&json);
        if offers && text.len() > limits::CHOICE_BYTES {
            let (found, most) = (text.len(), limits::CHOICE_BYTES);
            let message =
                format!("The file has {found} bytes; one that leaves something open has at most {most}.");
            faults.report(Code::FileTooLarge, Place::ROOT, message);
            return Err(faults);
        }
        Ok(File { text, skipped, json, offers })
    }

    /// Whether a fault says that something is never used which some choice may use: its name stands elsewhere, too.
    fn may_be_used(&self, fault: &Diagnostic) -> bool {
        let span = fault.span.start.saturating_sub(self.skipped)..fault.span.end.saturating_sub(self.skipped);
        let name = self.text.get(span).unwrap_or_default();
        self.offers && is_about_use(fault.code) && self.text.matches(name).nth(1).is_some()
    }

    fn load(&self, choices: &Choices) -> Loaded {
        let mut faults = Faults::new(self.text).after(self.skipped);
        if !self.offers && *choices == Choices::default() {
            return self.read(&self.json, (choices, Chosen::default(), true), faults);
        }
        faults = faults.within(&self.json);
        if let Some(resolved) = resolve(&self.json, choices, &mut faults) {
            self.read(&resolved.json, (choices, resolved.chosen, resolved.is_default), faults)
        } else {
            check::choices_alone(&self.json, &mut faults);
            finish(faults, None)
        }
    }

    /// Reads what is left of the file; with what was asked for, what that came to, and whether it is the file by itself.
    fn read(
        &self,
        json: &Json<'_>,
        (asked, chosen, is_default): (&Choices, Chosen, bool),
        mut faults: Faults<'_>,
    ) -> Loaded {
        let spec = parse::read(json, &mut faults);
        if let Some(spec) = &spec {
            check::check(spec, &mut faults);
        }
        let game = spec.filter(|_| !faults.any_error()).map(|spec| {
            let hash = ContentHash::of(self.text, (!is_default).then_some(&chosen));
            let offer = Offer::new(&spec, asked.clone(), chosen);
            let game = Game::new(spec.into_inner(), hash, offer);
            suspect_start(&game, &mut faults);
            game
        });
        finish(faults, game)
    }
}

fn finish(faults: Faults<'_>, game: Option<Game>) -> Loaded {
    let (diagnostics, left_out) = faults.finish();
    Loaded { diagnostics, left_out, game }
}
