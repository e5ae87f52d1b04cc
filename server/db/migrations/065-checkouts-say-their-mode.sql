-- Whether the account was of test mode when the page was made; null for a page that an earlier version made.
alter table payment_checkouts add column is_test boolean;
