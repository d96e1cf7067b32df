//! Values that must not appear in records. A key is sent to the agent that needs it; the agent's output (an answer, an
//! error, its standard error) is recorded, so keys are replaced in it first.

use std::borrow::Cow;
use std::fmt;

/// Shorter values are not hidden: they are settings rather than keys, and replacing every `4` would damage answers.
const SHORTEST: usize = 4;

/// Named values to hide, longest first, because one value may be part of another.
#[derive(Clone, Default)]
pub(crate) struct Secrets(Vec<(String, String)>);

impl Secrets {
    /// Returns the current values of environment variables.
    pub(crate) fn of_environment<'n>(names: impl IntoIterator<Item = &'n String>) -> Self {
        Self::new(
            names.into_iter().filter_map(|name| Some((name.clone(), std::env::var(name).ok()?))).collect(),
        )
    }

    fn new(mut values: Vec<(String, String)>) -> Self {
        values.sort_by_key(|(_, value)| std::cmp::Reverse(value.len()));
        Self(values)
    }

    /// Returns the names of values that are too short to be hidden.
    pub(crate) fn too_short(&self) -> impl Iterator<Item = &str> {
        let is_short = |value: &str| !value.is_empty() && value.len() < SHORTEST;
        self.0.iter().filter(move |(_, value)| is_short(value)).map(|(name, _)| name.as_str())
    }

    /// Returns the value of a name.
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    /// Replaces every value in the text by its name in brackets.
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

/// Shows the names only.
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
    fn values_of_four_bytes_are_hidden_and_shorter_ones_are_not() {
        let values = [("PIN", "4711"), ("SHORT", "471"), ("EMPTY", ""), ("LONG", "4711-0815")];
        let secrets = Secrets::new(values.map(|(name, value)| (name.into(), value.into())).to_vec());
        assert_eq!(secrets.hide("4711 471 4711-0815"), "[PIN] 471 [LONG]");
        assert_eq!(secrets.too_short().collect::<Vec<_>>(), ["SHORT"]);
    }
}
