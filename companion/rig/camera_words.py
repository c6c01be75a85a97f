"""The stable names for what is wrong with a camera or its pictures, and which of them mean that it sees nothing.

The names: "opening", "absent", "busy" and "gone" where no picture comes; "dark", "covered", "blur" and "lost"
where no grid is found in the pictures (`companion.eyes.scene.picture_quality`); else the name of a `Why` in small
letters. A phone's words for them stand in `companion.web.i18n` as "camera.NAME".
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

from companion.core.reading import Hidden, Sight, Why
from companion.units import SECOND, Ns

# Chosen by hand: a hand over the table or a mat being put straight is not reported; what lasts this long is.
PATIENCE: Final[Ns] = 3 * SECOND
# Reasons about the table, not the camera: it works, but sees that something is in its way.
IN_THE_WAY: Final = frozenset({"hand", "moving", "glare", "unknown_card"})
BUILDERS_ADVICE: Final[Mapping[str, str]] = {
    "dark": "It is too dark: switch the lamp above the table on.",
    "covered": "The camera sees one colour all over: is something in front of the lens, or no mat under it?",
    "blur": "The picture is out of focus: turn the lens, or wipe it.",
    "lost": "No mat is in sight: lay it under the camera, flat, with three of its four corners to be seen.",
}
"""Why no grid is found and what to do, for somebody who checks the rig at a console."""

HiddenSince = tuple[Why, Ns]
"""Why a cell can't be read, and since when for that reason."""


class Words(Protocol):
    """A source of the camera's trouble by name; `companion.rig.vision.Vision` is one."""

    def words(self) -> str | None: ...


def failing(camera: Words | None) -> str | None:
    """The name of the trouble if the camera sees nothing; None while it sees, even if something is in its way."""
    words = camera.words() if camera is not None else None
    return None if words in IN_THE_WAY else words


def follow_hidden(
    before: Sequence[HiddenSince | None], cells: Sequence[Sight], t: Ns
) -> tuple[HiddenSince | None, ...]:
    """For each cell why and since when it is hidden, from the previous picture's result and the sights at `t`."""
    return tuple(_hidden_since(known, sight, t) for known, sight in zip(before, cells, strict=True))


def name_trouble(hidden: Sequence[HiddenSince | None], t: Ns, why_no_grid: Callable[[], str]) -> str | None:
    """The name of the trouble that has lasted longer than `PATIENCE`. A lost grid comes first; `why_no_grid` says
    why it is lost."""
    lasting = [why for why, since in filter(None, hidden) if t - since >= PATIENCE]
    if Why.LOST in lasting:
        return why_no_grid()
    return lasting[0].name.lower() if lasting else None


def _hidden_since(before: HiddenSince | None, sight: Sight, t: Ns) -> HiddenSince | None:
    if not isinstance(sight, Hidden):
        return None
    return before if before is not None and before[0] is sight.why else (sight.why, t)
