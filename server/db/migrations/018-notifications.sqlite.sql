-- What each user has read. A notification itself is no row: it is what the other tables say now.
create table notification_reads (
  user_id integer not null references "users" (id) on delete cascade,
  notification text not null,
  kind text not null,
  -- The licence, the row of full_licenses, or the message.
  ref integer not null,
  -- When the notification is over at the latest: the end of an expiring licence.
  ends text,
  primary key (user_id, notification)
) without rowid;

create index outbox_failed_newest on outbox (id) where status = 'failed';

-- A row keeps its id while the licence is full and gets a new one when it is full again, so that the newest are found in the order of ids.
drop trigger full_licenses_insert;

drop trigger full_licenses_delete;

drop trigger full_licenses_update;

alter table full_licenses rename to full_licenses_before;

drop index full_licenses_by_status;

create table full_licenses (
  id integer primary key autoincrement,
  license_id integer not null unique,
  status text not null,
  expiry_date text
);

insert into full_licenses (license_id, status, expiry_date)
  select license_id, status, expiry_date from full_licenses_before
  order by (select max(installation_date) from installations
    where installations.license_id = full_licenses_before.license_id), license_id;

drop table full_licenses_before;

create index full_licenses_by_status on full_licenses (status, expiry_date);

create trigger full_licenses_insert after insert on licenses
  when new.current_installations >= new.max_installations begin
  insert into full_licenses (license_id, status, expiry_date) values (new.id, new.status, new.expiry_date); end;

create trigger full_licenses_delete after delete on licenses
  when old.current_installations >= old.max_installations begin
  delete from full_licenses where license_id = old.id; end;

create trigger full_licenses_begin after update of current_installations, max_installations on licenses
  when old.current_installations < old.max_installations and new.current_installations >= new.max_installations begin
  insert into full_licenses (license_id, status, expiry_date) values (new.id, new.status, new.expiry_date); end;

create trigger full_licenses_end after update of current_installations, max_installations on licenses
  when old.current_installations >= old.max_installations and new.current_installations < new.max_installations begin
  delete from full_licenses where license_id = old.id; end;

create trigger full_licenses_follow after update of status, expiry_date on licenses
  when new.current_installations >= new.max_installations
    and (old.status is not new.status or old.expiry_date is not new.expiry_date) begin
  update full_licenses set status = new.status, expiry_date = new.expiry_date where license_id = new.id; end;
