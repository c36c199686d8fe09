// Who may be played: staff by the settings, customers by their chats, and anybody who was added here.

const KEY = "frontdesk.people";

function remembered() {
  try {
    const people = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(people) ? people.filter((person) => Number.isSafeInteger(person?.id)) : [];
  } catch {
    return [];
  }
}

export class People {
  #staff;
  #bot;
  #customers = new Map([[9001, { id: 9001, first_name: "Vera", language_code: "en" }]]);

  constructor(settings) {
    this.#bot = settings.bot;
    this.#staff = new Map(
      settings.staff.map(({ id, name }) => [id, { id, first_name: name, language_code: "en" }]),
    );
    for (const person of remembered()) this.#customers.set(person.id, person);
  }

  /** Learns of the people who have a private chat. */
  learn(chats) {
    for (const chat of chats) {
      const id = chat.chat_id;
      if (chat.type !== "private" || this.#staff.has(id) || this.#customers.has(id)) continue;
      this.#customers.set(id, { id, first_name: chat.title });
    }
  }

  add(person) {
    if (this.#staff.has(person.id)) return;
    this.#customers.set(person.id, person);
    try {
      localStorage.setItem(KEY, JSON.stringify([...this.#customers.values()]));
    } catch {
      // A browser that keeps nothing forgets the person with the page.
    }
  }

  /** An id that nobody has yet. */
  freeId() {
    return Math.max(9000, ...this.#customers.keys(), ...this.#staff.keys()) + 1;
  }

  user(id) {
    return this.#staff.get(id) ?? this.#customers.get(id) ?? { id, first_name: `Person ${id}` };
  }

  name(id) {
    if (id === this.#bot.id) return this.#bot.name;
    const { first_name: first, last_name: last } = this.user(id);
    return last ? `${first} ${last}` : first;
  }

  isBot(id) {
    return id === this.#bot.id;
  }

  isStaff(id) {
    return this.#staff.has(id);
  }

  /** Ids with names; those who share a name are told apart by their ids. */
  #pairs(people) {
    const all = [...this.#staff.keys(), ...this.#customers.keys()].map((id) => this.name(id));
    const isShared = (name) => all.indexOf(name) !== all.lastIndexOf(name);
    return [...people.keys()].map((id) => {
      const name = this.name(id);
      return [id, isShared(name) ? `${name} · ${id}` : name];
    });
  }

  staffFirst() {
    return [...this.#pairs(this.#staff), ...this.#pairs(this.#customers)];
  }

  customersFirst() {
    return [...this.#pairs(this.#customers), ...this.#pairs(this.#staff)];
  }
}
