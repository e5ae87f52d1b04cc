alter table license_types add column currency text not null default 'MXN';

alter table licenses add column currency text not null default 'MXN';

-- Sums by currency read these indexes alone.
drop index license_terms_by_sale;

create index license_terms_by_sale on license_terms
  (created_at, is_counted, currency, software_id, license_type_id, price_cents);

drop index licenses_by_status_and_end;

create index licenses_by_status_and_end on licenses (status, expiry_date, currency, price_cents);

-- A list ordered by price compares amounts of one currency.
drop index licenses_by_price;

create index licenses_by_price on licenses (currency, price_cents, id);
