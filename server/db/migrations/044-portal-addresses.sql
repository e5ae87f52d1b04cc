-- For the erasure of a client, who may have requested a code; see erase-client.ts.
create index portal_asks_by_email on portal_asks (email_key) where email_key is not null;
