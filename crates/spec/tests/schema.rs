//! `games/schema.json` matches the types that read a game. `TABIYA_BLESS=1` rewrites it.

use std::path::Path;

#[test]
fn schema_file_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/schema.json");
    let schema = serde_json::to_string_pretty(&tabiya_spec::schema()).expect("a schema is JSON") + "\n";
    if std::env::var_os("TABIYA_BLESS").is_some_and(|value| value == "1") {
        std::fs::write(&path, &schema).expect("the schema can be written");
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(stored == schema, "games/schema.json differs from the types: run this test with TABIYA_BLESS=1");
}

#[test]
fn schema_lists_required_keys() {
    let schema = tabiya_spec::schema();
    assert_eq!(schema["required"], serde_json::json!(["name"]));
    assert_eq!(schema["additionalProperties"], false);
}
