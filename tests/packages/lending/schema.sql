-- People who may borrow.
CREATE TABLE members (
  member_id TEXT NOT NULL PRIMARY KEY, -- such as M-104
  name TEXT NOT NULL,
  email TEXT NOT NULL UNIQUE,
  level TEXT NOT NULL CHECK (level IN ('basic', 'plus'))
) STRICT;

-- Things to borrow; one row a copy.
CREATE TABLE items (
  item_id INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  category TEXT NOT NULL CHECK (category IN ('tools', 'camping', 'kitchen')),
  fee_cents INTEGER NOT NULL CHECK (fee_cents >= 0), -- per loan
  status TEXT NOT NULL CHECK (status IN ('in', 'out', 'repair'))
) STRICT;

CREATE TABLE loans (
  loan_id TEXT NOT NULL PRIMARY KEY, -- compare: generated
  member_id TEXT NOT NULL REFERENCES members (member_id),
  item_id INTEGER NOT NULL REFERENCES items (item_id),
  due_on TEXT NOT NULL, -- a date
  extended INTEGER NOT NULL DEFAULT 0, -- how often
  state TEXT NOT NULL CHECK (state IN ('open', 'closed'))
) STRICT;
CREATE INDEX loans_member ON loans (member_id);

CREATE TABLE notes (
  note_id INTEGER PRIMARY KEY,
  loan_id TEXT NOT NULL REFERENCES loans (loan_id) ON DELETE CASCADE,
  body TEXT NOT NULL -- compare: text(ignored)
) STRICT;
