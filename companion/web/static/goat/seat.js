// One player's phone.
import { say } from "../talk.js";
import { counted, filled, milliseconds, words } from "../words.js";
import { deck, drawn, made, put, text } from "./parts.js";
import { now as nowTold, told } from "./told.js";

const at = (id) => document.getElementById(id);
// What a hand needs at least and what is slow, for the length of the bars.
const SLOW_US = 2_000_000;

export function part() {
  const seat = Number(document.getElementById("face").dataset.seat);
  let grabs = null;

  async function speak(event) {
    text(at("answer"), "");
    const { word } = await say(event, { always: true });
    text(at("answer"), word);
  }

  at("call").addEventListener("click", () => speak({ type: "call", seat }));
  for (const button of document.querySelectorAll("[data-accuse]")) {
    button.addEventListener("click", () => {
      button.closest("details").open = false;
      speak({ type: "accuse", seat, target: Number(button.dataset.accuse) });
    });
  }
  at("laid")?.addEventListener("click", () => speak({ type: "laid" }));
  at("take")?.addEventListener("submit", (event) => {
    event.preventDefault();
    speak({ type: "take", seat, cards: Number(event.target.cards.value) });
  });

  function show({ state, names, page }) {
    const count = state.decks[seat];
    document.querySelector(".mine").toggleAttribute("data-turn", state.phase === "play" && state.turn === seat);
    text(at("now"), nowTold(state, names));
    put(at("deck"), String(count), () => at("deck").replaceChildren(deck(count)));
    text(at("count"), String(count));
    text(document.querySelector(".own .unit"), counted("unit", count));
    // Its own times change only when it has a lifebuoy, or was too late for one.
    const mine = JSON.stringify([names, page.race.filter(([one]) => one === seat), page.said.filter((one) => one.ruling === "late")]);
    if (mine !== grabs) {
      grabs = mine;
      showTimes(at("times"));
    }
  }

  return { show, told };
}

async function showTimes(list) {
  const answer = await fetch(list.dataset.times).catch(() => null);
  if (!answer?.ok) return;
  const times = await answer.json();
  const sorted = [...times].sort((one, other) => one - other);
  const [best, median] = [sorted[0], sorted[sorted.length >> 1]];
  text(at("summary"), times.length
    ? filled("seat.best", { best: milliseconds(best), median: milliseconds(median) })
    : words["seat.none"]);
  const most = Math.max(SLOW_US, ...times);
  list.replaceChildren(...times.map((us) => made("li", us === best ? { class: "best" } : {},
    drawn("svg", { viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
      drawn("rect", { width: Math.max(1, (100 * us) / most), height: 8, rx: 1 })),
    made("span", { class: "time" }, milliseconds(us)))).reverse());
}
