// What a phone says to the table, and how it proves that it is at the table.
import { words } from "./words.js";

const TRIES = 5;
const PRESS_WITHIN_MS = 11_000;
const LOOK_AGAIN_MS = 400;
const dialog = document.getElementById("pairing");
const face = document.getElementById("face");
const seat = face.dataset.seat === undefined ? null : Number(face.dataset.seat);

let line, number = 0;
let waiting = null;

export const heed = (newLine) => { line = newLine; };
export const saw = (no) => { number = no; };

const post = (path, body) =>
  fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

// Says an event and gives the word to show. A call means the same whatever has been laid meanwhile (`always`); a
// correction does not.
export async function say(event, { always = false } = {}) {
  try {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const answer = await post("/api/events", { no: number, event });
      const body = await answer.json();
      if (answer.ok) { number = body.no; return { ok: true, word: words.noted }; }
      if (answer.status === 409) {
        number = body.no;
        line.take(body);
        if (!always) return { ok: false, word: words.stale };
      } else if (answer.status === 403) {
        if (!(await mayNow())) return { ok: false, word: words["say.not"] };
      } else {
        return { ok: false, word: answer.status === 422 ? words.senseless : words.unsaid };
      }
    }
  } catch {
    return { ok: false, word: words.unsaid };
  }
  return { ok: false, word: words.unsaid };
}

// Whether it is worth saying it again: this phone has just been paired, or has changed seats.
async function mayNow() {
  const who = await (await fetch("/api/pair")).json();
  if (!who.paired) return pair();
  if (seat !== null && who.seat !== seat && !who.host && who.by === "code") return (await post("/api/pair", { seat })).ok;
  return false;
}

export function pair() {
  if (!dialog) return Promise.resolve(false);
  dialog.showModal();
  return new Promise((done) => { waiting = done; });
}

export const passHost = async (to) => {
  const answer = await post("/api/pair", { host: to });
  return answer.ok ? words.noted : words[answer.status === 422 ? "host.nobody" : "say.not"];
};

function told(word) { document.getElementById("pairing-word").textContent = word; }

async function ask(body) {
  const until = Date.now() + PRESS_WITHIN_MS;
  for (;;) {
    const answer = await post("/api/pair", body);
    if (answer.status === 202 && Date.now() < until) {
      told(words["pair.press"]);
      await new Promise((then) => { setTimeout(then, LOOK_AGAIN_MS); });
      continue;
    }
    if (answer.status === 200) { told(words["pair.done"]); dialog.close("paired"); return; }
    const key = { 202: "pair.nobody", 403: "code" in body ? "pair.wrong" : "pair.nobody", 429: "pair.many" }[answer.status];
    told(words[key] ?? words.unsaid);
    return;
  }
}

if (dialog) {
  dialog.addEventListener("close", () => {
    const paired = dialog.returnValue === "paired";
    waiting?.(paired);
    waiting = null;
    if (paired) document.dispatchEvent(new Event("paired"));
    dialog.returnValue = "";
  });
  dialog.querySelector("#pairing-code")?.addEventListener("submit", (event) => {
    event.preventDefault();
    ask({ code: event.target.code.value, ...(seat === null ? {} : { seat }) }).catch(() => told(words.unsaid));
  });
  dialog.addEventListener("click", (event) => {
    const button = event.target.closest("[data-pair-seat]");
    if (button) ask({ seat: Number(button.dataset.pairSeat) }).catch(() => told(words.unsaid));
  });
}
