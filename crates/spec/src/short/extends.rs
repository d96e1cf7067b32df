//! A file as a patch on a game of the library: `"extends": "chess"`.
//!
//! Source forms merge before anything is rewritten. Objects merge by key. Lists whose entries have a unique `code`, `name`
//! or `id` merge by it; other lists are replaced. `null` removes a key.
//!
//! The texts of the file and of all games that it extends stand one after the other, so that no two values have
//! the same range. [`Sources`] knows which range belongs to which text.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use jsonc_parser::ast::{Array, Object, ObjectPropName, Value as Json};

use super::json;
use crate::code::Code;
use crate::diagnostic::Diagnostics;
use crate::parse;
use crate::place::{Place, Step};
use crate::read::shorten;
use crate::{library, suggest};

/// The key of the game that a file extends.
const KEY: &str = "extends";

/// The longest chain of games.
const MAX_DEPTH: usize = 8;

/// Keys that say what a game is called. They are not inherited.
const OWN: [&str; 4] = ["$schema", "name", "about", KEY];

/// The text of a file, followed by those of the games that it extends.
#[derive(Debug)]
pub(crate) struct Sources<'b> {
    pub(crate) text: Cow<'b, str>,
    inherited: Vec<Inherited>,
    /// The value of `extends` in the file.
    at: Range<usize>,
}

/// The text of an inherited game.
#[derive(Clone, Debug)]
pub(crate) struct Inherited {
    pub(crate) game: &'static str,
    pub(crate) span: Range<usize>,
}

impl<'b> Sources<'b> {
    /// Collects the texts. Problems are reported when the file is read.
    pub(crate) fn of(own: &'b str) -> Self {
        let mut sources = Sources { text: Cow::Borrowed(own), inherited: Vec::new(), at: 0..0 };
        let mut next = parent(own);
        if let Some((_, at)) = &next {
            sources.at = at.clone();
        }
        while let Some((name, _)) = next.take().filter(|_| sources.inherited.len() < MAX_DEPTH) {
            let Some(entry) = library::find(&name) else { break };
            let text = sources.text.to_mut();
            text.push('\n');
            let start = text.len();
            text.push_str(entry.json);
            sources.inherited.push(Inherited { game: entry.name, span: start..text.len() });
            next = parent(entry.json);
        }
        sources
    }

    /// Returns the length of the file's own text.
    pub(crate) fn own_len(&self) -> usize {
        self.inherited.first().map_or(self.text.len(), |first| first.span.start - 1)
    }

    /// Returns whether the file extends a game.
    pub(crate) fn is_extended(&self) -> bool {
        !self.inherited.is_empty()
    }

    /// Returns the text of the file that has a range, as a sentence about it: the game and the line, and the games
    /// between; `None` for the file itself.
    pub(crate) fn origin(&self, span: &Range<usize>) -> Option<(String, Range<usize>)> {
        let index =
            self.inherited.iter().position(|it| it.span.start <= span.start && span.start <= it.span.end)?;
        let found = &self.inherited[index];
        let line = 1 + self.text[found.span.start..span.start.min(self.text.len())].matches('\n').count();
        let between: Vec<String> =
            self.inherited[..index].iter().map(|it| format!("`{}`", it.game)).collect();
        let chain =
            if between.is_empty() { String::new() } else { format!(", through {}", between.join(" and ")) };
        Some((format!("In `{}`, line {line}{chain}: ", found.game), self.at.clone()))
    }

    /// Merges the file with the games that it extends. Reports what cannot be extended.
    pub(crate) fn merge<'s>(&'s self, own: Json<'s>, diags: &mut Diagnostics<'_>) -> Json<'s> {
        let Json::Object(mut own) = own else { return own };
        let Some(given) = json::take(&mut own, KEY) else { return Json::Object(own) };
        report(&given, diags);
        let Some(ancestors) = self.inherited.iter().map(|it| self.parse(it)).collect::<Option<Vec<_>>>()
        else {
            return Json::Object(own);
        };
        let merged = ancestors.into_iter().rev().reduce(merge_objects);
        Json::Object(match merged {
            Some(base) => merge_objects(base, own),
            None => own,
        })
    }

    /// Parses an inherited game, without what is not inherited.
    fn parse<'s>(&'s self, inherited: &Inherited) -> Option<Object<'s>> {
        let mut game = parse::document(&self.text[inherited.span.clone()], &mut Diagnostics::new(""))?;
        shift(&mut game, inherited.span.start);
        let Json::Object(mut game) = game else { return None };
        game.properties.retain(|it| !OWN.contains(&it.name.as_str()));
        Some(game)
    }
}

/// Reports a value that is not a game of the library.
fn report(given: &Json<'_>, diags: &mut Diagnostics<'_>) {
    let (message, help) = match given {
        Json::StringLit(name) if library::find(&name.value).is_none() => {
            let message = format!("The library has no game `{}`.", shorten(&name.value));
            let games = library::games();
            let near = suggest::nearest(&name.value, games.iter().map(|entry| entry.name));
            let help = near.map(|near| format!("did you mean `{near}`?"));
            (message, help.unwrap_or_else(|| "`tabiya games` lists the games".into()))
        }
        Json::StringLit(_) => return,
        _ => ("`extends` is the name of a library game.".into(), "write \"extends\": \"chess\"".into()),
    };
    let place = diags.places().add(Place::ROOT, Step::Key(KEY.into()), json::span(given));
    diags.report_with_help(Code::BadExtends, place, message, help);
}

