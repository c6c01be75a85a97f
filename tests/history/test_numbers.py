"""What hand-made games come to: who won, how fast, the longest pile, the best comeback, evenings."""

from hypothesis import example, given
from hypothesis import strategies as st

from companion.games.goat.history import GameTally, make_tally
from companion.games.goat.history.records import find_records
from companion.history import bgstats
from companion.history.evenings import group_by_evening
from companion.history.judged_game import judge_game
from companion.history.person_names import person_key
from companion.history.players import list_people
from companion.history.spread import measure_spread, quantile
from companion.history.summarize import summarize
from companion.journal import Reader

from ..games.goat.rules.play import fix, game
from .past import DAY, GOLDEN, HOUR, Book, golden, lines_of, raced, row, told, won_game


def test_a_name_in_other_letters_is_the_same_person(book: Book) -> None:
    """Case and blanks say nothing about who somebody is; the newest spelling is shown."""
    book.add(won_game(("Ada", "Ben")), won_game(("Ben", " ADA ")), won_game(("Ben", "ada")))
    ada, ben = list_people(book.summaries())

    assert ("ada", 3, 2) == (ada.name, ada.games, ada.won)
    assert ("Ben", 3, 1) == (ben.name, ben.games, ben.won)


@given(st.text(min_size=1))
@example("\u00a8\u00b8")
def test_blanks_and_case_never_make_another_person(name: str) -> None:
    """Whatever a name is made of."""
    assert person_key(name) == person_key(f"  {name} ")
    assert person_key(person_key(name)) == person_key(name)


def test_a_draw_has_no_winner(book: Book) -> None:
    """A game that is over without a winner counts as played and won by nobody."""
    book.add(lines_of(GOLDEN / "stalemate.jsonl"))
    [summary] = book.summaries()

    assert summary.over
    assert () == summary.winners


def test_games_close_together_are_one_evening(book: Book) -> None:
    """An hour between two games is dinner, a night begins another evening; the newest evening comes first."""
    book.add(won_game(), pause=HOUR)
    book.add(won_game(), pause=DAY)
    book.add(won_game())

    assert [1, 2] == [len(evening.games) for evening in group_by_evening(book.summaries())]


def test_a_clock_that_is_set_back_tears_no_evening_apart(book: Book) -> None:
    """The journal's order is the order of the games."""
    book.add(won_game(), pause=-2 * HOUR)
    book.add(won_game())

    assert [2] == [len(evening.games) for evening in group_by_evening(book.summaries())]


def test_the_best_comeback_is_the_largest_deck_that_still_won(book: Book) -> None:
    """Seat 1 once had 33 cards and won all the same; no deck of a loser counts."""
    begins, *rest = won_game()
    book.add([begins, fix(0.5, decks=[27, 33]), fix(0.6, decks=[30, 30]), *rest])
    comeback = find_records(book.summaries()).comeback

    assert comeback is not None
    assert (1, 33) == (comeback.seat, comeback.cards)


def test_who_only_ever_got_rid_of_cards_has_not_come_back(book: Book) -> None:
    """What everybody is dealt is no peak."""
    book.add(won_game())
    assert find_records(book.summaries()).comeback is None


BARE = {str(cell): None for cell in range(1, 9)}
AWAY = fix(5, tops={**BARE, "0": {"boat": "rowboat", "colour": "blue"}}, piles=[60, *[0] * 8], decks=[0, 0])


def test_a_game_that_the_host_puts_away_leaves_no_record(book: Book) -> None:
    """It is told as far as it was played: no pile of sixty, and no deck that was empty."""
    book.add([game(2), *row(1)[:2], AWAY])
    [summary] = book.summaries()

    assert (True, True, ()) == (summary.over, summary.put_away, summary.winners)
    assert bgstats.play_link(summary) is None
    assert [0, 0] == [person.games for person in list_people(book.summaries())]
    assert isinstance(summary.tally, GameTally)
    assert 1 == summary.tally.pile
    assert [(30, 30), (29, 30), (29, 29)] == [level.decks for level in told([game(2), *row(1)[:2], AWAY]).levels]


def test_between_two_corrections_the_camera_may_look() -> None:
    """What was owed is cleared away first: neither that nor what the camera then sees is a card of anybody's."""
    bare = fix(4, tops=dict.fromkeys(map(str, range(9))), piles=[0] * 9, decks=[32, 28])
    seen_bare = {"t": 4_500_000_000, "type": "grid", "cells": [None] * 9}
    story = told([game(2), *row(1)[:2], bare, seen_bare, AWAY])
    assert (29, 29) == story.levels[-1].decks


def test_the_tallest_pile_is_found_at_any_time() -> None:
    """Also when it has been taken up since."""
    pile = golden("a-whole-game-of-six").pile

    assert pile is not None
    assert 6 == pile.height


def test_the_closest_finish_is_told_with_its_list_people(book: Book) -> None:
    """200 ms lay between the presses of the first race, 1 ms between those of the second."""
    book.add([game(), *raced(1, (0.4, 1), (0.6, 0)), *raced(20, (0.5, 0), (0.501, 1))])
    found = find_records(book.summaries()).closest

    assert found is not None
    assert (2, 1_000_000, (0, 1)) == (found[1].finish, found[1].gap_ns, found[1].seats)


def test_reactions_are_counted_by_seat(book: Book) -> None:
    """The quickest's 400 ms and the slowest's 500 ms."""
    book.add([game(), *raced(1, (0.4, 1), (0.5, 0))])
    [summary] = book.summaries()

    assert isinstance(summary.tally, GameTally)
    assert ((500_000,), (400_000,)) == summary.tally.reactions
    assert (1, 0) == summary.tally.slowest


def test_a_press_under_the_hand_has_no_measured_reaction() -> None:
    """Nobody knows when the set came to be."""
    story = golden("slap-while-the-hand-hides-it")

    assert all(0 not in times for times in make_tally(story).reactions)


def test_how_long_a_game_lasted_is_counted_on_the_table_s_clock(book: Book) -> None:
    """From its first event to the press that won it, whatever the wall says."""
    book.add(won_game(quick=0.4))
    [summary] = book.summaries()

    assert 3_400_000_000 == summary.lasted


@given(st.lists(st.integers(1, 10**7), min_size=1))
def test_quartiles_are_in_order_and_within(times: list[int]) -> None:
    """Fastest, a quarter, half, three quarters: each no smaller than the one before."""
    found = measure_spread(times)

    assert found is not None
    assert found.best <= found.low <= found.median <= found.high <= max(times)


def test_a_quantile_lies_between_its_neighbours() -> None:
    """Half of 1, 2, 3, 10 is 2.5."""
    assert 2.5 == quantile([1, 2, 3, 10], 0.5)
    assert 1 == quantile([1, 2, 3, 10], 0)
    assert 10 == quantile([1, 2, 3, 10], 1)


def test_a_running_game_is_told_as_the_table_rules_it(book: Book) -> None:
    """The last game in the journal isn't closed: presses that wait are not judged by the history either."""
    book.add(won_game()[:-1])
    with Reader.open(book.path) as reader:
        running = summarize(judge_game(reader.entries(), closed=False)).summary
        over = summarize(judge_game(reader.entries(), closed=True)).summary

    assert (False, ()) == (running.over, running.winners)
    assert (True, (1,)) == (over.over, over.winners)
