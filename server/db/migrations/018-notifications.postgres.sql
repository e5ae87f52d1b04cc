-- What each user has read. A notification itself is no row: it is what the other tables say now.
create table notification_reads (
  user_id bigint not null references "users" (id) on delete cascade,
  notification text not null,
  kind text not null,
  -- The licence, the row of full_licenses, or the message.
  ref bigint not null,
  -- When the notification is over at the latest: the end of an expiring licence.
  ends timestamptz(3),
  primary key (user_id, notification)
);

create index outbox_failed_newest on outbox (id) where status = 'failed';

-- A row keeps its id while the licence is full and gets a new one when it is full again, so that the newest are found in the order of ids.
lock table licenses in share row exclusive mode;

alter table full_licenses rename to full_licenses_before;

alter index full_licenses_pkey rename to full_licenses_before_pkey;

drop index full_licenses_by_status;

create table full_licenses (
  id bigint generated always as identity primary key,
  license_id bigint not null unique,
  status text not null,
  expiry_date timestamptz(3)
);

insert into full_licenses (license_id, status, expiry_date)
  select license_id, status, expiry_date from full_licenses_before
  order by (select max(installation_date) from installations
    where installations.license_id = full_licenses_before.license_id), license_id;

drop table full_licenses_before;

create index full_licenses_by_status on full_licenses (status, expiry_date);

create or replace function full_licenses_keep() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.current_installations >= old.max_installations
    and new.current_installations >= new.max_installations then
    update full_licenses set status = new.status, expiry_date = new.expiry_date where license_id = new.id;
    return null;
  end if;
  if tg_op <> 'INSERT' then
    delete from full_licenses where license_id = old.id;
  end if;
  if tg_op <> 'DELETE' and new.current_installations >= new.max_installations then
    insert into full_licenses (license_id, status, expiry_date) values (new.id, new.status, new.expiry_date);
  end if;
  return null;
end $$;
