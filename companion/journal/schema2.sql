-- The second edition: what a damage has taken is remembered, and games are found without reading every event.

-- Numbers that no event has. `event` has a row for every other number, so that a missing row is noticed.
CREATE TABLE gap (
    first   INTEGER PRIMARY KEY CHECK (first > 0),
    last    INTEGER NOT NULL CHECK (last >= first),
    found   INTEGER NOT NULL,  -- when it was found, nanoseconds since 1970
    goes_on INTEGER NOT NULL,  -- 1: it was the journal's end, and what came since was heard without it
    crc     INTEGER NOT NULL
) STRICT;

CREATE INDEX event_begins_a_game ON event (number) WHERE type = 'game';
