//! A file as a patch on another game: `"extends": "chess"`, or the path of a file.
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

use super::{json, squares};
use crate::code::Code;
use crate::diagnostic::{Diagnostics, InheritedPlace};
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
    /// Why a game cannot be extended: a message and help.
    problem: Option<(String, String)>,
}

/// The text of an inherited game.
#[derive(Clone, Debug)]
pub(crate) struct Inherited {
    /// The name in the library, or the path.
    pub(crate) game: String,
    pub(crate) span: Range<usize>,
}

/// Where a range of an inherited text comes from.
pub(crate) struct Origin {
    /// The beginning of a message about it.
    pub(crate) sentence: String,
    /// The value of `extends` in the file.
    pub(crate) at: Range<usize>,
    pub(crate) place: InheritedPlace,
}

/// Reads a file that another one extends: given the path as written and the label of the extending file (`None` for the
/// file that is loaded), returns a label and the text, or why it cannot be read.
pub type ReadParent<'p> = dyn Fn(&str, Option<&str>) -> Result<(String, String), String> + 'p;

impl<'b> Sources<'b> {
    /// Collects the texts. Problems are reported when the file is read.
    pub(crate) fn of(own: &'b str, files: Option<&ReadParent<'_>>) -> Self {
        Self::extending(own, parent(own), files)
    }

    /// Collects the texts, given the game that the file extends and the place of its name.
    pub(crate) fn extending(
        own: &'b str,
        mut next: Option<(String, Range<usize>)>,
        files: Option<&ReadParent<'_>>,
    ) -> Self {
        let mut sources =
            Sources { text: Cow::Borrowed(own), inherited: Vec::new(), at: 0..0, problem: None };
        if let Some((_, at)) = &next {
            sources.at = at.clone();
        }
        while let Some((name, _)) = next.take() {
            match sources.find(&name, files) {
                Ok((game, text)) => {
                    next = parent(&text);
                    let all = sources.text.to_mut();
                    all.push('\n');
                    let start = all.len();
                    all.push_str(&text);
                    sources.inherited.push(Inherited { game, span: start..start + text.len() });
                }
                Err(problem) => sources.problem = Some(problem),
            }
        }
        sources
    }

    /// Returns the label and the text of the next game, or why it cannot be extended.
    fn find(
        &self,
        name: &str,
        files: Option<&ReadParent<'_>>,
    ) -> Result<(String, Cow<'static, str>), (String, String)> {
        if self.inherited.len() >= MAX_DEPTH {
            let help = "extend a game that is nearer to the first one";
            return Err((format!("More than {MAX_DEPTH} games extend each other."), help.into()));
        }
        let found = if let Some(entry) = library::find(name) {
            (entry.name.to_owned(), Cow::Borrowed(entry.json))
        } else if let (true, Some(files)) = (is_path(name), files) {
            let from = self.inherited.last().map(|last| last.game.as_str());
            let (label, text) = files(name, from).map_err(|why| {
                let message = format!("`{}` cannot be extended: {why}.", shorten(name));
                (message, "write a path below the folder of this file".to_owned())
            })?;
            (label, Cow::Owned(text))
        } else {
            return Err(unknown(name, files.is_some()));
        };
        if self.inherited.iter().any(|it| it.game == found.0) {
            let help = "a game cannot extend itself";
            return Err((format!("`{}` extends itself.", shorten(&found.0)), help.into()));
        }
        Ok(found)
    }

    /// Returns the games that the file extends, the nearest first.
    pub(crate) fn inherited(&self) -> &[Inherited] {
        &self.inherited
    }

    /// Returns the length of the file's own text.
    pub(crate) fn own_len(&self) -> usize {
        self.inherited.first().map_or(self.text.len(), |first| first.span.start - 1)
    }

    /// Returns the text of the file that has a range, as a sentence about it: the game and the line, and the games
    /// between; `None` for the file itself.
    pub(crate) fn origin(&self, span: &Range<usize>) -> Option<Origin> {
        let index =
            self.inherited.iter().position(|it| it.span.start <= span.start && span.start <= it.span.end)?;
        let found = &self.inherited[index];
        let line = 1 + self.text[found.span.start..span.start.min(self.text.len())].matches('\n').count();
        let between: Vec<String> =
            self.inherited[..index].iter().map(|it| format!("`{}`", it.game)).collect();
        let chain =
            if between.is_empty() { String::new() } else { format!(", through {}", between.join(" and ")) };
        Some(Origin {
            sentence: format!("In `{}`, line {line}{chain}: ", found.game),
            at: self.at.clone(),
            place: InheritedPlace { game: found.game.clone(), line },
        })
    }

