"""The phones that have proved to be at the table, kept beside the journal: a restart parts nobody from their seat.

Only digests of what the phones carry are kept, so that a copy of the file opens no door."""

import json
import os
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

# An evening: whoever comes back the next day pairs anew.
EVENING_S: Final = 12 * 3600
# More than a table has people; then the one paired longest ago has to pair again.
MOST: Final = 64


@dataclass(frozen=True, slots=True)
class Phone:
    place: int | None
    """Of the table, as rig.toml counts them: whoever plays there in which game. None: it has named none."""
    host: bool


@dataclass(slots=True)
class Phones:
    file: Path | None = None
    host: str | None = None
    seats: dict[str, int | None] = field(default_factory=dict[str, int | None])
    since: dict[str, float] = field(default_factory=dict[str, float])

    @classmethod
    def kept(cls, file: Path | None) -> "Phones":
        """A file that can't be understood pairs nobody: each phone can pair anew."""
        if file is None or not file.exists():
            return cls(file)
        try:
            said: dict[str, Any] = json.loads(file.read_text())
            seats = {str(key): None if seat is None else int(seat) for key, seat in said["seats"].items()}
            since = {key: float(said["since"][key]) for key in seats}
        except (ValueError, KeyError, TypeError, AttributeError):
            return cls(file)
        return cls(file, said.get("host") if said.get("host") in seats else None, seats, since)

    def add(self, key: str, seat: int | None, now: float) -> None:
        self.seats.pop(key, None)
        self.seats[key], self.since[key] = seat, now
        while len(self.seats) > MOST:
            self.remove(next(iter(self.seats)))

    def remove(self, key: str) -> None:
        self.seats.pop(key, None)
        self.since.pop(key, None)
        self.host = None if self.host == key else self.host

    def forget_before(self, then: float) -> None:
        for key in [key for key, since in self.since.items() if since < then]:
            self.remove(key)

    def keep(self) -> None:
        if self.file is None:
            return
        draft = self.file.with_suffix(".draft")
        draft.touch(mode=0o600)
        draft.write_text(json.dumps({key: value for key, value in asdict(self).items() if key != "file"}))
        os.replace(draft, self.file)  # noqa: PTH105 - Path.replace is the same; this says what it does


def digest(token: str) -> str:
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
