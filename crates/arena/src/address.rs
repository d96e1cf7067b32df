//! Addresses of agents, as written on the command line and in records.

use std::fmt;
use std::str::FromStr;

use crate::url;

/// The address of an agent.
///
/// # Examples
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
    /// `http:URL`: an endpoint that responds to the state with the JSON object.
    Http(String),
    /// `uci:CMD`: a command that speaks UCI.
    Uci(String),
    /// `chat:URL#MODEL`: a model behind an OpenAI-compatible endpoint.
    Chat {
        /// The endpoint, with or without `/chat/completions`.
        url: String,
        /// The endpoint's name for the model.
        model: String,
    },
    /// `player:NAME`: a built-in player.
    Player(String),
}

/// The reason why a text is not the address of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressError {
    why: String,
    is_secret: bool,
}

impl AddressError {
    /// Returns whether the text may hold a password and must not be repeated.
    pub fn is_secret(&self) -> bool {
        self.is_secret
    }
}

tabiya_engine::error_messages! { AddressError:
    AddressError { why, .. } => "{why}";
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        const FORMS: &str = "an agent is process:CMD, http:URL, uci:CMD, chat:URL#MODEL or player:NAME";
        // Credentials stand before an `@`, even in a text that is otherwise wrong.
        let wrong =
            |what: &str| AddressError { why: format!("{what}; {FORMS}"), is_secret: text.contains('@') };
        let check_url = |url: &str| url::parse(url).map(drop).map_err(wrong);
        let check_command = |command: &str| split_command(command).map(drop).map_err(wrong);
        let (kind, rest) = text.split_once(':').ok_or_else(|| wrong("the kind of agent is missing"))?;
        if rest.trim().is_empty() {
            return Err(wrong("nothing follows the kind of agent"));
        }
        match kind {
            "process" => check_command(rest).map(|()| Self::Process(rest.into())),
            "http" | "https" if rest.starts_with("//") => {
                Err(wrong(&format!("the kind of agent precedes the URL: write http:{kind}://…")))
            }
            "http" => check_url(rest).map(|()| Self::Http(rest.into())),
            "uci" => check_command(rest).map(|()| Self::Uci(rest.into())),
            "chat" => match rest.split_once('#') {
                Some((url, model)) if !url.is_empty() && !model.is_empty() => {
                    check_url(url).map(|()| Self::Chat { url: url.into(), model: model.into() })
                }
                _ => Err(wrong("a chat agent needs a model")),
            },
            "player" => Ok(Self::Player(rest.into())),
            _ => Err(wrong("unknown kind of agent")),
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

/// Splits a command line into program and arguments with the quoting rules of a shell. Variables, patterns and pipes
/// are not expanded.
pub(crate) fn split_command(command: &str) -> Result<Vec<String>, &'static str> {
    match shlex::split(command) {
        None => Err("the command line has an unclosed quote"),
        Some(words) if words.is_empty() => Err("the command line is empty"),
        Some(words) => Ok(words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_round_trips() {
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
    fn passwords_are_rejected_and_not_repeated() {
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
    fn errors_name_the_reason_and_the_forms() {
        for (text, why) in [
            ("", "kind of agent is missing"),
            ("stockfish", "kind of agent is missing"),
            ("process:", "nothing follows"),
            ("uci: ", "nothing follows"),
            ("chat:http://x", "needs a model"),
            ("chat:#m", "needs a model"),
            ("chat:http://x#", "needs a model"),
            ("ftp:x", "unknown kind"),
            ("http:ftp://x", "not an http or https URL"),
            ("http:localhost:1/x", "not an http or https URL"),
            ("chat:ftp://x#m", "not an http or https URL"),
            ("http://127.0.0.1:1/x", "write http:http://…"),
            ("https://example.org/x", "write http:https://…"),
            ("process:\"unclosed", "unclosed quote"),
            ("uci:'unclosed", "unclosed quote"),
        ] {
            let error = text.parse::<Address>().unwrap_err().to_string();
            assert!(error.contains(why) && error.contains("process:CMD"), "{text}: {error}");
        }
    }

    #[test]
    fn command_lines_are_split_without_a_shell() {
        assert_eq!(
            split_command("python3 'my agent.py' --n=3").unwrap(),
            ["python3", "my agent.py", "--n=3"]
        );
        assert_eq!(split_command("echo $HOME | cat").unwrap(), ["echo", "$HOME", "|", "cat"]);
        assert!(split_command("echo 'half").is_err());
        assert!(split_command("  ").is_err());
    }
}
