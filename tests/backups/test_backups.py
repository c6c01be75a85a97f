"""A backup of everything: one file, made while the table plays, and back to it without anything being lost."""

import json
import struct
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import pytest

from companion.backups import back_up, restore_all, restore_backup
from companion.errors import CannotBackUp, CompanionError, JournalBusy, NotABackup
from companion.journal import Journal, Reader
from companion.table.open_journal import open_journal
from companion.threads.troubles import Troubles

from ..history.past import Book, won_game
from ..journal.evening import PowerGone, files, gone_after
from ..said import Run

FINISH = "finishes/0000000001-00000000000000000005-before.jpg"
SMALL = {
    FINISH: b"\xff\xd8 a photo finish",
    "models/goats.deck": b"a taught deck",
    "models/Zoë's own.deck": b"another",
    "rig.toml": b'language = "de"\n',
    "timing.json": b'{"us": 20}\n',
}


def filled(folder: Path, games: int = 2) -> Path:
    """A data folder as a rig has it."""
    folder.mkdir()
    Book(folder).add(*(won_game() for _ in range(games)))
    for name, content in SMALL.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    (folder / "phones.json").write_text("{}")
    (folder / "finishes" / ".12-12.draft").write_text("half a pict")
    return folder


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return filled(tmp_path / "data")


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    return tmp_path / "kept.zip"


def small_in(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in SMALL if (folder / name).exists()}


def games_in(folder: Path) -> int:
    with Reader.open(folder / "journal.db") as reader:
        return len(reader.games())


def test_everything_goes_out_and_comes_back(data: Path, kept: Path, tmp_path: Path) -> None:
    """On another machine, where nothing is yet; which phone is whose stays behind."""
    with Journal.open(data / "journal.db"):
        made = back_up(data, kept)
    assert (6, kept.stat().st_size) == (made.files, made.size)
    other = tmp_path / "other"
    assert () == restore_all(kept, other)
    assert SMALL == small_in(other)
    assert 2 == games_in(other)
    assert not (other / "phones.json").exists()
    assert {"rig.toml", "timing.json", "journal.db", "journal.db.lock"} == {*files(other)}


def test_what_is_there_is_set_aside(data: Path, kept: Path) -> None:
    """Whole: it can be put back by hand, and the journal by a backup of its own."""
    back_up(data, kept)
    Book(data).add(won_game())
    (data / "models" / "new.deck").write_bytes(b"new")
    (data / "rig.toml").write_bytes(b"later")
    asides = restore_all(kept, data, wall=lambda: 1_794_000_000_000_000_000)
    ending = ".replaced-20261106-212000Z"
    names = ["models", "finishes", "timing.json", "rig.toml", "journal.db"]
    assert [data / f"{name}{ending}" for name in names] == [*asides]
    assert SMALL == small_in(data)
    assert not (data / "models" / "new.deck").exists()
    assert b"new" == (data / f"models{ending}" / "new.deck").read_bytes()
    assert b"later" == (data / f"rig.toml{ending}").read_bytes()
    assert 2 == games_in(data)
    with Reader.open(data / f"journal.db{ending}") as reader:
        assert 3 == len(reader.games())
    with open_journal(data / "journal.db", Troubles()) as again:
        assert again.damage is None
    # In the same second, too.
    assert [data / f"{name}{ending}-2" for name in names] == [
        *restore_all(kept, data, wall=lambda: 1_794_000_000_000_000_000)
    ]


def test_a_rig_toml_may_lie_elsewhere(data: Path, kept: Path, tmp_path: Path) -> None:
    """As for run."""
    config = tmp_path / "elsewhere.toml"
    config.write_bytes(b"elsewhere")
    back_up(data, kept, config=config)
    config.write_bytes(b"changed")
    restore_all(kept, data, config=config)
    assert b"elsewhere" == config.read_bytes()
    assert SMALL == small_in(data)


def test_nothing_is_overwritten_and_nothing_is_no_backup(data: Path, kept: Path, tmp_path: Path) -> None:
    """In words."""
    kept.write_text("holiday pictures")
    with pytest.raises(CannotBackUp, match="is there already"):
        back_up(data, kept)
    assert "holiday pictures" == kept.read_text()
    (tmp_path / "empty").mkdir()
    with pytest.raises(CannotBackUp, match="nothing in"):
        back_up(tmp_path / "empty", tmp_path / "other.zip")
    assert {"kept.zip"} == {*files(tmp_path)}


