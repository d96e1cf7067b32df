//! Squares as people write them: names, ranges and regions, wherever the format wants a list of squares.
//!
//! `"e4"` is a square, `"a2 b2 c2"` are three, `"a2-h2"` are all between two corners. A region is an object; its keys
//! all apply: `files`, `ranks`, `levels`, `own_ranks` (counted from each player's side), `colour`, `squares`, `adjacent_to`,
//! `union` and `without`.

use std::collections::HashSet;
use std::ops::Range;

use jsonc_parser::ast::{Object, StringLit, Value as Json};
use tabiya_engine::{Board, FileName, Lattice};

use super::players::Army;
use super::{Short, json, names};
use crate::code::Code;
use crate::model::Coord;
use crate::read::{quoted_list, shorten};

/// The keys of a region.
const KEYS: [&str; 9] =
    ["files", "ranks", "levels", "own_ranks", "colour", "squares", "adjacent_to", "union", "without"];

/// Writes out the squares that do not exist.
pub(super) fn expand_holes(root: &mut Object<'_>, short: &mut Short<'_, '_>) {
    if let Some(Json::Object(board)) = json::get_mut(root, "board") {
        lists(board, &["disabled_positions"], None, short);
    }
}

/// Writes out the squares of a file: those of links, pieces, conditions, tags and layouts.
pub(super) fn expand(root: &mut Object<'_>, armies: &[Army], short: &mut Short<'_, '_>) {
    if let Some(Json::Object(board)) = json::get_mut(root, "board") {
        for link in objects(json::get_mut(board, "links")) {
            lists(link, &["from", "to"], None, short);
        }
    }
    for player in objects(json::get_mut(root, "players")) {
        let name = json::get(player, "name").and_then(json::text).map(str::to_owned);
        let army = armies.iter().find(|army| Some(&army.name) == name.as_ref());
        starting(player, army, short);
    }
    for condition in objects(json::get_mut(root, "conditions")) {
        let is_position = json::get(condition, "type").and_then(json::text) == Some("POSITION");
        if let Some(check) = json::get_mut(condition, "check").filter(|_| is_position) {
            per_player(check, armies, short);
        }
    }
    for piece in objects(json::get_mut(root, "pieces")) {
        for castle in objects(json::get_mut(piece, "castling")) {
            for key in ["to", "with_to"] {
                if let Some(it) = json::get_mut(castle, key) {
                    per_player(it, armies, short);
                }
            }
        }
    }
    if let Some(Json::Object(tag)) = json::get_mut(root, "tag")
        && let Some(Json::Object(values)) = json::get_mut(tag, "values")
    {
        values.properties.iter_mut().for_each(|property| list(&mut property.value, None, short));
    }
    for figure in objects(json::get_mut(root, "figures")) {
        lists(figure, &["at"], None, short);
    }
    let Some(Json::Object(layouts)) = json::get_mut(root, "layouts") else { return };
    for layout in layouts.properties.iter_mut().filter_map(|property| as_object(&mut property.value)) {
        if let Some(Json::Object(players)) = json::get_mut(layout, "players") {
            for property in &mut players.properties {
                let army = armies.iter().find(|army| army.name == property.name.as_str());
                if let Some(player) = as_object(&mut property.value) {
                    starting(player, army, short);
                }
            }
        }
        if let Some(Json::Object(conditions)) = json::get_mut(layout, "conditions") {
            conditions.properties.iter_mut().for_each(|it| per_player(&mut it.value, armies, short));
        }
    }
}

/// Writes out the starting pieces of a player. `{ "KING": "e1" }` stands for a list of kinds with their squares.
fn starting(player: &mut Object<'_>, army: Option<&Army>, short: &mut Short<'_, '_>) {
    if let Some(starts) = json::get_mut(player, "starting_positions")
        && let Json::Object(by_kind) = starts
    {
        let at = json::span(&*by_kind);
        let list = std::mem::take(&mut by_kind.properties).into_iter().map(|property| {
            let at = json::span(&property.value);
            let piece = ("piece", json::string(property.name.as_str().to_owned(), &at));
            json::object([piece, ("positions", property.value)], &at)
        });
        *starts = json::list(list.collect(), &at);
    }
    for start in objects(json::get_mut(player, "starting_positions")) {
        lists(start, &["positions"], army, short);
    }
}

/// Returns whether a value is a region, and not an object with a list for each player.
pub(super) fn is_region(json: &Json<'_>) -> bool {
    let keys = |object: &Object<'_>| object.properties.iter().any(|it| KEYS.contains(&it.name.as_str()));
    json.as_object().is_some_and(keys)
}

