-- name: every-order-has-lines
SELECT order_id FROM orders WHERE order_id NOT IN (SELECT order_id FROM lines);

-- name: what-is-not-accepted-is-not-paid
SELECT order_id FROM order_sheets WHERE status IN ('placed', 'cancelled') AND paid_cents <> 0;

-- name: what-is-accepted-is-paid-in-full
SELECT order_id FROM order_sheets WHERE status NOT IN ('placed', 'cancelled') AND paid_cents <> total_cents;

-- name: gift-cards-pay-at-once
SELECT order_id FROM order_sheets WHERE status = 'placed' AND paid_with = 'gift_card';

-- name: addresses-and-cards-are-the-customers-own
SELECT order_id FROM orders AS o JOIN addresses AS a USING (address_id) JOIN methods AS m USING (method_id)
WHERE a.customer_id <> o.customer_id OR m.customer_id <> o.customer_id;

-- name: payments-are-made-with-the-customers-own
SELECT payment_id FROM payments AS p JOIN orders AS o USING (order_id) JOIN methods AS m ON m.method_id = p.method_id
WHERE m.customer_id <> o.customer_id;

-- name: bulky-goods-are-not-sent-express
SELECT DISTINCT order_id FROM terms JOIN orders USING (order_id) WHERE bulk = 'bulky' AND shipping = 'express';

-- name: express-goes-where-there-is-express
SELECT order_id FROM order_sheets JOIN countries USING (country) WHERE shipping = 'express' AND express_cents IS NULL;

-- name: parcels-are-sent-with-the-order
SELECT order_id FROM orders
WHERE (status IN ('shipped', 'delivered', 'returned')) <> (order_id IN (SELECT order_id FROM parcels));

-- name: an-order-arrives-with-its-last-parcel
SELECT order_id FROM orders AS o
WHERE delivered_at IS NOT (SELECT iif(count(*) = count(arrived_at), max(arrived_at), NULL) FROM parcels AS p
                           WHERE p.order_id = o.order_id);

-- name: parcels-leave-after-the-order
SELECT parcel_id FROM parcels JOIN orders USING (order_id) WHERE dispatched_at <= placed_at;

-- name: only-what-was-delivered-goes-back
SELECT line_id FROM lines JOIN orders USING (order_id) WHERE state <> 'bought' AND status NOT IN ('delivered', 'returned');

-- name: lines-and-returns-agree
SELECT line_id FROM lines AS l
WHERE (state = 'returning') <> ((SELECT count(*) FROM returns AS r WHERE r.line_id = l.line_id AND status = 'announced') = 1)
   OR (state = 'returned') <> ((SELECT count(*) FROM returns AS r WHERE r.line_id = l.line_id AND status = 'received') = 1);

-- name: lines-and-exchanges-agree
SELECT line_id FROM lines WHERE (state = 'exchanged') <> (line_id IN (SELECT line_id FROM exchanges));

-- name: a-returned-order-has-come-back-as-a-whole
SELECT order_id FROM orders AS o
WHERE (status = 'returned') <> (status IN ('delivered', 'returned') AND NOT EXISTS (
    SELECT 1 FROM lines AS l WHERE l.order_id = o.order_id AND state <> 'returned'));

-- name: fee-and-refund-are-the-price
SELECT return_id FROM returns JOIN line_sheets USING (line_id) WHERE fee_cents + refund_cents <> cost_cents;

-- name: refunds-of-returns-add-up
SELECT order_id FROM orders AS o
WHERE (SELECT coalesce(sum(-moved_cents), 0) FROM payments AS p WHERE p.order_id = o.order_id AND p.cause = 'return')
   <> (SELECT coalesce(sum(refund_cents), 0) FROM returns AS r JOIN lines USING (line_id)
       WHERE lines.order_id = o.order_id AND r.status = 'received');

-- name: differences-of-exchanges-add-up
SELECT order_id FROM orders AS o
WHERE (SELECT coalesce(sum(moved_cents), 0) FROM payments AS p WHERE p.order_id = o.order_id AND p.cause = 'exchange')
   <> (SELECT coalesce(sum(difference_cents), 0) FROM exchanges JOIN lines USING (line_id)
       WHERE lines.order_id = o.order_id);

-- name: an-exchange-is-for-another-article-of-the-product
SELECT exchange_id FROM exchanges AS e JOIN line_sheets AS l USING (line_id) JOIN articles AS a ON a.article_id = e.article_id
WHERE a.product_id <> l.product_id OR e.article_id = l.article_id;

-- name: made-to-measure-goes-back-only-for-a-fault
SELECT return_id FROM returns JOIN terms USING (line_id)
WHERE return_rule = 'final' AND reason NOT IN ('damaged', 'wrong_article');