    /// Merges the file with the games that it extends. Reports what cannot be extended.
    pub(crate) fn merge<'s>(&'s self, own: Json<'s>, diags: &mut Diagnostics<'_>) -> Json<'s> {
        let Json::Object(mut own) = own else { return own };
        let Some(given) = json::take(&mut own, KEY) else { return Json::Object(own) };
        let problem = match &given {
            Json::StringLit(_) => self.problem.clone(),
            _ => Some(("`extends` is the name of a game.".into(), "write \"extends\": \"chess\"".into())),
        };
        if let Some((message, help)) = problem {
            let message =
                self.inherited.last().map_or(message.clone(), |it| format!("In `{}`: {message}", it.game));
            let place = diags.places().add(Place::ROOT, Step::Key(KEY.into()), json::span(&given));
            diags.report_with_help(Code::BadExtends, place, message, help);
        }
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
        super::remove_comments(&mut game);
        let Json::Object(mut game) = game else { return None };
        game.properties.retain(|it| !OWN.contains(&it.name.as_str()));
        Some(game)
    }
}

/// Returns whether a name is the path of a file and not the name of a library game.
fn is_path(name: &str) -> bool {
    name.contains('/') || std::path::Path::new(name).extension().is_some_and(|it| it == "json")
}

/// Returns message and help for a game that does not exist.
fn unknown(name: &str, has_files: bool) -> (String, String) {
    if is_path(name) && !has_files {
        let message = "Only games of the library can be extended here.".to_owned();
        return (message, "`tabiya games` lists the games".into());
    }
    let games = library::games();
    let near = suggest::nearest(name, games.iter().map(|entry| entry.name));
    let help = near.map(|near| format!("did you mean `{near}`?"));
    let help = help.unwrap_or_else(|| "`tabiya games` lists the games".into());
    (format!("The library has no game `{}`.", shorten(name)), help)
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

fn merge_objects<'a>(mut parent: Object<'a>, mut change: Object<'a>) -> Object<'a> {
    if is_like_itself(&change) {
        add_moves(&mut parent, &mut change);
    } else {
        drop_alternatives(&mut parent, &change);
    }
    let mut merged = Object { range: change.range, properties: parent.properties };
    for property in change.properties {
        let key = property.name.as_str().to_owned();
        match json::take(&mut merged, &key) {
            Some(old) => {
                let range = property.range;
                let name = property.name;
                let value = match key.as_str() {
                    "endings" => merge_endings(old, property.value),
                    "castling" if !matches!(property.value, Json::NullKeyword(_)) => Some(property.value),
                    // A region is not a list for each player.
                    "check" if [&old, &property.value].into_iter().any(squares::is_region) => {
                        Some(property.value)
                    }
                    _ => merge_values(old, property.value),
                };
                if let Some(value) = value {
                    merged.properties.push(jsonc_parser::ast::ObjectProp { range, name, value });
                }
            }
            None if matches!(property.value, Json::NullKeyword(_)) => {}
            None => merged.properties.push(property),
        }
    }
    merged
}

/// Returns whether a piece is `like` itself: it keeps its inherited moves and gets more.
fn is_like_itself(piece: &Object<'_>) -> bool {
    let code = json::get(piece, "code").and_then(json::text);
    let is_own = |it: &Json<'_>| json::text(it) == code;
    code.is_some()
        && match json::get(piece, "like") {
            Some(Json::Array(codes)) => codes.elements.iter().any(is_own),
            Some(single) => is_own(single),
            None => false,
        }
}

/// Moves everything that gives a piece moves into one list, the inherited ones first.
fn add_moves<'a>(parent: &mut Object<'a>, change: &mut Object<'a>) {
    let code = json::get(change, "code").and_then(json::text).map(str::to_owned);
    let (mut like, mut moves) = (Vec::new(), Vec::new());
    for piece in [parent, &mut *change] {
        match json::take(piece, "like") {
            Some(Json::Array(codes)) => like.extend(codes.elements),
            Some(single) => like.push(single),
            None => {}
        }
        if let Some(word) = json::take(piece, "betza") {
            let at = json::span(&word);
            moves.push(json::object([("betza", word)], &at));
        }
        match json::take(piece, "moves") {
            Some(Json::Array(listed)) => moves.extend(listed.elements),
            Some(other) => moves.push(other),
            None => {}
        }
        like.retain(|it| json::text(it) != code.as_deref());
    }
    let at = moves.first().map_or_else(|| json::span(&*change), json::span);
    json::put(change, "moves", json::list(moves, &at));
    if let Some(first) = like.first() {
        let at = json::span(first);
        json::put(change, "like", json::list(like, &at));
    }
}

