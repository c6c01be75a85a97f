"""Photo finishes are written by a thread of their own, and what a disk refuses ends nothing."""

import errno
import os
from collections.abc import Callable
from pathlib import Path
from threading import Event, get_ident

import pytest

from companion.files import OF_THE_DISK, write_whole
from companion.rig import race_photos
from companion.rig.race_photos import HELD, TRIES, WAITING, RacePhotos
from companion.threads.troubles import PHOTOS, Troubles
from companion.threads.worker import Crew

from ..disks import Failing, fill, tiny_disk
from ..waiting import until

JPEG = bytes(20_000)


@pytest.fixture
def crew() -> Crew:
    return Crew()


def race(finishes: RacePhotos, t: int, game: int = 1, jpeg: bytes = JPEG) -> None:
    """A first grab, with a picture before it and one after."""
    finishes.press(t, jpeg, None)
    finishes.keep(game, t)
    finishes.add_after(t + 5, lambda: jpeg)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*.jpg")) if folder.is_dir() else []


def are_kept(folder: Path, races: int) -> Callable[[], bool]:
    return lambda: len(names(folder)) == 2 * races


def sentence(crew: Crew) -> str:
    trouble = crew.troubles.find(PHOTOS)
    return trouble.sentence if trouble is not None else ""


def test_a_first_grab_s_pictures_are_kept(tmp_path: Path, crew: Crew) -> None:
    """Those of other presses are not; whoever asks at once gets them before they are written."""
    finishes = RacePhotos(tmp_path / "kept", crew)
    finishes.press(3, JPEG, JPEG)
    race(finishes, 7)
    assert [JPEG, JPEG] == [finishes.find(1, 7, which) for which in ("before", "after")]
    with finishes:
        until(are_kept(tmp_path / "kept", 1))
        assert [JPEG, JPEG] == [finishes.find(1, 7, which) for which in ("before", "after")]
        assert finishes.find(1, 3, "before") is None
        assert finishes.find(2, 7, "before") is None
        assert finishes.find(1, 7, "../journal") is None
        assert () == crew.wrong()


def test_what_waits_is_written_before_the_end(tmp_path: Path, crew: Crew) -> None:
    """The last race of an evening too."""
    with RacePhotos(tmp_path / "kept", crew) as finishes:
        for t in range(10):
            race(finishes, t)
    assert are_kept(tmp_path / "kept", 10)()


