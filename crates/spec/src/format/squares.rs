//! Lists of squares as names, ranges and regions.

use serde_json::{Map, Value, json};
use tabiya_engine::{FileName, Rules};

use super::{Context, Edit, objects};

/// Every list of squares that a file writes out.
pub(super) fn lists(file: &Value, context: &Context<'_>) -> Vec<Vec<Edit>> {
    let rules = &context.game.rules;
    let mut groups = Vec::new();
    let mut shorten = |pointer: String, object: &Map<String, Value>, key: &str| {
        if let Some(short) = object.get(key).and_then(|list| text(list, true)) {
            groups.push(vec![Edit::set(pointer, key, short)]);
        }
    };
    if let Some(Value::Object(board)) = file.get("board") {
        shorten("/board".into(), board, "disabled_positions");
    }
    for (pointer, figure) in objects(file, "/figures") {
        shorten(pointer, figure, "at");
    }
    if let Some(Value::Object(values)) = file.pointer("/tag/values") {
        values.keys().for_each(|key| shorten("/tag/values".into(), values, key));
    }
    for (pointer, _) in objects(file, "/players") {
        starting(file, &pointer, &mut shorten);
    }
    let layouts = file.get("layouts").and_then(Value::as_object).into_iter().flatten();
    let mut checks: Vec<(String, &str, &Value)> = Vec::new();
    for (name, layout) in layouts {
        let layout_pointer = format!("/layouts/{}", escape(name));
        for player in layout.get("players").and_then(Value::as_object).into_iter().flat_map(Map::keys) {
            starting(file, &format!("{layout_pointer}/players/{}", escape(player)), &mut shorten);
        }
        for (code, check) in layout.get("conditions").and_then(Value::as_object).into_iter().flatten() {
            checks.push((format!("{layout_pointer}/conditions"), code, check));
        }
    }
    let exchanged = file.pointer("/exchange/to").and_then(Value::as_str);
    for (pointer, code, check) in checks {
        let by_player = by_player(check, Some(code) != exchanged);
        groups.push(vec![Edit::set(pointer, code, by_player)]);
    }
    for (pointer, condition) in objects(file, "/conditions") {
        if condition.get("type").is_none_or(|it| it != "POSITION") {
            continue;
        }
        if let Some(check) = condition.get("check") {
            let is_set = condition.get("code").and_then(Value::as_str) != exchanged;
            groups.push(vec![Edit::set(pointer, "check", region(check, is_set, rules))]);
        }
    }
    groups
}

/// The starting pieces of each player as an object: kinds with their squares.
pub(super) fn armies(file: &Value, _: &Context<'_>) -> Vec<Vec<Edit>> {
    let mut owners: Vec<String> = objects(file, "/players").into_iter().map(|(pointer, _)| pointer).collect();
    for (name, layout) in file.get("layouts").and_then(Value::as_object).into_iter().flatten() {
        let players = layout.get("players").and_then(Value::as_object).into_iter().flat_map(Map::keys);
        owners.extend(players.map(|it| format!("/layouts/{}/players/{}", escape(name), escape(it))));
    }
    let mut groups = Vec::new();
    for owner in owners {
        let starts = file.pointer(&format!("{owner}/starting_positions")).and_then(Value::as_array);
        let by_kind = |start: &Value| {
            let start = start.as_object().filter(|start| start.len() == 2)?;
            Some((start.get("piece")?.as_str()?.to_owned(), start.get("positions")?.clone()))
        };
        let kinds: Option<Map<String, Value>> =
            starts.and_then(|starts| starts.iter().map(by_kind).collect());
        if let Some(kinds) = kinds.filter(|kinds| starts.is_some_and(|starts| starts.len() == kinds.len())) {
            groups.push(vec![Edit::set(owner, "starting_positions", Value::Object(kinds))]);
        }
    }
    groups
}

fn starting(file: &Value, player: &str, shorten: &mut impl FnMut(String, &Map<String, Value>, &str)) {
    for (pointer, start) in objects(file, &format!("{player}/starting_positions")) {
        shorten(pointer, start, "positions");
    }
}

/// Returns the lists of a condition, each as text; one for all if they are equal.
fn by_player(check: &Value, is_set: bool) -> Value {
    let Value::Object(lists) = check else { return check.clone() };
    let short = |list: &Value| text(list, is_set).unwrap_or_else(|| list.clone());
    let short: Map<String, Value> = lists.iter().map(|(name, list)| (name.clone(), short(list))).collect();
    Value::Object(short)
}

