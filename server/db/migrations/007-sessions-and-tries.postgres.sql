create function users_deactivated() returns trigger language plpgsql as $$
begin
  update sessions set revoked_at = now() where revoked_at is null and user_id = new.id;
  return null;
end $$;

create trigger users_deactivated after update of is_active on users
  for each row when (old.is_active and not new.is_active) execute function users_deactivated();

update sessions set revoked_at = now()
  where revoked_at is null and user_id in (select id from users where not is_active);

alter table tokens add column parent text;

alter table throttles add column under_way bigint not null default 0;

alter table throttles add column under_way_until timestamptz(3);
