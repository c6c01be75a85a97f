// Sends events to the table, and pairs this phone.
import { counted, filled, words } from "./words.js";

const TRIES = 5;
const PRESS_WITHIN_MS = 11_000;
const LOOK_AGAIN_MS = 400;
// In the page's language; the API answers in English.
const REFUSED = { 403: "say.not", 409: "stale", 422: "senseless", 503: "busy" };
const dialog = document.getElementById("pairing");
const way = document.getElementById("pairing-way");
const answered = document.getElementById("answer");
const face = document.getElementById("face");
// The place at the table of a seat's own phone, whichever seat of the game that is.
const place = () => (face.dataset.place === undefined ? null : Number(face.dataset.place));

let line, number = 0;
let waiting = null;
// Counts the attempts to pair: touching another seat, or only looking, ends the one before.
let questions = 0;

export const heed = (newLine) => { line = newLine; };
export const saw = (no) => { number = no; };

// Shows the result of a tap beside it without covering anything: in a place of its own (`#slot`), or instead of
// the heading above what was touched.
// `detail`: the rig's own explanation.
export function reply(word, detail = "") {
  answered.replaceChildren(word);
  if (detail) {
    const small = document.createElement("small");
    small.lang = "en";
    small.textContent = detail;
    answered.append(" ", small);
  }
  if (word && !isInSight(answered)) answered.scrollIntoView({ block: "nearest" });
}

function isInSight(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}

// After the page around it was built anew.
export function settle() {
  const slot = document.getElementById("slot");
  if (slot) slot.append(answered);
  else if (!answered.isConnected) face.before(answered);
}

function moveTo(touched) {
  if (document.getElementById("slot") || !touched.closest("#face") || touched.closest("dialog")) return;
  let around = touched;
  while (!around.querySelector(":scope > :is(h2, h3)") && around.id !== "face") around = around.parentElement;
  const heading = around.querySelector(":scope > :is(h2, h3)");
  const own = touched.closest("p, ol, .choices") ?? touched;
  (heading && isInSight(heading) ? heading : own).after(answered);
}

// It stays until something else is touched, without a timeout. An event sent when the finger comes down is
// answered by the time it is lifted.
document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-at-once]")) return;
  reply("");
  moveTo(target);
}, true);

settle();

const post = (path, body) =>
  fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

// Sends an event and shows the result. A call stays valid whatever has been laid meanwhile (`always`); a
// correction does not, nor what was decided on an older state (`no`). An event that is valid only `atOnce` is not
// sent again after pairing. `noted`: what is shown when the table has it.
export async function say(event, { always = false, atOnce = false, no = number, noted = () => words.noted } = {}) {
  reply("");
  const { ok = false, word, detail } = await said(event, { always, atOnce, no }).catch(() => ({ word: words.unsaid }));
  reply(ok ? noted() : word, detail);
  return ok;
}

async function said(event, { always, atOnce, no }) {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const answer = await post("/api/events", { no, event });
    const body = await answer.json();
    if (answer.ok) { number = body.no; return { ok: true }; }
    if (answer.status === 409) {
      no = number = body.no;
      // The new state is drawn while the retry is under way.
      queueMicrotask(() => line.take(body));
      if (always) continue;
    } else if (answer.status === 403 && await mayNow()) {
      if (atOnce) return { word: words["pair.done"] };
      continue;
    }
    const word = words[REFUSED[answer.status]] ?? words.unsaid;
    return { word, detail: answer.status === 422 ? body.error : "" };
  }
  return { word: words.unsaid };
}

// Whether a retry may help: this phone has just been paired, or has changed seats.
async function mayNow() {
  const who = await (await fetch("/api/pair")).json();
  if (!who.paired) return pair();
  if (place() !== null && who.seat !== place() && !who.host && who.by === "code") return (await post("/api/pair", { seat: place() })).ok;
  return false;
}

export function pair() {
  if (!dialog) return Promise.resolve(false);
  told("");
  dialog.showModal();
  lookForAnotherWay().catch(() => {});
  return new Promise((done) => { waiting = done; });
}

export async function passHost(to) {
  reply("");
  const answer = await post("/api/pair", { host: to }).catch(() => null);
  if (answer?.ok) document.dispatchEvent(new Event("paired"));
  reply(answer?.ok ? words.noted : words[{ 403: "say.not", 422: "host.nobody" }[answer?.status]] ?? words.unsaid);
}

function told(word) { document.getElementById("pairing-word").textContent = word; }

async function ask(body, seat = "") {
  const mine = ++questions;
  const until = Date.now() + PRESS_WITHIN_MS;
  // The place where somebody pressed instead: more useful than that nobody did.
  let other = null;
  for (let asked = false; ; asked = true) {
    const answer = await post("/api/pair", body).catch(() => ({}));
    if (mine !== questions) {
      // Too late to cancel.
      if (answer.status === 200) document.dispatchEvent(new Event("paired"));
      return;
    }
    if (answer.status === 200) { told(words["pair.done"]); dialog.close("paired"); return; }
    if (answer.status !== 202 || Date.now() >= until) {
      choose(null);
      if (!other) told(unpaired(answer, "code" in body, asked));
      lookForAnotherWay().catch(() => {});
      return;
    }
    const { pressed = null } = await answer.json();
    other = pressed === null ? null : way.querySelector(`[data-pair-seat="${pressed}"]`);
    told(other ? filled("pair.instead", { seat, other: other.textContent }) : filled("pair.press", { seat }));
    await new Promise((then) => { setTimeout(then, LOOK_AGAIN_MS); });
    if (mine !== questions) return;
  }
}

function choose(seat) {
  for (const one of way.querySelectorAll("[data-pair-seat]")) one.setAttribute("aria-pressed", one === seat);
}

// Buttons may have been plugged in or unplugged since the page was loaded.
async function lookForAnotherWay() {
  const { by } = await (await fetch("/api/pair")).json();
  if (by === way.dataset.by) return;
  const page = await (await fetch(location.href, { cache: "no-cache" })).text();
  const fresh = new DOMParser().parseFromString(page, "text/html").getElementById("pairing-way");
  way.replaceChildren(...fresh.childNodes);
  way.dataset.by = fresh.dataset.by;
}

function unpaired({ status, headers }, byCode, asked) {
  if (status === 429) return filled("pair.many", { minutes: counted("minutes", Math.ceil((headers.get("Retry-After") ?? 60) / 60)) });
  if (status === 403) return words[byCode ? "pair.wrong" : asked ? "pair.nobody" : "pair.other"];
  return status === 202 ? words["pair.nobody"] : words.unsaid;
}

if (dialog) {
  dialog.addEventListener("close", () => {
    const paired = dialog.returnValue === "paired";
    questions += 1;
    choose(null);
    waiting?.(paired);
    waiting = null;
    if (paired) document.dispatchEvent(new Event("paired"));
    dialog.returnValue = "";
  });
  dialog.addEventListener("submit", (event) => {
    if (event.target.id !== "pairing-code") return;
    event.preventDefault();
    ask({ code: event.target.code.value, ...(place() === null ? {} : { seat: place() }) });
  });
  dialog.addEventListener("click", (event) => {
    const button = event.target.closest("[data-pair-seat]");
    if (!button) return;
    choose(button);
    ask({ seat: Number(button.dataset.pairSeat) }, button.textContent);
  });
}
