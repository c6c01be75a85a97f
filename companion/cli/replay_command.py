"""`companion replay`: a recorded evening, judged again."""

import sys
from pathlib import Path

import click

from companion.cli.options import EXIT_CODES
from companion.cli.recording_input import lines_in
from companion.table.replay import replay


@click.command("replay", epilog=EXIT_CODES)
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--state", is_flag=True, help="Print the state after every event too.")
def replay_command(file: Path, *, state: bool) -> None:
    """Judge a recorded evening again: a ruling a line, and the last state.

    FILE is JSON Lines, an event a line; - reads standard input.

    \b
    Example: companion replay --state evening.jsonl
    """
    with lines_in(file) as lines:
        line = None
        for line in replay(lines, states=state):
            sys.stdout.write(line + "\n")
        if line is None:
            click.echo("There is no event in it.", err=True)
