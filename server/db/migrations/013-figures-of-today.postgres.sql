-- Licences with a machine on each seat, with what tells whether they are active. An index of licences on this condition would cost every activation more.
create table full_licenses (
  license_id bigint primary key,
  status text not null,
  expiry_date timestamptz(3)
);

create index full_licenses_by_status on full_licenses (status, expiry_date);

lock table licenses in share row exclusive mode;

create function full_licenses_keep() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    delete from full_licenses where license_id = old.id;
  end if;
  if tg_op <> 'DELETE' and new.current_installations >= new.max_installations then
    insert into full_licenses (license_id, status, expiry_date) values (new.id, new.status, new.expiry_date);
  end if;
  return null;
end $$;

create trigger full_licenses_insert after insert on licenses
  for each row when (new.current_installations >= new.max_installations) execute function full_licenses_keep();

create trigger full_licenses_delete after delete on licenses
  for each row when (old.current_installations >= old.max_installations) execute function full_licenses_keep();

create trigger full_licenses_update after update of current_installations, max_installations, status, expiry_date on licenses
  for each row when (
    (old.current_installations >= old.max_installations or new.current_installations >= new.max_installations)
    and ((old.current_installations >= old.max_installations) is distinct from (new.current_installations >= new.max_installations)
      or old.status is distinct from new.status or old.expiry_date is distinct from new.expiry_date)
  ) execute function full_licenses_keep();

insert into full_licenses (license_id, status, expiry_date)
  select id, status, expiry_date from licenses where current_installations >= max_installations;

create index licenses_by_status_and_end on licenses (status, expiry_date, price_cents);

drop index licenses_by_status;

create index outbox_failed_by_license on outbox (license_id, id) where status = 'failed';

drop index outbox_failed;