/// Writes out lists of squares by player. One list or region for all is repeated for each.
fn per_player(check: &mut Json<'_>, armies: &[Army], short: &mut Short<'_, '_>) {
    let is_region = |object: &Object<'_>| {
        let mut keys = object.properties.iter().map(|property| property.name.as_str());
        keys.any(|key| KEYS.contains(&key)) && !keys.any(|key| armies.iter().any(|army| army.name == key))
    };
    match check {
        Json::Object(object) if !is_region(object) => {
            for property in &mut object.properties {
                let army = armies.iter().find(|army| army.name == property.name.as_str());
                list(&mut property.value, army, short);
            }
        }
        Json::Object(_) | Json::StringLit(_) | Json::Array(_) => {
            let at = json::span(&*check);
            let mut lists = Vec::new();
            let listed = check.as_array().map_or(0, |array| array.elements.len());
            for army in armies {
                if !short.spend_squares(listed, at.clone()) {
                    break;
                }
                let mut squares = check.clone();
                list(&mut squares, Some(army), short);
                lists.push((army.name.clone(), squares));
            }
            *check = json::object([], &at);
            if let Json::Object(object) = check {
                object.properties =
                    lists.into_iter().map(|(name, squares)| json::entry(name, squares)).collect();
            }
        }
        _ => {}
    }
}

fn lists(object: &mut Object<'_>, keys: &[&str], army: Option<&Army>, short: &mut Short<'_, '_>) {
    for key in keys {
        if let Some(squares) = json::get_mut(object, key) {
            list(squares, army, short);
        }
    }
}

/// Writes out one list of squares. A list in the long form stays unchanged.
fn list(squares: &mut Json<'_>, army: Option<&Army>, short: &mut Short<'_, '_>) {
    let at = json::span(&*squares);
    match squares {
        Json::Array(array) => {
            if array.elements.iter().all(|it| !matches!(it, Json::StringLit(_) | Json::Object(_))) {
                return;
            }
            let mut all = Vec::new();
            for element in std::mem::take(&mut array.elements) {
                match element {
                    Json::StringLit(_) | Json::Object(_) => {
                        let at = json::span(&element);
                        let set = Region { army, short }.of(&element);
                        all.extend(set.into_iter().map(|square| json::coord(square, &at)));
                    }
                    other => all.push(other),
                }
            }
            array.elements = all;
        }
        Json::StringLit(_) | Json::Object(_) => {
            let set = Region { army, short }.of(squares);
            let all = set.into_iter().map(|square| json::coord(square, &at));
            *squares = json::list(all.collect(), &at);
        }
        _ => {}
    }
}

/// Finds the squares of a region, for one player if it depends on the player.
struct Region<'r, 'f, 's> {
    army: Option<&'r Army>,
    short: &'r mut Short<'f, 's>,
}

