-- The first edition of the journal. Later editions are further files that only add (see schema.py), so that
-- nothing an older one has written is ever rewritten.

CREATE TABLE event (
    number  INTEGER PRIMARY KEY CHECK (number > 0),
    version INTEGER NOT NULL,  -- of the vocabulary the event is written in
    t       INTEGER NOT NULL,  -- the event's own time, nanoseconds on the monotonic clock
    wall    INTEGER NOT NULL,  -- nanoseconds since 1970, for people; nothing is ordered by it
    type    TEXT NOT NULL,     -- the event's own type, so that games are found without reading every text
    event   TEXT NOT NULL,     -- the event, JSON, on one line
    crc     INTEGER NOT NULL   -- SQLite has no checksums: a flipped bit in a text would pass every check of its
) STRICT;

CREATE TRIGGER event_is_never_changed BEFORE UPDATE ON event
BEGIN
    SELECT RAISE(ABORT, 'an event in the journal is never changed');
END;

CREATE TRIGGER event_is_never_removed BEFORE DELETE ON event
BEGIN
    SELECT RAISE(ABORT, 'an event in the journal is never removed');
END;

-- INSERT OR REPLACE removes the old row without asking the trigger above; this one comes before it.
CREATE TRIGGER event_comes_last BEFORE INSERT ON event
WHEN NEW.number <= (SELECT max(number) FROM event)
BEGIN
    SELECT RAISE(ABORT, 'an event is only ever added behind the last one');
END;

-- One row each time the journal was kept. It is written together with the first event of that time, and `closed`
-- is filled in last of all: a newest row without it says that the power went.
CREATE TABLE sitting (
    number INTEGER PRIMARY KEY,
    opened INTEGER NOT NULL,
    closed INTEGER
) STRICT;
