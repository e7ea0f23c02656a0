-- Lanternhouse Hotels: hotels in cities, what each night costs, guests, their stays and what they added to them.
-- Days are local to the hotel ("2026-05-21"), moments are UTC ("2026-05-21T13:00:00Z"), money is whole US cents.

-- People who stay. They identify themselves by guest number or e-mail address.
CREATE TABLE guests (
    guest_id TEXT NOT NULL PRIMARY KEY CHECK (guest_id GLOB 'L[0-9][0-9][0-9][0-9][0-9][0-9]'),  -- guest number, such as L204117
    first_name TEXT NOT NULL,  -- given name
    last_name TEXT NOT NULL,  -- family name; several guests share one
    email TEXT NOT NULL UNIQUE CHECK (email = lower(email) AND email LIKE '%_@_%'),  -- lower case
    phone TEXT NOT NULL CHECK (phone GLOB '+[0-9]*'),  -- + and digits, country code first
    tier TEXT NOT NULL CHECK (tier IN ('classic', 'silver', 'gold'))  -- loyalty tier; decides what is free
) STRICT;

-- Cards that guests pay with.
CREATE TABLE cards (
    card_id TEXT NOT NULL PRIMARY KEY CHECK (card_id GLOB 'H[0-9][0-9][0-9][0-9][0-9][0-9]'),  -- such as H204117
    guest_id TEXT NOT NULL REFERENCES guests (guest_id),  -- whose card it is
    brand TEXT NOT NULL CHECK (brand IN ('visa', 'mastercard', 'amex')),  -- who issued it
    last_four TEXT NOT NULL CHECK (last_four GLOB '[0-9][0-9][0-9][0-9]'),  -- last digits of its number
    valid_until TEXT NOT NULL CHECK (valid_until GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]'),  -- last month it can pay in, such as 2027-08
    main INTEGER NOT NULL CHECK (main IN (0, 1))  -- 1 for the card that is used unless another is named
) STRICT;
CREATE UNIQUE INDEX one_main_card ON cards (guest_id) WHERE main = 1;

-- Hotels of the group.
CREATE TABLE hotels (
    hotel_id TEXT NOT NULL PRIMARY KEY CHECK (hotel_id GLOB '[A-Z][A-Z][A-Z][1-9]'),  -- such as CPH1
    name TEXT NOT NULL UNIQUE,  -- such as Lanternhouse Nyhavn
    city TEXT NOT NULL,  -- where it is
    address TEXT NOT NULL,  -- street and number, postcode
    utc_offset_minutes INTEGER NOT NULL,  -- how far its clocks are ahead of UTC this season
    breakfast_cents INTEGER NOT NULL CHECK (breakfast_cents > 0),  -- per guest and night
    parking_cents INTEGER CHECK (parking_cents > 0),  -- per night; NULL where there is no car park
    pets TEXT NOT NULL CHECK (pets IN ('welcome', 'not_allowed'))  -- whether pets may stay
) STRICT;

-- Kinds of rooms, by hotel.
CREATE TABLE rooms (
    hotel_id TEXT NOT NULL REFERENCES hotels (hotel_id),  -- the hotel
    room TEXT NOT NULL CHECK (room IN ('single', 'double', 'family', 'suite')),  -- kind of room
    sleeps INTEGER NOT NULL CHECK (sleeps BETWEEN 1 AND 6),  -- guests it takes
    count INTEGER NOT NULL CHECK (count > 0),  -- how many the hotel has
    PRIMARY KEY (hotel_id, room)
) STRICT, WITHOUT ROWID;

-- What a room costs in a night and how many are left, for as long as nights are on sale.
CREATE TABLE nights (
    hotel_id TEXT NOT NULL,  -- the hotel
    room TEXT NOT NULL,  -- kind of room
    night TEXT NOT NULL CHECK (night GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),  -- day on which the night begins
    price_cents INTEGER NOT NULL CHECK (price_cents > 0),  -- of the room, at the flexible rate
    rooms_left INTEGER NOT NULL CHECK (rooms_left >= 0),  -- that can still be sold
    PRIMARY KEY (hotel_id, room, night),
    FOREIGN KEY (hotel_id, room) REFERENCES rooms (hotel_id, room)
) STRICT, WITHOUT ROWID;

