-- name: a-stay-has-all-its-nights
SELECT stay_id FROM stay_sheets AS s
WHERE (SELECT count(*) FROM stay_nights AS n
       WHERE n.stay_id = s.stay_id AND n.night >= s.arrival AND n.night < s.departure) <> s.nights
   OR (SELECT count(*) FROM stay_nights AS n WHERE n.stay_id = s.stay_id) <> s.nights;

-- name: the-total-is-nights-and-extras
SELECT stay_id FROM stays AS s
WHERE status NOT IN ('cancelled', 'no_show')
  AND total_cents <> (SELECT sum(price_cents) FROM stay_nights AS n WHERE n.stay_id = s.stay_id)
    + (SELECT coalesce(sum(amount_cents), 0) FROM extras AS e WHERE e.stay_id = s.stay_id);

-- name: nobody-pays-more-than-the-total
SELECT stay_id FROM stay_sheets WHERE paid_cents > total_cents OR paid_cents < 0;

-- name: what-is-over-is-paid
SELECT stay_id FROM stay_sheets WHERE status IN ('checked_out', 'cancelled', 'no_show') AND paid_cents <> total_cents;

-- name: prepaid-rooms-are-paid
SELECT stay_id FROM stay_sheets AS s JOIN rates USING (rate)
WHERE prepaid AND status NOT IN ('cancelled', 'no_show')
  AND paid_cents < (SELECT sum(price_cents) FROM stay_nights AS n WHERE n.stay_id = s.stay_id);

-- name: guests-fit-the-room
SELECT stay_id FROM stays JOIN rooms USING (hotel_id, room) WHERE guests > sleeps;

-- name: the-card-is-the-guests-own
SELECT stay_id FROM stays AS s JOIN cards AS c USING (card_id) WHERE c.guest_id <> s.guest_id;

-- name: stays-are-not-too-long
SELECT stay_id FROM stay_sheets WHERE nights > 14;

-- name: suites-are-not-let-for-a-saturday-alone
SELECT stay_id FROM stay_sheets WHERE room = 'suite' AND nights = 1 AND strftime('%w', arrival) = '6';

-- name: more-rooms-are-not-sold-than-there-are
SELECT hotel_id, room, night FROM nights JOIN rooms USING (hotel_id, room) WHERE rooms_left > count;

-- name: sold-rooms-and-rooms-left-fit
SELECT n.hotel_id, n.room, n.night FROM nights AS n
JOIN rooms AS r USING (hotel_id, room)
JOIN stays AS s ON s.hotel_id = n.hotel_id AND s.room = n.room AND s.status IN ('booked', 'checked_in', 'checked_out')
JOIN stay_nights AS o ON o.stay_id = s.stay_id AND o.night = n.night
GROUP BY n.hotel_id, n.room, n.night HAVING count(*) > max(r.count - n.rooms_left);

-- name: there-is-a-car-park
SELECT stay_id FROM extras JOIN stays USING (stay_id) JOIN hotels USING (hotel_id)
WHERE extra = 'parking' AND parking_cents IS NULL;

-- name: pets-are-taken
SELECT stay_id FROM extras JOIN stays USING (stay_id) JOIN hotels USING (hotel_id)
WHERE extra = 'pet' AND (pets <> 'welcome' OR room = 'single');

-- name: no-cots-in-single-rooms
SELECT stay_id FROM extras JOIN stays USING (stay_id) WHERE extra = 'cot' AND room = 'single';

-- name: booked-before-arrival
SELECT stay_id FROM stays WHERE substr(booked_at, 1, 10) > arrival;
