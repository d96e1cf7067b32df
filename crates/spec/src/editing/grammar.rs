//! The JSON Schema of the format, walked along the path of a value.
//!
//! The schema is generated from the types that read a file (see `schema.rs`), so completion and hover follow the format
//! without further work. A *place* names a position in the schema: the definition and the keys within it, as in
//! `PieceSpec/promotion/to`, with `*` for any key of a map and nothing for the file.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::tree::{Form, Id, Tree};
use crate::library;

static SCHEMA: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(library::schema()).unwrap_or_default());

/// Definitions that stand for a value that an option decides.
const CHOICES: [&str; 3] = ["OptionValue", "SquareValue", "Entries"];

/// One form that a value may have.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    schema: &'static Value,
    /// The place of the value.
    pub(super) place: String,
    /// The start of the places of its members: the definition, or the place itself.
    base: String,
    /// What is said about the value where it is used.
    about: Option<&'static str>,
    /// Whether it is a placeholder for the value of an option.
    pub(super) is_choice: bool,
}

/// A key of an object.
#[derive(Clone, Debug)]
pub(super) struct Key {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) is_required: bool,
}

/// A keyword and its meaning.
#[derive(Clone, Debug)]
pub(super) struct Keyword {
    pub(super) word: &'static str,
    pub(super) about: &'static str,
}

/// Returns the forms of the file.
pub(super) fn root() -> Vec<Shape> {
    let start =
        Shape { schema: &SCHEMA, place: String::new(), base: String::new(), about: None, is_choice: false };
    resolve(start)
}

/// Returns the keys of an object by the name of its definition, other than those for editors and comments.
pub(crate) fn keys_of(definition: &str) -> Vec<&'static str> {
    let found = match definition {
        "GameSpec" => Some(&*SCHEMA),
        _ => SCHEMA.get("$defs").and_then(|all| all.get(definition)),
    };
    let keys = found.and_then(|it| it.get("properties")).and_then(Value::as_object).into_iter().flatten();
    keys.map(|(key, _)| key.as_str()).filter(|key| !key.starts_with('$')).collect()
}

/// Returns the forms of a value in a file.
pub(super) fn of(tree: &Tree<'_>, id: Id) -> Vec<Shape> {
    let steps = tree.steps(id);
    let mut shapes = root();
    for pair in steps.windows(2) {
        shapes = inside(&shapes, tree, pair[0], tree.key(pair[1]).as_deref());
    }
    shapes
}

/// Returns the forms of the value under a key of an object, or of an entry of a list.
pub(super) fn inside(shapes: &[Shape], tree: &Tree<'_>, parent: Id, key: Option<&str>) -> Vec<Shape> {
    let is_list = tree.node(parent).form == Form::List;
    let fitting = shapes.iter().filter(|shape| shape.fits(tree, parent, key));
    fitting.flat_map(|shape| if is_list { shape.entry() } else { shape.member(key.unwrap_or("")) }).collect()
}

