-- One trigger for each insertion, deletion or change of a row. It replaces one trigger for each table that depends on
-- it (docs/decisions/101-one-trigger-for-each-change.md).

drop trigger clients_count_delete on clients;

drop trigger clients_count_insert on clients;

drop trigger licenses_of_clients_begin on clients;

drop trigger day_changes_issues_delete on licenses;

drop trigger day_changes_issues_update on licenses;

drop trigger day_changes_licenses_delete on licenses;

drop trigger day_changes_licenses_update on licenses;

drop trigger full_licenses_delete on licenses;

drop trigger full_licenses_insert on licenses;

drop trigger full_licenses_update on licenses;

drop trigger license_checks_delete on licenses;

drop trigger license_expiries_insert on licenses;

drop trigger license_expiries_update on licenses;

drop trigger license_lives_begin on licenses;

drop trigger license_lives_change on licenses;

drop trigger license_lives_follow on licenses;

drop trigger license_terms_follow on licenses;

drop trigger licenses_by_software_count_delete on licenses;

drop trigger licenses_by_software_count_insert on licenses;

drop trigger licenses_by_software_count_update on licenses;

drop trigger licenses_by_type_count_delete on licenses;

drop trigger licenses_by_type_count_insert on licenses;

drop trigger licenses_by_type_count_update on licenses;

drop trigger licenses_count_delete on licenses;

drop trigger licenses_count_insert on licenses;

drop trigger licenses_count_update on licenses;

drop trigger licenses_of_clients_delete on licenses;

drop trigger licenses_of_clients_insert on licenses;

drop trigger licenses_of_clients_update on licenses;

drop trigger installations_count_delete on installations;

drop trigger installations_count_insert on installations;

drop trigger day_changes_ends_delete on license_terms;

drop trigger day_changes_ends_update on license_terms;

drop trigger day_changes_sales_delete on license_terms;

drop trigger day_changes_sales_update on license_terms;

drop trigger license_terms_undone on license_terms;

drop function clients_count_delete();

drop function clients_count_insert();

drop function licenses_of_clients_begin();

drop function installations_count_delete();

drop function installations_count_insert();

drop function day_changes_ends();

drop function day_changes_sales();

drop function license_terms_undone();

drop function day_changes_issues();

drop function day_changes_licenses();

drop function full_licenses_keep();

drop function license_checks_delete();

drop function license_expiries_keep();

drop function license_lives_begin();

drop function license_lives_change();

drop function license_lives_follow();

drop function license_terms_follow();

drop function licenses_by_software_count_delete();

drop function licenses_by_software_count_insert();

drop function licenses_by_software_count_update();

drop function licenses_by_type_count_delete();

drop function licenses_by_type_count_insert();

drop function licenses_by_type_count_update();

drop function licenses_count_delete();

drop function licenses_count_insert();

drop function licenses_count_update();

drop function licenses_of_clients_count();

drop function licenses_of_clients_move();

-- Software and types are few, so a search reads their rows without an index.
drop index software_search_index;

drop index license_types_search_index;

create function licenses_inserted() returns trigger language plpgsql as $$ begin
  insert into row_counts (table_name, status, kind, slot, n)
    select name, status, kind, pg_backend_pid() % 64, 1 * count(*) from (
      select 'licenses' as name, status, license_type as kind from changed
      union all select 'licenses_by_software', '', software_id::text from changed
      union all select 'licenses_by_type', '', coalesce(license_type_id::text, '') from changed) as counted
    group by 1, 2, 3 order by 1, 2, 3
  on conflict (table_name, status, kind, slot) do update set n = row_counts.n + excluded.n;
  update licenses_of_clients set n = n + counted.more
    from (select client_id, 1 * count(*) as more from changed group by client_id) as counted
    where licenses_of_clients.client_id = counted.client_id;
  insert into full_licenses (license_id, status, expiry_date)
    select id, status, expiry_date from changed where current_installations >= max_installations order by id;
  insert into license_expiries (license_id, ends)
    select id, expiry_date from changed where status in ('active', 'trial') and expiry_date is not null order by id
  on conflict do nothing;
  insert into license_spans (license_id, came_at, left_at, software_id, currency)
    select id, issued_date, expiry_date, software_id, currency from changed
    where status = 'active' and (expiry_date is null or expiry_date > issued_date) order by id;
  insert into license_trials (license_id, begun_at, ended_at, software_id, currency)
    select id, issued_date, case when status = 'cancelled' then issued_date else expiry_date end, software_id, currency
    from changed where status = 'trial' or license_type = 'trial' order by id;
  return null;
