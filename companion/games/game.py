"""What a game says of itself: once, in its own folder. `companion.games.registry` names the games there are."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.game_record import GameRecord, Ruling
from companion.core.gestures import ButtonGesture, ButtonUse, GestureMade
from companion.units import Ns, Seat

if TYPE_CHECKING:
    from companion.demo.cast import Cast
    from companion.history.game_history import GameHistory
    from companion.paper.sheet import DeckPaper
    from companion.web.game_page import GamePage


@dataclass(frozen=True, slots=True, kw_only=True)
class Rights:
    """Which events who may tell. The host may tell all of them but what the rig tells itself."""

    by_seat: frozenset[str] = frozenset()
    """What one seat has said or done, as its player knows best: their `seat`."""
    by_turn: frozenset[str] = frozenset()
    """The same of whoever has the turn."""
    by_anyone: frozenset[str] = frozenset()
    """What any paired phone may tell, whichever seat is meant and whether it has one itself."""
    left_to_camera: frozenset[str] = frozenset()
    """Of these a camera knows more than any person, while one looks."""
    left_to_buttons: frozenset[str] = frozenset()
    """Of these buttons and lamps know more, where there are some; else a seat's own phone stands in for its
    button."""


EventMaker = Callable[[GestureMade, Seat, GameRecord], Mapping[str, object] | None]
"""What a gesture at that seat means as the game stands now; None: nothing. Pure."""


def says(kind: str) -> EventMaker:
    """A gesture that always means that event of its seat.

    >>> says("press")(GestureMade(ButtonGesture.PRESS, 3, 17, 17), 1, record)
    {"t": 17, "type": "press", "seat": 1}
    """
    return lambda made, seat, _record: {"t": made.t, "type": kind, "seat": seat}


def _no_photo(_ruling: Ruling) -> None:
    """Nobody wants to see how close it was."""


def _not_misread(_ruling: Ruling) -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraUse:
    """What a game that is watched by a camera wants of it."""

    deck: str | None = None
    """The name of the taught deck that comes with the program."""
    looks_again_after: frozenset[str] = frozenset()
    """After these events the camera tells anew all that it sees, for the page to say where that is not what people
    say."""
    corrections: frozenset[str] = frozenset()
    """What people say when a card was read wrongly: the newest picture is then kept for a report."""
    is_misread: Callable[[Ruling], bool] = _not_misread
    """Whether that ruling says that the camera sees something else than was told; the picture is kept as well."""
    race_photo: Callable[[Ruling], Ns | None] = _no_photo
    """The instant of the press whose pictures, before and after it, are worth keeping for that ruling's sake."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    name: str
    """As the `game` event calls it."""
    title: str
    """What it is sold as, for other programs."""
    folder: Path
    """Where it stands; `page/` there holds the templates, scripts and translations of its page."""
    begin: Callable[[object], GameRecord]
    """From its `game` event. Raises `InvalidEvent`."""
    seats: range
    rights: Rights
    is_raced: bool = False
    """Whether its `game` event may say how far apart two presses must be: `resolution_us`."""
    instants: frozenset[str] = frozenset({"t"})
    """The fields of its events that are times; no phone tells them."""
    camera: CameraUse = CameraUse()
    buttons: Mapping[tuple[ButtonUse, ButtonGesture], EventMaker] = field(
        default_factory=dict[tuple[ButtonUse, ButtonGesture], EventMaker]
    )
    """Which gesture on which of a seat's buttons becomes which event. Where a DOUBLE means something, the press
    that completes it means nothing else."""
    waits_for_hold: frozenset[ButtonUse] = frozenset()
    """The buttons on which a long press is no short one: their PRESS is told only when they have been let go."""
    page: "Callable[[], GamePage]"
    """These are loaded when somebody asks for them: a recording is judged without a page."""
    history: "Callable[[], GameHistory]"
    cast: "Callable[[], Cast]"
    print_deck: "Callable[[Path, DeckPaper], None] | None" = None
    """Writes its own cards, drawn in code, as a PDF."""