def test_the_camera_s_thread_waits_for_no_disk(
    tmp_path: Path, crew: Crew, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A card that takes its time is waited for elsewhere; of what waits too long the newest is kept."""
    go_on, writers = Event(), set[int]()

    def slowly(path: Path, content: bytes) -> None:
        writers.add(get_ident())
        go_on.wait(20)
        write_whole(path, content)

    monkeypatch.setattr(race_photos, "write_whole", slowly)
    with RacePhotos(tmp_path / "kept", crew) as finishes:
        for t in range(2 * HELD):
            race(finishes, t)
        assert not names(tmp_path / "kept")
        go_on.set()
        until(lambda: len(names(tmp_path / "kept")) >= WAITING)
    assert get_ident() not in writers
    assert f"{1:010d}-{2 * HELD - 1:020d}-after.jpg" == names(tmp_path / "kept")[-2]


def test_a_full_disk_is_said_once_and_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A real one. With room again the next race is kept, and so is what waited; nothing is said to be wrong any
    more."""
    monkeypatch.setattr(race_photos, "RETRY_S", 0.02)
    changes: list[int] = []
    crew = Crew(troubles=Troubles(lambda: changes.append(len(crew.troubles.current()))))
    with tiny_disk(tmp_path / "disk", 256) as disk, RacePhotos(disk / "kept", crew) as finishes:
        race(finishes, 1)
        until(are_kept(disk / "kept", 1))
        ballast = fill(disk)
        race(finishes, 2)
        until(lambda: bool(sentence(crew)))
        race(finishes, 3)
        assert f"the disk under {disk / 'kept'} is full: make room there" in sentence(crew)
        assert are_kept(disk / "kept", 1)()
        assert JPEG == finishes.find(1, 3, "after")
        ballast.unlink()
        until(are_kept(disk / "kept", 3))
        until(lambda: not sentence(crew))
    assert [1, 0] == changes


@pytest.mark.parametrize("number", OF_THE_DISK)
def test_whatever_the_disk_says_ends_nothing(
    number: int, tmp_path: Path, crew: Crew, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Full, worn out, pulled out, somebody else's: it is said what and what to do, and it goes on by itself."""
    monkeypatch.setattr(race_photos, "RETRY_S", 0.02)
    disk = Failing(tmp_path, monkeypatch)
    disk.error = number
    with RacePhotos(tmp_path / "kept", crew) as finishes:
        race(finishes, 1)
        until(lambda: bool(sentence(crew)))
        assert OF_THE_DISK[number].format(where=tmp_path / "kept") in sentence(crew)
        disk.error = None
        until(are_kept(tmp_path / "kept", 1))
        until(lambda: not sentence(crew))


def test_a_disk_that_stays_full_holds_up_no_end(
    tmp_path: Path, crew: Crew, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it refuses is let go then."""
    disk = Failing(tmp_path, monkeypatch)
    disk.error = errno.ENOSPC
    with RacePhotos(tmp_path / "kept", crew) as finishes:
        race(finishes, 1)
        until(lambda: bool(sentence(crew)))
    assert not finishes.is_alive
    assert not names(tmp_path / "kept")


def test_one_that_can_not_be_written_holds_up_no_other(
    tmp_path: Path, crew: Crew, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever mistake that is: it is said, and the next one is written."""
    monkeypatch.setattr("companion.threads.worker.FIRST_PAUSE_S", 0.01)

    def write(path: Path, content: bytes) -> None:
        if b"odd" in content:
            raise LookupError
        write_whole(path, content)

    monkeypatch.setattr(race_photos, "write_whole", write)
    with RacePhotos(tmp_path / "kept", crew) as finishes:
        race(finishes, 1, jpeg=b"odd")
        race(finishes, 2)
        until(are_kept(tmp_path / "kept", 1))
        until(lambda: crew.wrong() == ())


def test_one_that_fails_for_a_moment_is_kept_all_the_same(
    tmp_path: Path, crew: Crew, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The trouble is over with it, and waits for no other race."""
    monkeypatch.setattr("companion.threads.worker.FIRST_PAUSE_S", 0.01)
    failed: list[str] = []

    def write(path: Path, content: bytes) -> None:
        if len(failed) < TRIES - 1:
            failed.append(sentence(crew))
            raise LookupError
        write_whole(path, content)

    monkeypatch.setattr(race_photos, "write_whole", write)
    with RacePhotos(tmp_path / "kept", crew) as finishes:
        race(finishes, 1)
        until(are_kept(tmp_path / "kept", 1))
        until(lambda: crew.wrong() == ())
    assert ["", "Photo finishes are kept late or not at all at the moment; the game goes on."] == failed


def test_what_can_not_be_read_is_not_there(tmp_path: Path, crew: Crew, caplog: pytest.LogCaptureFixture) -> None:
    """A card that fails there has others; what the power has left of a draft is cleared away."""
    folder = tmp_path / "kept"
    (folder / f"{1:010d}-{7:020d}-after.jpg").mkdir(parents=True)
    (folder / ".1-2.draft").write_bytes(b"half")
    with RacePhotos(folder, crew) as finishes:
        assert finishes.find(1, 7, "before") is None
        assert [] == caplog.records
        assert finishes.find(1, 7, "after") is None
        assert "A photo finish can't be read" in caplog.text
        race(finishes, 8)
        until(lambda: len([path for path in folder.glob("*.jpg") if path.is_file()]) == 2)
    assert [] == [*folder.glob("*.draft")]


def test_only_so_many_races_are_kept(tmp_path: Path, crew: Crew, monkeypatch: pytest.MonkeyPatch) -> None:
    """The newest; the folder is gone through now and then only."""
    monkeypatch.setattr(race_photos, "KEPT_RACES", 5)
    monkeypatch.setattr(race_photos, "PRUNE_EVERY", 10)
    listed: list[str] = []
    glob = Path.glob

    def counted(path: Path, pattern: str) -> object:
        listed.append(pattern)
        return glob(path, pattern)

    folder = tmp_path / "kept"
    with RacePhotos(folder, crew) as finishes:
        for t in range(19):
            race(finishes, t)
            until(lambda t=t: (folder / f"{1:010d}-{t:020d}-after.jpg").exists())
    monkeypatch.setattr(Path, "glob", counted)
    with RacePhotos(folder, crew) as finishes:
        race(finishes, 20)
        race(finishes, 21)
    assert ["*.draft", "*.jpg"] == listed
    newest = {f"{1:010d}-{t:020d}-{which}.jpg" for t in (17, 18, 20, 21) for which in ("before", "after")}
    assert newest <= {path.name for path in folder.iterdir()}
    assert len(os.listdir(folder)) <= 2 * 5 + 10  # noqa: PTH208 - only how many
