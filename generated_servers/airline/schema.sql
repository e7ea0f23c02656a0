-- Everfield Air: one airline's customers, flights and reservations.
-- Times are UTC ("2026-05-21T07:40:00Z"), money is whole US cents, three-letter codes are IATA codes.

-- People who buy trips. They identify themselves by customer number or e-mail address.
CREATE TABLE customers (
    customer_id TEXT NOT NULL PRIMARY KEY CHECK (customer_id GLOB 'E[0-9][0-9][0-9][0-9][0-9][0-9]'),  -- customer number, such as E104822
    first_name TEXT NOT NULL,  -- given name
    last_name TEXT NOT NULL,  -- family name; several customers share one
    email TEXT NOT NULL UNIQUE CHECK (email = lower(email) AND email LIKE '%_@_%'),  -- lower case
    phone TEXT NOT NULL CHECK (phone GLOB '+[0-9]*'),  -- + and digits, country code first
    tier TEXT NOT NULL CHECK (tier IN ('member', 'silver', 'gold'))  -- loyalty tier; decides free bags and the change fee
) STRICT;

-- Airports that Everfield flies to.
CREATE TABLE airports (
    code TEXT NOT NULL PRIMARY KEY CHECK (code GLOB '[A-Z][A-Z][A-Z]'),  -- IATA code
    name TEXT NOT NULL,  -- name of the airport
    city TEXT NOT NULL,  -- city it serves; London, Paris, Milan and New York have two airports
    country TEXT NOT NULL  -- country
) STRICT;

-- One departure of a flight number on one day.
CREATE TABLE flights (
    flight_id TEXT NOT NULL PRIMARY KEY,  -- flight number and day of departure, such as EF212-2026-05-21
    flight_number TEXT NOT NULL,  -- flies on several days
    origin TEXT NOT NULL REFERENCES airports (code),  -- airport of departure
    destination TEXT NOT NULL REFERENCES airports (code) CHECK (destination <> origin),  -- airport of arrival
    departs_at TEXT NOT NULL,  -- scheduled
    arrives_at TEXT NOT NULL CHECK (arrives_at > departs_at),  -- scheduled
    status TEXT NOT NULL DEFAULT 'scheduled' CHECK (status IN ('scheduled', 'cancelled')),  -- cancelled by the airline
    delay_minutes INTEGER NOT NULL DEFAULT 0 CHECK (delay_minutes >= 0)  -- announced delay of departure
) STRICT;
CREATE INDEX flights_by_route ON flights (origin, destination, departs_at);

-- Seats and price of each cabin of a flight.
CREATE TABLE flight_cabins (
    flight_id TEXT NOT NULL REFERENCES flights (flight_id),  -- the flight
    cabin TEXT NOT NULL CHECK (cabin IN ('economy', 'business')),  -- where one sits
    seats INTEGER NOT NULL CHECK (seats > 0),  -- seats in the cabin
    seats_left INTEGER NOT NULL CHECK (seats_left BETWEEN 0 AND seats),  -- seats that can still be sold
    price_cents INTEGER NOT NULL CHECK (price_cents > 0),  -- one seat, before the fare's percentage
    PRIMARY KEY (flight_id, cabin)
) STRICT, WITHOUT ROWID;

-- What one buys in a cabin: price and rules. policy.md says the same in words.
CREATE TABLE fares (
    fare TEXT NOT NULL PRIMARY KEY CHECK (fare IN ('basic', 'standard', 'flex', 'business')),  -- name of the fare
    cabin TEXT NOT NULL CHECK (cabin IN ('economy', 'business')),  -- cabin it is sold in
    price_percent INTEGER NOT NULL CHECK (price_percent > 0),  -- of the cabin's price
    free_bags INTEGER NOT NULL CHECK (free_bags >= 0),  -- checked bags per passenger
    change_fee_cents INTEGER CHECK (change_fee_cents >= 0),  -- per passenger; NULL where changes are refused
    refund_percent INTEGER NOT NULL CHECK (refund_percent BETWEEN 0 AND 100)  -- of what was paid, when the customer cancels
) STRICT;

