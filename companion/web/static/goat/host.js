// What the host says to the table: beginning, correcting, taking back, ending.
import { passHost, say } from "../talk.js";
import { words } from "../words.js";
import { fixCell, fixDeck, foul } from "./fixing.js";
import { pile, put, text } from "./parts.js";
import { now as nowTold, told } from "./told.js";

const ALL_CARDS = 60;
const at = (id) => document.getElementById(id);
const all = (selector) => [...document.querySelectorAll(selector)];

export function part() {
  let seen = null;

  async function tell(event) {
    text(at("answer"), "");
    const answer = await say(event);
    text(at("answer"), answer.word);
    return answer.ok;
  }

  const on = (selector, then) => all(selector).forEach((button) => button.addEventListener("click", () => then(button)));
  on("#undo", () => tell({ type: "undo" }));
  on("[data-turn-of]", (button) => tell({ type: "fix", turn: Number(button.dataset.turnOf) }));
  on("[data-fix-cell]", (button) => fixCell(Number(button.dataset.fixCell), seen, tell));
  on("[data-fix-deck]", (button) => fixDeck(Number(button.dataset.fixDeck), seen, tell));
  on("[data-foul]", (button) => foul(Number(button.dataset.foul), seen, tell));
  on("[data-host-to]", async (button) => text(at("answer"), await passHost(Number(button.dataset.hostTo))));
  on("#end", () => end(seen, tell));
  on("#again", () => tell(again()));
  at("begin")?.addEventListener("submit", (event) => {
    event.preventDefault();
    begin(event.target, tell);
  });

  function show(now) {
    seen = now;
    const { state, names } = now;
    if (!state) return;
    text(at("now"), nowTold(state, names));
    if (state.phase === "over") return;
    for (const button of all("[data-turn-of]")) {
      button.setAttribute("aria-pressed", Number(button.dataset.turnOf) === state.turn);
    }
    for (const button of all("[data-fix-deck]")) text(button.querySelector(".number"), String(state.decks[button.dataset.fixDeck]));
    for (const button of all("[data-fix-cell]")) showCell(button, state);
    const racing = state.phase === "race" || state.phase === "sprint";
    at("end").disabled = racing;
    at("end-later").hidden = !racing;
    showUndo();
  }

  return { show, told };
}

function showCell(button, { tops, piles }) {
  const cell = button.dataset.fixCell;
  const [top, height] = [tops[cell], piles[cell]];
  put(button, `${top?.boat} ${top?.colour} ${height}`, () => {
    button.querySelector(".pile").replaceWith(pile(top, height));
    button.querySelector(".height").lastChild.textContent = height;
    button.querySelector(".height").hidden = height < 2;
  });
}

let asking = false, askAgain = false;

async function showUndo() {
  if (asking) { askAgain = true; return; }
  asking = true;
  const answer = await fetch(at("undone").dataset.undo).catch(() => null);
  const undone = answer?.ok ? await answer.json() : null;
  asking = false;
  if (askAgain) { askAgain = false; showUndo(); return; }
  if (!at("undone") || !answer?.ok) return;
  text(at("undone"), undone ?? words["undo.nothing"]);
  at("undo").disabled = undone === null;
}

function begin(form, tell) {
  const seats = [...form.elements.seat].map((input) => input.value.trim());
  const named = seats.filter(Boolean);
  const starter = seats[Number(form.elements.starter.value)] ? seats.slice(0, Number(form.elements.starter.value)).filter(Boolean).length : -1;
  if (named.length < 2) { text(at("answer"), words["begin.two"]); return; }
  if (starter < 0) { text(at("answer"), words["begin.nobody"]); return; }
  tell({
    type: "game",
    game: "goat",
    seats: named,
    starter,
    resolution_us: Number(form.elements.resolution.value),
    double_grab: form.elements.penalty.checked ? "penalty" : "ignore",
    grid: form.elements.camera.checked ? "camera" : "none",
  });
}

function again() {
  const options = JSON.parse(at("options").textContent);
  return { ...options, type: "game", game: "goat", starter: (options.starter + 1) % options.seats.length };
}

// No event ends a game: its end is that nobody has a card left to lay. What is owed is forgiven first, by taking the
// piles away; then everything lies on one pile, where no set can be.
async function end({ state }, tell) {
  const { decks, piles, owed } = state;
  if (piles === null) {
    for (const { seat } of owed) if (!(await tell({ type: "take", seat, cards: 0 }))) return;
    await tell({ type: "fix", decks: decks.map(() => 0) });
    return;
  }
  const bare = Object.fromEntries(piles.map((_, cell) => [cell, null]));
  const dealt = [decks[0] + ALL_CARDS - decks.reduce((sum, count) => sum + count, 0), ...decks.slice(1)];
  if (owed.length && !(await tell({ type: "fix", tops: bare, piles: piles.map(() => 0), decks: dealt }))) return;
  await tell({
    type: "fix",
    tops: { ...bare, 0: { boat: "rowboat", colour: "blue" } },
    piles: piles.map((_, cell) => (cell ? 0 : ALL_CARDS)),
    decks: decks.map(() => 0),
  });
}
