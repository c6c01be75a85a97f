"""The versions of this program and its libraries, and the machine it runs on."""

import os
import platform
import shutil
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from companion import __version__

LIBRARIES: Final = (
    *("numpy", "opencv-python-headless", "flask", "waitress", "flask-babel", "babel", "click", "segno"),
    *("gpiozero", "gpiod", "picamera2", "platformdirs"),
)
# The device tree's name of the machine, on a Raspberry Pi.
MODEL: Final = Path("/proc/device-tree/model")
# Packages from apt, whose versions are not known to Python.
DEBIAN: Final = ("libcamera*", "python3-libcamera", "python3-picamera2")
ANSWERS_S: Final = 5.0


def in_short() -> str:
    """One line, for the start of the log."""
    machine = _model() or platform.machine()
    return f"Table companion {__version__}, Python {platform.python_version()}, {_system()}, {machine}"


def versions() -> dict[str, object]:
    return {
        "companion": __version__,
        "python": platform.python_version(),
        "system": _system(),
        "kernel": f"{platform.system()} {platform.release()} {platform.machine()}",
        "machine": _model(),
        "processors": os.cpu_count(),
        "libraries": {name: _version(name) for name in LIBRARIES},
        "packages": _packages(),
    }


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _system() -> str:
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        return platform.platform()


def _model(path: Path = MODEL) -> str | None:
    try:
        return path.read_bytes().rstrip(b"\0").decode("utf-8", "replace")
    except OSError:
        return None


def _packages() -> list[str]:
    query = shutil.which("dpkg-query")
    if query is None:
        return []
    form = "-f=${db:Status-Abbrev}${Package} ${Version}\n"
    try:
        said = subprocess.run(  # noqa: S603 - its own path, and words that nobody else chooses
            [query, "-W", form, *DEBIAN], capture_output=True, text=True, timeout=ANSWERS_S, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return []
    return sorted(line.removeprefix("ii ") for line in said.splitlines() if line.startswith("ii "))
