// One player's phone.
import { reply, say } from "../talk.js";
import { counted, filled, milliseconds, words } from "../words.js";
import { deck, drawn, isBlind, made, put, text } from "./parts.js";
import { now as nowTold, told, toldToMe } from "./told.js";

const at = (id) => document.getElementById(id);
const ALL_CARDS = 60;
// What a hand needs at least and what is slow, for the length of the bars.
const SLOW_US = 2_000_000;
// Which rulings say what came of what this phone has said, and how long after it.
const ANSWERS = {
  press: ["safe", "late", "slowest", "dead_heat", "false_grab", "void"],
  call: ["called", "no_effect"],
  accuse: ["overboard", "no_effect"],
  take: ["took"],
};
const ANSWERED_MS = 15_000;

export function part() {
  const seat = Number(document.getElementById("face").dataset.seat);
  let grabs = null;

  let asked = null;

  // What has been ruled of it is known before the table's answer, or after it.
  function speak(event, atOnce = false) {
    const mine = asked = { type: event.type, since: Date.now(), came: "" };
    const noted = () => mine.came || words[event.type === "press" ? "noted.slap" : "noted"];
    return say(event, { always: true, atOnce, noted });
  }

  // Whether it has been said as the answer, so that nothing else has to say it.
  function heard(ruling, names) {
    const about = [ruling.seat, ruling.by, ...(ruling.seats ?? [])].includes(seat);
    if (!about || !asked || Date.now() - asked.since > ANSWERED_MS) return false;
    if (!ANSWERS[asked.type]?.includes(ruling.ruling)) return false;
    reply(asked.came = toldToMe(ruling, names));
    return true;
  }

  if (at("slap")) slapped(at("slap"), () => speak({ type: "press", seat }, true));
  at("call")?.addEventListener("click", () => speak({ type: "call", seat }));
  for (const button of document.querySelectorAll("[data-accuse]")) {
    button.addEventListener("click", () => {
      const details = button.closest("details");
      details.open = false;
      // The button that has the keyboard is gone with it.
      details.querySelector("summary").focus({ preventScroll: true });
      speak({ type: "accuse", seat, target: Number(button.dataset.accuse) });
    });
  }
  at("laid")?.addEventListener("click", () => speak({ type: "laid" }));
  at("take")?.addEventListener("submit", (event) => {
    event.preventDefault();
    speak({ type: "take", seat, cards: Number(event.target.cards.value) });
  });

  function show({ state, names, page }) {
    // There is no such seat in this game.
    if (!at("call")) return;
    const count = state.decks[seat];
    document.querySelector(".mine").toggleAttribute("data-turn", state.phase === "play" && state.turn === seat);
    text(at("now"), nowTold(state, names, page));
    put(at("deck"), String(count), () => at("deck").replaceChildren(deck(count)));
    text(at("count"), String(count));
    text(document.querySelector(".own .unit"), counted("unit", count));
    if (at("slap")) at("slap").disabled = state.phase === "over";
    // Where people tell what the camera would see, they are asked for what can be.
    if (at("laid")) at("laid").disabled = state.turn === null;
    if (at("take")) at("take").cards.max = ALL_CARDS - state.decks.reduce((sum, one) => sum + one, 0);
    // Its own times change only when it has a lifebuoy, or was too late for one.
    const mine = JSON.stringify([names, page.race.filter(([one]) => one === seat), page.said.filter((one) => one.ruling === "late")]);
    if (at("times") && mine !== grabs) {
      grabs = mine;
      showTimes(at("times"));
    }
  }

  return { show, told, heard, builtFor: isBlind };
}

// A slap counts when the hand comes down, not when it is lifted again. What clicks without a hand is a reader's own
// way to press a button.
function slapped(button, slap) {
  button.addEventListener("pointerdown", (event) => { if (event.button === 0) slap(); });
  button.addEventListener("click", (event) => { if (!event.detail) slap(); });
  for (const type of ["keydown", "keyup"]) {
    button.addEventListener(type, (event) => {
      if (event.key !== " " && event.key !== "Enter") return;
      event.preventDefault();
      if (type === "keydown" && !event.repeat) slap();
    });
  }
  // A thumb that rests asks for no menu.
  button.addEventListener("contextmenu", (event) => event.preventDefault());
}

async function showTimes(list) {
  const answer = await fetch(list.dataset.times).catch(() => null);
  if (!answer?.ok) return;
  const times = await answer.json() ?? [];
  const sorted = [...times].sort((one, other) => one - other);
  const best = sorted[0];
  const median = (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
  text(at("summary"), times.length
    ? filled("seat.best", { best: milliseconds(best), median: milliseconds(median) })
    : words["seat.none"]);
  const most = Math.max(SLOW_US, ...times);
  list.replaceChildren(...times.map((us) => made("li", us === best ? { class: "best" } : {},
    drawn("svg", { viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
      drawn("rect", { width: Math.max(1, (100 * us) / most), height: 8, rx: 1 })),
    made("span", { class: "time" }, milliseconds(us)))).reverse());
}
