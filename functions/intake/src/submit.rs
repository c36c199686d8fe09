//! A form is sent.

use std::collections::BTreeMap;

use frontdesk_desk::Desk;
use frontdesk_desk::submit_lead::{Submitted, submit_lead};
use frontdesk_domain::{DraftToken, FieldFault, RequestId};
use frontdesk_settings::SiteForm;
use frontdesk_texts::{self as texts, FormView};
use jiff::Timestamp;
use lambda_http::http::StatusCode;
use lambda_http::http::header::{self, HeaderValue};
use lambda_http::{Body, Request, Response};
use serde::Serialize;

use crate::answer::{Problem, empty, html, json, problem, set};
use crate::body::{self, Pairs};
use crate::{Client, fresh_token};

/// The hidden field that carries the draft token in a plain form.
const TOKEN_FIELD: &str = "draft_token";
/// The header that carries it otherwise.
const TOKEN_HEADER: &str = "idempotency-key";

/// The answer of success: the same for each send of the same draft, whatever has become of it since.
#[derive(Serialize)]
struct Accepted {
    id: String,
    status: &'static str,
}

pub(crate) async fn submit(
    desk: &Desk,
    site: &SiteForm,
    client: &Client,
    request: &Request,
    now: Timestamp,
) -> Response<Body> {
    let mut pairs = match body::read(request) {
        Ok(pairs) => pairs,
        Err(problem) => return client.refuse(desk, &problem),
    };
    let given = take_tokens(&mut pairs, request);
    let page = Page {
        desk,
        site,
        client,
        plain: pairs.from_plain_form && client.wants_page,
    };
    let Ok(token) = read_token(&given) else {
        let faults = [(TOKEN_FIELD.to_owned(), FieldFault::Token)].into();
        return page.send_back(None, &pairs, &faults, &Problem::INVALID);
    };
    let Some(token) = token.or_else(|| fresh_token().ok()) else {
        return page.send_back(None, &pairs, &BTreeMap::new(), &Problem::UNAVAILABLE);
    };
    if !pairs.not_texts.is_empty() {
        let faults = pairs.not_texts.iter().cloned().collect();
        return page.send_back(Some(&token), &pairs, &faults, &Problem::INVALID);
    }
    let back = |faults, what| page.send_back(Some(&token), &pairs, faults, what);
    match submit_lead(desk, site, token.clone(), &pairs.texts, now).await {
        Ok(Submitted::Accepted(id)) => page.accepted(id),
        Ok(Submitted::Invalid(faults)) => back(&faults, &Problem::INVALID),
        // The same token would meet the same conflict for ever.
        Ok(Submitted::OtherContent) => {
            page.send_back(None, &pairs, &BTreeMap::new(), &Problem::OTHER_CONTENT)
        }
        Err(error) => {
            tracing::error!(error.kind = error.kind(), "lead.not_stored");
            back(&BTreeMap::new(), &Problem::UNAVAILABLE)
        }
    }
}

/// Every draft token that came, from the header and the hidden field.
fn take_tokens(pairs: &mut Pairs, request: &Request) -> Vec<String> {
    let headers = request.headers().get_all(TOKEN_HEADER).iter();
    let mut given: Vec<_> = headers
        .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
        .collect();
    let (tokens, texts) = std::mem::take(&mut pairs.texts)
        .into_iter()
        .partition(|(name, _)| name == TOKEN_FIELD);
    pairs.texts = texts;
    let tokens: Vec<(String, String)> = tokens;
    given.extend(tokens.into_iter().map(|(_, token)| token));
    given
}

/// The token that was sent, if any was; all that were must be the same and well formed.
fn read_token(given: &[String]) -> Result<Option<DraftToken>, ()> {
    let Some((first, rest)) = given.split_first() else {
        return Ok(None);
    };
    if rest.iter().any(|other| other != first) {
        return Err(());
    }
    DraftToken::parse(first).map(Some).map_err(|_| ())
}

/// How a submission is answered.
struct Page<'a> {
    desk: &'a Desk,
    site: &'a SiteForm,
    client: &'a Client,
    /// A browser without a script: it is to see pages.
    plain: bool,
}

impl Page<'_> {
    fn accepted(&self, id: RequestId) -> Response<Body> {
        if !self.plain {
            return json(
                StatusCode::CREATED,
                &Accepted {
                    id: id.to_string(),
                    status: "new",
                },
            );
        }
        let mut response = empty(StatusCode::SEE_OTHER);
        let location = format!("/forms/{}/thanks?number={id}", self.site.form.name);
        if let Ok(location) = HeaderValue::from_str(&location) {
            set(&mut response, header::LOCATION, location);
        }
        response
    }

    /// Says what is wrong. A browser gets the form again with all that was typed, under the same
    /// token, or under a new one where none is given.
    fn send_back(
        &self,
        token: Option<&DraftToken>,
        pairs: &Pairs,
        faults: &BTreeMap<String, FieldFault>,
        what: &Problem,
    ) -> Response<Body> {
        let language = self.client.language;
        let fresh = || fresh_token().ok();
        let (true, Some(token)) = (self.plain, token.cloned().or_else(fresh)) else {
            let fields = faults
                .iter()
                .map(|(name, fault)| (name.clone(), texts::field_fault(language, *fault)))
                .collect();
            return problem(&Problem {
                fields,
                ..what.clone()
            });
        };
        html(
            what.status,
            texts::form_page(&FormView {
                business: &self.desk.settings.name,
                form: &self.site.form,
                language,
                token: &token,
                typed: &pairs.texts.iter().cloned().collect(),
                faults,
                notice: Some(what.notice),
            }),
        )
    }
}
