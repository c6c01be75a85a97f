"""What several commands have in common: the last line of their help, and where journal and decks are kept."""

from pathlib import Path

import click
from platformdirs import user_data_path

EXIT_CODES = "\b\nExit codes: 0 all is well; 1 something could not be done; 2 it made no sense."


def _data(data: Path | None) -> Path:
    return data or user_data_path("table-companion")


def _journal_in(_context: click.Context, _option: click.Parameter, data: Path | None) -> Path:
    return _data(data) / "journal.db"


def _models_in(_context: click.Context, _option: click.Parameter, data: Path | None) -> Path:
    return _data(data) / "models"


journal_option = click.option(
    "--data",
    "journal",
    type=click.Path(path_type=Path, file_okay=False),
    callback=_journal_in,
    envvar="COMPANION_DATA",
    help="The folder in which the journal is kept; by default this platform's data folder.",
)

models_option = click.option(
    "--data",
    "models",
    type=click.Path(path_type=Path, file_okay=False),
    callback=_models_in,
    envvar="COMPANION_DATA",
    help="The folder in whose folder models the taught decks are kept; by default this platform's data folder.",
)
