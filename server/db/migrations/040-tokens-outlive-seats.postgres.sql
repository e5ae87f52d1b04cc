-- Until when a machine may trust its last token, and until when its last file holds (docs/decisions/069-tokens-outlive-seats.md).
alter table installations add column token_until timestamptz;

alter table installations add column file_until timestamptz;

-- Seats that were given back while a token of their machine still held.
create table released_seats (
  id bigint generated always as identity primary key,
  license_id bigint not null references licenses (id) on delete cascade,
  machine_id text not null,
  holds_until timestamptz not null
);

create index released_seats_by_license on released_seats (license_id, holds_until);
