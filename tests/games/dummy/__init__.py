"""A game as small as one can be, in the rooms that every game has."""

from pathlib import Path
from typing import Final

from companion.core.gestures import ButtonGesture, ButtonUse
from companion.games.game import Game, Rights, says

from .cast import CAST
from .history import DummyHistory
from .page import DummyPage
from .rules import begin

DUMMY: Final = Game(
    name="dummy",
    title="The Last Card",
    folder=Path(__file__).parent,
    begin=begin,
    seats=range(2, 10),
    rights=Rights(by_turn=frozenset({"draw"}), left_to_buttons=frozenset({"press"})),
    buttons={
        (ButtonUse.GRAB, ButtonGesture.PRESS): says("press"),
        (ButtonUse.GRAB, ButtonGesture.HOLD): lambda made, seat, _record: {
            "t": made.t,
            "type": "draw",
            "seat": seat,
            "from": "bottom",
        },
    },
    waits_for_hold=frozenset({ButtonUse.GRAB}),
    page=DummyPage,
    history=DummyHistory,
    cast=lambda: CAST,
)
