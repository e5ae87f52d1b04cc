-- One trigger for each insertion, deletion or change of a row. It replaces one trigger for each table that depends on
-- it (docs/decisions/101-one-trigger-for-each-change.md).

drop trigger day_changes_issues_delete;

drop trigger day_changes_issues_update;

drop trigger day_changes_licenses_delete;

drop trigger day_changes_licenses_update;

drop trigger full_licenses_begin;

drop trigger full_licenses_delete;

drop trigger full_licenses_end;

drop trigger full_licenses_follow;

drop trigger full_licenses_insert;

drop trigger license_checks_delete;

drop trigger license_expiries_insert;

drop trigger license_expiries_update;

drop trigger license_spans_follow;

drop trigger license_spans_insert;

drop trigger license_spans_update;

drop trigger license_terms_follow;

drop trigger license_trials_insert;

drop trigger license_trials_update;

drop trigger licenses_by_software_count_delete;

drop trigger licenses_by_software_count_insert;

drop trigger licenses_by_software_count_update;

drop trigger licenses_by_type_count_delete;

drop trigger licenses_by_type_count_insert;

drop trigger licenses_by_type_count_update;

drop trigger licenses_count_delete;

drop trigger licenses_count_insert;

drop trigger licenses_count_update;

drop trigger licenses_of_clients_delete;

drop trigger licenses_of_clients_insert;

drop trigger licenses_of_clients_update;

drop trigger licenses_search_delete;

drop trigger licenses_search_insert;

drop trigger clients_count_delete;

drop trigger clients_count_insert;

drop trigger clients_search_delete;

drop trigger clients_search_insert;

drop trigger licenses_of_clients_begin;

drop trigger installations_count_delete;

drop trigger installations_count_insert;

drop trigger installations_search_delete;

drop trigger installations_search_insert;

drop trigger day_changes_ends_delete;

drop trigger day_changes_ends_update;

drop trigger day_changes_sales_delete;

drop trigger day_changes_sales_update;

drop trigger license_terms_undone;

-- Software and types are few, so a search reads their rows without an index.

drop trigger software_search_insert;

drop trigger software_search_update;

drop trigger software_search_delete;

drop table software_search;

drop table software_search_pending;

drop trigger license_types_search_insert;

drop trigger license_types_search_update;

drop trigger license_types_search_delete;

drop table license_types_search;

drop table license_types_search_pending;

create trigger licenses_inserted after insert on licenses begin
  insert into row_counts (table_name, status, kind, slot, n) values
    ('licenses', new.status, new.license_type, 0, 1),
    ('licenses_by_software', '', cast(new.software_id as text), 0, 1),
    ('licenses_by_type', '', coalesce(cast(new.license_type_id as text), ''), 0, 1)
  on conflict (table_name, status, kind, slot) do update set n = n + excluded.n;
  update licenses_of_clients set n = n + 1 where client_id = new.client_id;
  insert into full_licenses (license_id, status, expiry_date)
    select new.id, new.status, new.expiry_date where new.current_installations >= new.max_installations;
  insert or ignore into license_expiries (license_id, ends)
    select new.id, new.expiry_date where new.status in ('active', 'trial') and new.expiry_date is not null;
  insert into license_spans (license_id, came_at, left_at, software_id, currency)
    select new.id, new.issued_date, new.expiry_date, new.software_id, new.currency
    where new.status = 'active' and (new.expiry_date is null or new.expiry_date > new.issued_date);
  insert into license_trials (license_id, begun_at, ended_at, software_id, currency)
    select new.id, new.issued_date, case when new.status = 'cancelled' then new.issued_date else new.expiry_date end,
      new.software_id, new.currency
    where new.status = 'trial' or new.license_type = 'trial';
  insert into licenses_search_pending (id) values (new.id);
end;

create trigger licenses_deleted after delete on licenses begin
  insert into row_counts (table_name, status, kind, slot, n) values
    ('licenses', old.status, old.license_type, 0, -1),
    ('licenses_by_software', '', cast(old.software_id as text), 0, -1),
    ('licenses_by_type', '', coalesce(cast(old.license_type_id as text), ''), 0, -1)
  on conflict (table_name, status, kind, slot) do update set n = n + excluded.n;
  update licenses_of_clients set n = n - 1 where client_id = old.client_id;
  delete from full_licenses where license_id = old.id and old.current_installations >= old.max_installations;
  delete from license_checks where license_id = old.id;
  insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents)
    select 'licenses', old.id, 'issued', old.issued_date, old.currency, old.software_id, -1, 0
      where old.id <= (select watched from day_state where source = 'licenses')
    union all select 'licenses', old.id, 'end.' || old.status, coalesce(old.expiry_date, '9999-12-30T00:00:00.000Z'),
      old.currency, old.software_id, -1, -old.price_cents
      where old.status in ('active', 'trial', 'expired')
        and old.id <= (select watched from day_state where source = 'licenses');
  insert into licenses_search (licenses_search, rowid, search_text)
    select 'delete', old.id, old.search_text where old.id not in (select id from licenses_search_pending);
end;

