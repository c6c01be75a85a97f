"""A click group whose commands are imported only when they are used."""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click

from companion.cli.pipes import reader_may_go


@dataclass(frozen=True, slots=True)
class LazyCommand:
    """A command that has not been imported yet."""

    place: str
    """Where the command is defined, as "module:attribute"."""
    purpose: str
    """The first sentence of the command's help."""


class AskingGroup(click.Group):
    """Suggests similar commands for a mistyped one, with every version of click."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, known = args[0], self.list_commands(ctx)
        if name not in known and name[:1].isalnum() and not ctx.resilient_parsing:
            near = get_close_matches(name, known, 1)
            ctx.fail(f"No such command {name!r}." + "".join(f" Did you mean {one!r}?" for one in near))
        return super().resolve_command(ctx, args)


class LazyGroup(AskingGroup):
    """A group that imports a command when it is used."""

    def __init__(self, *args: Any, lazy: Mapping[str, LazyCommand], **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._lazy = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return sorted(self._lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in self._lazy:
            self.add_command(_command_at(self._lazy[cmd_name].place), cmd_name)
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Imports no commands: all together take four times as long as everything else here."""
        named = {name: click.Command(name, help=lazy.purpose) for name, lazy in self._lazy.items()}
        click.Group(commands=named).format_commands(ctx, formatter)

    def make_context(self, *args: Any, **settings: Any) -> click.Context:
        # click prints the group's help in here, so a closed pipe is handled here too.
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
