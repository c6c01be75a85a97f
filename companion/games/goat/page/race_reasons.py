"""Why each ruling of a race is so, in words: a sentence for each seat, and what the clock could tell."""

from collections.abc import Iterator, Sequence

from flask_babel import gettext, ngettext

from companion.core.cards import Card, Line
from companion.games.goat.history import Answer, Finish, PressMark, SprintHeat
from companion.games.goat.page.goat_page import WORDS
from companion.web.formatting import format_exact_ms, format_gap, format_number, join_names

Names = Sequence[str]


def line_word(line: Line) -> str:
    """Where on the grid it lies, as people point at it."""
    return {
        (0, 1, 2): gettext("top row"),
        (3, 4, 5): gettext("middle row"),
        (6, 7, 8): gettext("bottom row"),
        (0, 3, 6): gettext("left column"),
        (1, 4, 7): gettext("middle column"),
        (2, 5, 8): gettext("right column"),
        (0, 4, 8): gettext("diagonal from top left"),
        (2, 4, 6): gettext("diagonal from top right"),
    }[line]


def describe_sets(finish: Finish) -> list[str]:
    """Each set with what its cards share."""
    tops = finish.tops
    if tops is None:
        return []
    return [
        gettext(
            "%(line)s: %(shared)s",
            line=line_word(line),
            shared=_name_what_they_share([tops[cell] for cell in line]),
        )
        for line in finish.lines
    ]


def _name_what_they_share(cards: Sequence[Card | None]) -> str:
    known = [card for card in cards if card is not None]
    same = [str(WORDS[known[0].boat])] if len({card.boat for card in known}) == 1 else []
    same += [str(WORDS[known[0].colour])] if len({card.colour for card in known}) == 1 else []
    return ", ".join(same)


def headline(finish: Finish, names: Names) -> str:
    """The race in one line."""
    if not finish.race:
        return gettext(
            "False slap: %(names)s", names=join_names([names[mark.seat] for mark in _find_false_slaps(finish)])
        )
    if finish.winners:
        return ngettext(
            "%(names)s wins the game",
            "%(names)s win the game",
            len(finish.winners),
            names=join_names([names[seat] for seat in finish.winners]),
        )
    if finish.slowest is None:
        return gettext("Still on")
    return gettext("%(name)s is the slowest", name=names[finish.slowest])


def _find_false_slaps(finish: Finish) -> list[PressMark]:
    return [mark for mark in finish.marks if mark.verdict in ("no_set", "misplay", "no_pile")]


def how_close(finish: Finish) -> str | None:
    if finish.heats:
        return gettext("dead heat")
    pair = finish.closest
    return None if pair is None else gettext("closest: %(gap)s", gap=format_gap(pair[1].t - pair[0].t))


def explain(finish: Finish, names: Names) -> list[tuple[int | None, str]]:
    """Sentences, each with the seat it is about; None where it is about several."""
    return [
        *_explain_grabs(finish, names),
        *_explain_sprints(finish, names),
        *_explain_end(finish, names),
        *_explain_slips(finish, names),
    ]


def _explain_grabs(finish: Finish, names: Names) -> Iterator[tuple[int | None, str]]:
    for mark in finish.marks:
        if mark.verdict == "safe":
            yield mark.seat, _explain_safe(finish, mark, names[mark.seat])
        elif mark.verdict == "tied":
            yield mark.seat, _explain_tied(finish, mark, names[mark.seat])


def _explain_safe(finish: Finish, mark: PressMark, name: str) -> str:
    told = {"name": name, "place": mark.place, "all": finish.lifebuoys}
    if finish.since is None:
        after = format_exact_ms(mark.t - finish.t)
        return gettext(
            "%(name)s is safe: lifebuoy %(place)s of %(all)s, %(after)s after the first press.",
            after=after,
            **told,
        )
    if not mark.reaction_us:
        return gettext(
            "%(name)s is safe: lifebuoy %(place)s of %(all)s, pressed while the hand that laid the last card "
            "still hid it. The press has the benefit of the doubt.",
            **told,
        )
    return gettext(
        "%(name)s is safe: lifebuoy %(place)s of %(all)s, %(after)s after the set came to be.",
        after=format_exact_ms(mark.reaction_us * 1000),
        **told,
    )


def _explain_tied(finish: Finish, mark: PressMark, name: str) -> str:
    after = format_exact_ms((mark.reaction_us or 0) * 1000)
    if mark.place is None:
        return gettext("%(name)s pressed after %(after)s: in a dead heat.", name=name, after=after)
    return gettext(
        "%(name)s is safe: lifebuoy %(place)s of %(all)s. Pressed after %(after)s, in a dead heat, and was given "
        "it after the sprint.",
        name=name,
        place=mark.place,
        all=finish.lifebuoys,
        after=after,
    )


