"""What several commands have in common: the last line of their help, and where journal and decks are kept."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click
from platformdirs import user_data_path

EXIT_CODES = "\b\nExit codes: 0 all is well; 1 something could not be done; 2 it made no sense."

Command = TypeVar("Command", bound=Callable[..., object])


def _data_option(name: str, inside: str, keeps: str) -> Callable[[Command], Command]:
    def chosen(_context: click.Context, _option: click.Parameter, data: Path | None) -> Path:
        return (data or user_data_path("table-companion")) / inside

    return click.option(
        "--data",
        name,
        type=click.Path(path_type=Path, file_okay=False),
        callback=chosen,
        envvar="COMPANION_DATA",
        help=f"The folder in which {keeps}; by default this platform's data folder.",
    )


data_option = _data_option("data", "", "journal, decks and rig.toml are kept")
journal_option = _data_option("journal", "journal.db", "the journal is kept")
models_option = _data_option("models", "models", "the taught decks are kept, in its folder models")
