// The table of Row Your Goat, for everybody who looks on: the page itself and the television.
import { counted, filled, milliseconds, words } from "../words.js";
import { cellsTold, now as nowTold, told } from "./told.js";
import { deck, head, isBlind, lifebuoy, made, pile, put, swimmer, text } from "./parts.js";

const at = (id) => document.getElementById(id);
// So many letters stand in two lines across the room.
const LONG = 62;
const SMALLEST = 0.6;

export function part() {
  const cells = [...document.querySelectorAll("#grid .cell")];
  const rows = [...document.querySelectorAll(".seat-row")];
  const grid = at("grid");
  const picture = at("picture");
  picture?.addEventListener("click", () => {
    const on = grid.classList.toggle("pictures");
    picture.setAttribute("aria-pressed", on);
  });

  function show({ state, names, page }) {
    document.querySelector(".goat-table").dataset.phase = page.put_away ? "away" : state.phase;
    say(at("now"), nowTold(state, names, page));
    put(at("now-goat"), String(nowGoat(state)), () => at("now-goat").replaceChildren(head(nowGoat(state))));
    showNotes(state, names);
    showLamps(state, names, page);
    rows.forEach((row, seat) => showSeat(row, seat, state, page));
    cells.forEach((cell, place) => showCell(cell, place, state, page.cutouts[place]));
    if (picture) picture.hidden = !page.cutouts.some((version) => version !== null);
    put(at("log"), JSON.stringify(page.said), () => {
      const said = page.said.map((ruling) => made("li", {}, told(ruling, names))).reverse();
      at("log").replaceChildren(...(said.length ? said : [made("li", { class: "silence" }, words["log.none"])]));
    });
    fit();
  }

  addEventListener("resize", fit);

  return { show, told, builtFor: isBlind };
}

// Many names are written smaller where nobody can scroll.
function say(element, sentence) {
  text(element, sentence);
  element.toggleAttribute("data-long", sentence.length > LONG);
  if (sentence.length > LONG) element.dataset.long = sentence.length > 2 * LONG ? 2 : 1;
}

// Everything on one screen: smaller where even the smallest is too much. On a phone one scrolls.
function fit() {
  const root = document.documentElement;
  if (!root.classList.contains("far")) return;
  const table = document.querySelector(".goat-table");
  for (let size = 1; size >= SMALLEST; size -= 0.04) {
    root.style.setProperty("--fit", size);
    if (table.scrollHeight <= table.clientHeight && root.scrollHeight <= innerHeight) break;
  }
  // Half a sentence is none.
  const house = table.querySelector(".log-house");
  house.style.visibility = at("log").firstElementChild.offsetHeight > house.clientHeight ? "hidden" : "";
}

// Whom the headline is about.
function nowGoat({ phase, turn, winners, owed, safe, decks }) {
  if (phase === "over") return winners[0] ?? 0;
  if (phase === "pickup") return owed[0].seat;
  if (phase === "play") return turn ?? 0;
  return [...decks.keys()].find((seat) => !safe.includes(seat)) ?? 0;
}

function showNotes({ exposed, adrift }, names) {
  at("alarm").hidden = !exposed.length;
  say(at("alarm"), exposed.map((seat) => filled("last_card", { seat: names[seat] })).join(" "));
  at("adrift").hidden = !adrift.length;
  say(at("adrift"), adrift.length ? filled("now.adrift", { cells: cellsTold(adrift) }) : "");
}

function showLamps(state, names, { race }) {
  const on = state.safe.length > 0;
  // A new race begins with the first lifebuoy; until then one sees how the last one went.
  const slowest = race.length === names.length - 1 && [...names.keys()].find((seat) => !race.some(([one]) => one === seat));
  put(at("lamps"), JSON.stringify([race, on, names]), () => {
    const lamps = [];
    for (let place = 0; place < names.length - 1; place += 1) lamps.push(lamp(place, race, names, on));
    if (typeof slowest === "number") {
      lamps.push(made("li", { class: `lamp swims ${on ? "" : "past"}` }, swimmer(slowest), made("b", {}, names[slowest]), words["tag.slowest"]));
    }
    at("lamps").replaceChildren(...lamps);
  });
}

