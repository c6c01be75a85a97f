"""The drawn evening as a whole: what the pictures and the buttons tell the referee is how it truly is."""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

import pytest

from companion.core.cards import sets_on
from companion.errors import JournalFull
from companion.journal import Draft, Entry, Journal

from ..kinds import mostly_slow
from .evenings import MOST_S, Drawn, S, drawn_evening, quick_evening


def as_the_referee_knows(evening: Drawn) -> tuple[list[int], list[int], list[object]]:
    state = evening.state
    return [*state["decks"]], [*state["piles"]], [*state["tops"]]


def as_it_truly_lies(evening: Drawn) -> tuple[list[int], list[int], list[object]]:
    stage = evening.stage
    tops = [None if top is None else top.as_json() for top in stage.tops]
    return [len(deck) for deck in stage.decks], [*stage.heights], [*tops]


def lies_still(evening: Drawn) -> bool:
    state, world = evening.state, evening.world
    game = evening.table.snapshot.evening.game
    assert game is not None
    return (
        state["phase"] == "play"
        and not state["owed"]
        and game.waits_for is None
        and not evening.stage.moves(world.now)
        and evening.eyes.known >= evening.stage.moved
    )


@pytest.mark.slow
def test_the_referee_and_the_drawn_truth_are_never_apart(tmp_path: Path) -> None:
    """Read from pictures, the referee's decks, piles and tops are the drawn ones whenever they can be known."""
    with drawn_evening(tmp_path, 5, seed=15) as evening:
        evening.until(lambda: evening.count("turn") > 30 and evening.count("took") > 0)
        evening.until(lambda: lies_still(evening))
        assert as_it_truly_lies(evening) == as_the_referee_knows(evening)
        assert () == evening.world.mismatches
        assert () == evening.world.refused


@pytest.mark.slow
@pytest.mark.parametrize("seats", mostly_slow([4, 2, 3, 5, 6]))
def test_however_many_play_one_game_follows_the_other(seats: int, tmp_path: Path) -> None:
    """Whole games end and the next begin, and from beginning to end the referee knows the table as it lies."""
    with quick_evening(tmp_path, seats, seed=20 + seats) as evening:
        evening.until(lambda: evening.table.snapshot.evening.begun == 3, most_s=4 * MOST_S)
        assert 2 == evening.count("win") + evening.count("stalemate")
        evening.until(lambda: lies_still(evening) and sum(evening.state["piles"]) >= 2)
        assert as_it_truly_lies(evening) == as_the_referee_knows(evening)
        assert () == evening.world.mismatches
        assert () == evening.world.refused


def journals_of(
    begin: Callable[[Path, int, int], AbstractContextManager[Drawn]], enough: Callable[[Drawn], bool], folder: Path
) -> list[list[str]]:
    """Of two evenings of one seed, and of one of another."""
    journals: list[list[str]] = []
    for number, seed in enumerate((5, 5, 6)):
        place = folder / str(number)
        place.mkdir()
        with begin(place, 3, seed) as evening:
            evening.until(lambda evening=evening: enough(evening))
            journals.append([*evening.events(), *map(str, evening.rulings)])
    return journals


@pytest.mark.slow
def test_the_same_seed_gives_the_same_pictures(tmp_path: Path) -> None:
    """Two evenings of one seed, read from pictures, are the same in the journal; of another seed they differ."""
    one, same, other = journals_of(drawn_evening, lambda evening: evening.count("placed") >= 4, tmp_path)
    assert one == same
    assert one != other


def test_the_same_seed_gives_the_same_game(tmp_path: Path) -> None:
    """A whole game of one seed has the same events and rulings each time; of another seed they differ."""
    one, same, other = journals_of(
        quick_evening, lambda evening: evening.table.snapshot.evening.begun == 2, tmp_path
    )
    assert one == same
    assert one != other


def test_a_full_disk_costs_the_drawn_people_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Again and again nothing can be kept: they wait, and play on with room as if it had never been full."""
    enter, calls, evening_of = Journal.enter, 0, ""

    def sometimes_full(journal: Journal, drafts: Iterable[Draft], *, version: int = 1) -> tuple[Entry, ...]:
        nonlocal calls
        calls += 1
        if evening_of == "full" and calls % 7 < 3:
            raise JournalFull("The disk is full.")
        return enter(journal, drafts, version=version)

    monkeypatch.setattr("companion.demo.world.HOLD_S", 0)
    monkeypatch.setattr(Journal, "enter", sometimes_full)
    told: list[list[str]] = []
    beats: list[str] = []
    for evening_of in ("well", "full"):
        (tmp_path / evening_of).mkdir()
        with quick_evening(tmp_path / evening_of, 3, seed=5) as evening:
            evening.world.beat = partial(beats.append, evening_of)
            evening.until(lambda evening=evening: evening.count("slowest") >= 3)
            told.append([*evening.events(), *map(str, evening.rulings)])
            assert ((), ()) == (evening.world.refused, evening.world.mismatches)
    assert told[0] == told[1]
    # However long it lasts, nobody takes it for a thread that hangs.
    assert beats.count("full") > beats.count("well") + calls // 4


def test_nobody_presses_to_the_frame(tmp_path: Path) -> None:
    """Reactions are human: nobody reacts to a card faster than eyes and hands do."""
    with quick_evening(tmp_path, 4, seed=3) as evening:
        evening.until(lambda: evening.count("safe") >= 3)
        presses = [one for one in evening.events() if '"type":"press"' in one]
        assert len(presses) == len(set(presses))
        for ruling in evening.rulings:
            assert ruling["ruling"] != "safe" or 0 <= ruling["reaction_us"] < 3_000_000


@pytest.mark.slow
def test_the_first_grab_has_its_two_pictures(tmp_path: Path) -> None:
    """Of each race's first grab there is a picture before and one after it, and of no other press."""
    with drawn_evening(tmp_path, 4, seed=3) as evening:
        evening.until(lambda: evening.count("slowest") >= 1)
        grabs = [ruling["t"] for ruling in evening.rulings if ruling["ruling"] == "safe"]
        first, *others = grabs
        for which in ("before", "after"):
            jpeg = evening.lookout.finish(1, first, which)
            assert jpeg is not None
            assert jpeg.startswith(b"\xff\xd8")
            assert [None] * len(others) == [evening.lookout.finish(1, t, which) for t in others]
        assert evening.lookout.finish(1, first, "../journal") is None


