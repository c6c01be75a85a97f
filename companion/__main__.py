"""The command line. Exit codes: 0 all is well; 1 something could not be done; 2 it made no sense."""

import errno
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

import click
from platformdirs import user_data_path

from companion.bench.referee import bench_referee
from companion.errors import CompanionError, JournalError, SenselessEvent
from companion.journal import Journal, Reader, backup, export_lines, import_lines, restore
from companion.paper.deck import DeckPaper, write_deck
from companion.paper.mat import MatPaper, write_mat
from companion.replay import LONGEST_LINE, hear_all, replay
from companion.table import resumed

# Windows editors put it before what they write.
BYTE_ORDER_MARK = "\ufeff".encode()
# What a shell expects of a program that was stopped by Ctrl-C.
INTERRUPTED = 130
ADVICE = {
    errno.ENOENT: "is the name right, and the folder?",
    errno.EISDIR: "name a file in it",
    errno.EACCES: "it may not be read or written by you",
    errno.ENOSPC: "make room there and try again",
}
EXIT_CODES = "\b\nExit codes: 0 all is well; 1 something could not be done; 2 it made no sense."


def main() -> None:
    try:
        cli(prog_name="companion", standalone_mode=False)
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx is not None else "companion"
        _fail(f"{error.format_message()} See `{where} --help`.", error.exit_code)
    except SenselessEvent as error:
        _fail(str(error), 2)
    except CompanionError as error:
        _fail(str(error), 1)
    except BrokenPipeError:
        # Whoever read along has seen enough; what Python flushes at the end has nowhere to go either.
        sys.stdout = None
    except OSError as error:
        what = error.strerror or str(error)
        advice = ADVICE.get(error.errno or 0, "look at the file and its folder")
        _fail(f"{error.filename}: {what}; {advice}" if error.filename else f"{what}; {advice}", 1)


def _fail(message: str, code: int) -> None:
    click.echo(f"companion: {message}", err=True)
    sys.exit(code)


@click.group(epilog=EXIT_CODES, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="table-companion")
def cli() -> None:
    """The companion beside the real cards.

    \b
    Example: companion replay evening.jsonl
    """


@cli.command("replay", epilog=EXIT_CODES)
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--state", is_flag=True, help="Print the state after every event too.")
def replay_command(file: Path, *, state: bool) -> None:
    """Judge a recorded evening again: a ruling a line, and the last state.

    FILE is JSON Lines, an event a line; - reads standard input.

    \b
    Example: companion replay --state evening.jsonl
    """
    with _opened(file) as recording, _naming(file):
        line = None
        for line in replay(_lines(recording), states=state):
            sys.stdout.write(line + "\n")
        if line is None:
            click.echo("There is no event in it.", err=True)


@contextmanager
def _naming(file: Path) -> Generator[None]:
    try:
        yield
    except SenselessEvent as error:
        raise SenselessEvent(f"{'standard input' if _is_dash(file) else file}, {error}") from None


@contextmanager
def _opened(file: Path) -> Generator[BinaryIO]:
    if _is_dash(file):
        if sys.stdin is None:
            raise JournalError("There is no standard input to read from; name a file.")
        yield sys.stdin.buffer
    else:
        with file.open("rb") as recording:
            yield recording


@contextmanager
def _new(file: Path) -> Generator[BinaryIO]:
    """A file that is there when all of it is written, or not at all."""
    if file.exists():
        raise JournalError(f"{file} is there already; give another name.")
    draft = file.with_name(file.name + ".draft")
    try:
        with draft.open("wb") as out:
            yield out
        draft.rename(file)
    finally:
        draft.unlink(missing_ok=True)


def _is_dash(file: Path) -> bool:
    return str(file) == "-"


def _lines(recording: BinaryIO) -> Iterator[bytes]:
    """Never more of a line in memory than it takes to see that it is too long."""
    line = recording.readline(LONGEST_LINE + 1).removeprefix(BYTE_ORDER_MARK)
    if line.startswith(b"SQLite format 3"):
        raise SenselessEvent(
            "line 1: this is a journal and no recording; `companion journal export` makes one of it"
        )
    while line:
        yield line
        line = recording.readline(LONGEST_LINE + 1)


def _journal_in(_context: click.Context, _option: click.Parameter, data: Path | None) -> Path:
    return (data or user_data_path("table-companion")) / "journal.db"


journal_option = click.option(
    "--data",
    "journal",
    type=click.Path(path_type=Path, file_okay=False),
    callback=_journal_in,
    envvar="COMPANION_DATA",
    help="The folder in which the journal is kept; by default this platform's data folder.",
)


