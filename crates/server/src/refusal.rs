//! Every way to say no: a word for programs, a sentence for people, and the status that HTTP has for it. None of them tells
//! anything about this machine.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::wire::{Fault, Refusal};

/// A refusal on its way out.
#[derive(Clone, Debug)]
pub(crate) struct No {
    /// The status, where it goes out over HTTP.
    pub(crate) status: StatusCode,
    /// What is said.
    pub(crate) refusal: Refusal,
}

impl No {
    /// A refusal of that word and sentence.
    pub(crate) fn new(status: StatusCode, rule: &str, why: impl Into<String>) -> Self {
        No { status, refusal: Refusal { rule: rule.to_owned(), why: why.into(), diagnostics: Vec::new() } }
    }

    /// What was said cannot be read, or means nothing.
    pub(crate) fn bad(rule: &str, why: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, rule, why)
    }

    /// It is understood, and against the rules.
    pub(crate) fn rule(rule: &str, why: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, rule, why)
    }

    /// There is too much of something.
    pub(crate) fn too_much(rule: &str, why: impl Into<String>) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, rule, why)
    }

    /// There is no such thing; or it is there, and not for everybody.
    pub(crate) fn not_found(why: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", why)
    }

    /// It is our own fault. Whoever runs the server finds more on its standard error.
    pub(crate) fn broken() -> Self {
        let why = "something is broken on this server; nothing that was acknowledged is lost";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "broken", why)
    }

    /// The same with the faults of a spec.
    pub(crate) fn with(mut self, diagnostics: Vec<Fault>) -> Self {
        self.refusal.diagnostics = diagnostics;
        self
    }
}

impl IntoResponse for No {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.refusal)).into_response();
        if self.status == StatusCode::TOO_MANY_REQUESTS {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
        }
        response
    }
}
