"""What a game need not say of itself: one without cameras, lamps or races stays small."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from companion.core.game_record import GameRecord
from companion.core.lamp import Lamp
from companion.core.seating import Seating


@dataclass(frozen=True, slots=True)
class Counted:
    secret: ClassVar[bool] = False
    total: int

    def as_json(self) -> dict[str, object]:
        return {"ruling": "counted", "total": self.total}


@dataclass(frozen=True, slots=True)
class Tally(GameRecord):
    """A game of counting to three."""

    total: int = 0

    @property
    def seats(self) -> tuple[str, ...]:
        return "Ada", "Ben", "Cy"

    @property
    def over(self) -> bool:
        return self.total == 3

    def hear(self, raw: object) -> Self:
        assert raw
        return replace(self, total=self.total + 1)

    def rulings(self) -> Iterator[tuple[int, Counted]]:
        return ((total, Counted(total)) for total in range(1, self.total + 1))

    def state(self) -> dict[str, object]:
        return {"total": self.total}


def test_what_a_game_need_not_say() -> None:
    one = Tally().hear({"type": "count"})
    three = one.hear({"type": "count"}).hear({"type": "count"})

    assert [Counted(2), Counted(3)] == [ruling for _, ruling in three.news(one)]
    assert (False, True) == (one.over, three.over)
    assert three is three.closed()
    assert {"total": 3} == three.public_state()
    assert Seating.without_gaps(3) == three.seating
    assert (Lamp.DARK,) * 3 == three.lamps()
    assert three.is_worth_noting({"type": "count"})
    assert (False, None, None) == (three.has_camera, three.waits_for, three.sudden_light)
