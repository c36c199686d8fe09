// Puts the page together and keeps it up to date.

import { People } from "./people.js";
import { attempt } from "./toasts.js";
import { calm, follow, get } from "./api.js";
import { clockPanel } from "./clock.js";
import { customersPart } from "./customers.js";
import { faultsPanel } from "./faults.js";
import { logPanel } from "./log.js";
import { offer } from "./dom.js";
import { queuesPanel } from "./queues.js";
import { staffPart } from "./staff.js";
import { storyPanel } from "./story.js";

/** On a narrow window, the parts are behind buttons. */
function partButtons() {
  const buttons = [...document.querySelectorAll("#parts button")];
  const hasColumns = matchMedia("(min-width: 800px)");
  const draw = () => {
    // Beside the staff's chat, which then always shows, there is room for another part.
    if (hasColumns.matches && document.body.dataset.part === "staff") document.body.dataset.part = "form";
    for (const each of buttons) {
      const isShown = each.dataset.part === document.body.dataset.part;
      each.setAttribute("aria-current", String(isShown));
      if (isShown) delete each.dataset.news;
    }
  };
  for (const each of buttons) {
    each.addEventListener("click", () => {
      document.body.dataset.part = each.dataset.part;
    });
  }
  new MutationObserver(draw).observe(document.body, { attributeFilter: ["data-part"] });
  hasColumns.addEventListener("change", draw);
  draw();
  return (part) => {
    const each = buttons.find((candidate) => candidate.dataset.part === part);
    if (document.body.dataset.part !== part) each.dataset.news = "";
  };
}

function formPart(settings) {
  const choice = document.getElementById("form-choice");
  const frame = document.getElementById("form-frame");
  offer(choice, settings.forms.map(({ name, title }) => [name, title]));
  choice.hidden = settings.forms.length < 2;
  if (settings.forms.length === 1) document.getElementById("form-title").textContent = settings.forms[0].title;
  const open = () => {
    frame.src = `/forms/${encodeURIComponent(choice.value)}`;
  };
  choice.addEventListener("change", open);
  document.getElementById("form-again").addEventListener("click", open);
  open();
}

/** Menus close by Escape, by a click elsewhere, and when another opens. */
function menus() {
  const close = (except) => {
    for (const open of document.querySelectorAll("details.more[open]")) if (open !== except) open.open = false;
  };
  document.addEventListener("click", (event) => {
    const menu = event.target.closest("details.more");
    close(menu);
    if (menu && event.target.closest(".sheet > button")) menu.open = false;
  });
  const show = (event) => {
    const menu = event.target;
    if (menu.matches("details.more") && menu.open) menu.lastElementChild.scrollIntoView({ block: "nearest" });
  };
  document.addEventListener("toggle", show, { capture: true });
  document.addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" && document.querySelector("details.more[open]");
    if (!menu) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
}

/** How many live messages each chat has, to tell where something is new. */
function counts(chats) {
  const count = (isPrivate) =>
    chats
      .filter((chat) => (chat.type === "private") === isPrivate)
      .reduce((sum, chat) => sum + chat.messages.reduce((all, message) => all + 1 + message.edits, 0), 0);
  return { staff: count(false), customers: count(true) };
}

async function start() {
  const settings = await get("/_local/settings");
  document.getElementById("desk-name").textContent = settings.name;
  document.title = `${settings.name} · front desk, locally`;
  const people = new People(settings);
  const mark = partButtons();
  menus();
  formPart(settings);
  const staff = staffPart(settings, people);
  const customers = customersPart(settings, people);
  const panels = [clockPanel(settings), queuesPanel(), faultsPanel(settings)];
  const story = storyPanel(settings, people);
  const log = logPanel(settings);
  const busy = document.getElementById("busy");
  let known = null;
  const refreshChats = calm(async () => {
    const { chats } = await get("/_local/chats");
    people.learn(chats);
    staff.update(chats);
    customers.update(chats);
    const now = counts(chats);
    for (const part of Object.keys(now)) if (known && known[part] !== now[part]) mark(part);
    known = now;
  });
  let told = {};
  const tell = (news) => {
    for (const panel of panels) panel.update(news);
    busy.textContent = news.busy > 0 ? `${news.busy} at work` : "at rest";
    busy.classList.toggle("warn", news.busy > 0);
    if (news.telegram !== told.telegram) refreshChats();
    if (news.work !== told.work) story.refresh();
    if (news.work !== told.work || news.telegram !== told.telegram) log.refresh();
    told = news;
  };
  const away = document.getElementById("away");
  follow(tell, (isAway) => {
    away.hidden = !isAway;
    away.textContent = isAway ? "The desk does not answer. This page goes on when it is back." : "";
    if (!isAway) told = {};
  });
}

attempt(start);
