//! Values that must not come out again. A key goes to the one who needs it; what comes back from there (an answer, an
//! error, the last words on standard error) may be kept in a record, so keys are taken out of it first.

use std::borrow::Cow;
use std::fmt;

/// Shorter values are left alone: they are settings rather than keys, and to blot out every `4` would harm answers.
const SHORTEST: usize = 8;

/// Named values that are hidden.
#[derive(Clone, Default)]
pub(crate) struct Secrets(Vec<(String, String)>);

impl Secrets {
    /// The values that these variables of the environment have now.
    pub(crate) fn of_environment<'n>(names: impl IntoIterator<Item = &'n String>) -> Self {
        Self(names.into_iter().filter_map(|name| Some((name.clone(), std::env::var(name).ok()?))).collect())
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
        let secrets = Secrets(vec![("KEY".into(), "sk-0123456789".into()), ("THREADS".into(), "4".into())]);
        assert_eq!(
            secrets.hide("e2e4 with sk-0123456789, twice sk-0123456789"),
            "e2e4 with [KEY], twice [KEY]"
        );
        assert_eq!(secrets.hide("e2e4"), "e2e4");
        assert_eq!(format!("{secrets:?}"), r#"["KEY", "THREADS"]"#);
        assert_eq!(secrets.value("THREADS"), Some("4"));
    }
}
