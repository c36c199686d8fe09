// The queues, their dead letters and the stand-in's limits.

import { attempt, toast } from "./toasts.js";
import { button, el } from "./dom.js";
import { duration } from "./clock.js";
import { post } from "./api.js";

const RATES = [
  ["per_chat_per_minute", "a chat, a minute"],
  ["per_group_per_minute", "a group, a minute"],
  ["bot_per_second", "the bot, a second"],
];

function redrive(queue) {
  return attempt(async () => {
    const { moved } = await post("/_local/redrive", { queue });
    toast(`${moved} dead ${moved === 1 ? "letter goes" : "letters go"} back to the queue.`);
  });
}

export function queuesPanel() {
  const body = el("tbody");
  const titles = ["Queue", "visible", "in flight", "delayed", "oldest"];
  const head = el("tr", {}, titles.map((title) => el("th", { scope: "col" }, title)));
  const inputs = RATES.map(([name, label]) => {
    const input = el("input", { name, type: "number", min: 0, max: 100_000, required: true });
    return el("label", {}, label, input);
  });
  const on = {
    submit: (event) => {
      event.preventDefault();
      const fields = [...new FormData(event.target)].map(([name, value]) => [name, Number(value)]);
      attempt(async () => {
        await post("/_local/rates", Object.fromEntries(fields));
        toast("The stand-in's limits are set.");
      });
    },
  };
  const rates = el("form", { class: "rates", on }, inputs, el("button", {}, "Set"));
  const hint = el("p", { class: "hint" }, "Messages that Telegram takes before it answers 429; 0 is no limit.");
  document.getElementById("queues").append(
    el("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Queues" }, el("table", {}, el("thead", {}, head), body)),
    el("details", { class: "fold" }, el("summary", {}, "Telegram’s limits"), hint, rates),
  );
  let shown = "";
  return {
    update(news) {
      for (const [name] of RATES) {
        const input = rates.elements[name];
        if (document.activeElement !== input && input.dataset.set !== String(news.rates[name])) {
          input.value = news.rates[name];
          input.dataset.set = String(news.rates[name]);
        }
      }
      const text = JSON.stringify(news.queues);
      if (text === shown) return;
      shown = text;
      const dead = new Set(news.queues.map((queue) => queue.dead_letters));
      body.replaceChildren(...news.queues.map((queue) => row(queue, dead.has(queue.name))));
    },
  };
}

function row(queue, holdsDeadLetters) {
  const count = (value) => el("td", { class: value > 0 ? "some" : "none" }, String(value));
  const back =
    holdsDeadLetters &&
    queue.visible > 0 &&
    button("Redrive", () => redrive(queue.name), { "aria-label": `Redrive ${queue.name}` });
  return el(
    "tr",
    { class: holdsDeadLetters && queue.visible > 0 ? "bad" : "" },
    el("th", { scope: "row" }, queue.name.replace(/^frontdesk-/, ""), back),
    count(queue.visible),
    count(queue.in_flight),
    count(queue.delayed),
    el("td", {}, queue.oldest_age_s > 0 ? duration(queue.oldest_age_s) : "–"),
  );
}
