//! Reads JSON into the types of [`crate::model`] and reports problems of structure.
//!
//! The macros in this file define each object of the format once. The definition yields the Rust type, its reader
//! (unknown, duplicate, missing and mistyped keys) and its JSON Schema, so the three cannot disagree.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use jsonc_parser::ast::{Object, ObjectProp, Value as Json};
use jsonc_parser::common::Ranged;
#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::code::Code;
use crate::diagnostic::Diagnostics;
use crate::editing::keys_of as short_keys;
use crate::place::{At, Place, Step};

/// A type that can be read from a JSON value.
pub(crate) trait Read: Sized {
    /// Reads a value. Returns it and whether the file contains it; problems have been reported.
    fn read(json: &Json<'_>, at: Place, diags: &mut Diagnostics<'_>) -> (Self, bool);

    /// Reads a value together with its position.
    fn read_at(json: &Json<'_>, at: Place, diags: &mut Diagnostics<'_>) -> At<Self> {
        let (value, known) = Self::read(json, at, diags);
        At::with_known(value, at, known)
    }
}

/// The bound that the JSON Schema needs; none without the feature `schema`.
#[cfg(feature = "schema")]
pub(crate) trait Described: JsonSchema {}
#[cfg(feature = "schema")]
impl<T: JsonSchema> Described for T {}
#[cfg(not(feature = "schema"))]
pub(crate) trait Described {}
#[cfg(not(feature = "schema"))]
impl<T> Described for T {}

/// A field of an object. Its type determines what its absence means.
pub(crate) trait Field: Sized {
    const REQUIRED: bool;
    fn from_json(json: &Json<'_>, at: Place, diags: &mut Diagnostics<'_>) -> Self;
    fn absent(object: Place) -> Self;
    #[cfg(feature = "schema")]
    fn schema(generator: &mut SchemaGenerator) -> Schema;
}

impl<T: Read + Default + Described> Field for At<T> {
    const REQUIRED: bool = true;
    fn from_json(json: &Json<'_>, at: Place, diags: &mut Diagnostics<'_>) -> Self {
        T::read_at(json, at, diags)
    }
    fn absent(object: Place) -> Self {
        At::with_known(T::default(), object, false)
    }
    #[cfg(feature = "schema")]
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }
}

/// `None` if the key is absent. An unreadable value is `Some` but not [`At::known`], so that checks do not mistake it
/// for an absent key.
impl<T: Read + Described> Field for Option<At<T>> {
    const REQUIRED: bool = false;
    fn from_json(json: &Json<'_>, at: Place, diags: &mut Diagnostics<'_>) -> Self {
        Some(T::read_at(json, at, diags))
    }
    fn absent(_: Place) -> Self {
        None
    }
    #[cfg(feature = "schema")]
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }
}

