// The line to the table. A phone sleeps, loses the Wi-Fi, meets a restart: whatever happened, within two seconds of
// being back it shows what is true, and until then it says that it doesn't know.

const AGAIN_MS = 800;
// The rig says every five seconds that it is there.
const SILENT_MS = 8000;

// `seen`: what the page itself came with; nothing of what was ruled since then is missed.
export function follow({ seen, state, ruling, health, line }) {
  let source, heard = 0, shown = -1, fresh = true, again;
  let last = seen.no, names = seen.names, rulings = [];

  function take(seen) {
    // What was asked for may arrive after what was told; only a line that has just been opened may go back: then the
    // rig has begun a new journal.
    if (!fresh && seen.no < shown) return;
    fresh = false;
    shown = seen.no;
    line("live");
    state(seen);
  }

  // After what was ruled comes the state that it led to.
  function conclude(seen) {
    const before = names;
    const news = rulings;
    [last, names, rulings] = [seen.no, seen.names, []];
    take(seen);
    // While this phone slept others may have sat down; of those that it knew nobody could say any more who they were.
    if (!before.length || String(before) === String(names)) news.forEach((one) => ruling(one, names));
  }

  function open() {
    clearTimeout(again);
    source?.close();
    heard = Date.now();
    rulings = [];
    // A new line knows nothing of the one before: it is told how far that one had come.
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
      // While it is connecting the browser tries again by itself, and says what it heard last.
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
