//! Loads a game from the bytes of a file, and checks all variants of a file.

use std::collections::HashSet;

use jsonc_parser::ast::Value as Json;
use serde_json::Value;

use crate::choices::{
    AvailableChoices, Choices, Resolved, ResolvedChoices, is_unused_warning, offers, resolve, variants,
};
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Diagnostics, MAX_DIAGNOSTICS};
use crate::game::{ContentHash, Game, warn_start};
use crate::place::Place;
use crate::short::{ReadParent, Sources};
use crate::{check, letters, limits, parse, short};

/// The result of reading a file: its diagnostics and, if none is an error, the game.
#[derive(Debug)]
pub struct Loaded {
    /// All diagnostics, in text order.
    pub diagnostics: Vec<Diagnostic>,
    /// The number of diagnostics that were left out.
    pub left_out: usize,
    /// The game, if it is playable. There may be warnings.
    pub game: Option<Game>,
}

/// Reads a game file and reports all problems at once. Choices have their default values.
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

/// Reads a game file with choices among the layouts, presets and options that it offers.
///
/// ```
/// use tabiya_spec::{Choices, library};
///
/// let choices = Choices { layout: Some("upside down".into()), ..Choices::default() };
/// let loaded = library::find("chess").unwrap().load_with(&choices);
/// assert_eq!(loaded.diagnostics[0].message, "There is no layout `upside down`.");
/// ```
pub fn load_with(bytes: &[u8], choices: &Choices) -> Loaded {
    Loader::default().load_with(bytes, choices)
}

/// Reads a game file and checks every variant: each layout, each preset and each value of each option. The returned
/// game is the default one.
///
/// ```
/// let chess = tabiya_spec::library::find("chess").unwrap();
/// assert!(tabiya_spec::check_all(chess.json.as_bytes()).diagnostics.is_empty());
/// ```
pub fn check_all(bytes: &[u8]) -> Loaded {
    Loader::default().check_all(bytes)
}

/// Returns the long form of a game file: short forms written out, choices resolved.
///
/// ```
/// let text = br#"{ "name": "Kings", "leader": "KING", "board": { "dimensions": [3, 3] },
///     "setup": "1k1/3/1K1", "pieces": [{ "code": "KING", "betza": "K" }] }"#;
/// let long = tabiya_spec::expand(text, &tabiya_spec::Choices::default()).unwrap();
/// assert!(long.contains(r#"{ "piece": "KING", "positions": [[1,0]] }"#));
/// ```
///
/// # Errors
///
/// The diagnostics, if one of them is an error.
pub fn expand(bytes: &[u8], choices: &Choices) -> Result<String, Box<Loaded>> {
    Loader::default().expand(bytes, choices)
}

/// Reads game files that may extend other files. The functions of this crate use one without access to files: they extend
/// only games of the library.
#[derive(Clone, Copy, Default)]
pub struct Loader<'p> {
    files: Option<&'p ReadParent<'p>>,
}

impl std::fmt::Debug for Loader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Loader").field("has_files", &self.files.is_some()).finish()
    }
}

impl<'p> Loader<'p> {
    /// Returns a loader that reads extended files with this function. It decides which files may be read.
    pub fn with_files(files: &'p ReadParent<'p>) -> Self {
        Loader { files: Some(files) }
    }

    /// Returns the function that reads extended files.
    pub(crate) fn files(&self) -> Option<&'p ReadParent<'p>> {
        self.files
    }

    /// Like [`load_with`].
    pub fn load_with(&self, bytes: &[u8], choices: &Choices) -> Loaded {
        self.open(bytes, |file| {
            let mut loaded = file.load(choices);
            loaded.diagnostics.retain(|diag| !file.may_be_used(diag));
            loaded
        })
        .unwrap_or_else(|loaded| *loaded)
    }

    /// Like [`check_all`].
    pub fn check_all(&self, bytes: &[u8]) -> Loaded {
        self.open(bytes, |file| {
            let mut whole = file.load(&Choices::default());
            if file.offers {
                for choices in variants(&file.json) {
                    merge(&mut whole, file.load(&choices), &choices);
                }
                whole.diagnostics.sort_by_key(|diag| (diag.span.start, diag.severity()));
                whole.diagnostics.retain(|diag| !file.may_be_used(diag));
            }
            whole
        })
        .unwrap_or_else(|loaded| *loaded)
    }

