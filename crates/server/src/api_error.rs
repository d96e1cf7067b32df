//! The error type of the HTTP and socket API. Errors carry no details of the server's machine.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::http_types::{DiagnosticView, ErrorBody};

/// An error response.
#[derive(Clone, Debug)]
pub(crate) struct ApiError {
    /// The HTTP status. Sockets do not use it.
    pub(crate) status: StatusCode,
    pub(crate) body: ErrorBody,
}

impl ApiError {
    /// Creates an error from a status, a stable code and a sentence.
    pub(crate) fn new(status: StatusCode, rule: &str, why: impl Into<String>) -> Self {
        let body = ErrorBody { rule: rule.to_owned(), why: why.into(), diagnostics: Vec::new() };
        ApiError { status, body }
    }

    /// The request cannot be parsed (400).
    pub(crate) fn bad_request(rule: &str, why: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, rule, why)
    }

    /// The request is well formed but not allowed (422).
    pub(crate) fn rejected(rule: &str, why: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, rule, why)
    }

    /// A limit is reached (429).
    pub(crate) fn too_many(rule: &str, why: impl Into<String>) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, rule, why)
    }

    /// The resource does not exist, or the client may not see it (404).
    pub(crate) fn not_found(why: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", why)
    }

    /// The room does not exist, or the key is wrong (404).
    pub(crate) fn room_not_found() -> Self {
        Self::not_found("unknown room or wrong key")
    }

    /// The server failed (500). Details go to its standard error.
    pub(crate) fn internal() -> Self {
        let why = "internal server error; everything confirmed so far is saved";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "broken", why)
    }

    /// Adds the problems of a spec.
    pub(crate) fn with_diagnostics(mut self, diagnostics: Vec<DiagnosticView>) -> Self {
        self.body.diagnostics = diagnostics;
        self
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.body)).into_response();
        if self.status == StatusCode::TOO_MANY_REQUESTS {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
        }
        response
    }
}
