// The connection to the table. A phone sleeps, loses the Wi-Fi, meets a restart: within two seconds of being back
// it shows the present state, and until then it says that it doesn't know.

const AGAIN_MS = 800;
// The rig sends a heartbeat every five seconds.
const SILENT_MS = 8000;

// `seen`: the state that the page came with; no ruling since then is missed.
export function follow({ seen, state, ruling, health, line }) {
  let source, heard = 0, shown = -1, fresh = true, again;
  let last = seen.no, names = seen.names, rulings = [];

  function take(seen) {
    // An answer may arrive after a newer update, so older states are ignored. Only a new connection may go back:
    // then the rig has begun a new journal.
    if (!fresh && seen.no < shown) return;
    fresh = false;
    shown = seen.no;
    line("live");
    state(seen);
  }

  // After the rulings comes the state that they led to.
  function conclude(seen) {
    const before = names;
    const news = rulings;
    [last, names, rulings] = [seen.no, seen.names, []];
    take(seen);
    // While this phone slept other people may have sat down: the old names would be wrong.
    if (!before.length || String(before) === String(names)) news.forEach((one) => ruling(one, names));
  }

  function open() {
    clearTimeout(again);
    source?.close();
    heard = Date.now();
    rulings = [];
    // A new stream knows nothing of the one before: tell it how far that one had come.
    source = new EventSource(`/api/events?last=${last}`);
    const on = (name, then) => source.addEventListener(name, (event) => {
      heard = Date.now();
      then(JSON.parse(event.data));
    });
    source.addEventListener("open", () => { fresh = true; });
    on("state", conclude);
    on("ruling", (one) => rulings.push(one));
    on("health", health);
    source.onerror = () => {
      line("lost");
      // While connecting the browser retries by itself, and sends the last id that it has read.
      if (source.readyState === EventSource.CLOSED) again = setTimeout(open, AGAIN_MS);
    };
  }

  async function look() {
    try {
      const answer = await fetch("/api/state", { cache: "no-cache" });
      if (answer.ok) take(await answer.json());
    } catch {
      line("lost");
    }
  }

  function back() {
    if (document.visibilityState !== "visible") return;
    look();
    if (source.readyState !== EventSource.OPEN || Date.now() - heard > SILENT_MS) open();
  }

  document.addEventListener("visibilitychange", back);
  addEventListener("pageshow", (event) => { if (event.persisted) back(); });
  addEventListener("online", back);
  addEventListener("offline", () => line("lost"));
  setInterval(() => {
    if (Date.now() - heard > SILENT_MS) { line("lost"); open(); }
  }, 1000);
  open();
  return { take, look };
}
