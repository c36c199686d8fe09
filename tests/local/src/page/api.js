// Talking to the desk.

async function read(response) {
  const text = await response.text();
  let body = null;
  try {
    body = JSON.parse(text);
  } catch {
    // What is not JSON is told as it is.
  }
  if (!response.ok) throw new Error(body?.error ?? (text || `The desk answered ${response.status}.`));
  return body;
}

export async function get(path) {
  return read(await fetch(path, { cache: "no-store" }));
}

export async function post(path, body = {}) {
  const headers = { "content-type": "application/json" };
  return read(await fetch(path, { method: "POST", headers, body: JSON.stringify(body) }));
}

export async function remove(path) {
  return read(await fetch(path, { method: "DELETE" }));
}

/**
 * Makes of `act` something that may be asked for at any time: one runs at once, asking while it runs
 * means one more run, and runs are at least 100 ms apart.
 */
export function calm(act) {
  let running = false;
  let again = false;
  return async () => {
    again = true;
    if (running) return;
    running = true;
    while (again) {
      again = false;
      try {
        await act();
      } catch {
        // The live stream tells when the desk is away; after it is back, all is read again.
      }
      await new Promise((done) => setTimeout(done, 100));
    }
    running = false;
  };
}

/** Calls `tell` with each change of the desk, and `away` with whether the desk is out of reach. */
export function follow(tell, away) {
  let source = null;
  const open = () => {
    source = new EventSource("/_local/live");
    source.addEventListener("open", () => away(false));
    source.addEventListener("error", () => {
      away(true);
      // A refused stream is not tried again by itself.
      if (source.readyState === EventSource.CLOSED) setTimeout(open, 1000);
    });
    source.addEventListener("message", (event) => tell(JSON.parse(event.data)));
  };
  // A browser allows few connections to one host; a page that nobody sees holds none.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      source.close();
    } else if (source.readyState === EventSource.CLOSED) {
      open();
    }
  });
  open();
}
