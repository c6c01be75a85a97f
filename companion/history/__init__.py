"""The history of games: from the journal's events to the pages about earlier evenings."""