-- A trip that a customer bought: one flight out and, mostly, one back.
CREATE TABLE reservations (
    reservation_id TEXT NOT NULL PRIMARY KEY CHECK (length(reservation_id) = 6),  -- booking code, such as K7Q2MD; compare: generated
    customer_id TEXT NOT NULL REFERENCES customers (customer_id),  -- who bought it
    fare TEXT NOT NULL REFERENCES fares (fare),  -- for all its flights and passengers
    status TEXT NOT NULL CHECK (status IN ('confirmed', 'cancelled')),  -- cancelled by the customer
    booked_at TEXT NOT NULL,  -- when it was bought
    paid_cents INTEGER NOT NULL CHECK (paid_cents > 0),  -- all charges so far; refunds are not deducted
    cancelled_at TEXT,  -- when it was cancelled
    cancel_reason TEXT CHECK (cancel_reason IN ('change_of_plans', 'illness', 'schedule_change')),  -- why it was cancelled
    CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
    CHECK ((status = 'cancelled') = (cancel_reason IS NOT NULL))
) STRICT;
CREATE INDEX reservations_by_customer ON reservations (customer_id);

-- The flights of a reservation.
CREATE TABLE segments (
    reservation_id TEXT NOT NULL REFERENCES reservations (reservation_id),  -- the trip
    position INTEGER NOT NULL CHECK (position IN (1, 2)),  -- 1 out, 2 back
    flight_id TEXT NOT NULL REFERENCES flights (flight_id),  -- the flight
    price_cents INTEGER NOT NULL CHECK (price_cents > 0),  -- per passenger, paid so far; a change to a dearer flight raises it
    PRIMARY KEY (reservation_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX segments_by_flight ON segments (flight_id);

-- Who travels on a reservation.
CREATE TABLE passengers (
    reservation_id TEXT NOT NULL REFERENCES reservations (reservation_id),  -- the trip
    position INTEGER NOT NULL CHECK (position BETWEEN 1 AND 6),  -- 1 for the first passenger
    name TEXT NOT NULL,  -- given and family name, as in the passport
    bags INTEGER NOT NULL DEFAULT 0 CHECK (bags BETWEEN 0 AND 3),  -- checked bags, free ones included
    PRIMARY KEY (reservation_id, position)
) STRICT, WITHOUT ROWID;

-- Money that moved between a customer's card and the airline.
CREATE TABLE payments (
    payment_id INTEGER PRIMARY KEY,  -- running number
    reservation_id TEXT NOT NULL REFERENCES reservations (reservation_id),  -- what it was for
    kind TEXT NOT NULL CHECK (kind IN ('booking', 'fare_difference', 'change_fee', 'bags', 'refund')),  -- a refund goes back to the card, the rest is charged
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),  -- always positive
    paid_at TEXT NOT NULL  -- when
) STRICT;
CREATE INDEX payments_by_reservation ON payments (reservation_id);

-- Flights as customers see them: with their cities, and both cabins on one line.
CREATE VIEW flight_offers AS
SELECT f.*, o.city AS origin_city, d.city AS destination_city, substr(f.departs_at, 1, 10) AS date,
       (strftime('%s', f.arrives_at) - strftime('%s', f.departs_at)) / 60 AS minutes,
       e.price_cents AS economy_cents, e.seats_left AS economy_left,
       b.price_cents AS business_cents, b.seats_left AS business_left
FROM flights AS f
JOIN airports AS o ON o.code = f.origin
JOIN airports AS d ON d.code = f.destination
JOIN flight_cabins AS e ON e.flight_id = f.flight_id AND e.cabin = 'economy'
JOIN flight_cabins AS b ON b.flight_id = f.flight_id AND b.cabin = 'business';

-- Reservations as customers speak of them: from where to where, when out and when back.
CREATE VIEW trips AS
SELECT r.reservation_id, r.customer_id, r.status, r.fare, r.booked_at, r.paid_cents,
       o.city AS origin, d.city AS destination, s.flight_id AS flight_out,
       substr(f.departs_at, 1, 10) AS departure_date, f.departs_at,
       (SELECT substr(departs_at, 1, 10) FROM segments JOIN flights USING (flight_id)
        WHERE segments.reservation_id = r.reservation_id AND position = 2) AS return_date,
       (SELECT count(*) FROM passengers AS p WHERE p.reservation_id = r.reservation_id) AS passengers
FROM reservations AS r
JOIN segments AS s ON s.reservation_id = r.reservation_id AND s.position = 1
JOIN flights AS f ON f.flight_id = s.flight_id
JOIN airports AS o ON o.code = f.origin
JOIN airports AS d ON d.code = f.destination;

-- Reservations one of whose flights the airline cancelled or delays by 180 minutes or more.
CREATE VIEW disrupted AS
SELECT DISTINCT reservation_id FROM segments JOIN flights USING (flight_id)
WHERE status = 'cancelled' OR delay_minutes >= 180;
