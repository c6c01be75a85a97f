"""`companion backup` and `companion restore`: all that is kept, in one file."""

from pathlib import Path

import click

from companion.backups import back_up, restore_all
from companion.cli.options import EXIT_CODES, data_option
from companion.cli.rig_commands import config_option


@click.command("backup", epilog=EXIT_CODES)
@click.argument("file", type=click.Path(path_type=Path))
@config_option
@data_option
def backup_command(file: Path, config: Path | None, data: Path) -> None:
    """Everything in one file, also while the table is playing: games, photo finishes, decks, rig.toml.

    Which phone is whose is not in it, for whoever got hold of the file could speak for everybody.

    \b
    Example: companion backup /media/stick/table.zip
    """
    made = back_up(data, file, config=config)
    click.echo(f"{made.files} files are safe in {file} ({made.size / 1e6:.1f} MB).")


@click.command("restore", epilog=EXIT_CODES)
@click.argument("file", type=click.Path(path_type=Path))
@config_option
@data_option
def restore_command(file: Path, config: Path | None, data: Path) -> None:
    """Go back to such a file. What is there is set aside, never deleted.

    \b
    Example: companion restore /media/stick/table.zip
    """
    asides = restore_all(file, data, config=config)
    click.echo(f"{data} is as {file} has it." + "".join(f"\nWhat was there is {aside} now." for aside in asides))
