// Keeps a page true: hands what is new to the part of the game that is being played.
import { follow } from "./line.js";
import { heed, pair, saw } from "./talk.js";
import { words } from "./words.js";

const face = document.getElementById("face");
const lineWord = document.getElementById("line");
const ruled = document.getElementById("ruling");
// What a screen reader has read is not kept for ever.
const REMEMBERED = 12;

let seen = JSON.parse(document.getElementById("seen").textContent);
let part = null;
let likeness = likenessOf(seen);
let renewing = null;
let camera = null, lost = false;
// Ruled while the part that can say it was still on its way.
let unsaid = [];

// What a page is built for; when that changes it is built anew.
function likenessOf({ state, names }) {
  return JSON.stringify([state?.game, names, state?.piles === null, face.dataset.part === "host" && (state?.phase ?? "over") === "over"]);
}

function show(now) {
  seen = now;
  saw(now.no);
  if (likenessOf(now) !== likeness) renewing ??= renew();
  else part?.show(now);
  wrong(now.page.camera);
}

function wrong(key) {
  camera = key;
  say();
}

function say() {
  const word = lost ? words.lost : camera ? words[`camera.${camera}`] ?? words["camera.other"] : "";
  if (lineWord.textContent !== word) lineWord.textContent = word;
  lineWord.hidden = word === "";
}

async function load() {
  const { game, part: name } = face.dataset;
  const module = game || name === "host" ? await import(`./${game || face.dataset.first}/${name}.js`) : null;
  part = module?.part() ?? null;
  part?.show(seen);
  if (part) unsaid.splice(0).forEach(rule);
}

async function renew() {
  try {
    const answer = await fetch(location.href, { cache: "no-cache" });
    if (!answer.ok) throw new Error(String(answer.status));
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const newFace = fresh.getElementById("face");
    face.replaceChildren(...newFace.childNodes);
    face.dataset.game = newFace.dataset.game;
    document.title = fresh.title;
    const now = JSON.parse(fresh.getElementById("seen").textContent);
    if (now.no > seen.no) seen = now;
    likeness = likenessOf(now);
    renewing = null;
    await load();
    show(seen);
  } catch {
    setTimeout(() => { renewing = renew(); }, 1000);
  }
}

function rule(ruling) {
  if (!part) {
    unsaid = [...unsaid, ruling].slice(-REMEMBERED);
    return;
  }
  const sentence = part.told(ruling, seen.names);
  if (!sentence) return;
  const item = document.createElement("p");
  item.textContent = sentence;
  ruled.append(item);
  while (ruled.childElementCount > REMEMBERED) ruled.firstElementChild.remove();
}

await load();
heed(follow({
  state: show,
  ruling: rule,
  health: ({ camera: key }) => wrong(key),
  line: (how) => { lost = how === "lost"; say(); },
}));
document.addEventListener("paired", () => { renewing ??= renew(); });
document.getElementById("pair")?.addEventListener("click", () => pair());
