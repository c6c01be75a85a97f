"""A machine with a Raspberry Pi's lines and a webcam's port, in an emulator: switched on for each test, with a
folder of the host's in common.

It is built once (`build.sh`, or `python -m tests.emulator.machine`) and kept outside of the repository, in
`COMPANION_RIG_CACHE` or where this platform keeps what can be made again.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from platformdirs import user_cache_path

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[1]
BUILD: Final = HERE / "build.sh"
WANTED: Final = "COMPANION_RIG"
NEEDED: Final = ("qemu-system-x86_64", "mmdebstrap", "mkfs.ext4")
MADE: Final = ("vmlinuz", "initrd", "root.img")
RECIPE: Final = "recipe"
# What is installed on it; no more, so that a folder beside it can't be what makes it work.
PROJECT: Final = ("companion", "hardware", "models", "systemd", "pyproject.toml", "README.md")
LOST: Final = 125


def cache() -> Path:
    said = os.environ.get("COMPANION_RIG_CACHE")
    return Path(said) if said else user_cache_path("table-companion") / "rig"


def lacking() -> str | None:
    """Why there is no such machine here, in words."""
    if os.environ.get(WANTED) != "1":
        return f"the rig's machine takes minutes: {WANTED}=1 brings it up"
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if missing:
        return f"the rig's machine needs {', '.join(missing)}"
    if not is_built() and os.geteuid() != 0:
        return f"only root can build the rig's machine: sudo {BUILD} {cache()}"
    return None


def is_built() -> bool:
    """And by the present recipe."""
    made = all((cache() / name).exists() for name in MADE)
    return made and (cache() / RECIPE).exists() and (cache() / RECIPE).read_text() == recipe()


def recipe() -> str:
    files = [BUILD, *HERE.glob("guest/errand*"), *HERE.glob("modules/*"), *HERE.glob("stubs/*.py")]
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(files))).hexdigest()


def build() -> None:
    subprocess.run([BUILD, cache()], check=True)
    (cache() / RECIPE).write_text(recipe())


@dataclass(frozen=True)
class Ended:
    code: int
    said: str


@dataclass(frozen=True)
class Machine:
    folder: Path
    """In common; /rig over there."""

    def lay_out(self) -> None:
        """What is tried, and what tries it."""
        unwanted = shutil.ignore_patterns("__pycache__")
        for name in PROJECT:
            source, target = ROOT / name, self.folder / "project" / name
            if source.is_dir():
                shutil.copytree(source, target, ignore=unwanted)
            else:
                target.parent.mkdir(exist_ok=True)
                shutil.copy(source, target)
        shutil.copytree(HERE / "guest", self.folder / "guest", ignore=unwanted)
        (self.folder / "out").mkdir()

    def run(self, job: str, limit_s: float) -> Ended:
        """Switches it on, lets its shell do that as root, and waits until it has switched itself off."""
        (self.folder / "job").write_text(job)
        command = [
            *_emulator(self.folder),
            "-append",
            "root=/dev/vda console=ttyS0 quiet panic=-1 mitigations=off",
        ]
        with subprocess.Popen(command) as running:
            try:
                running.wait(limit_s)
            except subprocess.TimeoutExpired:
                running.kill()
        said, ended = self.folder / "said", self.folder / "ended"
        words = said.read_text(errors="replace") if said.exists() else (self.folder / "console").read_text()
        return Ended(int(ended.read_text()) if ended.exists() else LOST, words)


def _emulator(folder: Path) -> list[str]:
    image = cache()
    return [
        "qemu-system-x86_64",
        # Its time is what its processor has done, two nanoseconds an instruction, and skipped while it rests:
        # however busy or slow this machine is, over there nothing comes late. It takes one processor of ours.
        *("-accel", "tcg,thread=single", "-icount", "shift=1,sleep=off"),
        # One, for two would take turns of milliseconds: what a stopped one has to say of an edge came too late.
        *("-smp", "1", "-m", "1024"),
        # With AVX2, as the emulator does it, numpy's comparisons crash.
        *("-cpu", "Nehalem"),
        *("-kernel", str(image / "vmlinuz"), "-initrd", str(image / "initrd")),
        *("-drive", f"file={image / 'root.img'},format=raw,if=virtio,snapshot=on,cache=unsafe"),
        *("-virtfs", f"local,path={folder},mount_tag=rig,security_model=none,multidevs=remap"),
        *("-nic", "none", "-display", "none", "-monitor", "none", "-no-reboot"),
        *("-serial", f"file:{folder / 'console'}"),
    ]


def main() -> None:
    """Builds it where that is still to be done; ends with 1, and says why, where it can't be."""
    why = lacking()
    if why is not None:
        sys.exit(why)
    try:
        if not is_built():
            build()
    except subprocess.CalledProcessError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
