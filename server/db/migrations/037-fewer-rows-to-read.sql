-- Versions are reported by few programs, and change seldom.
create index installations_by_version on installations (app_version, license_id) where app_version <> '';

create index installations_by_machine on installations (machine_id);

create index license_certificates_by_client on license_certificates (client_id);

-- What statistics and the report of clients count, without the rows of the licences.
create index licenses_by_client_and_end on licenses (client_id, status, expiry_date, software_id, currency);

create index clients_by_country on clients (country);

-- As before, with the licence: who bought is found without the rows of the terms.
drop index license_terms_by_sale;

create index license_terms_by_sale on license_terms
  (created_at, is_counted, currency, software_id, license_type_id, price_cents, license_id);
