//! Moves: Betza notation, one step for several directions, and default actions.

use std::ops::Range;

use jsonc_parser::ast::{Object, StringLit, Value as Json};
use tabiya_engine::{Lattice, Orientation};

use super::betza::{self, Hop, Leap, Reach};
use super::{Short, json};
use crate::code::Code;
use crate::limits;
use crate::model::Coord;

/// Keys whose values are offsets.
const OFFSETS: [&str; 6] = ["step", "position", "target", "from", "to", "square"];

/// Keys that a move in Betza notation cannot have beside it.
const STEP_KEYS: [&str; 4] = ["step", "repeat", "turned", "id"];

/// The flag of a piece that may be captured en passant.
const EN_PASSANT: &str = "EN_PASSANT";

/// What the moves of one piece have in common.
#[derive(Clone, Copy)]
pub(super) struct Context {
    /// Whether some move of the piece captures en passant. Its lame initial moves then set the flag.
    pub(super) en_passant: bool,
    /// The number of turns that the flag lasts: one of every other player.
    pub(super) duration: i32,
}

impl Context {
    /// Returns whether a pawn that passes marks a square. With two slots, both players' pawns move along the same lines, and
    /// the captured pawn stands beside the other one; with more, it may come from any side.
    fn marks_squares(self) -> bool {
        self.duration > 1
    }
}

/// Writes out one entry of a list of moves.
pub(super) fn expand<'a>(
    entry: Json<'a>,
    context: Context,
    short: &mut Short<'_, '_>,
    moves: &mut Vec<Json<'a>>,
) {
    let Json::Object(mut entry) = entry else {
        moves.push(entry);
        return;
    };
    match json::take(&mut entry, "betza") {
        Some(Json::StringLit(word)) => {
            for key in STEP_KEYS {
                if let Some(value) = json::get(&entry, key) {
                    let message = format!("A move in Betza notation has no `{key}`.");
                    short.report(Code::BadBetza, json::span(value), message, format!("leave out `{key}`"));
                }
            }
            expand_word(&word, &entry, context, short, moves);
        }
        Some(other) => {
            let at = json::span(&other);
            short.report(Code::BadBetza, at, "Betza notation is a text.", "write \"betza\": \"fmWfcF\"");
        }
        None => expand_step(entry, short, moves),
    }
}

/// Writes out a word of Betza notation. Every move gets the other keys of the entry.
pub(super) fn expand_word<'a>(
    word: &StringLit<'a>,
    entry: &Object<'a>,
    context: Context,
    short: &mut Short<'_, '_>,
    moves: &mut Vec<Json<'a>>,
) {
    let leaps = match betza::parse(&word.value) {
        Ok(leaps) => leaps,
        Err(error) => {
            short.report(Code::BadBetza, json::part(word, error.span), error.message, error.help);
            moves.push(stand_in(&json::span(word)));
            return;
        }
    };
    let (lattice, has_levels) = short.lattice();
    for leap in leaps {
        let at = json::part(word, leap.span.clone());
        if lattice == Lattice::Hex || has_levels {
            expand_images(&leap, &at, entry, short, moves);
            continue;
        }
        if !short.spend_moves(leap.steps.len(), at.clone()) {
            return;
        }
        for &step in &leap.steps {
            let mut written = Object { range: entry.range, properties: Vec::new() };
            json::put(&mut written, "step", json::coordinates(step, &at));
            add_repeat(&mut written, &leap, &at);
            let conditions = conditions(&leap, step, &at);
            extend(&mut written, entry, "conditions", conditions);
            let actions = match json::get(entry, "actions") {
                Some(given) => actions(given.clone()),
                None => json::list(leap_actions(&leap, step, context.marks_squares(), &at), &at),
            };
            json::put(&mut written, "actions", actions);
            let flag = context.en_passant && leap.initial && leap.lame;
            let effects = flag.then(|| set_flag(context, step, &at));
            extend(&mut written, entry, "side_effects", effects.into_iter().collect());
            for property in &entry.properties {
                let key = property.name.as_str();
                if !["conditions", "actions", "side_effects"].contains(&key) && !STEP_KEYS.contains(&key) {
                    written.properties.push(property.clone());
                }
            }
            moves.push(Json::Object(written));
        }
    }
}