-- Rates: what a booking may do, and at which share of a night's price.
CREATE TABLE rates (
    rate TEXT NOT NULL PRIMARY KEY CHECK (rate IN ('saver', 'flexible', 'club')),  -- name of the rate
    price_percent INTEGER NOT NULL CHECK (price_percent BETWEEN 1 AND 200),  -- of the night's price
    prepaid INTEGER NOT NULL CHECK (prepaid IN (0, 1)),  -- 1 where the room is charged at booking, 0 at check-out
    free_hours INTEGER CHECK (free_hours > 0),  -- cancelling is free until so many hours before check-in; NULL for never
    breakfast INTEGER NOT NULL CHECK (breakfast IN (0, 1))  -- 1 where breakfast is included
) STRICT;

-- A room in a hotel for some nights, booked by a guest.
CREATE TABLE stays (
    stay_id TEXT NOT NULL PRIMARY KEY CHECK (length(stay_id) = 7),  -- booking number, such as 4K7Q2MD; compare: generated
    guest_id TEXT NOT NULL REFERENCES guests (guest_id),  -- who booked it
    hotel_id TEXT NOT NULL,  -- where
    room TEXT NOT NULL,  -- kind of room
    rate TEXT NOT NULL REFERENCES rates (rate),  -- for all its nights
    arrival TEXT NOT NULL,  -- day of check-in, from 15:00
    departure TEXT NOT NULL CHECK (departure > arrival),  -- day of check-out, until 11:00
    guests INTEGER NOT NULL CHECK (guests BETWEEN 1 AND 6),  -- people who stay, children included
    status TEXT NOT NULL CHECK (status IN ('booked', 'checked_in', 'checked_out', 'cancelled', 'no_show')),  -- where it stands
    booked_at TEXT NOT NULL,  -- when it was booked
    cancelled_at TEXT CHECK (cancelled_at >= booked_at),  -- when it was cancelled
    card_id TEXT NOT NULL REFERENCES cards (card_id),  -- card that guarantees it and pays
    total_cents INTEGER NOT NULL CHECK (total_cents >= 0),  -- room, extras and fees; 0 if cancelled free of charge
    FOREIGN KEY (hotel_id, room) REFERENCES rooms (hotel_id, room),
    CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL))
) STRICT;
CREATE INDEX stays_by_guest ON stays (guest_id);

-- The nights of a stay, at the price they were booked for.
CREATE TABLE stay_nights (
    stay_id TEXT NOT NULL REFERENCES stays (stay_id),  -- the stay
    night TEXT NOT NULL,  -- day on which the night begins
    price_cents INTEGER NOT NULL CHECK (price_cents > 0),  -- of the room, at the stay's rate
    PRIMARY KEY (stay_id, night)
) STRICT, WITHOUT ROWID;

-- What was added to a stay.
CREATE TABLE extras (
    stay_id TEXT NOT NULL REFERENCES stays (stay_id),  -- the stay
    extra TEXT NOT NULL CHECK (extra IN ('breakfast', 'parking', 'late_checkout', 'pet', 'cot')),  -- what
    amount_cents INTEGER NOT NULL CHECK (amount_cents >= 0),  -- for the whole stay; 0 where it is free
    PRIMARY KEY (stay_id, extra)
) STRICT, WITHOUT ROWID;

-- Wishes that the hotel notes and tries to meet.
CREATE TABLE wishes (
    stay_id TEXT NOT NULL REFERENCES stays (stay_id),  -- the stay
    wish TEXT NOT NULL CHECK (wish IN ('high_floor', 'low_floor', 'quiet', 'twin_beds', 'near_lift', 'early_arrival')),  -- what
    noted_at TEXT NOT NULL,  -- when
    PRIMARY KEY (stay_id, wish)
) STRICT, WITHOUT ROWID;

