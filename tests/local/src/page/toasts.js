// What the desk says to the person who acts: passing notes, and alerts that wait for an OK.

import { button, el } from "./dom.js";

const STAYS_MS = 6000;
const MOST = 4;

/** Shows a note for a while; one under the pointer or with the focus stays. */
export function toast(text, { from = "", kind = "" } = {}) {
  const list = document.getElementById("toasts");
  const note = el(
    "div",
    { class: `toast ${kind}` },
    el("p", {}, from && el("b", {}, from), text),
    button("×", () => note.remove(), { class: "close", "aria-label": "Close this note" }),
  );
  const leave = () => {
    if (note.matches(":hover") || note.contains(document.activeElement)) {
      setTimeout(leave, 1000);
    } else {
      note.remove();
    }
  };
  setTimeout(leave, STAYS_MS);
  list.append(note);
  while (list.children.length > MOST) list.firstElementChild.remove();
}

/** Shows an alert; Escape and OK close it. */
export function alertOf(title, text) {
  const dialog = document.getElementById("alert");
  document.getElementById("alert-title").textContent = title;
  document.getElementById("alert-text").textContent = text;
  if (!dialog.open) dialog.showModal();
}

/** Runs something that a person asked for and tells what went wrong. */
export async function attempt(act) {
  try {
    return await act();
  } catch (error) {
    toast(error instanceof TypeError ? "The desk does not answer." : error.message, { kind: "bad" });
    return undefined;
  }
}
