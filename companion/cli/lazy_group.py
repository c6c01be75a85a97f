"""A group of commands that are loaded only when somebody asks for them."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import click

from companion.cli.pipes import reader_may_go


@dataclass(frozen=True, slots=True)
class LazyCommand:
    place: str
    """Its "module:attribute"."""
    purpose: str
    """The first sentence of its help."""


class LazyGroup(click.Group):
    def __init__(self, *args: Any, lazy: Mapping[str, LazyCommand], **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._lazy = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return sorted(self._lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        # To whoever mistypes one click offers those that resemble it, but only of those that are loaded.
        for name in [cmd_name] if cmd_name in self._lazy else self._lazy:
            self.add_command(_command_at(self._lazy[name].place), name)
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Loads none of them: all together take four times as long as everything else here."""
        named = {name: click.Command(name, help=lazy.purpose) for name, lazy in self._lazy.items()}
        click.Group(commands=named).format_commands(ctx, formatter)

    def make_context(self, *args: Any, **settings: Any) -> click.Context:
        # Its help is printed here.
        with reader_may_go():
            return super().make_context(*args, **settings)

    def invoke(self, ctx: click.Context) -> Any:
        with reader_may_go():
            return super().invoke(ctx)


def _command_at(place: str) -> click.Command:
    module, _, attribute = place.partition(":")
    command = getattr(import_module(module), attribute)
    assert isinstance(command, click.Command)
    return command
