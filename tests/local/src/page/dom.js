// Building of elements. Text only ever becomes text.

/**
 * An element; `attributes` are set as such, but `on` holds listeners and an attribute that is
 * false, null or undefined is left out.
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") {
      for (const [type, listener] of Object.entries(value)) element.addEventListener(type, listener);
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** A button that does something on this page. */
export function button(text, act, attributes = {}) {
  return el("button", { type: "button", ...attributes, on: { click: act } }, text);
}

/** Makes `parent` hold exactly `children`, moving no child that is in its place already. */
export function fill(parent, children) {
  let at = parent.firstChild;
  for (const child of children) {
    if (child === at) {
      at = at.nextSibling;
    } else {
      parent.insertBefore(child, at);
    }
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

/** Makes a select offer `[value, text]` pairs, keeping what is chosen if it is still offered. */
export function offer(select, pairs) {
  const wanted = JSON.stringify(pairs);
  if (select.dataset.offered === wanted) return;
  select.dataset.offered = wanted;
  const chosen = select.value;
  select.replaceChildren(...pairs.map(([value, text]) => el("option", { value }, text)));
  if (pairs.some(([value]) => String(value) === chosen)) select.value = chosen;
}

/**
 * Remembers the nodes made for a list's entries, so that only what changed is made anew and focus,
 * selection and open menus stay.
 */
export class Kept {
  #nodes = new Map();

  /** The node for `key`, made by `make` unless `value` is what it was made from. */
  node(key, value, make) {
    const text = JSON.stringify(value);
    const known = this.#nodes.get(key);
    if (known?.text === text) return known.node;
    const node = make();
    if (known?.node.contains(document.activeElement)) {
      queueMicrotask(() => node.isConnected && node.focus({ preventScroll: true }));
    }
    this.#nodes.set(key, { text, node });
    return node;
  }

  clear() {
    this.#nodes.clear();
  }
}
