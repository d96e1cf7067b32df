//! Values that must not come out again. A key goes to the one who needs it; what comes back from there (an answer, an
//! error, the last words on standard error) may be kept in a record, so keys are taken out of it first.

use std::borrow::Cow;
use std::fmt;

/// Shorter values are left alone: they are settings rather than keys, and to blot out every `4` would harm answers.
const SHORTEST: usize = 4;

/// Named values that are hidden, the longest first: one that is part of another must not leave the rest of it behind.
#[derive(Clone, Default)]
pub(crate) struct Secrets(Vec<(String, String)>);

impl Secrets {
    /// The values that these variables of the environment have now.
    pub(crate) fn of_environment<'n>(names: impl IntoIterator<Item = &'n String>) -> Self {
        Self::new(
            names.into_iter().filter_map(|name| Some((name.clone(), std::env::var(name).ok()?))).collect(),
        )
    }

    fn new(mut values: Vec<(String, String)>) -> Self {
        values.sort_by_key(|(_, value)| std::cmp::Reverse(value.len()));
        Self(values)
    }

    /// The names of values that are too short to be hidden.
    pub(crate) fn too_short(&self) -> impl Iterator<Item = &str> {
        let is_short = |value: &str| !value.is_empty() && value.len() < SHORTEST;
        self.0.iter().filter(move |(_, value)| is_short(value)).map(|(name, _)| name.as_str())
    }

    /// The value of a name.
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    /// The text with the name in brackets wherever a value stood.
    pub(crate) fn hide<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut shown = Cow::Borrowed(text);
        for (name, value) in self.0.iter().filter(|(_, value)| value.len() >= SHORTEST) {
            if shown.contains(value) {
                shown = Cow::Owned(shown.replace(value, &format!("[{name}]")));
            }
        }
        shown
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_hidden_and_settings_are_not() {
        let secrets =
            Secrets::new(vec![("THREADS".into(), "4".into()), ("KEY".into(), "sk-0123456789".into())]);
        assert_eq!(
            secrets.hide("e2e4 with sk-0123456789, twice sk-0123456789"),
            "e2e4 with [KEY], twice [KEY]"
        );
        assert_eq!(secrets.hide("e2e4"), "e2e4");
        assert_eq!(format!("{secrets:?}"), r#"["KEY", "THREADS"]"#);
        assert_eq!(secrets.value("THREADS"), Some("4"));
    }

    #[test]
    fn four_bytes_are_a_secret_and_three_are_none() {
        let values = [("PIN", "4711"), ("SHORT", "471"), ("EMPTY", ""), ("LONG", "4711-0815")];
        let secrets = Secrets::new(values.map(|(name, value)| (name.into(), value.into())).to_vec());
        assert_eq!(secrets.hide("4711 471 4711-0815"), "[PIN] 471 [LONG]");
        assert_eq!(secrets.too_short().collect::<Vec<_>>(), ["SHORT"]);
    }
}
