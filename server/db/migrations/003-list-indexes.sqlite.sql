create index "licenses_by_status_newest" on licenses ("status", created_at desc, id desc);

create index "licenses_by_software_newest" on licenses ("software_id", created_at desc, id desc);

create index "licenses_by_category_newest" on licenses ("license_type", created_at desc, id desc);

drop index licenses_by_category;

create index "licenses_by_license_type_newest" on licenses ("license_type_id", created_at desc, id desc);

drop index licenses_by_license_type;

create index licenses_by_price on licenses (price_cents, id);
