-- Harbourgate Bank: customers, their accounts and cards, whom they pay, and every movement of money.
-- Moments are UTC ("2026-05-14T09:00:00Z"), days are those of UTC, money is whole US cents and never negative in a movement:
-- whether it came or went says the indicator, as in Open Banking.

-- People who bank here. They identify themselves by customer number or e-mail address.
CREATE TABLE customers (
    customer_id TEXT NOT NULL PRIMARY KEY CHECK (customer_id GLOB 'B[0-9][0-9][0-9][0-9][0-9][0-9]'),  -- customer number, such as B204117
    first_name TEXT NOT NULL,  -- given name
    last_name TEXT NOT NULL,  -- family name; several customers share one
    email TEXT NOT NULL UNIQUE CHECK (email = lower(email) AND email LIKE '%_@_%'),  -- lower case
    phone TEXT NOT NULL CHECK (phone GLOB '+[0-9]*'),  -- + and digits, country code first
    address TEXT NOT NULL,  -- street, postcode and city
    plan TEXT NOT NULL CHECK (plan IN ('standard', 'plus'))  -- what they pay for; decides limits and fees
) STRICT;

-- Accounts that hold money.
CREATE TABLE accounts (
    account_id TEXT NOT NULL PRIMARY KEY CHECK (account_id GLOB '[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]'),  -- account number, such as 20417733
    customer_id TEXT NOT NULL REFERENCES customers (customer_id),  -- whose it is
    kind TEXT NOT NULL CHECK (kind IN ('current', 'savings')),  -- current pays others, savings does not
    name TEXT NOT NULL,  -- what the customer calls it, such as Holiday
    balance_cents INTEGER NOT NULL CHECK (balance_cents >= -overdraft_cents),  -- what is in it, cleared
    overdraft_cents INTEGER NOT NULL CHECK (overdraft_cents >= 0 AND (kind = 'current' OR overdraft_cents = 0)),  -- how far it may go below zero
    opened_on TEXT NOT NULL,  -- day on which it was opened
    UNIQUE (customer_id, name)
) STRICT;

-- Debit cards, each drawn on a current account.
CREATE TABLE cards (
    card_id TEXT NOT NULL PRIMARY KEY CHECK (card_id GLOB 'D[0-9][0-9][0-9][0-9][0-9][0-9]'),  -- such as D204117
    account_id TEXT NOT NULL REFERENCES accounts (account_id),  -- what it pays from
    kind TEXT NOT NULL CHECK (kind IN ('plastic', 'virtual')),  -- virtual cards exist in the app only
    brand TEXT NOT NULL CHECK (brand IN ('visa', 'mastercard', 'amex')),  -- network
    last_four TEXT NOT NULL CHECK (last_four GLOB '[0-9][0-9][0-9][0-9]'),  -- last digits of its number
    valid_until TEXT NOT NULL CHECK (valid_until GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]'),  -- last month it can pay in
    status TEXT NOT NULL CHECK (status IN ('active', 'frozen', 'blocked')),  -- frozen for a while, blocked for good
    limit_cents INTEGER NOT NULL CHECK (limit_cents BETWEEN 10000 AND 1000000)  -- what it pays in a day at most
) STRICT;
CREATE INDEX cards_by_account ON cards (account_id);

-- Whom a customer pays at other banks.
CREATE TABLE payees (
    payee_id TEXT NOT NULL PRIMARY KEY CHECK (length(payee_id) = 6),  -- such as 7QK2MD
    customer_id TEXT NOT NULL REFERENCES customers (customer_id),  -- whose list it is on
    name TEXT NOT NULL,  -- person or company
    bank TEXT NOT NULL,  -- where their account is
    account_number TEXT NOT NULL CHECK (account_number GLOB '[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]'),  -- at that bank
    added_at TEXT NOT NULL,  -- when the customer added them
    UNIQUE (customer_id, name)
) STRICT;

-- Payments to payees: sent, waiting for their day, or cancelled.
CREATE TABLE transfers (
    transfer_id TEXT NOT NULL PRIMARY KEY CHECK (length(transfer_id) = 8),  -- such as 4K7Q2MDX; compare: generated
    account_id TEXT NOT NULL REFERENCES accounts (account_id),  -- what it is paid from
    payee_id TEXT NOT NULL REFERENCES payees (payee_id),  -- who gets it
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),  -- how much
    reference TEXT,  -- what the payee reads, if anything
    send_on TEXT NOT NULL CHECK (send_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),  -- day on which it goes, or went
    status TEXT NOT NULL CHECK (status IN ('scheduled', 'sent', 'cancelled')),  -- where it stands
    created_at TEXT NOT NULL  -- when it was ordered
) STRICT;
CREATE INDEX transfers_by_account ON transfers (account_id);