def test_a_damaged_journal_gives_no_backup(data: Path, kept: Path) -> None:
    """Nor is anything left of the attempt."""
    content = (data / "journal.db").read_bytes()
    (data / "journal.db").write_bytes(content.replace(b'"t": 13000000000', b'"t": 13000000009'))
    with pytest.raises(CompanionError, match="is damaged and no backup was made"):
        back_up(data, kept)
    assert {} == files(data.parent)


def test_not_while_the_table_plays(data: Path, kept: Path) -> None:
    """The table must stand still; everything stays."""
    back_up(data, kept)
    with Journal.open(data / "journal.db"), pytest.raises(JournalBusy):
        restore_all(kept, data)
    assert [] == [*data.glob("*replaced*")]


def manifest(kept: Path) -> dict[str, object]:
    with ZipFile(kept) as packed:
        return json.loads(packed.read("backup.json"))


def repacked(kept: Path, change: Callable[[dict[str, bytes]], dict[str, bytes]], how: int = ZIP_DEFLATED) -> None:
    with ZipFile(kept) as packed:
        found = {name: packed.read(name) for name in packed.namelist()}
    with ZipFile(kept, "w", how) as packed:
        for name, content in change(found).items():
            packed.writestr(name, content)


def told(found: dict[str, bytes], **more: object) -> bytes:
    return json.dumps({**json.loads(found["backup.json"]), **more}).encode()


def another_name(name: str) -> Callable[[dict[str, bytes]], dict[str, bytes]]:
    def change(found: dict[str, bytes]) -> dict[str, bytes]:
        said = json.loads(found["backup.json"])
        said["files"][name] = said["files"].pop(FINISH)
        renamed = {name if each == FINISH else each: content for each, content in found.items()}
        return {**renamed, "backup.json": json.dumps(said).encode()}

    return change


SPOILT: dict[str, Callable[[dict[str, bytes]], dict[str, bytes]]] = {
    "no list": lambda found: {name: content for name, content in found.items() if name != "backup.json"},
    "a list of something": lambda found: {**found, "backup.json": b"[1]"},
    "no JSON": lambda found: {**found, "backup.json": b"{"},
    "another program's": lambda found: {**found, "backup.json": told(found, format="mine")},
    "one file more": lambda found: {**found, "models/more.deck": b""},
    "one file less": lambda found: {name: content for name, content in found.items() if name != FINISH},
    "another content": lambda found: {**found, FINISH: found[FINISH][::-1]},
    "a size": lambda found: {**found, FINISH: found[FINISH] + b"x"},
    "the parent": another_name("../evil.jpg"),
    "within, and out": another_name("finishes/../../evil.jpg"),
    "from the root": another_name("/evil.jpg"),
    "another disk": another_name("C:\\evil.jpg"),
    "a hidden file": another_name("models/.evil.deck"),
    "the phones": another_name("phones.json"),
    "a damaged journal": lambda found: {**found, "journal.db": b"SQLite format 3\0"},
}


@pytest.mark.parametrize("how", SPOILT)
def test_only_what_is_ours_and_whole_is_restored(data: Path, kept: Path, how: str) -> None:
    """Whatever else is in the file, nothing is touched, here or elsewhere."""
    back_up(data, kept)
    repacked(kept, SPOILT[how])
    before = {str(path): path.read_bytes() for path in data.parent.rglob("*") if path.is_file()}
    with pytest.raises(NotABackup, match=r"name another file|take another"):
        restore_all(kept, data)
    after = {str(path): path.read_bytes() for path in data.parent.rglob("*") if path.is_file()}
    assert before.keys() - {str(data / "journal.db.lock")} == after.keys() - {str(data / "journal.db.lock")}
    assert all(after[name] == before[name] for name in before if not name.endswith(".lock"))


def test_a_later_companions_backup_is_named(data: Path, kept: Path) -> None:
    """It is not called damaged."""
    back_up(data, kept)
    repacked(kept, lambda found: {**found, "backup.json": told(found, edition=2)})
    with pytest.raises(NotABackup, match="later companion"):
        restore_all(kept, data)


@pytest.mark.parametrize("content", [b"", b"no zip at all", b"PK\3\4" + bytes(100)])
def test_what_is_no_zip_is_said(data: Path, kept: Path, content: bytes) -> None:
    """In the same words."""
    kept.write_bytes(content)
    with pytest.raises(NotABackup, match="name another file"):
        restore_all(kept, data)


