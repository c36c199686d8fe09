#![doc = include_str!("../README.md")]

mod answer;
mod body;
mod submit;

use std::collections::BTreeMap;

use frontdesk_desk::Desk;
use frontdesk_domain::{DraftToken, Language, RequestId};
use frontdesk_settings::SiteForm;
use frontdesk_texts::{self as texts, FormView};
use jiff::Timestamp;
use lambda_http::http::{Method, StatusCode, header};
use lambda_http::{Body, Request, RequestExt, Response};

use answer::{Problem, empty, html, problem};

/// Answers one request. What fails is told in the answer.
pub async fn handle(desk: &Desk, request: &Request, now: Timestamp) -> Response<Body> {
    let client = Client::of(desk, request);
    let path = request.raw_http_path();
    let mut steps = path.trim_matches('/').split('/');
    let (Some("forms"), Some(name), page, None) =
        (steps.next(), steps.next(), steps.next(), steps.next())
    else {
        return client.refuse(desk, &Problem::NO_SUCH_FORM);
    };
    let Some(site) = desk.settings.form(name) else {
        return client.refuse(desk, &Problem::NO_SUCH_FORM);
    };
    let response = match (page, request.method()) {
        (None, &Method::GET) => blank_form(desk, site, client.language),
        (None, &Method::POST) => submit::submit(desk, site, &client, request, now).await,
        (None, &Method::OPTIONS) => allow(empty(StatusCode::NO_CONTENT), "GET, POST, OPTIONS"),
        (None, _) => allow(client.refuse(desk, &Problem::METHOD), "GET, POST, OPTIONS"),
        (Some("thanks"), &Method::GET) => thanks(desk, &client, request),
        (Some("thanks"), _) => allow(client.refuse(desk, &Problem::METHOD), "GET"),
        (Some(_), _) => client.refuse(desk, &Problem::NO_SUCH_FORM),
    };
    answer::let_origin_read(response, site, request)
}

/// What is to be known of whoever asks, to answer in the right words.
pub(crate) struct Client {
    /// A browser without scripts, that shows what it is sent.
    pub(crate) wants_page: bool,
    pub(crate) language: Language,
}

impl Client {
    fn of(desk: &Desk, request: &Request) -> Self {
        let text = |name| {
            request
                .headers()
                .get(name)
                .and_then(|value| value.to_str().ok())
        };
        let wants_page = text(header::ACCEPT).is_some_and(|accept| accept.contains("text/html"));
        let tags = text(header::ACCEPT_LANGUAGE).unwrap_or_default().split(',');
        let wanted = tags
            .filter_map(|tag| Language::parse(tag.split(';').next()?.trim()))
            .find(|language| desk.settings.languages.contains(language));
        Self {
            wants_page,
            language: desk.settings.language_or_first(wanted),
        }
    }

    pub(crate) fn refuse(&self, desk: &Desk, what: &Problem) -> Response<Body> {
        if self.wants_page {
            let page = texts::message_page(&desk.settings.name, self.language, what.notice);
            html(what.status, page)
        } else {
            problem(what)
        }
    }
}

fn blank_form(desk: &Desk, site: &SiteForm, language: Language) -> Response<Body> {
    let Ok(token) = fresh_token() else {
        return problem(&Problem::UNAVAILABLE);
    };
    let page = texts::form_page(&FormView {
        business: &desk.settings.name,
        form: &site.form,
        language,
        token: &token,
        typed: &BTreeMap::new(),
        faults: &BTreeMap::new(),
        notice: None,
    });
    html(StatusCode::OK, page)
}

fn thanks(desk: &Desk, client: &Client, request: &Request) -> Response<Body> {
    let query = request.query_string_parameters();
    match query.first("number").map(RequestId::parse) {
        Some(Ok(id)) => html(
            StatusCode::OK,
            texts::thanks_page(&desk.settings.name, client.language, id),
        ),
        _ => client.refuse(desk, &Problem::NO_SUCH_FORM),
    }
}

/// A draft token of the desk's own. Fails only where the system has no randomness to give.
pub(crate) fn fresh_token() -> Result<DraftToken, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(DraftToken::from_random(bytes))
}

fn allow(mut response: Response<Body>, methods: &'static str) -> Response<Body> {
    response
        .headers_mut()
        .insert(header::ALLOW, header::HeaderValue::from_static(methods));
    response
}
