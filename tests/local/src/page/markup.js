// A message's HTML, rebuilt from the few tags that Telegram knows. Whatever else it holds, tags with
// other names and broken ones included, is shown as the text that it is.

import { el } from "./dom.js";

const PART =
  /<(\/?)([a-z][a-z-]*)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*>|&(?:(amp|lt|gt|quot)|#([0-9]{1,7})|#x([0-9a-f]{1,6}));/gi;
const ATTRIBUTE = /([a-z-]+)(?:="([^"]*)")?/gi;
const NAMED = { amp: "&", lt: "<", gt: ">", quot: '"' };
const SAFE = /^(?:https?|tg|tel|mailto):/i;

const TAGS = {
  b: () => el("b"),
  strong: () => el("b"),
  i: () => el("i"),
  em: () => el("i"),
  u: () => el("u"),
  ins: () => el("u"),
  s: () => el("s"),
  strike: () => el("s"),
  del: () => el("s"),
  code: () => el("code"),
  pre: () => el("pre"),
  blockquote: (attributes) => (attributes.has("expandable") ? expandable() : el("blockquote")),
  a: (attributes) => link(attributes.get("href") ?? ""),
  span: (attributes) => (attributes.get("class") === "tg-spoiler" ? spoiler() : el("span")),
  "tg-spoiler": () => spoiler(),
  "tg-emoji": () => el("span"),
  "tg-time": () => el("span"),
};

/** A link that leaves the page in a window of its own; none to an address of another kind. */
export function link(address, attributes = {}, ...children) {
  if (!SAFE.test(address)) return el("span", attributes, ...children);
  return el("a", { href: address, target: "_blank", rel: "noopener noreferrer", ...attributes }, ...children);
}

function spoiler() {
  const reveal = (event) => {
    if (event.type === "keydown" && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    element.classList.add("shown");
    element.removeAttribute("role");
    element.removeAttribute("tabindex");
  };
  const attributes = { class: "spoiler", role: "button", tabindex: 0, title: "Show what is hidden" };
  const element = el("span", { ...attributes, on: { click: reveal, keydown: reveal } });
  return element;
}

function expandable() {
  const turn = (event) => {
    if (event.type === "keydown" && event.key !== "Enter") return;
    element.classList.toggle("open");
  };
  const element = el("blockquote", { class: "expandable", tabindex: 0, on: { click: turn, keydown: turn } });
  return element;
}

function decode(text) {
  return text.replace(PART, (whole, _slash, tag, _rest, named, decimal, hexadecimal) =>
    tag ? whole : character(named, decimal, hexadecimal),
  );
}

function character(named, decimal, hexadecimal) {
  if (named) return NAMED[named.toLowerCase()];
  const code = decimal ? Number.parseInt(decimal, 10) : Number.parseInt(hexadecimal, 16);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
}

function attributesOf(text) {
  const found = new Map();
  for (const [, name, value] of text.matchAll(ATTRIBUTE)) found.set(name.toLowerCase(), decode(value ?? ""));
  return found;
}

/** The nodes of a message's HTML. */
export function nodes(html) {
  const root = document.createDocumentFragment();
  const open = [{ tag: "", element: root }];
  const add = (node) => node !== "" && open.at(-1).element.append(node);
  let at = 0;
  for (const part of html.matchAll(PART)) {
    const [whole, slash, written, rest, named, decimal, hexadecimal] = part;
    add(html.slice(at, part.index));
    at = part.index + whole.length;
    const tag = written?.toLowerCase();
    if (!tag) {
      add(character(named, decimal, hexadecimal));
    } else if (!Object.hasOwn(TAGS, tag)) {
      add(whole);
    } else if (!slash) {
      const element = TAGS[tag](attributesOf(rest));
      add(element);
      open.push({ tag, element });
    } else if (open.some((each) => each.tag === tag)) {
      while (open.pop().tag !== tag);
    }
  }
  add(html.slice(at));
  return root;
}
