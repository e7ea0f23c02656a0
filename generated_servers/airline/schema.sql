-- Everfield Air: one airline's customers, what they pay with, flights, reservations and what goes wrong with them.
-- Times are UTC ("2026-05-21T07:40:00Z"), money is whole US cents, three-letter codes are IATA codes.

-- People who buy trips. They identify themselves by customer number or e-mail address.
CREATE TABLE customers (
    customer_id TEXT NOT NULL PRIMARY KEY CHECK (customer_id GLOB 'E[0-9][0-9][0-9][0-9][0-9][0-9]'),  -- customer number, such as E104822
    first_name TEXT NOT NULL,  -- given name
    last_name TEXT NOT NULL,  -- family name; several customers share one
    email TEXT NOT NULL UNIQUE CHECK (email = lower(email) AND email LIKE '%_@_%'),  -- lower case
    phone TEXT NOT NULL CHECK (phone GLOB '+[0-9]*')  -- + and digits, country code first; receives verification codes
) STRICT;

-- What a loyalty tier is good for.
CREATE TABLE tiers (
    tier TEXT NOT NULL PRIMARY KEY CHECK (tier IN ('member', 'silver', 'gold')),  -- name of the tier
    free_bags INTEGER NOT NULL CHECK (free_bags >= 0),  -- free bags per passenger on top of the fare's
    waives_change_fee INTEGER NOT NULL CHECK (waives_change_fee IN (0, 1))  -- 1 where changes cost no fee
) STRICT;

-- Each customer's loyalty account.
CREATE TABLE loyalty (
    customer_id TEXT NOT NULL PRIMARY KEY REFERENCES customers (customer_id),  -- whose account it is
    tier TEXT NOT NULL REFERENCES tiers (tier),  -- decides free bags, the change fee and what is granted on request
    points INTEGER NOT NULL CHECK (points >= 0)  -- can be redeemed for certificates
) STRICT;

-- Cards that customers pay with, and that refunds go back to.
CREATE TABLE cards (
    card_id TEXT NOT NULL PRIMARY KEY CHECK (card_id GLOB 'C[0-9][0-9][0-9][0-9][0-9][0-9]'),  -- such as C204117
    customer_id TEXT NOT NULL REFERENCES customers (customer_id),  -- whose card it is
    brand TEXT NOT NULL CHECK (brand IN ('visa', 'mastercard', 'amex')),  -- who issued it
    last_four TEXT NOT NULL CHECK (last_four GLOB '[0-9][0-9][0-9][0-9]'),  -- last digits of its number
    valid_until TEXT NOT NULL CHECK (valid_until GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]'),  -- last month it can pay in, such as 2027-08
    main INTEGER NOT NULL CHECK (main IN (0, 1))  -- 1 for the card that is used unless another is named
) STRICT;
CREATE UNIQUE INDEX one_main_card ON cards (customer_id) WHERE main = 1;

-- Certificates: money off a booking, given for trouble or for points.
CREATE TABLE certificates (
    certificate_id TEXT NOT NULL PRIMARY KEY CHECK (length(certificate_id) = 8),  -- code, such as 7HK2M9QX; compare: generated
    customer_id TEXT NOT NULL REFERENCES customers (customer_id),  -- the only one who can use it
    cause TEXT NOT NULL CHECK (cause IN ('delay', 'cancellation', 'bag', 'points')),  -- why it was given
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),  -- what it was worth when given
    balance_cents INTEGER NOT NULL CHECK (balance_cents BETWEEN 0 AND amount_cents),  -- what is left on it
    issued_at TEXT NOT NULL,  -- when it was given
    valid_until TEXT NOT NULL CHECK (valid_until >= substr(issued_at, 1, 10)),  -- last day on which it can pay for a booking
    reservation_id TEXT REFERENCES reservations (reservation_id)  -- the trip that went wrong; NULL for points and for older trips
) STRICT;
CREATE INDEX certificates_by_customer ON certificates (customer_id);