-- Money that was charged to a stay's card, or went back to it.
CREATE TABLE charges (
    charge_id INTEGER PRIMARY KEY,  -- running number
    stay_id TEXT NOT NULL REFERENCES stays (stay_id),  -- what it was for
    kind TEXT NOT NULL CHECK (kind IN ('room', 'extras', 'fee', 'refund')),  -- why
    amount_cents INTEGER NOT NULL CHECK (amount_cents <> 0 AND (amount_cents < 0) = (kind = 'refund')),  -- negative for a refund
    charged_at TEXT NOT NULL  -- when
) STRICT;
CREATE INDEX charges_by_stay ON charges (stay_id);

-- Stays as guests speak of them: with the hotel and the city, nights, and what has been paid.
CREATE VIEW stay_sheets AS
SELECT s.stay_id, s.guest_id, s.status, h.name AS hotel, h.city, s.hotel_id, s.room, s.rate, s.arrival, s.departure,
       cast(julianday(s.departure) - julianday(s.arrival) AS INTEGER) AS nights, s.guests, s.booked_at, s.cancelled_at,
       s.card_id, s.total_cents,
       (SELECT coalesce(sum(amount_cents), 0) FROM charges AS c WHERE c.stay_id = s.stay_id) AS paid_cents
FROM stays AS s
JOIN hotels AS h USING (hotel_id);

-- What the rules say about a stay: its rate, its guest's tier, and until when cancelling is free (UTC).
CREATE VIEW terms AS
SELECT s.*, h.city, h.utc_offset_minutes, h.breakfast_cents, h.parking_cents, h.pets, r.price_percent, r.prepaid,
       r.breakfast AS breakfast_included, g.tier, m.sleeps,
       cast(julianday(s.departure) - julianday(s.arrival) AS INTEGER) AS nights,
       strftime('%Y-%m-%dT%H:%M:%SZ', s.arrival || ' 15:00', -h.utc_offset_minutes || ' minutes') AS check_in_at,
       strftime('%Y-%m-%dT%H:%M:%SZ', s.arrival || ' 15:00', -h.utc_offset_minutes || ' minutes',
                -r.free_hours || ' hours') AS free_until
FROM stays AS s
JOIN hotels AS h USING (hotel_id)
JOIN rates AS r USING (rate)
JOIN guests AS g USING (guest_id)
JOIN rooms AS m USING (hotel_id, room);

-- Coming stays that can be changed, as examples for testing: ...
CREATE VIEW changeable AS
SELECT * FROM terms WHERE status = 'booked' AND rate <> 'saver' ORDER BY stay_id;

-- ... free rooms of another kind for all their nights, ...
CREATE VIEW possible_rooms AS
SELECT t.stay_id, m.room
FROM changeable AS t
JOIN rooms AS m ON m.hotel_id = t.hotel_id AND m.room <> t.room AND m.sleeps >= t.guests
WHERE (SELECT min(rooms_left) FROM nights AS n
       WHERE n.hotel_id = t.hotel_id AND n.room = m.room AND n.night >= t.arrival AND n.night < t.departure) > 0
  AND (m.room <> 'suite' OR t.nights > 1)
  AND (m.room <> 'single' OR NOT EXISTS (
      SELECT 1 FROM extras AS e WHERE e.stay_id = t.stay_id AND e.extra IN ('pet', 'cot')))
ORDER BY 1, 2;

-- ... and one night more at the end.
CREATE VIEW possible_longer AS
SELECT t.stay_id, t.arrival, date(t.departure, '+1 day') AS departure
FROM terms AS t
JOIN nights AS n ON n.hotel_id = t.hotel_id AND n.room = t.room AND n.night = t.departure AND n.rooms_left > 0
WHERE t.status = 'booked' AND t.rate <> 'saver' AND t.nights < 14
ORDER BY 1;
