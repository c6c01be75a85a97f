"""A group of commands that are loaded only when somebody asks for them."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from companion.cli.pipes import reader_may_go


class LazyGroup(click.Group):
    def __init__(self, *args: Any, places: Mapping[str, str], **settings: Any) -> None:
        """`places`: for the name of each command its "module:attribute"."""
        super().__init__(*args, **settings)
        self._places = places

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return sorted(self._places)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        # To whoever mistypes one click offers those that resemble it, but only of those that are loaded.
        for name in [cmd_name] if cmd_name in self._places else self._places:
            self.add_command(_command_at(self._places[name]), name)
        return super().get_command(ctx, cmd_name)

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