-- The last code that was texted to a customer, to make sure who is writing.
CREATE TABLE identity_checks (
    customer_id TEXT NOT NULL PRIMARY KEY REFERENCES customers (customer_id),  -- whose identity it is
    code INTEGER NOT NULL CHECK (code BETWEEN 100000 AND 999999),  -- what the text message says; compare: generated
    sent_at TEXT NOT NULL,  -- when; a code is good for 10 minutes
    verified_at TEXT CHECK (verified_at >= sent_at)  -- when the customer told it; good for 30 minutes
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
    rank INTEGER NOT NULL UNIQUE,  -- a fare can be raised to one of a higher rank
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
    card_id TEXT NOT NULL REFERENCES cards (card_id),  -- card that all charges go to, unless a certificate pays
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

-- Bags that came late or broken, reported by passengers.
CREATE TABLE bag_claims (
    claim_id TEXT NOT NULL PRIMARY KEY CHECK (length(claim_id) = 6),  -- number of the report; compare: generated
    reservation_id TEXT NOT NULL,  -- the trip
    position INTEGER NOT NULL,  -- the passenger
    flight_id TEXT NOT NULL REFERENCES flights (flight_id),  -- the flight it happened on
    problem TEXT NOT NULL CHECK (problem IN ('delayed', 'damaged')),  -- what happened
    reported_at TEXT NOT NULL,  -- when
    UNIQUE (reservation_id, position, flight_id, problem),
    FOREIGN KEY (reservation_id, position) REFERENCES passengers (reservation_id, position)
) STRICT;

-- Money that was charged, to a card or a certificate.
CREATE TABLE payments (
    payment_id INTEGER PRIMARY KEY,  -- running number
    reservation_id TEXT NOT NULL REFERENCES reservations (reservation_id),  -- what it was for
    kind TEXT NOT NULL CHECK (kind IN ('booking', 'fare_difference', 'change_fee', 'bags')),  -- why it was charged
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),  -- how much
    paid_at TEXT NOT NULL,  -- when
    card_id TEXT REFERENCES cards (card_id),  -- the card that paid
    certificate_id TEXT REFERENCES certificates (certificate_id),  -- or the certificate that paid, for bookings only
    CHECK ((card_id IS NULL) <> (certificate_id IS NULL)),
    CHECK (certificate_id IS NULL OR kind = 'booking')
) STRICT;
CREATE INDEX payments_by_reservation ON payments (reservation_id);

-- Money that went back after a reservation was cancelled, to what had paid.
CREATE TABLE refunds (
    refund_id INTEGER PRIMARY KEY,  -- running number
    reservation_id TEXT NOT NULL REFERENCES reservations (reservation_id),  -- what was cancelled
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),  -- how much
    refunded_at TEXT NOT NULL,  -- when
    card_id TEXT REFERENCES cards (card_id),  -- the card it went to
    certificate_id TEXT REFERENCES certificates (certificate_id),  -- or the certificate it went to
    CHECK ((card_id IS NULL) <> (certificate_id IS NULL))
) STRICT;
CREATE INDEX refunds_by_reservation ON refunds (reservation_id);

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

-- What one seat costs on each fare of each flight.
CREATE VIEW seat_prices AS
SELECT flight_id, fare, departs_at, status, seats_left, price_cents * price_percent / 100 AS price_cents
FROM flights
JOIN flight_cabins USING (flight_id)
JOIN fares USING (cabin);

-- Customers with their tier.
CREATE VIEW customer_sheets AS
SELECT customer_id, first_name, last_name, email, phone, tier
FROM customers
JOIN loyalty USING (customer_id);

-- Reservations with what was refunded.
CREATE VIEW reservation_sheets AS
SELECT reservation_id, customer_id, status, fare, booked_at, card_id, paid_cents,
       (SELECT coalesce(sum(amount_cents), 0) FROM refunds AS f
        WHERE f.reservation_id = r.reservation_id) AS refunded_cents,
       cancelled_at, cancel_reason
FROM reservations AS r;

-- Reservations as customers speak of them: from where to where, when out and when back.
CREATE VIEW trips AS
SELECT r.reservation_id, r.customer_id, r.status, r.fare, r.booked_at, r.paid_cents,
       o.city AS origin, d.city AS destination, s.flight_id AS flight_out,
       substr(f.departs_at, 1, 10) AS departure_date, f.departs_at, f.arrives_at,
       (SELECT substr(departs_at, 1, 10) FROM segments JOIN flights USING (flight_id)
        WHERE segments.reservation_id = r.reservation_id AND position = 2) AS return_date,
       (SELECT count(*) FROM passengers AS p WHERE p.reservation_id = r.reservation_id) AS passengers
