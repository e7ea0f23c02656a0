-- name: the-balance-is-what-was-moved
SELECT account_id FROM accounts AS a
WHERE balance_cents <> (SELECT coalesce(sum(iif(indicator = 'credit', amount_cents, -amount_cents)), 0)
                        FROM transactions AS t WHERE t.account_id = a.account_id);

-- name: credits-and-debits-fit-their-kind
SELECT transaction_id FROM transactions
WHERE indicator <> CASE WHEN kind IN ('carried_over', 'card_refund', 'salary', 'interest', 'fee_refund', 'dispute_credit') THEN 'credit'
                        WHEN kind IN ('card_payment', 'transfer', 'standing_order', 'fee') THEN 'debit'
                        ELSE indicator END;

-- name: a-payment-has-gone-if-it-was-sent
SELECT transfer_id FROM transfers AS t
WHERE (status = 'sent') <> (SELECT count(*) = 1 FROM transactions AS m
                            WHERE m.transfer_id = t.transfer_id AND m.kind = 'transfer'
                              AND m.account_id = t.account_id AND m.amount_cents = t.amount_cents);

-- name: payees-are-the-customers-own
SELECT transfer_id FROM payments AS t JOIN payees AS p USING (payee_id) WHERE p.customer_id <> t.customer_id
UNION ALL
SELECT order_id FROM regular_payments AS s JOIN payees AS p USING (payee_id) WHERE p.customer_id <> s.customer_id;

-- name: savings-pay-nobody
SELECT account_id FROM accounts JOIN transfers USING (account_id) WHERE kind = 'savings'
UNION ALL
SELECT account_id FROM accounts JOIN standing_orders USING (account_id) WHERE kind = 'savings'
UNION ALL
SELECT account_id FROM accounts JOIN cards USING (account_id) WHERE accounts.kind = 'savings';

-- name: no-day-above-the-limit
SELECT account_id, send_on FROM transfers WHERE status <> 'cancelled'
GROUP BY account_id, send_on HAVING sum(amount_cents) > 500000;

-- name: cards-pay-from-their-account
SELECT transaction_id FROM transactions AS t JOIN cards AS c USING (card_id) WHERE c.account_id <> t.account_id;

-- name: only-card-payments-are-contested
SELECT dispute_id FROM disputes JOIN transactions USING (transaction_id) WHERE kind <> 'card_payment' OR opened_at < booked_at;

-- name: what-is-made-good-is-of-the-same-account-and-amount
SELECT t.transaction_id FROM transactions AS t JOIN transactions AS o ON o.transaction_id = t.reverses
WHERE t.amount_cents <> o.amount_cents OR t.account_id <> o.account_id
   OR o.kind <> iif(t.kind = 'fee_refund', 'fee', 'card_payment');

-- name: nothing-moves-between-own-accounts-of-two-people
SELECT booked_at FROM movements WHERE kind = 'own_transfer'
GROUP BY customer_id, booked_at HAVING sum(iif(indicator = 'credit', amount_cents, -amount_cents)) <> 0;
