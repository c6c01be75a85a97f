"""A recorded video. The timestamps are those in the file."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
from cv2.typing import MatLike

from companion.errors import NoFootage
from companion.footage.footage_source import Remark
from companion.footage.quiet_decoders import quiet_decoders
from companion.units import Ns

# Tolerance: the number of frames is often an estimate from the duration, which may be that of the sound.
ROUGHLY = 0.9
ADVICE = "save it as MP4 or as AVI, or its pictures in a folder"


@dataclass(frozen=True, slots=True)
class Video:
    """The pictures of a video file."""

    path: Path
    remark: Remark

    def __iter__(self) -> Iterator[tuple[Ns, MatLike]]:
        quiet_decoders()
        video = cv2.VideoCapture(str(self.path), cv2.CAP_FFMPEG)
        before, many = -1, 0
        try:
            while True:
                is_read, picture = video.read()
                if not is_read:
                    break
                t = round(video.get(cv2.CAP_PROP_POS_MSEC) * 1e6)
                if t <= before:
                    raise NoFootage(f"{self.path}: its times go back or repeat at {t / 1e9:.3f} s; {ADVICE}.")
                before, many = t, many + 1
                yield t, picture
            promised = round(video.get(cv2.CAP_PROP_FRAME_COUNT))
            lasts = promised / max(video.get(cv2.CAP_PROP_FPS), 1.0) * 1e9
        finally:
            video.release()
        if before < 0:
            raise NoFootage(f"{self.path}: this can't be read as a video; {ADVICE}.")
        if many < ROUGHLY * promised and before < ROUGHLY * lasts:
            self.remark(
                f"{self.path}: of its {promised} pictures only the first {many} can be read; was it cut short "
                "when it was copied?"
            )
