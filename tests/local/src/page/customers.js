// The part of the customers: a private chat with the bot, as the person who has it.

import { Chat } from "./chat.js";
import { offer } from "./dom.js";

export function customersPart(settings, people) {
  const who = document.getElementById("customer");
  const chat = new Chat(document.getElementById("customers"), {
    people,
    zone: settings.zone,
    label: "A private chat with the bot",
    empty: "Nothing written yet. Write as this person, or press + and send /start.",
  });
  let chats = [];
  const draw = () => {
    offer(who, people.customersFirst());
    const id = Number(who.value);
    const known = chats.find((each) => each.chat_id === id);
    chat.show(known ?? { chat_id: id, messages: [] }, id);
  };
  who.addEventListener("change", draw);
  adding(people, (id) => {
    draw();
    who.value = String(id);
    draw();
    who.focus();
  });
  return {
    update(now) {
      chats = now;
      draw();
    },
  };
}

/** The sheet that adds a person. */
function adding(people, added) {
  const form = document.getElementById("person-form");
  const sheet = document.getElementById("new-person");
  sheet.addEventListener("toggle", () => {
    if (!sheet.open) return;
    form.elements.id.value = String(people.freeId());
    form.elements.first_name.focus();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(form));
    const person = { id: Number(fields.id), first_name: fields.first_name };
    for (const name of ["last_name", "language_code"]) if (fields[name]) person[name] = fields[name];
    people.add(person);
    sheet.open = false;
    form.reset();
    added(person.id);
  });
}
