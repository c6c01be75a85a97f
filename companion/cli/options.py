"""Options that several commands share: the last line of their help, where journal and decks are kept, and where
the page is served."""

import math
from collections.abc import Callable, Generator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from platformdirs import user_data_path

from companion.app.address import host_in

EXIT_CODES = "\b\nExit codes: 0 all is well; 1 something could not be done; 2 it made no sense."

Command = TypeVar("Command", bound=Callable[..., object])


def _data_option(name: str, inside: str, keeps: str) -> Callable[[Command], Command]:
    def choose_data(_context: click.Context, _option: click.Parameter, data: Path | None) -> Path:
        return (data or user_data_path("table-companion")) / inside

    return click.option(
        "--data",
        name,
        type=click.Path(path_type=Path, file_okay=False),
        callback=choose_data,
        envvar="COMPANION_DATA",
        help=f"The folder in which {keeps}; by default this platform's data folder.",
    )


data_option = _data_option("data", "", "journal, decks and rig.toml are kept")
journal_option = _data_option("journal", "journal.db", "the journal is kept")
models_option = _data_option("models", "models", "the taught decks are kept, in its folder models")


if TYPE_CHECKING:
    _Choice = click.Choice[str]
else:
    # click 8.1, which Debian on a Pi has, has no generic `Choice`.
    _Choice = click.Choice


class OneOf(_Choice):
    """One of several words; the error for a wrong word lists all valid ones, even if there is only one."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(f"{value!r} is not to be had; there is {' or '.join(self.choices)}.", param, ctx)


class Whole(click.IntRange):
    """A whole number within bounds."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            int(value)
        except ValueError:
            # click's own message speaks of an invalid range.
            self.fail(f"{value!r} is not a whole number.", param, ctx)
        number: int = super().convert(value, param, ctx)
        return number


class Among(click.FloatRange):
    """A number within bounds."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            float(value)
        except ValueError:
            self.fail(f"{value!r} is not a number.", param, ctx)
        number: float = super().convert(value, param, ctx)
        # NaN passes every range check.
        if math.isnan(number):
            self.fail(f"{value!r} is no number.", param, ctx)
        return number


def _bind(_context: click.Context, _option: click.Parameter, said: str | None) -> str | None:
    if said is None:
        return None
    try:
        return host_in(said)
    except ValueError as error:
        raise click.BadParameter(f"{error}.") from None


def bind_option(words: str) -> Callable[[Command], Command]:
    return click.option("--bind", metavar="ADDRESS", callback=_bind, help=words)


verbose_option = click.option(
    "-v", "--verbose", is_flag=True, help="Say all that the program does, for whoever looks for a fault."
)


@contextmanager
def logs_shown(verbose: bool) -> Generator[None]:  # noqa: FBT001 - what --verbose says
    """With --verbose writes the log to standard error, so that other programs read only the command's output."""
    from companion.logs.logging_setup import logging_to  # noqa: PLC0415 - few ask for it

    with logging_to(partial(click.echo, err=True), verbose=True) if verbose else nullcontext():
        yield
