//! The page at `/`, for people: plain files in the binary, nothing from outside.

use std::path::Path;
use std::sync::Arc;

use axum::extract::Path as Segment;
use axum::http::{HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use frontdesk_settings::Settings;
use serde_json::{Value, json};

use crate::control::Control;
use crate::functions::Function;
use crate::live;

/// Only the desk's own files run, and no text ever becomes markup or script.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
    img-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
    require-trusted-types-for 'script'; trusted-types 'none'";

macro_rules! files {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("page/", $name)))),*]
    };
}

/// By name, what the page is made of.
const FILES: &[(&str, &str)] = files! {
    "icon.svg"
    "base.css" "chats.css" "works.css"
    "app.js" "api.js" "chat.js" "clock.js" "composer.js" "customers.js" "dom.js" "faults.js"
    "log.js" "markup.js" "message.js" "people.js" "queues.js" "staff.js" "story.js" "toasts.js"
};

/// The page and what it reads besides the control interface.
pub(crate) fn router(control: Arc<Control>, settings: &Path) -> anyhow::Result<Router> {
    let settings = Settings::load(settings)?;
    let shown = shown(&settings, control.settling.telegram.bot().id);
    let router = Router::new()
        .route(
            "/",
            get(async || typed("html", include_str!("page/index.html"))),
        )
        .route("/_local/page/{name}", get(file))
        .route("/_local/settings", get(async move || Json(shown)))
        .merge(live::router(control));
    Ok(router)
}

async fn file(Segment(name): Segment<String>) -> Response {
    let found = FILES.iter().find(|(file, _)| *file == name);
    match (found, name.rsplit_once('.')) {
        (Some((_, text)), Some((_, kind))) => typed(kind, text),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

fn typed(kind: &str, text: &'static str) -> Response {
    let media_type = match kind {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        _ => "image/svg+xml",
    };
    let headers: [(HeaderName, &str); 5] = [
        (header::CONTENT_TYPE, media_type),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        // A desk that was built anew is shown anew.
        (header::CACHE_CONTROL, "no-store"),
    ];
    (headers, text).into_response()
}

/// The settings as far as the page shows them.
fn shown(settings: &Settings, bot_id: i64) -> Value {
    let language = settings.staff_language;
    let forms = settings.forms.iter().map(|site| {
        json!({
            "name": site.form.name.as_str(),
            "title": site.form.title.get(language),
        })
    });
    let places = settings.places.iter().map(
        |place| json!({"name": place.name.as_str(), "chat_id": place.chat_id, "title": place.title}),
    );
    let staff = settings
        .staff
        .iter()
        .map(|member| json!({"id": member.id, "name": member.name}));
    json!({
        "name": settings.name,
        "zone": settings.zone.iana_name(),
        "bot": {"id": bot_id, "name": settings.bot.name.as_str()},
        "forms": forms.collect::<Vec<_>>(),
        "places": places.collect::<Vec<_>>(),
        "staff": staff.collect::<Vec<_>>(),
        "functions": Function::ALL.map(Function::name),
    })
}
