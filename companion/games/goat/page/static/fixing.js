// The host's corrections, in a dialog: touch what is wrong, touch what is right, and say whose deck the difference
// belongs to. All cards always add up, so nothing can be corrected halfway. Only what can be is offered; and what is
// said goes by the table as it is when it is said (`newest`), for people may play on while the host looks.
import { reply } from "../talk.js";
import { counted, filled, words } from "../words.js";
import { made, pile, text } from "./parts.js";
import { cardTold } from "./told.js";

const BOATS = ["rowboat", "raft", "ring", "jetski"];
const COLOURS = ["yellow", "pink", "blue", "orange"];
const at = (id) => document.getElementById(id);

function open(title, ...body) {
  text(at("fix-title"), title);
  at("fix-body").replaceChildren(...body);
  // The second question comes where the first one stood: it is read out, and the keyboard goes on from it.
  if (at("fix").open) at("fix-title").focus();
  else at("fix").showModal();
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

// Somebody has changed the very thing that was looked at.
function passed() {
  at("fix").close();
  reply(words.stale);
}

// Whose deck `cards` come from (more lie on the grid now) or go to (fewer).
function whose(cards, newest, then) {
  const { state, names } = newest();
  const asked = counted(cards > 0 ? "fix.from" : "fix.to", Math.abs(cards));
  const able = [...names.keys()].filter((seat) => state.decks[seat] >= cards);
  open(asked, choices(...able.map((seat) => button(names[seat], () => then(seat)))));
}

export function fixCell(cell, newest, tell) {
  const { state } = newest();
  const height = state.piles[cell];
  const lies = () => JSON.stringify([newest().state.tops[cell], newest().state.piles[cell]]);
  const before = lies();

  function lay(top, newHeight) {
    const event = { type: "fix", tops: { [cell]: top } };
    const more = newHeight - height;
    const say = (seat) => {
      const { piles, decks } = newest().state;
      if (lies() !== before || decks[seat] < more) { passed(); return; }
      send(more ? { ...event, piles: withMore(piles, cell, more), decks: withMore(decks, seat, -more) } : event, tell);
    };
    if (more) whose(more, newest, say);
    else say();
  }

  // A boat's name stands once above its four cards: in a quarter of a small phone there is room for a colour.
  const cards = made("div", { class: "sixteen" }, ...BOATS.flatMap((boat) => [made("b", { "aria-hidden": "true" }, words[boat]), ...COLOURS.map((colour) => {
    const card = { boat, colour };
    const there = state.tops[cell]?.boat === boat && state.tops[cell]?.colour === colour;
    const one = button(pile(card, 1), () => lay(card, Math.max(1, height)), { "aria-label": cardTold(card), "aria-pressed": there });
    one.append(words[colour]);
    return one;
  })]));
  const rest = [];
  if (height) {
    rest.push(choices(button(words["fix.empty"], () => lay(null, 0))));
    // No more than one deck can give.
    const most = height + Math.max(...state.decks);
    if (state.tops[cell]) rest.push(...numbers(words["fix.height"], height, 1, most, (count) => lay(state.tops[cell], count)));
  }
  open(filled("fix.cell", { cell: words[`cell.${cell}`] }), cards, ...rest);
}

const withMore = (counts, place, more) => counts.map((count, one) => (one === place ? count + more : count));

export function fixDeck(seat, newest, tell) {
  const { state: { decks, piles }, names } = newest();
  const had = decks[seat];
  const blind = piles === null;
  const total = decks.reduce((sum, count) => sum + count, 0);
  // Without a camera nobody knows the piles: what is in no deck lies on the table.
  const most = blind ? 60 - total : Math.max(...decks.filter((_, one) => one !== seat), ...piles.map((count) => count - 1));
  open(names[seat], ...numbers(words["fix.deck"], had, 0, had + most, (count) => {
    const more = count - had;
    if (newest().state.decks[seat] !== had) passed();
    else if (!more || blind) send({ type: "fix", decks: withMore(newest().state.decks, seat, more) }, tell);
    else counterpart(more, seat, newest, tell);
  }));
}

// Where the cards of a corrected deck come from or go to: another deck, or a pile, which keeps its top card.
function counterpart(cards, seat, newest, tell) {
  const { state, names } = newest();
  const asked = counted(cards > 0 ? "fix.out" : "fix.into", Math.abs(cards));
  const had = state.decks[seat];

  const from = (kind, place, least) => () => {
    const now = newest().state;
    if (now.decks[seat] !== had || now[kind][place] - cards < least || !now[kind][place] !== !state[kind][place]) { passed(); return; }
    const decks = withMore(now.decks, seat, cards);
    send(kind === "decks" ? { type: "fix", decks: withMore(decks, place, -cards) }
      : { type: "fix", decks, piles: withMore(now.piles, place, -cards) }, tell);
  };

  const others = [...names.keys()].filter((one) => one !== seat && state.decks[one] >= cards);
  const piles = [...state.piles.keys()].filter((cell) => state.piles[cell] && state.piles[cell] - cards >= 1);
  open(asked, choices(
    ...others.map((one) => button(names[one], from("decks", one, 0))),
    ...piles.map((cell) => button(words[`cell.${cell}`], from("piles", cell, 1)))));
}

// Mostly one or two are amiss: those numbers are one tap away, all others a few more.
const NEAR = [-3, -2, -1, 1, 2, 3];

function numbers(label, from, least, most, then) {
  const near = NEAR.map((by) => from + by).filter((count) => least <= count && count <= most);
  return [
    choices(...near.map((count) => button(String(count), () => then(count), { "aria-label": `${label} ${count}` }))),
    stepper(label, from, least, most, then),
  ];
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

// Only a card of that seat's can go back under its deck; one that somebody corrected may be anyone's.
export function foul(seat, newest, tell) {
  const mine = () => {
    const { piles } = newest().state;
    const { laid } = newest().page;
    return [...piles.keys()].filter((cell) => piles[cell] && (laid[cell] ?? seat) === seat);
  };
  const reason = (why) => button(words[`foul.${why}`], () => {
    open(words["foul.where"], choices(
      button(words["foul.nowhere"], () => send({ type: "foul", seat, reason: why }, tell)),
      ...mine().map((cell) => button(words[`cell.${cell}`], () => {
        if (mine().includes(cell)) send({ type: "foul", seat, reason: why, cell }, tell);
        else passed();
      })),
    ));
  });
  open(newest().names[seat], choices(reason("peeked"), reason("outside")));
}
