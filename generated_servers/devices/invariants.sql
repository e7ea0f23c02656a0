-- Each query must return no row.

-- name: items-label-not-empty
SELECT id FROM items WHERE label = '';

-- name: keys-label-not-empty
SELECT id FROM keys WHERE label = '';

-- name: location-rules-label-not-empty
SELECT id FROM location_rules WHERE label = '';

-- name: locations-label-not-empty
SELECT id FROM locations WHERE label = '';

-- name: item-lists-label-not-empty
SELECT id FROM item_lists WHERE label = '';

-- name: spot-lists-label-not-empty
SELECT id FROM spot_lists WHERE label = '';
