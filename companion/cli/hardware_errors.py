"""A command that uses the rig: what its drivers have to say is said like everything else that goes wrong."""

from typing import Any

import click

from companion.errors import RigTrouble


class RigCommand(click.Command):
    def invoke(self, ctx: click.Context) -> Any:
        # Loaded with the drivers, which take a moment, so not for whoever only asks for help.
        from gpiozero.exc import GPIOZeroError  # noqa: PLC0415

        from hardware.faults import HardwareError  # noqa: PLC0415

        try:
            return super().invoke(ctx)
        except (HardwareError, GPIOZeroError) as error:
            raise RigTrouble(str(error)) from error