/// Writes out a part of a word on hexagons or levels, as one step in all its directions.
fn expand_images<'a>(
    leap: &Leap,
    at: &Range<usize>,
    entry: &Object<'a>,
    short: &mut Short<'_, '_>,
    moves: &mut Vec<Json<'a>>,
) {
    let (lattice, _) = short.lattice();
    let steps = match betza::roots(leap, lattice) {
        Ok(steps) => steps,
        Err((message, help)) => {
            short.report(Code::BadBetza, at.clone(), message, help);
            moves.push(stand_in(at));
            return;
        }
    };
    for step in steps {
        let mut written = Object { range: entry.range, properties: Vec::new() };
        json::put(&mut written, "step", json::coordinates(step, at));
        json::put(&mut written, "turned", json::string("ALL", at));
        add_repeat(&mut written, leap, at);
        let conditions = conditions(leap, step, at);
        extend(&mut written, entry, "conditions", conditions);
        let actions = match json::get(entry, "actions") {
            Some(given) => actions(given.clone()),
            None => json::list(leap_actions(leap, step, false, at), at),
        };
        json::put(&mut written, "actions", actions);
        for property in &entry.properties {
            let key = property.name.as_str();
            if !["conditions", "actions"].contains(&key) && !STEP_KEYS.contains(&key) {
                written.properties.push(property.clone());
            }
        }
        expand_step(written, short, moves);
    }
}

fn add_repeat(written: &mut Object<'_>, leap: &Leap, at: &Range<usize>) {
    let repeat = match leap.reach {
        Reach::Once | Reach::Times(1) => return,
        Reach::Times(times) => ("times", json::number(times as i32, at)),
        Reach::Unlimited => ("loop", json::boolean(true, at)),
    };
    let one = || json::number(1, at);
    let repeat = match leap.hop {
        None => json::object([repeat], at),
        Some(Hop::Over) => json::object([repeat, ("hurdles", one())], at),
        Some(Hop::Behind) => json::object([repeat, ("hurdles", one()), ("beyond", one())], at),
    };
    json::put(written, "repeat", repeat);
}

/// Adds a list made of new values and those of the entry, unless both are empty.
fn extend<'a>(written: &mut Object<'a>, entry: &Object<'a>, key: &'static str, mut values: Vec<Json<'a>>) {
    match json::get(entry, key) {
        Some(Json::Array(given)) => values.extend(given.elements.iter().cloned()),
        Some(other) if values.is_empty() => {
            json::put(written, key, other.clone());
            return;
        }
        _ => {}
    }
    if let Some(first) = values.first() {
        let at = json::span(first);
        json::put(written, key, json::list(values, &at));
    }
}

fn conditions<'a>(leap: &Leap, step: (i32, i32), at: &Range<usize>) -> Vec<Json<'a>> {
    let condition = |word| json::object([("condition", json::string(word, at))], at);
    let mut conditions = Vec::new();
    if leap.initial {
        conditions.push(condition("FIRST_MOVE"));
    }
    if leap.lame {
        let way = betza::way(step);
        let is_straight = tabiya_engine::Offset::new(step.0, step.1).unit().1 > 1;
        if is_straight {
            conditions.push(condition("PATH_EMPTY"));
        } else {
            conditions.extend(way.into_iter().map(|square| {
                let condition = ("condition", json::string("SQUARE", at));
                let position = ("position", json::coordinates(square, at));
                json::object([condition, position, ("state", json::string("EMPTY", at))], at)
            }));
        }
    }
    conditions
}

