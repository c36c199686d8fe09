// The latest calls: of the functions to the services, or to the Bot API with all their parameters.

import { Kept, button, el, fill } from "./dom.js";
import { calm, get } from "./api.js";

const SHOWN = 40;

export function logPanel(settings) {
  const times = new Intl.DateTimeFormat("en-GB", {
    timeZone: settings.zone ?? "UTC",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    fractionalSecondDigits: 3,
  });
  const kept = new Kept();
  const list = el("ol", { class: "rows log" });
  const empty = el("p", { class: "hint" }, "No calls yet.");
  let kind = "requests";
  let latest = { requests: [], calls: [], total: 0 };
  const kinds = [
    ["requests", "Bot API"],
    ["calls", "All services"],
  ].map(([name, text]) => {
    const choose = () => {
      kind = name;
      kept.clear();
      draw();
    };
    return [name, button(text, choose)];
  });
  const draw = () => {
    for (const [name, each] of kinds) each.setAttribute("aria-pressed", String(name === kind));
    const make = kind === "requests" ? request : call;
    const counts = new Map();
    const rows = latest[kind].map((each) => {
      const text = JSON.stringify(each);
      const count = (counts.get(text) ?? 0) + 1;
      counts.set(text, count);
      return kept.node(`${count} ${text}`, null, () => make(each, times.format(new Date(each.at))));
    });
    fill(list, rows);
    empty.hidden = rows.length > 0;
  };
  document.getElementById("log").append(
    el("div", { class: "row segmented" }, kinds.map(([, each]) => each)),
    list,
    empty,
  );
  draw();
  return {
    refresh: calm(async () => {
      latest = await get(`/_local/latest?count=${SHOWN}`);
      draw();
    }),
  };
}

function status(code) {
  const kind = code === null ? "lost" : code < 300 ? "good" : code === 429 ? "warn" : "bad";
  return el("span", { class: `badge ${kind}` }, code === null ? "no answer" : String(code));
}

function request({ method, params, status: code, response, via }, at) {
  const whole = JSON.stringify({ params, response }, null, 2);
  const line = [el("time", {}, at), el("b", {}, method), via === "webhook" && el("span", { class: "hint", title: "In the webhook’s answer" }, "webhook"), status(code)];
  return el("li", {}, el("details", {}, el("summary", {}, line), el("pre", { tabindex: 0 }, whole)));
}

function call({ function: caller, target, operation, status: code, fault }, at) {
  const cause = fault && el("span", { class: "badge warn" }, fault.replace("_", " "));
  const text = el("span", {}, el("b", {}, caller), ` → ${target} `, el("b", {}, operation));
  return el("li", { class: "plain" }, el("time", {}, at), text, cause, status(code));
}
