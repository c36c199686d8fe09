// The field in which a person writes, with all that can be sent besides text.

import { button, el } from "./dom.js";
import { gist } from "./message.js";

const PHOTO_BYTES = 180_000;
const DOCUMENT_BYTES = 48_000;

export class Composer {
  #say;
  #mode = null;
  #field = el("textarea", { rows: 1, maxlength: 4096, placeholder: "Message", "aria-label": "Message" });
  #about = el("div", { class: "about", hidden: true });
  #keys = el("div", { class: "keyboard", hidden: true });
  #attach;
  element;

  constructor(say) {
    this.#say = say;
    this.#attach = this.#menu();
    const on = {
      submit: (event) => {
        event.preventDefault();
        this.#send();
      },
    };
    this.#field.addEventListener("keydown", (event) => this.#key(event));
    this.#field.addEventListener("input", () => this.#grow());
    const send = el("button", { class: "send", "aria-label": "Send" });
    const line = el("div", { class: "write" }, this.#attach, this.#field, send);
    this.element = el("form", { class: "composer", on }, this.#about, line, this.#keys);
  }

  reset() {
    this.#end();
    this.#field.value = "";
    this.#grow();
  }

  reply(message) {
    this.#begin({ reply_to: message.message_id }, `Reply to “${gist(message)}”`);
  }

  edit(message) {
    this.#begin({ edit_of: message.message_id }, `Edit “${gist(message)}”`);
    this.#field.value = message.text;
    this.#grow();
  }

  /** Shows the keyboard that the bot offers; null for none. */
  keyboard(rows) {
    const wanted = JSON.stringify(rows);
    if (this.#keys.dataset.rows === wanted) return;
    this.#keys.dataset.rows = wanted;
    this.#keys.hidden = !rows;
    this.#keys.replaceChildren(
      ...(rows ?? []).map((row) =>
        el(
          "div",
          { class: "keys-row" },
          row.map((key) =>
            button(key.request_contact ? `☎ ${key.text}` : key.text, () => this.#answer(key), { class: "key" }),
          ),
        ),
      ),
    );
  }

  #answer(key) {
    if (!key.request_contact) {
      this.#say({ text: key.text });
      return;
    }
    this.#attach.open = true;
    this.#attach.querySelector("[name=phone]").focus();
  }

  #begin(mode, text) {
    this.#mode = mode;
    const end = button("×", () => this.#end(), { class: "close", "aria-label": "Not so" });
    this.#about.replaceChildren(el("span", {}, text), end);
    this.#about.hidden = false;
    this.#field.focus();
  }

  #end() {
    this.#mode = null;
    this.#about.hidden = true;
  }

  #grow() {
    const lines = this.#field.value.split("\n").length;
    this.#field.rows = Math.min(6, Math.max(1, lines));
  }

  #key(event) {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      this.#send();
    } else if (event.key === "Escape") {
      this.#end();
    }
  }

  async #send() {
    const text = this.#field.value;
    if (text.trim() === "") return;
    const what = { text, ...this.#mode };
    this.reset();
    if (!(await this.#say(what)) && this.#field.value === "") this.#field.value = text;
  }

  /** The text of the field as a caption, and what it answers or replaces. */
  #around() {
    const caption = this.#field.value.trim();
    const mode = this.#mode;
    this.reset();
    return [caption === "" ? {} : { caption }, mode];
  }

  #menu() {
    const menu = el("details", { class: "more attach" }, el("summary", { "aria-label": "Send something else" }));
    const close = (act) => () => {
      menu.open = false;
      this.#field.focus();
      act();
    };
    const input = (name, label, value) =>
      el("label", {}, label, el("input", { name, value, autocomplete: "off" }));
    const value = (name) => menu.querySelector(`[name=${name}]`).value.trim();
    const row = (name, label, initial, text, act) =>
      el("div", { class: "sheet-row" }, input(name, label, initial), button(text, close(act)));
    const file = (kind, upload) => {
      const [caption, mode] = this.#around();
      this.#say({ [kind]: { ...upload, ...caption }, ...mode });
    };
    const photo = { file_size: PHOTO_BYTES };
    const other = (what) => button(what, close(() => this.#say({ other: what })));
    menu.append(
      el(
        "div",
        { class: "sheet" },
        row("file", "File", "invoice.pdf", "Send file", () =>
          file("document", {
            file_name: value("file") || "file",
            mime_type: "application/octet-stream",
            file_size: DOCUMENT_BYTES,
          }),
        ),
        row("phone", "Phone", "+78121234567", "Share contact", () => this.#contact(value("phone"))),
        row("payload", "Payload", "", "Send /start", () => this.#say({ text: `/start ${value("payload")}`.trim() })),
        el(
          "div",
          { class: "sheet-keys" },
          button("photo", close(() => file("photo", photo))),
          button("album", close(() => this.#say({ album: [{ photo }, { photo }] }))),
          ["sticker", "voice", "location"].map(other),
        ),
        el("p", { class: "hint" }, "What stands in the field becomes the caption."),
      ),
    );
    return menu;
  }

  #contact(phone) {
    // Whose contact it is, the chat knows.
    this.#say((user) => ({ contact: { phone_number: phone, first_name: user.first_name, user_id: user.id } }));
  }
}