/// Returns the shortest way to write the lists of a condition: a region, one list for all, or a text for each player.
fn region(check: &Value, is_set: bool, rules: &Rules) -> Value {
    let by_player = by_player(check, is_set);
    let Value::Object(lists) = check else { return by_player };
    let squares: Vec<Vec<(i32, i32)>> = lists.values().filter_map(|list| squares(list, is_set)).collect();
    if !is_set || squares.len() != lists.len() || lists.len() != rules.players().len() {
        return by_player;
    }
    let mut candidates = vec![by_player.clone()];
    if squares.windows(2).all(|pair| pair[0] == pair[1])
        && let Some(first) = by_player.as_object().and_then(|lists| lists.values().next())
    {
        candidates.push(first.clone());
    }
    let (files, ranks) = (i32::from(rules.board().files()), i32::from(rules.board().ranks()));
    for colour in [("DARK", 0), ("LIGHT", 1)] {
        let all = (0..ranks).flat_map(|y| (0..files).map(move |x| (x, y)));
        let all: Vec<(i32, i32)> = all.filter(|(x, y)| (x + y) % 2 == colour.1).collect();
        if squares.iter().all(|list| *list == all) {
            candidates.push(json!({ "colour": colour.0 }));
        }
    }
    candidates.extend(own_ranks(&squares, lists, rules));
    candidates.into_iter().min_by_key(|it| it.to_string().len()).unwrap_or(by_player)
}

/// Returns the region of whole ranks, counted from each player's side.
fn own_ranks(squares: &[Vec<(i32, i32)>], lists: &Map<String, Value>, rules: &Rules) -> Option<Value> {
    let mut found: Option<Vec<i32>> = None;
    for (list, name) in squares.iter().zip(lists.keys()) {
        let player = rules.players().find(|player| rules.player(*player).name == *name)?;
        let forward = rules.player(player).orientation.turn(tabiya_engine::Offset::new(0, 1));
        let (files, ranks) = (i32::from(rules.board().files()), i32::from(rules.board().ranks()));
        let (length, width) = if forward.dx == 0 { (ranks, files) } else { (files, ranks) };
        let rank = |(x, y): (i32, i32)| match (forward.dx, forward.dy) {
            (_, 1) => y + 1,
            (_, -1) => ranks - y,
            (1, _) => x + 1,
            _ => files - x,
        };
        let mut own: Vec<i32> = list.iter().map(|square| rank(*square)).collect();
        own.sort_unstable();
        own.dedup();
        let is_whole = own.len() as i32 * width == list.len() as i32;
        let is_last = own.len() == 1 && own[0] == length;
        let own = if is_last { vec![-1] } else { own };
        if !is_whole || found.as_ref().is_some_and(|other| *other != own) {
            return None;
        }
        found = Some(own);
    }
    match found?.as_slice() {
        [only] => Some(json!({ "own_ranks": only })),
        several => Some(json!({ "own_ranks": several })),
    }
}

/// Returns the squares of a list in the long form, sorted if their order means nothing.
fn squares(list: &Value, is_set: bool) -> Option<Vec<(i32, i32)>> {
    let square = |it: &Value| match it.as_array()?.as_slice() {
        [x, y] => Some((i32::try_from(x.as_i64()?).ok()?, i32::try_from(y.as_i64()?).ok()?)),
        _ => None,
    };
    let mut squares: Vec<(i32, i32)> = list.as_array()?.iter().map(square).collect::<Option<_>>()?;
    if is_set {
        squares.sort_unstable_by_key(|(x, y)| (*y, *x));
        squares.dedup();
    }
    squares.iter().all(|(x, y)| *x >= 0 && *y >= 0).then_some(squares)
}

/// Returns a list as names and ranges, in its order; `None` if it is empty or not in the long form.
fn text(list: &Value, is_set: bool) -> Option<Value> {
    let squares = squares(list, is_set).filter(|squares| !squares.is_empty())?;
    let mut words = Vec::new();
    let mut rest = &squares[..];
    while let Some(&(x, y)) = rest.first() {
        let run = |rest: &[(i32, i32)], y: i32| {
            rest.iter().zip(x..).take_while(|(square, x)| **square == (*x, y)).count()
        };
        let width = run(rest, y);
        let mut height = 1;
        let rows = |height: usize| rest.get(width * height..).unwrap_or_default();
        while run(rows(height), y + height as i32) >= width
            && is_block(rows(height), width, (x, y + height as i32))
        {
            height += 1;
        }
        let name = |(x, y): (i32, i32)| format!("{}{}", FileName(x as u32), y + 1);
        let corner = (x + width as i32 - 1, y + height as i32 - 1);
        words.push(match width * height {
            1 => name((x, y)),
            2 => format!("{} {}", name((x, y)), name(corner)),
            _ => format!("{}-{}", name((x, y)), name(corner)),
        });
        rest = &rest[width * height..];
    }
    Some(json!(words.join(" ")))
}

/// Returns whether a row of that width starts here and does not go on.
fn is_block(rest: &[(i32, i32)], width: usize, (x, y): (i32, i32)) -> bool {
    rest.get(width).is_none_or(|next| *next != (x + width as i32, y))
}

/// Escapes a key for a JSON pointer.
fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
