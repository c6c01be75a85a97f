"""Pictures from folders, videos and cameras, and what is said of those that are none."""

import json
import os
from collections.abc import Generator
from pathlib import Path
from threading import Event

import cv2
import numpy as np
import pytest
from cv2.typing import MatLike

from companion.errors import CompanionError, InvalidFrames, NoFootage
from companion.footage.footage_source import of_one_size
from companion.footage.latest_frame import newest_only
from companion.footage.open_footage import open_footage
from companion.footage.picture_folder import Folder
from companion.footage.video import Video

from ..said import no_remark

MS = 1_000_000


def picture(grey: int, wide: int = 200) -> MatLike:
    return np.full((160, wide, 3), grey, np.uint8)


def folder(path: Path, *frames: object) -> Path:
    for number in range(3):
        cv2.imwrite(str(path / f"{number}.png"), picture(50 * number))
    cv2.imwrite(str(path / "wide.png"), picture(9, 240))
    (path / "frames.json").write_text(json.dumps({"frames": frames}))
    return path


def frame(file: str, t: object) -> dict[str, object]:
    return {"file": file, "t_ns": t}


def test_a_folder_gives_every_picture_and_its_time(tmp_path: Path) -> None:
    """In the order of the list."""
    path = folder(tmp_path, frame("0.png", 5), frame("2.png", 7), frame("1.png", 1_000))

    assert [(5, 0), (7, 100), (1_000, 50)] == [(t, int(one[0, 0, 0])) for t, one in Folder(path, no_remark)]


def test_a_broken_picture_is_remarked_and_left_out(tmp_path: Path) -> None:
    """It is as if the camera had dropped it."""
    path = folder(tmp_path, frame("0.png", 5), frame("none.png", 6), frame("torn.png", 7), frame("1.png", 8))
    (path / "torn.png").write_bytes((path / "1.png").read_bytes()[:60])
    remarks: list[str] = []

    assert [5, 8] == [t for t, _ in Folder(path, remarks.append)]
    assert ["none.png", "torn.png"] == [Path(remark.split(": ")[0]).name for remark in remarks]


@pytest.mark.parametrize(
    ("frames", "word"),
    [
        ([frame("0.png", 5), frame("1.png", 5)], "must be later"),
        ([frame("0.png", 5), frame("1.png", 4)], "must be later"),
        ([frame("0.png", 1.5)], "t_ns"),
        ([frame("0.png", -1)], "t_ns"),
        ([frame("0.png", "1")], "t_ns"),
        ([{"t_ns": 1}], "file"),
        ([frame("", 1)], "file"),
        ([7], "file"),
    ],
)
def test_a_senseless_list_is_refused(frames: list[object], word: str, tmp_path: Path) -> None:
    """Before any picture is given; what is wrong in it is named."""
    with pytest.raises(InvalidFrames, match=word):
        next(iter(Folder(folder(tmp_path, *frames), no_remark)))


@pytest.mark.parametrize("text", ["{", "[]", '{"frames": 3}', '{"a": 1, "a": 2}', "\xff", "[" * 100_000])
def test_no_list_of_pictures_is_refused(text: str, tmp_path: Path) -> None:
    """Whatever it is, one sentence says what should be there."""
    (tmp_path / "frames.json").write_text(text, encoding="latin-1")

    with pytest.raises(InvalidFrames, match="write"):
        next(iter(Folder(tmp_path, no_remark)))


def test_a_folder_without_pictures_is_refused(tmp_path: Path) -> None:
    """No list, an empty one, or one of pictures that are all gone."""
    with pytest.raises(NoFootage, match=r"no frames\.json"):
        next(iter(Folder(tmp_path, no_remark)))
    with pytest.raises(NoFootage, match="no picture"):
        next(iter(Folder(folder(tmp_path), no_remark)))
    with pytest.raises(NoFootage, match="not one of its 1"):
        next(iter(Folder(folder(tmp_path, frame("gone.png", 1)), lambda _: None)))


def test_pictures_are_of_one_size(tmp_path: Path) -> None:
    """Another camera's among them end it."""
    path = folder(tmp_path, frame("0.png", 5), frame("wide.png", 7))

    with pytest.raises(NoFootage, match="suddenly 240 x 160"):
        list(of_one_size(Folder(path, no_remark), "here"))


def video(path: Path, many: int) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (200, 160))
    for number in range(many):
        writer.write(picture(5 * number))
    writer.release()
    return path


def test_a_video_gives_its_pictures_and_their_times(tmp_path: Path) -> None:
    """Those that stand in the file."""
    film = Video(video(tmp_path / "film.avi", 4), no_remark)
    assert [0, 100 * MS, 200 * MS, 300 * MS] == [t for t, _ in film]


def test_of_a_video_cut_short_it_is_said_what_is_missing(tmp_path: Path) -> None:
    """What is there is seen all the same."""
    path = video(tmp_path / "film.avi", 40)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    remarks: list[str] = []
    seen = [t for t, _ in Video(path, remarks.append)]
    assert 10 < len(seen) < 30
    assert [f"{path}: of its 40 pictures only the first {len(seen)} can be read"] == [
        remark.partition(";")[0] for remark in remarks
    ]


@pytest.mark.parametrize("content", [b"", b"hello", b"RIFF\x10\0\0\0AVI LIST" + bytes(90)])
def test_what_is_no_video_is_said_in_one_line(
    content: bytes, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """By us, not by the decoders."""
    path = tmp_path / "film.avi"
    path.write_bytes(content)

    with pytest.raises(NoFootage, match="can't be read as a video"):
        list(Video(path, no_remark))
    assert "" == capfd.readouterr().err


@pytest.mark.parametrize("name", ["nowhere", "/dev/video97", "97", os.devnull])
def test_no_such_camera_is_said_in_one_line(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    """And nothing is left running."""
    with pytest.raises(NoFootage, match="there is no such"):
        list(open_footage(name, no_remark))
    assert "" == capfd.readouterr().err


def test_of_a_camera_only_the_newest_picture_is_given() -> None:
    """Who takes long over one misses those in between, and is never behind."""
    asked, filmed = Event(), Event()

    def camera() -> Generator[tuple[int, MatLike]]:
        yield 0, picture(0)
        asked.wait()
        yield from ((t, picture(t)) for t in range(1, 6))
        filmed.set()

    pictures = newest_only(camera())
    times = [next(pictures)[0]]
    asked.set()
    filmed.wait()
    times += [t for t, _ in pictures]

    assert [0, 5] == times


def test_what_ends_a_camera_is_said() -> None:
    """The error comes out where the pictures are taken."""

    def camera() -> Generator[tuple[int, MatLike]]:
        yield 0, picture(0)
        raise NoFootage("unplugged")

    with pytest.raises(CompanionError, match="unplugged"):
        list(newest_only(camera()))


def test_a_camera_is_closed_when_nobody_looks_any_more() -> None:
    """And its thread ends."""
    closed = Event()

    def camera() -> Generator[tuple[int, MatLike]]:
        try:
            while True:
                yield 0, picture(0)
        finally:
            closed.set()

    pictures = newest_only(camera())
    next(pictures)
    pictures.close()

    assert closed.is_set()