end $$;

create trigger licenses_inserted after insert on licenses referencing new table as changed
  for each statement execute function licenses_inserted();

create function licenses_deleted() returns trigger language plpgsql as $$ begin
  insert into row_counts (table_name, status, kind, slot, n)
    select name, status, kind, pg_backend_pid() % 64, -1 * count(*) from (
      select 'licenses' as name, status, license_type as kind from changed
      union all select 'licenses_by_software', '', software_id::text from changed
      union all select 'licenses_by_type', '', coalesce(license_type_id::text, '') from changed) as counted
    group by 1, 2, 3 order by 1, 2, 3
  on conflict (table_name, status, kind, slot) do update set n = row_counts.n + excluded.n;
  update licenses_of_clients set n = n + counted.more
    from (select client_id, -1 * count(*) as more from changed group by client_id) as counted
    where licenses_of_clients.client_id = counted.client_id;
  delete from full_licenses where license_id in (select id from changed where current_installations >= max_installations);
  delete from license_checks where license_id in (select id from changed);
  insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents)
    select 'licenses', id, 'issued', issued_date, currency, software_id, -1, 0 from changed
      where id <= (select watched from day_state where source = 'licenses')
    union all select 'licenses', id, 'end.' || status, coalesce(expiry_date, timestamptz '9999-12-30 00:00:00+00'),
      currency, software_id, -1, -price_cents from changed
      where status in ('active', 'trial', 'expired') and id <= (select watched from day_state where source = 'licenses');
  return null;
end $$;

create trigger licenses_deleted after delete on licenses referencing old table as changed
  for each statement execute function licenses_deleted();

create function licenses_changed() returns trigger language plpgsql as $$
declare
  has_moved boolean := old.software_id <> new.software_id or old.currency <> new.currency;
  ends_otherwise boolean := old.status <> new.status or old.expiry_date is distinct from new.expiry_date;
  was_active boolean := old.status = 'active' and (old.expiry_date is null or old.expiry_date >= new.updated_at);
  is_active boolean := new.status = 'active' and (new.expiry_date is null or new.expiry_date >= new.updated_at);