impl Region<'_, '_, '_> {
    /// Returns the squares, each once, in the order of the board or of the text.
    fn of(&mut self, json: &Json<'_>) -> Vec<Coord> {
        let mut squares = match json {
            Json::StringLit(text) => self.named(text),
            Json::Object(region) => self.region(region),
            Json::Array(array) => match json::read_coord(json) {
                Some(square) => vec![square],
                None => array.elements.iter().flat_map(|element| self.of(element)).collect(),
            },
            other => {
                let help = "write \"e4\", \"a2-h2\", [4, 3] or a region";
                self.short.report(Code::BadSquares, json::span(other), "This is not a square.", help);
                Vec::new()
            }
        };
        let mut seen = HashSet::new();
        squares.retain(|square| seen.insert(*square));
        if self.short.spend_squares(squares.len(), json::span(json)) { squares } else { Vec::new() }
    }

    fn set_of(&mut self, json: &Json<'_>) -> HashSet<Coord> {
        let squares = self.of(json).into_iter().collect();
        self.check_on_board(&squares, json);
        squares
    }

    /// Returns the squares that a text names.
    fn named(&mut self, text: &StringLit<'_>) -> Vec<Coord> {
        let mut squares = Vec::new();
        for (start, word) in words(&text.value) {
            let span = json::part(text, start..start + word.len());
            let corners = match word.split_once('-') {
                Some((from, to)) => self.square_named(from).zip(self.square_named(to)),
                None => self.square_named(word).map(|square| (square, square)),
            };
            let Some((from, to)) = corners else {
                let message = format!("`{}` is not a square.", shorten(word));
                self.short.report(Code::BadSquares, span, message, "write \"e4\", or \"a2-h2\" for a range");
                continue;
            };
            if from != to && (self.is_off(from) || self.is_off(to)) {
                let message = format!("The range `{}` leaves the board.", shorten(word));
                self.short.report(
                    Code::BadSquares,
                    span,
                    message,
                    "both corners must be squares of the board",
                );
                continue;
            }
            let (low, high) = (from.min_each(to), from.max_each(to));
            for z in low.z..=high.z {
                for y in low.y..=high.y {
                    squares.extend((low.x..=high.x).map(|x| Coord { x, y, z }));
                }
            }
        }
        squares
    }

    /// Returns the square with a name, perhaps off the board.
    fn square_named(&self, name: &str) -> Option<Coord> {
        match &self.short.board {
            Some(board) => names::square_named(board, name),
            None => crate::model::square_named(name),
        }
    }

    fn is_off(&self, square: Coord) -> bool {
        self.short.board.as_ref().is_none_or(|board| {
            let sizes = [board.files(), board.level_ranks(), board.levels()].map(i32::from);
            [square.x, square.y, square.z].iter().zip(sizes).any(|(at, size)| *at >= size)
        })
    }

    fn region(&mut self, region: &Object<'_>) -> Vec<Coord> {
        let Some(board) = self.short.board.clone() else { return Vec::new() };
        let [files, ranks, levels] = [board.files(), board.level_ranks(), board.levels()].map(i32::from);
        if !self.short.spend_squares(board.len(), json::span(region)) {
            return Vec::new();
        }
        let is_hex = board.lattice() == Lattice::Hex;
        let cells = (0..levels).flat_map(|z| (0..ranks).map(move |y| (y, z)));
        let mut set: Vec<Coord> =
            cells.flat_map(|(y, z)| (0..files).map(move |x| Coord { x, y, z })).collect();
        if is_hex {
            // Ranks are counted in each file, from its first hexagon to its last.
            set.retain(|square| board.square(square.x, square.y).is_some());
        }
        if region.properties.is_empty() {
            let help = format!("the keys of a region are {}", quoted_list(&KEYS));
            self.short.report(Code::BadSquares, json::span(region), "The region is empty.", help);
            return Vec::new();
        }
        for property in &region.properties {
            let value = &property.value;
            match property.name.as_str() {
                "files" => {
                    let read = |text: &str| names::file_number(&board, text);
                    let numbers = self.numbers(value, files, &read);
                    set.retain(|square| numbers.contains(&square.x));
                }
                "ranks" => {
                    let numbers = self.numbers(value, ranks, &rank_number);
                    set.retain(|square| numbers.contains(&names::rank(&board, *square)));
                }
                "levels" => {
                    let numbers = self.numbers(value, levels, &names::level_number);
                    set.retain(|square| numbers.contains(&square.z));
                }
                "own_ranks" => {
                    let Some(forward) = self.army.map(|army| army.forward) else {
                        let message =
                            "`own_ranks` counts from a player's side; these squares belong to no player.";
                        self.short.report(
                            Code::BadSquares,
                            json::span(value),
                            message,
                            "write `ranks` or `files`",
                        );
                        return Vec::new();
                    };
                    if is_hex {
                        let kept = self.own_ranks_of_hexagons(value, forward, &board);
                        set.retain(|square| kept.contains(square));
                        continue;
                    }
                    let most = if forward.y == 0 { files } else { ranks };
                    let numbers = self.numbers(value, most, &rank_number);
                    let own = |square: &Coord| match (forward.x, forward.y) {
                        (0, 1..) => square.y,
                        (0, _) => ranks - 1 - square.y,
                        (1.., _) => square.x,
                        _ => files - 1 - square.x,
                    };
                    set.retain(|square| numbers.contains(&own(square)));
                }
                "colour" => {
                    let parity = match json::text(value) {
                        Some("DARK") => 0,
                        Some("LIGHT") => 1,
                        _ => {
                            let message = "The colour of squares is DARK or LIGHT.";
                            self.short.report(Code::BadSquares, json::span(value), message, "a1 is dark");
                            continue;
                        }
                    };
                    if is_hex {
                        let message = "Hexagons have three colours.";
                        self.short.report(Code::BadSquares, json::span(value), message, "list the hexagons");
                        return Vec::new();
                    }
                    set.retain(|square| (square.x + square.y + square.z) % 2 == parity);
                }
                "squares" => {
                    let named = self.set_of(value);
                    set.retain(|square| named.contains(square));
                }
                "adjacent_to" => {
                    let named = self.set_of(value);
                    let near = names::around(&board, &named);
                    set.retain(|square| near.contains(square));
                }
                "union" => {
                    let all = self.set_of(value);
                    set.retain(|square| all.contains(square));
                }
                "without" => {
                    let all = self.set_of(value);
                    set.retain(|square| !all.contains(square));
                }
                other => {
                    let help = crate::suggest::nearest(other, KEYS).map_or_else(
                        || format!("the keys of a region are {}", quoted_list(&KEYS)),
                        |near| format!("did you mean `{near}`?"),
                    );
                    let message = format!("A region has no key `{}`.", shorten(other));
                    self.short.report(Code::BadSquares, json::span(&property.name), message, help);
                }
            }
        }
        set
    }

    fn check_on_board(&mut self, squares: &HashSet<Coord>, json: &Json<'_>) {
        if let Some(off) = squares.iter().filter(|square| self.is_off(**square)).min() {
            let message = format!("{off} is not on the board.");
            self.short.report(Code::BadSquares, json::span(json), message, "name squares of the board");
        }
    }

    /// Returns hexagons by their rank, counted in each file from the edge behind the player; -1 is the last of each file.
    fn own_ranks_of_hexagons(&mut self, json: &Json<'_>, forward: Coord, board: &Board) -> HashSet<Coord> {
        if forward.x != 0 {
            let message =
                "On hexagons, `own_ranks` counts along files, and this player does not move along them.";
            self.short.report(
                Code::BadSquares,
                json::span(json),
                message,
                "write `ranks`, or list the hexagons",
            );
            return HashSet::new();
        }
        if let Json::Array(array) = json {
            let each = array.elements.iter().map(|it| self.own_ranks_of_hexagons(it, forward, board));
            return each.reduce(|all, some| all.union(&some).copied().collect()).unwrap_or_default();
        }
        let mut kept = HashSet::new();
        let last = json::integer(json).filter(|number| *number < 0);
        let numbers =
            if last.is_some() { Vec::new() } else { self.numbers(json, board.ranks().into(), &rank_number) };
        for x in 0..i32::from(board.files()) {
            let mut file: Vec<Coord> = (0..i32::from(board.ranks()))
                .filter(|y| board.square(x, *y).is_some())
                .map(|y| Coord::flat(x, y))
                .collect();
            if forward.y < 0 {
                file.reverse();
            }
            let last = last.map(|from_end| file.len() as i32 + from_end);
            let numbers = numbers.iter().copied().chain(last);
            kept.extend(numbers.filter_map(|number| file.get(usize::try_from(number).ok()?)));
        }
        kept
    }

    /// Returns the files or ranks, counted from 0: a number, a text such as "d-f" or "1 3", or a list of these.
    fn numbers(&mut self, json: &Json<'_>, most: i32, read: &dyn Fn(&str) -> Option<i32>) -> Vec<i32> {
        match json {
            Json::Array(array) => {
                array.elements.iter().flat_map(|element| self.numbers(element, most, read)).collect()
            }
            Json::StringLit(text) => {
                let mut all = Vec::new();
                for (start, word) in words(&text.value) {
                    let ends = word.split_once('-').unwrap_or((word, word));
                    let span = json::part(text, start..start + word.len());
                    match (read(ends.0), read(ends.1)) {
                        (Some(from), Some(to)) if from.max(to) < most => {
                            all.extend(from.min(to)..=from.max(to));
                        }
                        _ => self.not_a_line(word, most, span),
                    }
                }
                all
            }
            // Negative numbers count from the other end.
            Json::NumberLit(number) => {
                match read(number.value).or_else(|| from_the_end(number.value, most)) {
                    Some(line) if line < most => vec![line],
                    _ => {
                        self.not_a_line(number.value, most, json::span(json));
                        Vec::new()
                    }
                }
            }
            other => {
                self.not_a_line("this", most, json::span(other));
                Vec::new()
            }
        }
    }

    fn not_a_line(&mut self, word: &str, most: i32, span: Range<usize>) {
        let message = format!("`{}` is not a file, rank or level of the board.", shorten(word));
        let last = FileName(most.unsigned_abs() - 1);
        let help = format!("ranks are 1 to {most}, files a to {last}; \"1-3\" and \"d-f\" are ranges");
        self.short.report(Code::BadSquares, span, message, help);
    }
}

/// Returns the words of a text with their byte offsets.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let offset = |word: &str| word.as_ptr().addr() - text.as_ptr().addr();
    text.split_ascii_whitespace().map(move |word| (offset(word), word))
}

fn from_the_end(text: &str, most: i32) -> Option<i32> {
    text.parse::<i32>().ok().filter(|line| (-most..0).contains(line)).map(|line| most + line)
}

fn rank_number(text: &str) -> Option<i32> {
    text.parse::<i32>().ok().filter(|rank| *rank > 0).map(|rank| rank - 1)
}

fn as_object<'j, 'a>(json: &'j mut Json<'a>) -> Option<&'j mut Object<'a>> {
    match json {
        Json::Object(object) => Some(object),
        _ => None,
    }
}

/// Iterates over the objects of a list.
fn objects<'j, 'a>(json: Option<&'j mut Json<'a>>) -> impl Iterator<Item = &'j mut Object<'a>> {
    let elements = json.and_then(|json| match json {
        Json::Array(array) => Some(&mut array.elements),
        _ => None,
    });
    elements.into_iter().flatten().filter_map(as_object)
}