fn action<'a>(state: &'static str, action: &'static str, at: &Range<usize>) -> Json<'a> {
    json::object([("state", json::string(state, at)), ("action", json::string(action, at))], at)
}

fn leap_actions<'a>(leap: &Leap, (dx, _): (i32, i32), by_mark: bool, at: &Range<usize>) -> Vec<Json<'a>> {
    let mut actions = Vec::new();
    if leap.moves {
        actions.push(action("EMPTY", "MOVE", at));
    }
    if leap.captures {
        actions.push(action("ENEMY", "CAPTURE", at));
    }
    if leap.en_passant && !leap.moves {
        let beside = || json::coordinates((dx, 0), at);
        let mut passing = action("EMPTY", "MOVE", at);
        if let Json::Object(passing) = &mut passing
            && by_mark
        {
            let state = || ("state", json::string(EN_PASSANT, at));
            let condition = json::object([("condition", json::string("MARKED", at)), state()], at);
            json::put(passing, "conditions", json::list(vec![condition], at));
            let capture = json::object([("action", json::string("CAPTURE_MARKED", at)), state()], at);
            json::put(passing, "side_effects", json::list(vec![capture], at));
        } else if let Json::Object(passing) = &mut passing {
            let condition = ("condition", json::string("CHECK_STATE", at));
            let state = ("state", json::string(EN_PASSANT, at));
            let condition = json::object([condition, state, ("position", beside())], at);
            json::put(passing, "conditions", json::list(vec![condition], at));
            let capture = json::object([("action", json::string("CAPTURE", at)), ("target", beside())], at);
            json::put(passing, "side_effects", json::list(vec![capture], at));
        }
        actions.push(passing);
    }
    actions
}

fn set_flag<'a>(context: Context, (dx, dy): (i32, i32), at: &Range<usize>) -> Json<'a> {
    let action = ("action", json::string("SET_STATE", at));
    let state = ("state", json::string(EN_PASSANT, at));
    let duration = ("duration", json::number(context.duration, at));
    if !context.marks_squares() {
        return json::object([action, state, duration], at);
    }
    let passed = (dx - dx.signum(), dy - dy.signum());
    json::object([action, state, duration, ("square", json::coordinates(passed, at))], at)
}

/// Returns a move in place of one that could not be read, so that the piece is not reported to have none.
pub(super) fn stand_in<'a>(at: &Range<usize>) -> Json<'a> {
    let actions = json::list(vec![action("EMPTY", "MOVE", at)], at);
    json::object([("step", json::coordinates((0, 1), at)), ("actions", actions)], at)
}

/// Writes out a move with a step.
fn expand_step<'a>(mut entry: Object<'a>, short: &mut Short<'_, '_>, moves: &mut Vec<Json<'a>>) {
    let whole = json::span(&entry);
    let at = whole.start..whole.start + 1;
    if json::get(&entry, "anywhere").is_some() && json::get(&entry, "step").is_none() {
        json::put(&mut entry, "step", json::coordinates((0, 0), &at));
    }
    if let Some(given) = json::get_mut(&mut entry, "actions") {
        *given = actions(given.clone());
    } else {
        let both = vec![action("EMPTY", "MOVE", &at), action("ENEMY", "CAPTURE", &at)];
        json::put(&mut entry, "actions", json::list(both, &at));
    }
    let Some(turned) = json::take(&mut entry, "turned") else {
        moves.push(Json::Object(entry));
        return;
    };
    let step = json::get(&entry, "step").and_then(json::read_coord);
    let is_short =
        |it: &Coord| [it.x, it.y, it.z].iter().all(|by| by.unsigned_abs() <= limits::SQUARES as u32);
    let Some(step) = step.filter(is_short) else {
        // The step itself is reported by the reader.
        moves.push(Json::Object(entry));
        return;
    };
    let (lattice, has_levels) = short.lattice();
    let all = symmetries(lattice, has_levels);
    if !short.spend_moves(all.len(), whole) {
        return;
    }
    let mut seen = Vec::new();
    let of =
        |is_meant: &dyn Fn(Orientation) -> bool| all.iter().copied().filter(|it| is_meant(*it)).collect();
    let turn = |it: Orientation, step: Coord| Coord::from(it.turn(step.into()));
    let stays = |it: Orientation, step: Coord| turn(it, step) == step;
    let symmetries: Vec<Orientation> = match json::text(&turned) {
        Some("ALL") => of(&|_| true),
        Some("ROTATED") => of(&|it| it.determinant() == 1),
        Some("MIRRORED") => of(&|it| stays(it, Coord::flat(0, 1)) && stays(it, Coord { x: 0, y: 0, z: 1 })),
        Some("FORWARD") => of(&|it| ahead(turn(it, step), lattice) > 0),
        _ => {
            let help = "write ALL, ROTATED, MIRRORED or FORWARD";
            short.report(Code::UnknownWord, json::span(&turned), "This is not a set of directions.", help);
            return;
        }
    };
    for symmetry in symmetries {
        let mut image = Json::Object(entry.clone());
        let mut offsets = Vec::new();
        turn_offsets(&mut image, symmetry, false, &mut offsets);
        if !seen.contains(&offsets) {
            seen.push(offsets);
            // The number is that of the first.
            json::take(&mut entry, "id");
            moves.push(image);
        }
    }
}

