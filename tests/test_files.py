"""What is written is there as a whole or not at all, whatever the disk does."""

import errno
import os
import stat
import sys
from contextlib import nullcontext
from pathlib import Path
from threading import Barrier, Thread

import pytest

from companion import files
from companion.files import OF_THE_DISK, whole_file, why_not, write_whole

from .disks import fill, tiny_disk

SOON = 20.0


def test_it_is_there_and_nothing_else(tmp_path: Path) -> None:
    """In place of what was there before; through a link it is what the link leads to."""
    write_whole(tmp_path / "a", b"old")
    (tmp_path / "link").symlink_to(tmp_path / "a")
    write_whole(tmp_path / "link", b"new")
    assert {"a": b"new", "link": b"new"} == {one.name: one.read_bytes() for one in tmp_path.iterdir()}
    assert (tmp_path / "link").is_symlink()


@pytest.mark.skipif(sys.platform == "win32", reason="there files have no such mode")
def test_who_may_read_it_is_said_before_anything_is_in_it(tmp_path: Path) -> None:
    """And else it is as the user wants it of any file."""
    umask = os.umask(0o027)
    try:
        write_whole(tmp_path / "secret", b"", mode=0o600)
        write_whole(tmp_path / "usual", b"")
    finally:
        os.umask(umask)
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("secret", "usual")]
    assert [0o600, 0o640] == modes


def test_the_longest_name_is_not_too_long(tmp_path: Path) -> None:
    """The draft's is no longer."""
    write_whole(tmp_path / ("x" * 255), b"all")
    assert b"all" == (tmp_path / ("x" * 255)).read_bytes()


def test_two_threads_do_not_mix_what_they_write(tmp_path: Path) -> None:
    """The one that is ready last has it."""
    both = Barrier(2)

    def write(content: bytes) -> None:
        with whole_file(tmp_path / "a") as file:
            file.write(content)
            both.wait(SOON)
            file.write(content)
            both.wait(SOON)

    threads = [Thread(target=write, args=(content,)) for content in (b"a" * 100_000, b"b" * 100_000)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SOON)
    assert (tmp_path / "a").read_bytes() in (b"a" * 200_000, b"b" * 200_000)
    assert ["a"] == [one.name for one in tmp_path.iterdir()]


def _fails_at(step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    target: dict[str, tuple[object, str]] = {
        "open": (files.os, "open"),
        "sync": (files.os, "fsync"),
        "rename": (Path, "replace"),
    }
    monkeypatch.setattr(*target[step], fail)


@pytest.mark.parametrize("step", ["open", "sync", "rename"])
def test_a_disk_that_fails_leaves_what_was_there(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At whatever step; the error names the file that was meant, and no draft is left."""
    path = tmp_path / "a"
    write_whole(path, b"old")
    with monkeypatch.context() as broken:
        _fails_at(step, broken)
        with pytest.raises(OSError, match="Input/output error") as caught:
            write_whole(path, b"new")
    assert (str(path), None) == (caught.value.filename, caught.value.filename2)
    assert {"a": b"old"} == {one.name: one.read_bytes() for one in tmp_path.iterdir()}


def test_what_fails_while_it_is_written_leaves_what_was_there(tmp_path: Path) -> None:
    """And is said as it was, for it is not of this file."""
    write_whole(tmp_path / "a", b"old")
    with pytest.raises(FileNotFoundError, match="elsewhere"), whole_file(tmp_path / "a") as file:  # noqa: PT012
        file.write(b"half")
        (tmp_path / "elsewhere").read_bytes()
    assert {"a": b"old"} == {one.name: one.read_bytes() for one in tmp_path.iterdir()}


def test_a_full_disk_leaves_what_was_there(tmp_path: Path) -> None:
    """A real one; with room it is written."""
    with tiny_disk(tmp_path / "disk", 64) as disk:
        write_whole(disk / "a", b"old")
        ballast = fill(disk, leave_kb=8)
        with pytest.raises(OSError, match="No space left on device") as caught:
            write_whole(disk / "a", bytes(20_000))
        assert str(disk / "a") == caught.value.filename
        assert {"a", "ballast"} == {one.name for one in disk.iterdir()}
        assert b"old" == (disk / "a").read_bytes()
        ballast.unlink()
        write_whole(disk / "a", bytes(20_000))
        assert bytes(20_000) == (disk / "a").read_bytes()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
def test_a_device_is_written_to_and_not_replaced() -> None:
    """However much somebody may replace it."""
    write_whole(Path("/dev/null"), b"gone")
    assert Path("/dev/null").is_char_device()
    with pytest.raises(OSError, match="No space left"):
        write_whole(Path("/dev/full"), b"x")


@pytest.mark.skipif(sys.platform == "win32", reason="there folders are not synced")
@pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EIO])
def test_a_file_system_that_syncs_no_folders_will_do(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many that lie on a network or a stick can't; one that could and fails is said."""
    fsync = os.fsync

    def sync(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(number, os.strerror(number))
        fsync(descriptor)

    monkeypatch.setattr(files.os, "fsync", sync)
    with pytest.raises(OSError, match="Input/output") if number == errno.EIO else nullcontext():
        write_whole(tmp_path / "a", b"all")
    assert b"all" == (tmp_path / "a").read_bytes()


@pytest.mark.parametrize("number", OF_THE_DISK)
def test_why_not_is_said_with_what_to_do(number: int, tmp_path: Path) -> None:
    """In half a sentence, with no name of an error of the system's."""
    words = why_not(OSError(number, os.strerror(number)), tmp_path)
    assert ": " in words
    assert "{" not in words
    assert words[0].islower() or words.startswith(str(tmp_path))


def test_what_nobody_has_foreseen_is_said_too(tmp_path: Path) -> None:
    """In the system's own words."""
    assert f"Text file busy at {tmp_path}" == why_not(OSError(errno.ETXTBSY, "Text file busy"), tmp_path)
    assert f"odd at {tmp_path}" == why_not(OSError("odd"), tmp_path)