begin
  insert into row_counts (table_name, status, kind, slot, n)
    select name, status, kind, pg_backend_pid() % 64, sum(change) from (values
      ('licenses', old.status, old.license_type, -1), ('licenses', new.status, new.license_type, 1),
      ('licenses_by_software', '', old.software_id::text, -1), ('licenses_by_software', '', new.software_id::text, 1),
      ('licenses_by_type', '', coalesce(old.license_type_id::text, ''), -1),
      ('licenses_by_type', '', coalesce(new.license_type_id::text, ''), 1)) as counted (name, status, kind, change)
    group by 1, 2, 3 having sum(change) <> 0 order by 1, 2, 3
  on conflict (table_name, status, kind, slot) do update set n = row_counts.n + excluded.n;
  if old.client_id <> new.client_id then
    update licenses_of_clients set n = n + case when client_id = new.client_id then 1 else -1 end
      where client_id in (old.client_id, new.client_id);
  end if;
  if has_moved then
    update license_spans set software_id = new.software_id, currency = new.currency where license_id = new.id;
    update license_trials set software_id = new.software_id, currency = new.currency where license_id = new.id;
  end if;
  if ends_otherwise then
    update full_licenses set status = new.status, expiry_date = new.expiry_date where license_id = new.id;
    delete from license_expiries where license_id = new.id and noted_at is null;
    if new.status in ('active', 'trial') and new.expiry_date is not null then
      insert into license_expiries (license_id, ends) values (new.id, new.expiry_date) on conflict do nothing;
    end if;
    if was_active then
      update license_spans set left_at = case when is_active then new.expiry_date else new.updated_at end
        where id = (select max(id) from license_spans where license_id = new.id);
    elsif is_active then
      insert into license_spans (license_id, came_at, left_at, software_id, currency)
        values (new.id, new.updated_at, new.expiry_date, new.software_id, new.currency);
    end if;
  end if;
  if ends_otherwise or old.license_type <> new.license_type then
    update license_trials set
      converted_at = case when new.status = 'trial' or new.license_type = 'trial' then null
        when new.status = 'active' then coalesce(converted_at, new.updated_at) else converted_at end,
      ended_at = case when new.status <> 'cancelled' then new.expiry_date
        when old.status = 'cancelled' then ended_at else least(new.updated_at, new.expiry_date) end
      where license_id = new.id;
  end if;
  if old.software_id <> new.software_id or (old.status = 'cancelled') <> (new.status = 'cancelled') then
    update license_terms set software_id = new.software_id, is_counted = new.status <> 'cancelled' and not is_free and not is_test
      where license_id = new.id;
  end if;
  if new.id > (select watched from day_state where source = 'licenses') then
    return null;
  end if;
  if has_moved or old.issued_date <> new.issued_date then
    insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents) values
      ('licenses', old.id, 'issued', old.issued_date, old.currency, old.software_id, -1, 0),
      ('licenses', new.id, 'issued', new.issued_date, new.currency, new.software_id, 1, 0);
  end if;
  if has_moved or ends_otherwise or old.price_cents <> new.price_cents then
    insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents)
      select 'licenses', old.id, 'end.' || old.status, coalesce(old.expiry_date, timestamptz '9999-12-30 00:00:00+00'),
        old.currency, old.software_id, -1, -old.price_cents where old.status in ('active', 'trial', 'expired')
      union all select 'licenses', new.id, 'end.' || new.status, coalesce(new.expiry_date, timestamptz '9999-12-30 00:00:00+00'),
        new.currency, new.software_id, 1, new.price_cents where new.status in ('active', 'trial', 'expired');
  end if;
  return null;
end $$;

create trigger licenses_changed after update of status, license_type, software_id, license_type_id, client_id, issued_date, expiry_date, currency, price_cents on licenses
  for each row when (old.status is distinct from new.status
    or old.license_type is distinct from new.license_type
    or old.software_id is distinct from new.software_id
    or old.license_type_id is distinct from new.license_type_id
    or old.client_id is distinct from new.client_id
    or old.issued_date is distinct from new.issued_date
    or old.expiry_date is distinct from new.expiry_date
    or old.currency is distinct from new.currency
    or old.price_cents is distinct from new.price_cents)
  execute function licenses_changed();

create function full_licenses_changed() returns trigger language plpgsql as $$ begin
  if new.current_installations < new.max_installations then
    delete from full_licenses where license_id = new.id;
  else
    insert into full_licenses (license_id, status, expiry_date) values (new.id, new.status, new.expiry_date);
  end if;
  return null;
end $$;

create trigger full_licenses_changed after update of current_installations, max_installations on licenses for each row
  when ((old.current_installations >= old.max_installations) <> (new.current_installations >= new.max_installations))
  execute function full_licenses_changed();

create function clients_inserted() returns trigger language plpgsql as $$ begin
  insert into row_counts (table_name, status, kind, slot, n)
    select 'clients', status, client_type, pg_backend_pid() % 64, 1 * count(*) from changed group by 2, 3 order by 2, 3
  on conflict (table_name, status, kind, slot) do update set n = row_counts.n + excluded.n;
  insert into licenses_of_clients (client_id, n) select id, 0 from changed;
  return null;
end $$;

create trigger clients_inserted after insert on clients referencing new table as changed
  for each statement execute function clients_inserted();

create function clients_deleted() returns trigger language plpgsql as $$ begin
  insert into row_counts (table_name, status, kind, slot, n)
    select 'clients', status, client_type, pg_backend_pid() % 64, -1 * count(*) from changed group by 2, 3 order by 2, 3
  on conflict (table_name, status, kind, slot) do update set n = row_counts.n + excluded.n;
  return null;
end $$;

create trigger clients_deleted after delete on clients referencing old table as changed
  for each statement execute function clients_deleted();

