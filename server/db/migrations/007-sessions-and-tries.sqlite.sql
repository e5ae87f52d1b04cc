create trigger users_deactivated after update of is_active on users
  when (old.is_active and not new.is_active) begin
  update sessions set revoked_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
  where revoked_at is null and user_id = new.id;
end;

update sessions set revoked_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
  where revoked_at is null and user_id in (select id from users where not is_active);

alter table tokens add column parent text;

alter table throttles add column under_way integer not null default 0;

alter table throttles add column under_way_until text;
