-- What a renewal with the same type asks; null: the type's price, with its promotion (MONEY-07).
alter table license_types add column renewal_price_cents integer;

-- How many of the seats were bought with add_seats: a renewal asks their price too (MONEY-08).
alter table licenses add column bought_seats integer not null default 0;

-- How many seats a line sells; null in all other lines.
alter table payment_lines add column quantity integer;

-- As before, except that seats sold until the end renew no term, as updates don't.
drop trigger license_terms_renewed;

create trigger license_terms_renewed after insert on license_terms
  when new.kind not in ('issue', 'maintenance', 'seats') begin
  update license_terms set is_renewed = 1
    where id = (select max(id) from license_terms
      where license_id = new.license_id and id < new.id and kind not in ('maintenance', 'seats')); end;

drop trigger license_terms_deleted;

create trigger license_terms_deleted after delete on license_terms begin
  update license_terms set is_renewed = 0
    where old.kind not in ('issue', 'maintenance', 'seats') and id = (select max(id) from license_terms
      where license_id = old.license_id and id < old.id and kind not in ('maintenance', 'seats'));
  insert into day_changes (source, row_id, fact, at, currency, software_id, n, cents)
    select 'license_terms', old.id, case when old.is_renewed then 'term.renewed' else 'term.gone' end, old.ends, old.currency, old.software_id, -1, 0
      where not old.is_trial and old.ends is not null and old.id <= (select watched from day_state where source = 'license_terms')
    union all select 'license_terms', old.id, 'sale.' || old.kind, old.created_at, old.currency, old.software_id, -1, -old.price_cents
      where old.is_counted and old.id <= (select watched from day_state where source = 'license_terms');
end;
