-- A neighbourhood's tool library. Days are YYYY-MM-DD, money is whole US cents.

-- People who may borrow.
CREATE TABLE members (
  member_id  TEXT NOT NULL PRIMARY KEY,                     -- number on the card, such as M-104
  name       TEXT NOT NULL,                                 -- full name
  email      TEXT NOT NULL UNIQUE CHECK (email = lower(email)), -- address on file, in lower case
  briefed    INTEGER NOT NULL CHECK (briefed IN (0, 1)),    -- 1 after a safety briefing
  fees_cents INTEGER NOT NULL CHECK (fees_cents >= 0)       -- what is owed for late days
) STRICT;

-- Tools on the shelves, one row each.
CREATE TABLE tools (
  tool_id INTEGER PRIMARY KEY,                              -- number on the sticker
  title   TEXT NOT NULL,                                    -- what it is; there are several of some
  kind    TEXT NOT NULL CHECK (kind IN ('garden', 'hand', 'paint', 'power')), -- where it hangs
  worth_cents INTEGER NOT NULL CHECK (worth_cents > 0)      -- what a new one costs
) STRICT;

-- Who has had which tool, and until when.
CREATE TABLE loans (
  loan_id     TEXT NOT NULL PRIMARY KEY,                    -- code of the loan; compare: generated
  member_id   TEXT NOT NULL REFERENCES members (member_id), -- who borrowed
  tool_id     INTEGER NOT NULL REFERENCES tools (tool_id),  -- which tool
  lent_on     TEXT NOT NULL,                                -- day it went out
  due_on      TEXT NOT NULL CHECK (due_on > lent_on),       -- day by which it is to be back
  renewed     INTEGER NOT NULL CHECK (renewed IN (0, 1)),   -- 1 once it was renewed
  returned_on TEXT CHECK (returned_on >= lent_on)           -- day it came back; NULL while it is out
) STRICT;
CREATE INDEX loans_by_member ON loans (member_id);
CREATE INDEX loans_by_tool ON loans (tool_id);

-- Who waits for which tool.
CREATE TABLE reservations (
  reservation_id TEXT NOT NULL PRIMARY KEY,                 -- code; compare: generated
  member_id TEXT NOT NULL REFERENCES members (member_id),   -- who waits
  tool_id   INTEGER NOT NULL REFERENCES tools (tool_id),    -- for which tool
  placed_on TEXT NOT NULL,                                  -- since when
  status    TEXT NOT NULL CHECK (status IN ('waiting', 'cancelled', 'done')) -- done once the tool was lent to them
) STRICT;
CREATE INDEX reservations_by_tool ON reservations (tool_id);
