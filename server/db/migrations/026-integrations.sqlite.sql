-- The ids that records have in other systems of the vendor
alter table clients add column external_id text;

create unique index clients_by_external_id on clients (external_id) where external_id is not null;

alter table licenses add column external_id text;

create unique index licenses_by_external_id on licenses (external_id) where external_id is not null;

-- What changed since a moment. An activation and a heartbeat change no updated_at
create index clients_by_update on clients (updated_at, id);

create index licenses_by_update on licenses (updated_at, id);

-- When a machine last said other facts about itself; null while they are those of its activation
alter table installations add column changed_at text;

create index installations_by_change on installations (coalesce(changed_at, installation_date));

-- Keys of other programs, which people type with or without their hyphens; the product's own are found by license_key
create index licenses_by_foreign_key on licenses (replace(license_key, '-', '')) where license_key not like '_____-_____-_____-_____-_____';
