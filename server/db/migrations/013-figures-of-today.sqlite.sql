-- Licences with a machine on each seat, with what tells whether they are active. An index of licences on this condition would cost every activation more.
create table full_licenses (
  license_id integer primary key,
  status text not null,
  expiry_date text
);

create index full_licenses_by_status on full_licenses (status, expiry_date);

create trigger full_licenses_insert after insert on licenses
  when new.current_installations >= new.max_installations begin
  insert into full_licenses (license_id, status, expiry_date) values (new.id, new.status, new.expiry_date); end;

create trigger full_licenses_delete after delete on licenses
  when old.current_installations >= old.max_installations begin
  delete from full_licenses where license_id = old.id; end;

create trigger full_licenses_update after update of current_installations, max_installations, status, expiry_date on licenses
  when (old.current_installations >= old.max_installations or new.current_installations >= new.max_installations)
    and ((old.current_installations >= old.max_installations) is not (new.current_installations >= new.max_installations)
      or old.status is not new.status or old.expiry_date is not new.expiry_date) begin
  delete from full_licenses where license_id = old.id;
  insert into full_licenses (license_id, status, expiry_date)
    select new.id, new.status, new.expiry_date where new.current_installations >= new.max_installations; end;

insert into full_licenses (license_id, status, expiry_date)
  select id, status, expiry_date from licenses where current_installations >= max_installations;

create index licenses_by_status_and_end on licenses (status, expiry_date, price_cents);

drop index licenses_by_status;

create index outbox_failed_by_license on outbox (license_id, id) where status = 'failed';

drop index outbox_failed;
