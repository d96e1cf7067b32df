//! JSON and YAML objects with all their entries, including repeated keys, which maps would silently drop.

use std::collections::HashSet;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};

use crate::symbols::clip;

/// The entries of an object, in file order.
#[derive(Clone, Debug)]
pub struct Entries<K, V>(pub Vec<(K, V)>);

impl<V> Entries<String, V> {
    /// Keeps the first entry of each key and reports the others. `what` names the object in these messages.
    pub fn unique(self, what: &str, reasons: &mut Vec<String>) -> Vec<(String, V)> {
        let mut seen = HashSet::new();
        let mut entries = self.0;
        entries.retain(|(key, _)| {
            let is_new = seen.insert(key.clone());
            if !is_new {
                reasons.push(format!("{what} has the key `{}` twice", clip(key)));
            }
            is_new
        });
        entries
    }
}

/// Returns the keys of a JSON object, in file order and with repetitions; `None` if the text is not an object.
///
/// ```
/// let keys = tabiya_notation::object_keys(r#"{ "a": 1, "b": { "c": 2 }, "\u0061": 3 }"#);
/// assert_eq!(keys.unwrap(), ["a", "b", "a"]);
/// ```
pub fn object_keys(json: &str) -> Option<Vec<String>> {
    let Entries(entries) = serde_json::from_str::<Entries<String, IgnoredAny>>(json).ok()?;
    Some(entries.into_iter().map(|(key, _)| key).collect())
}

impl<'de, K: Deserialize<'de>, V: Deserialize<'de>> Deserialize<'de> for Entries<K, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collector<K, V>(PhantomData<(K, V)>);
        impl<'de, K: Deserialize<'de>, V: Deserialize<'de>> Visitor<'de> for Collector<K, V> {
            type Value = Entries<K, V>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(Collector(PhantomData))
    }
}
