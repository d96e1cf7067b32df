//! What was chosen among what a game leaves open: without it nobody who reads a record knows which game was played.
//!
//! It is told in the words of the command line, as JSON in records and saved games, and as tags in PGN.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What was chosen; what nobody chose is as the game file says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// The array, by its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub array: Option<String>,
    /// The set of rules, by its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// Options and their values, which count more than the set of rules.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
}

impl Choice {
    /// Whether nothing was chosen.
    pub fn is_empty(&self) -> bool {
        *self == Choice::default()
    }

    /// The same as tags of PGN: `Array`, `Rules`, and `Options` as `NAME=VALUE; NAME=VALUE`.
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

    /// What the tags of a game say; or what is wrong with them.
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
