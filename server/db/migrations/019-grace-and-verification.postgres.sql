alter table license_types add column grace_days integer not null default 0;

alter table licenses add column grace_days integer not null default 0;

-- The code by which the public page finds a licence. It holds for the client that it was printed for.
create table license_certificates (
  license_id bigint primary key references licenses (id) on delete cascade,
  client_id bigint not null,
  code text not null unique,
  created_at timestamptz(3) not null
);
