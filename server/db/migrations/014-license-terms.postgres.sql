create table license_terms (
  id bigint generated always as identity primary key,
  license_id bigint not null,
  kind text not null,
  license_type_id bigint,
  starts timestamptz(3) not null,
  ends timestamptz(3),
  price_cents bigint not null,
  currency text not null default 'MXN',
  promotion_name text not null default '',
  extended_at timestamptz(3),
  -- Days by which its end was moved without a sale.
  moved_days integer not null default 0,
  -- JSON: the values of the licence that a renewal replaced and set, to undo it.
  replaced text,
  created_at timestamptz(3) not null,
  actor_kind text,
  actor_id bigint,
  actor_name text,
  -- Copies of the licence for the sums of revenue; a trigger keeps them.
  software_id bigint not null,
  is_counted boolean not null
);

insert into license_terms (license_id, kind, license_type_id, starts, ends, price_cents, promotion_name, created_at, software_id, is_counted)
  select id, 'issue', license_type_id, issued_date, expiry_date, price_cents, promotion_name, issued_date, software_id, status <> 'cancelled'
  from licenses order by id;

-- After the rows: checked in one pass, not row by row.
alter table license_terms
  add constraint license_terms_license_id_fkey foreign key (license_id) references licenses (id) on delete cascade,
  add constraint license_terms_license_type_id_fkey foreign key (license_type_id)
    references license_types (id) on delete set null;

create index license_terms_by_license on license_terms (license_id, id);

create index license_terms_by_type on license_terms (license_type_id) where license_type_id is not null;

create index license_terms_by_sale on license_terms (created_at, is_counted, software_id, license_type_id, price_cents);

create function license_terms_follow() returns trigger language plpgsql as $$
begin
  update license_terms set software_id = new.software_id, is_counted = new.status <> 'cancelled'
  where license_id = new.id;
  return null;
end $$;

create trigger license_terms_follow after update of status, software_id on licenses for each row
  when (old.software_id <> new.software_id or (old.status = 'cancelled') <> (new.status = 'cancelled'))
  execute function license_terms_follow();

alter table licenses add column suspended_at timestamptz(3);

alter table licenses add column suspended_from text;
