"""What a picture file says of itself, read by Pillow before anything makes room for its pixels.

A file of a few kilobytes may ask for gigabytes when it is decoded, so its size is looked at first.
"""

import struct
import warnings
from io import BytesIO
from typing import Final

from PIL.BmpImagePlugin import BmpImageFile
from PIL.ImageFile import ImageFile
from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile
from PIL.WebPImagePlugin import WebPImageFile

from companion.errors import NotAPicture

CUT_SHORT: Final = "it is cut short; copy or take it again"
DAMAGED: Final = "it is damaged; copy or take it again"

# Each by its own class: `Image.open` refuses a giant without saying how large it is, and loads forty formats more.
_FORMATS: Final = (
    (0, b"\xff\xd8\xff", JpegImageFile),
    (0, b"\x89PNG\r\n\x1a\n", PngImageFile),
    (0, b"BM", BmpImageFile),
    (8, b"WEBP", WebPImageFile),
)
_UNREAD: Final = {
    b"GIF8": "GIF",
    b"II*\x00": "TIFF",
    b"MM\x00*": "TIFF",
    b"%PDF": "PDF",
}
# What Pillow raises at files that are not what they seem.
_BROKEN: Final = (SyntaxError, OSError, ValueError, EOFError)


def open_picture(data: bytes) -> ImageFile:
    """The picture in `data` as far as its head; `NotAPicture` if it is none, or so damaged that a checksum tells.

    >>> open_picture(Path("table.jpg").read_bytes()).size
    (1280, 960)
    """
    if not data:
        raise NotAPicture("it is empty; copy or take it again")
    for place, signature, read in _FORMATS:
        if data.startswith(signature, place):
            if len(data) == place + len(signature):
                # Pillow 13 does not take it for a picture at all.
                raise NotAPicture(CUT_SHORT)
            return _open(data, read)
    other = "HEIC" if data[4:8] == b"ftyp" else _UNREAD.get(data[:4])
    if other is not None:
        raise NotAPicture(f"it is a {other} file; save it as JPEG or PNG")
    raise NotAPicture("it is no picture; JPEG, PNG, WebP and BMP are read")


def _open(data: bytes, read: type[ImageFile]) -> ImageFile:
    try:
        with warnings.catch_warnings():
            # Of EXIF that it can't read, for instance.
            warnings.simplefilter("ignore")
            if read is PngImageFile:
                # It alone has checksums; a file that was verified must be opened anew.
                read(BytesIO(data)).verify()
            return read(BytesIO(data))
    except _BROKEN as error:
        raise NotAPicture(_what_is_wrong(error)) from None


def why_unreadable(head: ImageFile) -> str:
    """Of a picture that can't be decoded: whether its end is missing, or something within it."""
    try:
        head.tobytes()
    except _BROKEN as error:
        return _what_is_wrong(error)
    return DAMAGED


def _what_is_wrong(error: Exception) -> str:
    is_short = isinstance(error.__cause__, struct.error | IndexError | EOFError)
    return CUT_SHORT if is_short or "truncated" in str(error).lower() else DAMAGED