    /// Like [`expand`](fn@expand).
    ///
    /// # Errors
    ///
    /// The diagnostics, if one of them is an error.
    pub fn expand(&self, bytes: &[u8], choices: &Choices) -> Result<String, Box<Loaded>> {
        self.open(bytes, |file| {
            let loaded = file.load(choices);
            let long = file.long_form(choices, &mut Diagnostics::new(""));
            match long.filter(|_| loaded.game.is_some()) {
                Some(long) => Ok(short::write(&without_choices(long.json))),
                None => Err(Box::new(loaded)),
            }
        })?
    }

    /// Returns the file merged with the games that it extends, so that it stands alone. Short forms and choices stay.
    ///
    /// # Errors
    ///
    /// The diagnostics, if the file or a game that it extends cannot be read.
    pub fn merged(&self, bytes: &[u8]) -> Result<String, Box<Loaded>> {
        self.open(bytes, |file| short::write(&file.json))
    }

    /// Returns the default game and its long form, or the diagnostics if there are errors.
    pub(crate) fn game_and_long_form(&self, bytes: &[u8]) -> Result<(Game, Value), Box<Loaded>> {
        self.open(bytes, |file| {
            let mut loaded = file.load(&Choices::default());
            let long = file.long_form(&Choices::default(), &mut Diagnostics::new(""));
            match (loaded.game.take(), long) {
                (Some(game), Some(long)) => Ok((game, short::value(&without_choices(long.json)))),
                _ => Err(Box::new(loaded)),
            }
        })?
    }

    /// Returns the hashes of all games that a file describes, in a fixed order; `None` for one with errors. The whole is `None` if
    /// the file cannot be read or `may_continue` returns false.
    pub(crate) fn hashes(
        &self,
        bytes: &[u8],
        may_continue: &dyn Fn() -> bool,
    ) -> Option<Vec<Option<ContentHash>>> {
        self.open(bytes, |file| {
            let others = if file.offers { variants(&file.json) } else { Vec::new() };
            let all = std::iter::once(Choices::default()).chain(others);
            all.map(|choices| may_continue().then(|| file.hash(&choices))).collect()
        })
        .ok()?
    }

    /// Decodes and parses a file with the games that it extends.
    fn open<A>(&self, bytes: &[u8], read: impl FnOnce(&File<'_>) -> A) -> Result<A, Box<Loaded>> {
        let text = parse::decode(bytes).map_err(|diags| Box::new(finish(diags, None)))?;
        let sources = Sources::of(text, self.files);
        // Bytes before the text are a byte-order mark.
        let file = File::open(&sources, bytes.len() - text.len());
        file.map(|file| read(&file)).map_err(|diags| Box::new(finish(diags, None)))
    }
}

/// Removes the keys that offer choices.
fn without_choices(json: Json<'_>) -> Json<'_> {
    match json {
        Json::Object(mut root) => {
            root.properties
                .retain(|it| !["options", "presets", "layouts", "occasions"].contains(&it.name.as_str()));
            Json::Object(root)
        }
        other => other,
    }
}

/// Adds the diagnostics of a variant that were not reported before.
fn merge(whole: &mut Loaded, variant: Loaded, choices: &Choices) {
    let place = |diag: &Diagnostic| (diag.code, diag.pointer.clone(), diag.span.clone());
    let known: HashSet<_> = whole.diagnostics.iter().map(place).collect();
    for mut diag in variant.diagnostics.into_iter().filter(|diag| !known.contains(&place(diag))) {
        if whole.diagnostics.len() >= MAX_DIAGNOSTICS {
            whole.left_out += 1;
            continue;
        }
        diag.message = format!("{} This concerns {}.", diag.message, describe(choices));
        whole.diagnostics.push(diag);
    }
    whole.left_out = whole.left_out.max(variant.left_out);
    if variant.game.is_none() {
        whole.game = None;
    }
}

/// Describes choices for a message.
fn describe(choices: &Choices) -> String {
    let preset = choices.preset.iter().map(|name| format!("the preset `{}`", crate::read::shorten(name)));
    let chosen = ResolvedChoices { layout: choices.layout.clone(), options: choices.options.clone() };
    let parts = Some(chosen.to_string()).filter(|text| !text.is_empty());
    let parts = parts.iter().map(|text| format!("`{}`", crate::read::shorten(text)));
    preset.chain(parts).collect::<Vec<_>>().join(" and ")
}

/// A file that contains valid JSON.
struct File<'s> {
    sources: &'s Sources<'s>,
    text: &'s str,
    /// Bytes before the text: a byte-order mark.
    skipped: usize,
    /// The file as written.
    own: Json<'s>,
    /// The file merged with the games that it extends.
    json: Json<'s>,
    /// Whether it offers choices.
    offers: bool,
}

impl<'s> File<'s> {
    fn open(sources: &'s Sources<'s>, skipped: usize) -> Result<Self, Diagnostics<'s>> {
        let text = &*sources.text;
        let mut diags = Diagnostics::new(text).after(skipped);
        let Some(mut own) = parse::document(&text[..sources.own_len()], &mut diags) else {
            return Err(diags);
        };
        if crate::read::has_duplicates(&own) {
            // Merging and rewriting would keep one of the two.
            crate::read::report_duplicates(&own, Place::ROOT, &mut diags);
            return Err(diags);
        }
        short::remove_comments(&mut own);
        let json = sources.merge(own.clone(), &mut diags);
        if diags.any_error() {
            return Err(diags);
        }
        let offers = offers(&json);
        if offers && text.len() > limits::CHOICE_BYTES {
            let (found, most) = (text.len(), limits::CHOICE_BYTES);
            let message = format!("The file has {found} bytes; a file with choices may have at most {most}.");
            diags.report(Code::FileTooLarge, Place::ROOT, message);
            return Err(diags);
        }
        Ok(File { sources, text, skipped, own, json, offers })
    }

