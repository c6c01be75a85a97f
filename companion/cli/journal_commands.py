"""`companion journal`: what was played, looked at and kept safe."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

import click

from companion.cli.lazy_group import AskingGroup
from companion.cli.options import EXIT_CODES, journal_option
from companion.cli.recording_input import is_dash, lines_in
from companion.core.names import shown_names
from companion.errors import JournalError
from companion.files import whole_file
from companion.journal import Exported, Journal, Reader, backup, export_lines, import_lines, restore
from companion.table.live_table import resume
from companion.table.replay import replay_recording


@click.group("journal", cls=AskingGroup, epilog=EXIT_CODES)
def journal_group() -> None:
    """Look at what was played, and keep it safe.

    \b
    Example: companion journal backup /media/stick/table.db
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
            lost = f"  (lost: {', '.join(map(str, game.lost))})" if game.lost else ""
            seats = ", ".join(shown_names(game.seats))
            click.echo(f"{game.number:>8}  {when}  {game.game}  {game.entries:>5} events  {seats}{lost}")


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
        if is_dash(file):
            _tell_left_out(export_lines(reader, sys.stdout.buffer, game=game))
            return
        with _new(file) as out:
            exported = export_lines(reader, out, game=game)
    _tell_left_out(exported)
    click.echo(f"{exported.events} events written to {file}.")


def _tell_left_out(exported: Exported) -> None:
    for game in exported.left_out:
        seats = ", ".join(shown_names(game.seats))
        click.echo(
            f"Game {game.number} ({seats}) has lost events to a damage and is left out: "
            f"--game {game.number} writes it as far as it is known.",
            err=True,
        )


@contextmanager
def _new(file: Path) -> Generator[BinaryIO]:
    """Opens a new file that is written atomically: complete, or not there at all."""
    if file.exists():
        raise JournalError(f"{file} is there already; give another name.")
    with whole_file(file) as out:
        yield out


@journal_group.command("import", epilog=EXIT_CODES)
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@journal_option
def journal_import(journal: Path, file: Path) -> None:
    """Add a recording to the journal: all of it, or none and the line that makes no sense.

    \b
    Example: companion journal import evening.jsonl
    """
    with lines_in(file) as lines, Journal.open(journal) as kept:
        if kept.recovered is not None:
            click.echo(kept.recovered, err=True)
        entries = import_lines(kept, replay_recording(resume(kept).snapshot.evening, lines))
    click.echo(f"{len(entries)} events added to {journal}.")


@journal_group.command("backup", epilog=EXIT_CODES)
@click.argument("file", type=click.Path(path_type=Path))
@journal_option
def journal_backup(journal: Path, file: Path) -> None:
    """Copy the journal into one file, also while the table is playing.

    \b
    Example: companion journal backup /media/stick/table.db
    """
    click.echo(f"{backup(journal, file)} events are safe in {file}.")


@journal_group.command("restore", epilog=EXIT_CODES)
@click.argument("file", type=click.Path(path_type=Path))
@journal_option
def journal_restore(journal: Path, file: Path) -> None:
    """Go back to a backup. The present journal is set aside, never deleted.

    \b
    Example: companion journal restore /media/stick/table.db
    """
    aside = restore(file, journal)
    click.echo(f"{journal} is {file} again." + (f" What was there is {aside} now." if aside else ""))
