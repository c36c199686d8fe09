// A chat: its messages, what may be done in it, and the field to write in.

import { attempt, alertOf, toast } from "./toasts.js";
import { Composer } from "./composer.js";
import { Kept, button, el, fill } from "./dom.js";
import { messageNode } from "./message.js";
import { post } from "./api.js";

/** How many of the latest messages are drawn at first. */
const SHOWN = 60;
const NEAR_END_PX = 80;

export class Chat {
  #people;
  #times;
  #days;
  #kept = new Kept();
  #list = el("ol", { class: "messages" });
  #log;
  #empty;
  #chat = null;
  #me = 0;
  #shown = SHOWN;
  #atEnd = true;
  /** By chat and message, the buttons that it ever had. */
  #buttons = new Map();
  #composer;

  constructor(part, { people, zone, label, empty }) {
    this.#people = people;
    const format = (options) => new Intl.DateTimeFormat("en-GB", { timeZone: zone, ...options });
    this.#times = format({ hour: "2-digit", minute: "2-digit" });
    this.#days = format({ day: "numeric", month: "long" });
    this.#empty = el("p", { class: "empty" }, empty);
    const on = { keydown: (event) => this.#navigate(event) };
    this.#log = el("div", { class: "chat", role: "log", tabindex: 0, "aria-label": label, on }, this.#list, this.#empty);
    this.#composer = new Composer((what) => this.#say(what));
    part.append(this.#log, this.#composer.element);
    this.#log.addEventListener("scroll", () => {
      if (this.#log.clientHeight > 0) this.#atEnd = this.#isAtEnd();
    });
    // A part that comes into sight, or is made smaller, still shows its latest message.
    new ResizeObserver(() => this.#atEnd && this.#toEnd()).observe(this.#log);
  }

  /** Shows `chat` as the person `me` sees it; a chat without messages may be told by its id alone. */
  show(chat, me) {
    const isOther = chat.chat_id !== this.#chat?.chat_id || me !== this.#me;
    if (isOther) {
      this.#kept.clear();
      this.#shown = SHOWN;
      this.#composer.reset();
    }
    this.#chat = chat;
    this.#me = me;
    this.#remember(chat);
    this.#draw();
    this.#composer.keyboard(this.#keyboard());
    if (isOther || this.#atEnd) this.#toEnd();
  }

  #draw() {
    const { messages } = this.#chat;
    const byId = new Map(messages.map((message) => [message.message_id, message]));
    const nodes = [];
    const hidden = Math.max(0, messages.length - this.#shown);
    if (hidden > 0) nodes.push(this.#kept.node("earlier", hidden, () => this.#earlier(hidden)));
    let day = "";
    for (const message of messages.slice(hidden)) {
      const own = this.#days.format(message.date * 1000);
      if (own !== day) {
        day = own;
        nodes.push(this.#kept.node(`day ${day}`, day, () => el("li", { class: "day" }, el("span", {}, own))));
      }
      const original = byId.get(message.reply_to);
      const made = () => messageNode(message, this.#view(), original?.deleted ? undefined : original);
      nodes.push(this.#kept.node(message.message_id, message, made));
    }
    fill(this.#list, nodes);
    this.#empty.hidden = messages.length > 0;
  }

  #view() {
    return {
      me: this.#me,
      people: this.#people,
      time: (seconds) => this.#times.format(seconds * 1000),
      gone: (message) => this.#gone(message),
      press: (message, key, pressed) => this.#press(message, key, pressed),
      reply: (message) => this.#composer.reply(message),
      edit: (message) => this.#composer.edit(message),
      remove: (message) => this.#remove(message),
      show: (id) => this.#find(id)?.focus(),
    };
  }

  #find(id) {
    return this.#list.querySelector(`[data-id="${Number(id)}"]`);
  }

  #earlier(hidden) {
    const more = () => {
      this.#shown += 200;
      this.#draw();
    };
    return el("li", { class: "day" }, button(`${hidden} earlier`, more, { class: "quiet" }));
  }

  #toEnd() {
    this.#atEnd = true;
    this.#log.scrollTop = this.#log.scrollHeight;
  }

  #isAtEnd() {
    const { scrollHeight, scrollTop, clientHeight } = this.#log;
    return scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
  }

  #remember(chat) {
    for (const message of chat.messages) {
      const key = `${chat.chat_id} ${message.message_id}`;
      for (const each of message.buttons.flat()) {
        if (each.callback_data === undefined) continue;
        if (!this.#buttons.has(key)) this.#buttons.set(key, new Map());
        this.#buttons.get(key).set(each.callback_data, each.text);
      }
    }
  }

  /** The buttons that the message no longer has. */
  #gone(message) {
    const had = this.#buttons.get(`${this.#chat.chat_id} ${message.message_id}`) ?? new Map();
    const has = message.deleted ? [] : message.buttons.flat().map((each) => each.callback_data);
    return [...had].filter(([data]) => !has.includes(data));
  }

  /** The keyboard under the field: that of the bot's latest message. */
  #keyboard() {
    const latest = this.#chat.messages.findLast((message) => this.#people.isBot(message.from_id) && !message.deleted);
    return latest?.keyboard ?? null;
  }

  async #press(message, key, pressed) {
    if (pressed.getAttribute("aria-busy") === "true") return;
    pressed.setAttribute("aria-busy", "true");
    const user = this.#people.user(this.#me);
    const result = await attempt(() =>
      post("/_local/press", {
        chat_id: this.#chat.chat_id,
        user,
        message_id: message.message_id,
        callback_data: key.callback_data,
      }),
    );
    pressed.removeAttribute("aria-busy");
    if (pressed.isConnected) pressed.closest("details")?.removeAttribute("open");
    if (!result) return;
    const { answer, status } = result;
    const from = `To ${this.#people.name(user.id)}: `;
    if (answer?.show_alert) {
      alertOf(`To ${this.#people.name(user.id)}`, answer.text);
    } else if (answer?.text) {
      toast(answer.text, { from });
    } else if (!answer) {
      const repeats = status >= 200 && status < 300 ? "" : ` (the webhook answered ${status}; Telegram will repeat the press)`;
      toast(`no answer yet${repeats}.`, { from, kind: "bad" });
    }
  }

  async #remove(message) {
    await attempt(() =>
      post("/_local/delete_message", { chat_id: this.#chat.chat_id, message_id: message.message_id }),
    );
  }

  /** Says something as the person, who may be needed to tell what; true when it was taken. */
  async #say(what) {
    const user = this.#people.user(this.#me);
    const content = typeof what === "function" ? what(user) : what;
    const result = await attempt(() => post("/_local/say", { chat_id: this.#chat.chat_id, user, ...content }));
    const status = result?.status ?? 200;
    if (status < 200 || status >= 300) {
      toast(`The webhook answered ${status}; Telegram will repeat the message.`, { kind: "bad" });
    }
    return result !== undefined;
  }

  /** Up, Down, Home and End go from message to message. */
  #navigate(event) {
    const within = event.target === this.#log || event.target.matches(".message");
    const steps = { ArrowUp: -1, ArrowDown: 1, Home: -Infinity, End: Infinity };
    const step = steps[event.key];
    if (!within || step === undefined) return;
    event.preventDefault();
    const all = [...this.#list.querySelectorAll(".message")];
    const at = all.indexOf(event.target.closest(".message"));
    const from = at < 0 ? all.length : at;
    all[Math.min(all.length - 1, Math.max(0, from + step))]?.focus();
  }
}