    /// Whether something reported as unused may be used by another variant: its name occurs elsewhere in the file.
    fn may_be_used(&self, diag: &Diagnostic) -> bool {
        let span = diag.span.start.saturating_sub(self.skipped)..diag.span.end.saturating_sub(self.skipped);
        let name = self.text.get(span).unwrap_or_default();
        self.offers && is_unused_warning(diag.code) && self.text.matches(name).nth(1).is_some()
    }

    fn load(&self, choices: &Choices) -> Loaded {
        let mut diags = Diagnostics::new(self.text).after(self.skipped).within(&self.own).among(self.sources);
        if let Some(long) = self.long_form(choices, &mut diags) {
            read(&long.json, (choices, long.choices), diags)
        } else {
            check::choices_alone(&self.json, &mut diags);
            finish(diags, None)
        }
    }

    /// Returns the hash without checking or compiling the game; `None` if it cannot be read.
    fn hash(&self, choices: &Choices) -> Option<ContentHash> {
        let mut diags = Diagnostics::new(self.text);
        let long = self.long_form(choices, &mut diags)?;
        let spec = parse::read(&long.json, &mut diags)?;
        (!diags.any_error()).then(|| ContentHash::of(&long.json, &letters::symbols(&spec)))
    }

    /// Resolves the choices and writes out the short forms. Returns `None` after reporting choices that do not fit.
    fn long_form(&self, choices: &Choices, diags: &mut Diagnostics<'_>) -> Option<Resolved<'s>> {
        let mut resolved = if !self.offers && *choices == Choices::default() {
            Resolved { json: self.json.clone(), choices: ResolvedChoices::default() }
        } else {
            resolve(&self.json, choices, diags)?
        };
        short::expand(&mut resolved.json, diags);
        Some(resolved)
    }
}

/// Reads and compiles a file in the long form, given the requested and resolved choices.
fn read(
    json: &Json<'_>,
    (requested, choices): (&Choices, ResolvedChoices),
    mut diags: Diagnostics<'_>,
) -> Loaded {
    let spec = parse::read(json, &mut diags);
    if let Some(spec) = &spec {
        check::check(spec, &mut diags);
    }
    let game = spec.filter(|_| !diags.any_error()).map(|spec| {
        let hash = ContentHash::of(json, &letters::symbols(&spec));
        let choices = AvailableChoices::new(&spec, requested.clone(), choices);
        let game = Game::new(spec.into_inner(), hash, choices, size(json));
        warn_start(&game, &mut diags);
        game
    });
    finish(diags, game)
}

/// Counts the values of a document.
fn size(json: &Json<'_>) -> usize {
    match json {
        Json::Object(object) => 1 + object.properties.iter().map(|it| size(&it.value)).sum::<usize>(),
        Json::Array(array) => 1 + array.elements.iter().map(size).sum::<usize>(),
        _ => 1,
    }
}

fn finish(diags: Diagnostics<'_>, game: Option<Game>) -> Loaded {
    let (diagnostics, left_out) = diags.finish();
    Loaded { diagnostics, left_out, game }
}
