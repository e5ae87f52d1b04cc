-- Which call makes the page; until claimed_until no other does.
alter table payment_checkouts add column claimed_by text;

-- Whether the account was of test mode when the page was made; null for a page that an earlier version made.
alter table payment_checkouts add column is_test boolean;
