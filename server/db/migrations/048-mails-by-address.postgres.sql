-- SQLite's name for byte order, so that a condition on the beginning of a text is the same on both engines.
create collation if not exists "binary" from "C";

-- For the search in 'Correos' by the beginning of an address.
create index outbox_by_address on outbox ((lower(to_address)) collate "binary");
