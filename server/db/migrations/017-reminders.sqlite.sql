-- The ends of licences: one row for each licence and date. `noted_at` is when its event license.expired was written, null while that is awaited.
create table license_expiries (
  license_id integer not null references licenses (id) on delete cascade,
  ends text not null,
  noted_at text,
  primary key (license_id, ends)
);

create index license_expiries_awaited on license_expiries (ends) where noted_at is null;

-- Licences that are over already get no event.
insert into license_expiries (license_id, ends, noted_at)
  select id, expiry_date, case when expiry_date < strftime('%Y-%m-%dT%H:%M:%fZ', 'now') then strftime('%Y-%m-%dT%H:%M:%fZ', 'now') end
  from licenses
  where expiry_date is not null
    and (status in ('active', 'trial') or expiry_date < strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));

create trigger license_expiries_insert after insert on licenses
  when new.status in ('active', 'trial') and new.expiry_date is not null begin
  insert or ignore into license_expiries (license_id, ends) values (new.id, new.expiry_date); end;

create trigger license_expiries_update after update of status, expiry_date on licenses
  when old.status is not new.status or old.expiry_date is not new.expiry_date begin
  delete from license_expiries where license_id = new.id and noted_at is null;
  insert or ignore into license_expiries (license_id, ends)
    select new.id, new.expiry_date where new.status in ('active', 'trial') and new.expiry_date is not null; end;

-- The reminders of a term that were sent, by the number of days before its end.
create table license_reminders (
  license_id integer not null references licenses (id) on delete cascade,
  term_id integer not null,
  mark integer not null,
  sent_at text not null,
  primary key (license_id, term_id, mark)
);

-- The last local day of which all reminders were sent, the settings of that run, and the settings last seen with their time.
create table reminder_runs (
  id integer primary key check (id = 1),
  day text not null,
  settings text not null,
  seen text not null
);

alter table clients add column reminders integer not null default 1;

-- What reminders need to know of a client that had one: the token of its link, and the local day of the last.
create table reminded_clients (
  client_id integer primary key references clients (id) on delete cascade,
  token text not null unique,
  reminded_on text
);

-- Addresses that refused a reminder or a digest for good.
create table bounced_addresses (
  address_key text primary key,
  bounced_at text not null,
  reason text not null
);

alter table users add column weekly_digest integer not null default 0;

-- The Monday of the last week whose digest is not to be sent any more.
alter table users add column digest_week text;
