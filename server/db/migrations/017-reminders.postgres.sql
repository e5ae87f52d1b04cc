-- The ends of licences: one row for each licence and date. `noted_at` is when its event license.expired was written, null while that is awaited.
create table license_expiries (
  license_id bigint not null,
  ends timestamptz(3) not null,
  noted_at timestamptz(3)
);

lock table licenses in share row exclusive mode;

-- Licences that are over already get no event.
insert into license_expiries (license_id, ends, noted_at)
  select id, expiry_date, case when expiry_date < now() then now() end
  from licenses
  where expiry_date is not null and (status in ('active', 'trial') or expiry_date < now());

alter table license_expiries add primary key (license_id, ends);

alter table license_expiries add foreign key (license_id) references licenses (id) on delete cascade;

create index license_expiries_awaited on license_expiries (ends) where noted_at is null;

create function license_expiries_keep() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from license_expiries where license_id = new.id and noted_at is null;
  end if;
  if new.status in ('active', 'trial') and new.expiry_date is not null then
    insert into license_expiries (license_id, ends) values (new.id, new.expiry_date) on conflict do nothing;
  end if;
  return null;
end $$;

create trigger license_expiries_insert after insert on licenses
  for each row when (new.status in ('active', 'trial') and new.expiry_date is not null)
  execute function license_expiries_keep();

create trigger license_expiries_update after update of status, expiry_date on licenses
  for each row when (old.status is distinct from new.status or old.expiry_date is distinct from new.expiry_date)
  execute function license_expiries_keep();

-- The reminders of a term that were sent, by the number of days before its end.
create table license_reminders (
  license_id bigint not null references licenses (id) on delete cascade,
  term_id bigint not null,
  mark integer not null,
  sent_at timestamptz(3) not null,
  primary key (license_id, term_id, mark)
);

-- The last local day of which all reminders were sent, the settings of that run, and the settings last seen with their time.
create table reminder_runs (
  id bigint primary key check (id = 1),
  day text not null,
  settings text not null,
  seen text not null
);

alter table clients add column reminders boolean not null default true;

-- What reminders need to know of a client that had one: the token of its link, and the local day of the last.
create table reminded_clients (
  client_id bigint primary key references clients (id) on delete cascade,
  token text not null unique,
  reminded_on text
);

-- Addresses that refused a reminder or a digest for good.
create table bounced_addresses (
  address_key text primary key,
  bounced_at timestamptz(3) not null,
  reason text not null
);

alter table users add column weekly_digest boolean not null default false;

-- The Monday of the last week whose digest is not to be sent any more.
alter table users add column digest_week text;
