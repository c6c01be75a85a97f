"""How many examples hypothesis tries of each property: few in the plain run, more in CI, many at night."""

import os

from hypothesis import HealthCheck, settings

USUAL = 100
PROFILE = "COMPANION_EXAMPLES"

# A machine that is busy is no failure. The plain run finds the same things every time; the others look elsewhere
# each time, and say how to find again what they have found.
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", PATIENT, derandomize=True, max_examples=USUAL // 5)
settings.register_profile("ci", PATIENT, derandomize=False, max_examples=USUAL, print_blob=True)
settings.register_profile("nightly", settings.get_profile("ci"), max_examples=20 * USUAL)


def load_profile() -> None:
    """The one that the environment names; `--hypothesis-profile` goes before it."""
    settings.load_profile(os.environ.get(PROFILE, "quick"))


def examples(usual: int) -> int:
    """Of a property that needs more or fewer of them than others: so many in CI, else in proportion."""
    return max(1, usual * settings().max_examples // USUAL)
