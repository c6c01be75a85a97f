"""The referee of Row Your Goat: `rule` maps the table and one fact to the next table and what is said about it."""

from dataclasses import replace

from companion.errors import InvalidEvent
from companion.games.goat.rules.calling import hear_accuse, hear_call
from companion.games.goat.rules.correcting import hear_fix, hear_grid
from companion.games.goat.rules.events import (
    Accuse,
    Call,
    CardLaid,
    Fix,
    Foul,
    GridTold,
    LaidUnseen,
    PileLifted,
    SeatPressed,
    Sprint,
    Take,
)
from companion.games.goat.rules.facts import Ahead, Fact
from companion.games.goat.rules.grabbing import INVITED, Foreseen, hear_doubts, hear_press, misplay_invites
from companion.games.goat.rules.hearing import Hearing
from companion.games.goat.rules.laying import hear_card, hear_foul, hear_laid
from companion.games.goat.rules.paying import hear_lift, hear_take
from companion.games.goat.rules.rulings import GoatRuling
from companion.games.goat.rules.sprinting import hear_sprint
from companion.games.goat.rules.state import Doubt, State


def rule(  # noqa: C901, PLR0912 - one case for each kind of event
    state: State, fact: Fact, ahead: Ahead
) -> tuple[State, tuple[GoatRuling, ...]]:
    """`ahead`: what is known to have happened after the fact and bears on it; see `Fact.reach`.

    Raises `InvalidEvent` where the table as it stands makes the fact impossible."""
    event = fact.event
    if state.end is not None and not isinstance(event, Fix):
        return state, ()
    hearing = Hearing(state, fact, ahead)
    match event:
        case CardLaid():
            hear_card(hearing, event)
            hear_doubts(hearing, event)
        case SeatPressed():
            hear_press(hearing, event, _foreseen(state, fact, ahead))
        case PileLifted():
            hear_lift(hearing, event)
        case GridTold():
            hear_grid(hearing, event)
        case Call():
            hear_call(hearing, event)
        case Accuse():
            hear_accuse(hearing, event)
        case Sprint():
            hear_sprint(hearing, event)
        case LaidUnseen():
            hear_laid(hearing, event)
        case Take():
            hear_take(hearing, event)
        case Foul():
            hear_foul(hearing, event)
        case Fix():
            hear_fix(hearing, event)
        case _:
            raise TypeError(f"{event} is no fact of the table")
    return hearing.state(), tuple(hearing.said)


def _foreseen(state: State, press: Fact, ahead: Ahead) -> Foreseen:
    """The benefit of the doubt: what the cards in whose interval the press fell will make of it.

    A press that nothing justifies yet is held innocent until the last of those cards is known, so the cards are
    ruled on here without it; later presses that nothing justifies yet wait for cards of their own."""
    if _justifies_a_press(state):
        return None
    covering = {fact.serial for fact in ahead.covering(press.t)}
    invited: Foreseen = None
    for position, fact in enumerate(ahead, 1):
        if not covering or state.end is not None:
            break
        if isinstance(fact.event, SeatPressed) and not _justifies_a_press(state):
            state = replace(state, doubts=(*state.doubts, Doubt(fact.t, fact.event.seat, None)))
            continue
        covers = fact.serial in covering
        covering.discard(fact.serial)
        try:
            state, _ = rule(state, fact, ahead.after(position))
        except InvalidEvent:
            # A card that cannot be justifies nobody.
            continue
        if covers and _justifies_a_press(state):
            return fact.serial
        if covers and misplay_invites(state.board, state.eye):
            invited = INVITED
    return invited


def _justifies_a_press(state: State) -> bool:
    return state.board is None or state.race is not None or bool(state.board.born)
