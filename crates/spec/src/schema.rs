//! The format as a JSON Schema, for editors: they complete keys and mark mistakes while a game is being written.
//!
//! It is made out of the types that read the file, so it cannot say anything else. It tells structure only; whether
//! the parts fit together, [`crate::check`] tells.

use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::model::GameSpec;

/// The JSON Schema (draft 2020-12) of a game. `games/schema.json` holds a copy.
///
/// ```
/// let schema = tabiya_spec::schema();
/// assert_eq!(schema["properties"]["turns"]["$ref"], "#/$defs/TurnsSpec");
/// ```
pub fn schema() -> Value {
    let mut schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<GameSpec>();
    schema.insert("title".into(), "A game of the chess family".into());
    schema.to_value()
}