function lamp(place, race, names, on) {
  if (place >= race.length) {
    return made("li", { class: "lamp" }, lifebuoy(), made("span", { class: "unseen" }, words["lamp.off"]));
  }
  const [seat, us] = race[place];
  const time = place ? milliseconds(us - race[0][1], "later") : us ? milliseconds(us) : "";
  return made("li", { class: `lamp ${on ? "on" : "past"}` }, lifebuoy(seat), made("b", {}, names[seat]),
    made("span", { class: "time" }, time));
}

function tagsOf(seat, { phase, turn, decks, safe, owed, exposed, winners }) {
  const owing = owed.find((debt) => debt.seat === seat);
  return [
    winners.includes(seat) && "won",
    phase !== "over" && turn === seat && !owed.length && "turn",
    safe.includes(seat) && !winners.includes(seat) && "safe",
    owing && (owing.why === "slowest" ? "slowest" : "owes"),
    exposed.includes(seat) && "last",
    decks[seat] === 0 && !winners.includes(seat) && "out",
  ].filter(Boolean);
}

function showSeat(row, seat, state) {
  const tags = tagsOf(seat, state);
  row.toggleAttribute("data-turn", tags.includes("turn") || tags.includes("won"));
  row.toggleAttribute("data-alarm", tags.includes("last"));
  put(row.querySelector(".tags"), tags.join(), () => {
    row.querySelector(".tags").replaceChildren(...tags.map((tag) => made("span", { class: `tag ${tag}` }, words[`tag.${tag}`])));
  });
  const count = state.decks[seat];
  put(row, String(count), () => row.querySelector(".deck").replaceWith(deck(count)));
  text(row.querySelector(".number"), String(count));
  text(row.querySelector(".unit"), counted("unit", count));
}

function showCell(cell, place, state, cutout) {
  const top = state.tops[place];
  const height = state.piles[place];
  const changed = put(cell, `${top?.boat} ${top?.colour} ${height}`, () => {
    cell.querySelector(".pile").replaceWith(pile(top, height));
    const what = top ? [`${words[top.boat]} `, made("b", {}, words[top.colour])]
      : [made("span", { class: height ? "" : "unseen" }, words[height ? "unknown" : "empty"])];
    cell.querySelector(".what").replaceChildren(...what);
    cell.querySelector(".height").lastChild.textContent = height;
    cell.querySelector(".height").hidden = height < 2;
  });
  cell.classList.toggle("fresh", changed && height > 0);
  cell.toggleAttribute("data-adrift", state.adrift.includes(place));
  showAsked(cell, place, state);
  showCutout(cell.querySelector(".cutout"), place, cutout);
}

// What has moved on before its picture came is not shown at all; what a hand has passed over is not asked for again.
function showCutout(image, place, version) {
  const wanted = String(version);
  const shows = () => { image.hidden = version === null || image.dataset.has !== wanted; };
  image.onload = () => { image.dataset.has = image.dataset.as; shows(); };
  image.onerror = () => { delete image.dataset.as; };
  if (version !== null && image.dataset.as !== wanted) {
    image.dataset.as = wanted;
    delete image.dataset.has;
    image.src = `/cut/${place}/${version}.webp`;
  }
  shows();
}

// Which piles the slowest may take: a letter for each set that there is to choose from.
function showAsked(cell, place, { phase, owed }) {
  const choices = phase === "pickup" && owed[0].why === "slowest" ? owed[0].choices : [];
  const letters = choices.flatMap((line, choice) => (line.includes(place) ? [String.fromCharCode(65 + choice)] : []));
  const asked = cell.querySelector(".asked");
  cell.toggleAttribute("data-asked", letters.length > 0);
  asked.hidden = letters.length === 0;
  text(asked, choices.length > 1 ? letters.join(" ") : words["tag.owes"]);
}
