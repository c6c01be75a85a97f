"""The referee of Row Your Goat: `rule` maps the table and one fact to the next table and what is said about it."""

from dataclasses import replace

from companion.errors import InvalidEvent
from companion.games.goat.rules.calling import judge_accusation, judge_call
from companion.games.goat.rules.correcting import judge_fix, judge_grid
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
from companion.games.goat.rules.facts import Fact, LaterFacts
from companion.games.goat.rules.grabbing import (
    INVITED,
    Excuse,
    judge_doubtful_presses,
    judge_press,
    misplay_invites,
)
from companion.games.goat.rules.judgement import Judgement
from companion.games.goat.rules.laying import judge_card, judge_foul, judge_unseen_card
from companion.games.goat.rules.paying import judge_lift, judge_take
from companion.games.goat.rules.rulings import GoatRuling
from companion.games.goat.rules.sprinting import judge_sprint
from companion.games.goat.rules.state import DoubtfulPress, State


def rule(  # noqa: C901, PLR0912 - one case for each kind of event
    state: State, fact: Fact, ahead: LaterFacts
) -> tuple[State, tuple[GoatRuling, ...]]:
    """`ahead`: what is known to have happened after the fact and bears on it; see `Fact.reach`.

    Raises `InvalidEvent` where the table as it stands makes the fact impossible."""
    event = fact.event
    if state.end is not None and not isinstance(event, Fix):
        return state, ()
    judgement = Judgement(state, fact, ahead)
    match event:
        case CardLaid():
            judge_card(judgement, event)
            judge_doubtful_presses(judgement, event)
        case SeatPressed():
            judge_press(judgement, event, _find_excuse(state, fact, ahead))
        case PileLifted():
            judge_lift(judgement, event)
        case GridTold():
            judge_grid(judgement, event)
        case Call():
            judge_call(judgement, event)
        case Accuse():
            judge_accusation(judgement, event)
        case Sprint():
            judge_sprint(judgement, event)
        case LaidUnseen():
            judge_unseen_card(judgement, event)
        case Take():
            judge_take(judgement, event)
        case Foul():
            judge_foul(judgement, event)
        case Fix():
            judge_fix(judgement, event)
        case _:
            raise TypeError(f"{event} is no fact of the table")
    return judgement.state(), tuple(judgement.said)


def _find_excuse(state: State, press: Fact, ahead: LaterFacts) -> Excuse:
    """The benefit of the doubt: what the cards in whose interval the press fell will make of it.

    A press that nothing justifies yet is held innocent until the last of those cards is known, so the cards are
    ruled on here without it; later presses that nothing justifies yet wait for cards of their own."""
    if _justifies_a_press(state):
        return None
    covering = {fact.serial for fact in ahead.covering(press.t)}
    invited: Excuse = None
    for position, fact in enumerate(ahead, 1):
        if not covering or state.end is not None:
            break
        if isinstance(fact.event, SeatPressed) and not _justifies_a_press(state):
            state = replace(state, doubts=(*state.doubts, DoubtfulPress(fact.t, fact.event.seat, None)))
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
    return state.board is None or state.race is not None or bool(state.board.dated_sets)
