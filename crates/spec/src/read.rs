//! From JSON with places to the types of [`crate::model`], reporting every fault of structure on the way.
//!
//! The macros below define a record of the format once; out of that one definition come the Rust type, its reader
//! (unknown, duplicate, missing and mistyped keys) and its JSON Schema. So the three cannot disagree.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use jsonc_parser::ast::{Object, ObjectProp, Value as Json};
use jsonc_parser::common::Ranged;
#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::code::Code;
use crate::diagnostic::Faults;
use crate::place::{At, Place, Step};

/// A type that can be read from a JSON value.
pub(crate) trait Read: Sized {
    /// The value, and whether the file really said it; what is wrong has been reported.
    fn read(json: &Json<'_>, at: Place, faults: &mut Faults<'_>) -> (Self, bool);

    /// The same, with its place.
    fn read_at(json: &Json<'_>, at: Place, faults: &mut Faults<'_>) -> At<Self> {
        let (value, known) = Self::read(json, at, faults);
        At::reading(value, at, known)
    }
}

/// What the JSON Schema needs of a type: nothing, without the feature `schema`.
#[cfg(feature = "schema")]
pub(crate) trait Described: JsonSchema {}
#[cfg(feature = "schema")]
impl<T: JsonSchema> Described for T {}
#[cfg(not(feature = "schema"))]
pub(crate) trait Described {}
#[cfg(not(feature = "schema"))]
impl<T> Described for T {}

/// A field of a record: what its absence means is part of its type.
pub(crate) trait Field: Sized {
    const REQUIRED: bool;
    fn from_json(json: &Json<'_>, at: Place, faults: &mut Faults<'_>) -> Self;
    fn absent(object: Place) -> Self;
    #[cfg(feature = "schema")]
    fn schema(generator: &mut SchemaGenerator) -> Schema;
}

impl<T: Read + Default + Described> Field for At<T> {
    const REQUIRED: bool = true;
    fn from_json(json: &Json<'_>, at: Place, faults: &mut Faults<'_>) -> Self {
        T::read_at(json, at, faults)
    }
    fn absent(object: Place) -> Self {
        At::reading(T::default(), object, false)
    }
    #[cfg(feature = "schema")]
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }
}

/// `None` if the key is absent. A value that could not be read is there all the same, but not [`At::known`]: what a
/// check says about an absent key would be wrong about it.
impl<T: Read + Described> Field for Option<At<T>> {
    const REQUIRED: bool = false;
    fn from_json(json: &Json<'_>, at: Place, faults: &mut Faults<'_>) -> Self {
        Some(T::read_at(json, at, faults))
    }
    fn absent(_: Place) -> Self {
        None
    }
    #[cfg(feature = "schema")]
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }
}

/// A list that may be left out, which means that it is empty.
#[derive(Clone, Debug)]
pub struct List<T>(At<Vec<At<T>>>);

impl<T> Default for List<T> {
    fn default() -> Self {
        List(At::new(Vec::new(), Place::ROOT))
    }
}

impl<T> std::ops::Deref for List<T> {
    type Target = At<Vec<At<T>>>;
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<T: Read + Described> Field for List<T> {
    const REQUIRED: bool = false;
    fn from_json(json: &Json<'_>, at: Place, faults: &mut Faults<'_>) -> Self {
        List(Read::read_at(json, at, faults))
    }
    fn absent(object: Place) -> Self {
        List(At::new(Vec::new(), object))
    }
    #[cfg(feature = "schema")]
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<Vec<At<T>>>()
    }
}

