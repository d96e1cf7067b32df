//! The chosen array, rule set and options of a game. A record needs them to name the game that was played.
//!
//! Records and saved games store them as JSON, PGN as tags.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The chosen array, rule set and options. Everything else has the default of the game file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// The array, by its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub array: Option<String>,
    /// The set of rules, by its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// Options and their values, which override the rule set.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
}

impl Choice {
    /// Whether nothing was chosen.
    pub fn is_empty(&self) -> bool {
        *self == Choice::default()
    }

    /// Returns PGN tags: `Array`, `Rules`, and `Options` as `NAME=VALUE; NAME=VALUE`.
    ///
    /// ```
    /// use tabiya_referee::record::Choice;
    ///
    /// let tags = [("Rules", "zalewski"), ("Options", "PTAH=true; QUERENT=BLUE")];
    /// let find = |name: &str| tags.iter().find(|(tag, _)| *tag == name).map(|(_, value)| *value);
    /// let choice = Choice::from_tags(find).unwrap();
    /// assert_eq!(choice.options["QUERENT"], "BLUE");
    /// assert_eq!(choice.tags(), tags.map(|(tag, value)| (tag, value.to_owned())));
    /// assert!(Choice::from_tags(|_| Some("")).is_err());
    /// ```
    pub fn tags(&self) -> Vec<(&'static str, String)> {
        let options: Vec<String> =
            self.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let options = Some(options.join("; ")).filter(|text| !text.is_empty());
        let tags = [("Array", self.array.clone()), ("Rules", self.rules.clone()), ("Options", options)];
        tags.into_iter().filter_map(|(tag, value)| Some((tag, value?))).collect()
    }

    /// Parses PGN tags.
    ///
    /// # Errors
    ///
    /// The tag `Options` is malformed.
    pub fn from_tags<'t>(tag: impl Fn(&str) -> Option<&'t str>) -> Result<Choice, String> {
        let mut options = BTreeMap::new();
        for word in tag("Options").into_iter().flat_map(|text| text.split("; ")) {
            let (name, value) =
                word.split_once('=').ok_or("the tag Options is not of the form NAME=VALUE; NAME=VALUE")?;
            options.insert(name.trim().to_owned(), value.trim().to_owned());
        }
        let own = |name: &str| tag(name).map(str::to_owned);
        Ok(Choice { array: own("Array"), rules: own("Rules"), options })
    }
}