-- Payments to payees that repeat until they are ended.
CREATE TABLE standing_orders (
    order_id TEXT NOT NULL PRIMARY KEY CHECK (length(order_id) = 7),  -- such as 4K7Q2MD; compare: generated
    account_id TEXT NOT NULL REFERENCES accounts (account_id),  -- what it is paid from
    payee_id TEXT NOT NULL REFERENCES payees (payee_id),  -- who gets it
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),  -- each time
    frequency TEXT NOT NULL CHECK (frequency IN ('weekly', 'monthly')),  -- how often
    next_on TEXT,  -- day of the next payment; NULL once it has ended
    status TEXT NOT NULL CHECK (status IN ('active', 'ended')),  -- where it stands
    CHECK ((status = 'active') = (next_on IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX one_order_of_a_kind ON standing_orders (account_id, payee_id, frequency) WHERE status = 'active';

-- Every movement on an account. The first one of an account carries over what was in it before.
CREATE TABLE transactions (
    transaction_id TEXT NOT NULL PRIMARY KEY CHECK (length(transaction_id) = 9),  -- such as 4K7Q2MDX9; compare: generated
    account_id TEXT NOT NULL REFERENCES accounts (account_id),  -- on which account
    booked_at TEXT NOT NULL,  -- when
    kind TEXT NOT NULL CHECK (kind IN ('carried_over', 'card_payment', 'card_refund', 'salary', 'transfer', 'standing_order', 'own_transfer', 'interest', 'fee', 'fee_refund', 'dispute_credit')),  -- what it was
    indicator TEXT NOT NULL CHECK (indicator IN ('credit', 'debit')),  -- credit came in, debit went out
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),  -- how much
    counterparty TEXT NOT NULL,  -- merchant, employer or payee; for fees, what for
    reference TEXT,  -- the other side's code or words, such as a booking code
    card_id TEXT REFERENCES cards (card_id),  -- card that paid or was refunded; NULL where none did
    transfer_id TEXT REFERENCES transfers (transfer_id),  -- payment that caused it
    reverses TEXT REFERENCES transactions (transaction_id),  -- movement that a fee refund or a dispute credit makes good
    CHECK ((card_id IS NOT NULL) = (kind IN ('card_payment', 'card_refund'))),
    CHECK ((reverses IS NOT NULL) = (kind IN ('fee_refund', 'dispute_credit')))
) STRICT;
CREATE INDEX transactions_by_account ON transactions (account_id, booked_at);
CREATE UNIQUE INDEX made_good_once ON transactions (reverses) WHERE reverses IS NOT NULL;

-- Card payments that customers contest.
CREATE TABLE disputes (
    dispute_id TEXT NOT NULL PRIMARY KEY CHECK (length(dispute_id) = 6),  -- case number, such as 4K7Q2M; compare: generated
    transaction_id TEXT NOT NULL UNIQUE REFERENCES transactions (transaction_id),  -- the card payment
    reason TEXT NOT NULL CHECK (reason IN ('not_recognised', 'not_received', 'charged_twice', 'wrong_amount')),  -- why
    status TEXT NOT NULL CHECK (status IN ('open', 'accepted', 'rejected')),  -- where it stands
    opened_at TEXT NOT NULL  -- when the customer contested it
) STRICT;

-- Movements as customers speak of them: whose, on which day, and whether they are contested.
CREATE VIEW movements AS
SELECT t.*, substr(t.booked_at, 1, 10) AS booked_on, a.customer_id, a.name AS account, d.status AS dispute
FROM transactions AS t
JOIN accounts AS a USING (account_id)
LEFT JOIN disputes AS d USING (transaction_id);

-- Payments as customers speak of them: to whom, and from which of their accounts.
CREATE VIEW payments AS
SELECT t.*, a.customer_id, a.name AS account, p.name AS payee, substr(t.created_at, 1, 10) AS ordered_on
FROM transfers AS t
JOIN accounts AS a USING (account_id)
JOIN payees AS p USING (payee_id);

-- Standing orders as customers speak of them: to whom, and from which of their accounts.
CREATE VIEW regular_payments AS
SELECT s.*, a.customer_id, a.name AS account, p.name AS payee
FROM standing_orders AS s
JOIN accounts AS a USING (account_id)
JOIN payees AS p USING (payee_id);

-- Cards with whose they are, and from which account they pay.
CREATE VIEW wallet AS
SELECT c.*, a.customer_id, a.name AS account
FROM cards AS c
JOIN accounts AS a USING (account_id);

-- Cards that stay frozen, because a payment of theirs is contested as not recognised.
CREATE VIEW held_cards AS
SELECT DISTINCT t.card_id
FROM disputes AS d
JOIN transactions AS t USING (transaction_id)
WHERE d.status = 'open' AND d.reason = 'not_recognised';

-- How many fees each customer got back in the last 365 days, and how many the plan allows.
CREATE VIEW fee_refunds AS
SELECT c.customer_id, iif(c.plan = 'plus', 2, 1) AS allowed,
       (SELECT count(*) FROM movements AS m
        WHERE m.customer_id = c.customer_id AND m.kind = 'fee_refund' AND m.booked_at >= date('now', '-365 days')) AS given_back
FROM customers AS c;

-- A current account of each customer and one payee, differently for each, as examples for testing: ...
CREATE VIEW possible_payments AS
SELECT a.account_id, p.payee_id, a.balance_cents, p.added_at, c.customer_id,
       (1500 + substr(p.account_number, 3) % 190 * 50) AS amount_cents
FROM customers AS c
JOIN accounts AS a ON a.customer_id = c.customer_id AND a.kind = 'current'
JOIN payees AS p ON p.customer_id = c.customer_id
ORDER BY substr(c.customer_id, 4), p.payee_id;

-- ... and two different accounts of each customer.
CREATE VIEW possible_moves AS
SELECT f.account_id AS from_account_id, t.account_id AS to_account_id, f.kind, f.balance_cents,
       (2000 + substr(t.account_id, 3) % 150 * 100) AS amount_cents,
       (SELECT count(*) FROM transactions AS m
        WHERE m.account_id = f.account_id AND m.kind = 'own_transfer' AND m.indicator = 'debit'
          AND substr(m.booked_at, 1, 7) = '2026-05') AS moved_this_month
FROM accounts AS f
JOIN accounts AS t ON t.customer_id = f.customer_id AND t.account_id <> f.account_id
ORDER BY substr(f.account_id, 4), 2;
