// What the host says to the table: beginning, correcting, taking back, ending.
import { passHost, reply, say } from "../talk.js";
import { counted, words } from "../words.js";
import { fixCell, fixDeck, foul } from "./fixing.js";
import { isBlind, pile, put, text } from "./parts.js";
import { cardTold, now as nowTold, told } from "./told.js";

const ALL_CARDS = 60;
const at = (id) => document.getElementById(id);
const all = (selector) => [...document.querySelectorAll(selector)];

export function part() {
  let seen = null;
  const newest = () => seen;
  undoOf = Number(at("undone")?.dataset.no);
  const tell = (event) => say(event);

  const on = (selector, then) => all(selector).forEach((button) => button.addEventListener("click", () => then(button)));
  // What is taken back is what stands there, or nothing.
  on("#undo", () => say({ type: "undo" }, { no: undoOf }));
  on("[data-turn-of]", (button) => tell({ type: "fix", turn: Number(button.dataset.turnOf) }));
  on("[data-fix-cell]", (button) => fixCell(Number(button.dataset.fixCell), newest, tell));
  on("[data-fix-deck]", (button) => fixDeck(Number(button.dataset.fixDeck), newest, tell));
  on("[data-foul]", (button) => foul(Number(button.dataset.foul), newest, tell));
  on("[data-host-to]", (button) => passHost(Number(button.dataset.hostTo)));
  on("#end", () => end(seen, tell));
  on("#again", () => tell(again()));
  at("begin")?.addEventListener("input", ({ target, currentTarget }) => {
    // Nobody begins from an empty seat.
    const { seat, starter } = currentTarget.elements;
    if (target.name === "seat" && target.value.trim() && !seat[starter.value].value.trim()) starter.value = String([...seat].indexOf(target));
  });
  at("begin")?.addEventListener("submit", (event) => {
    event.preventDefault();
    begin(event.target, tell);
  });

  function show(now) {
    seen = now;
    const { state, names, page } = now;
    if (!state) return;
    text(at("now"), nowTold(state, names, page));
    if (state.phase === "over") return;
    for (const button of all("[data-turn-of]")) {
      button.setAttribute("aria-pressed", Number(button.dataset.turnOf) === state.turn);
      button.disabled = !state.decks[button.dataset.turnOf];
    }
    for (const button of all("[data-fix-deck]")) text(button.querySelector(".number"), String(state.decks[button.dataset.fixDeck]));
    for (const button of all("[data-fix-cell]")) showCell(button, state);
    const racing = state.phase === "race" || state.phase === "sprint";
    at("end").disabled = racing;
    at("end-later").hidden = !racing;
    showUndo(now.no);
  }

  // Between two games it is the form in which one is begun.
  return { show, told, builtFor: (now) => [isBlind(now), (now.state?.phase ?? "over") === "over"] };
}

function showCell(button, { tops, piles }) {
  const cell = button.dataset.fixCell;
  const [top, height] = [tops[cell], piles[cell]];
  put(button, `${top?.boat} ${top?.colour} ${height}`, () => {
    button.querySelector(".pile").replaceWith(pile(top, height));
    button.querySelector(".height").lastChild.textContent = height;
    button.querySelector(".height").hidden = height < 2;
    const what = top ? cardTold(top) : words[height ? "unknown" : "empty"];
    button.setAttribute("aria-label", `${words[`cell.${cell}`]}: ${what}${height > 1 ? `, ${counted("cards", height)}` : ""}`);
  });
}

let asking = false, askAgain = null;
// The state whose newest event stands there in words.
let undoOf = 0;

async function showUndo(no) {
  if (asking) { askAgain = no; return; }
  asking = true;
  const answer = await fetch(at("undone").dataset.undo).catch(() => null);
  const undone = answer?.ok ? await answer.json() : null;
  asking = false;
  if (askAgain !== null) { [no, askAgain] = [askAgain, null]; showUndo(no); return; }
  if (!at("undone") || !answer?.ok) return;
  undoOf = no;
  text(at("undone"), undone ?? words["undo.nothing"]);
  at("undo").disabled = undone === null;
}

function begin(form, tell) {
  const seats = [...form.elements.seat].map((input) => input.value.trim());
  const named = seats.filter(Boolean);
  // An empty place between two stays empty.
  const places = seats.flatMap((name, place) => (name ? [place] : []));
  const starter = seats[Number(form.elements.starter.value)] ? seats.slice(0, Number(form.elements.starter.value)).filter(Boolean).length : -1;
  if (!named.every((name) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(name))) { reply(words["begin.unseen"]); return; }
  if (named.length < 2) { reply(words["begin.two"]); return; }
  // As the history knows people.
  const people = named.map((name) => name.normalize("NFKC").toLowerCase().replace(/\s+/g, ""));
  if (new Set(people).size < named.length) { reply(words["begin.same"]); return; }
  if (starter < 0) { reply(words["begin.nobody"]); return; }
  tell({
    type: "game",
    game: "goat",
    seats: named,
    ...(places.some((place, one) => place !== one) ? { places } : {}),
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
// piles away; then everything lies on one pile, where no set can be. Without a camera a set may still lie there for
// somebody to grab when the last deck empties: only who empties them once more knows of none.
async function end({ state }, tell) {
  const { decks, piles, owed } = state;
  if (piles === null) {
    for (const { seat } of owed) if (!(await tell({ type: "take", seat, cards: 0 }))) return;
    const empty = { type: "fix", decks: decks.map(() => 0) };
    if (decks.some(Boolean) && !(await tell(empty))) return;
    await tell(empty);
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
