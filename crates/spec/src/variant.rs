//! The start of a variant: a short file that extends a game of the library and repeats what designers change first.

use serde_json::{Map, Value, json};

use crate::format::lay_out;
use crate::library::Entry;
use crate::load::Loader;

impl Entry {
    /// Returns a file that extends this game and changes nothing yet. It repeats the setup and the Betza words of the pieces, so
    /// that they can be edited.
    ///
    /// ```
    /// let chess = tabiya_spec::library::find("chess").unwrap();
    /// let variant = chess.variant();
    /// assert!(variant.contains(r#""extends": "chess""#) && variant.contains(r#"{ "code": "KNIGHT", "betza": "N" }"#));
    /// let same = variant.replace("My chess", "Chess");
    /// assert_eq!(tabiya_spec::load(same.as_bytes()).game.unwrap().hash, chess.load().hash);
    /// ```
    pub fn variant(&self) -> String {
        self.variant_named(&format!("My {}", self.name), &[])
    }

    /// Like [`variant`](Self::variant), with a name and comments.
    pub fn variant_named(&self, name: &str, comments: &[String]) -> String {
        let merged = Loader::default().merged(self.json.as_bytes()).unwrap_or_default();
        let merged: Value = serde_json::from_str(&merged).unwrap_or_default();
        let title = merged["name"].as_str().unwrap_or(self.name);
        let mut file = Map::new();
        if !comments.is_empty() {
            file.insert("$comment".into(), json!(comments));
        }
        file.insert("name".into(), json!(name));
        file.insert("about".into(), json!(format!("{title} with a change.")));
        file.insert("extends".into(), json!(self.name));
        if let Some(setup) = merged.get("setup") {
            file.insert("setup".into(), setup.clone());
        }
        let word = |piece: &Value| Some(json!({ "code": piece.get("code")?, "betza": piece.get("betza")? }));
        // Words beside `moves` would replace them.
        let is_plain = |piece: &&Value| piece.get("moves").is_none() && piece.get("like").is_none();
        let pieces = merged["pieces"].as_array().into_iter().flatten().filter(is_plain);
        let pieces: Vec<Value> = pieces.filter_map(word).collect();
        if !pieces.is_empty() {
            file.insert("pieces".into(), json!(pieces));
        }
        let text = Value::Object(file).to_string();
        lay_out(&text).unwrap_or(text)
    }
}

#[cfg(test)]
mod tests {
    use crate::{library, load};

    #[test]
    fn a_variant_of_every_game_changes_nothing() {
        for entry in library::games() {
            let variant = entry.variant();
            let loaded = load(variant.as_bytes());
            assert!(loaded.diagnostics.is_empty(), "{}: {:?}\n{variant}", entry.name, loaded.diagnostics);
            let game = entry.load();
            let own_name = format!("\"name\": \"My {}\"", entry.name);
            let same = variant.replacen(&own_name, &format!("\"name\": \"{}\"", *game.spec.name), 1);
            assert_eq!(load(same.as_bytes()).game.unwrap().hash, game.hash, "{variant}");
        }
    }
}
