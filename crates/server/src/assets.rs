//! The pages, embedded in the binary. Browsers revalidate them by `ETag` on each load.

use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use include_dir::{Dir, include_dir};
use sha2::{Digest, Sha256};

use crate::api_error::ApiError;

static WEB: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/web");

/// Serves `/web/{name}`.
pub(crate) async fn file(Path(name): Path<String>, headers: HeaderMap) -> Response {
    serve(&name, &headers)
}

/// Serves an embedded file.
pub(crate) fn serve(name: &str, headers: &HeaderMap) -> Response {
    let kind = match name.rsplit_once('.') {
        Some((_, "html")) => "text/html; charset=utf-8",
        Some((_, "js")) => "text/javascript; charset=utf-8",
        Some((_, "css")) => "text/css; charset=utf-8",
        Some((_, "svg")) => "image/svg+xml",
        _ => "",
    };
    let Some(found) = WEB.get_file(name).filter(|_| !kind.is_empty()) else {
        return ApiError::not_found("there is no such page").into_response();
    };
    let tag = format!("\"{}\"", hex(&Sha256::digest(found.contents())[..8]));
    let is_known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let mut response = if is_known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(header::CONTENT_TYPE, HeaderValue::from_static(kind))], found.contents()).into_response()
    };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    response
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}
