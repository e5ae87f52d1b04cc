-- Terms in months (MONEY-10); null: the term counts in days.
alter table license_types add column validity_months integer;

alter table licenses add column expiry_months integer;

alter table license_terms add column months integer;

-- With `days` the length that was frozen; the months decide where there are any.
alter table payment_lines add column months integer;