impl Shape {
    fn properties(&self) -> Option<&'static Map<String, Value>> {
        self.schema.get("properties").and_then(Value::as_object)
    }

    /// Returns whether an object has the kind of this form: its key `condition`, `action` or `type` agrees. The given key is
    /// ignored, because it is being written.
    pub(super) fn fits(&self, tree: &Tree<'_>, object: Id, ignored: Option<&str>) -> bool {
        let Some(properties) = self.properties() else { return true };
        properties.iter().filter(|(key, _)| Some(key.as_str()) != ignored).all(|(key, schema)| {
            let excluded = schema.get("not").and_then(|it| it.get("enum")).and_then(Value::as_array);
            if excluded.is_none() && schema.get("const").is_none() {
                return true;
            }
            let Some(word) = tree.text_of(object, key) else { return true };
            match excluded {
                Some(words) => !words.iter().any(|it| it == &*word),
                None => schema["const"] == *word,
            }
        })
    }

    /// Returns the keys of an object of this form, in the order of the schema.
    pub(super) fn keys(&self) -> Vec<Key> {
        let required = self.schema.get("required").and_then(Value::as_array);
        let is_required = |name: &str| required.is_some_and(|it| it.iter().any(|key| key == name));
        let keys = self.properties().into_iter().flatten();
        keys.map(|(name, schema)| Key { name, about: about(schema), is_required: is_required(name) })
            .collect()
    }

    /// Returns the key that decides the form of an object, and its keyword.
    pub(super) fn tag(&self) -> Option<(&'static str, &'static str)> {
        let mut properties = self.properties()?.iter();
        properties.find_map(|(key, schema)| Some((key.as_str(), schema.get("const")?.as_str()?)))
    }

    /// Returns the key of an object that is named by a code of the file.
    pub(super) fn open_tag(&self) -> Option<&'static str> {
        let mut properties = self.properties()?.iter();
        properties.find_map(|(key, schema)| schema.get("not").map(|_| key.as_str()))
    }

    /// Returns the place of the keys of a map, if the file chooses the keys.
    pub(super) fn free_keys(&self) -> Option<String> {
        self.schema.get("additionalProperties")?.as_object()?;
        Some(format!("{}/*", self.base))
    }

    /// Returns the keywords that the value may be.
    pub(super) fn keywords(&self) -> Vec<Keyword> {
        let words = self.schema.get("enum").and_then(Value::as_array).into_iter().flatten();
        let about = |index: usize| self.schema.get("enumDescriptions")?.get(index)?.as_str();
        let words = words.filter_map(Value::as_str).enumerate();
        let constant = self.schema.get("const").and_then(Value::as_str);
        let constant = constant.map(|word| Keyword { word, about: self.about() });
        words
            .map(|(index, word)| Keyword { word, about: about(index).unwrap_or_default() })
            .chain(constant)
            .collect()
    }

    /// Returns whether the value may be of a type of JSON: `string`, `boolean`, `object`, `array`.
    pub(super) fn is(&self, kind: &str) -> bool {
        match self.schema.get("type") {
            Some(Value::String(only)) => only == kind,
            Some(Value::Array(kinds)) => kinds.iter().any(|it| it == kind),
            _ => false,
        }
    }

    /// Returns what the schema says about the value where it is used or, failing that, about its form.
    pub(super) fn about(&self) -> &'static str {
        self.about.unwrap_or_else(|| about(self.schema))
    }

    /// Returns what the schema says about the form of the value.
    pub(super) fn about_form(&self) -> &'static str {
        about(self.schema)
    }

    fn member(&self, key: &str) -> Vec<Shape> {
        let known = self.properties().and_then(|it| it.get_key_value(key));
        let open = || self.schema.get("additionalProperties").filter(|it| it.is_object());
        let Some((name, schema)) = known.map(|(key, it)| (key.as_str(), it)).or(open().map(|it| ("*", it)))
        else {
            return Vec::new();
        };
        let place = format!("{}/{name}", self.base);
        // The keyword of a tag is described by the object that it stands for.
        let about = schema.get("description").and_then(Value::as_str);
        let about = about.or_else(|| schema.get("const").map(|_| self.about_form()));
        resolve(Shape { schema, base: place.clone(), place, about, is_choice: false })
    }

    fn entry(&self) -> Vec<Shape> {
        let items = self.schema.get("items").into_iter();
        items
            .flat_map(|schema| {
                resolve(Shape {
                    schema,
                    place: self.place.clone(),
                    base: self.place.clone(),
                    about: None,
                    is_choice: false,
                })
            })
            .collect()
    }
}

fn about(schema: &'static Value) -> &'static str {
    let own = schema.get("description").and_then(Value::as_str);
    own.or_else(|| definition(schema)?.1.get("description")?.as_str()).unwrap_or_default()
}

/// Returns the definition that a schema refers to, with its name.
fn definition(schema: &'static Value) -> Option<(&'static str, &'static Value)> {
    let name = schema.get("$ref")?.as_str()?.strip_prefix("#/$defs/")?;
    Some((name, SCHEMA.get("$defs")?.get(name)?))
}

/// Resolves references and alternatives.
fn resolve(shape: Shape) -> Vec<Shape> {
    let mut found = Vec::new();
    add(shape, 0, &mut found);
    found
}

fn add(shape: Shape, depth: usize, found: &mut Vec<Shape>) {
    // The schema has no cycle without a list or an object in between; the limit guards against mistakes.
    const MAX_DEPTH: usize = 16;
    if depth > MAX_DEPTH {
        return;
    }
    if let Some((name, schema)) = definition(shape.schema) {
        let is_choice = shape.is_choice || CHOICES.contains(&name);
        return add(Shape { schema, base: name.to_owned(), is_choice, ..shape }, depth + 1, found);
    }
    match shape.schema.get("anyOf").and_then(Value::as_array) {
        Some(forms) => {
            for schema in forms {
                add(Shape { schema, ..shape.clone() }, depth + 1, found);
            }
        }
        None => found.push(shape),
    }
}
