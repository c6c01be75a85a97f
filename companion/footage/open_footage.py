"""Opens footage by name: a folder, a video, or a camera's number or device."""

from pathlib import Path

from companion.errors import NoFootage
from companion.footage.footage_source import Footage, Remark
from companion.footage.picture_folder import Folder
from companion.footage.video import Video
from companion.footage.webcam import Webcam


def open_footage(name: str, remark: Remark) -> Footage:
    """The pictures behind that name, each with its timestamp; nothing is read before the first is asked for.

    >>> for t, picture in open_footage("evening.mp4", print): ...
    """
    path = Path(name)
    if path.is_dir():
        return Folder(path, remark)
    if path.is_file():
        return Video(path, remark)
    if name.isdecimal():
        return Webcam(int(name))
    if path.is_char_device():
        return Webcam(name)
    raise NoFootage(f"{name}: there is no such folder, video or camera; is the name right?")
