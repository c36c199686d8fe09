// The part of the staff: groups, seen as a member of staff or as anybody.

import { Chat } from "./chat.js";
import { offer } from "./dom.js";

export function staffPart(settings, people) {
  const which = document.getElementById("staff-chat");
  const who = document.getElementById("staff-person");
  const chat = new Chat(document.getElementById("staff"), {
    people,
    zone: settings.zone,
    label: "The staff's chat",
    empty: "Send the form, and the lead's card appears here.",
  });
  let chats = [];
  const draw = () => {
    const groups = new Map(settings.places.map((place) => [place.chat_id, place.title]));
    for (const each of chats) if (each.type !== "private") groups.set(each.chat_id, each.title);
    offer(which, [...groups]);
    which.hidden = groups.size < 2;
    offer(who, people.staffFirst());
    const id = Number(which.value);
    document.getElementById("staff-title").textContent = which.hidden ? (groups.get(id) ?? "Staff") : "Chat";
    chat.show(chats.find((each) => each.chat_id === id) ?? { chat_id: id, messages: [] }, Number(who.value));
  };
  which.addEventListener("change", draw);
  who.addEventListener("change", draw);
  return {
    update(now) {
      chats = now;
      draw();
    },
  };
}
