// The latest requests, and the story of one as it happens.

import { Kept, button, el, fill } from "./dom.js";
import { calm, get } from "./api.js";

const SHOWN = 12;
const STATES = { new: "new", in_work: "in work" };
const EFFECT_KINDS = { pending: "", sending: "warn", done: "good", unknown: "warn", failed: "bad" };

function badge(state, kind = "") {
  return el("span", { class: `badge ${kind}` }, STATES[state] ?? state);
}

function number(id) {
  return id.toUpperCase().replace(/(.{4})(?=.)/g, "$1 ");
}

function titleOf(lead) {
  const first = lead.answers?.[0]?.text ?? "";
  return first.replaceAll(/\s+/g, " ").slice(0, 60) || "(no name)";
}

export function storyPanel(settings, people) {
  const format = (options) => new Intl.DateTimeFormat("en-GB", { timeZone: settings.zone ?? "UTC", ...options });
  const times = format({ hour: "2-digit", minute: "2-digit", second: "2-digit" });
  const dates = format({ day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", second: "2-digit" });
  const kept = new Kept();
  const list = el("ul", { class: "rows leads" });
  const empty = el("p", { class: "hint" }, "No requests yet.");
  const story = el("div", { class: "story" });
  const newest = button("Follow the newest", () => choose(null), { class: "switch" });
  document.getElementById("story").append(newest, list, empty, story);
  /** The request that was chosen; null follows the newest. */
  let chosen = null;
  let leads = [];
  /** By effect, the states that this page saw it pass through. */
  const seen = new Map();

  const shown = () => chosen ?? leads[0]?.id ?? null;
  function choose(id) {
    chosen = id;
    draw();
    refresh();
  }
  function draw() {
    newest.setAttribute("aria-pressed", String(chosen === null));
    empty.hidden = leads.length > 0;
    fill(
      list,
      leads.map((lead) => {
        const isShown = lead.id === shown();
        const value = [lead.state, lead.version, lead.effects, isShown];
        return kept.node(lead.id, value, () => {
          const troubles = lead.effects.filter((state) => state !== "done").map((state) => badge(`card ${state}`, EFFECT_KINDS[state]));
          const line = [el("span", { class: "lead-name" }, titleOf(lead)), troubles, badge(lead.state, lead.state === "new" ? "warn" : "good")];
          return el("li", {}, el("button", { type: "button", class: "lead", "aria-pressed": isShown, on: { click: () => choose(lead.id) } }, line));
        });
      }),
    );
  }

  let drawn = "";
  const refresh = calm(async () => {
    const found = (await get(`/_local/leads?count=${SHOWN}`)).leads;
    leads = found.sort((one, other) => other.created - one.created || (one.id < other.id ? 1 : -1));
    draw();
    const id = shown();
    if (id === null) {
      story.replaceChildren();
      drawn = "";
      return;
    }
    const { items } = await get(`/_local/items?pk=${encodeURIComponent(`REQ#${id}`)}`);
    const text = JSON.stringify(items);
    if (id !== shown() || drawn === text) return;
    drawn = text;
    const open = [...story.querySelectorAll("details")].map((each) => each.open);
    story.replaceChildren(...tell(id, items));
    [...story.querySelectorAll("details")].forEach((each, at) => {
      each.open = open[at] ?? false;
    });
  });

  function tell(id, items) {
    const request = items.find((item) => item.sk === "REQ");
    const history = items.filter((item) => item.sk.startsWith("LOG#"));
    const effects = items.filter((item) => item.sk.startsWith("EFF#"));
    const steps = [
      request && step(dates.format(request.created), `Received by the form “${request.source}”`),
      ...history.map((entry) =>
        step(dates.format(entry.at), `${STATES[entry.from] ?? entry.from} → ${STATES[entry.to] ?? entry.to}, by ${people.name(entry.actor)}`),
      ),
    ];
    return [
      el("h4", {}, el("code", {}, number(id)), request && badge(request.state, request.state === "new" ? "warn" : "good")),
      el("ol", { class: "steps" }, steps),
      ...effects.map((effect) => effectNode(id, effect)),
      el("details", { class: "fold" }, el("summary", {}, `All ${items.length} items`), el("pre", { tabindex: 0 }, JSON.stringify(items, null, 2))),
    ];
  }

  function step(at, text) {
    return el("li", {}, el("time", {}, at), el("span", {}, text));
  }

  function effectNode(id, effect) {
    const name = effect.sk.replace(/^EFF#/, "").replace("#", " in ");
    const time = (value) => value !== undefined && times.format(value);
    const facts = [
      ["version", effect.shown === effect.want ? effect.shown : `${effect.shown} of ${effect.want}`],
      ["attempts", effect.attempts],
      ["unknowns", effect.unknowns],
      ["sent again", effect.resends],
      ["message", effect.message],
      ["not before", effect.state !== "done" && time(effect.not_before)],
      ["lease until", effect.state === "sending" && time(effect.lease_until)],
      ["due", time(effect.due)],
    ].filter(([, value]) => value !== false && value !== undefined && value !== 0);
    const isTrouble = effect.state === "failed" || effect.state === "unknown";
    return el(
      "section",
      { class: "effect" },
      el("h5", {}, name, badge(effect.state, EFFECT_KINDS[effect.state])),
      el("dl", {}, facts.map(([term, value]) => el("div", {}, el("dt", {}, term), el("dd", {}, String(value))))),
      effect.error && el("p", { class: isTrouble ? "error" : "hint" }, effect.error),
      passed(`${id} ${effect.sk}`, effect),
    );
  }

  function passed(key, effect) {
    if (!seen.has(key)) seen.set(key, []);
    const states = seen.get(key);
    if (states.at(-1)?.revision !== effect.revision) {
      states.push({ revision: effect.revision, state: effect.state, at: Date.now() });
    }
    if (states.length < 2) return null;
    const first = states[0].at;
    const words = states.slice(-12).map(({ state, at }) => `${state} +${((at - first) / 1000).toFixed(1)} s`);
    return el("p", { class: "hint" }, `Seen: ${words.join(" → ")}`);
  }

  draw();
  return { refresh };
}
