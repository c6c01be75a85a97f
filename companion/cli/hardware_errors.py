"""A base class for commands that use the rig: reports the drivers' errors like all other errors."""

from typing import Any

import click

from companion.errors import RigTrouble


class RigCommand(click.Command):
    """A command that reports drivers' errors like all other errors."""

    def invoke(self, ctx: click.Context) -> Any:
        # Imported late: the drivers are slow to load, and --help does not need them.
        from gpiozero.exc import GPIOZeroError  # noqa: PLC0415

        from hardware.faults import HardwareError  # noqa: PLC0415

        try:
            return super().invoke(ctx)
        except (HardwareError, GPIOZeroError) as error:
            raise RigTrouble(str(error)) from error
