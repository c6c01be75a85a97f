"""Shapes as a PDF: pages of any size, the printer's own Helvetica, and the same bytes for the same drawing.

Nothing is compressed, dated or numbered by chance, so that a mat printed today can be compared with one of next
year. A group that stands on a page by itself is stored once, however often it is placed: sixty cards take the
room of sixteen.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

from companion.paper.shapes import Group, Path, Placement, Rgb, Shape, Text

POINTS_PER_MM = 72 / 25.4


@dataclass(frozen=True, slots=True)
class PdfPage:
    """One page and what is drawn on it, in millimetres from its upper left corner."""

    width: float
    height: float
    shapes: tuple[Shape, ...]


def to_pdf(pages: Sequence[PdfPage], title: str, *, both_sides: bool = False) -> bytes:
    """The file's bytes. It asks the printer for the true size and, with `both_sides`, to flip on the long edge."""
    book = _PdfFile()
    font = book.add(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
    tree = book.reserve()
    stamps: dict[Group, int] = {}
    leaves = [_add_page(book, page, font, tree, stamps) for page in pages]
    kids = " ".join(f"{leaf} 0 R" for leaf in leaves)
    book.put(tree, f"<< /Type /Pages /Kids [{kids}] /Count {len(leaves)} >>".encode())
    duplex = "/DuplexFlipLongEdge" if both_sides else "/Simplex"
    wishes = f"<< /PrintScaling /None /Duplex {duplex} /DisplayDocTitle true >>"
    root = book.add(f"<< /Type /Catalog /Pages {tree} 0 R /ViewerPreferences {wishes} >>".encode())
    info = book.add(b"<< /Title " + _format_string(title) + b" >>")
    return book.to_bytes(root, info)


@dataclass(slots=True)
class _PdfFile:
    """The numbered objects of a file, and the table at its end that says where each begins."""

    objects: list[bytes] = field(default_factory=list[bytes])

    def reserve(self) -> int:
        self.objects.append(b"")
        return len(self.objects)

    def put(self, number: int, content: bytes) -> None:
        self.objects[number - 1] = content

    def add(self, content: bytes) -> int:
        number = self.reserve()
        self.put(number, content)
        return number

    def add_stream(self, entries: str, content: bytes) -> int:
        head = f"<< {entries}/Length {len(content)} >>".encode()
        return self.add(head + b"\nstream\n" + content + b"\nendstream")

    def to_bytes(self, root: int, info: int) -> bytes:
        # The four bytes above 127 tell those who copy the file that it is no text.
        out = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
        begins: list[int] = []
        for number, content in enumerate(self.objects, 1):
            begins.append(len(out))
            out += f"{number} 0 obj\n".encode() + content + b"\nendobj\n"
        table = len(out)
        out += f"xref\n0 {len(begins) + 1}\n0000000000 65535 f \n".encode()
        out += "".join(f"{begin:010} 00000 n \n" for begin in begins).encode()
        entries = f"/Size {len(begins) + 1} /Root {root} 0 R /Info {info} 0 R"
        return bytes(out + f"trailer\n<< {entries} >>\nstartxref\n{table}\n%%EOF\n".encode())


def _add_page(book: _PdfFile, page: PdfPage, font: int, tree: int, stamps: dict[Group, int]) -> int:
    """Add a page and return its number. One matrix turns millimetres from the top into points from the bottom."""
    width, height = page.width * POINTS_PER_MM, page.height * POINTS_PER_MM
    content = [f"{POINTS_PER_MM:.6f} 0 0 {-POINTS_PER_MM:.6f} 0 {height:.3f} cm 1 j 1 J".encode()]
    used: set[int] = set()
    for shape in page.shapes:
        if isinstance(shape, Group):
            number = _add_stamp(book, Group(shape.shapes, clip=shape.clip), font, stamps)
            used.add(number)
            content.append(b"q " + _format_matrix(shape.placed) + f" cm /X{number} Do Q".encode())
        else:
            content += _draw(shape)
    body = book.add_stream("", b"\n".join(content))
    stored = " ".join(f"/X{number} {number} 0 R" for number in sorted(used))
    return book.add(
        f"<< /Type /Page /Parent {tree} 0 R /MediaBox [0 0 {width:.3f} {height:.3f}] /Contents {body} 0 R "
        f"/Resources << /Font << /F {font} 0 R >> /XObject << {stored} >> >> >>".encode()
    )


def _add_stamp(book: _PdfFile, group: Group, font: int, stamps: dict[Group, int]) -> int:
    if group not in stamps:
        # The box is only a promise not to draw outside of it; no sheet is longer than ten metres.
        entries = "/Type /XObject /Subtype /Form /BBox [-10000 -10000 10000 10000] "
        resources = f"/Resources << /Font << /F {font} 0 R >> >> "
        stamps[group] = book.add_stream(entries + resources, b"\n".join([b"1 j 1 J", *_draw(group)]))
    return stamps[group]


def _draw(shape: Shape) -> list[bytes]:
    if isinstance(shape, Path):
        return _draw_path(shape)
    if isinstance(shape, Text):
        return _draw_text(shape)
    lines = [b"q"] if shape.placed == Placement() else [b"q " + _format_matrix(shape.placed) + b" cm"]
    if shape.clip is not None:
        lines += [*_trace(shape.clip), b"W n"]
    for inner in shape.shapes:
        lines += _draw(inner)
    return [*lines, b"Q"]


def _draw_path(path: Path) -> list[bytes]:
    ink, lines = path.ink, list[bytes]()
    if ink.fill is not None:
        lines.append(_format_colour(ink.fill) + (b" g" if _is_grey(ink.fill) else b" rg"))
    if ink.line is not None:
        lines.append(
            _format_colour(ink.line) + (b" G " if _is_grey(ink.line) else b" RG ") + _format(ink.width) + b" w"
        )
    paint = {(True, True): b"B", (True, False): b"f", (False, True): b"S", (False, False): b"n"}
    return [*lines, *_trace(path), paint[ink.fill is not None, ink.line is not None]]


def _trace(path: Path) -> list[bytes]:
    steps = [_format(*chain.from_iterable(step)) + (b" l" if len(step) == 1 else b" c") for step in path.steps]
    return [_format(*path.start) + b" m", *steps, *([b"h"] if path.closed else [])]


def _draw_text(text: Text) -> list[bytes]:
    x, y = text.at
    colour = _format_colour(text.colour) + (b" g" if _is_grey(text.colour) else b" rg")
    # The page is upside down to a PDF; the letters are turned over once more.
    return [
        b"BT " + colour + b" /F " + _format(text.size) + b" Tf 1 0 0 -1 " + _format(x, y) + b" Tm "
        + _format_string(text.words) + b" Tj ET",
    ]  # fmt: skip


def _format_string(words: str) -> bytes:
    for sign in "\\()":
        words = words.replace(sign, "\\" + sign)
    return b"(" + words.encode("cp1252") + b")"


def _is_grey(colour: Rgb) -> bool:
    """Grey is asked for as grey: a printer then takes black ink alone, and the patches stay neutral."""
    red, green, blue = colour
    return red == green == blue


def _format_colour(colour: Rgb) -> bytes:
    return " ".join(_format_one(value / 255, 3) for value in (colour[:1] if _is_grey(colour) else colour)).encode()


def _format_matrix(placed: Placement) -> bytes:
    six = (placed.a, placed.b, placed.c, placed.d, placed.e, placed.f)
    return " ".join(_format_one(value, 5) for value in six).encode()


def _format(*millimetres: float) -> bytes:
    return " ".join(_format_one(value, 2) for value in millimetres).encode()


def _format_one(value: float, digits: int) -> str:
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