def _explain_sprints(finish: Finish, names: Names) -> Iterator[tuple[int | None, str]]:
    for place, heat in enumerate(finish.heats):
        tied = join_names([names[seat] for seat in heat.seats])
        within = format_gap(finish.resolution)
        yield None, _explain_next_tie(tied, within) if place else _explain_first_tie(tied, within)
        yield from ((answer.seat, _explain_answer(heat, answer, names[answer.seat])) for answer in heat.answers)


def _explain_first_tie(tied: str, within: str) -> str:
    return gettext(
        "Dead heat of %(names)s: each of their presses lies within %(resolution)s of the one that would take the "
        "last lifebuoy, and closer than that the clock tells nothing apart. Neither the wiring nor chance may "
        "decide it: a sprint to the lit lamps does.",
        names=tied,
        resolution=within,
    )


def _explain_next_tie(tied: str, within: str) -> str:
    return gettext(
        "Within %(resolution)s again: another dead heat of %(names)s, another sprint.",
        names=tied,
        resolution=within,
    )


def _explain_answer(heat: SprintHeat, answer: Answer, name: str) -> str:
    if heat.lit is None or answer.t < heat.lit:
        return gettext("%(name)s pressed before the lamps were lit: a guess.", name=name)
    after = format_exact_ms(answer.t - heat.lit)
    if answer.jumped:
        return gettext(
            "%(name)s answered the lamps after %(after)s: sooner than 100 ms nobody can, so it was a guess.",
            name=name,
            after=after,
        )
    return gettext("%(name)s answered the lamps after %(after)s.", name=name, after=after)


def _explain_end(finish: Finish, names: Names) -> Iterator[tuple[int | None, str]]:
    slowest = finish.slowest
    if slowest is None:
        if finish.race:
            yield None, gettext("The race is still on.")
        return
    name = names[slowest]
    yield slowest, f"{_explain_slowest(finish, name)} {_explain_pickup(finish)}".rstrip()
    if finish.winners:
        winners = [names[seat] for seat in finish.winners]
        sentence = ngettext(
            "%(names)s had no card left, got a lifebuoy and owed nothing: won.",
            "%(names)s had no card left, got a lifebuoy and owed nothing: they win together.",
            len(winners),
            names=join_names(winners),
        )
        yield finish.winners[0] if len(winners) == 1 else None, sentence


def _explain_slowest(finish: Finish, name: str) -> str:
    late = next((mark for mark in finish.marks if mark.verdict == "late"), None)
    if late is not None:
        last = max((mark.t for mark in finish.marks if mark.verdict == "safe"), default=finish.t)
        return gettext(
            "%(name)s is the slowest: pressed %(gap)s after the last lifebuoy was gone.",
            name=name,
            gap=format_gap(late.t - last),
        )
    if finish.heats:
        return gettext("%(name)s is the slowest, by the sprint.", name=name)
    return gettext("%(name)s is the slowest: all lifebuoys were gone without a press.", name=name)


def _explain_pickup(finish: Finish) -> str:
    if finish.took is not None:
        return ngettext("Took %(n)s card.", "Took %(n)s cards.", finish.took, n=format_number(finish.took))
    if not finish.choices:
        return ""
    most = max(finish.cards, default=0)
    return ngettext("Must take %(n)s card.", "Must take up to %(n)s cards.", most, n=format_number(most))


def _explain_slips(finish: Finish, names: Names) -> Iterator[tuple[int | None, str]]:
    for mark in finish.marks:
        slip = _explain_slip(finish, mark, names[mark.seat])
        if slip is not None:
            yield mark.seat, slip
    again = sorted({mark.seat for mark in finish.marks if mark.verdict == "same_slap"})
    if again:
        yield (
            None,
            gettext(
                "Pressed again within half a second, which is still the same slap: %(names)s.",
                names=join_names([names[seat] for seat in again]),
            ),
        )
    unheard = sorted({mark.seat for mark in finish.marks if mark.verdict == "unheard"})
    if unheard:
        yield (
            None,
            gettext(
                "Slapped at an instant at which a slap meant nothing: %(names)s.",
                names=join_names([names[seat] for seat in unheard]),
            ),
        )


def _explain_slip(finish: Finish, mark: PressMark, name: str) -> str | None:
    match mark.verdict:
        case "no_set":
            return gettext(
                "%(name)s slapped, but no set lay there at that instant: one pile to pick up.", name=name
            )
        case "already_safe":
            return gettext(
                "%(name)s had a lifebuoy already and slapped again %(after)s after the first slap: one pile "
                "to pick up.",
                name=name,
                after=format_exact_ms(mark.t - finish.t),
            )
        case "misplay":
            return gettext("%(name)s's slap is void: only a misplayed card made it look like a set.", name=name)
        case "no_pile":
            return gettext("%(name)s slapped at nothing, but no pile was left to pick up: void.", name=name)
        case _:
            return None