#[cfg(feature = "schema")]
impl<T: JsonSchema> JsonSchema for At<T> {
    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }
    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }
    fn inline_schema() -> bool {
        T::inline_schema()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// The keys of one JSON object, each looked at once.
pub(crate) struct Fields<'j, 'a> {
    object: &'j Object<'a>,
    at: Place,
}

impl<'j, 'a> Fields<'j, 'a> {
    /// Checks the keys against the ones that are allowed here, in the order in which they are documented.
    pub(crate) fn open(
        object: &'j Object<'a>,
        at: Place,
        allowed: &[&str],
        what: &str,
        faults: &mut Faults<'_>,
    ) -> Self {
        let mut seen = std::collections::HashSet::new();
        for property in &object.properties {
            let key = property.name.as_str();
            let is_new = seen.insert(key);
            if !allowed.contains(&key) {
                let place = child(at, Step::Key(key.into()), &property.value, faults);
                let near = if faults.is_full() { None } else { nearest(key, allowed.iter().copied()) };
                let help = match near {
                    Some(near) => format!("did you mean `{near}`?"),
                    None if allowed.is_empty() => format!("{what} takes no keys here"),
                    None => format!("{what} takes {}", and_list(allowed)),
                };
                let name = property.name.range();
                faults.report_span(
                    Code::UnknownKey,
                    place,
                    name.start..name.end,
                    format!("{what} has no key `{}`.", shorten(key)),
                    Some(help),
                );
            } else if !is_new {
                duplicate_key(property, at, faults);
            }
        }
        Fields { object, at }
    }

    /// For an object whose allowed keys are not known.
    pub(crate) fn unchecked(object: &'j Object<'a>, at: Place) -> Self {
        Fields { object, at }
    }

    pub(crate) fn take<F: Field>(&self, key: &'static str, what: &str, faults: &mut Faults<'_>) -> F {
        if let Some(property) = self.object.properties.iter().find(|property| property.name.as_str() == key) {
            let place = child(self.at, Step::Key(key.into()), &property.value, faults);
            F::from_json(&property.value, place, faults)
        } else {
            if F::REQUIRED {
                let brace = faults.places().span(self.at).start;
                faults.report_span(
                    Code::MissingKey,
                    self.at,
                    brace..brace + 1,
                    format!("{what} needs the key `{key}`."),
                    None,
                );
            }
            F::absent(self.at)
        }
    }
}

/// Reports a key that stands for the second time.
fn duplicate_key(property: &ObjectProp<'_>, at: Place, faults: &mut Faults<'_>) {
    let key = property.name.as_str();
    let place = child(at, Step::Key(key.into()), &property.value, faults);
    let name = property.name.range();
    faults.report_span(
        Code::DuplicateKey,
        place,
        name.start..name.end,
        format!("The key `{}` stands twice in one object.", shorten(key)),
        Some("only the first one would count: remove or rename one of them".into()),
    );
}

pub(crate) fn child(parent: Place, step: Step, json: &Json<'_>, faults: &mut Faults<'_>) -> Place {
    let range = json.range();
    faults.places().add(parent, step, range.start..range.end)
}

/// Reports a value of the wrong type.
pub(crate) fn mistyped(json: &Json<'_>, at: Place, expected: &str, faults: &mut Faults<'_>) {
    let found = match json {
        Json::StringLit(_) => "a string",
        Json::NumberLit(_) => "a number",
        Json::BooleanLit(_) => "true or false",
        Json::Object(_) => "an object",
        Json::Array(_) => "a list",
        Json::NullKeyword(_) => "null",
    };
    faults.report(Code::Mistyped, at, format!("Expected {expected}, found {found}."));
}

/// The word that was probably meant. Comparing costs the product of the lengths, so nothing long is compared.
pub(crate) fn nearest<'w>(word: &str, words: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    const COMPARED: usize = 64;
    if word.len() > COMPARED {
        return None;
    }
    words
        .filter(|candidate| candidate.len() <= COMPARED)
        .map(|candidate| {
            (strsim::damerau_levenshtein(&word.to_lowercase(), &candidate.to_lowercase()), candidate)
        })
        .filter(|(distance, candidate)| *distance <= candidate.chars().count().div_ceil(3))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// `a`, `b` and `c`, in backquotes.
pub(crate) fn and_list(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{}`", shorten(word))).collect();
    match quoted.split_last() {
        None => "nothing".into(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

/// A name from the file as it is shown in a sentence: a 10 MB name is not repeated in full, and a control character
/// does not reach the terminal.
pub(crate) fn shorten(name: &str) -> Cow<'_, str> {
    const SHOWN: usize = 40;
    let shown = match name.char_indices().nth(SHOWN) {
        Some((cut, _)) => Cow::Owned(format!("{}…", &name[..cut])),
        None => Cow::Borrowed(name),
    };
    if shown.contains(char::is_control) { shown.replace(char::is_control, "\u{fffd}").into() } else { shown }
}

impl Read for String {
    fn read(json: &Json<'_>, at: Place, faults: &mut Faults<'_>) -> (Self, bool) {
        if let Json::StringLit(text) = json {
            (text.value.to_string(), true)
        } else {
            mistyped(json, at, "a string", faults);
            (String::new(), false)
        }
    }
}

impl Read for bool {
    fn read(json: &Json<'_>, at: Place, faults: &mut Faults<'_>) -> (Self, bool) {
        if let Json::BooleanLit(literal) = json {
            (literal.value, true)
        } else {
            mistyped(json, at, "true or false", faults);
            (false, false)
        }
    }
}

/// Whole numbers of the format lie within plus or minus one million: more than any board, list or countdown needs.
pub(crate) const MAX_NUMBER: i32 = 1_000_000;

impl Read for i32 {
    fn read(json: &Json<'_>, at: Place, faults: &mut Faults<'_>) -> (Self, bool) {
        let Json::NumberLit(number) = json else {
            mistyped(json, at, "a whole number", faults);
            return (0, false);
        };
        if number.value.contains(['.', 'e', 'E']) {
            faults.report(
                Code::Mistyped,
                at,
                format!("Expected a whole number, found {}.", shorten(number.value)),
            );
            return (0, false);
        }
        match number.value.parse::<i32>() {
            Ok(value) if (-MAX_NUMBER..=MAX_NUMBER).contains(&value) => (value, true),
            _ => {
                let message = format!("The number {} is out of range.", shorten(number.value));
                let help = format!("numbers lie between -{MAX_NUMBER} and {MAX_NUMBER}");
                faults.report_with_help(Code::NumberOutOfRange, at, message, help);
                (0, false)
            }
        }
    }
}

impl<T: Read> Read for Vec<At<T>> {
    fn read(json: &Json<'_>, at: Place, faults: &mut Faults<'_>) -> (Self, bool) {
        let Json::Array(array) = json else {
            mistyped(json, at, "a list", faults);
            return (Vec::new(), false);
        };
        let mut whole = true;
        let mut items = Vec::with_capacity(array.elements.len());
        for (index, element) in array.elements.iter().enumerate() {
            let place = child(at, Step::Index(index as u32), element, faults);
            let item = T::read_at(element, place, faults);
            if item.known().is_some() {
                items.push(item);
            } else {
                whole = false;
            }
        }
        (items, whole)
    }
}

/// An object whose keys are names of the game: the players of a POSITION condition.
#[derive(Clone, Debug, Default)]
pub struct Named<T> {
    entries: BTreeMap<String, At<T>>,
    /// The bytes of each key: a wrong name is shown at the name.
    keys: BTreeMap<String, Range<usize>>,
}

impl<T> Named<T> {
    /// The bytes of the file that hold the key.
    pub(crate) fn key_span(&self, key: &str) -> Option<Range<usize>> {
        self.keys.get(key).cloned()
    }
}

impl<T> std::ops::Deref for Named<T> {
    type Target = BTreeMap<String, At<T>>;
    fn deref(&self) -> &Self::Target {
        &self.entries
    }
}

impl<T: Read> Read for Named<T> {
    fn read(json: &Json<'_>, at: Place, faults: &mut Faults<'_>) -> (Self, bool) {
        let Json::Object(object) = json else {
            mistyped(json, at, "an object", faults);
            return (Named { entries: BTreeMap::new(), keys: BTreeMap::new() }, false);
        };
        let (mut entries, mut keys) = (BTreeMap::new(), BTreeMap::new());
        for property in &object.properties {
            let key = property.name.as_str();
            if entries.contains_key(key) {
                duplicate_key(property, at, faults);
                continue;
            }
            let name = property.name.range();
            keys.insert(key.to_owned(), name.start..name.end);
            let place = child(at, Step::Key(key.into()), &property.value, faults);
            entries.insert(key.to_owned(), T::read_at(&property.value, place, faults));
        }
        (Named { entries, keys }, true)
    }
}

#[cfg(feature = "schema")]
impl<T: JsonSchema> JsonSchema for Named<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("Named{}", T::schema_name()).into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let value = generator.subschema_for::<T>();
        json_schema!({ "type": "object", "additionalProperties": value })
    }
}

/// Any JSON at all; it is accepted and not looked at.
#[derive(Clone, Copy, Debug, Default)]
pub struct Anything;

impl Read for Anything {
    fn read(_: &Json<'_>, _: Place, _: &mut Faults<'_>) -> (Self, bool) {
        (Anything, true)
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for Anything {
    fn schema_name() -> Cow<'static, str> {
        "Anything".into()
    }
    fn inline_schema() -> bool {
        true
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({})
    }
}

/// One property of a record, for its schema.
#[cfg(feature = "schema")]
pub(crate) struct Property {
    pub(crate) key: &'static str,
    pub(crate) doc: &'static str,
    pub(crate) required: bool,
    pub(crate) schema: Schema,
}

/// The schema of a record out of its properties.
#[cfg(feature = "schema")]
pub(crate) fn record_schema(doc: &str, properties: Vec<Property>) -> Schema {
    let required: Vec<&str> = properties.iter().filter(|p| p.required).map(|p| p.key).collect();
    let mut map = serde_json::Map::new();
    for Property { key, doc, mut schema, .. } in properties {
        if !doc.is_empty() {
            schema.insert("description".into(), doc.replace("\n ", " ").into());
        }
        map.insert(key.into(), schema.into());
    }
    json_schema!({
        "type": "object",
        "description": doc.replace("\n ", " "),
        "properties": map,
        "required": required,
        "additionalProperties": false,
    })
}

/// Joins the lines of a doc comment.
#[cfg(feature = "schema")]
pub(crate) const fn doc(lines: &'static str) -> &'static str {
    lines.trim_ascii()
}

/// An object of the format: a struct whose fields are keys.
macro_rules! record {
    ($(#[doc = $doc:literal])* $name:ident, $what:literal {
        $($(#[doc = $field_doc:literal])* $key:literal => $field:ident: $ty:ty,)*
    }) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, Default)]
        pub struct $name { $($(#[doc = $field_doc])* pub $field: $ty,)* }

        impl $crate::read::Read for $name {
            fn read(
                json: &jsonc_parser::ast::Value<'_>, at: $crate::place::Place, faults: &mut $crate::diagnostic::Faults<'_>,
            ) -> (Self, bool) {
                let jsonc_parser::ast::Value::Object(object) = json else {
                    $crate::read::mistyped(json, at, "an object", faults);
                    return (Self::default(), false);
                };
                let fields = $crate::read::Fields::open(object, at, &[$($key),*], $what, faults);
                (Self { $($field: fields.take($key, $what, faults),)* }, true)
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> { stringify!($name).into() }
            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $crate::read::record_schema($crate::read::doc(concat!($($doc, "\n",)*)), vec![$($crate::read::Property {
                    key: $key,
                    doc: $crate::read::doc(concat!($($field_doc, "\n",)*)),
                    required: <$ty as $crate::read::Field>::REQUIRED,
                    schema: <$ty as $crate::read::Field>::schema(generator),
                },)*])
            }
        }
    };
}

/// A closed set of words.
macro_rules! words {
    ($(#[doc = $doc:literal])* $name:ident { $($(#[doc = $word_doc:literal])* $variant:ident = $word:literal,)* }) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
        pub enum $name { #[default] $($(#[doc = $word_doc])* $variant,)* }

        impl $name {
            /// The words of the format.
            pub const WORDS: &'static [&'static str] = &[$($word),*];

            /// The word for it.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }
        }

        impl $crate::read::Read for $name {
            fn read(
                json: &jsonc_parser::ast::Value<'_>, at: $crate::place::Place, faults: &mut $crate::diagnostic::Faults<'_>,
            ) -> (Self, bool) {
                let (word, known) = String::read(json, at, faults);
                match word.as_str() {
                    $($word => (Self::$variant, true),)*
                    _ => {
                        if known { $crate::read::unknown_word(&word, Self::WORDS, at, faults); }
                        (Self::default(), false)
                    }
                }
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> { stringify!($name).into() }
            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({
                    "description": $crate::read::doc(concat!($($doc, "\n",)*)),
                    "type": "string",
                    "enum": [$($word),*],
                })
            }
        }
    };
}

/// An object that says with one key what it is; the other keys follow from that. What a word means that is not
/// listed, the type says itself in `other`.
macro_rules! tagged {
    ($(#[doc = $doc:literal])* $name:ident, $what:literal, tag $tag:literal {
        $($(#[doc = $variant_doc:literal])* $word:literal => $variant:ident {
            $($(#[doc = $field_doc:literal])* $key:literal => $field:ident: $ty:ty,)*
        })*
    } $(else #[doc = $other_doc:literal] $other:ident)?) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug)]
        pub enum $name {
            $($(#[doc = $variant_doc])* $variant { $($(#[doc = $field_doc])* $field: $ty,)* },)*
            $(#[doc = $other_doc] $other($crate::place::At<String>),)?
        }

        impl $name {
            /// The words that say what it is.
            pub const WORDS: &'static [&'static str] = &[$($word),*];

            /// The word that says what this one is.
            pub fn word(&self) -> &str {
                match self { $(Self::$variant { .. } => $word,)* $(Self::$other(word) => word,)? }
            }
        }

        impl $crate::read::Read for $name {
            fn read(
                json: &jsonc_parser::ast::Value<'_>, at: $crate::place::Place, faults: &mut $crate::diagnostic::Faults<'_>,
            ) -> (Self, bool) {
                let jsonc_parser::ast::Value::Object(object) = json else {
                    $crate::read::mistyped(json, at, "an object", faults);
                    return (Self::default(), false);
                };
                match $crate::read::tag(object, $tag) {
                    $(Some($word) => {
                        const WHAT: &str = concat!("`", $word, "`");
                        let _fields = $crate::read::Fields::open(object, at, &[$tag, $($key),*], WHAT, faults);
                        (Self::$variant { $($field: _fields.take($key, WHAT, faults),)* }, true)
                    })*
                    _ => {
                        let fields = $crate::read::Fields::unchecked(object, at);
                        let word: At<String> = fields.take($tag, $what, faults);
                        match word.known() {
                            Some(_) => Self::other(&word, object, at, faults),
                            None => (Self::default(), false),
                        }
                    }
                }
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> { stringify!($name).into() }
            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                #[allow(unused_mut, reason = "a closed set of words")]
                let mut kinds = vec![$($crate::read::record_schema($crate::read::doc(concat!($($variant_doc, "\n",)*)), vec![
                    $crate::read::tag_property($tag, $word),
                    $($crate::read::Property {
                        key: $key,
                        doc: $crate::read::doc(concat!($($field_doc, "\n",)*)),
                        required: <$ty as $crate::read::Field>::REQUIRED,
                        schema: <$ty as $crate::read::Field>::schema(generator),
                    },)*
                ]),)*];
                $(kinds.push($crate::read::other_schema($crate::read::doc($other_doc), $tag, Self::WORDS));)?
                schemars::json_schema!({ "description": $crate::read::doc(concat!($($doc, "\n",)*)), "anyOf": kinds })
            }
        }
    };
}

pub(crate) use {record, tagged, words};

/// Reports a word that is not one of a closed set.
pub(crate) fn unknown_word(word: &str, words: &[&str], at: Place, faults: &mut Faults<'_>) {
    let help = match nearest(word, words.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the words here are {}", and_list(words)),
    };
    faults.report_with_help(
        Code::UnknownWord,
        at,
        format!("`{}` is not a word of the format here.", shorten(word)),
        help,
    );
}

/// The string under the key that says what an object is.
pub(crate) fn tag<'j>(object: &'j Object<'_>, key: &str) -> Option<&'j str> {
    object.properties.iter().find(|property| property.name.as_str() == key).and_then(|property| {
        match &property.value {
            Json::StringLit(text) => Some(text.value.as_ref()),
            _ => None,
        }
    })
}

#[cfg(feature = "schema")]
pub(crate) fn tag_property(key: &'static str, word: &'static str) -> Property {
    Property { key, doc: "", required: true, schema: json_schema!({ "const": word }) }
}

/// The schema of a tagged object whose word is none of the built-in ones.
#[cfg(feature = "schema")]
pub(crate) fn other_schema(doc: &str, tag: &str, words: &[&str]) -> Schema {
    json_schema!({
        "description": doc,
        "type": "object",
        "properties": { tag: { "type": "string", "not": { "enum": words } } },
        "required": [tag],
        "additionalProperties": false,
    })
}
