"""Pictures in a folder, with a list of when each was taken: {"frames": [{"file": "000.jpg", "t_ns": 0}, ...]}."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final, cast

from cv2.typing import MatLike

from companion.core.strict_json import LAST_INSTANT, parse, quote
from companion.errors import InvalidEvent, InvalidFrames, NoFootage, NotAPicture
from companion.eyes.image.picture import read_picture
from companion.footage.footage_source import Remark
from companion.units import Ns

LIST: Final = "frames.json"
SHAPE: Final = '{"frames": [{"file": "000.jpg", "t_ns": 0}, and so on]}'
# A limit for the list: twice an evening at sixty pictures a second.
LARGEST_LIST: Final = 100_000_000


@dataclass(frozen=True, slots=True)
class Folder:
    """The pictures of a folder, as its list gives them."""

    path: Path
    remark: Remark

    def __iter__(self) -> Iterator[tuple[Ns, MatLike]]:
        listed = _read_list(self.path)
        if not listed:
            raise NoFootage(f"{self.path}: there is no picture in its {LIST}.")
        read = 0
        for t, file in listed:
            try:
                picture = read_picture(self.path / file)
            except NotAPicture as error:
                # Skip an unreadable picture, as if the camera had dropped it.
                self.remark(str(error))
                continue
            read += 1
            yield t, picture
        if not read:
            raise NoFootage(f"{self.path}: not one of its {len(listed)} pictures can be read.")


def _read_list(folder: Path) -> list[tuple[Ns, str]]:
    path = folder / LIST
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_LIST + 1)
    except FileNotFoundError:
        raise NoFootage(
            f"{folder}: there is no {LIST} in it, which says when each picture was taken: {SHAPE}."
        ) from None
    if len(data) > LARGEST_LIST:
        raise InvalidFrames(f"{path}: this is far too large for a list of pictures; write {SHAPE}.")
    try:
        value = parse(data.removeprefix(b"\xef\xbb\xbf"))
    except InvalidEvent as error:
        raise InvalidFrames(f"{path}: {error}; write {SHAPE}.") from None
    frames = cast("Mapping[str, object]", value).get("frames") if isinstance(value, dict) else None
    if not isinstance(frames, list):
        raise InvalidFrames(f"{path}: `frames` must be a list of pictures; write {SHAPE}.")
    listed = [_frame(path, number, frame) for number, frame in enumerate(cast("list[object]", frames))]
    for number, (before, after) in enumerate(pairwise(listed), 1):
        if after[0] <= before[0]:
            raise InvalidFrames(
                f"{path}, picture {number} ({after[1]}): its `t_ns` {after[0]} must be later than {before[0]}, "
                "that of the picture before."
            )
    return listed


def _frame(path: Path, number: int, frame: object) -> tuple[Ns, str]:
    match frame:
        case {"file": str(file), "t_ns": int(t)} if type(t) is int and 0 <= t <= LAST_INSTANT and _is_name(file):
            return t, file
        case _:
            raise InvalidFrames(
                f"{path}, picture {number}: this must say `file`, and `t_ns` in whole nanoseconds, "
                f"not {quote(frame)}; write {SHAPE}."
            )


def _is_name(file: str) -> bool:
    return bool(file) and "\0" not in file
