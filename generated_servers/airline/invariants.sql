-- name: reservation-has-flights-and-passengers
SELECT reservation_id FROM reservations AS r
WHERE NOT EXISTS (SELECT 1 FROM segments AS s WHERE s.reservation_id = r.reservation_id AND s.position = 1)
   OR NOT EXISTS (SELECT 1 FROM passengers AS p WHERE p.reservation_id = r.reservation_id AND p.position = 1);

-- name: paid-is-the-sum-of-charges
SELECT r.reservation_id FROM reservations AS r
WHERE r.paid_cents <> (
    SELECT coalesce(sum(amount_cents), 0) FROM payments AS p WHERE p.reservation_id = r.reservation_id AND p.kind <> 'refund'
);

-- name: flights-are-paid-for
SELECT r.reservation_id FROM reservations AS r
WHERE (SELECT sum(price_cents) FROM segments AS s WHERE s.reservation_id = r.reservation_id)
    * (SELECT count(*) FROM passengers AS q WHERE q.reservation_id = r.reservation_id)
   <> (SELECT coalesce(sum(amount_cents), 0) FROM payments AS p
       WHERE p.reservation_id = r.reservation_id AND p.kind IN ('booking', 'fare_difference'));

-- name: one-booking-charge
SELECT reservation_id FROM reservations AS r
WHERE (SELECT count(*) FROM payments AS p WHERE p.reservation_id = r.reservation_id AND p.kind = 'booking') <> 1;

-- name: refunds-only-after-cancelling
SELECT p.payment_id FROM payments AS p JOIN reservations USING (reservation_id)
WHERE p.kind = 'refund' AND status <> 'cancelled';

-- name: at-most-one-refund-and-never-more-than-paid
SELECT reservation_id FROM payments JOIN reservations USING (reservation_id)
WHERE kind = 'refund' GROUP BY reservation_id HAVING count(*) > 1 OR sum(amount_cents) > max(paid_cents);

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