def test_a_file_that_swells_is_refused(data: Path, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By what it says of itself before anything is unpacked, and by what there is room for."""
    back_up(data, kept)
    bomb = bytes(50_000_000)

    def swollen(found: dict[str, bytes]) -> dict[str, bytes]:
        said = json.loads(found["backup.json"])
        said["files"][FINISH]["size"] = len(bomb)
        return {**found, FINISH: bomb, "backup.json": json.dumps(said).encode()}

    repacked(kept, swollen)
    with pytest.raises(NotABackup):
        restore_all(kept, data)
    repacked(kept, lambda found: found, ZIP_BZIP2)
    with pytest.raises(NotABackup):
        restore_all(kept, data)
    kept.unlink()
    back_up(data, kept)
    monkeypatch.setattr(restore_backup, "_LEFT_OVER", 1 << 60)
    with pytest.raises(NotABackup, match="make room"):
        restore_all(kept, data)


def test_two_of_one_name_are_refused(data: Path, kept: Path) -> None:
    """The one that is checked could be another than the one that is unpacked."""
    back_up(data, kept)
    with pytest.warns(UserWarning, match="Duplicate name"), ZipFile(kept, "a") as packed:
        packed.writestr(FINISH, SMALL[FINISH])
    with pytest.raises(NotABackup):
        restore_all(kept, data)


def test_a_link_is_unpacked_as_what_it_says(data: Path, kept: Path) -> None:
    """Nothing that is unpacked leads elsewhere."""
    (data / FINISH).write_bytes(b"/etc/passwd")
    back_up(data, kept)
    with ZipFile(kept) as packed:
        found = {name: packed.read(name) for name in packed.namelist()}
    with ZipFile(kept, "w", ZIP_STORED) as packed:
        for name, content in found.items():
            info = ZipInfo(name)
            info.external_attr = 0o120777 << 16 if name == FINISH else 0
            packed.writestr(info, content)
    restore_all(kept, data)
    assert not (data / FINISH).is_symlink()
    assert b"/etc/passwd" == (data / FINISH).read_bytes()


def test_a_locked_file_is_refused(data: Path, kept: Path) -> None:
    """Nobody asks for a password."""
    back_up(data, kept)
    content = bytearray(kept.read_bytes())
    central = content.index(b"PK\1\2")
    struct.pack_into("<H", content, central + 8, 1)
    kept.write_bytes(content)
    with pytest.raises(NotABackup):
        restore_all(kept, data)


@pytest.mark.parametrize("renames", range(12))
def test_a_restore_may_be_interrupted_anywhere(
    data: Path, kept: Path, renames: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the next start it is as it was, or as the backup has it, and what was there is never lost."""
    back_up(data, kept)
    Book(data).add(won_game())
    (data / "rig.toml").write_bytes(b"later")
    with monkeypatch.context() as interrupted:
        gone_after(renames, interrupted)
        with suppress(PowerGone):
            restore_all(kept, data)
    with open_journal(data / "journal.db", Troubles()) as found:
        assert found.damage is None
    restored = games_in(data) == 2
    assert restored == (renames > 0)
    assert (data / "rig.toml").read_bytes() == (SMALL["rig.toml"] if restored else b"later")
    assert 1 == len([*data.glob("journal.db.replaced-*Z"), *([] if restored else [data])])
    with closing(Reader.open(next(data.glob("journal.db.replaced-*Z"), data / "journal.db"))) as before:
        assert 3 == len(before.games())
    assert [] == [*data.glob(".restor*")]


def test_the_command_line_backs_up_and_restores(run: Run, tmp_path: Path, kept: Path) -> None:
    """And says where things are."""
    data = filled(tmp_path / "data")
    said = run("backup", kept)
    assert (said.code, said.out) == (0, f"6 files are safe in {kept} (0.0 MB).\n")
    assert run("backup", kept).code == 1
    said = run("backup", tmp_path / "no stick" / "kept.zip")
    assert said.code == 1
    assert said.err.startswith(f"companion: No backup can be made: the folder {tmp_path / 'no stick'} is gone")
    (data / "rig.toml").unlink()
    said = run("restore", kept)
    assert said.code == 0
    assert said.out.startswith(f"{data} is as {kept} has it.\nWhat was there is {data / 'models'}.replaced-")
    assert SMALL == small_in(data)
    assert 1 == run("restore", tmp_path / "none.zip").code
