"""The command line. Exit codes: 0 all is well; 1 something could not be done; 2 it made no sense."""

import errno
import sys
from contextlib import nullcontext

import click

from companion import __version__
from companion.cli.lazy_group import LazyCommand, LazyGroup
from companion.cli.options import EXIT_CODES
from companion.cli.pipes import ReaderGone
from companion.errors import CompanionError, InvalidEvent, InvalidFrames, InvalidLabels
from companion.threads.shutdown import left_by_signals

# Each with its first sentence, so that the help of all is shown without loading any.
COMMANDS = {
    "backup": LazyCommand(
        "companion.cli.backup_commands:backup_command",
        "Everything in one file, also while the table is playing: games, photo finishes, decks, rig.toml.",
    ),
    "bench": LazyCommand(
        "companion.cli.bench_commands:bench_group",
        "Measure this machine.",
    ),
    "check": LazyCommand(
        "companion.cli.rig_commands:check_command",
        "Go through buttons, lamps, camera, mat, clock, disk, warmth and power, and say what is wrong.",
    ),
    "deck": LazyCommand(
        "companion.cli.print_commands:deck_command",
        "A deck of 60 cards of our own, to print on both sides and cut.",
    ),
    "demo": LazyCommand(
        "companion.cli.demo_command:demo_command",
        "Play an evening with drawn cards and people, and show it on the page.",
    ),
    "journal": LazyCommand(
        "companion.cli.journal_commands:journal_group",
        "Look at what was played, and keep it safe.",
    ),
    "look": LazyCommand(
        "companion.cli.deck_commands:look_command",
        "What lies in the nine cells of each picture: a line of JSON each.",
    ),
    "mat": LazyCommand(
        "companion.cli.print_commands:mat_command",
        "The mat under the cards, to print without scaling; on smaller paper as sheets to be joined.",
    ),
    "report": LazyCommand(
        "companion.cli.report_command:report_command",
        "Gather what is needed to find out what went wrong, in one zip.",
    ),
    "replay": LazyCommand(
        "companion.cli.replay_command:replay_command",
        "Judge a recorded evening again: a ruling a line, and the last state.",
    ),
    "restore": LazyCommand(
        "companion.cli.backup_commands:restore_command",
        "Go back to such a file.",
    ),
    "run": LazyCommand(
        "companion.cli.rig_commands:run_command",
        "Referee at the real table: buttons, lamps, camera and page.",
    ),
    "teach": LazyCommand(
        "companion.cli.deck_commands:teach_command",
        "Teach a deck from pictures of its cards, one of each kind, laid on the grid.",
    ),
    "timing": LazyCommand(
        "companion.cli.rig_commands:timing_command",
        "Measure what this machine's clock can tell apart, and write it down for the referee.",
    ),
    "watch": LazyCommand(
        "companion.cli.watch_command:watch_command",
        "What happens on the table, an event a line.",
    ),
}
INVALID_INPUT = (InvalidEvent, InvalidFrames, InvalidLabels)
# These go on until somebody ends them: that is no failure, however soon it comes.
ENDLESS = (["demo"], ["run"])
# What a shell expects of a program that was stopped by Ctrl-C.
INTERRUPTED = 130
ADVICE = {
    errno.ENOENT: "is the name right, and the folder?",
    errno.EISDIR: "name a file in it",
    errno.EACCES: "it may not be read or written by you",
    errno.ENOSPC: "make room there and try again",
    errno.EDQUOT: "you may keep no more there: make room and try again",
    errno.EROFS: "that disk can only be read: is its card locked, or worn out?",
    errno.EIO: "that disk fails: look at the card and its reader",
}


def main() -> None:
    with left_by_signals() if sys.argv[1:2] in ENDLESS else nullcontext():
        code = _code()
        if code:
            sys.exit(code)


def _code() -> int:
    try:
        code = cli(prog_name="companion", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx is not None else "companion"
        return _report_failure(f"{_sentence(error.format_message())} See `{where} --help`.", error.exit_code)
    except CompanionError as error:
        return _report_failure(str(error), 2 if isinstance(error, INVALID_INPUT) else 1)
    except (ReaderGone, BrokenPipeError):
        # Whoever read along has seen enough; what Python flushes at the end has nowhere to go either.
        sys.stdout = sys.stderr = None
        return 0
    except OSError as error:
        what = error.strerror or str(error)
        advice = ADVICE.get(error.errno or 0, "look at the file and its folder")
        return _report_failure(f"{error.filename}: {what}; {advice}" if error.filename else f"{what}; {advice}", 1)
    # What a command has ended with by itself, if it has.
    return int(code or 0)


def _sentence(words: str) -> str:
    """Click ends its own with a full stop, with a question mark, or not at all."""
    return words if words.endswith("?") else f"{words.rstrip('.')}."


def _report_failure(message: str, code: int) -> int:
    click.echo(f"companion: {message}", err=True)
    return code


@click.group(
    cls=LazyGroup, lazy=COMMANDS, epilog=EXIT_CODES, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(__version__)
def cli() -> None:
    """The companion beside the real cards.

    \b
    Example: companion replay evening.jsonl
    """


if __name__ == "__main__":
    main()
