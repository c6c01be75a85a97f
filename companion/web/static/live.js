// Keeps a page up to date: passes updates to the script of the game that is being played.
import { follow } from "./line.js";
import { heed, pair, saw, settle } from "./talk.js";
import { filled, words } from "./words.js";

const face = document.getElementById("face");
const lineWord = document.getElementById("line");
const ruled = document.getElementById("ruling");
// Old lines for screen readers are removed.
const REMEMBERED = 12;
const AGAIN_MS = 1000;

let seen = JSON.parse(document.getElementById("seen").textContent);
let part = null;
let builtFor;
let renewing = null;
// Counts the requests for the page: an answer to any but the newest is out of date.
let questions = 0;
let camera = null, ails = [], lost = false, hostAt;
let held = null;
// Rulings that arrived before the game's script was loaded.
let unsaid = [];

const isOfThisGame = ({ state }) => (state?.game ?? "") === face.dataset.game;

// What the page was built for, by the table and by the game's script; when it changes the page is loaded again.
function purposeOf(now) {
  const { state, names, page } = now;
  return JSON.stringify([state?.game, names, page.places, isOfThisGame(now) && part?.builtFor?.(now)]);
}

function show(now) {
  seen = now;
  saw(now.no);
  if (purposeOf(now) !== builtFor) renewing ??= renew();
  else if (isOfThisGame(now)) part?.show(now);
  wrong(now.page.camera);
}

function wrong(key) {
  camera = key;
  say();
}

// The name of the player at that place of the table.
function nameAt(place) {
  const { names, page: { places = [...names.keys()] } } = seen;
  return names[places.indexOf(place)] ?? filled("seat", { n: place + 1 });
}

function feel({ camera: key, buttons = [], disk = null, host = null, troubles = [] }) {
  ails = buttons.map(({ seat, button = "button" }) =>
    ({ text: seat === null ? words["buttons.gone"] : filled(`${button}.out`, { seat: nameAt(seat) }) }));
  if (disk) ails.push({ text: words[`disk.${disk}`] });
  // The camera's own message says more than the general one. A trouble without a translation is shown in the rig's
  // words.
  ails.push(...troubles.filter((one) => one.key !== "camera" || !key).map((one) =>
    (`trouble.${one.key}` in words ? { text: words[`trouble.${one.key}`] } : { text: one.sentence, lang: "en" })));
  // Only matters on the host's page. `host` is its place at the table: null without a host, or for a host without
  // a seat.
  if (face.dataset.face === "host" && hostAt !== undefined && hostAt !== host) renewMine();
  hostAt = host;
  wrong(key);
}

// Lines already there stay, so that they are not read out again.
function say() {
  const blind = camera ? [{ text: words[`camera.${camera}`] ?? words["camera.other"] }] : [];
  const said = new Map((lost ? [{ text: words.lost }] : [...blind, ...ails]).map((one) => [one.text, one]));
  for (const one of [...lineWord.children]) if (!said.delete(one.textContent)) one.remove();
  for (const { text, lang } of said.values()) {
    const one = document.createElement("span");
    one.textContent = text;
    if (lang) one.lang = lang;
    lineWord.append(one);
  }
}

// The game's own script for that face; none if nothing is played.
async function scriptOf({ script }) {
  return script ? import(script) : null;
}

// `now`: the state that the page came with.
function begin(script, now) {
  part = script?.part() ?? null;
  builtFor = purposeOf(now);
  wake();
  if (isOfThisGame(seen)) part?.show(seen);
  if (part) unsaid.splice(0).forEach((one) => rule(...one));
}