@cli.group("journal", epilog=EXIT_CODES)
def journal_group() -> None:
    """Look at what was played, and keep it safe.

    \b
    Example: companion journal backup /media/stick/goats.db
    """


@journal_group.command("list", epilog=EXIT_CODES)
@journal_option
def journal_list(journal: Path) -> None:
    """The games in the journal, the oldest first.

    \b
    Example: companion journal list
    """
    with Reader.open(journal) as reader:
        games = reader.games()
        if not games:
            click.echo("No game has been played yet.", err=True)
        for game in games:
            when = f"{datetime.fromtimestamp(game.wall / 1e9, UTC).astimezone():%Y-%m-%d %H:%M}"
            click.echo(f"{game.number:>8}  {when}  {game.game}  {game.entries:>5} events  {', '.join(game.seats)}")


@journal_group.command("export", epilog=EXIT_CODES)
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--game", type=int, help="Only the game with this number in the list.")
@journal_option
def journal_export(journal: Path, file: Path, game: int | None) -> None:
    """Write what was played as a recording that can be replayed; - writes to standard output.

    \b
    Example: companion journal export --game 1 evening.jsonl
    """
    with Reader.open(journal) as reader:
        if _is_dash(file):
            export_lines(reader, sys.stdout.buffer, game=game)
            return
        with _new(file) as out:
            written = export_lines(reader, out, game=game)
    click.echo(f"{written} events written to {file}.")


@journal_group.command("import", epilog=EXIT_CODES)
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@journal_option
def journal_import(journal: Path, file: Path) -> None:
    """Add a recording to the journal: all of it, or none and the line that makes no sense.

    \b
    Example: companion journal import evening.jsonl
    """
    with _opened(file) as recording, _naming(file), Journal.open(journal) as kept:
        lines = list(_lines(recording))
        hear_all(resumed(kept).evening, lines)
        entries = import_lines(kept, lines)
    click.echo(f"{len(entries)} events added to {journal}.")


@journal_group.command("backup", epilog=EXIT_CODES)
@click.argument("file", type=click.Path(path_type=Path))
@journal_option
def journal_backup(journal: Path, file: Path) -> None:
    """Copy the journal into one file, also while the table is playing.

    \b
    Example: companion journal backup /media/stick/goats.db
    """
    click.echo(f"{backup(journal, file)} events are safe in {file}.")


@journal_group.command("restore", epilog=EXIT_CODES)
@click.argument("file", type=click.Path(path_type=Path))
@journal_option
def journal_restore(journal: Path, file: Path) -> None:
    """Go back to a backup. The present journal is set aside, never deleted.

    \b
    Example: companion journal restore /media/stick/goats.db
    """
    aside = restore(file, journal)
    click.echo(f"{journal} is {file} again." + (f" What was there is {aside} now." if aside else ""))


@cli.command("mat", epilog=EXIT_CODES)
@click.option("-o", "out", type=click.Path(path_type=Path), required=True, help="The PDF to write.")
@click.option("--paper", type=click.Choice(["a3", "a4", "letter"]), default="a3", show_default=True)
def mat_command(out: Path, paper: MatPaper) -> None:
    """The mat under the cards, to print without scaling; on smaller paper as sheets to be joined.

    \b
    Example: companion mat -o mat.pdf --paper a4
    """
    write_mat(out, paper)
    click.echo(f"The mat is in {out}. Print it at 100 %, and measure the ruler on it.")


@cli.command("deck", epilog=EXIT_CODES)
@click.option("-o", "out", type=click.Path(path_type=Path), required=True, help="The PDF to write.")
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True)
def deck_command(out: Path, paper: DeckPaper) -> None:
    """A deck of 60 cards of our own, to print on both sides and cut.

    \b
    Example: companion deck -o cards.pdf
    """
    write_deck(out, paper)
    click.echo(f"The deck is in {out}. Print it at 100 %, on both sides, turned over the long edge.")


@cli.group("bench", epilog=EXIT_CODES)
def bench_group() -> None:
    """Measure this machine.

    \b
    Example: companion bench referee
    """


@bench_group.command("referee", epilog=EXIT_CODES)
def bench_referee_command() -> None:
    """How many events a second one thread judges, in 10 evenings and in 1,000.

    \b
    Example: companion bench referee
    """
    for line in bench_referee():
        click.echo(line)


if __name__ == "__main__":
    main()
