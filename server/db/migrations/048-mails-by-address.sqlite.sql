-- For the search in 'Correos' by the beginning of an address.
create index outbox_by_address on outbox (lower(to_address) collate "binary");