create trigger licenses_changed after update of status, license_type, software_id, license_type_id, client_id, issued_date, expiry_date, currency, price_cents on licenses
  when old.status is not new.status
    or old.license_type is not new.license_type
    or old.software_id is not new.software_id
    or old.license_type_id is not new.license_type_id
    or old.client_id is not new.client_id
    or old.issued_date is not new.issued_date
    or old.expiry_date is not new.expiry_date
    or old.currency is not new.currency
    or old.price_cents is not new.price_cents begin
  insert into row_counts (table_name, status, kind, slot, n)
    select name, status, kind, 0, sum(change) from (
      select 'licenses' as name, old.status as status, old.license_type as kind, -1 as change
      union all select 'licenses', new.status, new.license_type, 1
      union all select 'licenses_by_software', '', cast(old.software_id as text), -1
      union all select 'licenses_by_software', '', cast(new.software_id as text), 1
      union all select 'licenses_by_type', '', coalesce(cast(old.license_type_id as text), ''), -1
      union all select 'licenses_by_type', '', coalesce(cast(new.license_type_id as text), ''), 1)
    where true group by 1, 2, 3 having sum(change) <> 0
  on conflict (table_name, status, kind, slot) do update set n = n + excluded.n;
  update licenses_of_clients set n = n + case when client_id = new.client_id then 1 else -1 end
    where client_id in (old.client_id, new.client_id) and old.client_id <> new.client_id;
  update full_licenses set status = new.status, expiry_date = new.expiry_date
    where license_id = new.id and new.current_installations >= new.max_installations and (old.status is not new.status or old.expiry_date is not new.expiry_date);
  delete from license_expiries where license_id = new.id and noted_at is null and (old.status is not new.status or old.expiry_date is not new.expiry_date);
  insert or ignore into license_expiries (license_id, ends)
    select new.id, new.expiry_date where new.status in ('active', 'trial') and new.expiry_date is not null and (old.status is not new.status or old.expiry_date is not new.expiry_date);
  update license_spans set software_id = new.software_id, currency = new.currency
    where license_id = new.id and (old.software_id <> new.software_id or old.currency <> new.currency);
  update license_spans set left_at = case
      when new.status = 'active' and (new.expiry_date is null or new.expiry_date >= new.updated_at)
      then new.expiry_date else new.updated_at end
    where (old.status is not new.status or old.expiry_date is not new.expiry_date)
      and old.status = 'active' and (old.expiry_date is null or old.expiry_date >= new.updated_at)
      and id = (select max(id) from license_spans where license_id = new.id);
  insert into license_spans (license_id, came_at, left_at, software_id, currency)
    select new.id, new.updated_at, new.expiry_date, new.software_id, new.currency
    where (old.status is not new.status or old.expiry_date is not new.expiry_date)
      and new.status = 'active' and (new.expiry_date is null or new.expiry_date >= new.updated_at)
      and not (old.status = 'active' and (old.expiry_date is null or old.expiry_date >= new.updated_at));
  update license_trials set software_id = new.software_id, currency = new.currency
    where license_id = new.id and (old.software_id <> new.software_id or old.currency <> new.currency);
  update license_trials set
    converted_at = case when new.status = 'trial' or new.license_type = 'trial' then null
      when new.status = 'active' then coalesce(converted_at, new.updated_at) else converted_at end,
    ended_at = case when new.status <> 'cancelled' then new.expiry_date
      when old.status = 'cancelled' then ended_at
      else min(new.updated_at, coalesce(new.expiry_date, new.updated_at)) end
    where license_id = new.id and (old.license_type is not new.license_type or (old.status is not new.status or old.expiry_date is not new.expiry_date));
  update license_terms set software_id = new.software_id, is_counted = new.status <> 'cancelled' and not is_free and not is_test
    where license_id = new.id
      and (old.software_id <> new.software_id or (old.status = 'cancelled') <> (new.status = 'cancelled'));
  insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents)
    select 'licenses', old.id, 'issued', old.issued_date, old.currency, old.software_id, -1, 0
      where (old.issued_date is not new.issued_date or old.currency is not new.currency or old.software_id is not new.software_id) and new.id <= (select watched from day_state where source = 'licenses')
    union all select 'licenses', new.id, 'issued', new.issued_date, new.currency, new.software_id, 1, 0
      where (old.issued_date is not new.issued_date or old.currency is not new.currency or old.software_id is not new.software_id) and new.id <= (select watched from day_state where source = 'licenses')
    union all select 'licenses', old.id, 'end.' || old.status, coalesce(old.expiry_date, '9999-12-30T00:00:00.000Z'),
      old.currency, old.software_id, -1, -old.price_cents
      where old.status in ('active', 'trial', 'expired') and (old.status is not new.status or old.expiry_date is not new.expiry_date or old.currency is not new.currency
        or old.software_id is not new.software_id or old.price_cents is not new.price_cents) and new.id <= (select watched from day_state where source = 'licenses')
    union all select 'licenses', new.id, 'end.' || new.status, coalesce(new.expiry_date, '9999-12-30T00:00:00.000Z'),
      new.currency, new.software_id, 1, new.price_cents
      where new.status in ('active', 'trial', 'expired') and (old.status is not new.status or old.expiry_date is not new.expiry_date or old.currency is not new.currency
        or old.software_id is not new.software_id or old.price_cents is not new.price_cents) and new.id <= (select watched from day_state where source = 'licenses');
