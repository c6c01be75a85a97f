// Rulings and states of Row Your Goat in sentences; companion/games/goat/page/ruling_sentences.py says the same for the first look.
import { counted, filled, joined, milliseconds, words } from "../words.js";

// Who lays what where everybody sees; a screen reader that said it too would say nothing else.
const UNSPOKEN = new Set(["turn", "placed", "set"]);

export const cellsTold = (cells) => joined("and", cells.map((cell) => words[`cell.${cell}`]));

export function choicesTold(choices, cards) {
  const lines = choices.map((line, place) =>
    cards ? filled("choice", { cells: cellsTold(line), cards: counted("cards", cards[place]) }) : cellsTold(line));
  return joined("or", lines);
}

export const cardTold = ({ boat, colour }) => filled("card", { boat: words[boat], colour: words[colour] });

function keyOf({ ruling, reason, seat, cells, choices, seats, reaction_us: reaction }) {
  if (reason) return `${ruling}.${reason}`;
  // The first press without a camera, or one under the hand that laid: nobody knows how long it took.
  if (ruling === "safe" && !reaction) return "safe.first";
  if (ruling === "slowest" && !choices) return "slowest.blind";
  if (ruling === "wrong_lift" && !cells) return "wrong_lift.blind";
  if (ruling === "wrong_lift" && seat === null) return "wrong_lift.nobody";
  if (ruling === "adrift" && !cells.length) return "adrift.agree";
  if (ruling === "win" && seats.length > 1) return "win.together";
  return ruling;
}

export const told = (ruling, names) => (UNSPOKEN.has(ruling.ruling) ? "" : sentence(keyOf(ruling), ruling, names));

// To the very seat that it is about, as far as there are words for that.
export function toldToMe(ruling, names) {
  const key = `me.${keyOf(ruling)}`;
  return key in words ? sentence(key, ruling, names) : told(ruling, names);
}

function sentence(key, ruling, names) {
  const { seat, by, seats, cells, choices, cards, place, reaction_us: reaction } = ruling;
  return filled(key, {
    seat: names[seat],
    by: names[by],
    seats: seats && joined("and", seats.map((one) => names[one])),
    cells: cells && cellsTold(cells),
    choices: choices && choicesTold(choices, cards),
    cards: typeof cards === "number" ? counted("cards", cards) : "",
    place,
    time: reaction === undefined ? "" : milliseconds(reaction),
  });
}

export function now({ phase, turn, winners, safe, owed }, names, { lit, put_away: putAway }) {
  const some = (seats) => joined("and", seats.map((seat) => names[seat]));
  if (putAway) return words["now.put_away"];
  if (phase === "over") return filled(["now.draw", "now.win", "now.wins"][Math.min(2, winners.length)], { seats: some(winners) });
  if (phase === "race" || phase === "sprint") {
    return filled(lit ? "now.lit" : `now.${phase}`, { seats: some([...names.keys()].filter((seat) => !safe.includes(seat))) });
  }
  if (phase === "pickup") {
    const { seat, why, choices } = owed[0];
    if (!choices) return filled("now.cards", { seat: names[seat] });
    return filled(why === "slowest" ? "now.set" : "now.pile", { seat: names[seat] });
  }
  return turn === null ? words["now.nobody"] : filled("now.play", { seat: names[turn] });
}
