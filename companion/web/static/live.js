// Keeps a page true: hands what is new to the part of the game that is being played.
import { follow } from "./line.js";
import { heed, pair, saw, settle } from "./talk.js";
import { filled, words } from "./words.js";

const face = document.getElementById("face");
const lineWord = document.getElementById("line");
const ruled = document.getElementById("ruling");
// What a screen reader has read is not kept for ever.
const REMEMBERED = 12;
const AGAIN_MS = 1000;

let seen = JSON.parse(document.getElementById("seen").textContent);
let part = null;
let builtFor;
let renewing = null;
// How often the page was asked for: an answer that comes after the next question is out of date.
let questions = 0;
let camera = null, ails = [], lost = false, hostAt;
let held = null;
// Ruled while the part that can say it was still on its way.
let unsaid = [];

const isOfThisGame = ({ state }) => (state?.game ?? "") === face.dataset.game;

// What the page is built for, by the table and by the game's own script; when that changes it is built anew.
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

// Of whoever sits at that place of the table.
function nameAt(place) {
  const { names, page: { places = [...names.keys()] } } = seen;
  return names[places.indexOf(place)] ?? filled("seat", { n: place + 1 });
}

function feel({ camera: key, buttons = [], disk = null, host = null, troubles = [] }) {
  ails = buttons.map(({ seat, button = "button" }) =>
    ({ text: seat === null ? words["buttons.gone"] : filled(`${button}.out`, { seat: nameAt(seat) }) }));
  if (disk) ails.push({ text: words[`disk.${disk}`] });
  // What is known of the camera itself says more than that something is wrong with it; what the page has no words
  // for stands there in the rig's own.
  ails.push(...troubles.filter((one) => one.key !== "camera" || !key).map((one) =>
    (`trouble.${one.key}` in words ? { text: words[`trouble.${one.key}`] } : { text: one.sentence, lang: "en" })));
  // Only there it matters whose phone it is. `host` is its place at the table: null for a host without a seat, and
  // where there is no host.
  if (face.dataset.face === "host" && hostAt !== undefined && hostAt !== host) renewMine();
  hostAt = host;
  wrong(key);
}

// What stands there already stays, and is not read out again.
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

// The game's own script for that face; none where nothing is played.
async function scriptOf({ script }) {
  return script ? import(script) : null;
}

// `now`: what the page came with.
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

// What somebody has just touched may be gone, and with it the place of whoever goes by keyboard.
function goOn() {
  const next = document.querySelector("[data-go-on]:enabled") ?? document.getElementById("main");
  next.focus({ preventScroll: true });
}

// What has the keyboard may be put to sleep by what happens at the table: it goes on from what is around it.
function keepPlace() {
  if (!held?.matches(":disabled") || ![held, document.body].includes(document.activeElement)) return;
  const around = held.closest("section, form") ?? document.getElementById("main");
  around.tabIndex = -1;
  around.focus({ preventScroll: true });
}

// What stands beside the face and depends on what is played, who sits there and who looks.
function renewBeside(fresh) {
  renewParts(fresh, ".mark span", ".speaks", "#pairing-way fieldset");
  wake();
}

// And what of the face depends on who looks.
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

// What only a script can do can be touched as soon as one is there: before, a tap would be lost without a word.
function wake() {
  for (const button of document.querySelectorAll("[data-asleep]")) {
    button.disabled = false;
    button.removeAttribute("data-asleep");
  }
}

// Another game brings its own drawings, style sheets and words.
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
  // Whoever goes by keyboard goes on from the new content, not from the top of the page.
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

// Nothing is told of what falls asleep.
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
// A phone that has just been paired is somebody else's; what it shows of the table stays.
document.addEventListener("paired", renewMine);
document.addEventListener("click", ({ target }) => { if (target.closest("[data-pair]")) pair(); });
