-- name: reservation-has-flights-and-passengers
SELECT reservation_id FROM reservations AS r
WHERE NOT EXISTS (SELECT 1 FROM segments AS s WHERE s.reservation_id = r.reservation_id AND s.position = 1)
   OR NOT EXISTS (SELECT 1 FROM passengers AS p WHERE p.reservation_id = r.reservation_id AND p.position = 1);

-- name: paid-is-the-sum-of-charges
SELECT r.reservation_id FROM reservations AS r
WHERE r.paid_cents <> (
    SELECT coalesce(sum(amount_cents), 0) FROM payments AS p WHERE p.reservation_id = r.reservation_id
);

-- name: flights-are-paid-for
SELECT r.reservation_id FROM reservations AS r
WHERE (SELECT sum(price_cents) FROM segments AS s WHERE s.reservation_id = r.reservation_id)
    * (SELECT count(*) FROM passengers AS q WHERE q.reservation_id = r.reservation_id)
   <> (SELECT coalesce(sum(amount_cents), 0) FROM payments AS p
       WHERE p.reservation_id = r.reservation_id AND p.kind IN ('booking', 'fare_difference'));

-- name: one-booking-charge-per-means
SELECT r.reservation_id FROM reservations AS r
LEFT JOIN payments AS p ON p.reservation_id = r.reservation_id AND p.kind = 'booking'
GROUP BY r.reservation_id HAVING count(p.payment_id) = 0 OR count(p.card_id) > 1 OR count(p.certificate_id) > 1;

-- name: charges-go-to-the-card-of-the-reservation
SELECT payment_id FROM payments JOIN reservations AS r USING (reservation_id) WHERE payments.card_id <> r.card_id
UNION ALL
SELECT refund_id FROM refunds JOIN reservations AS r USING (reservation_id) WHERE refunds.card_id <> r.card_id;

-- name: means-belong-to-the-customer
SELECT r.reservation_id FROM reservations AS r JOIN cards USING (card_id) WHERE cards.customer_id <> r.customer_id
UNION ALL
SELECT r.reservation_id FROM payments JOIN certificates AS c USING (certificate_id)
JOIN reservations AS r ON r.reservation_id = payments.reservation_id WHERE c.customer_id <> r.customer_id;

-- name: certificate-balance-is-what-is-left
SELECT certificate_id FROM certificates AS c
WHERE balance_cents <> amount_cents
    - (SELECT coalesce(sum(amount_cents), 0) FROM payments AS p WHERE p.certificate_id = c.certificate_id)
    + (SELECT coalesce(sum(amount_cents), 0) FROM refunds AS f WHERE f.certificate_id = c.certificate_id);

-- name: refunds-only-after-cancelling
SELECT refund_id FROM refunds JOIN reservations USING (reservation_id) WHERE status <> 'cancelled';

-- name: no-means-gets-back-more-than-it-paid
SELECT f.reservation_id FROM refunds AS f
GROUP BY f.reservation_id, f.card_id, f.certificate_id
HAVING sum(amount_cents) > (
    SELECT coalesce(sum(amount_cents), 0) FROM payments AS p
    WHERE p.reservation_id = f.reservation_id AND p.card_id IS f.card_id AND p.certificate_id IS f.certificate_id
);

-- name: compensated-once
SELECT reservation_id FROM certificates WHERE cause IN ('delay', 'cancellation') AND reservation_id IS NOT NULL
GROUP BY reservation_id HAVING count(*) > 1;

-- name: compensation-goes-to-the-customer
SELECT certificate_id FROM certificates AS c JOIN reservations AS r USING (reservation_id)
WHERE c.customer_id <> r.customer_id;

-- name: bags-are-reported-after-landing
SELECT claim_id FROM bag_claims JOIN flights USING (flight_id) WHERE reported_at < arrives_at;

-- name: bags-are-reported-for-a-flight-of-the-trip
SELECT claim_id FROM bag_claims AS c
WHERE NOT EXISTS (
    SELECT 1 FROM segments AS s WHERE s.reservation_id = c.reservation_id AND s.flight_id = c.flight_id
);

-- name: seats-sold-fit-the-cabin
SELECT f.flight_id, f.cabin FROM flight_cabins AS f
JOIN fares ON fares.cabin = f.cabin
JOIN reservations AS r ON r.fare = fares.fare AND r.status = 'confirmed'
JOIN segments AS s ON s.reservation_id = r.reservation_id AND s.flight_id = f.flight_id
JOIN passengers AS p ON p.reservation_id = r.reservation_id
GROUP BY f.flight_id, f.cabin HAVING count(*) > max(f.seats - f.seats_left);

-- name: return-flight-leaves-after-the-outbound-one-lands
SELECT o.reservation_id FROM segments AS o
JOIN segments AS b ON b.reservation_id = o.reservation_id AND b.position = 2
JOIN flights AS fo ON fo.flight_id = o.flight_id
JOIN flights AS fb ON fb.flight_id = b.flight_id
WHERE o.position = 1 AND fb.departs_at <= fo.arrives_at;

-- name: return-flight-links-the-same-cities
SELECT o.reservation_id FROM segments AS o
JOIN segments AS b ON b.reservation_id = o.reservation_id AND b.position = 2
JOIN flights AS fo ON fo.flight_id = o.flight_id
JOIN flights AS fb ON fb.flight_id = b.flight_id
JOIN airports AS oa ON oa.code = fo.origin
JOIN airports AS ob ON ob.code = fo.destination
JOIN airports AS ba ON ba.code = fb.origin
JOIN airports AS bb ON bb.code = fb.destination
WHERE o.position = 1 AND (oa.city <> bb.city OR ob.city <> ba.city);

-- name: booked-before-departure
SELECT s.reservation_id FROM segments AS s JOIN reservations USING (reservation_id) JOIN flights USING (flight_id)
WHERE booked_at >= departs_at;

-- name: cancelled-after-booking
SELECT reservation_id FROM reservations WHERE cancelled_at < booked_at;

-- name: flight-id-names-its-flight
SELECT flight_id FROM flights WHERE flight_id <> flight_number || '-' || substr(departs_at, 1, 10);
