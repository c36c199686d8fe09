// Faults: common ones as switches, any other by its fields, and what each has done so far.

import { attempt, toast } from "./toasts.js";
import { button, el } from "./dom.js";
import { post, remove } from "./api.js";

const COMMON = [
  ["Telegram refuses connections", { target: "telegram", fault: "refuse", times: -1 }],
  ["Telegram loses its answers", { target: "telegram", fault: "lose_answer", times: -1 }],
  ["Telegram says 429, wait 60 s", { target: "telegram", fault: "retry_after", value: 60, times: 1 }],
  ["Telegram is broken (502)", { target: "telegram", fault: "status", value: 502, times: -1 }],
  ["Queue away", { target: "sqs", fault: "refuse", times: -1 }],
  ["Table away", { target: "dynamodb", fault: "refuse", times: -1 }],
  ["Table slow, 800 ms", { target: "dynamodb", fault: "delay", value: 800, times: -1 }],
  ["Caller killed once Telegram has sent", { target: "telegram", fault: "kill", match: "sendMessage", after: true, times: 1 }],
];
const TARGETS = ["telegram", "sqs", "dynamodb"];
const KINDS = ["refuse", "drop", "lose_answer", "delay", "status", "retry_after", "throttle", "conflict", "kill"];
const FIELDS = ["target", "fault", "value", "description", "match", "chat_id", "skip", "times", "after"];
const DEFAULTS = { skip: 0, times: 1, after: false };

function keyOf(fault) {
  return JSON.stringify(FIELDS.map((name) => fault[name] ?? DEFAULTS[name] ?? null));
}

function isSpent(fault) {
  return fault.times >= 0 && fault.hits >= fault.times;
}

function words(fault) {
  const value = fault.value === undefined ? "" : ` ${fault.value}`;
  const operation = fault.match ? ` on ${fault.match}` : "";
  const chat = fault.chat_id ? ` in chat ${fault.chat_id}` : "";
  return `${fault.target}: ${fault.fault.replace("_", " ")}${value}${operation}${chat}${fault.after ? ", after" : ""}`;
}

export function faultsPanel(settings) {
  let faults = [];
  const active = (fault) => faults.find((each) => keyOf(each) === keyOf(fault) && !isSpent(each));
  const switches = COMMON.map(([text, fault]) => {
    const turn = () =>
      attempt(() => {
        const now = active(fault);
        return now ? remove(`/_local/faults/${now.id}`) : post("/_local/faults", fault);
      });
    return [fault, button(text, turn, { class: "switch", "aria-pressed": false })];
  });
  const list = el("ul", { class: "rows" });
  const all = button("End all", () => attempt(() => remove("/_local/faults")), { hidden: true });
  const kill = settings.functions.map((name) =>
    button(name, () =>
      attempt(async () => {
        const { killed } = await post("/_local/kill", { function: name });
        toast(killed > 0 ? `${name}: ${killed} killed.` : `${name} has no process to kill now.`);
      }),
    ),
  );
  document.getElementById("faults").append(
    el("div", { class: "switches" }, switches.map(([, each]) => each)),
    list,
    all,
    el("details", { class: "fold" }, el("summary", {}, "Another fault"), form()),
    el("div", { class: "row kill", role: "group", "aria-label": "Kill a function" }, el("span", { class: "hint" }, "Kill"), kill),
  );
  const chip = document.getElementById("faults-on");
  chip.addEventListener("click", () => {
    document.body.dataset.part = "works";
    document.getElementById("faults").scrollIntoView({ block: "nearest" });
    switches[0][1].focus();
  });
  let shown = "";
  return {
    update(news) {
      const text = JSON.stringify(news.faults);
      if (text === shown) return;
      shown = text;
      faults = news.faults;
      for (const [fault, each] of switches) each.setAttribute("aria-pressed", String(Boolean(active(fault))));
      list.replaceChildren(...faults.map(row));
      all.hidden = faults.length < 2;
      const count = faults.filter((fault) => !isSpent(fault)).length;
      chip.hidden = count === 0;
      chip.textContent = count === 1 ? "1 fault on" : `${count} faults on`;
    },
  };
}

function row(fault) {
  const end = button("End", () => attempt(() => remove(`/_local/faults/${fault.id}`)), {
    "aria-label": `End: ${words(fault)}`,
  });
  const hits = fault.times < 0 ? `${fault.hits} ×` : `${fault.hits} of ${fault.times} ×`;
  return el(
    "li",
    { class: isSpent(fault) ? "spent" : "" },
    el("span", {}, words(fault)),
    el("span", { class: "count" }, hits),
    end,
  );
}

function form() {
  const select = (name, values) =>
    el("label", {}, name, el("select", { name }, values.map((value) => el("option", { value }, value.replace("_", " ")))));
  const input = (name, label, attributes) => el("label", {}, label, el("input", { name, autocomplete: "off", ...attributes }));
  const submit = (event) => {
    event.preventDefault();
    const { target, fault, value, match, times, after } = Object.fromEntries(new FormData(event.target));
    const wanted = { target, fault, times: Number(times) };
    if (value !== "") wanted.value = Number(value);
    if (match !== "") wanted.match = match;
    if (after) wanted.after = true;
    attempt(() => post("/_local/faults", wanted));
  };
  return el(
    "form",
    { class: "fields", on: { submit } },
    select("target", TARGETS),
    select("fault", KINDS),
    input("value", "value (ms, status or s)", { type: "number", min: 0 }),
    input("match", "only this operation", { placeholder: "any" }),
    input("times", "times (−1: no end)", { type: "number", min: -1, value: 1, required: true }),
    el("label", { class: "check" }, el("input", { type: "checkbox", name: "after" }), "kill after it is done"),
    el("button", {}, "Add"),
  );
}
