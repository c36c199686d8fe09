// One message as Telegram draws it.

import { button, el } from "./dom.js";
import { link, nodes } from "./markup.js";

const HUES = 6;

/** The first words of a message, for quotes and for deleted messages. */
export function gist(message) {
  const text = message.text || message.attachment?.file_name || (message.attachment ? "Photo" : "Message without text");
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

function quote(original, view) {
  const show = () => original && view.show(original.message_id);
  return el(
    "button",
    { type: "button", class: "quote", on: { click: show } },
    original && el("b", {}, view.people.name(original.from_id)),
    el("span", {}, original ? gist(original) : "Deleted message"),
  );
}

function file(attachment, meta) {
  const isPhoto = attachment.kind === "photo";
  return el(
    "div",
    { class: "file" },
    el("span", { class: `file-icon ${isPhoto ? "photo" : "document"}`, "aria-hidden": true }),
    el("span", { class: "file-name" }, isPhoto ? "Photo" : (attachment.file_name ?? "Document")),
    el("span", { class: "file-kind" }, attachment.media_group_id ? "of an album" : isPhoto ? "" : "file"),
    meta,
  );
}

function content(message, meta) {
  const text = message.html && el("div", { class: "text" }, nodes(message.html));
  if (message.attachment && !text) return file(message.attachment, meta);
  if (message.attachment) return [file(message.attachment), text, meta];
  // The desk's view of a chat tells no more of contacts, stickers and the like.
  return [text || el("div", { class: "text without" }, "Contact, sticker, voice or place"), meta];
}

function keys(message, view) {
  const rows = message.buttons.map((row) =>
    el(
      "div",
      { class: "keys-row" },
      row.map((key) =>
        key.callback_data === undefined
          ? link(key.url ?? "", { class: "key" }, `${key.text} ↗`)
          : button(key.text, (event) => view.press(message, key, event.currentTarget), { class: "key" }),
      ),
    ),
  );
  return rows.length > 0 && el("div", { class: "keys" }, rows);
}

/** A screen that has not heard of a change still shows the buttons that were. */
function outdated(message, view) {
  return view.gone(message).map(([data, text]) => {
    const key = { text, callback_data: data };
    const press = (event) => view.press(message, key, event.currentTarget);
    return button(`Press “${text}” on an outdated screen`, press);
  });
}

function menu(message, view, items) {
  const label = `More on the message of ${view.people.name(message.from_id)}`;
  const sheet = el("div", { class: "sheet" }, items);
  return el("details", { class: "more" }, el("summary", { "aria-label": label }, "⋯"), sheet);
}

function acts(message, view) {
  const isMine = message.from_id === view.me;
  const isBots = view.people.isBot(message.from_id);
  return [
    ...outdated(message, view),
    button("Reply", () => view.reply(message)),
    isMine && message.text && !message.attachment && button("Edit", () => view.edit(message)),
    (isMine || isBots) && button("Delete", () => view.remove(message)),
  ];
}

/** A message; `view` holds who looks (`me`), the people, and what may be done with it. */
export function messageNode(message, view, original) {
  const isMine = message.from_id === view.me;
  const side = isMine ? "mine" : "theirs";
  const attributes = { class: `message ${side}`, tabindex: -1, "data-id": message.message_id };
  const time = el("time", { datetime: new Date(message.date * 1000).toISOString() }, view.time(message.date));
  if (message.deleted) {
    const text = el("s", {}, gist(message));
    const bubble = el("div", { class: "bubble" }, text, el("span", { class: "meta" }, "deleted ", time));
    const items = outdated(message, view);
    const line = el("div", { class: "line" }, bubble, items.length > 0 && menu(message, view, items));
    return el("li", { ...attributes, class: `message ${side} deleted` }, line);
  }
  const sender =
    !isMine &&
    el(
      "div",
      { class: `sender hue-${Math.abs(message.from_id) % HUES}` },
      view.people.name(message.from_id),
      view.people.isBot(message.from_id) && el("span", { class: "role" }, "bot"),
    );
  const edited = message.edits > 0 && el("span", { title: `Edited ${message.edits} times` }, "edited ");
  const bubble = el(
    "div",
    { class: "bubble" },
    sender,
    message.reply_to !== null && quote(original, view),
    content(message, el("span", { class: "meta" }, edited, time)),
  );
  return el(
    "li",
    { ...attributes, class: `message ${side}${message.attachment?.media_group_id ? " album" : ""}` },
    el("div", { class: "line" }, el("div", { class: "stack" }, bubble, keys(message, view)), menu(message, view, acts(message, view))),
  );
}
