"""The journal as the program opens it at its start: what was damaged is healed by then, and is said."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from companion.journal import Journal
from companion.resumed import Left, resumed
from companion.troubles import DAMAGED, Troubles


@dataclass(frozen=True, slots=True)
class Opened:
    journal: Journal
    left: Left
    """The table as it was left."""

    @property
    def damage(self) -> str | None:
        """What is lost, for whoever looks at the console or at a page; None while nothing is."""
        said = [str(self.journal.recovered)] if self.journal.recovered is not None else []
        if self.left.torn is not None:
            said.append(
                f"The game that was played last can't go on (lost: {self.left.torn}): begin a new one. "
                "The history shows it as far as it is known."
            )
        return " ".join(said) or None


@contextmanager
def opened(path: Path, troubles: Troubles) -> Generator[Opened]:
    with Journal.open(path) as journal:
        found = Opened(journal, resumed(journal))
        if found.damage is not None:
            troubles.raise_trouble(DAMAGED, found.damage)
        yield found
