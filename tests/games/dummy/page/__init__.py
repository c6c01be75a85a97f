"""What its page shows: one sentence, whoever looks."""

from collections.abc import Mapping
from typing import Any, ClassVar

from flask_babel import lazy_gettext as _

from companion.web.game_page import FaceName, GameFace, GamePage

FACE = GameFace(template="dummy/face.html", script="dummy.js")


class DummyPage(GamePage):
    name: ClassVar = "dummy"
    title: ClassVar = _("The Last Card")
    faces: ClassVar[Mapping[FaceName, GameFace]] = {"live": FACE, "tv": FACE, "seat": FACE, "host": FACE}

    def now(self, shown: Mapping[str, Any], words: Mapping[str, str]) -> str:
        del words
        return f"{shown['state']['pile']} cards lie there"