create function installations_inserted() returns trigger language plpgsql as $$ begin
  insert into row_counts (table_name, status, kind, slot, n)
    select 'installations', '', '', pg_backend_pid() % 64, count(*) from changed having count(*) > 0
  on conflict (table_name, status, kind, slot) do update set n = row_counts.n + excluded.n;
  return null;
end $$;

create trigger installations_inserted after insert on installations referencing new table as changed
  for each statement execute function installations_inserted();

create function installations_deleted() returns trigger language plpgsql as $$ begin
  insert into row_counts (table_name, status, kind, slot, n)
    select 'installations', '', '', pg_backend_pid() % 64, -count(*) from changed having count(*) > 0
  on conflict (table_name, status, kind, slot) do update set n = row_counts.n + excluded.n;
  return null;
end $$;

create trigger installations_deleted after delete on installations referencing old table as changed
  for each statement execute function installations_deleted();

create function license_terms_deleted() returns trigger language plpgsql as $$ begin
  if old.kind not in ('issue', 'maintenance') then
    update license_terms set is_renewed = false
      where id = (select max(id) from license_terms
        where license_id = old.license_id and id < old.id and kind <> 'maintenance');
  end if;
  insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents)
    select 'license_terms', old.id, case when old.is_renewed then 'term.renewed' else 'term.gone' end, old.ends, old.currency, old.software_id, -1, 0
      where not old.is_trial and old.ends is not null and old.id <= (select watched from day_state where source = 'license_terms')
    union all select 'license_terms', old.id, 'sale.' || old.kind, old.created_at, old.currency, old.software_id, -1, -old.price_cents
      where old.is_counted and old.id <= (select watched from day_state where source = 'license_terms');
  return null;
end $$;

create trigger license_terms_deleted after delete on license_terms
  for each row execute function license_terms_deleted();

create function license_terms_changed() returns trigger language plpgsql as $$ begin
  if old.id > (select watched from day_state where source = 'license_terms') then
    return null;
  end if;
  insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents)
    select 'license_terms', old.id, case when old.is_renewed then 'term.renewed' else 'term.gone' end, old.ends, old.currency, old.software_id, -1, 0
      where not old.is_trial and old.ends is not null and (old.is_trial is distinct from new.is_trial or old.is_renewed is distinct from new.is_renewed or old.ends is distinct from new.ends
        or old.currency is distinct from new.currency or old.software_id is distinct from new.software_id)
    union all select 'license_terms', new.id, case when new.is_renewed then 'term.renewed' else 'term.gone' end, new.ends, new.currency, new.software_id, 1, 0
      where not new.is_trial and new.ends is not null and (old.is_trial is distinct from new.is_trial or old.is_renewed is distinct from new.is_renewed or old.ends is distinct from new.ends
        or old.currency is distinct from new.currency or old.software_id is distinct from new.software_id)
    union all select 'license_terms', old.id, 'sale.' || old.kind, old.created_at, old.currency, old.software_id, -1, -old.price_cents
      where old.is_counted and (old.is_counted is distinct from new.is_counted or old.kind is distinct from new.kind or old.created_at is distinct from new.created_at
        or old.currency is distinct from new.currency or old.software_id is distinct from new.software_id or old.price_cents is distinct from new.price_cents)
    union all select 'license_terms', new.id, 'sale.' || new.kind, new.created_at, new.currency, new.software_id, 1, new.price_cents
      where new.is_counted and (old.is_counted is distinct from new.is_counted or old.kind is distinct from new.kind or old.created_at is distinct from new.created_at
        or old.currency is distinct from new.currency or old.software_id is distinct from new.software_id or old.price_cents is distinct from new.price_cents);
  return null;
end $$;

create trigger license_terms_changed after update of is_trial, is_renewed, ends, is_counted, kind, created_at, currency, software_id, price_cents on license_terms
  for each row when (old.is_trial is distinct from new.is_trial
    or old.is_renewed is distinct from new.is_renewed
    or old.ends is distinct from new.ends
    or old.is_counted is distinct from new.is_counted
    or old.kind is distinct from new.kind
    or old.created_at is distinct from new.created_at
    or old.currency is distinct from new.currency
    or old.software_id is distinct from new.software_id
    or old.price_cents is distinct from new.price_cents)
  execute function license_terms_changed();
