// The host's corrections, in a dialog: touch what is wrong, touch what is right, and say whose deck the difference
// belongs to. All cards always add up, so nothing can be corrected halfway.
import { counted, filled, words } from "../words.js";
import { made, pile, text } from "./parts.js";
import { cardTold } from "./told.js";

const BOATS = ["rowboat", "raft", "ring", "jetski"];
const COLOURS = ["yellow", "pink", "blue", "orange"];
const at = (id) => document.getElementById(id);

function open(title, ...body) {
  text(at("fix-title"), title);
  at("fix-body").replaceChildren(...body);
  if (!at("fix").open) at("fix").showModal();
}

const button = (label, then, attributes = {}) => {
  const made_ = made("button", { type: "button", ...attributes }, label);
  made_.addEventListener("click", then);
  return made_;
};

const choices = (...buttons) => made("div", { class: "choices" }, ...buttons);

function send(event, tell) {
  at("fix").close();
  tell(event);
}

// Whose deck `cards` come from (more lie on the grid now) or go to (fewer).
function whose(cards, { state, names }, then) {
  const asked = filled(cards > 0 ? "fix.from" : "fix.to", { cards: counted("cards", Math.abs(cards)) });
  const able = [...names.keys()].filter((seat) => state.decks[seat] >= cards);
  open(asked, choices(...able.map((seat) => button(names[seat], () => {
    then(state.decks.map((count, one) => (one === seat ? count - cards : count)));
  }))));
}

export function fixCell(cell, seen, tell) {
  const { state } = seen;
  const height = state.piles[cell];
  const others = state.piles.reduce((sum, one) => sum + one, 0) - height;

  function lay(top, newHeight) {
    const event = { type: "fix", tops: { [cell]: top } };
    if (newHeight === height) { send(event, tell); return; }
    const piles = state.piles.map((one, place) => (place === cell ? newHeight : one));
    whose(newHeight - height, seen, (decks) => send({ ...event, piles, decks }, tell));
  }

  const cards = made("div", { class: "sixteen" }, ...BOATS.flatMap((boat) => COLOURS.map((colour) => {
    const card = { boat, colour };
    const lies = state.tops[cell]?.boat === boat && state.tops[cell]?.colour === colour;
    const one = button(pile(card, 1), () => lay(card, Math.max(1, height)), { "aria-label": cardTold(card), "aria-pressed": lies });
    one.append(`${words[boat]} ${words[colour]}`);
    return one;
  })));
  const rest = [];
  if (height) {
    rest.push(choices(button(words["fix.empty"], () => lay(null, 0))));
    if (state.tops[cell]) rest.push(stepper(words["fix.height"], height, 1, 60 - others, (count) => lay(state.tops[cell], count)));
  }
  open(filled("fix.cell", { cell: words[`cell.${cell}`] }), cards, ...rest);
}

export function fixDeck(seat, seen, tell) {
  const { state, names } = seen;
  const had = state.decks[seat];
  open(names[seat], stepper(words["fix.deck"], had, 0, 60, (count) => {
    const decks = state.decks.map((one, other) => (other === seat ? count : one));
    // Without a camera nobody knows the piles: what is in no deck lies on the table.
    if (count === had || state.piles === null) { send({ type: "fix", decks }, tell); return; }
    counterpart(count - had, seat, decks, seen, tell);
  }));
}

// Where the cards of a corrected deck come from or go to: another deck, or a pile.
function counterpart(cards, seat, decks, { state, names }, tell) {
  const asked = filled(cards > 0 ? "fix.out" : "fix.into", { cards: counted("cards", Math.abs(cards)) });
  const others = [...names.keys()].filter((one) => one !== seat && decks[one] >= cards).map((one) =>
    button(names[one], () => send({ type: "fix", decks: decks.map((count, place) => (place === one ? count - cards : count)) }, tell)));
  // A pile keeps its top card.
  const piles = [...state.piles.keys()].filter((cell) => state.piles[cell] && state.piles[cell] - cards >= 1).map((cell) =>
    button(words[`cell.${cell}`], () => {
      send({ type: "fix", decks, piles: state.piles.map((count, place) => (place === cell ? count - cards : count)) }, tell);
    }));
  open(asked, choices(...others, ...piles));
}

function stepper(label, from, least, most, then) {
  let count = from;
  const shown = made("output", {}, String(count));
  const done = button(words["fix.done"], () => then(count), { class: "button" });
  const step = (by) => () => {
    count = Math.min(most, Math.max(least, count + by));
    shown.textContent = count;
  };
  return made("p", { class: "row" }, `${label} `, made("span", { class: "stepper" },
    button("−", step(-1), { class: "button", "aria-label": words["fix.less"] }), shown,
    button("+", step(1), { class: "button", "aria-label": words["fix.more"] })), done);
}

export function foul(seat, { state, names }, tell) {
  const reason = (why) => button(words[`foul.${why}`], () => {
    const lies = [...state.piles.keys()].filter((cell) => state.piles[cell]);
    open(words["foul.where"], choices(
      button(words["foul.nowhere"], () => send({ type: "foul", seat, reason: why }, tell)),
      ...lies.map((cell) => button(words[`cell.${cell}`], () => send({ type: "foul", seat, reason: why, cell }, tell))),
    ));
  });
  open(names[seat], choices(reason("peeked"), reason("outside")));
}