async function asked() {
  const answer = await fetch(location.href, { cache: "no-cache" });
  if (!answer.ok) throw new Error(String(answer.status));
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

function renewParts(fresh, ...selectors) {
  for (const selector of selectors) {
    const [place, now] = [document, fresh].map((page) => page.querySelector(selector));
    if (!place || !now) continue;
    const wasHere = place.contains(document.activeElement);
    place.replaceChildren(...now.childNodes);
    if (wasHere) goOn();
  }
}

// The focused element may be gone: move the keyboard focus.
function goOn() {
  const next = document.querySelector("[data-go-on]:enabled") ?? document.getElementById("main");
  next.focus({ preventScroll: true });
}

// The focused element may become disabled: move the keyboard focus to something near it.
function keepPlace() {
  if (!held?.matches(":disabled") || ![held, document.body].includes(document.activeElement)) return;
  const around = held.closest("section, form") ?? document.getElementById("main");
  around.tabIndex = -1;
  around.focus({ preventScroll: true });
}

// Parts beside the face that depend on the game, the players and this phone.
function renewBeside(fresh) {
  renewParts(fresh, ".mark span", ".speaks", "#pairing-way fieldset");
  wake();
}

// Parts of the face that depend on this phone.
async function renewMine() {
  await renewing;
  const mine = ++questions;
  const fresh = await asked().catch(() => null);
  if (!fresh || mine !== questions) return;
  const hosts = document.querySelector(".hosts");
  if (hosts) hosts.disabled = fresh.querySelector(".hosts").disabled;
  renewParts(fresh, ".notice", ".first-step");
  renewBeside(fresh);
}

// Controls that need a script are enabled once it is there: before, a tap would be lost.
function wake() {
  for (const button of document.querySelectorAll("[data-asleep]")) {
    button.disabled = false;
    button.removeAttribute("data-asleep");
  }
}

// Another game has its own drawings, style sheets and words.
function renewArt(fresh) {
  const sheets = (page) => [...page.querySelectorAll("link[data-game-sheet]")];
  const hrefs = (page) => sheets(page).map((one) => one.getAttribute("href"));
  if (String(hrefs(document)) === String(hrefs(fresh))) return;
  const old = sheets(document);
  document.head.append(...sheets(fresh));
  for (const one of old) one.remove();
  document.getElementById("drawings").replaceChildren(...fresh.getElementById("drawings").childNodes);
  Object.assign(words, JSON.parse(fresh.getElementById("words").textContent));
}

async function renew() {
  let fresh, script;
  questions += 1;
  try {
    fresh = await asked();
    script = await scriptOf(fresh.getElementById("face").dataset);
  } catch {
    setTimeout(() => { renewing = renew(); }, AGAIN_MS);
    return;
  }
  const newFace = fresh.getElementById("face");
  const wasHere = face.contains(document.activeElement);
  renewArt(fresh);
  face.replaceChildren(...newFace.childNodes);
  settle();
  // The keyboard focus goes to the new content, not to the top of the page.
  if (wasHere) document.getElementById("main").focus({ preventScroll: true });
  face.dataset.game = newFace.dataset.game;
  if ("script" in newFace.dataset) face.dataset.script = newFace.dataset.script;
  else delete face.dataset.script;
  if ("place" in newFace.dataset) face.dataset.place = newFace.dataset.place;
  document.title = fresh.title;
  const now = JSON.parse(fresh.getElementById("seen").textContent);
  if (now.no > seen.no) seen = now;
  renewing = null;
  renewBeside(fresh);
  begin(script, now);
  show(seen);
}

function rule(ruling, names) {
  if (!part || !isOfThisGame(seen)) {
    unsaid = [...unsaid, [ruling, names]].slice(-REMEMBERED);
    return;
  }
  const sentence = part.heard?.(ruling, names) ? "" : part.told(ruling, names);
  if (!sentence) return;
  const item = document.createElement("p");
  item.textContent = sentence;
  ruled.append(item);
  while (ruled.childElementCount > REMEMBERED) ruled.firstElementChild.remove();
}

// No focus event is fired when the focused element becomes disabled, so it is observed.
document.addEventListener("focusin", ({ target }) => { held = target; });
document.addEventListener("focusout", () => { held = null; });
new MutationObserver(keepPlace).observe(face, { subtree: true, attributeFilter: ["disabled"] });
begin(await scriptOf(face.dataset), seen);
heed(follow({
  seen,
  state: show,
  ruling: rule,
  health: feel,
  line: (how) => { lost = how === "lost"; say(); },
}));
// A newly paired phone has other rights; what it shows of the table stays.
document.addEventListener("paired", renewMine);
document.addEventListener("click", ({ target }) => { if (target.closest("[data-pair]")) pair(); });
