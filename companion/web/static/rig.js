// Keeps the builder's page up to date: each second every part that has changed is replaced, except where somebody
// holds or types something.
import { pair, reply } from "./talk.js";

const LOOK_MS = 1000;
const STEP = 0.005, STRIDE = 0.05;
const MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const face = document.getElementById("face");
const lineWord = document.getElementById("line");
const answered = document.getElementById("answer");
const sight = document.getElementById("sight");
const picture = document.getElementById("picture");
const tapping = document.getElementById("tapping");
const handles = [...document.querySelectorAll("[data-corner]")];
let corners = [[0.25, 0.2], [0.75, 0.2], [0.75, 0.8], [0.25, 0.8]];
let next = 0;

function put(fresh) {
  const parts = [...fresh.querySelectorAll("[data-live]")];
  const seats = (where) => where.querySelectorAll("[data-live^='seat-']").length;
  // Somebody has sat down or left: the page has to be loaded again.
  if (seats(fresh) !== seats(face)) { location.reload(); return; }
  for (const part of parts) {
    const here = face.querySelector(`[data-live="${part.dataset.live}"]`);
    if (here && here.innerHTML !== part.innerHTML) here.replaceChildren(...part.childNodes);
  }
  const t = face.querySelector(".outline [data-t]")?.dataset.t;
  if (picture && t && picture.dataset.t !== t) {
    picture.dataset.t = t;
    picture.src = `${picture.dataset.from}?t=${t}`;
  }
}

async function look() {
  if (document.visibilityState === "visible") {
    try {
      const answer = await fetch(face.dataset.now, { cache: "no-store" });
      if (!answer.ok) throw new Error(String(answer.status));
      put(new DOMParser().parseFromString(await answer.text(), "text/html"));
      lineWord.hidden = true;
    } catch {
      lineWord.hidden = false;
    }
  }
  setTimeout(look, LOOK_MS);
}

async function post(path, body) {
  const said = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  try {
    const answer = await fetch(path, said);
    const { error } = await answer.json();
    reply(answered.dataset[answer.status] ?? answered.dataset.unsaid, answer.status === 422 ? error : "");
  } catch {
    reply(answered.dataset.unsaid);
  }
}

function place(corner, x, y) {
  const within = (value) => Math.min(1, Math.max(0, value));
  corners[corner] = [within(x), within(y)];
  handles[corner].style.left = `${100 * corners[corner][0]}%`;
  handles[corner].style.top = `${100 * corners[corner][1]}%`;
}

function open() {
  const points = face.querySelector("polygon")?.getAttribute("points").trim().split(/\s+/);
  if (points?.length === 4) corners = points.map((point) => point.split(",").map(Number));
  corners.forEach(([x, y], corner) => place(corner, x, y));
  for (const handle of handles) handle.hidden = !tapping.open;
  next = 0;
}

tapping?.addEventListener("toggle", open);
sight?.addEventListener("click", (event) => {
  if (!tapping.open || event.target.closest(".handle")) return;
  const box = picture.getBoundingClientRect();
  place(next, (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
  handles[next].focus();
  next = (next + 1) % handles.length;
});
for (const [corner, handle] of handles.entries()) {
  handle.addEventListener("click", () => { next = corner; });
  handle.addEventListener("keydown", (event) => {
    const move = MOVES[event.key];
    if (!move) return;
    event.preventDefault();
    const far = event.shiftKey ? STRIDE : STEP;
    place(corner, corners[corner][0] + far * move[0], corners[corner][1] + far * move[1]);
  });
}
document.getElementById("use")?.addEventListener("click", () => post("/api/rig/corners", { corners }));
document.getElementById("mat")?.addEventListener("click", () => post("/api/rig/corners", { corners: null }));
face.addEventListener("click", (event) => {
  const seat = event.target.closest("[data-try]")?.dataset.try;
  if (seat !== undefined) post("/api/rig/lamp", { seat: Number(seat) });
});
document.getElementById("pair")?.addEventListener("click", () => pair());
// The host gets another page; the keyboard focus goes to where the host's part begins.
document.addEventListener("paired", () => { sessionStorage.setItem("paired", "here"); location.reload(); });
if (sessionStorage.getItem("paired")) {
  sessionStorage.removeItem("paired");
  (document.querySelector("#tapping summary") ?? document.getElementById("main")).focus();
}
setTimeout(look, LOOK_MS);