/// Writes out actions: one word, or a list with words.
fn actions(given: Json<'_>) -> Json<'_> {
    let at = json::span(&given);
    let one = |json: Json<'_>| match json::text(&json) {
        Some("MOVE") => Some(action("EMPTY", "MOVE", &at)),
        Some("CAPTURE") => Some(action("ENEMY", "CAPTURE", &at)),
        Some("SHOOT") => Some(action("EMPTY", "SHOOT", &at)),
        _ => None,
    };
    match given {
        Json::StringLit(_) => match one(given.clone()) {
            Some(action) => json::list(vec![action], &at),
            None => given,
        },
        other => other,
    }
}

/// Returns the symmetries of a board, the one that changes nothing first: of one level of squares eight, rotations clockwise and
/// then their mirror images; of levels 48; of hexagons 12.
fn symmetries(lattice: Lattice, has_levels: bool) -> Vec<Orientation> {
    if lattice == Lattice::Square && !has_levels {
        let rotations = [[[1, 0], [0, 1]], [[0, -1], [1, 0]], [[-1, 0], [0, -1]], [[0, 1], [-1, 0]]];
        let mirrored = |[[a, b], [c, d]]: [[i32; 2]; 2]| [[-a, -b], [c, d]];
        return rotations.into_iter().chain(rotations.map(mirrored)).filter_map(Orientation::new).collect();
    }
    let mut all: Vec<Orientation> = Orientation::all(lattice).collect();
    all.sort_by_key(|it| *it != Orientation::UP);
    all
}

/// Returns how far a step leads forward; hexagons to the right are half a step lower.
fn ahead(step: Coord, lattice: Lattice) -> i32 {
    match lattice {
        Lattice::Square => step.y,
        Lattice::Hex => 2 * step.y - step.x,
    }
}

/// Turns every offset of a move.
fn turn_offsets(json: &mut Json<'_>, symmetry: Orientation, is_offset: bool, turned: &mut Vec<Coord>) {
    match json {
        Json::Array(_) if is_offset => {
            if let Some(offset) = json::read_coord(json) {
                let offset = symmetry.turn(offset.into()).into();
                turned.push(offset);
                *json = json::coord(offset, &json::span(json));
            }
        }
        Json::Array(array) => {
            array.elements.iter_mut().for_each(|element| turn_offsets(element, symmetry, false, turned));
        }
        Json::Object(object) => {
            for property in &mut object.properties {
                let is_offset = OFFSETS.contains(&property.name.as_str());
                turn_offsets(&mut property.value, symmetry, is_offset, turned);
            }
        }
        _ => {}
    }
}