/// Returns the game that a text extends and the place of its name.
fn parent(text: &str) -> Option<(String, Range<usize>)> {
    if !text.contains("\"extends\"") {
        return None;
    }
    let document = parse::document(text, &mut Diagnostics::new(""))?;
    let name = json::get(document.as_object()?, KEY)?.as_string_lit()?;
    Some((name.value.clone().into_owned(), json::span(name)))
}

/// Merges a value with its change; `None` if the change removes it.
fn merge_values<'a>(parent: Json<'a>, change: Json<'a>) -> Option<Json<'a>> {
    match (parent, change) {
        (_, Json::NullKeyword(_)) => None,
        (Json::Object(parent), Json::Object(change)) => Some(Json::Object(merge_objects(parent, change))),
        (Json::Array(parent), Json::Array(change)) => Some(Json::Array(merge_lists(parent, change))),
        (_, change) => Some(change),
    }
}

fn merge_objects<'a>(mut parent: Object<'a>, change: Object<'a>) -> Object<'a> {
    drop_alternatives(&mut parent, &change);
    let mut merged = Object { range: change.range, properties: parent.properties };
    for property in change.properties {
        let key = property.name.as_str().to_owned();
        match json::take(&mut merged, &key) {
            Some(old) => {
                let range = property.range;
                let name = property.name;
                if let Some(value) = merge_values(old, property.value) {
                    merged.properties.push(jsonc_parser::ast::ObjectProp { range, name, value });
                }
            }
            None if matches!(property.value, Json::NullKeyword(_)) => {}
            None => merged.properties.push(property),
        }
    }
    merged
}

/// Removes what the change says in another way: `setup` and `starting_positions`, Betza notation and moves.
fn drop_alternatives(parent: &mut Object<'_>, change: &Object<'_>) {
    let has = |key: &str| json::get(change, key).is_some();
    if has("betza") || has("like") {
        for key in ["betza", "like", "moves"] {
            json::take(parent, key);
        }
    } else if has("moves") {
        json::take(parent, "betza");
    }
    let players = |object: &Object<'_>| match json::get(object, "players") {
        Some(Json::Array(players)) => players.elements.iter().any(|player| {
            player.as_object().is_some_and(|player| json::get(player, "starting_positions").is_some())
        }),
        _ => false,
    };
    if has("setup") {
        if let Some(Json::Array(players)) = json::get_mut(parent, "players") {
            for player in &mut players.elements {
                if let Json::Object(player) = player {
                    json::take(player, "starting_positions");
                }
            }
        }
    } else if players(change) {
        json::take(parent, "setup");
    }
}

/// Merges lists by the key that identifies their entries. Other lists are replaced.
fn merge_lists<'a>(parent: Array<'a>, change: Array<'a>) -> Array<'a> {
    let key = ["code", "name", "id"].into_iter().find(|key| {
        let is_identified = |array: &Array<'_>| identities(array, key).is_some();
        is_identified(&parent) && is_identified(&change)
    });
    let Some(key) = key else { return change };
    let mut merged = Array { range: change.range, elements: parent.elements };
    for entry in change.elements {
        let index = merged.elements.iter().position(|old| identity(old, key) == identity(&entry, key));
        match index {
            Some(index) => {
                let old = std::mem::replace(&mut merged.elements[index], json::list(Vec::new(), &(0..0)));
                if let Some(value) = merge_values(old, entry) {
                    merged.elements[index] = value;
                }
            }
            None => merged.elements.push(entry),
        }
    }
    merged
}

/// Returns what identifies the entries, if each has it and no two have the same.
fn identities(array: &Array<'_>, key: &str) -> Option<HashSet<String>> {
    let found: HashSet<String> =
        array.elements.iter().map(|entry| identity(entry, key)).collect::<Option<_>>()?;
    (found.len() == array.elements.len() && !found.is_empty()).then_some(found)
}

fn identity(entry: &Json<'_>, key: &str) -> Option<String> {
    match json::get(entry.as_object()?, key)? {
        Json::StringLit(text) => Some(text.value.clone().into_owned()),
        Json::NumberLit(number) => Some(number.value.to_owned()),
        _ => None,
    }
}

/// Moves the ranges of a value.
fn shift(value: &mut Json<'_>, by: usize) {
    let moved = |range: &mut jsonc_parser::common::Range| {
        range.start += by;
        range.end += by;
    };
    match value {
        Json::StringLit(text) => moved(&mut text.range),
        Json::NumberLit(number) => moved(&mut number.range),
        Json::BooleanLit(boolean) => moved(&mut boolean.range),
        Json::NullKeyword(null) => moved(&mut null.range),
        Json::Array(array) => {
            moved(&mut array.range);
            array.elements.iter_mut().for_each(|element| shift(element, by));
        }
        Json::Object(object) => {
            moved(&mut object.range);
            for property in &mut object.properties {
                moved(&mut property.range);
                match &mut property.name {
                    ObjectPropName::String(name) => moved(&mut name.range),
                    ObjectPropName::Word(name) => moved(&mut name.range),
                }
                shift(&mut property.value, by);
            }
        }
    }
}
