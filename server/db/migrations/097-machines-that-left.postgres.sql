-- When a machine without a seat was last heard. All machines that left within a day have a row, even if none of their tokens
-- holds; a row of the version before has no time (docs/decisions/164-released-floating-seats.md).
alter table released_seats add column heard_at timestamptz;

create index released_seats_by_machine on released_seats (license_id, machine_key);
