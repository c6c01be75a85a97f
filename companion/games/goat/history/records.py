"""The table's records: the closest finish, the longest pile, the best comeback."""

from collections.abc import Iterable
from dataclasses import dataclass

from companion.games.goat.history.tally import Closest, tally_in
from companion.history.game_summary import GameSummary


@dataclass(frozen=True, slots=True)
class Comeback:
    """The largest deck that still won, if it was larger than it was dealt."""

    game: GameSummary
    seat: int
    cards: int


@dataclass(frozen=True, slots=True)
class Records:
    races: int
    dead_heats: int
    closest: tuple[GameSummary, Closest] | None
    pile: tuple[GameSummary, int] | None
    comeback: Comeback | None


def find_records(games: Iterable[GameSummary]) -> Records:
    """Of several alike the first one has the record."""
    tallied = [
        (game, tally)
        for game in sorted(games, key=lambda game: game.number)
        if (tally := tally_in(game)) is not None
    ]
    close = [(game, tally.closest) for game, tally in tallied if tally.closest is not None]
    piles = [(game, tally.pile) for game, tally in tallied if tally.pile]
    won = [
        Comeback(game, seat, tally.peaks[seat])
        for game, tally in tallied
        for seat in game.winners
        if tally.peaks[seat] > tally.dealt[seat]
    ]
    return Records(
        sum(tally.races for _, tally in tallied),
        sum(tally.dead_heats for _, tally in tallied),
        min(close, key=lambda found: found[1].gap_ns, default=None),
        max(piles, key=lambda found: found[1], default=None),
        max(won, key=lambda comeback: comeback.cards, default=None),
    )
