-- Who is erased may have asked for a code; see erase-client.ts.
create index portal_asks_by_email on portal_asks (email_key) where email_key is not null;
