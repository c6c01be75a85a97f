// The line to the table. A phone sleeps, loses the Wi-Fi, meets a restart: whatever happened, within two seconds of
// being back it shows what is true, and until then it says that it doesn't know.

const AGAIN_MS = 800;
// The rig says every five seconds that it is there.
const SILENT_MS = 8000;

export function follow({ state, ruling, health, line }) {
  let source, heard = 0, shown = -1, fresh = true, again;

  function take(seen) {
    // What was asked for may arrive after what was told; only a line that has just been opened may go back: then the
    // rig has begun a new journal.
    if (!fresh && seen.no < shown) return;
    fresh = false;
    shown = seen.no;
    line("live");
    state(seen);
  }

  function open() {
    clearTimeout(again);
    source?.close();
    heard = Date.now();
    source = new EventSource("/api/events");
    const on = (name, then) => source.addEventListener(name, (event) => {
      heard = Date.now();
      then(JSON.parse(event.data));
    });
    source.addEventListener("open", () => { fresh = true; });
    on("state", take);
    on("ruling", ruling);
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