FROM reservations AS r
JOIN segments AS s ON s.reservation_id = r.reservation_id AND s.position = 1
JOIN flights AS f ON f.flight_id = s.flight_id
JOIN airports AS o ON o.code = f.origin
JOIN airports AS d ON d.code = f.destination;

-- Reservations one of whose flights the airline cancelled or delays by 180 minutes or more, by trouble.
CREATE VIEW disrupted AS
SELECT DISTINCT reservation_id, iif(status = 'cancelled', 'cancellation', 'delay') AS cause
FROM segments JOIN flights USING (flight_id)
WHERE status = 'cancelled' OR delay_minutes >= 180;

-- What the rules say about a reservation: its fare, its customer's tier, hours and delays.
CREATE VIEW terms AS
SELECT r.reservation_id, r.customer_id, r.card_id, r.status, r.fare, r.paid_cents, t.passengers, t.departs_at,
       t.flight_out, f.rank, f.cabin, f.refund_percent, f.free_bags + tiers.free_bags AS free_bags,
       iif(waives_change_fee, 0, f.change_fee_cents) AS change_fee_cents,
       strftime('%s', 'now') - strftime('%s', r.booked_at) <= 24 * 3600
       AND strftime('%s', t.departs_at) - strftime('%s', r.booked_at) >= 7 * 24 * 3600 AS free_cancellation,
       r.reservation_id IN (SELECT reservation_id FROM disrupted) AS disrupted
FROM reservations AS r
JOIN trips AS t USING (reservation_id)
JOIN fares AS f ON f.fare = r.fare
JOIN loyalty AS l ON l.customer_id = r.customer_id
JOIN tiers ON tiers.tier = l.tier;

-- Verification codes, with how long ago they were sent and verified.
CREATE VIEW identities AS
SELECT i.*, phone,
       (strftime('%s', 'now') - strftime('%s', sent_at)) / 60.0 AS sent_minutes,
       (strftime('%s', 'now') - strftime('%s', verified_at)) / 60.0 AS verified_minutes
FROM identity_checks AS i
JOIN customers USING (customer_id);

-- What could be done in the base world, as examples for testing: flights that a one-way reservation could move to, ...
CREATE VIEW possible_changes AS
SELECT t.reservation_id, t.flight_out AS flight_id, new.flight_id AS new_flight_id
FROM trips AS t
JOIN flight_offers AS new ON new.origin_city = t.origin AND new.destination_city = t.destination
WHERE t.status = 'confirmed' AND t.fare IN ('standard', 'flex') AND t.return_date IS NULL
  AND min(t.departs_at, new.departs_at) > strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
  AND new.status = 'scheduled' AND new.economy_left >= t.passengers AND new.flight_id <> t.flight_out
ORDER BY 1, 3;

-- ... flown flights whose passengers had bags, and reported nothing, ...
CREATE VIEW possible_claims AS
SELECT reservation_id, flight_id, p.position AS passenger, 'delayed' AS problem
FROM passengers AS p
JOIN segments USING (reservation_id)
JOIN flights USING (flight_id)
JOIN reservations AS r USING (reservation_id)
WHERE r.status = 'confirmed' AND bags > 0 AND arrives_at < strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
  AND NOT EXISTS (SELECT 1 FROM bag_claims AS c WHERE c.reservation_id = r.reservation_id)
ORDER BY 1, 2, 3;

-- ... means that cannot pay any more, ...
CREATE VIEW expired_cards AS
SELECT customer_id, 'flex' AS fare, 'EF195-2026-05-19' AS flight_id, card_id
FROM cards
WHERE valid_until < strftime('%Y-%m', 'now');
CREATE VIEW expired_certificates AS
SELECT customer_id, 'flex' AS fare, 'EF195-2026-05-19' AS flight_id, certificate_id
FROM certificates
WHERE valid_until < date('now');

-- ... and trips that went wrong, for which nobody was compensated.
CREATE VIEW possible_compensations AS
SELECT reservation_id, cause
FROM disrupted
JOIN reservations AS r USING (reservation_id)
WHERE status = 'confirmed' AND NOT EXISTS (
    SELECT 1 FROM certificates AS c WHERE c.reservation_id = r.reservation_id AND c.cause IN ('delay', 'cancellation')
)
ORDER BY 1;
