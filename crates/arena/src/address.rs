//! How agents are named on a command line and in records.

use std::fmt;
use std::str::FromStr;

use crate::launch;
use crate::url;

/// Where an agent is found.
///
/// ```
/// use tabiya_arena::Address;
///
/// let address: Address = "chat:http://localhost:8080/v1#tiny".parse().unwrap();
/// assert_eq!(address, Address::Chat { url: "http://localhost:8080/v1".into(), model: "tiny".into() });
/// assert_eq!(address.to_string(), "chat:http://localhost:8080/v1#tiny");
/// assert!("stockfish".parse::<Address>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Address {
    /// `process:CMD`: a command that speaks JSON lines.
    Process(String),
    /// `http:URL`: an endpoint that answers the state with the object.
    Http(String),
    /// `uci:CMD`: a command that speaks UCI.
    Uci(String),
    /// `chat:URL#MODEL`: a model behind an OpenAI-compatible endpoint.
    Chat {
        /// The endpoint, with or without `/chat/completions`.
        url: String,
        /// What the endpoint calls the model.
        model: String,
    },
    /// `player:NAME`: one of our own players.
    Player(String),
}

/// Why a text names no agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressError {
    why: String,
    is_secret: bool,
}

impl AddressError {
    /// Whether the text may hold a password, so that nobody should repeat it.
    pub fn is_secret(&self) -> bool {
        self.is_secret
    }
}

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for AddressError {}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        const FORMS: &str = "an agent is process:CMD, http:URL, uci:CMD, chat:URL#MODEL or player:NAME";
        // Names and passwords stand before an `@`, whatever else is wrong.
        let wrong =
            |what: &str| AddressError { why: format!("{what}; {FORMS}"), is_secret: text.contains('@') };
        let checked = |url: &str| url::check(url).map(drop).map_err(wrong);
        let split = |command: &str| launch::words(command).map(drop).map_err(wrong);
        let (kind, rest) = text.split_once(':').ok_or_else(|| wrong("this names no kind of agent"))?;
        if rest.trim().is_empty() {
            return Err(wrong("nothing follows the kind of agent"));
        }
        match kind {
            "process" => split(rest).map(|()| Self::Process(rest.into())),
            "http" if rest.starts_with("//") => {
                Err(wrong("the kind stands before the URL: write http:http://…"))
            }
            "https" if rest.starts_with("//") => {
                Err(wrong("the kind stands before the URL: write http:https://…"))
            }
            "http" => checked(rest).map(|()| Self::Http(rest.into())),
            "uci" => split(rest).map(|()| Self::Uci(rest.into())),
            "chat" => match rest.split_once('#') {
                Some((url, model)) if !url.is_empty() && !model.is_empty() => {
                    checked(url).map(|()| Self::Chat { url: url.into(), model: model.into() })
                }
                _ => Err(wrong("a chat agent needs its model")),
            },
            "player" => Ok(Self::Player(rest.into())),
            _ => Err(wrong("there is no such kind of agent")),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Process(command) => write!(f, "process:{command}"),
            Self::Http(url) => write!(f, "http:{url}"),
            Self::Uci(command) => write!(f, "uci:{command}"),
            Self::Chat { url, model } => write!(f, "chat:{url}#{model}"),
            Self::Player(name) => write!(f, "player:{name}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_read_and_written() {
        for text in [
            "process:python3 'my agent.py' --fast",
            "http:http://127.0.0.1:9000/move",
            "uci:stockfish",
            "chat:https://example.org/v1#some/model",
            "player:random",
        ] {
            assert_eq!(text.parse::<Address>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn a_password_is_refused_and_not_repeated() {
        for text in [
            "http:http://me:secret@localhost/",
            "chat:https://me:secret@localhost/v1#tiny",
            "chat:http://me:se#secret@localhost/v1#tiny",
            "http://me:secret@localhost/",
            "htp:me:secret@localhost",
        ] {
            let error = text.parse::<Address>().unwrap_err();
            assert!(error.is_secret() && !error.to_string().contains("secret"), "{text}: {error}");
        }
        assert!("chat:http://localhost/v1#name@version".parse::<Address>().is_ok());
        assert!(!"stockfish".parse::<Address>().unwrap_err().is_secret());
    }

    #[test]
    fn what_is_no_address_says_so() {
        for (text, why) in [
            ("", "no kind"),
            ("stockfish", "no kind"),
            ("process:", "nothing follows"),
            ("uci: ", "nothing follows"),
            ("chat:http://x", "its model"),
            ("chat:#m", "its model"),
            ("chat:http://x#", "its model"),
            ("ftp:x", "no such kind"),
            ("http:ftp://x", "no http or https URL"),
            ("http:localhost:1/x", "no http or https URL"),
            ("chat:ftp://x#m", "no http or https URL"),
            ("http://127.0.0.1:1/x", "write http:http://…"),
            ("https://example.org/x", "write http:https://…"),
            ("process:\"unclosed", "a quote is not closed"),
            ("uci:'unclosed", "a quote is not closed"),
        ] {
            let error = text.parse::<Address>().unwrap_err().to_string();
            assert!(error.contains(why) && error.contains("process:CMD"), "{text}: {error}");
        }
    }
}
