//! The part of the control interface that acts on the Telegram stand-in.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Json, Router};
use frontdesk_local_telegram::{
    Barred, Press, PressResult, Rates, RawUpdate, Say, SayResult, UpdateResult,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::control::{Body, Control, Refused, Shared, lines};

pub(crate) fn router() -> Router<Arc<Control>> {
    Router::new()
        .route("/_local/chats", get(chats))
        .route("/_local/say", post(say))
        .route("/_local/press", post(press))
        .route("/_local/update", post(update))
        .route("/_local/requests", get(requests))
        .route("/_local/rates", post(rates))
        .route("/_local/delete_message", post(delete_message))
        .route("/_local/migrate", post(migrate))
        .route("/_local/block", post(block))
        .route("/_local/unblock", post(unblock))
}

async fn chats(State(control): Shared) -> Json<Value> {
    Json(json!({"chats": control.settling.telegram.chats()}))
}

async fn say(State(control): Shared, Body(say): Body<Say>) -> Result<Json<SayResult>, Refused> {
    control
        .settling
        .telegram
        .say(say)
        .await
        .map(Json)
        .map_err(Refused::bad)
}

async fn press(
    State(control): Shared,
    Body(press): Body<Press>,
) -> Result<Json<PressResult>, Refused> {
    control
        .settling
        .telegram
        .press(press)
        .await
        .map(Json)
        .map_err(Refused::bad)
}

async fn update(
    State(control): Shared,
    Body(update): Body<RawUpdate>,
) -> Result<Json<UpdateResult>, Refused> {
    control
        .settling
        .telegram
        .update(update)
        .await
        .map(Json)
        .map_err(Refused::bad)
}

async fn requests(State(control): Shared) -> Result<Response, Refused> {
    lines(&control.settling.telegram.requests())
}

/// Limits that are not named stay as they are.
async fn rates(State(control): Shared, Body(changes): Body<Value>) -> Result<Json<Rates>, Refused> {
    let mut rates = json!(control.settling.telegram.rates());
    for (name, value) in changes.as_object().into_iter().flatten() {
        rates[name.as_str()] = value.clone();
    }
    let rates: Rates = serde_json::from_value(rates).map_err(Refused::bad)?;
    control.settling.telegram.set_rates(rates);
    Ok(Json(rates))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Message {
    chat_id: i64,
    message_id: i64,
}

async fn delete_message(
    State(control): Shared,
    Body(message): Body<Message>,
) -> Result<Json<Value>, Refused> {
    if control
        .settling
        .telegram
        .delete_message(message.chat_id, message.message_id)
    {
        Ok(Json(json!({})))
    } else {
        Err(Refused::unknown("there is no such message"))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Chat {
    chat_id: i64,
}

async fn migrate(State(control): Shared, Body(chat): Body<Chat>) -> Result<Json<Value>, Refused> {
    let chat_id = control
        .settling
        .telegram
        .migrate(chat.chat_id)
        .ok_or_else(no_chat)?;
    Ok(Json(json!({"chat_id": chat_id})))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Block {
    chat_id: i64,
    reason: Barred,
}

async fn block(State(control): Shared, Body(block): Body<Block>) -> Result<Json<Value>, Refused> {
    known(control.settling.telegram.block(block.chat_id, block.reason))
}

async fn unblock(State(control): Shared, Body(chat): Body<Chat>) -> Result<Json<Value>, Refused> {
    known(control.settling.telegram.unblock(chat.chat_id))
}

fn known(is_known: bool) -> Result<Json<Value>, Refused> {
    if is_known {
        Ok(Json(json!({})))
    } else {
        Err(no_chat())
    }
}

fn no_chat() -> Refused {
    Refused::unknown("there is no such chat")
}