/// An optional list; an absent list is empty.
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
    fn from_json(json: &Json<'_>, at: Place, diags: &mut Diagnostics<'_>) -> Self {
        List(Read::read_at(json, at, diags))
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

/// The keys of a JSON object.
pub(crate) struct Fields<'j, 'a> {
    object: &'j Object<'a>,
    at: Place,
}

impl<'j, 'a> Fields<'j, 'a> {
    /// Checks the keys of an object against the allowed ones. `definition` is its name in the JSON Schema, which knows the
    /// keys of short forms, too.
    pub(crate) fn open(
        object: &'j Object<'a>,
        at: Place,
        allowed: &[&str],
        definition: Option<&str>,
        what: &str,
        diags: &mut Diagnostics<'_>,
    ) -> Self {
        let mut seen = std::collections::HashSet::new();
        for property in &object.properties {
            let key = property.name.as_str();
            let is_new = seen.insert(key);
            if !allowed.contains(&key) {
                let place = child(at, Step::Key(key.into()), &property.value, diags);
                let short = definition.map_or_else(Vec::new, short_keys);
                let short = short.into_iter().filter(|other| *other != key && !allowed.contains(other));
                let known: Vec<&str> = allowed.iter().copied().chain(short).collect();
                let help = match diags.suggest(key, known.iter().copied()) {
                    Some(help) => help,
                    None if known.is_empty() => "no keys are allowed here".into(),
                    None => format!("the keys here are {}", quoted_list(&known)),
                };
                let name = property.name.range();
                diags.report_span(
                    Code::UnknownKey,
                    place,
                    name.start..name.end,
                    format!("{what} has no key `{}`.", shorten(key)),
                    Some(help),
                );
            } else if !is_new {
                duplicate_key(property, at, diags);
            }
        }
        Fields { object, at }
    }

    /// Wraps an object whose allowed keys are not known.
    pub(crate) fn unchecked(object: &'j Object<'a>, at: Place) -> Self {
        Fields { object, at }
    }

    pub(crate) fn take<F: Field>(&self, key: &'static str, what: &str, diags: &mut Diagnostics<'_>) -> F {
        if let Some(property) = self.object.properties.iter().find(|property| property.name.as_str() == key) {
            let place = child(self.at, Step::Key(key.into()), &property.value, diags);
            F::from_json(&property.value, place, diags)
        } else {
            if F::REQUIRED {
                let brace = diags.places().span(self.at).start;
                diags.report_span(
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

/// Returns whether an object of a file repeats a key.
pub(crate) fn has_duplicates(json: &Json<'_>) -> bool {
    match json {
        Json::Object(object) => {
            let properties = &object.properties;
            let is_repeated = |index: usize| {
                let name = properties[index].name.as_str();
                properties[..index].iter().any(|other| other.name.as_str() == name)
            };
            let few = properties.len() <= 64;
            let repeats = if few {
                (1..properties.len()).any(is_repeated)
            } else {
                let names: std::collections::HashSet<&str> =
                    properties.iter().map(|it| it.name.as_str()).collect();
                names.len() < properties.len()
            };
            repeats || properties.iter().any(|it| has_duplicates(&it.value))
        }
        Json::Array(array) => array.elements.iter().any(has_duplicates),
        _ => false,
    }
}

/// Reports every repeated key of a file.
pub(crate) fn report_duplicates(json: &Json<'_>, at: Place, diags: &mut Diagnostics<'_>) {
    match json {
        Json::Object(object) => {
            let mut seen = std::collections::HashSet::new();
            for property in &object.properties {
                if !seen.insert(property.name.as_str()) {
                    duplicate_key(property, at, diags);
                }
                let place = child(at, Step::Key(property.name.as_str().into()), &property.value, diags);
                report_duplicates(&property.value, place, diags);
            }
        }
        Json::Array(array) => {
            for (index, element) in array.elements.iter().enumerate() {
                let place = child(at, Step::Index(index as u32), element, diags);
                report_duplicates(element, place, diags);
            }
        }
        _ => {}
    }
}

/// Reports a repeated key.
fn duplicate_key(property: &ObjectProp<'_>, at: Place, diags: &mut Diagnostics<'_>) {
    let key = property.name.as_str();
    let place = child(at, Step::Key(key.into()), &property.value, diags);
    let name = property.name.range();
    diags.report_span(
        Code::DuplicateKey,
        place,
        name.start..name.end,
        format!("The key `{}` appears twice in this object.", shorten(key)),
        Some("remove or rename one of them".into()),
    );
}

pub(crate) fn child(parent: Place, step: Step, json: &Json<'_>, diags: &mut Diagnostics<'_>) -> Place {
    let range = json.range();
    diags.places().add(parent, step, range.start..range.end)
}

/// Reports a value of the wrong type.
pub(crate) fn mistyped(json: &Json<'_>, at: Place, expected: &str, diags: &mut Diagnostics<'_>) {
    let found = match json {
        Json::StringLit(_) => "a string",
        Json::NumberLit(_) => "a number",
        Json::BooleanLit(_) => "true or false",
        Json::Object(_) => "an object",
        Json::Array(_) => "a list",
        Json::NullKeyword(_) => "null",
    };
    diags.report(Code::Mistyped, at, format!("Expected {expected}, found {found}."));
}

pub(crate) fn quoted_list(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{}`", shorten(word))).collect();
    match quoted.split_last() {
        None => "nothing".into(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

/// Shortens a name from the file for a message and replaces control characters.
pub(crate) fn shorten(name: &str) -> Cow<'_, str> {
    const SHOWN: usize = 40;
    let shown = match name.char_indices().nth(SHOWN) {
        Some((cut, _)) => Cow::Owned(format!("{}…", &name[..cut])),
        None => Cow::Borrowed(name),
    };
    if shown.contains(char::is_control) { shown.replace(char::is_control, "\u{fffd}").into() } else { shown }
}

impl Read for String {
    fn read(json: &Json<'_>, at: Place, diags: &mut Diagnostics<'_>) -> (Self, bool) {
        if let Json::StringLit(text) = json {
            (text.value.to_string(), true)
        } else {
            mistyped(json, at, "a string", diags);
            (String::new(), false)
        }
    }
}

impl Read for bool {
    fn read(json: &Json<'_>, at: Place, diags: &mut Diagnostics<'_>) -> (Self, bool) {
        if let Json::BooleanLit(literal) = json {
            (literal.value, true)
        } else {
            mistyped(json, at, "true or false", diags);
            (false, false)
        }
    }
}

/// Numbers are between minus and plus one million, more than any board, list or countdown needs.
pub(crate) const MAX_NUMBER: i32 = 1_000_000;

impl Read for i32 {
    fn read(json: &Json<'_>, at: Place, diags: &mut Diagnostics<'_>) -> (Self, bool) {
        let Json::NumberLit(number) = json else {
            mistyped(json, at, "a whole number", diags);
            return (0, false);
        };
        if number.value.contains(['.', 'e', 'E']) {
            diags.report(
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
                let help = format!("numbers must be between -{MAX_NUMBER} and {MAX_NUMBER}");
                diags.report_with_help(Code::NumberOutOfRange, at, message, help);
                (0, false)
            }
        }
    }
}

impl<T: Read> Read for Vec<At<T>> {
    fn read(json: &Json<'_>, at: Place, diags: &mut Diagnostics<'_>) -> (Self, bool) {
        let Json::Array(array) = json else {
            mistyped(json, at, "a list", diags);
            return (Vec::new(), false);
        };
        let mut whole = true;
        let mut items = Vec::with_capacity(array.elements.len());
        for (index, element) in array.elements.iter().enumerate() {
            let place = child(at, Step::Index(index as u32), element, diags);
            let item = T::read_at(element, place, diags);
            if item.known().is_some() {
                items.push(item);
            } else {
                whole = false;
            }
        }
        (items, whole)
    }
}

/// An object whose keys are names defined by the game.
#[derive(Clone, Debug, Default)]
pub struct Named<T> {
    entries: BTreeMap<String, At<T>>,
    /// The byte range of each key, to report a wrong name there.
    keys: BTreeMap<String, Range<usize>>,
}

impl<T> Named<T> {
    /// Returns the byte range of a key.
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
    fn read(json: &Json<'_>, at: Place, diags: &mut Diagnostics<'_>) -> (Self, bool) {
        let Json::Object(object) = json else {
            mistyped(json, at, "an object", diags);
            return (Named { entries: BTreeMap::new(), keys: BTreeMap::new() }, false);
        };
        let (mut entries, mut keys) = (BTreeMap::new(), BTreeMap::new());
        for property in &object.properties {
            let key = property.name.as_str();
            if entries.contains_key(key) {
                duplicate_key(property, at, diags);
                continue;
            }
            let name = property.name.range();
            keys.insert(key.to_owned(), name.start..name.end);
            let place = child(at, Step::Key(key.into()), &property.value, diags);
            entries.insert(key.to_owned(), T::read_at(&property.value, place, diags));
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

/// Implements `JsonSchema` for a type of the format. The schema of an inline type is repeated wherever the type is
/// used; that of any other type is a definition.
macro_rules! schema {
    ($name:ident, inline: $inline:literal, |$generator:pat_param| $schema:expr) => {
        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }
            fn inline_schema() -> bool {
                $inline
            }
            fn json_schema($generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $schema
            }
        }
    };
}

/// Any JSON value; it is not interpreted.
#[derive(Clone, Copy, Debug, Default)]
pub struct AnyJson;

impl Read for AnyJson {
    fn read(_: &Json<'_>, _: Place, _: &mut Diagnostics<'_>) -> (Self, bool) {
        (AnyJson, true)
    }
}

schema!(AnyJson, inline: true, |_| json_schema!({}));

/// A property of an object schema.
#[cfg(feature = "schema")]
pub(crate) struct Property {
    pub(crate) key: &'static str,
    pub(crate) doc: &'static str,
    pub(crate) required: bool,
    pub(crate) schema: Schema,
}

#[cfg(feature = "schema")]
impl Property {
    /// Describes a key whose values have the type `F`.
    pub(crate) fn of<F: Field>(
        key: &'static str,
        lines: &'static str,
        generator: &mut SchemaGenerator,
    ) -> Self {
        Property { key, doc: doc(lines), required: F::REQUIRED, schema: F::schema(generator) }
    }
}

/// Builds an object schema from its properties.
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

/// Trims the text of a doc comment.
#[cfg(feature = "schema")]
pub(crate) const fn doc(lines: &'static str) -> &'static str {
    lines.trim_ascii()
}

/// Defines objects of the format: structs whose fields are keys.
macro_rules! record {
    ($($(#[doc = $doc:literal])* $name:ident, $what:literal {
        $($(#[doc = $field_doc:literal])* $key:literal => $field:ident: $ty:ty,)*
    })*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Debug, Default)]
        pub struct $name { $($(#[doc = $field_doc])* pub $field: $ty,)* }

        impl $crate::read::Read for $name {
            fn read(
                json: &jsonc_parser::ast::Value<'_>, at: $crate::place::Place, diags: &mut $crate::diagnostic::Diagnostics<'_>,
            ) -> (Self, bool) {
                let jsonc_parser::ast::Value::Object(object) = json else {
                    $crate::read::mistyped(json, at, "an object", diags);
                    return (Self::default(), false);
                };
                let fields = $crate::read::Fields::open(object, at, &[$($key),*], Some(stringify!($name)), $what, diags);
                (Self { $($field: fields.take($key, $what, diags),)* }, true)
            }
        }

        $crate::read::schema!($name, inline: false, |generator| $crate::read::record_schema(
            $crate::read::doc(concat!($($doc, "\n",)*)),
            vec![$($crate::read::Property::of::<$ty>($key, concat!($($field_doc, "\n",)*), generator),)*],
        ));
    )*};
}

/// Defines closed sets of keywords.
macro_rules! keywords {
    ($($(#[doc = $doc:literal])* $name:ident {
        $($(#[doc = $word_doc:literal])* $variant:ident = $word:literal,)*
    })*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
        pub enum $name { #[default] $($(#[doc = $word_doc])* $variant,)* }

        impl $name {
            /// All keywords.
            pub const KEYWORDS: &'static [&'static str] = &[$($word),*];

            /// Returns the keyword.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }
        }

        impl $crate::read::Read for $name {
            fn read(
                json: &jsonc_parser::ast::Value<'_>, at: $crate::place::Place, diags: &mut $crate::diagnostic::Diagnostics<'_>,
            ) -> (Self, bool) {
                let (word, known) = String::read(json, at, diags);
                match word.as_str() {
                    $($word => (Self::$variant, true),)*
                    _ => {
                        if known { $crate::read::unknown_keyword(&word, Self::KEYWORDS, at, diags); }
                        (Self::default(), false)
                    }
                }
            }
        }

        $crate::read::schema!($name, inline: false, |_| schemars::json_schema!({
            "description": $crate::read::doc(concat!($($doc, "\n",)*)),
            "type": "string",
            "enum": [$($word),*],
            "enumDescriptions": [$($crate::read::doc(concat!($($word_doc, "\n",)*)).replace("\n ", " ")),*],
        }));
    )*};
}

/// Defines an object whose kind is given by one key; the kind determines its other keys. A type with `else` accepts
/// other keywords as codes.
macro_rules! tagged {
    ($(#[doc = $doc:literal])* $name:ident, $what:literal, tag $tag:literal {
        $($(#[doc = $variant_doc:literal])* $word:literal => $variant:ident {
            $($(#[doc = $field_doc:literal])* $key:literal => $field:ident: $ty:ty,)*
        })*
    } $(else
        #[doc = $other_doc:literal] $other:ident,
        #[doc = $shared_doc:literal] $shared:ident($words:ident)
    )?) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug)]
        pub enum $name {
            $($(#[doc = $variant_doc])* $variant { $($(#[doc = $field_doc])* $field: $ty,)* },)*
            $(
                #[doc = $other_doc] $other($crate::place::At<String>),
                #[doc = $shared_doc] $shared($words),
            )?
        }

        impl $name {
            /// All keywords for the kind.
            pub const KEYWORDS: &'static [&'static str] = &[$($word),*];

            /// Returns the keyword for the kind.
            pub fn keyword(&self) -> &str {
                match self {
                    $(Self::$variant { .. } => $word,)*
                    $(Self::$other(word) => word, Self::$shared(words) => words.keyword(),)?
                }
            }

            #[allow(unreachable_code, unused_variables, reason = "only some types have other kinds")]
            fn other(
                word: &$crate::place::At<String>, json: &jsonc_parser::ast::Value<'_>, at: $crate::place::Place,
                diags: &mut $crate::diagnostic::Diagnostics<'_>,
            ) -> (Self, bool) {
                $(
                    if $words::KEYWORDS.contains(&word.as_str()) {
                        let (words, known) = $words::read(json, at, diags);
                        return (Self::$shared(words), known);
                    }
                    if let jsonc_parser::ast::Value::Object(object) = json {
                        let what = concat!($what, " named by its code");
                        $crate::read::Fields::open(object, at, &[$tag], None, what, diags);
                    }
                    return (Self::$other(word.clone()), true);
                )?
                $crate::read::unknown_keyword(word, Self::KEYWORDS, word.place(), diags);
                (Self::default(), false)
            }
        }

        impl $crate::read::Read for $name {
            fn read(
                json: &jsonc_parser::ast::Value<'_>, at: $crate::place::Place, diags: &mut $crate::diagnostic::Diagnostics<'_>,
            ) -> (Self, bool) {
                let jsonc_parser::ast::Value::Object(object) = json else {
                    $crate::read::mistyped(json, at, "an object", diags);
                    return (Self::default(), false);
                };
                match $crate::read::tag(object, $tag) {
                    $(Some($word) => {
                        const WHAT: &str = concat!("`", $word, "`");
                        let _fields = $crate::read::Fields::open(object, at, &[$tag, $($key),*], None, WHAT, diags);
                        (Self::$variant { $($field: _fields.take($key, WHAT, diags),)* }, true)
                    })*
                    _ => {
                        let fields = $crate::read::Fields::unchecked(object, at);
                        let word: At<String> = fields.take($tag, $what, diags);
                        match word.known() {
                            Some(_) => Self::other(&word, json, at, diags),
                            None => (Self::default(), false),
                        }
                    }
                }
            }
        }

        $crate::read::schema!($name, inline: false, |generator| {
            #[allow(unused_mut, reason = "only some types have other kinds")]
            let mut kinds = vec![
                $($crate::read::record_schema($crate::read::doc(concat!($($variant_doc, "\n",)*)), vec![
                    $crate::read::tag_property($tag, $word),
                    $($crate::read::Property::of::<$ty>($key, concat!($($field_doc, "\n",)*), generator),)*
                ]),)*
            ];
            $(
                kinds.extend($crate::read::shared_schemas($words::json_schema(generator), $tag, Self::KEYWORDS));
                let words = [Self::KEYWORDS, $words::KEYWORDS].concat();
                kinds.push($crate::read::other_schema($crate::read::doc($other_doc), $tag, &words));
            )?
            schemars::json_schema!({ "description": $crate::read::doc(concat!($($doc, "\n",)*)), "anyOf": kinds })
        });
    };
}

pub(crate) use {keywords, record, schema, tagged};

/// Reports a keyword outside its set.
pub(crate) fn unknown_keyword(word: &str, words: &[&str], at: Place, diags: &mut Diagnostics<'_>) {
    let help = diags
        .suggest(word, words.iter().copied())
        .unwrap_or_else(|| format!("the keywords here are {}", quoted_list(words)));
    let message = format!("`{}` is not a keyword here.", shorten(word));
    diags.report_with_help(Code::UnknownWord, at, message, help);
}

/// Returns the string under a key.
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

/// Returns the kinds of another tagged type, without those that have a separate definition.
#[cfg(feature = "schema")]
pub(crate) fn shared_schemas(mut of: Schema, tag: &str, own: &[&str]) -> Vec<Schema> {
    let kinds = of.ensure_object().remove("anyOf");
    let kinds = kinds.and_then(|kinds| kinds.as_array().cloned()).unwrap_or_default();
    let is_own = |kind: &serde_json::Value| own.iter().any(|word| kind["properties"][tag]["const"] == **word);
    kinds.into_iter().filter(|kind| !is_own(kind)).filter_map(|kind| kind.try_into().ok()).collect()
}

/// Returns the schema of a tagged object whose kind is not built in.
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
