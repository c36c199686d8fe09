// The one clock of the desk, and what runs by it.

import { attempt, toast } from "./toasts.js";
import { button, el } from "./dom.js";
import { post } from "./api.js";

const STEPS = [
  ["+1 min", 60],
  ["+10 min", 600],
  ["+1 h", 3600],
  ["+1 day", 86_400],
];

/** How long, in the two largest units. */
export function duration(seconds) {
  const units = [
    ["d", 86_400],
    ["h", 3600],
    ["min", 60],
    ["s", 1],
  ];
  const parts = [];
  let left = Math.max(0, Math.round(seconds));
  for (const [name, size] of units) {
    if (left >= size) parts.push(`${Math.floor(left / size)} ${name}`);
    left %= size;
  }
  return parts.slice(0, 2).join(" ") || "0 s";
}

export function clockPanel(settings) {
  let aheadMs = 0;
  const now = document.getElementById("now");
  const ahead = document.getElementById("ahead");
  const full = el("time", { class: "big" });
  const zone = el("span", { class: "hint" }, settings.zone ?? "UTC");
  const format = (options) => new Intl.DateTimeFormat("en-GB", { timeZone: settings.zone ?? "UTC", ...options });
  const short = format({ hour: "2-digit", minute: "2-digit", second: "2-digit" });
  const long = format({ weekday: "short", day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit" });
  const draw = () => {
    const time = Date.now() + aheadMs;
    now.textContent = short.format(time);
    full.textContent = long.format(time);
    full.dateTime = new Date(time).toISOString();
    ahead.hidden = aheadMs < 1000;
    ahead.textContent = `+${duration(aheadMs / 1000)}`;
  };
  const steps = STEPS.map(([text, seconds]) =>
    button(text, () => attempt(() => post("/_local/clock", { advance_s: seconds }))),
  );
  const sweep = button("Run a sweep", async () => {
    const done = await attempt(() => post("/_local/tick", { schedule: "sweep" }));
    if (done) toast(`The sweep is done: ${JSON.stringify(done.result)}`);
  });
  document.getElementById("clock").append(
    el("p", { class: "time" }, full, zone),
    el("div", { class: "row" }, steps, sweep),
  );
  setInterval(draw, 1000);
  return {
    /** Shows how far the desk's clock is ahead. */
    update(news) {
      aheadMs = news.ahead_ms;
      draw();
    },
    now: () => Date.now() + aheadMs,
  };
}
