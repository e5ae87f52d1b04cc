-- The last local day of updates of a licence, and the days of updates that a type sells (SELL-02).
alter table license_types add column updates_days integer;

alter table licenses add column updates_until text;

-- The price of the last maintenance.
alter table licenses add column maintenance_cents integer;

alter table licenses add column maintenance_currency text;

-- For a maintenance: the last local day that it covers. A maintenance does not move the licence's end, so its `ends`
-- is null.
alter table license_terms add column covers_until text;

-- For the number of updates due by month, without reading the rows of the licences.
create index licenses_by_updates on licenses
  (status, updates_until, software_id, currency, maintenance_currency, maintenance_cents)
  where updates_until is not null;

-- As before, except that a maintenance renews no term.
drop trigger license_terms_renewed;

create trigger license_terms_renewed after insert on license_terms when new.kind not in ('issue', 'maintenance') begin
  update license_terms set is_renewed = 1
    where id = (select max(id) from license_terms
      where license_id = new.license_id and id < new.id and kind <> 'maintenance'); end;

drop trigger license_terms_undone;

create trigger license_terms_undone after delete on license_terms when old.kind not in ('issue', 'maintenance') begin
  update license_terms set is_renewed = 0
    where id = (select max(id) from license_terms
      where license_id = old.license_id and id < old.id and kind <> 'maintenance'); end;