end;

create trigger full_licenses_changed after update of current_installations, max_installations on licenses
  when (old.current_installations >= old.max_installations) <> (new.current_installations >= new.max_installations) begin
  delete from full_licenses where license_id = new.id and new.current_installations < new.max_installations;
  insert into full_licenses (license_id, status, expiry_date)
    select new.id, new.status, new.expiry_date where new.current_installations >= new.max_installations;
end;

create trigger clients_inserted after insert on clients begin
  insert into row_counts (table_name, status, kind, slot, n) values ('clients', new.status, new.client_type, 0, 1)
  on conflict (table_name, status, kind, slot) do update set n = n + excluded.n;
  insert into licenses_of_clients (client_id, n) values (new.id, 0);
  insert into clients_search_pending (id) values (new.id);
end;

create trigger clients_deleted after delete on clients begin
  insert into row_counts (table_name, status, kind, slot, n) values ('clients', old.status, old.client_type, 0, -1)
  on conflict (table_name, status, kind, slot) do update set n = n + excluded.n;
  insert into clients_search (clients_search, rowid, search_text)
    select 'delete', old.id, old.search_text where old.id not in (select id from clients_search_pending);
end;

create trigger installations_inserted after insert on installations begin
  insert into row_counts (table_name, status, kind, slot, n) values ('installations', '', '', 0, 1)
  on conflict (table_name, status, kind, slot) do update set n = n + excluded.n;
  insert into installations_search_pending (id) values (new.id);
end;

create trigger installations_deleted after delete on installations begin
  insert into row_counts (table_name, status, kind, slot, n) values ('installations', '', '', 0, -1)
  on conflict (table_name, status, kind, slot) do update set n = n + excluded.n;
  insert into installations_search (installations_search, rowid, search_text)
    select 'delete', old.id, old.search_text where old.id not in (select id from installations_search_pending);
end;

create trigger license_terms_deleted after delete on license_terms begin
  update license_terms set is_renewed = 0
    where old.kind not in ('issue', 'maintenance') and id = (select max(id) from license_terms
      where license_id = old.license_id and id < old.id and kind <> 'maintenance');
  insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents)
    select 'license_terms', old.id, case when old.is_renewed then 'term.renewed' else 'term.gone' end, old.ends, old.currency, old.software_id, -1, 0
      where not old.is_trial and old.ends is not null and old.id <= (select watched from day_state where source = 'license_terms')
    union all select 'license_terms', old.id, 'sale.' || old.kind, old.created_at, old.currency, old.software_id, -1, -old.price_cents
      where old.is_counted and old.id <= (select watched from day_state where source = 'license_terms');
end;

create trigger license_terms_changed after update of is_trial, is_renewed, ends, is_counted, kind, created_at, currency, software_id, price_cents on license_terms
  when old.id <= (select watched from day_state where source = 'license_terms')
    and (old.is_trial is not new.is_trial
    or old.is_renewed is not new.is_renewed
    or old.ends is not new.ends
    or old.is_counted is not new.is_counted
    or old.kind is not new.kind
    or old.created_at is not new.created_at
    or old.currency is not new.currency
    or old.software_id is not new.software_id
    or old.price_cents is not new.price_cents) begin
  insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents)
    select 'license_terms', old.id, case when old.is_renewed then 'term.renewed' else 'term.gone' end, old.ends, old.currency, old.software_id, -1, 0
      where not old.is_trial and old.ends is not null and (old.is_trial is not new.is_trial or old.is_renewed is not new.is_renewed or old.ends is not new.ends
        or old.currency is not new.currency or old.software_id is not new.software_id)
    union all select 'license_terms', new.id, case when new.is_renewed then 'term.renewed' else 'term.gone' end, new.ends, new.currency, new.software_id, 1, 0
      where not new.is_trial and new.ends is not null and (old.is_trial is not new.is_trial or old.is_renewed is not new.is_renewed or old.ends is not new.ends
        or old.currency is not new.currency or old.software_id is not new.software_id)
    union all select 'license_terms', old.id, 'sale.' || old.kind, old.created_at, old.currency, old.software_id, -1, -old.price_cents
      where old.is_counted and (old.is_counted is not new.is_counted or old.kind is not new.kind or old.created_at is not new.created_at
        or old.currency is not new.currency or old.software_id is not new.software_id or old.price_cents is not new.price_cents)
    union all select 'license_terms', new.id, 'sale.' || new.kind, new.created_at, new.currency, new.software_id, 1, new.price_cents
      where new.is_counted and (old.is_counted is not new.is_counted or old.kind is not new.kind or old.created_at is not new.created_at
        or old.currency is not new.currency or old.software_id is not new.software_id or old.price_cents is not new.price_cents);
end;