/// Removes what the change says in another way: `setup` and `starting_positions`, Betza notation and moves, `letter` and `letters`.
fn drop_alternatives(parent: &mut Object<'_>, change: &Object<'_>) {
    let has = |key: &str| json::get(change, key).is_some_and(|it| !matches!(it, Json::NullKeyword(_)));
    if has("betza") || has("like") {
        for key in ["betza", "like", "moves"] {
            json::take(parent, key);
        }
    } else if has("moves") {
        json::take(parent, "betza");
    }
    for (one, other) in [("letter", "letters"), ("letters", "letter")] {
        if has(one) && !has(other) {
            json::take(parent, other);
        }
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

/// Merges endings, whose codes need not be unique. An ending with the `id` of an inherited one changes it in place. Other new
/// endings come first and replace the inherited ones with the same code.
fn merge_endings<'a>(parent: Json<'a>, change: Json<'a>) -> Option<Json<'a>> {
    let (Json::Array(mut parent), Json::Array(change)) = (parent, change.clone()) else {
        return Some(change).filter(|change| !matches!(change, Json::NullKeyword(_)));
    };
    let mut merged = Array { range: change.range, elements: Vec::new() };
    for ending in change.elements {
        let id = identity(&ending, "id");
        let changed =
            id.and_then(|id| parent.elements.iter().position(|it| identity(it, "id") == Some(id.clone())));
        if let Some(index) = changed {
            let old = parent.elements.remove(index);
            if !is_removed(&ending)
                && let Some(value) = merge_values(old, ending)
            {
                parent.elements.insert(index, value);
            }
            continue;
        }
        let code = identity(&ending, "code");
        let before = parent.elements.len();
        parent.elements.retain(|it| code.is_none() || identity(it, "code") != code);
        // What removes nothing is reported later.
        if !is_removed(&ending) || parent.elements.len() == before {
            merged.elements.push(ending);
        }
    }
    merged.elements.append(&mut parent.elements);
    Some(Json::Array(merged))
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
                if is_removed(&entry) {
                    merged.elements.remove(index);
                } else if let Some(value) = merge_values(old, entry) {
                    merged.elements[index] = value;
                }
            }
            None => merged.elements.push(entry),
        }
    }
    merged
}

/// Returns whether an entry removes the inherited one: it has `"remove": true`.
fn is_removed(entry: &Json<'_>) -> bool {
    let removes = |it: &Json<'_>| it.as_boolean_lit().is_some_and(|it| it.value);
    entry.as_object().and_then(|it| json::get(it, "remove")).is_some_and(removes)
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

/// Reports and drops entries that should remove an inherited one but are still there.
pub(super) fn report_removals(root: &mut Object<'_>, short: &mut super::Short<'_, '_>) {
    for property in &mut root.properties {
        let Json::Array(list) = &mut property.value else { continue };
        let names: Vec<String> = list
            .elements
            .iter()
            .filter(|entry| !is_removed(entry))
            .filter_map(|entry| json::text(json::get(entry.as_object()?, "code")?).map(str::to_owned))
            .collect();
        for entry in list.elements.iter().filter(|entry| is_removed(entry)) {
            let Some(object) = entry.as_object() else { continue };
            let name = ["code", "id", "name"].into_iter().find_map(|key| json::text(json::get(object, key)?));
            let name = name.unwrap_or_default();
            let near = suggest::nearest(name, names.iter().map(String::as_str));
            let help = near.map_or("remove an entry that the extended game has".into(), |near| {
                format!("did you mean `{near}`?")
            });
            let message = format!("There is no inherited entry `{}` to remove.", shorten(name));
            short.report(Code::BadExtends, json::span(entry), message, help);
        }
        list.elements.retain(|entry| !is_removed(entry));
    }
}