@pytest.mark.slow
def test_a_cut_out_shows_only_what_lies_open(tmp_path: Path) -> None:
    """Where a card surely lies there is a cut-out of it, and none of bare cells or of those under a hand."""
    with drawn_evening(tmp_path, 2, seed=4) as evening:
        evening.until(lambda: evening.count("placed") >= 3 and lies_still(evening))
        open_cells = [height > 0 for height in evening.stage.heights]
        assert open_cells == [version is not None for version in evening.lookout.cutouts()]
        assert open_cells == [evening.lookout.cutout(cell) is not None for cell in range(9)]
        versions = evening.lookout.cutouts()
        hidden = 0

        def under_a_hand() -> bool:
            nonlocal hidden
            hidden += any(
                before is not None and now is None
                for before, now in zip(versions, evening.lookout.cutouts(), strict=True)
            )
            return evening.count("placed") >= 12

        evening.until(under_a_hand)
        assert hidden > 0


def test_people_put_the_cards_as_the_host_says(tmp_path: Path) -> None:
    """What the host corrects or takes back on a phone is what lies on the drawn table soon after."""
    with quick_evening(tmp_path, 3, seed=8) as evening:
        evening.until(lambda: evening.count("placed") >= 4 and lies_still(evening))
        piles = [*evening.state["piles"]]
        cell = next(cell for cell, height in enumerate(piles) if height)
        top = {"boat": "ring", "colour": "blue"}
        table = evening.table
        table.tell({"type": "fix", "tops": {str(cell): top}, "turn": 2}).result()
        evening.until(lambda: as_it_truly_lies(evening) == as_the_referee_knows(evening))
        assert top == as_it_truly_lies(evening)[2][cell]
        table.tell({"type": "undo"}).result()
        table.tell({"type": "undo"}).result()
        table.tell({"type": "accuse", "seat": 0, "target": 1}).result()
        table.tell({"type": "call", "seat": 0}).result()
        placed = evening.count("placed")
        evening.until(lambda: evening.count("placed") >= placed + 6 and lies_still(evening))
        assert as_it_truly_lies(evening) == as_the_referee_knows(evening)


def test_an_evening_goes_on_where_it_was_left(tmp_path: Path) -> None:
    """After a restart the cards lie as the journal says, and the same game goes on."""
    with quick_evening(tmp_path, 3, seed=8) as evening:
        evening.until(lambda: evening.count("placed") >= 5 and lies_still(evening))
        left = as_the_referee_knows(evening)
    with quick_evening(tmp_path, 3, seed=9) as evening:
        assert left == as_the_referee_knows(evening) == as_it_truly_lies(evening)
        evening.listen()
        evening.until(lambda: evening.count("placed") >= 4)
        assert () == evening.world.mismatches
        assert 1 == sum('"type":"game"' in event for event in evening.events())


def test_after_the_end_the_same_people_play_again(tmp_path: Path) -> None:
    """When a game is over the table is cleared and the next one begins, the next one beginning it."""
    with quick_evening(tmp_path, 2, seed=1) as evening:
        evening.until(lambda: evening.count("placed") >= 9 and lies_still(evening))
        piles = [*evening.state["piles"]]
        highest = max(range(9), key=lambda cell: piles[cell])
        piles[highest] += sum(evening.state["decks"]) - 4
        evening.table.tell({"type": "fix", "piles": piles, "decks": [2, 2]}).result()
        evening.until(lambda: evening.state["phase"] == "over")
        assert evening.count("win") + evening.count("stalemate") == 1
        evening.until(lambda: evening.table.snapshot.evening.begun == 2)
        assert [30, 30] == [*evening.state["decks"]]
        assert 1 == evening.state["turn"]
        evening.until(lambda: lies_still(evening) and sum(evening.state["piles"]) >= 2)
        assert as_it_truly_lies(evening) == as_the_referee_knows(evening)
        assert () == evening.world.mismatches


def test_a_seat_that_is_left_to_somebody_is_pressed_by_nobody_else(tmp_path: Path) -> None:
    """The drawn people never press the button of your seat; your key does, at the instant you hit it."""
    with quick_evening(tmp_path, 2, seed=2, yours=1) as evening:
        evening.until(lambda: evening.count("safe") >= 1)
        presses = [event for event in evening.events() if '"type":"press"' in event]
        assert all('"seat":0' in press for press in presses)
        evening.until(lambda: bool(sets_on(evening.stage.tops)) and evening.state["phase"] == "play")
        t = evening.world.now + 1_000_000
        evening.world.hit_key(" ", t)
        evening.until(lambda: any(f'"t":{t}' in event for event in evening.events()))
        assert f'{{"t":{t},"type":"press","seat":1}}' in evening.events()
        assert evening.world.now - t < S
