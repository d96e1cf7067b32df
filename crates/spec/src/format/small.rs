//! Short words for single values: the leader, directions, castling by files, counts of all pieces but some.

use serde_json::{Map, Value, json};
use tabiya_engine::FileName;

use super::{Context, Edit, objects};
use crate::model::Direction;

/// The leader as a text and directions as keywords.
pub(super) fn words(file: &Value, _: &Context<'_>) -> Vec<Vec<Edit>> {
    let mut groups = Vec::new();
    if let Some(Value::Object(leader)) = file.get("leader")
        && let (1, Some(piece)) = (leader.len(), leader.get("piece"))
    {
        groups.push(vec![Edit::set("", "leader", piece.clone())]);
    }
    for (pointer, player) in objects(file, "/players") {
        let direction = player.get("direction");
        let word = Direction::KEYWORDS.iter().find(|(_, matrix)| direction == Some(&json!(matrix)));
        if let Some((word, _)) = word {
            groups.push(vec![Edit::set(pointer, "direction", json!(word))]);
        }
    }
    groups
}

/// Castling by files, where every player castles on the first rank.
pub(super) fn castling(file: &Value, context: &Context<'_>) -> Vec<Vec<Edit>> {
    let files = i32::from(context.game.rules.board().files());
    let mut groups = Vec::new();
    for (pointer, piece) in objects(file, "/pieces") {
        let Some(Value::Array(castles)) = piece.get("castling") else { continue };
        let code = piece.get("code").and_then(Value::as_str);
        let long = objects(&context.long, "/pieces").into_iter();
        let long = long.map(|(_, piece)| piece).find(|it| it.get("code").and_then(Value::as_str) == code);
        let long = long.and_then(|piece| piece.get("castling")?.as_array());
        let Some(long) = long.filter(|long| long.len() == castles.len()) else { continue };
        let mut by_file = Map::new();
        for castle in long {
            let file_of = |key: &str| {
                let squares = castle.get(key)?.as_object()?.values().next()?;
                let x = squares.get(0)?.get(0)?.as_i64()?;
                (0..i64::from(files)).contains(&x).then(|| FileName(x as u32).to_string())
            };
            if let (Some(to), Some(with_to)) = (file_of("to"), file_of("with_to")) {
                by_file.insert(to, json!(with_to));
            }
        }
        let with = long.first().and_then(|castle| castle.get("with")).cloned();
        if let (Some(with), true) = (with, by_file.len() == long.len()) {
            let short = json!({ "with": with, "files": by_file });
            groups.push(vec![Edit::set(pointer, "castling", short)]);
        }
    }
    groups
}

/// Counts of all pieces but some, where that is shorter.
pub(super) fn counts(file: &Value, context: &Context<'_>) -> Vec<Vec<Edit>> {
    let spec = &context.game.spec;
    let is_leader = |code: &&str| spec.leaders().any(|leader| leader.as_str() == *code);
    let all = spec.pieces.iter().map(|piece| piece.code.as_str());
    let others: Vec<&str> = all.filter(|code| !is_leader(code)).collect();
    let mut groups = Vec::new();
    for key in ["endings", "pieces", "restrictions", "priority"] {
        if let Some(value) = file.get(key) {
            count_edits(value, &format!("/{key}"), &others, &mut groups);
        }
    }
    groups
}

fn count_edits(value: &Value, pointer: &str, all: &[&str], groups: &mut Vec<Vec<Edit>>) {
    match value {
        Value::Array(list) => {
            let entries = list.iter().enumerate();
            entries.for_each(|(index, it)| count_edits(it, &format!("{pointer}/{index}"), all, groups));
        }
        Value::Object(object) => {
            if object.get("condition").is_some_and(|it| it == "COUNT")
                && let Some(Value::Array(counted)) = object.get("piece")
            {
                let counts = |code: &&str| counted.iter().any(|it| it == code);
                let excluded: Vec<&str> = all.iter().copied().filter(|code| !counts(code)).collect();
                if excluded.len() + counted.len() == all.len() && !excluded.is_empty() {
                    let not = Edit::set(pointer, "not_piece", json!(excluded));
                    groups.push(vec![Edit::remove(pointer, "piece"), not]);
                }
            }
            for (key, inner) in object {
                count_edits(inner, &format!("{pointer}/{key}"), all, groups);
            }
        }
        _ => {}
    }
}
