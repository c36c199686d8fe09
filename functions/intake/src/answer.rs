//! Answers, as JSON for scripts and as pages for browsers.

use std::collections::BTreeMap;

use frontdesk_settings::SiteForm;
use frontdesk_texts::Notice;
use lambda_http::http::StatusCode;
use lambda_http::http::header::{self, HeaderName, HeaderValue};
use lambda_http::{Body, Request, Response};
use serde::Serialize;

/// Seconds after which a client may try again when the store cannot be reached.
const RETRY_AFTER: HeaderValue = HeaderValue::from_static("5");

/// Why a request is not answered with success.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) status: StatusCode,
    pub(crate) code: &'static str,
    pub(crate) message: &'static str,
    pub(crate) notice: Notice,
    /// By field, what is wrong with it.
    pub(crate) fields: BTreeMap<String, String>,
}

macro_rules! problems {
    ($($name:ident = $status:ident $code:literal $message:literal $notice:ident;)*) => {
        impl Problem {
            $(pub(crate) const $name: Self = Self {
                status: StatusCode::$status,
                code: $code,
                message: $message,
                notice: Notice::$notice,
                fields: BTreeMap::new(),
            };)*
        }
    };
}

problems! {
    NO_SUCH_FORM = NOT_FOUND "no_such_form" "There is no such form." NoSuchForm;
    METHOD = METHOD_NOT_ALLOWED "method_not_allowed" "The form takes GET, POST and OPTIONS." Unreadable;
    TOO_LARGE = PAYLOAD_TOO_LARGE "too_large" "The body is longer than 64 KiB." TooLarge;
    MEDIA_TYPE = UNSUPPORTED_MEDIA_TYPE "unsupported_media_type"
        "Send application/json or application/x-www-form-urlencoded, and say so in content-type." Unreadable;
    UNREADABLE = BAD_REQUEST "unreadable" "The body is not what its content type says." Unreadable;
    INVALID = UNPROCESSABLE_ENTITY "invalid_fields" "Some fields are wrong." Invalid;
    OTHER_CONTENT = CONFLICT "draft_token_used" "This draft token was already used, with other content." OtherContent;
    UNAVAILABLE = SERVICE_UNAVAILABLE "unavailable" "Not stored. Send it again, with the same draft token." TryLater;
}

/// The answer to a script.
pub(crate) fn problem(problem: &Problem) -> Response<Body> {
    #[derive(Serialize)]
    struct Envelope<'a> {
        error: Inner<'a>,
    }
    #[derive(Serialize)]
    struct Inner<'a> {
        code: &'a str,
        message: &'a str,
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        fields: &'a BTreeMap<String, String>,
    }
    let Problem {
        code,
        message,
        fields,
        ..
    } = problem;
    json(
        problem.status,
        &Envelope {
            error: Inner {
                code,
                message,
                fields,
            },
        },
    )
}

pub(crate) fn json(status: StatusCode, body: &impl Serialize) -> Response<Body> {
    // Maps with text keys and plain fields: this cannot fail.
    let body = serde_json::to_string(body).unwrap_or_default();
    with_body(status, "application/json", body)
}

pub(crate) fn html(status: StatusCode, page: String) -> Response<Body> {
    let mut response = with_body(status, "text/html; charset=utf-8", page);
    let policy =
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'";
    set(
        &mut response,
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(policy),
    );
    set(
        &mut response,
        header::REFERRER_POLICY,
        HeaderValue::from_static("same-origin"),
    );
    response
}

pub(crate) fn empty(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Body::Empty);
    *response.status_mut() = status;
    set(
        &mut response,
        header::CACHE_CONTROL,
        HeaderValue::from_static("no-store"),
    );
    if status == StatusCode::SERVICE_UNAVAILABLE {
        set(&mut response, header::RETRY_AFTER, RETRY_AFTER);
    }
    response
}

fn with_body(status: StatusCode, content_type: &'static str, body: String) -> Response<Body> {
    let mut response = empty(status);
    *response.body_mut() = Body::Text(body);
    set(
        &mut response,
        header::CONTENT_TYPE,
        HeaderValue::from_static(content_type),
    );
    set(
        &mut response,
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    response
}

pub(crate) fn set(response: &mut Response<Body>, name: HeaderName, value: HeaderValue) {
    response.headers_mut().insert(name, value);
}

/// Lets a script of an origin in the settings read the answer, and send JSON and a token.
pub(crate) fn let_origin_read(
    mut response: Response<Body>,
    site: &SiteForm,
    request: &Request,
) -> Response<Body> {
    if site.allowed_origins.is_empty() {
        return response;
    }
    set(
        &mut response,
        header::VARY,
        HeaderValue::from_static("origin"),
    );
    let origin = request.headers().get(header::ORIGIN);
    let allowed = origin.filter(|origin| {
        site.allowed_origins
            .iter()
            .any(|allowed| allowed.as_bytes() == origin.as_bytes())
    });
    if let Some(origin) = allowed {
        set(
            &mut response,
            header::ACCESS_CONTROL_ALLOW_ORIGIN,
            origin.clone(),
        );
        let methods = HeaderValue::from_static("GET, POST, OPTIONS");
        set(&mut response, header::ACCESS_CONTROL_ALLOW_METHODS, methods);
        let headers = HeaderValue::from_static("content-type, idempotency-key");
        set(&mut response, header::ACCESS_CONTROL_ALLOW_HEADERS, headers);
    }
    response
}
