//! Lines with a state and something else: an output to judge, or a rejection.

use super::object::{Object, read};

/// A state and an answer to judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case<'t> {
    /// The state, as JSON.
    pub state: &'t str,
    /// The answer of an agent, verbatim.
    pub output: String,
}

/// Parses `{"state":…,"output":"…"}`. Other keys are ignored.
///
/// # Errors
///
/// Returns every reason why the line is not a case.
pub fn read_case(line: &str) -> Result<Case<'_>, Vec<String>> {
    let mut reasons = Vec::new();
    let mut fields = match Object::parse(line) {
        Ok(object) => object.once("the line", &mut reasons),
        Err(why) => return Err(vec![format!("the line is not a JSON object: {why}")]),
    };
    let state = fields.take("state");
    if state.is_none() {
        reasons.push("the key `state` is missing".to_owned());
    }
    let output = fields.take("output");
    let text = output.and_then(read);
    if text.is_none() {
        let what = if output.is_some() { "is not a string" } else { "is missing" };
        reasons.push(format!("the key `output` {what}"));
    }
    match (state, text) {
        (Some(state), Some(output)) if reasons.is_empty() => Ok(Case { state: state.get(), output }),
        _ => Err(reasons),
    }
}

/// A message to an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prompt<'t> {
    /// The state, as JSON.
    pub state: &'t str,
    /// Whether the last answer was rejected.
    pub is_refusal: bool,
}

/// Extracts the state from a message: from a rejection, or the line itself.
pub fn read_prompt(line: &str) -> Prompt<'_> {
    let refusal = Object::parse(line).ok().and_then(|mut fields| {
        fields.take("refused")?;
        fields.take("state")
    });
    match refusal {
        Some(state) => Prompt { state: state.get(), is_refusal: true },
        None => Prompt { state: line, is_refusal: false },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_read_with_every_reason() {
        let case = read_case(r#"{"output":"{\"x\":1}","state":{"a":1},"note":7}"#).unwrap();
        assert_eq!((case.state, case.output.as_str()), (r#"{"a":1}"#, r#"{"x":1}"#));
        assert_eq!(read_case("{}").unwrap_err().len(), 2);
        assert_eq!(
            read_case(r#"{"state":{},"output":{}}"#).unwrap_err(),
            ["the key `output` is not a string"]
        );
        assert_eq!(read_case(r#"{"state":{},"state":{},"output":""}"#).unwrap_err().len(), 1);
        for line in ["", "garbage", "[]", "{\"state\":", "null"] {
            assert_eq!(read_case(line).unwrap_err().len(), 1, "{line}");
        }
    }

    #[test]
    fn refusals_hold_a_state() {
        let line = r#"{"refused":{"rule":"jump","why":"…"},"state":{"turn":"white"}}"#;
        assert_eq!(read_prompt(line), Prompt { state: r#"{"turn":"white"}"#, is_refusal: true });
        for line in ["", "{}", r#"{"refused":1}"#, r#"{"state":{}}"#] {
            assert_eq!(read_prompt(line), Prompt { state: line, is_refusal: false });
        }
    }
}
