"""What was played, in numbers and drawings: from the journal's events to the page about earlier evenings."""
